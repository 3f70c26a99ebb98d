"""Bounds on what one caller may ask for: rates, bodies, streams."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address
from time import monotonic

from fairdeal.infrastructure.http.problems import HttpProblem

MOST_BUCKETS = 20_000


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of one server process."""

    body_bytes: int = 65_536
    body_seconds: float = 10.0
    requests_per_second_of_token: float = 200
    requests_per_second_of_address: float = 400
    accounts_per_minute: float = 20
    streams_of_caller: int = 50
    streams: int = 5_000
    threads: int = 32
    heavy_threads: int = 2
    longest_wait: float = 60.0
    exempt_loopback: bool = True


class Buckets:
    """Token buckets: so many at once, then so many a second. Used by the event loop alone."""

    def __init__(self, per_second: float, burst: float) -> None:
        self._rate = per_second
        self._burst = burst
        self._levels: dict[Hashable, tuple[float, float]] = {}

    def take(self, key: Hashable) -> float:
        """0 if there is room, else the seconds until there is."""
        now = monotonic()
        level, since = self._levels.get(key, (self._burst, now))
        level = min(self._burst, level + (now - since) * self._rate)
        if level < 1:
            self._levels[key] = (level, now)
            return (1 - level) / self._rate
        if len(self._levels) >= MOST_BUCKETS:
            self._levels = {k: kept for k, kept in self._levels.items() if now - kept[1] < self._burst / self._rate}
            if len(self._levels) >= MOST_BUCKETS:
                self._levels.clear()
        self._levels[key] = (level - 1, now)
        return 0.0


class Rates:
    """Who has asked too often."""

    def __init__(self, limits: Limits) -> None:
        self._exempt = limits.exempt_loopback
        self._tokens = Buckets(limits.requests_per_second_of_token, limits.requests_per_second_of_token)
        self._addresses = Buckets(limits.requests_per_second_of_address, limits.requests_per_second_of_address)
        self._accounts = Buckets(limits.accounts_per_minute / 60, limits.accounts_per_minute)

    def must_be_moderate(self, address: str, credential: str | None) -> None:
        if self._exempt and is_loopback(address):
            return
        wait = self._addresses.take(address)
        if not wait and credential is not None:
            wait = self._tokens.take(credential)
        if wait:
            raise HttpProblem("too_many_requests", "Too many requests: wait a moment.", retry_after=_whole(wait))

    def must_be_few_accounts(self, address: str) -> None:
        if self._exempt and is_loopback(address):
            return
        wait = self._accounts.take(address)
        if wait:
            raise HttpProblem("too_many_accounts", "Too many new accounts: wait a while.", retry_after=_whole(wait))


@lru_cache(MOST_BUCKETS)
def is_loopback(address: str) -> bool:
    """Whether it is this machine itself."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def _whole(seconds: float) -> int:
    return max(1, round(seconds + 0.5))

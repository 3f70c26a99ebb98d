"""Who asks: a bearer token, the page's cookie, or whatever the host of a mounted app says."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from fairdeal.application.commands.policy import Caller
from fairdeal.domain.kernel.game import HOUSE
from fairdeal.domain.kernel.lobby import BOT
from fairdeal.infrastructure.http.accounts import CACHED, TOKEN_PREFIX, Accounts, digest_of
from fairdeal.infrastructure.http.heads import COOKIE, SECURE_COOKIE, RequestHead
from fairdeal.infrastructure.http.problems import HttpProblem, unauthenticated_error

YEAR = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Identity(Caller):
    """A player who asks, what they may do beyond playing, and by which token."""

    token: bytes | None = field(default=None, repr=False)
    """The digest of the token, so that streams end with it."""


Identified = Identity | str | None
Identify = Callable[[HTTPConnection], Identified | Awaitable[Identified]]
"""The port: who a connection belongs to, by whatever means the host has; None is anybody."""


def checked(identified: Identified) -> Identity | None:
    """What the port said, if it can be true."""
    if identified is None:
        return None
    identity = Identity(identified) if isinstance(identified, str) else identified
    if identity.player.startswith((BOT, HOUSE)):
        raise HttpProblem("not_allowed", "Only bots and the house have such ids.")
    return identity


def by_token(accounts: Accounts, head: RequestHead) -> Identity | None:
    """The built-in way. A bad token is nobody's, never anybody's; a cookie that has ended is forgotten."""
    header = head.header(b"authorization")
    if header is not None:
        scheme, _, token = header.partition(" ")
        found = _identity(accounts, token.strip()) if scheme.lower() == "bearer" else None
        if found is None:
            raise unauthenticated_error()
        return found
    cookie = head.cookie
    return None if cookie is None else _identity(accounts, cookie)


def by_token_at_hand(accounts: Accounts, head: RequestHead) -> Identity | None:
    """As `by_token`, if the same token came a moment ago; None if the database has to be asked whose it is."""
    header = head.header(b"authorization")
    if header is None:
        token = head.cookie or ""
    else:
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer":
            return None
    digest = digest_of(token.strip())
    player = accounts.player_at_hand(digest)
    return None if player is None else _holder(player, digest)


def _identity(accounts: Accounts, token: str) -> Identity | None:
    if not token.startswith(TOKEN_PREFIX):
        return None
    digest = digest_of(token)
    player = accounts.player_of(digest)
    return None if player is None else _holder(player, digest)


@lru_cache(CACHED)
def _holder(player: str, digest: bytes) -> Identity:
    return Identity(player, token=digest)


def set_cookie(head: RequestHead, token: str | None) -> str:
    """The header that gives the page its cookie, or takes it away."""
    secure = head.is_secure
    name, end = (SECURE_COOKIE, "; Secure") if secure else (COOKIE, "")
    age = YEAR if token else 0
    return f"{name}={token or ''}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict{end}"


def must_be_same_origin(head: RequestHead, others: Sequence[str] = ()) -> None:
    """A change that a browser sends must come from our own page, or without any cookie from one of the others that
    are named; programs with a token are not browsers."""
    if head.header(b"authorization") is not None:
        return
    site = head.header(b"sec-fetch-site")
    origin = head.header(b"origin")
    if origin is not None and (origin in others or "*" in others) and head.header(b"cookie") is None:
        return
    foreign = site not in (None, "same-origin", "none")
    if origin is not None and urlsplit(origin).netloc.lower() != (head.header(b"host") or "").lower():
        foreign = True
    if foreign:
        raise HttpProblem("cross_origin", "Changes come from the page of this server itself.")

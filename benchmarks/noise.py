"""How noisy this machine is now: the same work, done again and again, should take the same time."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from statistics import median

ROUNDS, WORK = 40, 4000
LOUD = 0.1


@dataclass(frozen=True, slots=True)
class Noise:
    """How much longer than the shortest round the median and the longest one took, as parts of it."""

    usual: float
    most: float

    @property
    def is_loud(self) -> bool:
        return self.usual > LOUD

    def __str__(self) -> str:
        quiet = f"The same work took {self.usual:.0%} (at most {self.most:.0%}) longer than in its best round"
        if not self.is_loud:
            return f"{quiet}: differences below {max(0.05, 2 * self.usual):.0%} between two runs mean nothing."
        return f"{quiet}: this machine is busy, and only ratios within this run tell anything. Run it again alone."


def measured() -> Noise:
    return noise_of([_round() for _ in range(ROUNDS)])


def noise_of(times: Sequence[float]) -> Noise:
    least = min(times)
    return Noise(median(times) / least - 1, max(times) / least - 1)


def _round() -> float:
    started = time.perf_counter()
    link = b""
    for number in range(WORK):
        link = sha256(link + number.to_bytes(4)).digest()
    return time.perf_counter() - started

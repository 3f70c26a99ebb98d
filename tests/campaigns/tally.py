"""What came of a campaign: how often it was tried, and what broke."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic

MOST_TOLD = 20


@dataclass(slots=True)
class Tally:
    """Tries and breaks; a break says what broke and by what, so that somebody can do it again."""

    tries: int = 0
    breaks: list[str] = field(default_factory=list[str])
    skipped: str = ""
    """Why nothing was tried."""

    def broke(self, what: str) -> None:
        """Notes a break; of very many the first ones are enough."""
        if len(self.breaks) < MOST_TOLD:
            self.breaks.append(what)

    @contextmanager
    def trying(self, what: str) -> Generator[None]:
        """One try: whatever it raises is a break."""
        self.tries += 1
        try:
            yield
        except Exception as error:
            self.broke(f"{what}: {type(error).__name__}: {error}"[:500])


class Until:
    """For how long a campaign goes on: at least once, then until its time is over."""

    def __init__(self, seconds: float) -> None:
        self._end = monotonic() + seconds
        self._begun = False

    def __bool__(self) -> bool:
        first, self._begun = not self._begun, True
        return first or monotonic() < self._end

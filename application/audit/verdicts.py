"""What an audit says: three verdicts, each with its grade, its reason and the first bad record."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from fairdeal.application.log.faults import Fault


class Grade(StrEnum):
    """What a verdict says; only `no` is bad."""

    YES = "yes"
    NO = "no"
    NOT_CHECKED = "not_checked"
    NOT_YET = "not_yet"
    SEALED = "sealed"
    OPERATORS_WORD = "operators_word"
    GIVEN_DECK = "given_deck"
    POSITION = "position"
    BRANCHED = "branched"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A grade, why, and on a `no` the first record that shows it."""

    grade: Grade
    why: str
    record: int | None = None

    @property
    def bad(self) -> bool:
        return self.grade is Grade.NO

    def __str__(self) -> str:
        where = "" if self.record is None else f" at record {self.record}"
        return f"{self.grade.value.replace('_', ' ')}{where} ({self.why})"


@dataclass(frozen=True, slots=True)
class Sealing:
    """What a log tells of the seals at its table, and of who was in the way of the deal."""

    opener: str
    seals: tuple[tuple[str, str], ...]
    """Who sealed entropy, and the seal."""
    never_opened: tuple[str, ...]
    """Whose seals were shut when the table ended after its seats were closed and before the deal."""
    broken_off_by: str | None
    """Who ended such a table; None where time did, or nobody has."""

    @property
    def undealt(self) -> bool:
        """Whether the table ended between the closing of its seats and the deal."""
        return bool(self.never_opened)


NO_GAME = UUID(int=0)
"""In a report on the ledger itself, where a game's id would stand."""


@dataclass(frozen=True, slots=True)
class Report:
    """What the audit of one game found, or that of a ledger beside its games."""

    game_id: UUID
    kind: str
    records: int
    untouched: Verdict
    fair: Verdict
    legal: Verdict
    link: str = ""
    """That of its last record, as a receipt shows it; none if there is no record."""
    rules_at_hand: bool = True
    """False if this program lacks the game, its rules of that version, or the game that a branch came from: whether it
    was legal is not known."""
    sealing: Sealing | None = None
    """None if the log cannot be followed."""
    missing_position: int | None = None
    """The first position of the ledger at which no record stands; told once, in one report."""

    @property
    def is_of_ledger(self) -> bool:
        """Whether it is about no game, but about what lies between them."""
        return self.game_id == NO_GAME and self.missing_position is not None

    @property
    def good(self) -> bool:
        """Nothing bad was found, and everything could be looked for."""
        return self.rules_at_hand and not self.bad

    @property
    def bad(self) -> bool:
        return self.untouched.bad or self.fair.bad or self.legal.bad


def bad_at(fault: Fault) -> Verdict:
    """The verdict that a fault leads to."""
    return Verdict(Grade.NO, fault.why, fault.record)

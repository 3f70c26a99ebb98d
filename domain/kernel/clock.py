"""The clocks of a table: how long each seat that has to act may still take, by the recorded times alone."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple, Self

from fairdeal.domain.kernel.lifecycle import Seat, TableClock

TOLERANCE = timedelta(seconds=2)
"""Nobody is called late before so much more has passed: the clocks of several machines differ."""

MOST_IN_A_ROW = 3
"""So many missed turns in a row forfeit the game."""


class Deadline(NamedTuple):
    """Until when a seat has to act."""

    seat: Seat
    at: datetime


class SeatClocks:
    """The running clocks of one table.

    A seat's time starts when it becomes active or with its own last move; what others do never renews it. Time is
    told by `it_is`, once for each command, before anything that the command does. Who is active is asked anew each
    time, so that nothing has to be kept up to date in between.
    """

    __slots__ = ("banks", "missed", "now", "since", "terms")

    def __init__(self, terms: TableClock) -> None:
        self.terms = terms
        self.now: datetime | None = None
        """The time of the last command."""
        self.since: dict[Seat, datetime] = {}
        """From when on the time of a seat runs."""
        self.banks: dict[Seat, timedelta] = {}
        """What is left of the bank of a seat; all of it for those who are not named."""
        self.missed: dict[Seat, int] = {}
        """How many turns a seat has missed in a row."""

    def copy(self) -> Self:
        twin = type(self)(self.terms)
        twin.now = self.now
        twin.since = dict(self.since)
        twin.banks = dict(self.banks)
        twin.missed = dict(self.missed)
        return twin

    def it_is(self, now: datetime, active: Iterable[Seat]) -> None:
        """A command comes at this time; until now these seats had to act."""
        if self.now is not None:
            waiting = frozenset(active)
            for seat in [seat for seat in self.since if seat not in waiting]:
                self.stop(seat, self.now)
            for seat in waiting:
                self.since.setdefault(seat, self.now)
        self.now = now

    def stop(self, seat: Seat, now: datetime) -> None:
        """The seat has acted or need not act any more: what it took beyond the seconds of a move leaves the bank."""
        since = self.since.pop(seat, None)
        if since is not None:
            beyond = now - since - timedelta(seconds=self.terms.move_seconds)
            self.banks[seat] = max(timedelta(0), self.bank(seat) - max(timedelta(0), beyond))

    def moved(self, seat: Seat, now: datetime) -> None:
        """The seat moves by itself, late or not."""
        self.stop(seat, now)
        self.missed.pop(seat, None)

    def missed_one(self, seat: Seat) -> None:
        """The seat let its time run out, bank included; if it has to act again, its time starts anew."""
        self.since.pop(seat, None)
        self.banks[seat] = timedelta(0)
        self.missed[seat] = self.missed.get(seat, 0) + 1

    def bank(self, seat: Seat) -> timedelta:
        return self.banks.get(seat, timedelta(seconds=self.terms.bank_seconds))

    def deadlines(self, active: Iterable[Seat]) -> tuple[Deadline, ...]:
        """Until when each of these seats, which have to act now, has time."""
        if self.now is None:
            return ()
        seconds = timedelta(seconds=self.terms.move_seconds)
        return tuple(Deadline(seat, self.since.get(seat, self.now) + seconds + self.bank(seat)) for seat in active)

    def late(self, active: Iterable[Seat]) -> tuple[Seat, ...]:
        """Those of these seats that are past their deadlines, the tolerance included."""
        return tuple(seat for seat, at in self.deadlines(active) if self.now is not None and self.now >= at + TOLERANCE)

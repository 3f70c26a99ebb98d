"""Games as they were: at any version or moment, as anybody may see them, step by step."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from fairdeal.application.errors import BeyondHead, FieldFault, InvalidQuery, NotYet, StillRunning
from fairdeal.application.history.diff import Difference, differences, moved
from fairdeal.application.history.story import tell
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.reader import cannot_follow, must_be_linked, read_log
from fairdeal.application.log.record import DecodedRecord, Record
from fairdeal.domain.kernel.game import Game, unknown_player_error
from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.places import Place

BEGINNING = 0
STRIDE = 500
"""A copy of the game is kept every so many versions, so that a step back does not begin at the beginning."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A game at one version, and the line that tells how it got there."""

    version: int
    at: str | None
    """When it was stored; None before the first record."""
    line: str
    view: Any
    """The table as the viewer saw it, with open cards as everybody did; None before the deal."""
    active: tuple[Seat, ...]
    places: tuple[Place, ...] = ()
    """With open cards, every card in every place."""


class Replay:
    """One game under the finger: forwards, backwards, as a player, a spectator or with open cards."""

    def __init__(
        self, records: Sequence[Record], codec: Codec, viewer: str | None = None, *, open_cards: bool = False
    ) -> None:
        if open_cards and viewer is not None:
            raise InvalidQuery([FieldFault("viewer", "expected none, for open cards are open to everybody")])
        must_be_linked(records, codec)
        self._sheets, self._last = read_log(records, codec)
        if viewer is not None and self._last.seat_of(viewer) is None:
            raise unknown_player_error(viewer)
        self._game = Game(self._last.id, self._last.rules)
        self._marks = [self._game.copy()]
        if open_cards and not self._last.over:
            raise StillRunning("Open cards can be seen when the game is over.")
        self.viewer = viewer
        self._open = open_cards
        self._times = _times(self._sheets)

    @property
    def head(self) -> int:
        """The last version there is."""
        return len(self._sheets)

    @property
    def version(self) -> int:
        return self._game.version

    @property
    def game(self) -> Game:
        """The game as it is when it has come to its head: who plays, and whether it is over."""
        return self._last

    def go_to(self, version: int) -> Frame:
        """The game at this version; 0 is before the first record."""
        if not BEGINNING <= version <= self.head:
            raise BeyondHead(version, self.head)
        if not 0 <= version - self._game.version <= STRIDE:
            self._game = self._mark(version // STRIDE).copy()
        self._bring(self._game, version)
        return self.frame()

    def _mark(self, number: int) -> Game:
        while len(self._marks) <= number:
            mark = self._marks[-1].copy()
            self._bring(mark, mark.version + STRIDE)
            self._marks.append(mark)
        return self._marks[number]

    def _bring(self, game: Game, version: int) -> None:
        game.replay(decoded.event for decoded in self._sheets[game.version : version])

    def go_to_moment(self, moment: datetime, *, now: datetime | None = None) -> Frame:
        """The game as it was at this moment, in UTC if it names no zone; what is still to come cannot be shown."""
        when = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        if when > (datetime.now(UTC) if now is None else now):
            raise NotYet(f"The moment {moment.isoformat()} has not come yet.")
        return self.go_to(sum(datetime.fromisoformat(at) <= when for at in self._times))

    def forward(self) -> Frame:
        return self.go_to(self._game.version + 1)

    def back(self) -> Frame:
        return self.go_to(self._game.version - 1)

    def frame(self) -> Frame:
        """What is to be seen now."""
        version = self._game.version
        if version == BEGINNING:
            return Frame(BEGINNING, None, "Nothing has happened yet.", None, ())
        at, line = self._times[version - 1], self._line(self._sheets[version - 1])
        return Frame(version, at, line, self._view(), self._game.active(), self._places())

    def tables(self) -> tuple[tuple[str, Any], ...]:
        """Who sees the table at this version, and how; nobody before the deal."""
        return () if self._game.state is None else ((self.viewer or "a spectator", self._view()),)

    def story(self) -> tuple[str, ...]:
        """The whole game in English, one line per event."""
        return tuple(self._line(decoded) for decoded in self._sheets)

    def times(self) -> tuple[str, ...]:
        """When each record was stored."""
        return tuple(self._times)

    def difference(self, one: int, other: int) -> tuple[Difference, ...]:
        """What changed on the table between two versions; with open cards also in the places that are hidden."""
        before, after = self.go_to(one), self.go_to(other)
        seen = differences("", before.view, after.view)
        told = [(change.before, change.after) for change in seen]  # No card is in two places: this is the same one.
        hidden = moved(before.places, after.places, self._last.players)
        return (*seen, *(change for change in hidden if (change.before, change.after) not in told))

    def _line(self, decoded: DecodedRecord) -> str:
        try:
            return tell(self._last, decoded.event if self._open else self._last.redact(decoded.event, self.viewer))
        except Exception as error:
            raise cannot_follow(self._last, error) from error

    def _view(self) -> Any:
        try:
            return self._game.view(self.viewer)
        except Exception as error:
            raise cannot_follow(self._game, error) from error

    def _places(self) -> tuple[Place, ...]:
        if not self._open or self._game.state is None:
            return ()
        try:
            return tuple(self._game.rules.places(self._game.state))
        except Exception as error:
            raise cannot_follow(self._game, error) from error


def _times(decoded_records: Sequence[DecodedRecord]) -> list[str]:
    """When each record was stored: the time stands on the first record of its batch."""
    times: list[str] = []
    for decoded in decoded_records:
        times.append(times[-1] if decoded.batch is None else decoded.batch.at)
    return times

"""Games as they were: at any version or moment, as anybody may see them, step by step."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from fairdeal.application.errors import (
    HIGHEST,
    BeyondHead,
    FieldFault,
    InvalidQuery,
    NotYet,
    StillRunning,
    must_be_a_number,
)
from fairdeal.application.history.diff import Difference, differences, moved
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.reader import cannot_follow, must_be_linked, read_log
from fairdeal.application.log.record import DecodedRecord, Record
from fairdeal.application.log.seen_event import SeenEvent, seen_event
from fairdeal.domain.kernel.game import Game, unknown_player_error
from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.lobby import Lobby, Outcome
from fairdeal.domain.kernel.places import Place

BEGINNING = 0
STRIDE = 500
"""A copy of the game is kept every so many versions, so that a step back does not begin at the beginning."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A game at one version, and the line that tells how it got there."""

    game_id: UUID
    version: int
    at: str | None
    """When it was stored; None before the first record."""
    by: str | None
    """Who sent the command."""
    line: str
    event: SeenEvent | None
    """What happened last, as the viewer may see it."""
    view: Any
    """The table as the viewer saw it, with open cards as everybody did; None before the deal."""
    active: tuple[Seat, ...]
    places: tuple[Place, ...] = ()
    """With open cards, every card in every place."""
    outcome: Outcome | None = None


class Replay:
    """One game under the finger: forwards, backwards, as a player, a spectator or with open cards."""

    def __init__(
        self, records: Sequence[Record], codec: Codec, viewer: str | None = None, *, open_cards: bool = False
    ) -> None:
        if open_cards and viewer is not None:
            raise InvalidQuery([FieldFault("viewer", "expected no viewer: open cards are open to everybody")])
        must_be_linked(records, codec)
        self._decoded, self._last = read_log(records, codec)
        if viewer is not None and self._last.seat_of(viewer) is None:
            raise unknown_player_error(viewer)
        self._game = Game(self._last.id, self._last.rules, Lobby(self._last.lobby.opened))
        self._marks = [self._game.copy()]
        self._version = BEGINNING
        """Where the finger is: at the beginning, or where the game is."""
        if open_cards and not self._last.over:
            raise StillRunning("Open cards can be seen when the game is over.")
        self.viewer = viewer
        self._open = open_cards
        self._sources = _sources(self._decoded)

    @property
    def head(self) -> int:
        """The last version there is."""
        return len(self._decoded)

    @property
    def version(self) -> int:
        return self._version

    @property
    def game(self) -> Game:
        """The game as it is when it has come to its head: who plays, and whether it is over."""
        return self._last

    def go_to(self, version: int) -> Frame:
        """The game at this version; 0 is before the first record."""
        must_be_a_number("version", version, least=-HIGHEST)
        if not BEGINNING <= version <= self.head:
            raise BeyondHead(version, self.head)
        if version > BEGINNING:
            if not 0 <= version - self._game.version <= STRIDE:
                self._game = self._mark(version // STRIDE).copy()
            self._bring(self._game, version)
        self._version = version
        return self.frame()

    def _mark(self, number: int) -> Game:
        while len(self._marks) <= number:
            mark = self._marks[-1].copy()
            self._bring(mark, len(self._marks) * STRIDE)
            self._marks.append(mark)
        return self._marks[number]

    def _bring(self, game: Game, version: int) -> None:
        game.apply(*[decoded.event for decoded in self._decoded[game.version : version]])

    def go_to_moment(self, moment: datetime, *, now: datetime | None = None) -> Frame:
        """The game as it was at this moment, in UTC if it names no zone; what is still to come cannot be shown."""
        when = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        if when > (datetime.now(UTC) if now is None else now):
            raise NotYet(f"The moment {moment.isoformat()} has not come yet.")
        return self.go_to(sum(datetime.fromisoformat(at) <= when for at, _ in self._sources))

    def forward(self) -> Frame:
        return self.go_to(self._version + 1)

    def back(self) -> Frame:
        return self.go_to(self._version - 1)

    def frame(self) -> Frame:
        """What is to be seen now."""
        version = self._version
        if version == BEGINNING:
            return Frame(self._game.id, BEGINNING, None, None, "Nothing has happened yet.", None, None, ())
        seen = self._seen(version)
        return Frame(
            game_id=self._game.id,
            version=version,
            at=seen.at,
            by=seen.by,
            line=seen.line,
            event=seen,
            view=self._view(),
            active=self._game.active(),
            places=self._places(),
            outcome=self._game.outcome,
        )

    def tables(self) -> tuple[tuple[str, Any], ...]:
        """Who sees the table at this version, and how; nobody before the deal."""
        view = self.frame().view
        return () if view is None else ((self.viewer or "a spectator", view),)

    def story(self) -> tuple[str, ...]:
        """The whole game in English, one line per event."""
        return tuple(self._seen(version).line for version in range(1, self.head + 1))

    def times(self) -> tuple[str, ...]:
        """When each record was stored."""
        return tuple(at for at, _ in self._sources)

    def difference(self, one: int, other: int) -> tuple[Difference, ...]:
        """What changed on the table between two versions; with open cards also in the places that are hidden."""
        before, after = self.go_to(one), self.go_to(other)
        seen = differences("", before.view, after.view)
        told = [(change.before, change.after) for change in seen]  # No card is in two places: this is the same one.
        hidden = moved(before.places, after.places, self._last.players)
        return (*seen, *(change for change in hidden if (change.before, change.after) not in told))

    def _seen(self, version: int) -> SeenEvent:
        event, last = self._decoded[version - 1].event, self._last
        try:
            shown = event if self._open else last.redact(event, self.viewer)
            at, by = self._sources[version - 1]
            return seen_event(last.rules, last.players, version=version, event=shown, at=at, by=by)
        except Exception as error:
            raise cannot_follow(last, error) from error

    def _view(self) -> Any:
        try:
            return self._game.view(self.viewer)
        except Exception as error:
            raise cannot_follow(self._game, error) from error

    def _places(self) -> tuple[Place, ...]:
        if not self._open or self._game.state is None:
            return ()
        try:
            return tuple(self._game.rules.eyes.places(self._game.state))
        except Exception as error:
            raise cannot_follow(self._game, error) from error


def _sources(decoded_records: Sequence[DecodedRecord]) -> list[tuple[str, str]]:
    """When each record was stored, and who caused it: that stands on the first record of its batch."""
    sources: list[tuple[str, str]] = []
    for decoded in decoded_records:
        sources.append(sources[-1] if decoded.batch is None else (decoded.batch.at, decoded.batch.by))
    return sources

"""Games as they were: at any version or moment, as anybody may see them, step by step."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from fairdeal.application.errors import BeyondHead, StillRunning, UnknownGame
from fairdeal.application.ports import Codec, Ledger
from fairdeal.application.queries import tell
from fairdeal.application.records import Record
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import Seat

BEGINNING = 0


@dataclass(frozen=True, slots=True)
class Frame:
    """A game at one version, and the line that tells how it got there."""

    version: int
    at: str
    line: str
    view: Any
    active: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that two views of a game do not share."""

    path: str
    before: Any
    after: Any


class Replay:
    """One game under the finger: forwards, backwards, as a player, a spectator or with open cards."""

    def __init__(self, game_id: UUID, records: Sequence[Record], codec: Codec, viewer: str | None, *, open_cards: bool):
        if not records:
            raise UnknownGame(game_id)
        self._rules = codec.rules_of(records[0])
        self._sheets = [codec.read(record) for record in records]
        self._game = Game(game_id, self._rules)
        self._last = self._at(len(records))
        if open_cards and not self._last.over:
            raise StillRunning("Open cards can be seen when the game is over.")
        self._viewer = viewer
        self._open = open_cards
        self._times = _times(self._sheets)

    @property
    def head(self) -> int:
        """The last version there is."""
        return len(self._sheets)

    @property
    def version(self) -> int:
        return self._game.version

    def go_to(self, version: int) -> Frame:
        """The game at this version; 0 is before the first record."""
        if not 0 <= version <= self.head:
            raise BeyondHead(version, self.head)
        if version < self._game.version:
            self._game = Game(self._game.id, self._rules)
        self._game.replay(sheet.event for sheet in self._sheets[self._game.version : version])
        return self.frame()

    def go_to_moment(self, moment: datetime) -> Frame:
        """The game as it was at this moment."""
        text = moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
        return self.go_to(sum(at <= text for at in self._times))

    def forward(self) -> Frame:
        return self.go_to(self._game.version + 1)

    def back(self) -> Frame:
        return self.go_to(self._game.version - 1)

    def frame(self) -> Frame:
        """What is to be seen now."""
        version = self._game.version
        if version == BEGINNING:
            return Frame(0, "", "Nothing has happened yet.", None, ())
        event = self._sheets[version - 1].event
        shown = event if self._open else self._last.redact(event, self._viewer)
        return Frame(
            version, self._times[version - 1], tell(self._last, shown), self.view(self._viewer), self._game.active()
        )

    def view(self, viewer: str | None) -> Any:
        return self._game.view(viewer)

    def open_views(self) -> tuple[Any, ...]:
        """Every seat's view at this version: all cards that anybody held."""
        if not self._open:
            raise StillRunning("Ask for a replay with open cards; it is given when the game is over.")
        return tuple(self.view(player) for player in self._game.players)

    def story(self) -> tuple[str, ...]:
        """The whole game in English, one line per event."""
        events = [sheet.event for sheet in self._sheets]
        shown = events if self._open else [self._last.redact(event, self._viewer) for event in events]
        return tuple(tell(self._last, event) for event in shown)

    def difference(self, one: int, other: int) -> tuple[Difference, ...]:
        """What changed on the table between two versions."""
        before, after = self.go_to(one).view, self.go_to(other).view
        return tuple(differences("", before, after))

    def _at(self, version: int) -> Game:
        return Game(self._game.id, self._rules).replay(sheet.event for sheet in self._sheets[:version])


def replay(
    ledger: Ledger, codec: Codec, game_id: UUID, viewer: str | None = None, *, open_cards: bool = False
) -> Replay:
    return Replay(game_id, ledger.records(game_id), codec, viewer, open_cards=open_cards)


def first_difference(one: Sequence[Record], other: Sequence[Record]) -> int | None:
    """The version at which two logs part, or None if one continues the other without contradiction."""
    for left, right in zip(one, other, strict=False):
        if (left.name, left.payload) != (right.name, right.payload):
            return left.version
    return None


def differences(path: str, before: Any, after: Any) -> list[Difference]:
    if type(before) is type(after) and is_dataclass(before):
        inner = [field.name for field in fields(before)]
        return [
            found
            for name in inner
            for found in differences(f"{path}.{name}".lstrip("."), getattr(before, name), getattr(after, name))
        ]
    return [] if before == after else [Difference(path or "view", before, after)]


def _times(sheets: Sequence[Any]) -> list[str]:
    """When each record was stored: the time stands on the first record of its batch."""
    times: list[str] = []
    for sheet in sheets:
        times.append(times[-1] if sheet.batch is None else sheet.batch.at)
    return times

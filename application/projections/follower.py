"""Follows the ledger record by record: games are folded in memory, public events come out."""

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, cast

from msgspec import UNSET
from msgspec.structs import replace

from fairdeal.application.errors import DamagedRecord
from fairdeal.application.log.codec import Codec, came_at
from fairdeal.application.log.reader import damage, must_be_in_order, opened_by
from fairdeal.application.log.record import PublicPayload, Record
from fairdeal.application.ports import Ledger
from fairdeal.application.projections.public_event import LineUp, PublicEvent, TableSummary
from fairdeal.application.size_of import Size, UsualSizes
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import (
    LIFECYCLE,
    GameStarted,
    PlayerLeft,
    PlayerSeated,
    Seat,
    player_of,
    tell_lifecycle,
)
from fairdeal.domain.kernel.lobby import Phase

ROOM = 128 * 2**20
"""Bytes for games that are folded at the same time; others are read again when their next record comes."""

NEVER = datetime.min.replace(tzinfo=UTC)
Names = dict[str, tuple[str, str]]
NAMED_BY_EVENT: frozenset[type] = frozenset({PlayerSeated})


class Follower:
    """Turns records, in the order of the ledger, into public events. For one thread at a time."""

    def __init__(self, ledger: Ledger, codec: Codec, *, room: int = ROOM) -> None:
        self._ledger = ledger
        self._codec = codec
        self._room = room
        # The longest unused stand first. Numbers as keys: a UUID is hashed and compared in Python.
        self._games: dict[int, _Followed] = {}
        self._bytes = self._held = 0
        """Of the games that wait here for their next record, and of those that are followed just now."""
        self._usual = UsualSizes()
        self._names: dict[str, Names] = {}
        """Of each kind of game by the name of a record its short name, and that of its event's newest shape."""

    def follow(self, records: Iterable[tuple[int, Record]]) -> list[PublicEvent]:
        """What the records say happened; raises if one of them cannot be read or does not fit its game."""
        # Out of the cache while they change: if one of them cannot be followed, all are read again.
        in_hand: dict[int, _Followed] = {}
        self._held = 0
        public_events: list[PublicEvent] = []
        read, note = self._codec.public, public_events.append
        for position, record in records:
            number = record.game_id.int
            followed = in_hand.get(number)
            if followed is None or followed.game.version != record.version - 1:
                followed = self._take_up(number, record, in_hand)
            names = followed.names.get(record.name)
            if names is None:
                names = self._names_of(record, followed)
            note(followed.follow(position, record, read(record), names))
        self._put_back(in_hand)
        return public_events

    def _take_up(self, number: int, record: Record, in_hand: dict[int, "_Followed"]) -> "_Followed":
        """The game as it was before the record."""
        followed = self._games.pop(number, None)
        if followed is not None:
            self._bytes -= followed.size.bytes
        if record.version == 1:
            followed = self._open(record)
        elif followed is None or followed.game.version != record.version - 1:
            # One that fell out of the cache, or one that was rolled back.
            followed = self._load(record)
        if self._bytes + self._held + followed.size.bytes > self._room:
            self._put_back(in_hand)
        in_hand[number] = followed
        self._held += followed.size.bytes
        return followed

    def _names_of(self, record: Record, followed: "_Followed") -> tuple[str, str]:
        """The short one, and the one of its newest shape."""
        if not record.name.startswith(followed.prefix):
            raise DamagedRecord(record.game_id, record.version, "it is of another kind of game")
        event = self._codec.public(record).event
        names = short_name(record.name), self._codec.name_of(followed.game.rules, event)
        # An opening has its newest shape from what it says, all others from the name that they were read by.
        if type(event) not in LIFECYCLE:
            followed.names[record.name] = names
        return names

    def _open(self, record: Record) -> "_Followed":
        rules = self._codec.rules_of(record)  # a kind that is not known here is another matter than a damaged record
        game = opened_by(record, self._codec.public(record).event, self._codec)
        return _Followed(game, self._usual, self._names.setdefault(rules.kind, {}))

    def _load(self, record: Record) -> "_Followed":
        before = self._ledger.records(record.game_id, up_to=record.version - 1)
        if len(before) != record.version - 1:
            raise DamagedRecord(record.game_id, record.version, "records before it are missing")
        with damage(record.game_id):
            must_be_in_order(before)
        followed = self._open(before[0])
        for earlier in before:
            followed.take(earlier, self._codec.public(earlier))
        return followed

    def _put_back(self, in_hand: dict[int, "_Followed"]) -> None:
        for number, followed in in_hand.items():
            if not followed.game.over:
                self._games[number] = followed
                self._bytes += followed.measured()
        in_hand.clear()
        self._held = 0
        while self._bytes > self._room:
            self._bytes -= self._games.pop(next(iter(self._games))).size.bytes


class _Followed:
    """One game as far as it has been followed, with what the aggregate itself does not keep."""

    __slots__ = (
        *("_about", "_active", "_line_up", "_players", "_redact", "_table", "_tell", "_written"),
        *("at", "by", "game", "moves", "names", "opened_at", "prefix", "size", "started_at"),
    )

    def __init__(self, game: Game, usual: UsualSizes, names: Names) -> None:
        self.game = game
        self.prefix = f"{game.rules.kind}."
        """How the names of all its events begin."""
        self.names = names
        self.size = Size(usual)
        self._written = 0
        """So many bytes were read of it since it was measured."""
        self.at = self.opened_at = NEVER
        self.by = ""
        self.moves = 0
        self.started_at: datetime | None = None
        self._line_up: list[str] = []
        """The names of all who sit at the table; it only grows, and another one takes its place if somebody leaves."""
        self._players: tuple[str, ...] | None = ()
        self._table: TableSummary | None = None
        """As it was shown last."""
        self._active = game.rules.play.active
        self._redact = game.rules.eyes.redact
        self._about, self._tell = game.rules.voice.about, game.rules.voice.tell

    def measured(self) -> int:
        """How much memory it takes, in bytes."""
        self.size.grow(self._written, self.game, self.prefix)
        self._written = 0
        return self.size.bytes

    @property
    def players(self) -> tuple[str, ...]:
        if self._players is None:
            self._players = tuple(self._line_up)
        return self._players

    def take(self, record: Record, payload: PublicPayload) -> None:
        """It happened, and is not told."""
        if payload.size is not None:
            self._note(record, payload)
        event = payload.event
        if record.version > 1:  # by the first one it was opened
            self.game.apply(event)
        happened = cast("type[object]", type(event))
        if happened is PlayerSeated:
            self._line_up.append(event.player)
            self._players = None
        elif happened is PlayerLeft:
            self._players = self.game.players
            self._line_up = list(self._players)
        elif happened is GameStarted:
            self.started_at = self.at

    def _note(self, record: Record, payload: PublicPayload) -> None:
        """The command by which it came, and whatever follows of its batch."""
        self.at = came_at(payload, record)
        assert payload.by is not None
        assert payload.command is not None
        self.by = payload.by
        self.moves += payload.command.move is not UNSET
        if record.version == 1:
            self.opened_at = self.at

    def follow(self, position: int, record: Record, payload: PublicPayload, names: tuple[str, str]) -> PublicEvent:
        """It happened, and this is how it is told."""
        self._written += len(record.payload)
        event = payload.event
        if type(event) in LIFECYCLE:
            self.take(record, payload)
            shown, line, whom = self._shared(event)
            table = self._table_anew()
        else:
            if payload.size is not None:
                self._note(record, payload)
            self.game.apply(event)
            # What `Game.redact` does with one of the game's own, without looking for a spectator's seat.
            shown = self._redact(event, None)
            players = self.players if self._players is None else self._players
            about = self._about(shown)
            whom = self.by if about is None else players[about]
            line = self._tell(shown, players)
            table = self._table_after()
        short, stored = names
        return PublicEvent(
            position,
            record.game_id,
            record.version,
            short,
            self.at,
            self.by,
            whom,
            shown,
            line,
            record.link,
            table,
            stored,
        )

    def _shared(self, event: Any) -> tuple[Any, str, str]:
        """An event of those that all games share, as a spectator sees it, in English, and whom it is about."""
        shown = self.game.redact(event, None)
        # Who sits down is named by the event itself, and there may be many others.
        names = () if type(event) in NAMED_BY_EVENT else self.players
        line = tell_lifecycle(shown, names) or self._tell(shown, names)
        return shown, line, player_of(shown, names) or self.by

    def _table_after(self) -> TableSummary:
        """After one of the game's own events, which change nothing of it but who is to move, and who has moved."""
        game, last = self.game, self._table
        if last is None:
            return self._table_anew()
        active = tuple(self._active(game.state)) if last.phase is Phase.RUNNING else last.active
        if last.active != active:
            self._table = last = replace(last, active=one_and_the_same(active), moves=self.moves)
        elif last.moves != self.moves:
            self._table = last = replace(last, moves=self.moves)
        return last

    def _table_anew(self) -> TableSummary:
        game = self.game
        lobby = game.lobby
        rules, opened, outcome = game.rules, lobby.opened, lobby.outcome
        self._table = TableSummary(
            rules.kind,
            rules.seats,
            opened.opener,
            opened.options,
            opened.commitment,
            None if outcome is None else opened.seed,
            lobby.opening,
            LineUp(self._line_up, len(self._line_up)),
            lobby.phase,
            game.active(),
            outcome,
            self.moves,
            self.opened_at,
            self.started_at,
            lobby.rated,
            () if game.state is not None or outcome is None else self._never_opened(),
        )
        return self._table

    def _never_opened(self) -> tuple[str, ...]:
        return tuple(self.players[seat] for seat in self.game.lobby.never_opened)


@lru_cache(maxsize=1000)
def one_and_the_same(active: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """For all tables at which these have to act: one for each event would set the garbage collector going."""
    return active


def short_name(name: str) -> str:
    """`card_played` of `kings_corners.card_played.v1`."""
    return name.split(".", 2)[1]

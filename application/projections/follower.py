"""Follows the ledger record by record: games are folded in memory, public events come out."""

from datetime import UTC, datetime
from functools import cache
from typing import Any, cast

from msgspec.structs import replace

from fairdeal.application.errors import DamagedRecord
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.reader import damage, must_be_in_order, opened_by
from fairdeal.application.log.record import Batch, DecodedRecord, Record
from fairdeal.application.ports import Ledger
from fairdeal.application.projections.public_event import LineUp, PublicEvent, TableSummary
from fairdeal.application.size_of import Size, UsualSizes
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import (
    LIFECYCLE,
    GameStarted,
    PlayerLeft,
    PlayerSeated,
    player_of,
    tell_lifecycle,
)
from fairdeal.domain.kernel.lobby import Phase

ROOM = 128 * 2**20
"""Bytes for games that are folded at the same time; others are read again when their next record comes."""

NEVER = datetime.min.replace(tzinfo=UTC)
NAMED_BY_EVENT: frozenset[type] = frozenset({PlayerSeated})


class Follower:
    """Turns records, in the order of the ledger, into public events. For one thread at a time."""

    def __init__(self, ledger: Ledger, codec: Codec, *, room: int = ROOM) -> None:
        self._ledger = ledger
        self._codec = codec
        self._room = room
        # The longest unused stand first. Numbers as keys: a UUID is hashed and compared in Python.
        self._games: dict[int, _Followed] = {}
        self._bytes = 0
        self._usual = UsualSizes()
        self._names: dict[str, tuple[str, str]] = {}
        """By the name of a record its short name, and that of its event's newest shape."""

    def follow(self, position: int, record: Record) -> PublicEvent:
        """What the record says happened; raises if it cannot be read or does not fit its game."""
        number = record.game_id.int
        # Out of the cache while it changes: a game that could not be followed is read again.
        followed = self._games.pop(number, None)
        if followed is not None:
            self._bytes -= followed.size.bytes
        if record.version == 1:
            self._codec.rules_of(record)  # a kind that is not known here is another matter than a damaged record
            decoded = self._codec.read(record)
            followed = self._open(record, decoded)
        else:
            if followed is None or followed.game.version != record.version - 1:
                # One that fell out of the cache, or one that was rolled back.
                followed = self._load(record)
            if not record.name.startswith(followed.prefix):
                raise DamagedRecord(record.game_id, record.version, "it is of another kind of game")
            decoded = self._codec.read(record)
            followed.take(decoded)
        names = self._names.get(record.name) or self._names_of(record, followed, decoded)
        public_event = followed.public_event(position, record, decoded.event, names)
        followed.size.grow(len(record.payload), followed.game, followed.prefix)
        if public_event.table.outcome is None:
            self._games[number] = followed
            self._bytes += followed.size.bytes
            if self._bytes > self._room:
                self._make_room()
        return public_event

    def _names_of(self, record: Record, followed: "_Followed", decoded: DecodedRecord) -> tuple[str, str]:
        """The short one, and the one of its newest shape.

        An opening has that from what it says, all others from the name that they were read by.
        """
        names = short_name(record.name), self._codec.name_of(followed.game.rules, decoded.event)
        if type(decoded.event) not in LIFECYCLE:
            self._names[record.name] = names
        return names

    def _open(self, record: Record, decoded: DecodedRecord) -> "_Followed":
        return _Followed(opened_by(record, decoded.event, self._codec), decoded.batch, self._usual)

    def _load(self, record: Record) -> "_Followed":
        before = self._ledger.records(record.game_id, up_to=record.version - 1)
        if len(before) != record.version - 1:
            raise DamagedRecord(record.game_id, record.version, "records before it are missing")
        with damage(record.game_id):
            must_be_in_order(before)
        self._codec.rules_of(before[0])
        followed = self._open(before[0], self._codec.read(before[0]))
        for earlier in before[1:]:
            followed.take(self._codec.read(earlier))
        return followed

    def _make_room(self) -> None:
        while self._bytes > self._room:
            self._bytes -= self._games.pop(next(iter(self._games))).size.bytes


class _Followed:
    """One game as far as it has been followed, with what the aggregate itself does not keep."""

    __slots__ = (
        *("_about", "_active", "_names", "_players", "_redact", "_table", "_tell"),
        *("at", "by", "game", "moves", "opened_at", "prefix", "size", "started_at"),
    )

    def __init__(self, game: Game, batch: Batch | None, usual: UsualSizes) -> None:
        self.game = game
        self.prefix = f"{game.rules.kind}."
        """How the names of all its events begin."""
        self.size = Size(usual)
        self.at = NEVER
        self.by = ""
        self.moves = 0
        self._note(batch)
        self.opened_at = self.at
        self.started_at: datetime | None = None
        self._names: list[str] = []
        """Of all who sit at the table; it only grows, and another one takes its place if somebody leaves."""
        self._players: tuple[str, ...] | None = ()
        self._table: TableSummary | None = None
        """As it was shown last."""
        self._active = game.rules.play.active
        self._redact = game.rules.eyes.redact
        self._about, self._tell = game.rules.voice.about, game.rules.voice.tell

    @property
    def players(self) -> tuple[str, ...]:
        if self._players is None:
            self._players = tuple(self._names)
        return self._players

    def _note(self, batch: Batch | None) -> None:
        if batch is not None:
            self.at = datetime.fromisoformat(batch.at)
            self.by = batch.by
            self.moves += "move" in batch.command

    def take(self, decoded: DecodedRecord) -> None:
        if decoded.batch is not None:
            self._note(decoded.batch)
        self.game.apply(decoded.event)
        happened = cast("type[object]", type(decoded.event))
        if happened not in LIFECYCLE:
            return
        if happened is PlayerSeated:
            self._names.append(decoded.event.player)
            self._players = None
        elif happened is PlayerLeft:
            self._players = self.game.players
            self._names = list(self._players)
        elif happened is GameStarted:
            self.started_at = self.at

    def public_event(self, position: int, record: Record, event: Any, names: tuple[str, str]) -> PublicEvent:
        if type(event) in LIFECYCLE:
            shown, line, whom = self._shared(event)
            table = self._table_anew()
        else:
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
        if last.active != active or last.moves != self.moves:
            self._table = last = replace(last, active=active, moves=self.moves)
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
            LineUp(self._names, len(self._names)),
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


@cache
def short_name(name: str) -> str:
    """`card_played` of `kings_corners.card_played.v1`."""
    return name.split(".", 2)[1]

"""Follows the ledger record by record: games are folded in memory, public events come out."""

from datetime import datetime
from functools import cache
from typing import Any, cast

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

ROOM = 128 * 2**20
"""Bytes for games that are folded at the same time; others are read again when their next record comes."""

NEVER = datetime.min
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

    def follow(self, position: int, record: Record) -> PublicEvent:
        """What the record says happened; raises if it cannot be read or does not fit its game."""
        followed = self._games.pop(record.game_id.int, None)
        self._bytes -= 0 if followed is None else followed.size.bytes
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
        name = self._codec.name_of(followed.game.rules, decoded.event)
        public_event = followed.public_event(position, record, decoded.event, name)
        followed.size.grow(len(record.payload), followed.game, followed.prefix)
        if public_event.table.outcome is None:
            self._keep(record.game_id.int, followed)
        return public_event

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

    def _keep(self, number: int, followed: "_Followed") -> None:
        self._games[number] = followed
        self._bytes += followed.size.bytes
        while self._bytes > self._room:
            self._bytes -= self._games.pop(next(iter(self._games))).size.bytes


class _Followed:
    """One game as far as it has been followed, with what the aggregate itself does not keep."""

    __slots__ = (
        *("_names", "_players", "_table"),
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
        self._note(decoded.batch)
        self.game.apply(decoded.event)
        happened = cast("type[object]", type(decoded.event))
        if happened is PlayerSeated:
            self._names.append(decoded.event.player)
            self._players = None
        elif happened is PlayerLeft:
            self._players = self.game.players
            self._names = list(self._players)
        elif happened is GameStarted:
            self.started_at = self.at

    def public_event(self, position: int, record: Record, event: Any, stored_name: str) -> PublicEvent:
        shown, line = self._shown(event)
        return PublicEvent(
            position,
            record.game_id,
            record.version,
            short_name(record.name),
            self.at,
            self.by,
            self._whom(shown),
            shown,
            line,
            record.link,
            self._table_after(event),
            stored_name,
        )

    def _table_after(self, event: Any) -> TableSummary:
        game, last = self.game, self._table
        active = game.active()
        # Most events of a game change nothing of all that but who is to move, and how often somebody has moved.
        if last is not None and last.moves == self.moves and last.active == active and type(event) not in LIFECYCLE:
            return last
        rules = game.rules
        opened = game.lobby.opened
        outcome = game.outcome
        self._table = TableSummary(
            rules.kind,
            rules.seats,
            opened.opener,
            opened.options,
            opened.commitment,
            None if outcome is None else opened.seed,
            game.lobby.opening,
            LineUp(self._names, len(self._names)),
            game.phase,
            active,
            outcome,
            self.moves,
            self.opened_at,
            self.started_at,
            game.lobby.rated,
            () if game.state is not None or outcome is None else self._never_opened(),
        )
        return self._table

    def _never_opened(self) -> tuple[str, ...]:
        return tuple(self.players[seat] for seat in self.game.lobby.never_opened)

    def _shown(self, event: Any) -> tuple[Any, str]:
        """The event as a spectator sees it, and in English."""
        rules = self.game.rules
        if type(event) in LIFECYCLE:
            shown = self.game.redact(event, None)
            # Who sits down is named by the event itself, and there may be many others.
            names = () if type(event) in NAMED_BY_EVENT else self.players
            return shown, tell_lifecycle(shown, names) or rules.voice.tell(shown, names)
        # What `Game.redact` does with the game's own events, without looking for a spectator's seat.
        shown = rules.eyes.redact(event, None)
        return shown, rules.voice.tell(shown, self.players)

    def _whom(self, event: Any) -> str:
        if type(event) in LIFECYCLE:
            return player_of(event, () if type(event) in NAMED_BY_EVENT else self.players) or self.by
        seat = self.game.rules.voice.about(event)
        return self.by if seat is None else self.players[seat]


@cache
def short_name(name: str) -> str:
    """`card_played` of `kings_corners.card_played.v1`."""
    return name.split(".", 2)[1]

"""Follows the ledger record by record: games are folded in memory, public events come out."""

from datetime import datetime
from functools import cache
from typing import Any, cast

from fairdeal.application.errors import DamagedRecord
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.reader import opened_by
from fairdeal.application.log.record import Batch, DecodedRecord, Record
from fairdeal.application.ports import Ledger
from fairdeal.application.projections.public_event import PublicEvent, TableSummary
from fairdeal.domain.kernel.game import Game
from fairdeal.domain.kernel.lifecycle import (
    LIFECYCLE,
    GameStarted,
    PlayerLeft,
    PlayerSeated,
    player_of,
    tell_lifecycle,
)

ROOM = 5000
"""Games folded at the same time; more are read again from the ledger when their next record comes."""

NEVER = datetime.min


class Follower:
    """Turns records, in the order of the ledger, into public events. For one thread at a time."""

    def __init__(self, ledger: Ledger, codec: Codec, *, room: int = ROOM) -> None:
        self._ledger = ledger
        self._codec = codec
        self._room = room
        # The longest unused stand first. Numbers as keys: a UUID is hashed and compared in Python.
        self._games: dict[int, _Followed] = {}

    def follow(self, position: int, record: Record) -> PublicEvent:
        """What the record says happened; raises if it cannot be read or does not fit its game."""
        decoded = self._codec.read(record)
        followed = self._games.pop(record.game_id.int, None)
        if record.version == 1:
            followed = self._open(record, decoded)
        else:
            if followed is None or followed.game.version != record.version - 1:
                # One that fell out of the cache, or one that was rolled back.
                followed = self._load(record)
            followed.take(decoded)
        name = self._codec.name_of(followed.game.rules, decoded.event)
        public_event = followed.public_event(position, record, decoded.event, name)
        if public_event.table.outcome is None:
            self._keep(record.game_id.int, followed)
        return public_event

    def _open(self, record: Record, decoded: DecodedRecord) -> "_Followed":
        return _Followed(opened_by(record, decoded.event, self._codec), decoded.batch)

    def _load(self, record: Record) -> "_Followed":
        before = self._ledger.records(record.game_id, up_to=record.version - 1)
        if len(before) != record.version - 1:
            raise DamagedRecord(record.game_id, record.version, "records before it are missing")
        followed = self._open(before[0], self._codec.read(before[0]))
        for earlier in before[1:]:
            followed.take(self._codec.read(earlier))
        return followed

    def _keep(self, number: int, followed: "_Followed") -> None:
        self._games[number] = followed
        if len(self._games) > self._room:
            del self._games[next(iter(self._games))]


class _Followed:
    """One game as far as it has been followed, with what the aggregate itself does not keep."""

    __slots__ = ("at", "by", "game", "moves", "opened_at", "players", "started_at")

    def __init__(self, game: Game, batch: Batch | None) -> None:
        self.game = game
        self.at = NEVER
        self.by = ""
        self.moves = 0
        self._note(batch)
        self.opened_at = self.at
        self.started_at: datetime | None = None
        self.players: tuple[str, ...] = ()

    def _note(self, batch: Batch | None) -> None:
        if batch is not None:
            self.at = datetime.fromisoformat(batch.at)
            self.by = batch.by
            self.moves += "move" in batch.command

    def take(self, decoded: DecodedRecord) -> None:
        self._note(decoded.batch)
        self.game.apply(decoded.event)
        happened = cast("type[object]", type(decoded.event))
        if happened is PlayerSeated or happened is PlayerLeft:
            self.players = self.game.players
        elif happened is GameStarted:
            self.started_at = self.at

    def public_event(self, position: int, record: Record, event: Any, stored_name: str) -> PublicEvent:
        game = self.game
        rules = game.rules
        shown, line = self._shown(event)
        opened = game.lobby.opened
        outcome = game.outcome
        table = TableSummary(
            rules.kind,
            rules.seats,
            opened.opener,
            opened.options,
            opened.commitment,
            None if outcome is None else opened.seed,
            game.lobby.opening,
            self.players,
            game.phase,
            game.active(),
            outcome,
            self.moves,
            self.opened_at,
            self.started_at,
            game.lobby.rated,
        )
        return PublicEvent(
            position,
            game.id,
            record.version,
            short_name(record.name),
            self.at,
            self.by,
            self._whom(shown),
            shown,
            line,
            record.link,
            table,
            stored_name,
        )

    def _shown(self, event: Any) -> tuple[Any, str]:
        """The event as a spectator sees it, and in English."""
        rules = self.game.rules
        if type(event) in LIFECYCLE:
            shown = self.game.redact(event, None)
            return shown, tell_lifecycle(shown, self.players) or rules.tell(shown, self.players)
        # What `Game.redact` does with the game's own events, without looking for a spectator's seat.
        shown = rules.redact(event, None)
        return shown, rules.tell(shown, self.players)

    def _whom(self, event: Any) -> str:
        if type(event) in LIFECYCLE:
            return player_of(event, self.players) or self.by
        seat = self.game.rules.about(event)
        return self.by if seat is None else self.players[seat]


@cache
def short_name(name: str) -> str:
    """`card_played` of `kings_corners.card_played.v1`."""
    return name.split(".", 2)[1]

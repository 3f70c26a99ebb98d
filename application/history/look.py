"""Questions about one game, answered from the ledger: always as somebody, never more than they may see."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, TypeVar
from uuid import UUID

from fairdeal.application.commands.game_cache import GameCache
from fairdeal.application.log.codec import Codec
from fairdeal.application.log.record import Receipt
from fairdeal.application.log.story import tell
from fairdeal.application.ports import Ledger
from fairdeal.domain.kernel.game import Game, unknown_player_error
from fairdeal.domain.kernel.lifecycle import OnTimeout, Seat
from fairdeal.domain.kernel.lobby import Outcome, Phase

ViewT = TypeVar("ViewT")
MoveT = TypeVar("MoveT")


@dataclass(frozen=True, slots=True)
class SeatDeadline:
    """Until when a seat has to act, in UTC."""

    seat: Seat
    at: datetime


@dataclass(frozen=True, slots=True)
class LookClock:
    """The clock of a table, and until when those have time who have to act now."""

    move_seconds: int
    bank_seconds: int
    on_timeout: OnTimeout
    deadlines: tuple[SeatDeadline, ...]


@dataclass(frozen=True, slots=True)
class Look(Generic[ViewT, MoveT]):
    """A game as one player, or a spectator, may see it now."""

    game_id: UUID
    kind: str
    version: int
    phase: Phase
    options: Any
    opener: str
    players: tuple[str, ...]
    names: tuple[str, ...]
    """What the players are called; their ids, unless a service that keeps names puts them here."""
    seat: Seat | None
    active: tuple[Seat, ...]
    view: ViewT
    """The game's own view; None before the deal."""
    legal: tuple[MoveT, ...]
    """The moves that would be accepted from this player now."""
    outcome: Outcome | None
    commitment: str
    seed: str | None
    """Revealed when the game is over."""
    receipt: Receipt
    clock: LookClock | None
    """None at a table without a clock."""
    rated: bool
    """Whether a result here counts."""
    spectators: str
    """Who may watch; a service that keeps tables to itself says so here."""
    move_names: Mapping[type, str] = field(default_factory=dict[type, str], repr=False, compare=False)
    """By which name each kind of move is sent."""


def look_of(game: Game, link: bytes, player: str | None) -> Look[Any, Any]:
    """A published game as this player, or a spectator, may see it."""
    opened = game.lobby.opened
    return Look(
        game_id=game.id,
        kind=game.rules.kind,
        version=game.version,
        phase=game.phase,
        options=opened.options,
        opener=opened.opener,
        players=game.players,
        names=game.players,
        seat=game.seat_of(player),
        active=game.active(),
        view=game.view(player),
        legal=() if player is None else game.legal(player),
        outcome=game.outcome,
        commitment=opened.commitment,
        seed=opened.seed if game.over else None,
        receipt=Receipt(game.id, game.version, link.hex()),
        clock=_clock_of(game),
        rated=game.lobby.rated,
        spectators=opened.spectators.value,
        move_names=game.rules.stored.move_names,
    )


AnyLook = Look[Any, Any]
"""A look at a game of any kind."""


class Queries:
    """Reads games through the cache, each time compared with the ledger first."""

    def __init__(self, ledger: Ledger, codec: Codec, cache: GameCache) -> None:
        self._ledger = ledger
        self._codec = codec
        self._cache = cache

    def look(self, game_id: UUID, player: str | None = None) -> Look[Any, Any]:
        return look_of(*self.fresh(game_id, player), player)

    def events(self, game_id: UUID, player: str | None = None) -> tuple[Any, ...]:
        """What happened, as this player may see it; everything once the game is over."""
        game, _ = self.fresh(game_id, player)
        events = self._codec.events(self._ledger.records(game_id, up_to=game.version))
        return tuple(events) if game.over else tuple(game.redact(event, player) for event in events)

    def story(self, game_id: UUID, player: str | None = None) -> tuple[str, ...]:
        """The game in English, one line per event."""
        game, _ = self.fresh(game_id, player)
        rules, players = game.rules, game.players
        return tuple(tell(rules, players, event) for event in self.events(game_id, player))

    def drawing(self, game_id: UUID, player: str | None = None) -> str:
        """The table as text."""
        game, _ = self.fresh(game_id, player)
        view = game.view(player)
        return "" if view is None else game.rules.voice.render(view, game.players)

    def bytes_of(self, game_id: UUID) -> int:
        """How much memory a game takes, as far as is known."""
        return self._cache.bytes_of(game_id)

    def loaded(self, game_id: UUID) -> Game | None:
        """A game that is in memory just now, as it was known last; the ledger is not asked."""
        cached = self._cache.loaded(game_id)
        return None if cached is None else cached.game

    def fresh(self, game_id: UUID, viewer: str | None) -> tuple[Game, bytes]:
        """The game as the ledger holds it; whoever looks as somebody must name a player of this table."""
        game, link = self._cache.read(game_id)
        if viewer is not None and game.seat_of(viewer) is None:
            raise unknown_player_error(viewer)
        return game, link


def _clock_of(game: Game) -> LookClock | None:
    clock = game.lobby.opened.clock
    if clock is None:
        return None
    deadlines = tuple(SeatDeadline(seat, at) for seat, at in game.deadlines())
    return LookClock(clock.move_seconds, clock.bank_seconds, clock.on_timeout, deadlines)

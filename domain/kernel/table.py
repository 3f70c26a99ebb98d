"""What is known of a game: who sits where, how far it has come, and how that follows from what happened."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple, Self
from uuid import UUID

from fairdeal.domain.kernel.chance import NO_SHARE, Chance, share
from fairdeal.domain.kernel.lifecycle import (
    DealtFrom,
    EntropyRevealed,
    GameAbandoned,
    GameBranched,
    GameFinished,
    GameOpened,
    GameStarted,
    PlayerLeft,
    PlayerSeated,
    Seat,
)
from fairdeal.domain.kernel.rules import AnyRules


class Phase(StrEnum):
    """How far a game has come."""

    LOBBY = "lobby"
    SEALED = "sealed"
    RUNNING = "running"
    FINISHED = "finished"
    ABANDONED = "abandoned"


class SeatedPlayer(NamedTuple):
    """Who sits on a seat, what he brought, and how far his sealed entropy has come."""

    player: str
    brought: Any = None
    seal: str | None = None
    entropy: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended."""

    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    reason: str


class Table:
    """The table of one game of any kind: it answers questions and follows events, and decides nothing."""

    __slots__ = (
        "_chance",
        "_seats",
        "branched",
        "id",
        "opened",
        "opening",
        "outcome",
        "phase",
        "rules",
        "seated_players",
        "state",
        "version",
    )

    def __init__(self, game_id: UUID, rules: AnyRules) -> None:
        self.id = game_id
        self.rules = rules
        self.version: int = 0
        self.phase = Phase.LOBBY
        self.opened: GameOpened[Any] | None = None
        self.seated_players: tuple[SeatedPlayer, ...] = ()
        self._seats: dict[str | None, Seat] = {}
        self.opening: DealtFrom | None = None
        self.branched: GameBranched | None = None
        """Where the game came from, if it goes on from another one."""
        self._chance: Chance | None = None
        self.state: Any = None
        self.outcome: Outcome | None = None

    # -- asking ---------------------------------------------------------------------------------

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(seated.player for seated in self.seated_players)

    @property
    def over(self) -> bool:
        return self.phase in (Phase.FINISHED, Phase.ABANDONED)

    @property
    def seed(self) -> bytes:
        assert self.opened is not None
        assert self.opened.seed is not None
        return bytes.fromhex(self.opened.seed)

    @property
    def chance(self) -> Chance:
        """What deals the cards, once all seals are open; made when it is first asked for: a replay draws none."""
        if self._chance is None:
            shares = [NO_SHARE if s.entropy is None else share(bytes.fromhex(s.entropy)) for s in self.seated_players]
            self._chance = Chance(self.seed, self.id.bytes, shares)
        return self._chance

    @property
    def options(self) -> Any:
        assert self.opened is not None
        return self.opened.options

    def seat_of(self, player: str | None) -> Seat | None:
        """The player's seat, or None for a spectator."""
        return self._seats.get(player)

    def active(self) -> tuple[Seat, ...]:
        """The seats that have to act: in a running game, or to open their seals."""
        if self.phase is Phase.RUNNING:
            return tuple(self.rules.active(self.state))
        if self.phase is Phase.SEALED:
            return tuple(at for at, seated in enumerate(self.seated_players) if _still_sealed(seated))
        return ()

    def legal(self, player: str) -> tuple[Any, ...]:
        """The moves that would be accepted from this player now."""
        seat = self.seat_of(player)
        if self.phase is not Phase.RUNNING or seat is None:
            return ()
        return tuple(self.rules.legal(self.state, seat))

    def view(self, player: str | None) -> Any:
        """The table as this player, or a spectator (None), may see it; None before the deal."""
        return None if self.state is None else self.rules.view(self.state, self.seat_of(player))

    def redact(self, event: Any, player: str | None) -> Any:
        """The event as this player, or a spectator (None), may see it while the game runs."""
        match event:
            case GameOpened():
                return _without_seed(event)  # pyright: ignore[reportUnknownArgumentType]
            case PlayerSeated(player=owner) if owner != player:
                return _without_brought(event)  # pyright: ignore[reportUnknownArgumentType]
            case _ if type(event) in SHARED:
                return event
            case _:
                return self.rules.redact(event, self.seat_of(player))

    # -- what happened --------------------------------------------------------------------------

    def apply(self, event: object) -> None:
        """Follows one event: the same for a stored one and for one just said."""
        self.version += 1
        kind, evolve = type(event), self.rules.evolve
        if kind not in SHARED:
            evolve[kind](self.state, event)
            return
        if kind in evolve:
            evolve[kind](self.state, event)
        SHARED[kind](self, event)

    def replay(self, events: Iterable[object]) -> Self:
        """Follows many events, of a game that nobody else holds: `apply` for each, in one loop for speed."""
        evolve = self.rules.evolve
        for event in events:
            kind = type(event)
            if kind in SHARED:
                self.apply(event)
            else:
                self.version += 1
                evolve[kind](self.state, event)
        return self

    def _opened(self, event: GameOpened[Any]) -> None:
        self.opened = event

    def _seated(self, event: PlayerSeated[Any]) -> None:
        self._seats = {**self._seats, event.player: len(self.seated_players)}
        self.seated_players = (*self.seated_players, SeatedPlayer(event.player, event.brought, event.seal))

    def _left(self, event: PlayerLeft) -> None:
        self.seated_players = tuple(seated for seated in self.seated_players if seated.player != event.player)
        self._seats = {seated.player: seat for seat, seated in enumerate(self.seated_players)}

    def _branched(self, event: GameBranched) -> None:
        self.branched = event

    def _started(self, event: GameStarted) -> None:
        self.opening = event.opening
        self._run_when_unsealed()

    def _revealed(self, event: EntropyRevealed) -> None:
        seated_players = list(self.seated_players)
        old = seated_players[event.seat]
        seated_players[event.seat] = SeatedPlayer(old.player, old.brought, old.seal, event.entropy)
        self.seated_players = tuple(seated_players)
        self._run_when_unsealed()

    def _run_when_unsealed(self) -> None:
        if any(_still_sealed(seated) for seated in self.seated_players):
            self.phase = Phase.SEALED
            return
        self.phase = Phase.RUNNING
        self.state = self.rules.initial_state(
            len(self.seated_players), self.options, tuple([s.brought for s in self.seated_players])
        )

    def _finished(self, event: GameFinished) -> None:
        self.phase = Phase.FINISHED
        self.outcome = Outcome(event.winners, event.scores, event.reason)

    def _abandoned(self, event: GameAbandoned) -> None:
        self.phase = Phase.ABANDONED
        others = () if event.seat is None else tuple(at for at in range(len(self.seated_players)) if at != event.seat)
        self.outcome = Outcome(others, (), event.reason)


SHARED: dict[type, Callable[[Any, Any], None]] = {
    GameOpened: Table._opened,  # pyright: ignore[reportPrivateUsage]
    PlayerSeated: Table._seated,  # pyright: ignore[reportPrivateUsage]
    PlayerLeft: Table._left,  # pyright: ignore[reportPrivateUsage]
    GameStarted: Table._started,  # pyright: ignore[reportPrivateUsage]
    GameBranched: Table._branched,  # pyright: ignore[reportPrivateUsage]
    EntropyRevealed: Table._revealed,  # pyright: ignore[reportPrivateUsage]
    GameFinished: Table._finished,  # pyright: ignore[reportPrivateUsage]
    GameAbandoned: Table._abandoned,  # pyright: ignore[reportPrivateUsage]
}
"""The events that all games share, and what each does to the table."""


def _without_seed(event: GameOpened[Any]) -> GameOpened[Any]:
    return replace(event, seed=None)


def _without_brought(event: PlayerSeated[Any]) -> PlayerSeated[Any]:
    return replace(event, brought=None)


def _still_sealed(seated: SeatedPlayer) -> bool:
    return seated.seal is not None and seated.entropy is None

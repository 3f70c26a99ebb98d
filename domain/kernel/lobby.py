"""The lobby of a game: who opened the table, who sits there, how far it has come and how it ended."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple, Self

from fairdeal.domain.kernel.clock import SeatClocks
from fairdeal.domain.kernel.draft import Evolve
from fairdeal.domain.kernel.lifecycle import (
    DealtFrom,
    EntropyRevealed,
    GameAbandoned,
    GameBranched,
    GameFinished,
    GameForfeited,
    GameOpened,
    GameStarted,
    GameVoided,
    PlayerLeft,
    PlayerSeated,
    Seat,
    SeatTimedOut,
)


class Phase(StrEnum):
    """How far a game has come."""

    LOBBY = "lobby"
    SEALED = "sealed"
    RUNNING = "running"
    FINISHED = "finished"
    ABANDONED = "abandoned"
    VOID = "void"


OVER = frozenset({Phase.FINISHED, Phase.ABANDONED, Phase.VOID})


class SeatedPlayer(NamedTuple):
    """Who sits on a seat, what they brought, and how far their sealed entropy has come."""

    player: str
    brought: Any = None
    seal: str | None = None
    entropy: str | None = None

    @property
    def is_sealed(self) -> bool:
        """Whether a seal waits to be opened."""
        return self.seal is not None and self.entropy is None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended."""

    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    reason: str


class Lobby:
    """What all games know of their table. Only `EVOLVE` touches it, as with the state of a game."""

    __slots__ = ("branched", "clocks", "forfeited", "opened", "opening", "outcome", "phase", "seated_players", "seats")

    def __init__(self, opened: GameOpened[Any]) -> None:
        self.opened = opened
        self.phase = Phase.LOBBY
        self.seated_players: tuple[SeatedPlayer, ...] = ()
        self.seats: dict[str | None, Seat] = {}
        """The seat of each player; replaced, never changed: copies share it."""
        self.opening: DealtFrom | None = None
        """Where the first state came from, once the seats are closed."""
        self.branched: GameBranched | None = None
        """Where the game came from, if it goes on from another one."""
        self.outcome: Outcome | None = None
        self.forfeited: tuple[Seat, ...] = ()
        """Who lost by letting their time run out."""
        self.clocks = None if opened.clock is None else SeatClocks(opened.clock)

    def copy(self) -> Self:
        """A lobby of its own."""
        twin = type(self)(self.opened)
        twin.phase = self.phase
        twin.seated_players = self.seated_players
        twin.seats = self.seats
        twin.opening = self.opening
        twin.branched = self.branched
        twin.outcome = self.outcome
        twin.forfeited = self.forfeited
        twin.clocks = None if self.clocks is None else self.clocks.copy()
        return twin

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(seated.player for seated in self.seated_players)

    @property
    def sealed(self) -> tuple[Seat, ...]:
        """The seats whose seals wait to be opened."""
        return tuple(seat for seat, seated in enumerate(self.seated_players) if seated.is_sealed)

    @property
    def rated(self) -> bool:
        """Whether a result here counts, as far as the game has come.

        Only a shuffle does: whoever arranges the deck or the position arranges the result. Who wins at a table of more
        than two because one let the time run out is nobody's merit.
        """
        if not self.opened.rated or self.opening not in (None, DealtFrom.SHUFFLE) or self.phase is Phase.VOID:
            return False
        return not self.forfeited or len(self.seated_players) == 2

    @property
    def over(self) -> bool:
        return self.phase in OVER


def _seated(lobby: Lobby, event: PlayerSeated[Any]) -> None:
    lobby.seats = {**lobby.seats, event.player: len(lobby.seated_players)}
    lobby.seated_players = (*lobby.seated_players, SeatedPlayer(event.player, event.brought, event.seal))


def _left(lobby: Lobby, event: PlayerLeft) -> None:
    lobby.seated_players = tuple(seated for seated in lobby.seated_players if seated.player != event.player)
    lobby.seats = {seated.player: seat for seat, seated in enumerate(lobby.seated_players)}


def _started(lobby: Lobby, event: GameStarted) -> None:
    lobby.opening = event.opening
    _run_when_unsealed(lobby)


def _branched(lobby: Lobby, event: GameBranched) -> None:
    lobby.branched = event


def _revealed(lobby: Lobby, event: EntropyRevealed) -> None:
    seated_players = list(lobby.seated_players)
    seated_players[event.seat] = seated_players[event.seat]._replace(entropy=event.entropy)
    lobby.seated_players = tuple(seated_players)
    _run_when_unsealed(lobby)


def _run_when_unsealed(lobby: Lobby) -> None:
    lobby.phase = Phase.SEALED if lobby.sealed else Phase.RUNNING


def _finished(lobby: Lobby, event: GameFinished) -> None:
    lobby.phase = Phase.FINISHED
    lobby.outcome = Outcome(event.winners, event.scores, event.reason)


def _abandoned(lobby: Lobby, event: GameAbandoned) -> None:
    lobby.phase = Phase.ABANDONED
    lobby.outcome = Outcome(() if event.seat is None else _all_but(lobby, (event.seat,)), (), event.reason)


def _timed_out(lobby: Lobby, event: SeatTimedOut) -> None:
    assert lobby.clocks is not None, "there is no clock at this table"
    lobby.clocks.missed_one(event.seat)


def _forfeited(lobby: Lobby, event: GameForfeited) -> None:
    lobby.phase = Phase.FINISHED
    lobby.forfeited = event.seats
    lobby.outcome = Outcome(_all_but(lobby, event.seats), (), event.reason)


def _voided(lobby: Lobby, event: GameVoided) -> None:
    lobby.phase = Phase.VOID
    lobby.outcome = Outcome((), (), event.reason)


def _all_but(lobby: Lobby, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    return tuple(seat for seat in range(len(lobby.seated_players)) if seat not in seats)


EVOLVE: Evolve[Lobby] = {
    PlayerSeated: _seated,
    PlayerLeft: _left,
    GameStarted: _started,
    GameBranched: _branched,
    EntropyRevealed: _revealed,
    GameFinished: _finished,
    GameAbandoned: _abandoned,
    SeatTimedOut: _timed_out,
    GameForfeited: _forfeited,
    GameVoided: _voided,
}
"""How a lobby follows from the events that all games share; it comes to be with `GameOpened`."""

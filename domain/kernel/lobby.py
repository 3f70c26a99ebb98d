"""The lobby of a game: who opened the table, who sits there, how far it has come and how it ended."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from operator import attrgetter
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


BOT = "bot:"
"""How the ids of bots begin, and nobody else's."""
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


_player_of = attrgetter("player")


class Lobby:
    """What all games know of their table. Only `EVOLVE` touches it, as with the state of a game."""

    __slots__ = (
        "_line_up",
        "bots",
        "branched",
        "broken_off_by",
        "clocks",
        "forfeited",
        "opened",
        "opening",
        "outcome",
        "phase",
        "seats",
    )

    def __init__(self, opened: GameOpened[Any]) -> None:
        self.opened = opened
        self.phase = Phase.LOBBY
        self._line_up: list[SeatedPlayer] = []
        self.seats: dict[str | None, Seat] = {}
        """The seat of each player."""
        self.bots = 0
        """How many of the players are bots."""
        self.opening: DealtFrom | None = None
        """Where the first state came from, once the seats are closed."""
        self.branched: GameBranched | None = None
        """Where the game came from, if it goes on from another one."""
        self.outcome: Outcome | None = None
        self.forfeited: tuple[Seat, ...] = ()
        """Who lost by letting their time run out."""
        self.broken_off_by: str | None = None
        """Who ended the game before its end, as far as its events tell; None where time did."""
        self.clocks = None if opened.clock is None else SeatClocks(opened.clock)

    def copy(self) -> Self:
        """A lobby of its own."""
        twin = type(self).__new__(type(self))
        twin.opened = self.opened
        twin.phase = self.phase
        # Nobody sits down any more once the seats are closed, not even at large tables: then all copies share them.
        closed = self.opening is not None
        twin._line_up = self._line_up if closed else self._line_up[:]
        twin.seats = self.seats if closed else self.seats.copy()
        twin.bots = self.bots
        twin.opening = self.opening
        twin.branched = self.branched
        twin.outcome = self.outcome
        twin.forfeited = self.forfeited
        twin.broken_off_by = self.broken_off_by
        twin.clocks = None if self.clocks is None else self.clocks.copy()
        return twin

    @property
    def seated_players(self) -> tuple[SeatedPlayer, ...]:
        return tuple(self._line_up)

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(map(_player_of, self._line_up))

    def seat(self, newcomer: SeatedPlayer) -> None:
        """On the next seat; it takes as long at a large table as at a small one."""
        if self.opening is not None:  # no table does that, but a log that somebody wrote may
            self.line_up_anew(self._line_up)
        self.seats[newcomer.player] = len(self._line_up)
        self._line_up.append(newcomer)
        self.bots += is_bot(newcomer.player)

    def line_up_anew(self, line_up: Iterable[SeatedPlayer]) -> None:
        """Everybody on the next seat."""
        self._line_up = list(line_up)
        self.seats = {seated.player: seat for seat, seated in enumerate(self._line_up)}
        self.bots = sum([is_bot(seated.player) for seated in self._line_up])

    @property
    def sealed(self) -> tuple[Seat, ...]:
        """The seats whose seals wait to be opened."""
        return tuple([seat for seat, seated in enumerate(self._line_up) if seated.is_sealed])

    @property
    def never_opened(self) -> tuple[Seat, ...]:
        """The seats whose seals were shut when the table ended, between the closing of its seats and the deal."""
        return self.sealed if self.over and self.opening is not None else ()

    @property
    def rated(self) -> bool:
        """Whether a result here counts, as far as the game has come.

        Only a shuffle does: whoever arranges the deck or the position arranges the result. Who wins at a table of more
        than two because one let the time run out is nobody's merit, and bots have no rating to lose.
        """
        if not self.opened.rated or self.opening not in (None, DealtFrom.SHUFFLE) or self.phase is Phase.VOID:
            return False
        return not self.bots and (not self.forfeited or len(self._line_up) == 2)

    @property
    def over(self) -> bool:
        return self.phase in OVER


def is_bot(player: str) -> bool:
    return player.startswith(BOT)


def next_bot(name: str, players: Iterable[str]) -> str:
    """The name of one more bot at the table of these players."""
    taken = {player.rpartition(":")[2] for player in players if is_bot(player)}
    number = next(number for number in count(1) if str(number) not in taken)
    return f"{BOT}{name}:{number}"


def _seated(lobby: Lobby, event: PlayerSeated[Any]) -> None:
    lobby.seat(SeatedPlayer(event.player, event.brought, event.seal))


def _left(lobby: Lobby, event: PlayerLeft) -> None:
    lobby.line_up_anew(seated for seated in lobby.seated_players if seated.player != event.player)


def _started(lobby: Lobby, event: GameStarted) -> None:
    lobby.opening = event.opening
    _run_when_unsealed(lobby)


def _branched(lobby: Lobby, event: GameBranched) -> None:
    lobby.branched = event


def _revealed(lobby: Lobby, event: EntropyRevealed) -> None:
    seated_players = list(lobby.seated_players)
    seated_players[event.seat] = seated_players[event.seat]._replace(entropy=event.entropy)
    lobby.line_up_anew(seated_players)
    _run_when_unsealed(lobby)


def _run_when_unsealed(lobby: Lobby) -> None:
    lobby.phase = Phase.SEALED if lobby.sealed else Phase.RUNNING


def _finished(lobby: Lobby, event: GameFinished) -> None:
    lobby.phase = Phase.FINISHED
    lobby.outcome = Outcome(event.winners, event.scores, event.reason)


def _abandoned(lobby: Lobby, event: GameAbandoned) -> None:
    lobby.phase = Phase.ABANDONED
    lobby.broken_off_by = None if event.seat is None else lobby.seated_players[event.seat].player
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
    lobby.broken_off_by = event.by
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

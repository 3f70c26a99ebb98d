"""Looking ahead: each move is tried in worlds that fit what a player has seen, within a budget of decisions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Generic, TypeVar

from fairdeal.domain.kernel.chance import SEED_SIZE, Chance
from fairdeal.domain.kernel.draft import Draft, Evolve
from fairdeal.domain.kernel.lifecycle import GameFinished, Seat
from fairdeal.domain.kernel.rules import GameState

StateT = TypeVar("StateT", bound=GameState)
MoveT = TypeVar("MoveT")

MOST_CANDIDATES = 40
"""More moves than these are not tried: at a table of a thousand seats there are thousands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookahead(Generic[StateT, MoveT]):
    """How to play a game on from a world that one has imagined; the first four are the rules of the game."""

    decide: Callable[[Draft[StateT], Seat, MoveT, Chance], None]
    evolve: Evolve[StateT]
    active: Callable[[StateT], Sequence[Seat]]
    legal: Callable[[StateT, Seat], Sequence[MoveT]]
    policy: Callable[[StateT, Seat, Sequence[MoveT], Random], MoveT]
    """How everybody is taken to play on after the move that is tried."""
    estimate: Callable[[StateT, Seat], float]
    """How likely a seat wins a game that was not played to its end, from 0 to 1."""
    budget: int
    """How many decisions may be tried in all, give or take one world; not seconds, so that a choice is repeatable."""
    doubt: float
    """How many standard errors another move must be better than the habit."""
    horizon: int
    """After how many decisions a world is judged by the estimate."""

    def best(self, seat: Seat, moves: Sequence[MoveT], habit: MoveT, imagine: Callable[[Random], StateT], rng: Random) -> MoveT:
        """The habitual move, unless another did clearly better in the same worlds; the better half goes on to more of them."""
        tried: dict[int, list[float]] = {at: [] for at in self._candidates(moves, habit, rng)}
        usual = moves.index(habit)
        share = self.budget // max(1, (len(tried) - 1).bit_length())
        while len(tried) > 1:
            spent = 0
            while spent < share:
                world, chance, luck = imagine(rng), Chance(rng.randbytes(SEED_SIZE), bytes(16), ()), rng.getrandbits(32)
                for at, worths in tried.items():
                    worth, decisions = self._try(world.copy(), seat, moves[at], chance, Random(luck))
                    worths.append(worth)
                    spent += decisions
            if len(tried) == 2:
                (other,) = (at for at in tried if at != usual)
                return moves[other] if self._is_clearly_better(tried[other], tried[usual]) else habit
            better = sorted(tried, key=lambda at: (at == usual, sum(tried[at])), reverse=True)[: (len(tried) + 1) // 2]
            tried = {at: tried[at] for at in better}
        return habit

    def _candidates(self, moves, habit, rng):
        n = len(moves)
        if n <= MOST_CANDIDATES: return range(n)
        return sorted({moves.index(habit), *rng.sample(range(n), MOST_CANDIDATES-1)})

    def _is_clearly_better(self, these, those):
        gains = [a - b for a, b in zip(these, those, strict=True)]
        total = sum(gains)
        return total > 0 and total**2 > self.doubt**2 * sum(g * g for g in gains)

    def _try(self, world: StateT, seat: Seat, move: MoveT, chance: Chance, rng: Random) -> tuple[float, int]:
        """What comes of a move in a world, and after how many decisions that was seen."""
        draft = Draft(world, self.evolve)
        self.decide(draft, seat, move, chance)
        for decisions in range(1, self.horizon):
            turn = self.active(world)
            if not turn:
                return _share_of_win(draft.events[-1], seat), decisions
            self.decide(draft, turn[0], self.policy(world, turn[0], self.legal(world, turn[0]), rng), chance)
        if not self.active(world):
            return _share_of_win(draft.events[-1], seat), self.horizon
        return self.estimate(world, seat), self.horizon


def _share_of_win(ending: GameFinished, seat: Seat) -> float:
    return 1 / len(ending.winners) if seat in ending.winners else 0.0

"""Looking ahead: moves are tried in worlds that fit what a player has seen, within a budget of decisions."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Generic, TypeVar

from fairdeal.domain.kernel.chance import SEED_SIZE, Chance
from fairdeal.domain.kernel.draft import Draft, Evolve
from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.rules import GameState

StateT = TypeVar("StateT", bound=GameState)
MoveT = TypeVar("MoveT")
CardT = TypeVar("CardT")

MOST_CANDIDATES = 40
"""Of more moves only some are tried: at a table of a thousand seats there are thousands."""


def deal_unseen(deck: Sequence[CardT], seen: Iterable[CardT], count: int, rng: Random) -> list[CardT]:
    """So many cards of a deck that one has not seen, in any order."""
    known = set(seen)
    cards = [card for card in deck if card not in known]
    rng.shuffle(cards)
    # A position laid out by hand may hold cards twice, and so more than are left.
    return cards[:count] + rng.choices(deck, k=max(0, count - len(cards)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookahead(Generic[StateT, MoveT]):
    """How to play on from an imagined world. The first four are the rules of the game."""

    decide: Callable[[Draft[StateT], Seat, MoveT, Chance], None]
    evolve: Evolve[StateT]
    active: Callable[[StateT], Sequence[Seat]]
    legal: Callable[[StateT, Seat], Sequence[MoveT]]
    policy: Callable[[StateT, Seat, Sequence[MoveT], Random], MoveT]
    """How everybody is taken to play on after the move that is tried; it is asked so often that it must be quick."""
    judge: Callable[[StateT, Seat], float]
    """How well a seat stands in the end, or when the horizon is reached: from 0, lost, to 1, won."""
    budget: int
    """How many decisions are tried in all, give or take a world; not seconds, so that the choice is repeatable."""
    horizon: int
    """After how many decisions a world is judged although the game goes on."""
    doubt: float
    """By how many standard errors a move must be better than the habit: more, where luck hides what is good."""

    def best(
        self, seat: Seat, moves: Sequence[MoveT], habit: MoveT, imagine: Callable[[Random], StateT], rng: Random
    ) -> MoveT:
        """The habitual move, or another that does clearly better in the same worlds.

        All are tried in a few worlds, the better half of them in some more, and so on; the habit is never dropped.
        """
        tried: dict[MoveT, list[float]] = {move: [] for move in _candidates(moves, habit, rng)}
        share = self.budget // max(1, (len(tried) - 1).bit_length())
        while len(tried) > 1:
            self._try_all(tried, seat, share, imagine, rng)
            if len(tried) == 2:
                break
            others = sorted([move for move in tried if move != habit], key=lambda move: sum(tried[move]), reverse=True)
            tried = {move: tried[move] for move in (habit, *others[: (len(tried) - 1) // 2])}
        challenger = max(tried, key=lambda move: sum(tried[move]))
        return challenger if self._is_clearly_better(tried[challenger], tried[habit]) else habit

    def _try_all(
        self,
        tried: dict[MoveT, list[float]],
        seat: Seat,
        share: int,
        imagine: Callable[[Random], StateT],
        rng: Random,
    ) -> None:
        """Every move in the same worlds and with the same luck, so that only the move makes a difference."""
        spent = 0
        while spent < share:
            world, luck = imagine(rng), rng.getrandbits(32)
            chance = Chance(rng.randbytes(SEED_SIZE), bytes(16), ())
            for move, worths in tried.items():
                played = world.copy()
                spent += self._play_on(played, seat, move, chance, Random(luck))
                worths.append(self.judge(played, seat))

    def _play_on(self, world: StateT, seat: Seat, move: MoveT, chance: Chance, rng: Random) -> int:
        """Makes the move and lets everybody play on by the policy; the number of decisions made."""
        draft = Draft(world, self.evolve)
        decisions = 0
        while True:
            self.decide(draft, seat, move, chance)
            decisions += 1
            active = self.active(world)
            if not active or decisions == self.horizon:
                return decisions
            seat = active[0]
            move = self.policy(world, seat, self.legal(world, seat), rng)

    def _is_clearly_better(self, these: list[float], those: list[float]) -> bool:
        gains = [this - that for this, that in zip(these, those, strict=True)]
        total = sum(gains)
        return total > 0 and total**2 > self.doubt**2 * sum(gain**2 for gain in gains)


def _candidates(moves: Sequence[MoveT], habit: MoveT, rng: Random) -> Sequence[MoveT]:
    if len(moves) <= MOST_CANDIDATES:
        return moves
    return [habit, *(move for move in rng.sample(moves, MOST_CANDIDATES) if move != habit)]

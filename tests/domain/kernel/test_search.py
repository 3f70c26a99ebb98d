"""Looking ahead finds the better move, keeps the habit in doubt, and deals only what has not been seen."""

from collections import Counter
from dataclasses import dataclass
from random import Random

from fairdeal.domain.kernel.chance import Chance
from fairdeal.domain.kernel.draft import Draft
from fairdeal.domain.kernel.lifecycle import Seat
from fairdeal.domain.kernel.search import MOST_CANDIDATES, Lookahead, deal_unseen


@dataclass(frozen=True, slots=True)
class Added:
    number: int


@dataclass(slots=True)
class Sum:
    """Seat 0 names a number, then a number is added for it by chance; the larger the sum the better."""

    total: int = 0
    left: int = 2

    def copy(self) -> "Sum":
        return Sum(self.total, self.left)


def _added(state: Sum, event: Added) -> None:
    state.total += event.number
    state.left -= 1


def _decide(draft: Draft[Sum], seat: Seat, move: int, chance: Chance) -> None:
    draft.say(Added(move))


class Watched:
    """A lookahead whose judge writes down which sums it saw."""

    def __init__(self, *, luck: int = 0, budget: int = 200, horizon: int = 10, doubt: float = 0) -> None:
        self.judged: Counter[int] = Counter()
        self.ahead: Lookahead[Sum, int] = Lookahead(
            decide=_decide,
            evolve={Added: _added},
            active=lambda state: (0,) if state.left else (),
            legal=lambda state, seat: range(luck + 1),
            policy=lambda state, seat, moves, rng: rng.choice(moves),
            judge=self._judge,
            budget=budget,
            horizon=horizon,
            doubt=doubt,
        )

    def _judge(self, state: Sum, seat: Seat) -> float:
        self.judged[state.total] += 1
        return state.total / 100

    def best(self, moves: list[int], habit: int, seed: int = 0) -> int:
        return self.ahead.best(0, moves, habit, lambda rng: Sum(), Random(seed))


def test_the_better_move_is_found_among_many() -> None:
    for seed in range(10):
        assert Watched(luck=3).best([3, 1, 4, 9, 5, 2, 6], 3, seed) == 9


def test_a_move_that_is_not_better_does_not_replace_the_habit() -> None:
    assert Watched().best([4, 5, 3], 5) == 5


def test_a_single_move_needs_no_thought() -> None:
    watched = Watched()
    assert watched.best([7], 7) == 7
    assert not watched.judged


def test_in_doubt_the_habit_stays_and_doubt_goes_with_more_worlds() -> None:
    # One pair of worlds proves nothing: a gain in each of n worlds is worth √n standard errors.
    assert Watched(budget=4, doubt=3).best([4, 5], 4) == 4
    assert Watched(budget=400, doubt=3).best([4, 5], 4) == 5


def test_the_horizon_ends_a_world_before_the_game_does() -> None:
    watched = Watched(luck=50, horizon=1)
    assert watched.best([1, 2], 1) == 2
    assert set(watched.judged) == {1, 2}


def test_the_budget_bounds_the_decisions() -> None:
    watched = Watched(budget=100)
    watched.best([1, 2], 1)
    assert watched.judged.total() * 2 == 100


def test_of_very_many_moves_only_some_are_tried() -> None:
    watched = Watched(budget=100)
    watched.best(list(range(1000)), 0)
    assert MOST_CANDIDATES <= len(watched.judged) <= MOST_CANDIDATES + 1


def test_the_same_luck_makes_the_same_choice() -> None:
    moves = list(range(30))
    assert len({Watched(luck=60, budget=60).best(moves, 0, seed=3) for _ in range(5)}) == 1


def test_only_unseen_cards_are_dealt_and_each_once() -> None:
    assert sorted(deal_unseen("abcdef", "bd", 4, Random(0))) == list("acef")
    assert set(deal_unseen("abcdef", "bd", 2, Random(0))) < set("acef")


def test_a_strange_position_with_more_cards_than_a_deck_gets_some_twice() -> None:
    dealt = deal_unseen("abcd", "ab", 5, Random(0))
    assert len(dealt) == 5
    assert set(dealt) >= set("cd")

"""Facts about the game that hold in simulation (RULES 12)."""

from collections.abc import Callable, Sequence
from random import Random

from fairdeal.domain.tcg.events import DamageDealt, TurnStarted
from fairdeal.domain.tcg.game import TCG
from fairdeal.domain.tcg.moves import END_TURN, Move, PlayCard
from fairdeal.domain.tcg.options import PRESETS, TcgOptions
from fairdeal.domain.tcg.state import Tcg
from fairdeal.testing import play
from fairdeal.testing.play import chance_of
from positions.tcg import dealt, decks, ids

Chooser = Callable[[Tcg, Sequence[Move], Random], Move]


def nobody_plays(second_bonus: int) -> Tcg:
    options = TcgOptions(second_bonus=second_bonus, first=0)
    draft = dealt(options)
    while draft.state.winner is None:
        TCG.play.decide(draft, draft.state.active, END_TURN, chance_of(0, 2))
    return draft.state


def test_fact_1_if_nobody_plays_the_second_dies_on_turn_92_with_a_bonus_card_and_the_first_on_93_without() -> None:
    with_bonus, without = nobody_plays(1), nobody_plays(0)
    assert (with_bonus.turn, with_bonus.winner, with_bonus.sides[0].health) == (92, 0, 1)
    assert (without.turn, without.winner, without.sides[1].health) == (93, 1, 1)


def test_fact_2_no_basic_game_ends_before_turn_15_and_damage_is_bounded_by_mana() -> None:
    for seed in range(150):
        game = play(TCG, options=PRESETS["kata"], seed=seed, bots=["ai", "ai"], keep_states=False)
        assert game.state.turn >= 15
        first, sums, turn = game.dealt[3].seat, {0: 0, 1: 0}, 1
        for event in game.events:
            if isinstance(event, TurnStarted):
                turn = event.turn
            elif isinstance(event, DamageDealt):
                seat = 1 - event.to
                own_turn = (turn + 1) // 2
                assert seat == first if turn % 2 else seat != first
                sums[seat] += event.amount
                assert sums[seat] <= own_turn * (own_turn + 1) // 2 or own_turn > 10


def test_fact_3_the_odds_of_the_first_hands() -> None:
    games = 4000
    cheap_first = cheap_second = no_dud = 0
    for seed in range(games):
        deck = ids(decks(dealt(TcgOptions(first=0, second_bonus=1), seed=seed).events)[0])
        cheap_first += bool({"d0", "d1"} & set(deck[:4]))
        cheap_second += bool({"d0", "d1"} & set(deck[:5]))
        no_dud += "d0" not in deck[:3]
    # Four standard errors of so many games.
    assert abs(cheap_first / games - 0.62436) < 0.031
    assert abs(cheap_second / games - 0.71827) < 0.029
    assert abs(no_dud / games - 0.71579) < 0.029


def first_wins(options: TcgOptions, games: int, choose: Chooser) -> tuple[float, float]:
    """The share of games that the first player wins, and the mean number of turns."""
    rng = Random(1)
    wins = turns = 0
    for seed in range(games):
        draft = dealt(options, seed=seed)
        state = draft.state
        while state.winner is None:
            move = choose(state, TCG.play.legal(state, state.active), rng)
            TCG.play.decide(draft, state.active, move, chance_of(seed, 2))
        wins += state.winner == options.first
        turns += state.turn
    return wins / games, turns / games


def dearest(state: Tcg, moves: Sequence[Move], rng: Random) -> Move:
    return max(moves, key=lambda move: state.book.pages[move.card].cost if isinstance(move, PlayCard) else -1)


def any_move(state: Tcg, moves: Sequence[Move], rng: Random) -> Move:
    return rng.choice(moves)


def test_fact_4_greedy_play_favours_the_first_player() -> None:
    wins, turns = first_wins(TcgOptions(first=0, second_bonus=1), 1500, dearest)
    assert abs(wins - 0.8803) < 0.034
    assert abs(turns - 15.131) < 0.1


def test_fact_5_random_play_favours_the_first_less() -> None:
    wins, turns = first_wins(TcgOptions(first=1, second_bonus=1), 1500, any_move)
    assert abs(wins - 0.60) < 0.06
    assert abs(turns - 19.5) < 0.5


def test_fact_5_random_play_with_minions() -> None:
    options = TcgOptions(first=0, second_bonus=1, variations=PRESETS["origin"].variations)
    wins, turns = first_wins(options, 700, any_move)
    assert abs(wins - 0.58) < 0.09
    assert abs(turns - 23.2) < 1.2

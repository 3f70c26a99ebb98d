"""The bots play as they promise (RULES 11)."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.domain.tcg.game import TCG
from fairdeal.domain.tcg.moves import END_TURN, Attack, Move, PlayCard
from fairdeal.domain.tcg.options import PRESETS, TcgOptions
from fairdeal.testing import given, play
from positions.tcg_positions import position_of

FULL = PRESETS["full"]
ORIGIN = PRESETS["origin"]
KATA = PRESETS["kata"]


def choice(bot: str, options: TcgOptions, *, enemy: dict[str, Any] | None = None, **own: Any) -> Move:
    """What the bot does on seat 0."""
    state = given(TCG, position_of({"active": "A", "A": {"slots": 10, **own}, "B": enemy or {}}), options=options).state
    move: Move = TCG.bots[bot](TCG.eyes.view(state, 0), TCG.play.legal(state, 0), Random(0))
    assert move in TCG.play.legal(state, 0)
    return move


def face(card: str) -> PlayCard:
    return PlayCard(card, "spell", "face")


def test_kamikaze_plays_the_dearest_card_it_can_pay_at_the_face() -> None:
    assert choice("kamikaze", KATA, mana=4, hand=["d1", "d4", "d5", "d3"]) == face("d4")
    assert choice("kamikaze", FULL, mana=5, hand=["folly", "d4", "mend"]) == face("folly")


def test_kamikaze_plays_duds_and_ends_its_turn_when_it_can_pay_nothing() -> None:
    assert choice("kamikaze", KATA, mana=0, hand=["d1", "d0"]) == face("d0")
    assert choice("kamikaze", KATA, mana=0, hand=["d1"]) == END_TURN
    assert choice("kamikaze", FULL, mana=9, hand=["mend", "peek"]) == END_TURN


def test_cautious_heals_below_20_with_the_cheapest_card_that_can() -> None:
    hand = ["d5", "d2", "d4"]
    assert choice("cautious", ORIGIN, mana=5, hand=hand, health=19) == PlayCard("d2", "heal")
    assert choice("cautious", ORIGIN, mana=5, hand=hand, health=20) == face("d5")
    assert choice("cautious", KATA, mana=5, hand=hand, health=1) == face("d5")
    assert choice("cautious", FULL, mana=6, hand=["elixir", "mend", "d1"], health=19) == PlayCard("mend")


def test_ai_heals_below_10_with_the_dearest_card_that_can() -> None:
    hand = ["d5", "d2", "d4"]
    assert choice("ai", ORIGIN, mana=4, hand=hand, health=9) == PlayCard("d4", "heal")
    assert choice("ai", FULL, mana=6, hand=["mend", "elixir", "d1"], health=9) == PlayCard("elixir")


@pytest.mark.parametrize(
    ("mana", "hand", "first"),
    [
        (5, ["d4", "d3", "d2"], "d3"),  # 3 + 2 hit harder than 4
        (5, ["d5", "d3", "d2"], "d3"),  # as hard as 5, with more cards
        (5, ["d5", "d4", "d0", "d1"], "d4"),  # 4 + 1 + 0
        (3, ["bolt", "spark", "d3"], "bolt"),  # damage counts, not cost: 4 + 3
        (0, ["d0", "d1"], "d0"),
    ],
)
def test_ai_plays_the_cards_that_together_hit_hardest_and_more_of_them_on_ties(
    mana: int, hand: list[str], first: str
) -> None:
    assert choice("ai", FULL, mana=mana, hand=hand, health=10) == face(first)


def test_ai_ends_its_turn_when_it_can_pay_nothing() -> None:
    assert choice("ai", KATA, mana=0, hand=["d1"]) == END_TURN


def test_commander_kills_when_it_can() -> None:
    ready = [{"card": "d4"}]
    enemy = {"health": 7, "board": [{"card": "d3", "attack": 9, "health": 1}]}
    assert choice("commander", FULL, mana=3, hand=["d3", "d2"], board=ready, enemy=enemy) == Attack(0, "face")
    assert choice("commander", FULL, mana=7, hand=["d4", "d3"], board=[], enemy=enemy) == face("d4")
    assert choice("commander", FULL, mana=2, hand=["d1", "bolt"], enemy={"health": 4}) == face("bolt")


def test_commander_trades_well() -> None:
    threat = {"board": [{"card": "d5", "health": 2}]}
    assert choice("commander", FULL, mana=0, board=[{"card": "d2"}], enemy=threat) == Attack(0, 0)
    dud = {"board": [{"card": "d0"}]}
    assert choice("commander", FULL, mana=0, board=[{"card": "d2"}], enemy=dud) == Attack(0, "face")
    giant = {"board": [{"card": "d8"}]}
    assert choice("commander", FULL, mana=0, board=[{"card": "d2"}], enemy=giant) == Attack(0, "face")


def test_commander_builds_its_board_and_never_with_duds() -> None:
    assert choice("commander", FULL, mana=4, hand=["d4", "d0"]) == PlayCard("d4", "minion")
    assert choice("commander", FULL, mana=0, hand=["d0"]) == face("d0")


def test_commander_shoots_minions_that_threaten() -> None:
    raider = {"board": [{"card": "raider"}]}
    assert choice("commander", FULL, mana=1, hand=["d1"], enemy=raider) == PlayCard("d1", "spell", 0)


def test_commander_heals_when_it_is_low_and_not_when_it_is_well() -> None:
    assert choice("commander", FULL, mana=3, hand=["mend"], health=5) == PlayCard("mend")
    assert choice("commander", FULL, mana=3, hand=["mend"]) == END_TURN
    assert choice("commander", ORIGIN, mana=0, hand=["d0"], health=5) == face("d0")


def test_commander_draws_cards_while_there_are_some() -> None:
    assert choice("commander", FULL, mana=2, hand=["study"]) == PlayCard("study")
    assert choice("commander", FULL, mana=2, hand=["study"], deck=[]) == END_TURN


def win_rate(bot: str, other: str, options: TcgOptions, games: int, rules: AnyRules = TCG) -> float:
    """How often the bot wins, on both seats in turn."""
    wins = 0
    for seed in range(games):
        bots: Sequence[str] = (bot, other) if seed % 2 else (other, bot)
        outcome = play(rules, options=options, seed=seed, bots=bots, keep_states=False).outcome
        wins += bots[outcome.winners[0]] == bot
    return wins / games


@pytest.mark.contest
def test_commander_beats_kamikaze_clearly_in_the_full_game() -> None:
    assert win_rate("commander", "kamikaze", FULL, 60) > 0.9


@pytest.mark.contest
def test_every_strategy_beats_random_play_in_the_basic_game() -> None:
    for bot in ("kamikaze", "cautious", "ai", "commander"):
        assert win_rate(bot, "random", KATA, 30) > 0.8


def test_strong_kills_when_it_can() -> None:
    assert choice("strong", KATA, mana=5, hand=["d2", "d5"], enemy={"health": 5}) == face("d5")
    assert choice("strong", FULL, mana=0, board=[{"card": "d4"}], enemy={"health": 4}) == Attack(0, "face")


def test_strong_plays_with_cards_that_no_usual_deck_holds() -> None:
    assert choice("strong", FULL, mana=9, hand=["meteor", "elixir"], enemy={"health": 12}) == face("meteor")
    assert choice("strong", ORIGIN, mana=2, hand=["d2"], health=1, enemy={"health": 30}) != END_TURN


@pytest.mark.contest
def test_strong_beats_careful_in_the_full_game() -> None:
    assert win_rate("strong", "careful", FULL, 10) >= 0.6

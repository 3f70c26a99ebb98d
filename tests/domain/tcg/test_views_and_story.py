"""What is shown, told and drawn (RULES 10)."""

from typing import Any

import pytest

from fairdeal.domain.tcg.cards import Card, CardDefinition, Kind, Mode
from fairdeal.domain.tcg.events import (
    BledOut,
    CardDrawn,
    CardOverloaded,
    CardPlayed,
    DamageDealt,
    DeckShuffled,
    HandDealt,
    ManaRefilled,
    ManaSlotGained,
    MinionAttacked,
    MinionDamaged,
    MinionDied,
    MinionPlaced,
    PlayerHealed,
    StartingPlayerChosen,
    TurnStarted,
)
from fairdeal.domain.tcg.game import TCG
from fairdeal.domain.tcg.moves import PlayCard
from fairdeal.domain.tcg.options import PRESETS
from fairdeal.domain.tcg.views import CardView
from fairdeal.testing import given
from positions.tcg_positions import position_of

NAMES = ("Ann", "Bea")
D2, D3 = Card(2, "d2"), Card(3, "d3")
POSITION = position_of(
    {
        "active": "A",
        "A": {
            "slots": 4,
            "mana": 3,
            "hand": ["raider", "d2", "mend", "peek"],
            "board": [{"card": "wall", "health": 2}, {"card": "d0"}],
            "discard": ["d1"],
        },
        "B": {"health": 12, "hand": ["d5", "d6"], "board": [{"card": "d4", "asleep": True}], "deck": ["d8"]},
    }
)
STATE = given(TCG, POSITION, options=PRESETS["full"]).state


def test_everybody_sees_counts_boards_discard_piles_health_and_mana() -> None:
    for viewer in (None, 0, 1):
        side = TCG.eyes.view(STATE, viewer).sides[1]
        assert (side.health, side.slots, side.mana, side.hand_size, side.deck_size) == (12, 0, 0, 2, 1)
        assert [(minion.card.id, minion.attack, minion.health, minion.asleep) for minion in side.board] == [
            ("d4", 4, 4, True)
        ]
        assert [card.id for card in TCG.eyes.view(STATE, viewer).sides[0].discard] == ["d1"]


def test_only_ones_own_hand_is_seen_with_what_is_printed_on_it() -> None:
    assert TCG.eyes.view(STATE, None).hand is None
    seen = TCG.eyes.view(STATE, 1).hand
    assert seen is not None
    assert [held.card.id for held in seen] == ["d5", "d6"]
    assert seen[0] == CardView(seen[0].card, CardDefinition("d5", Kind.DAMAGE, 5, 5))


def test_a_position_is_redacted_like_the_table() -> None:
    for viewer in (None, 0, 1):
        shown = TCG.eyes.redact(POSITION, viewer)
        for seat, side in enumerate(shown.sides):
            assert set(side.deck) == {None}
            assert (None in side.hand) == (seat != viewer)
            assert side.board == POSITION.sides[seat].board


def test_nobody_sees_the_order_of_a_deck_not_even_its_owner() -> None:
    for viewer in (None, 0, 1):
        assert TCG.eyes.redact(DeckShuffled(0, 0, (D2, D3)), viewer) == DeckShuffled(0, 0, (None, None))


def test_hands_and_draws_are_their_owners_secret() -> None:
    for event, shown in ((HandDealt(0, (D2,)), HandDealt(0, (None,))), (CardDrawn(0, D2), CardDrawn(0, None))):
        assert TCG.eyes.redact(event, 0) == event
        assert TCG.eyes.redact(event, 1) == TCG.eyes.redact(event, None) == shown


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (DeckShuffled(0, 0, (D2, D3)), "Ann has a deck of 2 cards, face down."),
        (StartingPlayerChosen(1, 2), "Bea is drawn to start."),
        (StartingPlayerChosen(1, None), "Bea starts."),
        (HandDealt(0, (D2, D3)), "Ann is dealt d2 d3."),
        (HandDealt(0, (None, None)), "Ann is dealt 2 cards."),
        (POSITION, "A position is laid out at turn 9; Ann is to move."),
        (TurnStarted(0, 7), "Turn 7: Ann."),
        (ManaSlotGained(0, 7), "Ann gains mana slot 7."),
        (ManaRefilled(0, 7), "Ann has 7 mana."),
        (CardDrawn(0, D2), "Ann draws d2."),
        (CardDrawn(0, None), "Ann draws a card."),
        (CardOverloaded(0, D2), "Ann's hand is full: d2 is discarded."),
        (BledOut(0, 1), "Ann has no card left to draw and bleeds for 1."),
        (CardPlayed(0, D2, Mode.SPELL, 2, None), "Ann plays d2 for 2."),
        (CardPlayed(0, D2, Mode.MINION, 2, None), "Ann plays d2 as a minion for 2."),
        (CardPlayed(0, D2, Mode.HEAL, 2, None), "Ann plays d2 to heal for 2."),
        (CardPlayed(0, D2, Mode.SPELL, 2, D3), "Ann plays d2 at d3 for 2."),
        (DamageDealt(1, 2), "Bea loses 2 health."),
        (PlayerHealed(1, 2), "Bea gains 2 health."),
        (MinionPlaced(0, D2, 2, 2), "Ann's d2 enters the board, 2/2, asleep."),
        (MinionAttacked(0, D2, None), "Ann's d2 attacks Bea."),
        (MinionAttacked(0, D2, D3), "Ann's d2 attacks Bea's d3."),
        (MinionDamaged(1, D3, 2), "Bea's d3 takes 2 damage."),
        (MinionDied(1, D3), "Bea's d3 dies."),
    ],
    ids=str,
)
def test_every_event_is_one_line(event: Any, line: str) -> None:
    assert TCG.voice.tell(event, NAMES) == line


def test_a_strangers_event_is_not_told() -> None:
    with pytest.raises(TypeError, match="does not know the event int"):
        TCG.voice.tell(7, NAMES)


def test_the_board_is_drawn_with_ones_own_side_below() -> None:
    assert TCG.voice.render(TCG.eyes.view(STATE, 0), NAMES).splitlines() == [
        "  Bea: health 12  mana 0/0  hand 2  deck 1  discard 0",
        "   board: [0 d4 4/4 zzz]",
        "──────────────────────────────── turn 9 ────────────────────────────────",
        "   board: [0 wall 1/2 !] [1 d0 0/1]",
        "→ Ann: health 30  mana 3/4  hand 4  deck 5  discard 1",
        "   hand: raider (2: hits 1 or is 4/1), d2 (2: hits 2), mend (3: heals 5), peek (1: draws 1)",
    ]


def test_a_spectator_sees_no_hand_and_the_winner_has_a_star() -> None:
    position = position_of({"active": "B", "A": {"health": 1}, "B": {"mana": 3, "hand": ["d3"]}})
    over = given(TCG, position).when(1, PlayCard("d3")).state
    assert TCG.voice.render(TCG.eyes.view(over, None), NAMES).splitlines() == [
        "★ Bea: health 30  mana 0/0  hand 0  deck 5  discard 1",
        "   board: –",
        "──────────────────────────────── turn 9 ────────────────────────────────",
        "   board: –",
        "  Ann: health -2  mana 0/0  hand 0  deck 5  discard 0",
    ]
    assert TCG.voice.render(TCG.eyes.view(over, 1), NAMES).endswith("hand: –")

"""What everybody sees, remembers and is told."""

import pytest

from fairdeal.domain.kernel.lifecycle import GameFinished
from fairdeal.domain.red7.cards import COLOURS, DECK, Card, Colour, cards
from fairdeal.domain.red7.events import (
    CardDiscarded,
    CardDrawn,
    CardPlayed,
    CardsDealt,
    CardTaken,
    PlayerEliminated,
    RoundWon,
    RuleChanged,
    TurnPassed,
)
from fairdeal.domain.red7.game import RED7
from fairdeal.domain.red7.moves import ChangeRule, EndTurn, GiveUp, PlayCard
from fairdeal.domain.red7.standings import DecidedBy
from fairdeal.testing.given import When
from positions.red7 import position, table

NAMES = ("Ann", "Ben")
LAID = position("V1 G6/O3 O2", "R6/Y6 Y7", deck="G3 G4")


def taken_and_drawn() -> When:
    """Ann's 1 puts Ben's Y7 on the deck, and Ben's 3 draws it."""
    taken = table(LAID, "actions").when(0, PlayCard("V1", target=1, take="Y7"))
    return taken.when(0, EndTurn()).when(1, PlayCard("O3"))


# -- views -----------------------------------------------------------------------------------------


def test_a_seat_sees_its_own_hand_and_only_the_size_of_others() -> None:
    state = table(LAID).state
    assert RED7.eyes.view(state, 0).hand == cards("V1 G6")
    assert RED7.eyes.view(state, None).hand is None
    assert [player.hand_size for player in RED7.eyes.view(state, None).players] == [2, 2]
    assert [player.known for player in RED7.eyes.view(state, 0).players] == [(), ()]
    assert RED7.eyes.view(state, 0).deck_top == ()


def test_a_card_put_on_the_deck_by_a_one_stays_known_to_all() -> None:
    taken = table(LAID, "actions").when(0, PlayCard("V1", target=1, take="Y7"))
    for viewer in (None, 0, 1):
        assert RED7.eyes.view(taken.state, viewer).deck_top == (Card.Y7,)
        assert Card.Y7 not in RED7.eyes.hidden(taken.state, viewer)


def test_who_draws_a_known_card_is_known_to_hold_it() -> None:
    drawn = taken_and_drawn()
    drawn.then(CardPlayed(1, Card.O3), CardDrawn(1, Card.Y7, seen=True))
    for viewer in (None, 0, 1):
        assert RED7.eyes.view(drawn.state, viewer).players[1].known == (Card.Y7,)
        assert RED7.eyes.redact(drawn.events[1], viewer) == drawn.events[1]
    assert Card.O2 in RED7.eyes.hidden(drawn.state, 0)


def test_the_view_says_who_leads_by_the_rule_in_force_and_by_every_other() -> None:
    view = RED7.eyes.view(table(LAID).state, None)
    assert view.standing is view.standings[0]
    assert [standing.colour for standing in view.standings] == list(COLOURS)
    assert [standing.leader for standing in view.standings] == [1, 1, 1, 0, 1, 1, None]
    indigo = view.standings[5]
    assert (indigo.cards, indigo.size, indigo.card) == (cards("Y7 Y6"), 2, Card.Y7)
    assert (indigo.decided_by, indigo.sizes) == (DecidedBy.COUNT, (1, 2))


def test_the_palette_of_one_who_is_out_leads_nowhere() -> None:
    laid = position("R1/O2/B2", "R6/Y6/R7", out=(2,))
    view = RED7.eyes.view(table(laid).state, 0)
    assert view.standing.leader == 0
    assert view.players[2].out


def test_a_view_says_when_only_giving_up_is_left_but_only_to_who_must() -> None:
    stuck = table(position("V1 V2/O2", "R6/R7 O7 Y7 Y1 Y2 Y3")).state
    assert RED7.eyes.view(stuck, 0).only_giving_up_is_left
    assert not RED7.eyes.view(stuck, 1).only_giving_up_is_left
    assert not RED7.eyes.view(stuck, None).only_giving_up_is_left


def test_a_view_says_that_a_five_is_pending() -> None:
    pending = table(position("Y5 O6 V2/O2", "B2/G6"), "actions").when(0, PlayCard("Y5"))
    view = RED7.eyes.view(pending.state, 1)
    assert view.must_play_again
    assert view.last_played is Card.Y5


# -- redaction -------------------------------------------------------------------------------------


def test_of_a_deal_one_sees_ones_hand_and_all_palette_cards() -> None:
    event = CardsDealt(0, 1, 2, 3, DECK[:10], 0)
    own = (*DECK[:4], None, None, None, DECK[7], None, None)
    assert RED7.eyes.redact(event, 0).deck == own
    assert RED7.eyes.redact(event, None).deck == (None, None, None, DECK[3], None, None, None, DECK[7], None, None)


def test_of_a_position_one_sees_ones_hand_and_the_table() -> None:
    shown = RED7.eyes.redact(LAID, 1)
    assert shown.hands == ((None, None), cards("O3 O2"))
    assert shown.deck == (None, None)
    assert shown.palettes == LAID.palettes


def test_a_drawn_card_is_its_owners_secret() -> None:
    event = CardDrawn(0, Card.R7, seen=False)
    assert RED7.eyes.redact(event, 0) == event
    assert RED7.eyes.redact(event, 1) == RED7.eyes.redact(event, None) == CardDrawn(0, None, seen=False)


# -- telling ---------------------------------------------------------------------------------------

LINES = [
    (CardsDealt(0, 1, 2, 7, DECK, 1), "Round 1: 7 cards each are dealt; Ben begins."),
    (LAID, "A position is laid out; Ann begins."),
    (CardPlayed(0, Card.G6), "Ann plays G6."),
    (RuleChanged(1, Card.I2), "Ben changes the rule to indigo, most in a row, with I2."),
    (CardTaken(0, 1, Card.Y7), "Ann takes Y7 from Ben's palette and puts it on the deck."),
    (CardDiscarded(0, Card.B1), "Ann's 7 sends B1 to the canvas: the rule is blue, most different colours."),
    (CardDrawn(0, Card.R7, seen=False), "Ann draws R7."),
    (CardDrawn(0, None, seen=False), "Ann draws a card."),
    (TurnPassed(1), "It is Ben's turn."),
    (PlayerEliminated(1), "Ben gives up and is out of the round."),
    (RoundWon(0, Colour.RED, (Card.R7,), 7), "Ann wins the round and scores 7 points: R7."),
    (RoundWon(0, Colour.RED, (Card.V1,), 1), "Ann wins the round and scores 1 point: V1."),
    (RoundWon(0, Colour.GREEN, (), 0), "Ann wins the round and scores nothing."),
]


@pytest.mark.parametrize(("event", "line"), LINES, ids=[type(event).__name__ for event, _ in LINES])
def test_every_event_has_its_line(event: object, line: str) -> None:
    assert RED7.voice.tell(event, NAMES) == line


def test_an_event_of_the_house_is_not_the_games_to_tell() -> None:
    with pytest.raises(TypeError):
        RED7.voice.tell(GameFinished((0,), (), ""), NAMES)


# -- drawing ---------------------------------------------------------------------------------------


def test_the_table_as_a_player_sees_it() -> None:
    assert RED7.voice.render(RED7.eyes.view(taken_and_drawn().state, 0), NAMES) == "\n".join(
        [
            "Rule: red, highest card   canvas: –   deck: 2",
            "  Ann  palette: R6 V1   hand: G6",
            "→ Ben  palette: Y6 O3   hand: 2 cards (Y7 among them)",
            "* red     Ann with R6",
            "  orange  Ann with R6",
            "  yellow  Ann with R6",
            "  green   Ann with R6",
            "  blue    Ann with R6 V1",
            "  indigo  Ann with R6",
            "  violet  Ben with O3",
        ]
    )


def test_the_drawing_shows_points_the_known_top_of_the_deck_and_who_is_out() -> None:
    laid = position("V1 G6/O3//", "R6/Y6 Y7//", deck="G3", out=(2, 3), scores="/R1/O7/")
    taken = table(laid, "match_actions").when(0, PlayCard("V1", target=1, take="Y7"))
    drawn = RED7.voice.render(RED7.eyes.view(taken.state, None), ("Ann", "Ben", "Cleo", "Dan"))
    assert "deck: 2 (top: Y7)" in drawn
    assert "  Cleo  out   points: 7" in drawn
    assert "→ Ann   palette: R6 V1   hand: 1 card   points: 0" in drawn


def test_the_drawing_says_that_nobody_leads_and_that_one_must_give_up() -> None:
    stuck = table(position("G7/O2/O1", "B5/Y7/G3", canvas="R1"))
    drawn = RED7.voice.render(RED7.eyes.view(stuck.state, 0), ("Ann", "Ben", "Cleo"))
    assert "  green   nobody" in drawn
    assert drawn.endswith("You can only give up.")


def test_after_the_end_nobody_is_in_turn() -> None:
    over = table(position("R1/G1", "R7/G3")).when(0, GiveUp())
    assert "→" not in RED7.voice.render(RED7.eyes.view(over.state, None), NAMES)


def test_the_rule_follows_the_canvas() -> None:
    changed = table(position("V5 B1/O3", "R2/Y6")).when(0, ChangeRule("V5"))
    assert RED7.eyes.view(changed.state, None).rule is Colour.VIOLET

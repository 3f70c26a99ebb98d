"""The kit for services: its sentences hold when they should, and fail when they should."""

from collections.abc import Iterator

import pytest

from fairdeal import AddBot, Fairdeal, StartGame
from fairdeal.domain.kernel.french_deck import Card
from fairdeal.domain.kernel.lifecycle import GameStarted, PlayerSeated
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.domain.kings_corners.events import CardDrawn, TurnPassed
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.kings_corners.moves import END_TURN, PlayCard
from fairdeal.domain.pardon.game import PARDON
from fairdeal.domain.red7.game import RED7
from fairdeal.domain.reviiyot.game import REVIIYOT
from fairdeal.domain.tcg.game import TCG
from fairdeal.testing import GivenGame, given_game, given_lobby, positions
from fairdeal.testing.positions import TcgMinion, TcgSide


@pytest.fixture
def fairdeal() -> Iterator[Fairdeal]:
    with Fairdeal("memory:") as opened:
        yield opened


def test_a_lobby_has_the_seats_and_terms_that_were_asked_for(fairdeal: Fairdeal) -> None:
    table = given_lobby(fairdeal, "red7", ["ann", "bob"], rated=False, clock={"move_seconds": 60})
    look = table.look()
    assert (look.phase, look.opener, look.players, look.rated) == ("lobby", "ann", ("ann", "bob"), False)
    assert look.clock is not None
    assert given_lobby(fairdeal, RED7).look().opener == "the host"
    assert given_lobby(fairdeal, RED7, ["ann"], opener="zoe").look().opener == "zoe"


def test_commands_follow_on_commands(fairdeal: Fairdeal) -> None:
    table = given_lobby(fairdeal, KINGS_CORNERS, ["ann"])
    started = (
        table.when_command({"command": "join_game", "player": "bob"})
        .then(PlayerSeated("bob", None, None))
        .when_command(AddBot(game_id=table.game_id, player="ann", bot="careful"))
        .then_shown_to("bob", PlayerSeated("bot:careful:1", None, None))
        .when_command(StartGame(game_id=table.game_id, player="ann"))
        .then_not_over()
    )
    assert isinstance(started.answer.events[0], GameStarted)
    table.when_command({"command": "join_game", "player": "cid"}).then_refused("already_started")


@pytest.fixture
def table(fairdeal: Fairdeal) -> "GivenGame[object, object]":
    position = positions.kings_corners("JD 2S / 3C 4C", deck="10D", N="QS")
    return given_game(fairdeal, "kings_corners", ["ann", "bob"], position=position)


def test_everybody_is_shown_what_they_may_see(table: "GivenGame[object, object]") -> None:
    drawn = table.when("ann", END_TURN).then(CardDrawn(0, Card.D10), TurnPassed(1))
    drawn.then_shown_to(0, CardDrawn(0, Card.D10), TurnPassed(1))
    for other in (1, "bob", None):
        drawn.then_shown_to(other, CardDrawn(0, None), TurnPassed(1))
    with pytest.raises(AssertionError, match="was shown"):
        drawn.then_shown_to(1, CardDrawn(0, Card.D10), TurnPassed(1))
    # What came later was not shown by this command.
    table.when("bob", END_TURN)
    drawn.then_shown_to(None, CardDrawn(0, None), TurnPassed(1))


def test_views_can_be_asked(fairdeal: Fairdeal) -> None:
    position = positions.kings_corners("JD 2S / 3C 4C", N="QS")
    table = given_game(fairdeal, KINGS_CORNERS, ["ann", "bob"], position=position)
    table.then_view(0, lambda view: len(view.hand or ()) == 2)
    played = table.when("ann", PlayCard("JD", "N"))
    played.then_view("ann", lambda view: len(view.hand or ()) == 1).then_view(None, lambda view: view.hand is None)
    with pytest.raises(AssertionError, match="does not hold"):
        played.then_view(0, lambda view: len(view.hand or ()) == 2)


def test_an_outcome_is_compared(fairdeal: Fairdeal) -> None:
    table = given_game(fairdeal, KINGS_CORNERS, ["ann", "bob"], position=positions.kings_corners("JD / 3C 4C", N="QS"))
    table.then_not_over()
    with pytest.raises(AssertionError, match="not over"):
        table.then_outcome([0])
    won = table.when("ann", PlayCard("JD", "N"))
    outcome = table.look().outcome
    assert outcome is not None
    won.then_outcome([0]).then_outcome([0], reason=outcome.reason, scores=outcome.scores)
    with pytest.raises(AssertionError, match="expected"):
        won.then_outcome([1])
    with pytest.raises(AssertionError, match="expected"):
        won.then_outcome([0], reason="luck")
    with pytest.raises(AssertionError, match="expected"):
        won.then_outcome([0], scores=[7, 7, 7])
    with pytest.raises(AssertionError, match="over"):
        won.then_not_over()


def test_after_a_refusal_nothing_follows(table: "GivenGame[object, object]") -> None:
    refused = table.when("bob", END_TURN).then_refused("not_your_turn")
    with pytest.raises(AssertionError, match="refused"):
        refused.then_shown_to(0)
    with pytest.raises(AssertionError, match="refused"):
        refused.then_view(0, lambda _: True)
    with pytest.raises(AssertionError, match="refused"):
        refused.then_outcome([0])
    with pytest.raises(AssertionError, match="refused"):
        refused.then_not_over()
    with pytest.raises(AssertionError, match="refused"):
        refused.when_command({"command": "leave_game", "player": "ann"})


@pytest.mark.parametrize(
    ("rules", "position"),
    [
        (KINGS_CORNERS, positions.kings_corners("JD 2S / 3C", N="QS")),
        (PARDON, positions.pardon("JC 4D / QD", table="3H", face_down="JS - KC / QH QS 2C", deck="5D")),
        (RED7, positions.red7("B6 R2 / G1 V3", "Y5 / O3", deck="I1 I2")),
        (REVIIYOT, positions.reviiyot("2C 3C / 2D 3D", deck="AS")),
        (TCG, positions.tcg(TcgSide(mana=3, slots=3, hand="d3 d1"), TcgSide(health=2))),
    ],
    ids=lambda value: value.kind if hasattr(value, "kind") else "",
)
def test_a_position_of_every_game_can_be_played(fairdeal: Fairdeal, rules: AnyRules, position: object) -> None:
    table = given_game(fairdeal, rules, ["ann", "bob"], position=position)
    look = table.look()
    player = look.players[look.active[0]]
    assert look.phase == "running"
    table.when(player, table.look(player).legal[0]).then_view(None, lambda view: view is not None)
    report = fairdeal.audit(table.game_id)
    assert (report.untouched.grade, report.legal.grade) == ("yes", "yes")


def test_minions_are_as_printed_unless_it_is_said_otherwise() -> None:
    board = (TcgMinion("d3"), TcgMinion("d3", attack=7, health=1, asleep=True))
    plain, changed = positions.tcg(TcgSide(board=board), TcgSide()).sides[0].board
    assert (plain.attack, plain.health, plain.asleep, plain.attacked) == (3, 3, False, False)
    assert (changed.attack, changed.health, changed.asleep) == (7, 1, True)


def test_a_position_for_other_seats_or_piles_is_an_error_of_the_test() -> None:
    with pytest.raises(AssertionError, match="no such piles"):
        positions.kings_corners("JD / 3C", north="QS")
    with pytest.raises(AssertionError, match="expected 2 seats"):
        positions.pardon("JC / QD", face_up="2C / 3C / 4C")

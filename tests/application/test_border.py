"""The border: what comes from outside is understood exactly or refused with the field's name."""

from typing import Any

import pytest

from fairdeal import Fairdeal, InvalidCommand
from fairdeal.application.border import parse_move, parse_options
from fairdeal.application.errors import UnknownKind
from fairdeal.domain.kernel.rules import NoOptions
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.kings_corners.moves import EndTurn, PlayCard


def faults_of(data: Any) -> dict[str, str]:
    with pytest.raises(InvalidCommand) as refused:
        parse_move(KINGS_CORNERS, data)
    return {fault.field: fault.message for fault in refused.value.faults}


def test_a_move_comes_by_its_name() -> None:
    assert parse_move(KINGS_CORNERS, {"move": "play", "card": "JD", "pile": "N"}) == PlayCard("JD", "N")
    assert parse_move(KINGS_CORNERS, EndTurn()) == EndTurn()


def test_a_misspelt_field_is_named_and_never_read_as_another_move() -> None:
    assert faults_of({"move": "play", "crad": "JD", "pile": "N"}) == {
        "card": "Field required",
        "crad": "unknown field",
    }


def test_an_extra_field_is_refused() -> None:
    assert faults_of({"move": "end_turn", "card": "JD"}) == {"card": "unknown field"}


def test_a_wrong_type_is_refused_and_not_converted() -> None:
    assert faults_of({"move": "play", "card": 7, "pile": "N"}) == {"card": "Input should be a valid string"}


@pytest.mark.parametrize("data", [{}, {"move": "fly"}, {"move": 3}, {"card": "JD"}])
def test_an_unknown_move_lists_the_known_ones(data: dict[str, Any]) -> None:
    assert "expected one of end_turn, move, play" in faults_of(data)["move"]


@pytest.mark.parametrize("data", [None, "play", 7, [], EndTurn])
def test_what_is_no_object_is_refused(data: Any) -> None:
    assert faults_of(data)["move"].startswith("expected an object")


def test_what_json_cannot_say_is_refused() -> None:
    assert "cannot be written as JSON" in str(faults_of({"move": "play", "card": {1, 2}, "pile": "N"}))


def test_options_by_default_by_preset_and_by_fields() -> None:
    for options in (None, "classic", {}, {"preset": "classic"}, NoOptions()):
        assert parse_options(KINGS_CORNERS, options) == NoOptions()


def test_an_unknown_preset_lists_the_known_ones() -> None:
    with pytest.raises(InvalidCommand, match="preset: there is no 'wild', expected one of classic"):
        parse_options(KINGS_CORNERS, "wild")


def test_an_unknown_option_is_named() -> None:
    with pytest.raises(InvalidCommand, match="jokers: unknown field"):
        parse_options(KINGS_CORNERS, {"jokers": 2})


def test_commands_as_plain_data(fairdeal: Fairdeal) -> None:
    answer = fairdeal.handle({"command": "open_game", "player": "ann", "kind": "kings_corners"})
    assert fairdeal.look(answer.game_id).phase == "lobby"


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"command": "dance"}, "command"),
        ({}, "command"),
        ({"command": "open_game", "player": "ann"}, "kind"),
        ({"command": "open_game", "player": "", "kind": "kings_corners"}, "player"),
        ({"command": "open_game", "player": "ann", "kind": "kings_corners", "colour": 1}, "colour"),
        ({"command": "make_move", "player": "ann", "game_id": "x", "move": {}}, "game_id"),
        ({"command": "reveal_entropy", "player": "ann", "game_id": "0" * 32, "entropy": "xyz"}, "entropy"),
    ],
)
def test_a_bad_command_names_its_field(fairdeal: Fairdeal, data: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidCommand) as refused:
        fairdeal.handle(data)
    assert field in [fault.field for fault in refused.value.faults]
    assert refused.value.code == "invalid_command"


def test_an_unknown_kind_lists_the_known_ones(fairdeal: Fairdeal) -> None:
    with pytest.raises(UnknownKind, match="kings_corners"):
        fairdeal.start_game("poker", ["ann", "bob"])


def test_a_bad_given_deck_is_refused(fairdeal: Fairdeal) -> None:
    with pytest.raises(InvalidCommand, match="deck"):
        fairdeal.start_game("kings_corners", ["ann", "bob"], deck=["AC", "ZZ"])

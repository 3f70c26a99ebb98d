"""The border: what comes from outside is understood exactly or refused with the field's name."""

from collections.abc import Callable, Iterator
from dataclasses import fields
from math import nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal import AbandonGame, Fairdeal, IllegalMove, InvalidCommand, JoinGame, OpenGame, QuickStart
from fairdeal.application.catalogue import KINDS
from fairdeal.application.commands.execution import to_stored
from fairdeal.application.commands.validation import parse, parse_move, parse_options, parse_position
from fairdeal.application.errors import UnknownKind
from fairdeal.domain.kernel.rules import AnyRules, NoOptions
from fairdeal.domain.kings_corners.events import PositionLaid
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.kings_corners.moves import EndTurn, PlayCard
from fairdeal.domain.pardon.game import PARDON
from fairdeal.domain.pardon.moves import PlayCards
from fairdeal.domain.red7.options import Red7Options
from fairdeal.domain.reviiyot.moves import Ask
from fairdeal.domain.reviiyot.options import PlaysBy, ReviiyotOptions
from fairdeal.domain.tcg.decks import DeckEntry, DeckList
from fairdeal.domain.tcg.moves import Attack
from fairdeal.domain.tcg.options import TcgOptions
from fairdeal.testing import changed


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


FIELDS = sorted(
    {field.name for rules in KINDS.values() for move in rules.stored.moves.values() for field in fields(move)}
)
SAID: st.SearchStrategy[Any] = st.recursive(
    st.one_of(
        *(st.none(), st.booleans(), st.integers(-1, 2), st.just(2**70), st.floats(), st.sampled_from(["JD", "N", ""])),
        *(st.text(max_size=2), st.just(b"JD"), st.just(1.0), st.just("1"), st.just("\ud800")),
    ),
    lambda inner: (
        st.lists(inner, max_size=3) | st.tuples(inner) | st.dictionaries(st.text(max_size=2), inner, max_size=2)
    ),
    max_leaves=4,
)


@given(data=st.data(), extra=st.dictionaries(st.sampled_from([*FIELDS, "x"]), SAID, max_size=1))
def test_what_is_read_quickly_is_what_the_strict_way_makes_of_it(data: st.DataObject, extra: dict[str, Any]) -> None:
    rules = data.draw(st.sampled_from(list(KINDS.values())))
    name, kind = data.draw(st.sampled_from(list(rules.stored.moves.items())))
    said = {field.name: data.draw(SAID) for field in fields(kind)} | extra

    def made(way: Callable[[], Any]) -> Any:
        try:
            found = way()
            return type(found), found
        except InvalidCommand as refused:
            return refused.faults

    assert made(lambda: parse_move(rules, {"move": name, **said})) == made(lambda: parse(kind, said, f"move {name!r}"))


@pytest.mark.parametrize(
    ("rules", "move"),
    [
        (KINGS_CORNERS, {"move": "play", "card": b"JD", "pile": "N"}),
        (PARDON, {"move": "play", "cards": {"AC"}}),
        (PARDON, {"move": "play", "cards": [b"AC"]}),
    ],
)
def test_what_json_cannot_say_is_not_a_move(rules: AnyRules, move: dict[str, Any]) -> None:
    with pytest.raises(InvalidCommand, match="cannot be written as JSON"):
        parse_move(rules, move)


def test_an_extra_field_is_refused() -> None:
    assert faults_of({"move": "end_turn", "card": "JD"}) == {"card": "unknown field"}


def test_a_wrong_type_is_refused_and_not_converted() -> None:
    assert faults_of({"move": "play", "card": 7, "pile": "N"}) == {"card": "Input should be a valid string"}


@pytest.mark.parametrize("data", [{}, {"move": "fly"}, {"move": 3}, {"card": "JD"}])
def test_an_unknown_move_lists_the_known_ones(data: dict[str, Any]) -> None:
    assert "expected one of end_turn, move, play" in faults_of(data)["move"]


@pytest.mark.parametrize("data", [None, "play", 7, [], EndTurn])
def test_what_is_not_an_object_is_refused(data: Any) -> None:
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


# -- what an attacker would send ---------------------------------------------------------------------------------------

LONE = "\ud800"
"""Half a character: Python can hold it, UTF-8 cannot."""
NO_OPTIONS: list[Any] = [5, True, 1.5, [], [None], [[]], {"preset": []}, {"preset": {}}, {"preset": None}, {1: 2}, LONE]


@pytest.mark.parametrize("options", NO_OPTIONS)
@pytest.mark.parametrize("kind", KINDS)
def test_options_that_are_none_are_refused(fairdeal: Fairdeal, kind: str, options: Any) -> None:
    for command in ({"command": "open_game"}, {"command": "quick_start", "players": ["ann", "bob"]}):
        with pytest.raises(InvalidCommand):
            fairdeal.handle({"player": "ann", "kind": kind, "options": options, **command})


@pytest.mark.parametrize("brings", [5, "rabbit", LONE, [], {}, {"strategy": "1"}])
@pytest.mark.parametrize("kind", ["kings_corners", "pardon", "red7"])
def test_nothing_is_brought_to_a_game_that_takes_nothing(fairdeal: Fairdeal, kind: str, brings: Any) -> None:
    game_id = fairdeal.handle(OpenGame(player="ann", kind=kind)).game_id
    with pytest.raises(IllegalMove) as refused:
        fairdeal.handle({"command": "join_game", "player": "ann", "game_id": str(game_id), "brings": brings})
    assert refused.value.code == "nothing_to_bring"
    with pytest.raises(IllegalMove) as refused:
        fairdeal.start_game(kind, ["ann", "bob"], brings={"ann": brings})
    assert refused.value.code == "nothing_to_bring"
    assert fairdeal.handle(JoinGame(player="ann", game_id=game_id)).version == 2


@pytest.mark.parametrize("kind", KINDS)
def test_who_brings_none_brings_nothing_and_nothing_is_stored_of_it(fairdeal: Fairdeal, kind: str) -> None:
    rules = KINDS[kind]
    nothing: dict[str, Any] = {"kind": kind, "player": "ann", "players": ("ann", "bob"), "command_id": "1"}
    stored = to_stored(rules, QuickStart(**nothing))
    assert to_stored(rules, QuickStart(**nothing, brings={"ann": None})) == stored
    answer = fairdeal.handle({"command": "quick_start", **nothing, "brings": {"ann": None, "bob": None}})
    assert fairdeal.handle(QuickStart(**nothing)) == answer
    fairdeal.handle(AbandonGame(player="ann", game_id=answer.game_id))
    assert fairdeal.audit(answer.game_id).good


def test_one_brings_something_and_the_other_none(fairdeal: Fairdeal) -> None:
    brings = {"ann": None, "bob": {"strategy": "2"}}
    game_id = fairdeal.start_game("reviiyot", ["ann", "bob"], brings=brings).game_id
    batch = fairdeal.codec.batch(fairdeal.ledger.records(game_id)[0])
    assert batch is not None
    assert batch.command["brings"] == {"bob": {"strategy": "2"}}


def wrong(value: Any) -> Any:
    """A value that type checkers would not let pass here."""
    return value


@pytest.mark.parametrize(
    ("kind", "options", "field"),
    [
        ("red7", Red7Options(hand_size=wrong(7.0)), "hand_size"),
        ("red7", Red7Options(actions=wrong(1)), "actions"),
        ("red7", Red7Options(targets=wrong((1, 2))), "targets.2"),
        ("red7", Red7Options(draw_rule=wrong(object())), "options"),
        ("red7", Red7Options(draw_rule=wrong(b"none")), "options"),
        ("reviiyot", ReviiyotOptions(n=True), "n"),
        ("tcg", TcgOptions(max_copies=wrong("4")), "max_copies"),
        ("tcg", TcgOptions(pool=wrong((1,))), "pool.0"),
    ],
)
def test_options_of_the_games_own_type_are_checked_too(fairdeal: Fairdeal, kind: str, options: Any, field: str) -> None:
    with pytest.raises(InvalidCommand) as refused:
        fairdeal.handle(OpenGame(player="ann", kind=kind, options=options))
    assert field in [fault.field for fault in refused.value.faults]


@pytest.mark.parametrize("kind", KINDS)
def test_options_of_the_games_own_type_come_through_as_they_are(kind: str) -> None:
    for options in KINDS[kind].setup.presets.values():
        assert parse_options(KINDS[kind], options) == options


@pytest.mark.parametrize(
    ("kind", "move", "field"),
    [
        ("reviiyot", Ask(seat=True, value="2"), "seat"),
        ("reviiyot", Ask(seat=wrong(1.0), value="2"), "seat"),
        ("reviiyot", Ask(seat=1, value=LONE), "value"),
        ("reviiyot", Ask(seat=1, value=wrong(object())), "move 'ask'"),
        ("reviiyot", Ask(seat=10**5000, value="2"), "move 'ask'"),
        ("reviiyot", Ask(seat=1, value=wrong(b"2")), "move 'ask'"),
        ("tcg", Attack(0, at=wrong(nan)), "at.int"),
        ("kings_corners", PlayCard(wrong(None), "N"), "card"),
        ("pardon", PlayCards(wrong("AC")), "cards"),
        ("red7", {"move": "play", "card": LONE}, "value"),
    ],
)
def test_moves_of_the_games_own_type_are_checked_too(fairdeal: Fairdeal, kind: str, move: Any, field: str) -> None:
    game_id = fairdeal.start_game(kind, ["ann", "bob"]).game_id
    with pytest.raises(InvalidCommand) as refused:
        fairdeal.move(game_id, "ann", move)
    assert field in [fault.field for fault in refused.value.faults]


def test_a_move_with_a_list_for_a_tuple_is_written_out_properly() -> None:
    assert parse_move(PARDON, PlayCards(wrong(["AC"]))) == PlayCards(("AC",))


def test_what_is_brought_and_a_position_are_checked_too(fairdeal: Fairdeal) -> None:
    with pytest.raises(InvalidCommand, match="strategy"):
        fairdeal.start_game("reviiyot", ["ann", "bob"], brings={"ann": PlaysBy(wrong("5"))})
    with pytest.raises(InvalidCommand, match="count"):
        deck = DeckList("Kata", (DeckEntry("d0", wrong(1.0)),))
        fairdeal.start_game("tcg", ["ann", "bob"], brings={"ann": deck})
    with pytest.raises(InvalidCommand, match="turn"):
        position = PositionLaid(((), ()), (), (), wrong("0"))
        fairdeal.start_game("kings_corners", ["ann", "bob"], position=position)


def test_a_game_without_positions_starts_from_none() -> None:
    bare: AnyRules = changed(KINGS_CORNERS, position=None)
    assert parse_position(bare, None) is None
    with pytest.raises(IllegalMove) as refused:
        parse_position(bare, {"turn": LONE})
    assert refused.value.code == "no_positions"


def texts_with(lone: str) -> Iterator[dict[str, Any]]:
    """Every place of a command that holds text."""
    ann = {"player": "ann", "game_id": "0" * 32}
    new = {"player": "ann", "kind": "reviiyot"}
    quick: dict[str, Any] = {"command": "quick_start", **new, "players": ["ann", "bob"]}
    yield {"command": lone}
    yield {"command": "open_game", **new, lone: 1}
    yield {"command": "open_game", **new, "player": lone}
    yield {"command": "open_game", **new, "command_id": lone}
    yield {"command": "open_game", **new, "kind": lone}
    yield {"command": "open_game", **new, "options": lone}
    yield {"command": "open_game", **new, "options": {lone: 1}}
    yield {**quick, "players": ["ann", lone]}
    yield {**quick, "brings": {lone: {"strategy": "1"}}}
    yield {**quick, "brings": {"ann": {"strategy": lone}}}
    yield {**quick, "deck": [lone]}
    yield {**quick, "position": {"deck": [lone]}}
    yield {"command": "join_game", **ann, "game_id": lone}
    yield {"command": "leave_game", **ann, "reason": lone}


@pytest.mark.parametrize("data", list(texts_with(LONE)), ids=ascii)
def test_half_a_character_is_refused_wherever_it_stands(fairdeal: Fairdeal, data: dict[str, Any]) -> None:
    with pytest.raises(InvalidCommand) as refused:
        fairdeal.handle(data)
    refused.value.message.encode()


@pytest.mark.parametrize("field", ["seal", "brings"])
def test_half_a_character_is_refused_at_an_open_table(fairdeal: Fairdeal, field: str) -> None:
    game_id = str(fairdeal.handle(OpenGame(player="ann", kind="tcg")).game_id)
    with pytest.raises(InvalidCommand):
        fairdeal.handle({"command": "join_game", "player": "ann", "game_id": game_id, field: LONE})


@pytest.mark.parametrize("name", [[], {}, None, 5, LONE])
def test_a_command_without_a_name_lists_the_known_ones(fairdeal: Fairdeal, name: Any) -> None:
    with pytest.raises(InvalidCommand, match="expected one of open_game"):
        fairdeal.handle({"command": name})


def test_a_bottomless_pit_is_refused(fairdeal: Fairdeal) -> None:
    pit: list[Any] = []
    for _ in range(100_000):
        pit = [pit]
    with pytest.raises(InvalidCommand, match="cannot be written as JSON"):
        fairdeal.start_game("reviiyot", ["ann", "bob"], deck=pit)
    with pytest.raises(InvalidCommand, match="cannot be written as JSON"):
        fairdeal.start_game("reviiyot", ["ann", "bob"], options={"n": pit})

"""The JSON Schemas of every kind: sound by themselves, and kept to by all that goes in and out."""

from collections.abc import Generator, Mapping
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from fairdeal import Fairdeal, FairdealError, kind_schema, to_plain
from fairdeal.application.catalogue import KINDS
from fairdeal.application.wire.schemas import schema_of
from fairdeal.testing.schema_check import fits
from kits.outside import OUTSIDE

ALL = {**KINDS, OUTSIDE.kind: OUTSIDE}
BUNDLES: Mapping[str, dict[str, Any]] = {kind: kind_schema(rules) for kind, rules in ALL.items()}


def validator(kind: str, name: str) -> Any:
    return Draft202012Validator(schema_of(BUNDLES[kind], name))


@pytest.fixture
def fairdeal() -> Generator[Fairdeal]:
    with Fairdeal("memory:", kinds=ALL) as fairdeal:
        yield fairdeal


@pytest.mark.parametrize("kind", ALL)
def test_every_schema_is_one(kind: str) -> None:
    Draft202012Validator.check_schema(BUNDLES[kind])
    for part in BUNDLES[kind]["$defs"].values():
        assert part.get("additionalProperties", False) is False or "properties" not in part


@pytest.mark.parametrize("kind", ALL)
def test_a_whole_game_keeps_to_its_schemas_by_both_checkers(fairdeal: Fairdeal, kind: str) -> None:
    rng, players = Random(3), ["ann", "bob"]
    answer = fairdeal.start_game(kind, players)
    game = answer.game_id
    said: list[tuple[str, Any]] = [("answer", answer)]
    while active := fairdeal.look(game).active:
        for viewer in (None, *players):
            said.append(("look", fairdeal.look(game, viewer)))
        player = players[active[0]]
        said.append(("answer", fairdeal.move(game, player, rng.choice(fairdeal.look(game, player).legal))))
    replay = fairdeal.replay(game, open_cards=True)
    said += [("look", fairdeal.look(game)), *(("frame", replay.go_to(at)) for at in range(replay.head + 1))]
    validators = {name: validator(kind, name) for name in ("look", "answer", "frame")}
    for name, value in said[:: max(1, len(said) // 100)]:
        plain = to_plain(value)
        validators[name].validate(plain)
        assert fits(BUNDLES[kind]["$defs"][name], plain, BUNDLES[kind])


COMMANDS: list[dict[str, Any]] = [
    {"command": "open_game", "player": "ann", "kind": "red7"},
    {"command": "open_game", "player": "ann", "kind": "red7", "options": "match"},
    {"command": "open_game", "player": "ann", "kind": "red7", "options": {"preset": "match", "hand_size": 5}},
    {"command": "quick_start", "player": "ann", "kind": "red7", "players": ["ann", "bob"], "brings": {}},
    {"command": "quick_start", "player": "ann", "kind": "red7", "players": ["ann", "bob"], "deck": None},
]
NO_COMMANDS = [
    {"command": "open_game", "kind": "red7"},
    {"command": "open_game", "player": "ann", "kind": "red8"},
    {"command": "open_game", "player": "ann", "kind": "red7", "options": "chess"},
    {"command": "open_game", "player": "ann", "kind": "red7", "options": {"hand_size": "5"}},
    {"command": "open_game", "player": "ann", "kind": "red7", "options": {"hands": 5}},
    {"command": "open_game", "player": "ann", "kind": "red7", "note": 1},
    {"command": "quick_start", "player": "ann", "kind": "red7", "players": ["ann", "bob"], "deck": ["X9"]},
    {"command": "quick_start", "player": "ann", "kind": "red7", "players": "ann"},
    {"command": "dance", "player": "ann"},
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_that_is_understood_keeps_to_its_schema(fairdeal: Fairdeal, command: dict[str, Any]) -> None:
    assert fairdeal.handle(command)
    validator("red7", "command").validate(command)


@pytest.mark.parametrize("command", NO_COMMANDS)
def test_a_command_that_is_not_understood_does_not(fairdeal: Fairdeal, command: dict[str, Any]) -> None:
    with pytest.raises(FairdealError) as caught:
        fairdeal.handle(command)
    assert caught.value.code in ("invalid_command", "unknown_kind")
    assert not validator("red7", "command").is_valid(command)


@pytest.mark.parametrize(
    "move",
    [
        {},
        {"move": "dance"},
        {"move": "end_turn", "card": "R7"},
        {"move": "change_rule"},
        {"move": "change_rule", "card": 7},
        {"card": "R7"},
    ],
)
def test_what_is_not_a_move_does_not_keep_to_the_schema_of_moves(fairdeal: Fairdeal, move: dict[str, Any]) -> None:
    game = fairdeal.start_game("red7", ["ann", "bob"]).game_id
    with pytest.raises(FairdealError) as caught:
        fairdeal.move(game, "ann", move)
    assert caught.value.code == "invalid_command"
    assert not validator("red7", "move").is_valid(move)


def test_moves_are_told_apart_by_their_names() -> None:
    move = BUNDLES["red7"]["$defs"]["move"]
    assert move["discriminator"]["propertyName"] == "move"
    assert list(move["discriminator"]["mapping"]) == list(KINDS["red7"].stored.moves)
    assert len(move["oneOf"]) == len(KINDS["red7"].stored.moves)


def test_what_is_brought_is_described_where_something_is_brought() -> None:
    assert BUNDLES["tcg"]["$defs"]["brought"] != {"type": "null"}
    assert BUNDLES["red7"]["$defs"]["brought"] == {"type": "null"}


def test_references_can_lead_to_where_a_host_keeps_its_schemas() -> None:
    bundle = kind_schema(KINDS["red7"], "#/components/schemas/red7.{name}")
    assert bundle["$defs"]["look"]["properties"]["view"]["anyOf"][0] == {"$ref": "#/components/schemas/red7.view"}

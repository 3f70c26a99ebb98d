"""Looks that are kept as they were written: nobody may get one that is old, or somebody else's."""

from random import Random

import pytest

from fairdeal import Fairdeal
from fairdeal.application.catalogue import KINDS
from fairdeal.application.wire.encoding import look_to_json
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.infrastructure.http.accounts import CLOSED, OPEN
from fairdeal.infrastructure.http.written_looks import SeenTable, WrittenLooks
from kits.http import Person, started_game, whose_turn


@pytest.mark.parametrize("rules", KINDS.values(), ids=KINDS)
def test_a_look_is_what_it_would_be_if_it_were_written_now(fairdeal: Fairdeal, rules: AnyRules) -> None:
    looks, players = WrittenLooks(), [f"player{seat}" for seat in range(rules.seats[0])]
    game, rng = fairdeal.start_game(rules.kind, players).game_id, Random(7)
    for _ in range(30):
        now = fairdeal.look(game)
        for player in (None, *players, *reversed(players), None):
            table = SeenTable(*fairdeal.queries.fresh(game, player), player)
            expected = look_to_json(fairdeal.look(game, player), names=players, spectators=OPEN)
            assert looks.written(table, names=players, spectators=OPEN) == expected
        if not now.active:
            break
        mover = players[rng.choice(now.active)]
        fairdeal.move(game, mover, rng.choice(fairdeal.look(game, mover).legal))


def test_other_names_and_other_spectators_are_written_anew(fairdeal: Fairdeal) -> None:
    looks = WrittenLooks()
    game = fairdeal.start_game("red7", ["a", "b"]).game_id
    table = SeenTable(*fairdeal.queries.fresh(game, "a"), "a")
    told = [(("Ann", "Bob"), OPEN), (("Anna", "Bob"), OPEN), (("Ann", "Bob"), CLOSED), (("Ann", "Bob"), OPEN)]
    for names, spectators in told:
        expected = look_to_json(table.look(), names=names, spectators=spectators)
        assert looks.written(table, names=names, spectators=spectators) == expected


def test_there_is_room_for_so_many_and_the_oldest_go_first(fairdeal: Fairdeal) -> None:
    games = [fairdeal.start_game("red7", ["a", "b"]).game_id for _ in range(5)]
    tables = [SeenTable(*fairdeal.queries.fresh(game, None), None) for game in games]
    size = len(WrittenLooks().written(tables[0], names=("a", "b"), spectators=OPEN))
    looks = WrittenLooks(room=size * 5 // 2)
    first = [looks.written(table, names=("a", "b"), spectators=OPEN) for table in tables]
    again = [looks.written(table, names=("a", "b"), spectators=OPEN) for table in reversed(tables)][::-1]
    assert again == first
    assert [one is other for one, other in zip(first, again, strict=True)] == [False, False, False, True, True]


def test_who_is_called_otherwise_is_so_in_the_next_look(ann: Person, bob: Person) -> None:
    game = started_game(ann, bob)
    assert bob.look(game)["names"] == ["Ann", "Bob"]
    ann.client.patch("/api/v1/me", json={"display_name": "Anna"}, headers=ann.headers)
    assert bob.look(game)["names"] == ["Anna", "Bob"]


def test_after_a_move_everybody_sees_the_new_table_and_only_their_own_cards(ann: Person, bob: Person) -> None:
    game = started_game(ann, bob, kind="kings_corners")  # a game that is not over after four moves
    for _ in range(4):
        before = ann.look(game)
        assert whose_turn(game, ann, bob).move(game).status_code == 200
        looks = [one.look(game) for one in (ann, bob)]
        assert looks[0]["version"] == looks[1]["version"] > before["version"]
        assert [look["seat"] for look in looks] == [0, 1]
        assert looks[0]["view"] != looks[1]["view"]
        seen_by_all = ann.client.get(f"/api/v1/games/{game}").json()
        assert (seen_by_all["seat"], seen_by_all["legal"]) == (None, [])


def test_who_has_left_a_closed_table_does_not_see_it_again(ann: Person, bob: Person) -> None:
    game = ann.post("/games", {"kind": "red7", "spectators": "closed", "seats": ["me"]}).json()["game"]
    assert bob.get(f"/games/{game}").status_code == 404
    assert ann.look(game)["spectators"] == "closed"
    for _ in range(2):
        assert bob.get(f"/games/{game}").status_code == 404
        assert ann.client.get(f"/api/v1/games/{game}").status_code == 404

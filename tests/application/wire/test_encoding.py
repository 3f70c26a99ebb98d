"""What a service hands on, written as JSON: exact fields, named moves and events, times that end in Z."""

import json
import re
from collections.abc import Generator
from datetime import UTC, datetime
from random import Random
from typing import Any
from uuid import UUID

import pytest

from fairdeal import Fairdeal, FairdealError, InvalidCommand, Receipt, StaleVersion, to_json, to_plain
from fairdeal.application.catalogue import KINDS
from fairdeal.application.projections.follower import Follower
from fairdeal.application.wire.encoding import MOST_LEGAL
from kits.readmodels import play

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
NOON_TEXT = "2026-01-01T12:00:00.000000Z"
LOOK = [
    *("game", "kind", "version", "phase", "options", "opener", "players", "names", "seat", "active", "view", "legal"),
    *("legal_total", "outcome", "clock", "rated", "spectators", "commitment", "seed", "receipt"),
]
EVENT = ["version", "name", "event", "line", "at", "by"]


@pytest.fixture
def fairdeal() -> Generator[Fairdeal]:
    with Fairdeal("memory:", clock=lambda: NOON) as fairdeal:
        yield fairdeal


def play_to_the_end(fairdeal: Fairdeal, game: UUID) -> None:
    rng = Random(1)
    while active := fairdeal.look(game).active:
        player = fairdeal.look(game).players[active[0]]
        fairdeal.move(game, player, rng.choice(to_plain(fairdeal.look(game, player))["legal"]))


def test_a_look_has_exactly_its_fields(fairdeal: Fairdeal) -> None:
    game = fairdeal.start_game("red7", ["ann", "bob"]).game_id
    look = fairdeal.look(game, "ann")
    plain = to_plain(look)
    assert list(plain) == LOOK
    assert plain["game"] == str(game)
    assert (plain["kind"], plain["phase"], plain["seat"]) == ("red7", "running", 0)
    assert plain["players"] == plain["names"] == ["ann", "bob"]
    assert plain["opener"] == "ann"
    assert plain["view"]["hand"] == [str(card) for card in look.view.hand]
    assert plain["legal_total"] == len(plain["legal"]) == len(look.legal)
    assert (plain["outcome"], plain["seed"]) == (None, None)
    assert plain["receipt"] == str(look.receipt)


def test_a_lobby_has_no_view_and_nobody_to_act(fairdeal: Fairdeal) -> None:
    game = fairdeal.handle({"command": "open_game", "player": "ann", "kind": "red7"}).game_id
    plain = to_plain(fairdeal.look(game))
    assert (plain["phase"], plain["view"], plain["active"], plain["legal"], plain["legal_total"]) == (
        *("lobby", None, [], [], 0),
    )


def test_a_move_without_fields_still_has_its_name(fairdeal: Fairdeal) -> None:
    game = fairdeal.start_game("red7", ["ann", "bob"]).game_id
    names = {move["move"] for move in to_plain(fairdeal.look(game, "ann"))["legal"]}
    names |= {move["move"] for move in to_plain(fairdeal.look(game, "bob"))["legal"]}
    assert "give_up" in names


@pytest.mark.parametrize("kind", KINDS)
def test_what_comes_out_as_a_legal_move_goes_in_unchanged_until_the_game_is_over(fairdeal: Fairdeal, kind: str) -> None:
    game = fairdeal.start_game(kind, ["ann", "bob"]).game_id
    play_to_the_end(fairdeal, game)
    assert to_plain(fairdeal.look(game))["outcome"].keys() == {"winners", "scores", "reason"}
    assert fairdeal.audit(game).good


def test_an_answer_has_its_events_by_their_stored_names(fairdeal: Fairdeal) -> None:
    game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
    answer = fairdeal.move(game, "ann", {"move": "end_turn"})
    plain = to_plain(answer)
    assert list(plain) == ["game", "version", "events", "receipt"]
    assert [event["name"] for event in plain["events"]] == [
        "kings_corners.card_drawn.v1",
        "kings_corners.turn_passed.v1",
    ]
    assert [event["version"] for event in plain["events"]] == [answer.version - 1, answer.version]
    assert all(list(event) == EVENT for event in plain["events"])
    assert plain["events"][1] == {
        "version": answer.version,
        "name": "kings_corners.turn_passed.v1",
        "event": {"to": 1},
        "line": "It is bob's turn.",
        "at": NOON_TEXT,
        "by": "ann",
    }


def test_a_repeated_command_is_answered_with_the_same_bytes(fairdeal: Fairdeal) -> None:
    game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
    command = {
        "command": "make_move",
        "game_id": game,
        "player": "ann",
        "command_id": "1",
        "move": {"move": "end_turn"},
    }
    first = to_json(fairdeal.handle(command))
    fairdeal.move(game, "bob", {"move": "end_turn"})
    assert to_json(fairdeal.handle(command)) == first


def test_a_frame_tells_what_happened_and_with_open_cards_where_they_are(fairdeal: Fairdeal) -> None:
    game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
    play_to_the_end(fairdeal, game)
    replay = fairdeal.replay(game, open_cards=True)
    nothing, dealt, ended = (to_plain(replay.go_to(version)) for version in (0, 5, replay.head))
    fields = ["game", "version", "at", "by", "line", "event", "view", "places", "outcome"]
    assert list(nothing) == list(dealt) == fields
    assert [nothing[name] for name in ("version", "at", "by", "event", "view", "places", "outcome")] == [
        *(0, None, None, None, None, [], None),
    ]
    assert list(dealt["event"]) == EVENT
    assert (dealt["by"], dealt["at"], dealt["line"]) == ("ann", NOON_TEXT, dealt["event"]["line"])
    assert {"name", "seat", "cards"} == dealt["places"][0].keys()
    assert ended["outcome"]["reason"]


def test_a_report_has_three_verdicts(fairdeal: Fairdeal) -> None:
    game = fairdeal.start_game("pardon", ["ann", "bob"]).game_id
    plain = to_plain(fairdeal.audit(game))
    assert list(plain) == ["game", "kind", "records", "good", "untouched", "fair", "legal"]
    assert plain["fair"].keys() == {"grade", "why", "record"}
    assert plain["good"] is True


def test_pages_have_items_and_a_cursor_and_times_end_in_z(fairdeal: Fairdeal) -> None:
    for seed in range(3):
        play(fairdeal, ["ann", "bob"], seed=seed)
    read = fairdeal.read
    pages = (
        *(read.games(limit=2), read.games_of("ann", limit=2), read.timeline(limit=2), read.ratings("kings_corners")),
        *(read.open_games(), read.dead_letters()),
    )
    for page in pages:
        assert list(to_plain(page)) == ["items", "next"]
    games, played, lines, ratings = (to_plain(page)["items"][0] for page in pages[:4])
    assert games["game"] == played["game"] == lines["game"]
    assert (played["seat"], played["result"] in ("won", "lost", "drawn")) == (0, True)
    assert [one["last_at"] for one in (games, played, ratings)] == [NOON_TEXT] * 3
    assert lines["at"] == NOON_TEXT
    assert to_plain(read.player("ann"))["player"] == "ann"
    assert to_plain(read.player("ann"))["statistics"][0]["last_at"] == NOON_TEXT
    assert to_plain(read.head_to_head("ann", "bob"))["total"]["last_at"] == NOON_TEXT
    assert to_plain(read.progress())["position"] == fairdeal.ledger.head()


def test_a_public_event_is_written_with_its_stored_name_and_its_table(fairdeal: Fairdeal) -> None:
    fairdeal.start_game("red7", ["ann", "bob"])
    follower = Follower(fairdeal.ledger, fairdeal.codec)
    seen = [to_plain(one) for one in follower.follow(fairdeal.ledger.since(0, 100))]
    assert seen[0]["name"] == "red7.game_opened.v2"
    assert (seen[0]["at"], seen[0]["event"]["seed"]) == (NOON_TEXT, None)
    assert (seen[-1]["table"]["seats"], seen[-1]["table"]["rated"]) == ([2, 4], False)


def test_errors_have_a_code_a_sentence_and_the_fields_that_are_wrong(fairdeal: Fairdeal) -> None:
    with pytest.raises(InvalidCommand) as caught:
        fairdeal.handle({"command": "open_game", "player": "", "kind": 7})
    plain = to_plain(caught.value)
    assert plain["code"] == "invalid_command"
    assert [fault["field"] for fault in plain["errors"]] == ["player", "kind"]
    stale: FairdealError = StaleVersion(UUID(int=1), 1, 2)
    assert to_plain(stale) == {"code": "stale_version", "detail": stale.message, "errors": []}


def test_results_may_stand_inside_lists_and_dicts(fairdeal: Fairdeal) -> None:
    answer = fairdeal.start_game("red7", ["ann", "bob"])
    look = fairdeal.look(answer.game_id)
    message = {"version": answer.version, "events": answer.seen, "look": look, "seen": [answer.receipt]}
    assert to_plain(message) == {
        "version": answer.version,
        "events": to_plain(answer)["events"],
        "look": to_plain(look),
        "seen": [str(answer.receipt)],
    }


def test_a_receipt_is_its_text(fairdeal: Fairdeal) -> None:
    receipt = fairdeal.start_game("red7", ["ann", "bob"]).receipt
    assert Receipt.read(to_plain(receipt)) == receipt


def test_of_very_many_legal_moves_only_some_are_listed(fairdeal: Fairdeal) -> None:
    players = [f"player {number}" for number in range(300)]
    game = fairdeal.start_game("reviiyot", players, {"n": 600}).game_id
    look = fairdeal.look(game, players[fairdeal.look(game).active[0]])
    plain = to_plain(look)
    assert len(look.legal) == plain["legal_total"] > len(plain["legal"]) == MOST_LEGAL


def test_plain_is_what_json_says(fairdeal: Fairdeal) -> None:
    look = fairdeal.look(fairdeal.start_game("tcg", ["ann", "bob"]).game_id, "ann")
    said: Any = json.loads(to_json(look))
    assert said == to_plain(look)


def test_no_time_is_written_in_another_way(fairdeal: Fairdeal) -> None:
    game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
    play_to_the_end(fairdeal, game)
    written = b"".join(
        to_json(value)
        for value in (fairdeal.read.games(), fairdeal.read.timeline(), fairdeal.read.player("ann"), fairdeal.look(game))
    )
    times = re.findall(rb'"(\d{4}-\d\d-\d\dT[^"]*)"', written)
    assert set(times) == {NOON_TEXT.encode()}

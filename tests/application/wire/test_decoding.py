"""What was written as JSON is read back as the same values: writing them again gives the same JSON."""

from collections.abc import Generator
from random import Random
from typing import Any

import pytest

from fairdeal import Fairdeal, UnknownKind, to_plain
from fairdeal.application.catalogue import KINDS
from fairdeal.application.wire.decoding import (
    WireDecoder,
    read_game,
    read_page,
    read_played_game,
    read_player,
    read_rating,
    read_report,
    read_timeline_entry,
)

DECODER = WireDecoder(KINDS)


@pytest.fixture
def fairdeal() -> Generator[Fairdeal]:
    with Fairdeal("memory:") as opened:
        yield opened


@pytest.mark.parametrize("kind", KINDS)
def test_looks_moves_answers_and_frames_of_a_whole_game_are_read_back(fairdeal: Fairdeal, kind: str) -> None:
    rng = Random(17)
    game = fairdeal.start_game(kind, ["ann", "bob"]).game_id
    while active := fairdeal.look(game).active:
        for viewer in ("ann", "bob", None):
            look = fairdeal.look(game, viewer)
            read = DECODER.look(to_plain(look))
            assert read == look
            assert to_plain(read) == to_plain(look)
        acting = fairdeal.look(game, fairdeal.look(game).players[active[0]])
        move = rng.randrange(len(acting.legal))
        assert DECODER.look(to_plain(acting)).legal[move] == acting.legal[move]
        answer = fairdeal.move(game, acting.players[active[0]], acting.legal[move])
        assert DECODER.answer(to_plain(answer)) == answer
    for open_cards in (False, True):
        replay = fairdeal.replay(game, None if open_cards else "bob", open_cards=open_cards)
        for version in range(0, replay.head + 1, 7):
            plain = to_plain(replay.go_to(version))
            assert to_plain(DECODER.frame(plain, kind)) == plain
    report = fairdeal.audit(game)
    assert to_plain(read_report(to_plain(report))) == to_plain(report)


def test_pages_of_the_read_side_are_read_back(fairdeal: Fairdeal) -> None:
    opened = fairdeal.handle({"command": "open_game", "player": "ann", "kind": "red7", "clock": {"move_seconds": 60}})
    for player in ("ann", "bob"):
        fairdeal.handle({"command": "join_game", "game_id": opened.game_id, "player": player})
    fairdeal.handle({"command": "start_game", "game_id": opened.game_id, "player": "ann"})
    assert DECODER.look(to_plain(fairdeal.look(opened.game_id))) == fairdeal.look(opened.game_id)
    fairdeal.handle({"command": "leave_game", "game_id": opened.game_id, "player": "ann"})
    read = fairdeal.read
    pages: list[tuple[Any, Any]] = [
        (read.games(), read_game),
        (read.games_of("bob"), read_played_game),
        (read.ratings("red7"), read_rating),
        (read.timeline(limit=3), read_timeline_entry),
    ]
    for page, reading in pages:
        assert page.items
        again = read_page(to_plain(page), reading)
        assert to_plain(again) == to_plain(page)
    assert read_player(to_plain(read.player("ann"))) == read.player("ann")


def test_kinds_and_events_that_are_not_at_hand_are_named(fairdeal: Fairdeal) -> None:
    game = fairdeal.start_game("red7", ["ann", "bob"]).game_id
    with pytest.raises(UnknownKind, match="red7"):
        WireDecoder({}).look(to_plain(fairdeal.look(game)))
    event = to_plain(fairdeal.events(game).events[0])
    with pytest.raises(UnknownKind, match=r"red7\.other"):
        DECODER.event({**event, "name": "red7.other"})

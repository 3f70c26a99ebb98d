"""What is new after a version: exactly the redacted log, whole, in order, and made once for everybody."""

import json
from collections.abc import Generator
from random import Random
from typing import Any
from uuid import UUID

import pytest

from fairdeal import Fairdeal, FairdealError, to_json, to_plain
from fairdeal.application.catalogue import KINDS
from fairdeal.application.log.links import NOTHING_YET
from fairdeal.application.log.record import Record
from fairdeal.testing.recorded import recorded_game
from kits.worlds import another_world, batches_of, without_its_end

PLAYERS = ["ann", "bob"]


@pytest.fixture
def fairdeal() -> Generator[Fairdeal]:
    with Fairdeal("memory:") as fairdeal:
        yield fairdeal


def play(fairdeal: Fairdeal, game: UUID, moves: int, seed: int = 1) -> None:
    rng = Random(seed)
    for _ in range(moves):
        active = fairdeal.look(game).active
        if not active:
            return
        player = fairdeal.look(game).players[active[0]]
        fairdeal.move(game, player, rng.choice(fairdeal.look(game, player).legal))


def redacted_log(fairdeal: Fairdeal, game: UUID, viewer: str | None) -> list[Any]:
    """The events as the export for this viewer shows them."""
    lines = [json.loads(line) for line in fairdeal.exports.export(game, viewer).splitlines()]
    records = [line for line in lines if "version" in line and "link" in line and "name" in line]
    return [json.loads(one["payload"])["event"] if one.get("payload") else one["event"] for one in records]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("viewer", [None, "ann", "bob"])
def test_a_viewer_sees_exactly_the_redacted_log(fairdeal: Fairdeal, kind: str, viewer: str | None) -> None:
    game = fairdeal.start_game(kind, PLAYERS).game_id
    play(fairdeal, game, 8)
    seen = to_plain(fairdeal.events(game, viewer))
    assert [event["version"] for event in seen["events"]] == list(range(1, seen["version"] + 1))
    if fairdeal.look(game).outcome is None:
        assert [event["event"] for event in seen["events"]] == redacted_log(fairdeal, game, viewer)


@pytest.mark.parametrize("kind", ["kings_corners", "tcg"])
def test_events_after_any_version_are_the_rest_with_times_and_names(fairdeal: Fairdeal, kind: str) -> None:
    game = fairdeal.start_game(kind, PLAYERS).game_id
    play(fairdeal, game, 10)
    everything = fairdeal.events(game, "ann").events
    for after in range(len(everything) + 1):
        assert fairdeal.events(game, "ann", after=after).events == everything[after:]


def test_in_the_middle_of_a_long_batch_its_beginning_is_found(fairdeal: Fairdeal) -> None:
    game = fairdeal.start_game("pardon", PLAYERS).game_id
    play(fairdeal, game, 10_000)
    records = fairdeal.records(game)
    branch = next(
        fairdeal.branch(game, version, "zoe").game_id
        for version in range(len(records) - 1, 0, -1)
        if can_branch(fairdeal, game, version)
    )
    seen = fairdeal.events(branch, after=fairdeal.look(branch).version - 1)
    assert (seen.events[0].by, len(seen.events)) == ("zoe", 1)


def can_branch(fairdeal: Fairdeal, game: UUID, version: int) -> bool:
    try:
        fairdeal.branch(game, version, "zoe")
    except FairdealError:
        return False
    return True


def test_what_is_asked_twice_is_made_once(fairdeal: Fairdeal) -> None:
    game = fairdeal.start_game("red7", PLAYERS).game_id
    assert fairdeal.events(game, "ann", after=2) is fairdeal.events(game, "ann", after=2)
    assert fairdeal.events(game, "ann", after=2) is not fairdeal.events(game, "bob", after=2)
    made: list[bytes] = []
    for _ in range(2):
        new = fairdeal.events(game, "ann", after=2)
        made.append(new.once("json", lambda new=new: to_json({"look": new.look()})))  # type: ignore[misc]
    assert made[0] is made[1]


def test_the_look_is_of_the_same_version_although_the_game_has_gone_on(fairdeal: Fairdeal) -> None:
    game = fairdeal.start_game("kings_corners", PLAYERS).game_id
    new = fairdeal.events(game, "ann")
    play(fairdeal, game, 3)
    assert new.look().version == new.version < fairdeal.look(game).version


@pytest.mark.parametrize(("after", "code"), [(99, "beyond_head"), (-1, "invalid_query")])
def test_a_version_that_is_not_there_is_refused(fairdeal: Fairdeal, after: int, code: str) -> None:
    game = fairdeal.start_game("red7", PLAYERS).game_id
    with pytest.raises(FairdealError) as caught:
        fairdeal.events(game, after=after)
    assert caught.value.code == code


def test_strangers_and_unknown_games_are_refused(fairdeal: Fairdeal) -> None:
    game = fairdeal.start_game("red7", PLAYERS).game_id
    for asked in ((game, "zoe"), (UUID(int=7), None)):
        with pytest.raises(FairdealError) as caught:
            fairdeal.events(*asked)
        assert caught.value.code in ("unknown_player", "unknown_game")


def test_whoever_comes_late_is_sent_what_the_others_were_sent(fairdeal: Fairdeal) -> None:
    game = fairdeal.start_game("kings_corners", PLAYERS).game_id
    sent: list[Any] = []
    for _ in range(10_000):
        sent += to_plain(fairdeal.events(game, "bob", after=len(sent)))["events"]
        if fairdeal.look(game).outcome is not None:
            break
        play(fairdeal, game, 1, seed=len(sent))
    assert sent == to_plain(fairdeal.events(game, "bob"))["events"]


# -- worlds that a viewer cannot tell apart --------------------------------------------------------------------------


def messages(records: list[Record], viewer: str | None) -> list[Any]:
    """What a follower is sent while the log grows, command by command; links alone differ for everybody."""
    sent: list[Any] = []
    with Fairdeal("memory:") as fairdeal:
        game, version, head = records[0].game_id, 0, NOTHING_YET
        for stored in batches_of(records):
            fairdeal.ledger.append(stored, continues=head)
            head = (stored[-1].version, stored[-1].link)
            eyes = viewer if viewer in fairdeal.look(game).players else None
            new = fairdeal.events(game, eyes, after=version)
            version = new.version
            sent.append({**to_plain(new), "look": {**to_plain(new.look()), "receipt": None}})
    return sent


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("viewer", [None, "ann", "bob"])
def test_worlds_that_a_viewer_cannot_tell_apart_give_equal_streams_message_by_message(
    kind: str, viewer: str | None
) -> None:
    compared = 0
    for number in range(6):
        one = without_its_end(recorded_game(KINDS[kind], number))
        other = another_world(one, viewer)
        if [record.payload for record in one] != [record.payload for record in other]:
            compared += 1
            assert messages(one, viewer) == messages(other, viewer)
    assert compared, "the worlds never differed"


def test_worlds_that_differ_in_what_a_viewer_sees_give_other_streams() -> None:
    one = without_its_end(recorded_game(KINDS["kings_corners"], 1))
    other = another_world(one, "ann")
    assert messages(one, "ann") == messages(other, "ann")
    assert messages(one, "bob") != messages(other, "bob")

"""The follower turns records into public events, however many games run side by side."""

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from fairdeal import Fairdeal
from fairdeal.application.errors import DamagedRecord
from fairdeal.application.log.record import Record
from fairdeal.application.projections.follower import Follower, short_name
from fairdeal.application.size_of import SMALLEST
from fairdeal.testing.workload import fill


@pytest.fixture
def busy() -> Iterator[Fairdeal]:
    with Fairdeal("memory:") as fairdeal:
        fill(fairdeal.ledger, fairdeal.codec, 400, tables=9)
        yield fairdeal


def test_a_game_that_fell_out_of_the_cache_is_read_again(busy: Fairdeal) -> None:
    records = busy.ledger.since(0, 1000)
    roomy, cramped = Follower(busy.ledger, busy.codec), Follower(busy.ledger, busy.codec, room=2)
    for one in records:
        assert cramped.follow([one]) == roomy.follow([one])
    assert len(cramped._games) <= 2  # pyright: ignore[reportPrivateUsage]


def test_games_of_one_page_that_have_no_room_together_are_followed_all_the_same(busy: Fairdeal) -> None:
    records = busy.ledger.since(0, 1000)
    roomy, cramped = Follower(busy.ledger, busy.codec), Follower(busy.ledger, busy.codec, room=3 * SMALLEST)
    taken_up: list[int] = []
    take_up = cramped._take_up  # pyright: ignore[reportPrivateUsage]

    def watched(number: int, record: Record, in_hand: Any) -> Any:
        followed = take_up(number, record, in_hand)
        taken_up.append(len(in_hand))
        return followed

    cramped._take_up = watched  # type: ignore[method-assign]  # pyright: ignore[reportPrivateUsage]
    assert cramped.follow(records) == roomy.follow(records)
    assert len(taken_up) > 9
    assert max(taken_up) <= 3
    assert len(cramped._games) <= 1  # what they take is measured when they are put back  # pyright: ignore[reportPrivateUsage]


def test_a_page_says_the_same_as_its_records_one_by_one(busy: Fairdeal) -> None:
    records = busy.ledger.since(0, 1000)
    one_by_one = Follower(busy.ledger, busy.codec)
    expected = [public_event for one in records for public_event in one_by_one.follow([one])]
    assert Follower(busy.ledger, busy.codec).follow(records) == expected


def test_after_an_error_all_games_of_the_page_are_as_they_are_stored(busy: Fairdeal) -> None:
    records = busy.ledger.since(0, 1000)
    expected = Follower(busy.ledger, busy.codec).follow(records)
    follower = Follower(busy.ledger, busy.codec)
    follower.follow(records[:200])
    position, record = records[300]
    with pytest.raises(DamagedRecord, match="cannot be read"):
        follower.follow([*records[200:300], (position, replace(record, payload=b"{"))])
    assert follower.follow(records[200:]) == expected[200:]


def test_a_record_of_another_kind_does_not_fit_its_game(busy: Fairdeal) -> None:
    position, record = busy.ledger.since(0, 1000)[-1]
    with pytest.raises(DamagedRecord, match="another kind of game"):
        Follower(busy.ledger, busy.codec).follow([(position, replace(record, name="chess.pawn_moved.v1"))])


def test_a_record_that_is_followed_again_after_a_rollback_says_the_same(busy: Fairdeal) -> None:
    follower = Follower(busy.ledger, busy.codec)
    records = busy.ledger.since(0, 1000)
    assert follower.follow(records) == follower.follow(records)


def test_following_can_begin_anywhere(busy: Fairdeal) -> None:
    records = busy.ledger.since(0, 1000)
    expected = Follower(busy.ledger, busy.codec).follow(records)[200:]
    assert Follower(busy.ledger, busy.codec).follow(records[200:]) == expected


def test_a_gap_in_a_game_is_an_error(busy: Fairdeal) -> None:
    position, record = busy.ledger.since(0, 1000)[-1]
    with pytest.raises(DamagedRecord, match="missing"):
        Follower(busy.ledger, busy.codec).follow([(position, replace(record, version=record.version + 1000))])


def test_a_game_must_begin_with_its_opening(busy: Fairdeal) -> None:
    records = busy.ledger.since(0, 1000)
    position, seated = next(one for one in records if "player_seated" in one[1].name)
    with pytest.raises(DamagedRecord, match="opening"):
        Follower(busy.ledger, busy.codec).follow([(position, replace(seated, version=1))])


def test_events_are_called_by_their_short_names() -> None:
    assert short_name("kings_corners.card_played.v12") == "card_played"

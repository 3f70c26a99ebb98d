"""The follower turns records into public events, however many games run side by side."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from fairdeal import Fairdeal
from fairdeal.application.errors import DamagedRecord
from fairdeal.application.projections.follower import Follower, short_name
from fairdeal.testing.workload import fill


@pytest.fixture
def busy() -> Iterator[Fairdeal]:
    with Fairdeal("memory:") as fairdeal:
        fill(fairdeal.ledger, fairdeal.codec, 400, tables=9)
        yield fairdeal


def test_a_game_that_fell_out_of_the_cache_is_read_again(busy: Fairdeal) -> None:
    records = busy.ledger.since(0, 1000)
    roomy, cramped = Follower(busy.ledger, busy.codec), Follower(busy.ledger, busy.codec, room=2)
    for position, record in records:
        assert cramped.follow(position, record) == roomy.follow(position, record)
    assert len(cramped._games) <= 2  # pyright: ignore[reportPrivateUsage]


def test_a_record_that_is_followed_again_after_a_rollback_says_the_same(busy: Fairdeal) -> None:
    follower = Follower(busy.ledger, busy.codec)
    records = busy.ledger.since(0, 1000)
    first = [follower.follow(position, record) for position, record in records]
    assert [follower.follow(position, record) for position, record in records] == first


def test_following_can_begin_anywhere(busy: Fairdeal) -> None:
    records = busy.ledger.since(0, 1000)
    whole = Follower(busy.ledger, busy.codec)
    expected = [whole.follow(position, record) for position, record in records][200:]
    late = Follower(busy.ledger, busy.codec)
    assert [late.follow(position, record) for position, record in records[200:]] == expected


def test_a_gap_in_a_game_is_an_error(busy: Fairdeal) -> None:
    position, record = busy.ledger.since(0, 1000)[-1]
    with pytest.raises(DamagedRecord, match="missing"):
        Follower(busy.ledger, busy.codec).follow(position, replace(record, version=record.version + 1000))


def test_a_game_must_begin_with_its_opening(busy: Fairdeal) -> None:
    records = busy.ledger.since(0, 1000)
    position, seated = next(one for one in records if "player_seated" in one[1].name)
    with pytest.raises(DamagedRecord, match="opening"):
        Follower(busy.ledger, busy.codec).follow(position, replace(seated, version=1))


def test_events_are_called_by_their_short_names() -> None:
    assert short_name("kings_corners.card_played.v12") == "card_played"

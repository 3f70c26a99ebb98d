"""Turns: taken one after the other, given back whatever happens, and nobody is woken for nothing."""

from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from fairdeal.application.time_limit import TimeLimit
from fairdeal.application.turns import Turns


def test_one_place_is_taken_once() -> None:
    turns, one, other = Turns(), Lock(), Lock()
    with one, other:
        assert turns.try_to_take(one)
        assert not turns.try_to_take(other)
        turns.leave(one)
        assert turns.try_to_take(other)


def test_a_few_places_are_taken_by_a_few() -> None:
    turns, places = Turns(2), [Lock() for _ in range(3)]
    for place in places:
        place.acquire()
    assert [turns.try_to_take(place) for place in places] == [True, True, False]


def test_who_is_gone_without_leaving_has_no_place() -> None:
    turns, gone, other = Turns(), Lock(), Lock()
    with gone:
        assert turns.try_to_take(gone)
    with other:
        assert turns.take(other, TimeLimit(0))


def test_who_waits_longer_than_they_want_to_gets_no_place() -> None:
    turns, one, other = Turns(), Lock(), Lock()
    with one, other:
        assert turns.try_to_take(one)
        assert not turns.take(other, TimeLimit(0.01))
        turns.leave(one)
        assert turns.take(other, TimeLimit(0))


def test_who_leaves_without_a_place_wakes_nobody() -> None:
    turns, one, reader = Turns(), Lock(), Lock()
    bell = Lock()
    with one, bell, reader:
        assert turns.try_to_take(one)
        turns._bells.append(bell)  # pyright: ignore[reportPrivateUsage] — nothing else shows who was woken
        turns.leave(reader)
        assert bell.locked()
        turns._bells.clear()  # pyright: ignore[reportPrivateUsage]


def test_nobody_has_the_turn_together_with_somebody_else() -> None:
    turns, count = Turns(), [0]

    def add(times: int) -> None:
        for _ in range(times):
            here = Lock()
            with here:
                assert turns.take(here, TimeLimit(30))
                try:
                    before = count[0]
                    count[0] = before + 1
                finally:
                    turns.leave(here)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, [500] * 8))
    assert count == [4000]

"""InterruptSafeSemaphore: taken one after the other, given back whatever happens, and nobody is woken for nothing."""

from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from fairdeal.application.semaphore import InterruptSafeSemaphore
from fairdeal.application.time_limit import TimeLimit


def test_one_place_is_taken_once() -> None:
    semaphore, one, other = InterruptSafeSemaphore(), Lock(), Lock()
    with one, other:
        assert semaphore.try_acquire(one)
        assert not semaphore.try_acquire(other)
        semaphore.release(one)
        assert semaphore.try_acquire(other)


def test_a_few_places_are_taken_by_a_few() -> None:
    semaphore, places = InterruptSafeSemaphore(2), [Lock() for _ in range(3)]
    for place in places:
        place.acquire()
    assert [semaphore.try_acquire(place) for place in places] == [True, True, False]


def test_who_is_gone_without_leaving_has_no_place() -> None:
    semaphore, gone, other = InterruptSafeSemaphore(), Lock(), Lock()
    with gone:
        assert semaphore.try_acquire(gone)
    with other:
        assert semaphore.acquire(other, TimeLimit(0))


def test_who_waits_longer_than_they_want_to_gets_no_place() -> None:
    semaphore, one, other = InterruptSafeSemaphore(), Lock(), Lock()
    with one, other:
        assert semaphore.try_acquire(one)
        assert not semaphore.acquire(other, TimeLimit(0.01))
        semaphore.release(one)
        assert semaphore.acquire(other, TimeLimit(0))


def test_who_leaves_without_a_place_wakes_nobody() -> None:
    semaphore, one, reader = InterruptSafeSemaphore(), Lock(), Lock()
    wakeup = Lock()
    with one, wakeup, reader:
        assert semaphore.try_acquire(one)
        semaphore._waiting.append(wakeup)  # pyright: ignore[reportPrivateUsage] — nothing else shows who was woken
        semaphore.release(reader)
        assert wakeup.locked()
        semaphore._waiting.clear()  # pyright: ignore[reportPrivateUsage]


def test_nobody_has_a_place_together_with_somebody_else() -> None:
    semaphore, count = InterruptSafeSemaphore(), [0]

    def add(times: int) -> None:
        for _ in range(times):
            here = Lock()
            with here:
                assert semaphore.acquire(here, TimeLimit(30))
                try:
                    before = count[0]
                    count[0] = before + 1
                finally:
                    semaphore.release(here)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, [500] * 8))
    assert count == [4000]

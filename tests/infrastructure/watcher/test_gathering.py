"""Commands are gathered until a loop has nothing new: what is on its way comes along, and nobody waits for long."""

import asyncio
import random
import threading
import time
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from fairdeal.application.commands.handlers import Answer, Outcome, Sent
from fairdeal.application.errors import LedgerUnavailable
from fairdeal.application.time_limit import TimeLimit
from fairdeal.infrastructure.command_pool import CommandPool, Steps

PATIENCE = 30.0
AGES = 10 * PATIENCE


@pytest.fixture
def for_ages(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop waits until it is quiet, however long that takes: no test can pass because its time is over."""
    monkeypatch.setattr("fairdeal.infrastructure.command_pool.MOST_SECONDS", AGES)


def run(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(story(), PATIENCE))


def in_time(wait: Callable[[], None]) -> None:
    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert not thread.is_alive()


def steps(number: int) -> Steps[Any]:
    answer: Answer = yield Sent({"n": number}, None, None, TimeLimit(PATIENCE))
    return answer


class Groups:
    """Answers commands with their numbers, those below zero with a refusal, and remembers which came together."""

    def __init__(self) -> None:
        self.groups: list[list[int]] = []
        self.before: Callable[[list[int]], object] = len

    def __call__(self, sent: Sequence[Sent], done: Callable[[int, Outcome], object]) -> Sequence[tuple[int, Sent]]:
        numbers = [int(one.command["n"]) for one in sent if isinstance(one.command, dict)]
        self.groups.append(numbers)
        refused = [at for at, number in enumerate(numbers) if number < 0]
        for at in refused:
            done(at, LedgerUnavailable("refused"))
        self.before(numbers)
        for at, number in enumerate(numbers):
            if at not in refused:
                answer: Any = number
                done(at, answer)
        return ()


@contextmanager
def commands(groups: Groups, threads: int = 4) -> Generator[CommandPool]:
    pool = CommandPool(groups, threads, "commands")
    yield pool
    in_time(pool.shutdown)


@pytest.mark.usefixtures("for_ages")
def test_those_who_ask_turn_after_turn_when_others_were_answered_are_stored_together() -> None:
    groups = Groups()
    with commands(groups, threads=1) as pool:

        async def story() -> None:
            for _ in range(20):
                await asyncio.gather(pool.send(steps(1)), pool.send(steps(2)))
                others: list[asyncio.Future[Any]] = []
                for number in range(3, 9):
                    others.append(pool.send(steps(number)))
                    await asyncio.sleep(0)
                assert [await other for other in others] == [3, 4, 5, 6, 7, 8]

        run(story)
    assert groups.groups == [[1, 2], [3, 4, 5, 6, 7, 8]] * 20


@pytest.mark.usefixtures("for_ages")
def test_whoever_came_meanwhile_is_stored_with_whoever_was_alone_and_asks_again() -> None:
    groups = Groups()
    release = threading.Event()
    groups.before = lambda _: release.wait(PATIENCE)
    with commands(groups, threads=1) as pool:

        async def story() -> None:
            first = pool.send(steps(1))
            while not groups.groups:
                await asyncio.sleep(0)
            second = pool.send(steps(2))
            await asyncio.sleep(0)
            release.set()
            await first
            assert list(await asyncio.gather(second, pool.send(steps(1)))) == [2, 1]

        run(story)
    assert groups.groups == [[1], [2, 1]]


def test_whoever_is_alone_waits_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[object] = []

    def wait(*given: object) -> None:
        waits.append(given)

    monkeypatch.setattr(CommandPool, "_wait_for_others", wait)
    groups = Groups()
    with commands(groups) as pool:

        async def story() -> None:
            for number in range(200):
                assert await pool.send(steps(number)) == number

        run(story)
    assert groups.groups == [[number] for number in range(200)]
    assert not waits


def test_when_several_are_held_up_another_thread_does_what_comes_and_is_not_held_up_itself() -> None:
    groups = Groups()
    release = threading.Event()
    groups.before = lambda numbers: 1 in numbers and release.wait(PATIENCE)
    with commands(groups, threads=2) as pool:

        async def story() -> None:
            held_up = [pool.send(steps(1)), pool.send(steps(2))]
            while not groups.groups:
                await asyncio.sleep(0)
            for _ in range(5):
                assert list(await asyncio.gather(pool.send(steps(3)), pool.send(steps(4)))) == [3, 4]
            assert not any(one.done() for one in held_up)
            release.set()
            assert await asyncio.gather(*held_up) == [1, 2]

        run(story)


def test_closing_in_the_loop_itself_does_what_was_asked_for() -> None:
    groups = Groups()

    async def story() -> None:
        for _ in range(50):
            pool = CommandPool(groups, 2, "commands")
            await asyncio.gather(pool.send(steps(1)), pool.send(steps(2)))
            told = [pool.send(steps(number)) for number in (3, 4)]
            pool.shutdown()  # this loop has no turn in which it could begin with them
            assert await asyncio.gather(*told) == [3, 4]

    run(story)


async def many_ask(pool: CommandPool, chance: random.Random, callers: int, each: int) -> None:
    """Some give up, some have a deadline, some are refused, some rest; whoever stays gets their own answer."""

    async def call(caller: int) -> None:
        for at in range(each):
            number = caller * each + at + 1
            match chance.randrange(8):
                case 0:
                    gone = asyncio.ensure_future(pool.send(steps(number)))
                    await asyncio.sleep(chance.choice((0, 0, 0.0005)))
                    gone.cancel()
                case 1:
                    with suppress(TimeoutError):
                        await asyncio.wait_for(pool.send(steps(number)), chance.uniform(0, 0.003))
                case 2:
                    with pytest.raises(LedgerUnavailable):
                        await pool.send(steps(-number))
                case 3:
                    await asyncio.sleep(chance.uniform(0, 0.002))
                    assert await pool.send(steps(number)) == number
                case _:
                    assert await pool.send(steps(number)) == number

    await asyncio.wait_for(asyncio.gather(*(call(caller) for caller in range(callers))), PATIENCE)


@pytest.mark.parametrize("threads", [1, 3])
def test_many_callers_of_several_loops_who_come_and_go_all_get_their_answers(threads: int) -> None:
    groups = Groups()
    pauses = random.Random(3)
    groups.before = lambda _: time.sleep(pauses.choice((0, 0, 0.0003, 0.006)))
    wrong: list[BaseException] = []

    def loop_of(seed: int) -> None:
        try:
            for again in range(3):  # one loop after the other, each closed while others ask
                asyncio.run(many_ask(pool, random.Random(seed + again), callers=8, each=12))
        except BaseException as error:
            wrong.append(error)

    with commands(groups, threads) as pool:
        loops = [threading.Thread(target=loop_of, args=(seed,), daemon=True) for seed in (10, 20, 30)]
        for one in loops:
            one.start()
        for one in loops:
            one.join(4 * PATIENCE)
            assert not one.is_alive()
    assert not wrong


def test_a_loop_that_is_closed_while_others_ask_keeps_nobody_waiting() -> None:
    groups = Groups()
    with commands(groups, threads=1) as pool:
        for _ in range(30):
            gone = asyncio.new_event_loop()

            async def ask_and_go() -> None:
                for number in (1, 2, 3):
                    pool.send(steps(number))
                await asyncio.sleep(0)

            gone.run_until_complete(ask_and_go())
            gone.close()

            async def story() -> None:
                assert await asyncio.gather(*(pool.send(steps(number)) for number in (4, 5))) == [4, 5]

            run(story)

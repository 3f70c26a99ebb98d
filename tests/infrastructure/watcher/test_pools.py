"""The threads for calls that are awaited: few of them, and nobody waits for somebody else's long call."""

import asyncio
import concurrent.futures
import threading
import time
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any

import pytest

from fairdeal import Fairdeal, LedgerUnavailable
from fairdeal.application.commands.handlers import Answer, Outcome, Sent
from fairdeal.application.time_limit import TimeLimit
from fairdeal.infrastructure.call_pool import CallPool
from fairdeal.infrastructure.command_pool import CommandPool, Steps
from kits.waiting import until

PATIENCE = 30.0
WHO: ContextVar[str] = ContextVar("WHO", default="nobody")


@contextmanager
def calls(threads: int) -> Generator[CallPool]:
    pool = CallPool(threads, "calls")
    yield pool
    pool.shutdown()


def run(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(story(), PATIENCE))


@pytest.fixture
def nobody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    """No loop looks after three milliseconds whether an answer lies about."""
    monkeypatch.setattr("fairdeal.infrastructure.call_pool.HELD_UP_SECONDS", 10 * PATIENCE)


@pytest.mark.usefixtures("nobody_watches")
def test_short_calls_are_all_done_by_one_thread_in_their_order() -> None:
    with calls(8) as pool:
        done: list[int] = []

        def do(number: int) -> int:
            done.append(number)
            return threading.get_ident()

        async def story() -> None:
            for start in range(0, 300, 100):
                told = [pool.run(partial(do, number)) for number in range(start, start + 100)]
                assert len(set(await asyncio.gather(*told))) == 1

        run(story)
        assert done == list(range(300))


def test_nobody_waits_for_somebody_elses_long_call() -> None:
    with calls(3) as pool:
        release = threading.Event()

        async def story() -> None:
            long = [pool.run(release.wait) for _ in range(2)]
            assert await pool.run(lambda: "short") == "short"
            assert not any(one.done() for one in long)
            release.set()
            assert await asyncio.gather(*long) == [True, True]

        run(story)


def test_an_answer_comes_also_while_the_next_call_is_held_up() -> None:
    with calls(1) as pool:
        release = threading.Event()

        async def story() -> None:
            first, second = pool.run(lambda: "first"), pool.run(release.wait)
            assert await first == "first"
            assert not second.done()
            release.set()
            await second

        run(story)


def test_there_are_never_more_threads_than_allowed() -> None:
    with calls(2) as pool:
        release = threading.Event()

        async def story() -> None:
            waiting = [pool.run(release.wait) for _ in range(20)]
            await asyncio.sleep(0.1)
            assert len([thread for thread in threading.enumerate() if thread.name.startswith("calls_")]) == 2
            release.set()
            assert all(await asyncio.gather(*waiting))

        run(story)


def test_one_loop_after_the_other_and_two_at_once_may_use_it() -> None:
    with calls(4) as pool:

        async def story() -> None:
            assert await asyncio.gather(*(pool.run(lambda n=n: n) for n in range(50))) == list(range(50))  # type: ignore[misc]

        for _ in range(3):
            run(story)
        others = [threading.Thread(target=run, args=(story,)) for _ in range(4)]
        for other in others:
            other.start()
        for other in others:
            other.join(PATIENCE)
            assert not other.is_alive()


def test_errors_and_those_who_gave_up_disturb_nobody() -> None:
    with calls(1) as pool:
        release = threading.Event()

        def fail() -> None:
            raise KeyError("no")

        async def story() -> None:
            gone, failing, good = pool.run(release.wait), pool.run(fail), pool.run(lambda: 7)
            gone.cancel()
            release.set()
            with pytest.raises(KeyError):
                await failing
            assert await good == 7

        run(story)


class Elsewhere:
    """Another loop, in a thread of its own."""

    def __enter__(self) -> "Elsewhere":
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        self.loop.close()

    def begun(self, ask: Callable[[], "asyncio.Future[Any]"]) -> "concurrent.futures.Future[Any]":
        """What is asked for there; it has been asked for when this returns."""
        asked = threading.Event()

        async def story() -> Any:
            future = ask()
            asked.set()
            return await future

        told = asyncio.run_coroutine_threadsafe(story(), self.loop)
        assert asked.wait(PATIENCE)
        return told


@pytest.mark.usefixtures("nobody_watches")
def test_calls_of_several_loops_are_answered_at_once_in_each() -> None:
    with calls(1) as pool, Elsewhere() as here, Elsewhere() as there:
        release = threading.Event()
        first = here.begun(lambda: pool.run(release.wait))
        others = [loop.begun(lambda: pool.run(lambda: 7)) for loop in (here, there)]
        release.set()
        assert first.result(PATIENCE) is True
        assert [other.result(PATIENCE) for other in others] == [7, 7]


# -- commands --------------------------------------------------------------------------------------------------------


class Teller:
    """Answers commands as a service would, in groups that it remembers."""

    def __init__(self) -> None:
        self.groups: list[list[Any]] = []
        self.gate = threading.Event()
        self.gate.set()
        self.error: BaseException | None = None

    def handle_all(self, sent: Sequence[Sent], done: Callable[[int, Outcome], object]) -> Sequence[tuple[int, Sent]]:
        self.groups.append([one.command for one in sent])
        for number, one in enumerate(sent):
            if one.command == {"bad": 1}:
                done(number, LedgerUnavailable("refused"))
        self.gate.wait()
        if self.error is not None:
            raise self.error
        for number, one in enumerate(sent):
            if one.command != {"bad": 1}:
                answer: Any = one.command
                done(number, answer)
        return ()


@contextmanager
def commands(teller: Teller, threads: int = 4) -> Generator[CommandPool]:
    pool = CommandPool(teller.handle_all, threads, "commands")
    yield pool
    teller.gate.set()
    pool.shutdown()


def steps(*said: dict[str, int]) -> Steps[list[Any]]:
    heard: list[Any] = []
    for one in said:
        answer: Answer = yield Sent(one, None, None, TimeLimit(PATIENCE))
        heard.append(answer)
    return heard


def test_commands_that_wait_together_are_handled_together() -> None:
    teller = Teller()
    with commands(teller) as pool:

        async def story() -> None:
            told = [pool.send(steps({"n": n})) for n in range(20)]
            assert await asyncio.gather(*told) == [[{"n": n}] for n in range(20)]

        run(story)
    assert teller.groups == [[{"n": n} for n in range(20)]]


def test_what_takes_several_commands_sends_one_after_the_other() -> None:
    teller = Teller()
    with commands(teller) as pool:

        async def story() -> None:
            told = [pool.send(steps({"n": n}, {"n": n + 10})) for n in range(5)]
            assert await asyncio.gather(*told) == [[{"n": n}, {"n": n + 10}] for n in range(5)]

        run(story)


def test_a_refusal_does_not_wait_until_the_others_are_stored() -> None:
    teller = Teller()
    teller.gate.clear()
    with commands(teller, threads=1) as pool:

        async def story() -> None:
            good, bad = pool.send(steps({"n": 1})), pool.send(steps({"bad": 1}))
            with pytest.raises(LedgerUnavailable):
                await bad
            assert not good.done()
            teller.gate.set()
            await good

        run(story)


def test_whoever_comes_while_others_wait_for_a_disk_does_not_wait_for_them() -> None:
    teller = Teller()
    teller.gate.clear()
    with commands(teller) as pool:

        async def story() -> None:
            first = pool.send(steps({"n": 1}))
            while not teller.groups:
                await asyncio.sleep(0)
            with pytest.raises(LedgerUnavailable):
                await pool.send(steps({"bad": 1}))
            assert not first.done()
            teller.gate.set()
            await first

        run(story)


def test_whatever_goes_wrong_everybody_hears_of_it_and_the_threads_go_on() -> None:
    teller = Teller()
    with commands(teller, threads=1) as pool:

        async def story() -> None:
            teller.error = SystemError("broken")
            failing = [pool.send(steps({"n": n})) for n in range(3)]
            for one in failing:
                with pytest.raises(SystemError):
                    await one
            teller.error = None
            assert await pool.send(steps({"n": 9})) == [{"n": 9}]

        run(story)


@pytest.mark.usefixtures("nobody_watches")
def test_commands_of_several_loops_are_stored_together_and_answered_at_once_in_each() -> None:
    gates = [threading.Event(), threading.Event()]
    groups: list[int] = []

    def handle_all(sent: Sequence[Sent], done: Callable[[int, Outcome], object]) -> Sequence[tuple[int, Sent]]:
        groups.append(len(sent))
        assert gates[len(groups) - 1].wait(PATIENCE)
        for number, one in enumerate(sent):
            answer: Any = one.command
            done(number, answer)
        return ()

    pool = CommandPool(handle_all, 1, "commands")
    with Elsewhere() as here, Elsewhere() as there:
        first = here.begun(lambda: pool.send(steps({"n": 0})))
        until(lambda: groups == [1])
        others = [loop.begun(lambda: pool.send(steps({"n": 1}))) for loop in (here, there)]
        gates[0].set()
        assert first.result(PATIENCE) == [{"n": 0}]
        gates[1].set()
        assert [other.result(PATIENCE) for other in others] == [[{"n": 1}]] * 2
        assert groups == [1, 2]
    pool.shutdown()


def test_each_goes_on_in_the_context_of_whoever_sent_it() -> None:
    teller = Teller()

    def who() -> Steps[str]:
        yield Sent({"n": 1}, None, None, TimeLimit(PATIENCE))
        return WHO.get()

    with commands(teller) as pool:

        async def one(name: str) -> str:
            WHO.set(name)
            return await pool.send(who())

        async def story() -> None:
            assert list(await asyncio.gather(one("ann"), one("bob"))) == ["ann", "bob"]

        run(story)


def test_closing_waits_until_all_are_stored() -> None:
    teller = Teller()
    pool = CommandPool(teller.handle_all, 2, "commands")

    async def story() -> None:
        told = [pool.send(steps({"n": n})) for n in range(5)]
        await asyncio.get_running_loop().run_in_executor(None, pool.shutdown)
        assert [await one for one in told] == [[{"n": n}] for n in range(5)]

    run(story)


# -- in a loop of our own ----------------------------------------------------------------------------------------------


class InTheLoop:
    """Does at once what it can, and leaves over whose `n` is odd."""

    def __init__(self) -> None:
        self.groups: list[list[Any]] = []
        self.threads: set[int] = set()
        self.error: BaseException | None = None

    def __call__(self, sent: Sequence[Sent], done: Callable[[int, Outcome], object]) -> Sequence[tuple[int, Sent]]:
        self.groups.append([one.command for one in sent])
        self.threads.add(threading.get_ident())
        if self.error is not None:
            raise self.error
        left_over: list[tuple[int, Sent]] = []
        for number, one in enumerate(sent):
            answer: Any = one.command
            if answer["n"] % 2:
                left_over.append((number, one))
            else:
                done(number, answer)
        return left_over


@contextmanager
def own_loop(teller: Teller, at_once: InTheLoop) -> Generator[CommandPool]:
    pool = CommandPool(teller.handle_all, 4, "commands", handle_at_once=at_once)
    yield pool
    pool.shutdown()


def test_the_loop_does_at_once_what_is_at_hand_and_a_thread_the_rest() -> None:
    teller, at_once = Teller(), InTheLoop()
    with own_loop(teller, at_once) as pool:

        async def story() -> None:
            at_hand = [pool.send(steps({"n": n}), is_at_hand=True) for n in range(6)]
            others = [pool.send(steps({"n": n})) for n in range(6, 9)]
            assert await asyncio.gather(*at_hand, *others) == [[{"n": n}] for n in range(9)]
            assert at_once.threads == {threading.get_ident()}

        run(story)
    assert at_once.groups == [[{"n": n} for n in range(6)]]
    assert sorted(n["n"] for group in teller.groups for n in group) == [1, 3, 5, 6, 7, 8]


def test_what_follows_on_what_was_done_at_once_is_left_to_a_thread() -> None:
    teller, at_once = Teller(), InTheLoop()
    with own_loop(teller, at_once) as pool:

        async def story() -> None:
            told = [pool.send(steps({"n": n}, {"n": n + 10}), is_at_hand=True) for n in (2, 4)]
            assert await asyncio.gather(*told) == [[{"n": n}, {"n": n + 10}] for n in (2, 4)]

        run(story)
    assert at_once.groups == [[{"n": 2}, {"n": 4}]]
    assert teller.groups == [[{"n": 12}, {"n": 14}]]


def test_a_thread_that_is_held_up_holds_up_nobody_in_the_loop() -> None:
    teller, at_once = Teller(), InTheLoop()
    teller.gate.clear()
    with own_loop(teller, at_once) as pool:

        async def story() -> None:
            held_up = pool.send(steps({"n": 1}), is_at_hand=True)
            while not teller.groups:
                await asyncio.sleep(0)
            for n in range(0, 20, 2):
                assert await pool.send(steps({"n": n}), is_at_hand=True) == [{"n": n}]
            assert not held_up.done()
            teller.gate.set()
            assert await held_up == [{"n": 1}]

        run(story)


def test_what_goes_wrong_in_the_loop_is_told_to_those_it_concerns() -> None:
    teller, at_once = Teller(), InTheLoop()

    def fails() -> Steps[None]:
        raise KeyError("no")
        yield

    with own_loop(teller, at_once) as pool:

        async def story() -> None:
            bad, good = pool.send(fails(), is_at_hand=True), pool.send(steps({"n": 2}), is_at_hand=True)
            with pytest.raises(KeyError):
                await bad
            assert await good == [{"n": 2}]
            at_once.error = SystemError("broken")
            for one in [pool.send(steps({"n": n}), is_at_hand=True) for n in range(3)]:
                with pytest.raises(SystemError):
                    await one
            at_once.error = None
            assert await pool.send(steps({"n": 8}), is_at_hand=True) == [{"n": 8}]

        run(story)
    assert not teller.groups


@pytest.mark.parametrize("threads", [0, 1])
def test_closing_waits_for_what_was_asked_for_in_the_same_turn(threads: int) -> None:
    pool = CallPool(4, "calls")
    done: list[int] = []

    async def story() -> None:
        for number in range(threads):
            await pool.run(partial(done.append, number))
        last = pool.run(partial(done.append, 9))
        pool.shutdown()
        assert done == [*range(threads), 9]
        await last

    run(story)


def test_many_callers_play_many_games_at_once(fairdeal: Fairdeal) -> None:
    pool = CommandPool(fairdeal.handle_all, 4, "commands")
    before = time.monotonic()

    def started() -> Steps[Answer]:
        begun = {"command": "quick_start", "player": "ann", "kind": "kings_corners", "players": ("ann", "bob")}
        answer = yield Sent(begun, None, None, TimeLimit(PATIENCE))
        for at in range(6):
            move = {"command": "make_move", "game_id": answer.game_id, "player": ("ann", "bob")[at % 2]}
            answer = yield Sent({**move, "move": {"move": "end_turn"}}, None, None, TimeLimit(PATIENCE))
        return answer

    async def story() -> None:
        answers = await asyncio.gather(*(pool.send(started()) for _ in range(40)))
        for answer in answers:
            assert fairdeal.look(answer.game_id).receipt == answer.receipt

    run(story)
    pool.shutdown()
    assert time.monotonic() - before < PATIENCE
    assert all(report.good for report in fairdeal.audit_all())

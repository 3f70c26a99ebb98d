"""Ids of commands that came without one."""

import os
from concurrent.futures import ThreadPoolExecutor

from fairdeal.application.commands.command_ids import CommandIds


def test_no_id_comes_twice() -> None:
    ids = CommandIds()

    def some(number: int) -> list[str]:
        return [ids.new() for _ in range(number)]

    with ThreadPoolExecutor(4) as pool:
        found = [one for many in pool.map(some, [5_000] * 4) for one in many]
    assert len({*found}) == 20_000
    assert {len(one) for one in found} == {32}


def test_nobody_else_has_the_same_ones() -> None:
    one, other = CommandIds(), CommandIds()
    assert {one.new() for _ in range(100)}.isdisjoint({other.new() for _ in range(100)})


def test_a_process_and_its_child_never_say_the_same() -> None:
    ids = CommandIds()
    ids.new()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, ids.new().encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reading, 100).decode() not in ("", ids.new())
    os.close(reading)
    os.close(writing)

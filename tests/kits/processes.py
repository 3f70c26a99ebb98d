"""Processes for tests, started quickly, and functions called in several of them at the same moment."""

import multiprocessing
import os
import sys
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar
from unittest import mock

R = TypeVar("R")
Pipe = Connection

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(
    [
        "kits.players",
        "fairdeal.infrastructure.ledger.postgres.recorder",
        "fairdeal.infrastructure.ledger.sqlite.recorder",
    ]
)


def new_process(target: Callable[..., None], *args: Any) -> BaseProcess:
    """Forked from a server that has loaded everything, a process starts in milliseconds."""
    # Before Python 3.13 that server does not find what it shall load by itself.
    with mock.patch.dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)):
        process = CONTEXT.Process(target=target, args=args, daemon=True)
        process.start()
    return process


def in_processes(function: Callable[..., R], arguments: Sequence[tuple[Any, ...]], *, seconds: float = 120) -> list[R]:
    """What the function returns, called in as many processes at the same moment; it must stand in a kit."""
    pipes: list[Any] = []
    processes: list[BaseProcess] = []
    try:
        for args in arguments:
            mine, theirs = CONTEXT.Pipe()
            processes.append(new_process(_call_when_told, function, args, theirs))
            theirs.close()
            pipes.append(mine)
        for pipe in pipes:
            assert pipe.recv() == "ready"
        for pipe in pipes:
            pipe.send("go")
        return [_result(pipe, seconds) for pipe in pipes]
    finally:
        for process in processes:
            process.kill()
            process.join()


def _call_when_told(function: Callable[..., Any], args: tuple[Any, ...], pipe: Any) -> None:
    pipe.send("ready")
    pipe.recv()
    try:
        pipe.send((function(*args), None))
    except BaseException as error:
        pipe.send((None, repr(error)))
        raise


def _result(pipe: Any, seconds: float) -> Any:
    assert pipe.poll(seconds), "a process does not come to an end"
    result, error = pipe.recv()
    assert error is None, error
    return result

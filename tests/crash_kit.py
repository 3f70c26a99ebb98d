"""Processes that play on a ledger until somebody kills them, and tell after every command what was answered."""

import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from random import Random
from threading import Lock, Thread
from typing import Any, cast
from unittest import mock
from uuid import UUID

from fairdeal import Answer, Fairdeal, LedgerError
from fairdeal.application.catalogue import GAMES
from fairdeal.application.commands import Command, MakeMove, QuickStart
from fairdeal.domain.kernel.game import Phase

FORKSERVER = multiprocessing.get_context("forkserver")
FORKSERVER.set_forkserver_preload(
    ["crash_kit", "fairdeal.infrastructure.ledger.postgres", "fairdeal.infrastructure.ledger.sqlite"]
)


def new_process(target: Callable[..., None], *args: Any) -> BaseProcess:
    """Forked from a server that has loaded everything, a process starts in milliseconds."""
    # Before Python 3.13 that server does not find what it shall load by itself.
    with mock.patch.dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)):
        process = FORKSERVER.Process(target=target, args=args, daemon=True)
        process.start()
    return process


@dataclass(slots=True)
class Heard:
    """What processes have told: each command that was sent, and its answer if there was one."""

    sent: dict[str, Command] = field(default_factory=dict[str, Command])
    answered: dict[str, Answer] = field(default_factory=dict[str, Answer])
    errors: list[str] = field(default_factory=list[str])

    def listen(self, pipe: "Connection[Any, Any]", *, until: Callable[[], bool]) -> None:
        """Takes in what comes until the time has come, or nobody speaks any more."""
        try:
            while not until():
                if pipe.poll(0.005):
                    self._take(pipe.recv())
        except EOFError:
            pass

    def _take(self, told: tuple[str, Any]) -> None:
        match told:
            case ("sent", command):
                self.sent[command.command_id] = command
            case ("answered", (command_id, answer)):
                self.answered[command_id] = answer
            case ("error", message):
                self.errors.append(message)
            case _:
                raise AssertionError(told)

    @property
    def games(self) -> set[UUID]:
        return {answer.game_id for answer in self.answered.values()}


class Player:
    """Plays random moves at a few tables, one table after the other, and starts new games when some have ended."""

    def __init__(self, fairdeal: Fairdeal, tell: Callable[[str, Any], None], rng: Random, tables: list[UUID]) -> None:
        self.fairdeal = fairdeal
        self.tell = tell
        self.rng = rng
        self.tables = tables

    def play(self, rounds: int) -> None:
        for _ in range(rounds):
            command = self._next_command()
            self.tell("sent", command)
            answer = self._insist(command)
            self.tell("answered", (command.command_id, answer))
            if isinstance(command, QuickStart):
                self.tables.append(answer.game_id)

    def _next_command(self) -> Command:
        while self.tables:
            game_id = self.rng.choice(self.tables)
            look = self.fairdeal.look(game_id)
            if look.phase is Phase.RUNNING:
                player = look.players[look.active[0]]
                move = self.rng.choice(self.fairdeal.look(game_id, player).legal)
                return MakeMove(game_id=game_id, player=player, move=move)
            self.tables.remove(game_id)
        kind = self.rng.choice(sorted(GAMES))
        return QuickStart(player="host", kind=kind, players=tuple("abcdef"[: GAMES[kind].seats[0]]))

    def _insist(self, command: Command) -> Answer:
        """As a good client does: whoever got no answer sends the same command again."""
        for attempt in range(100):
            try:
                return self.fairdeal.handle(command)
            except LedgerError as error:
                self.tell("error", f"{error.code}: {error}")
                time.sleep(min(0.05 * attempt, 1))
        raise AssertionError(f"no answer to {command}")


def play(address: str, seed: int, tables: list[UUID], threads: int, pipe: "Connection[Any, Any]") -> None:
    """What a process does: several threads play, each at tables of its own, until they are killed."""
    telling = Lock()

    def tell(what: str, thing: Any) -> None:
        with telling:
            pipe.send((what, thing))

    fairdeal = Fairdeal(address)
    players = [Player(fairdeal, tell, Random(seed + at), tables[at::threads]) for at in range(threads)]
    others = [Thread(target=player.play, args=(10**6,), daemon=True) for player in players[1:]]
    for thread in others:
        thread.start()
    players[0].play(10**6)


@contextmanager
def playing_process(
    address: str, *, seed: int, tables: list[UUID], threads: int = 3
) -> Iterator[tuple[BaseProcess, "Connection[Any, Any]"]]:
    """A process that plays, killed at the end whatever it is doing then."""
    mine, theirs = FORKSERVER.Pipe(duplex=False)
    process = new_process(play, address, seed, tables, threads, theirs)
    theirs.close()
    try:
        yield process, cast("Connection[Any, Any]", mine)
    finally:
        process.kill()
        process.join()
        mine.close()


def kill_while_playing(address: str, *, seed: int, tables: list[UUID], after: float) -> Heard:
    """Kills a process some time after its first word (or before it, if the time is negative)."""
    heard = Heard()
    with playing_process(address, seed=seed, tables=tables) as (process, pipe):
        if after >= 0:
            heard.listen(pipe, until=lambda: bool(heard.sent))
            assert heard.sent, "the process ended before it said anything"
        moment = time.monotonic() + abs(after)
        heard.listen(pipe, until=lambda: time.monotonic() > moment)
        assert process.pid is not None
        os.kill(process.pid, 9)
        process.join()
        heard.listen(pipe, until=lambda: False)
    return heard


def check_everything_that_was_answered(fairdeal: Fairdeal, heard: Heard) -> None:
    """Nothing acknowledged is lost, nothing is half there, and the same command gives the same answer."""
    for game_id in heard.games:
        records = fairdeal.ledger.records(game_id)
        links = {record.version: record.link.hex() for record in records}
        for answer in heard.answered.values():
            if answer.game_id == game_id:
                assert links[answer.version] == answer.receipt.link
        report = fairdeal.audit(game_id, [a.receipt for a in heard.answered.values() if a.game_id == game_id])
        assert report.good, report
    unanswered = [command for command_id, command in heard.sent.items() if command_id not in heard.answered]
    for command in unanswered:
        answer = fairdeal.handle(command)
        assert fairdeal.handle(command) == answer
    for command_id in list(heard.answered)[-3:]:
        before = fairdeal.look(heard.answered[command_id].game_id).version
        assert fairdeal.handle(heard.sent[command_id]) == heard.answered[command_id]
        assert fairdeal.look(heard.answered[command_id].game_id).version == before

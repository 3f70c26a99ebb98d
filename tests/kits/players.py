"""Processes that play on a ledger until somebody kills them, and tell after every command what was answered."""

import resource
import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from random import Random
from threading import Lock, Thread
from typing import Any
from uuid import UUID

from fairdeal import Answer, Fairdeal, FairdealError, LedgerError
from fairdeal.application.catalogue import KINDS
from fairdeal.application.commands.messages import Command, MakeMove, QuickStart
from fairdeal.domain.kernel.lobby import Phase
from kits.ledger import must_have_no_gaps
from kits.processes import CONTEXT, new_process


@dataclass(slots=True)
class Heard:
    """What processes have told: each command that was sent, and its answer if there was one."""

    sent: dict[str, Command] = field(default_factory=dict[str, Command])
    answered: dict[str, Answer] = field(default_factory=dict[str, Answer])
    errors: list[str] = field(default_factory=list[str])

    def listen_for(self, pipe: Any, answers: int) -> None:
        """Takes in what comes until there are so many more answers."""
        enough = len(self.answered) + answers
        self.listen(pipe, until=lambda: len(self.answered) >= enough)

    def listen(self, pipe: Any, *, until: Callable[[], bool]) -> None:
        """Takes in what comes until the time has come, or nobody speaks any more."""
        try:
            while not until():
                if pipe.poll(0.001):
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


def some_game(rng: Random, kind: str | None = None) -> QuickStart:
    """The start of a game of this or any kind, with as many players as it needs."""
    kind = rng.choice(sorted(KINDS)) if kind is None else kind
    players = tuple("abcdefghij"[: KINDS[kind].seats[0]])
    return QuickStart(player="host", kind=kind, players=players)


class Player:
    """Plays random moves at a few tables, one table after the other, and starts new games when some have ended."""

    def __init__(self, fairdeal: Fairdeal, tell: Callable[[str, Any], None], rng: Random, tables: list[UUID]) -> None:
        self.fairdeal = fairdeal
        self.tell = tell
        self.rng = rng
        self.tables = tables

    def play(self, rounds: int) -> None:
        try:
            self._play(rounds)
        except BaseException as error:
            # Whoever listens shall know why a player fell silent.
            self.tell("error", f"{type(error).__name__}: {error}")
            raise

    def _play(self, rounds: int) -> None:
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
        return some_game(self.rng)

    def _insist(self, command: Command) -> Answer:
        """As a good client does: whoever got no answer sends the same command again."""
        for attempt in range(100):
            try:
                return self.fairdeal.handle(command)
            except LedgerError as error:
                self.tell("error", f"{error.code}: {error}")
                time.sleep(min(0.05 * attempt, 1))
        raise AssertionError(f"no answer to {command}")


def play(address: str, seed: int, tables: list[UUID], threads: int, pipe: Any) -> None:
    """What a process does: several threads play, each at tables of its own, until they are killed."""
    telling = Lock()

    def tell(what: str, thing: Any) -> None:
        with telling:
            pipe.send((what, thing))

    try:
        fairdeal = Fairdeal(address)
    except Exception as error:
        tell("error", f"{type(error).__name__}: {error}")
        raise
    players = [Player(fairdeal, tell, Random(seed + at), tables[at::threads]) for at in range(threads)]
    others = [Thread(target=player.play, args=(10**6,), daemon=True) for player in players[1:]]
    for thread in others:
        thread.start()
    players[0].play(10**6)


@contextmanager
def playing_process(
    address: str, *, seed: int, tables: list[UUID], threads: int = 3
) -> Generator[tuple[BaseProcess, Any]]:
    """A process that plays, killed at the end whatever it is doing then."""
    mine, theirs = CONTEXT.Pipe(duplex=False)
    process = new_process(play, address, seed, tables, threads, theirs)
    theirs.close()
    try:
        yield process, mine
    finally:
        process.kill()
        process.join()
        mine.close()


def kill_while_playing(address: str, *, seed: int, tables: list[UUID], answers: int, then: float) -> Heard:
    """Kills a process some time after so many answers; with none, perhaps while it opens the ledger."""
    heard = Heard()
    with playing_process(address, seed=seed, tables=tables) as (process, pipe):
        heard.listen_for(pipe, answers)
        moment = time.monotonic() + then
        heard.listen(pipe, until=lambda: time.monotonic() > moment)
        assert process.is_alive(), heard.errors
        process.kill()
        process.join()
        heard.listen(pipe, until=lambda: False)
    return heard


def check_everything_that_was_answered(fairdeal: Fairdeal, heard: Heard) -> None:
    """Nothing acknowledged is lost, nothing is half there, and the same command gives the same answer."""
    must_have_no_gaps(fairdeal.ledger)
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


def contend(address: str, seed: int, tables: list[UUID], moves: int) -> tuple[dict[str, Answer], Counter[str]]:
    """Plays at tables where others play too; every answer, and how often which refusal was heard."""
    rng = Random(seed)
    answers: dict[str, Answer] = {}
    refusals: Counter[str] = Counter()
    with Fairdeal(address) as fairdeal:
        while len(answers) < moves:
            game_id = rng.choice(tables)
            look = fairdeal.look(game_id)
            if look.phase is not Phase.RUNNING:
                refusals["over"] += 1
                if refusals["over"] > 50 * len(tables):
                    break
                continue
            player = look.players[look.active[0]]
            move = rng.choice(fairdeal.look(game_id, player).legal or (None,))
            expected = look.version if rng.random() < 0.5 else None
            command = MakeMove(game_id=game_id, player=player, move=move, expected_version=expected)
            try:
                answers[command.command_id] = fairdeal.handle(command)
            except FairdealError as error:
                refusals[error.code] += 1
    return answers, refusals


def send(address: str, command: Command) -> Answer | str:
    """What comes of a command: its answer, or the code of its refusal."""
    with Fairdeal(address) as fairdeal:
        try:
            return fairdeal.handle(command)
        except FairdealError as error:
            return error.code


def open_and_start(address: str, seed: int) -> int:
    """Opens a ledger that may not exist yet, and starts a game in it."""
    with Fairdeal(address) as fairdeal:
        return fairdeal.handle(some_game(Random(seed))).version


def play_until_no_room(address: str, most_bytes: int) -> tuple[list[Answer], str]:
    """Plays with files that cannot grow past a size; the answers, and the code of the error that ended it."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
    answers: list[Answer] = []
    with Fairdeal(address) as fairdeal:
        try:
            while True:
                answers.append(fairdeal.handle(some_game(Random(len(answers)))))
        except LedgerError as error:
            return answers, error.code

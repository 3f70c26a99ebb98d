"""Players who go on while servers are restarted, killed, promoted and cut off; then every answer is checked."""

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from threading import Event, Lock, Thread
from time import monotonic, sleep
from uuid import UUID, uuid4

from fairdeal import Answer, Fairdeal, LedgerRolledBack, LedgerUnavailable
from fairdeal.application.commands.messages import Command, MakeMove, QuickStart
from fairdeal.application.log.record import Receipt
from kits.waiting import until

PLAYERS = ("ann", "bob")
KIND = "kings_corners"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a fault did to those who played: one line of the table."""

    fault: str
    acknowledged: int
    lost: int
    doubled: int
    silence: float
    """The longest time, in seconds, in which nobody got an answer, from just before the fault on."""

    def __str__(self) -> str:
        counts = f"{self.acknowledged:>8,} acknowledged  {self.lost} lost  {self.doubled} doubled"
        return f"{self.fault:<46} {counts}  {self.silence:5.1f} s silence"


def show(line: object) -> None:
    """For the table of a run: `pytest -s` shows it."""
    sys.stdout.write(f"\n{line}\n")


def insisted(fairdeal: Fairdeal, command: Command) -> Answer:
    """The answer, however long it takes on a busy machine: the same command is sent until it is known."""
    answers: list[Answer] = []

    def is_answered() -> bool:
        with suppress(LedgerUnavailable):
            answers.append(fairdeal.handle(command))
        return bool(answers)

    until(is_answered)
    return answers[0]


@dataclass(slots=True)
class Load:
    """Clients that play on one address, each at tables of its own, and send again what was not answered."""

    address: str
    clients: int = 6
    patience: float = 2.0
    runner: bool = False
    """Whether read models follow meanwhile."""
    answers: list[tuple[float, Receipt]] = field(default_factory=list[tuple[float, Receipt]])
    set_back: int = 0
    """How often somebody was told that the ledger had been set back."""
    errors: list[BaseException] = field(default_factory=list[BaseException])
    _stop: Event = field(default_factory=Event)
    _lock: Lock = field(default_factory=Lock)

    @contextmanager
    def running(self) -> Generator["Load"]:
        with Fairdeal(self.address, patience=self.patience) as fairdeal:
            if self.runner:
                fairdeal.read.start_runner()
            threads = [Thread(target=self._play, args=(fairdeal,), daemon=True) for _ in range(self.clients)]
            for thread in threads:
                thread.start()
            try:
                yield self
            finally:
                self._stop.set()
                for thread in threads:
                    thread.join(60)
        assert not self.errors, self.errors[0]

    def wait_for_more(self, answers: int = 200, seconds: float = 240.0) -> None:
        """Until so many more commands were answered."""
        enough = len(self.answers) + answers
        until(lambda: len(self.answers) >= enough or self.errors, seconds)

    def give_up(self) -> None:
        """Nobody sends anything any more."""
        self._stop.set()

    def _play(self, fairdeal: Fairdeal) -> None:
        try:
            while not self._stop.is_set():
                self._play_a_game(fairdeal)
        except BaseException as error:
            self.errors.append(error)
            raise

    def _play_a_game(self, fairdeal: Fairdeal) -> None:
        start = QuickStart(player="host", kind=KIND, players=PLAYERS, command_id=uuid4().hex)
        game = self._insist(fairdeal, start)
        turn = 0
        while game is not None and not self._stop.is_set() and turn < 12:
            # Whose turn it is follows from who began; nobody looks, so that only commands are counted.
            player = PLAYERS[turn % 2]
            end = MakeMove(game_id=game, player=player, move={"move": "end_turn"}, command_id=uuid4().hex)
            game = self._insist(fairdeal, end)
            turn += 1

    def _insist(self, fairdeal: Fairdeal, command: Command) -> UUID | None:
        """As a good client does: whoever got no answer sends the same command again."""
        while not self._stop.is_set():
            try:
                answer = fairdeal.handle(command)
            except LedgerUnavailable:
                sleep(0.05)
                continue
            except LedgerRolledBack:
                with self._lock:
                    self.set_back += 1
                return None
            with self._lock:
                self.answers.append((monotonic(), answer.receipt))
            return answer.game_id
        return None

    def outcome(self, fault: str, address: str, since: float) -> Outcome:
        """Compares what was answered with what the ledger holds now."""
        with Fairdeal(address, read_only=True) as fairdeal:
            lost, doubled = lost_and_doubled(fairdeal, [receipt for _, receipt in self.answers])
        return Outcome(fault, len(self.answers), lost, doubled, self._silence(since))

    def _silence(self, since: float) -> float:
        moments = sorted(moment for moment, _ in self.answers)
        before = [moment for moment in moments if moment <= since][-1:]
        after = [*before, *(moment for moment in moments if moment > since)]
        return max((later - sooner for sooner, later in pairwise(after)), default=0.0)


def lost_and_doubled(fairdeal: Fairdeal, receipts: Sequence[Receipt]) -> tuple[int, int]:
    """How many receipts the ledger does not bear out, and how many commands it holds more than once."""
    by_game: dict[UUID, list[Receipt]] = defaultdict(list)
    for receipt in receipts:
        by_game[receipt.game_id].append(receipt)
    lost, ids = 0, Counter[str]()
    for game, mine in by_game.items():
        records = fairdeal.ledger.records(game)
        links = {record.version: record.link.hex() for record in records}
        lost += sum(links.get(receipt.version) != receipt.link for receipt in mine)
        batches = [fairdeal.codec.batch(record) for record in records]
        ids.update(batch.id for batch in batches if batch is not None)
    return lost, sum(times - 1 for times in ids.values())


def under_load(
    address: str,
    fault: str,
    happens: Callable[[], None],
    primary: Callable[[], str],
    answers: int = 200,
    *,
    runner: bool = False,
) -> Outcome:
    """Plays, lets something happen, plays on until it is well again, and checks."""
    load = Load(address, runner=runner)
    with load.running():
        load.wait_for_more(answers)
        began = monotonic()
        happens()
        load.wait_for_more(answers)
    return load.outcome(fault, primary(), began)

"""Processes and threads that all play the same games: every version is somebody's, and only one's."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from campaigns.tally import Tally, Until
from fairdeal import Fairdeal
from kits.players import contend, some_game
from kits.postgres import new_schema, shared_server
from kits.processes import in_processes

PROCESSES = 3
MOVES = 10


def run(seed: int, seconds: float) -> Tally:
    """A try is a move that was answered while others wanted to move, too."""
    rng, tally = Random(seed), Tally()
    with TemporaryDirectory() as folder:
        addresses, rounds = [f"sqlite:///{Path(folder) / 'games.db'}", new_schema(shared_server())], 0
        until = Until(seconds)
        while until:
            address, rounds = addresses[rounds % 2], rounds + 1
            with Fairdeal(address) as fairdeal:
                tables = [fairdeal.handle(some_game(rng)).game_id for _ in range(2)]
            given = [(address, rng.randrange(2**32), tables, MOVES) for _ in range(PROCESSES)]
            with tally.trying(f"seed {seed}, race {rounds} on {address.partition(':')[0]}"):
                answers = [answer for mine, _ in in_processes(contend, given) for answer in mine.values()]
                tally.tries += len(answers) - 1
                stored = [(answer.game_id, answer.version) for answer in answers]
                assert len(set(stored)) == len(stored), "two were answered for one version"
                with Fairdeal(address) as fairdeal:
                    for table in tables:
                        receipts = [answer.receipt for answer in answers if answer.game_id == table]
                        report = fairdeal.audit(table, receipts)
                        assert report.good, report
    return tally

"""How long it takes until a stored event is in the read models, where a runner works and nobody asks."""

from collections.abc import Iterator
from random import Random
from time import perf_counter, sleep

from benchmarks.figures import latencies
from fairdeal import Fairdeal, OpenGame
from fairdeal.infrastructure.readmodels.read_side import ReadSide

COMMANDS = 100
BAR_SECONDS = 0.1
"""For PostgreSQL, which rings; SQLite is looked at twenty times a second."""


def delays(fairdeal: Fairdeal, read: ReadSide) -> Iterator[float]:
    """From the answer to a command, which is when it is stored, to the commit of its rows, in seconds."""
    rng = Random(1)
    for number in range(COMMANDS):
        sleep(rng.uniform(0, 0.1))  # so that the runner is found at any point of its round
        fairdeal.handle(OpenGame(player="ann", kind="kings_corners", command_id=f"fresh {number}"))
        stored = perf_counter()
        head = fairdeal.ledger.head()
        while read.progress().position < head:
            sleep(0.001)
        yield perf_counter() - stored


def freshness(fairdeal: Fairdeal, address: str, where: str, name: str) -> None:
    read = ReadSide(fairdeal.ledger, fairdeal.codec, fairdeal.kinds, address=address, where=where)
    read.catch_up()
    with read.start_runner():
        found = latencies(list(delays(fairdeal, read)))
    read.close()
    print(
        f"  stored event to read model on {name}: median {found.p50 * 1e3:.0f} ms, most {found.most * 1e3:.0f} ms "
        f"of {COMMANDS} (bar {BAR_SECONDS * 1e3:.0f} ms)"
    )

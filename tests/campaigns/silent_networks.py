"""Wires are cut and nobody says so: every call ends with its typed error, and goes on when the wire is whole."""

from concurrent.futures import ThreadPoolExecutor
from random import Random

from campaigns.tally import Tally, Until
from fairdeal import Fairdeal, FairdealError
from kits import network
from kits.cluster import pair
from kits.waiting import until as wait_until

END_TURN = {"move": "end_turn"}
SECONDS = 120
"""Whoever takes longer hangs."""


def run(seed: int, seconds: float) -> Tally:
    rng, tally = Random(seed), Tally()
    if not network.can_be_made():
        tally.skipped = network.REASON
        return tally
    with network.network(2) as hosts, pair([(host.address, host.namespace) for host in hosts]) as two:
        wire, address = hosts[0], two.primary.address
        with Fairdeal(address, patience=1.0) as fairdeal, ThreadPoolExecutor(4) as pool:
            game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
            until = Until(seconds)
            while until:
                with tally.trying(f"seed {seed}, cut {tally.tries + 1}"):
                    wire.cut()
                    try:
                        calls = {
                            "move": lambda: fairdeal.move(game, "ann", END_TURN),
                            "head": fairdeal.ledger.head,
                            "look": lambda: fairdeal.look(game),
                            "open": lambda: Fairdeal(address, patience=1.0),
                            "start": lambda: fairdeal.start_game("kings_corners", ["ann", "bob"]),
                            "read": lambda: fairdeal.read.as_it_stands().games(),
                        }
                        asked = {name: pool.submit(calls[name]) for name in rng.sample(sorted(calls), 3)}
                        for name, call in asked.items():
                            error = call.exception(timeout=SECONDS)
                            assert isinstance(error, FairdealError), f"{name}: {error!r}"
                    finally:
                        wire.mend()
                    wait_until(two.is_synchronous)
                    assert fairdeal.audit(game).good
    return tally

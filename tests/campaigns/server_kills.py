"""A PostgreSQL server is killed while processes play on it: they go on, and what was answered stays."""

from random import Random

from campaigns.tally import Tally, Until
from fairdeal import Fairdeal
from kits.players import Heard, check_everything_that_was_answered, playing_process
from kits.postgres import MortalServer


def run(seed: int, seconds: float) -> Tally:
    rng, tally, heard = Random(seed), Tally(), Heard()
    server = MortalServer()
    try:
        with playing_process(server.address, seed=seed, tables=[]) as (process, pipe):
            until = Until(seconds)
            while until:
                with tally.trying(f"seed {seed}, kill {tally.tries + 1}"):
                    heard.listen_for(pipe, rng.randint(3, 30))
                    server.kill()
                    server.start()
                    assert process.is_alive(), heard.errors
            heard.listen_for(pipe, 10)
        with tally.trying(f"seed {seed}, after {tally.tries} kills"), Fairdeal(server.address) as fairdeal:
            check_everything_that_was_answered(fairdeal, heard)
            assert all(report.good for report in fairdeal.audit_all())
    finally:
        server.stop()
    return tally

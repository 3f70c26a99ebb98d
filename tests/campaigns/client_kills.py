"""Processes that play are killed at any moment, on both databases: what was answered stays, once."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from uuid import UUID

from campaigns.tally import Tally, Until
from fairdeal import Fairdeal
from kits.players import check_everything_that_was_answered, kill_while_playing
from kits.postgres import new_schema, shared_server


def run(seed: int, seconds: float) -> Tally:
    rng, tally = Random(seed), Tally()
    with TemporaryDirectory() as folder:
        tables: dict[str, list[UUID]] = {f"sqlite:///{Path(folder) / 'games.db'}": [], new_schema(shared_server()): []}
        until = Until(seconds)
        while until:
            address = list(tables)[tally.tries % 2]
            with tally.trying(f"seed {seed}, kill {tally.tries + 1} on {address.partition(':')[0]}"):
                heard = kill_while_playing(
                    address,
                    seed=rng.randrange(2**32),
                    tables=tables[address],
                    answers=rng.choice((0, 1, 3, 5, 8, 13, 21)),
                    then=rng.uniform(0, 0.005),
                )
                assert heard.errors == [], heard.errors
                with Fairdeal(address) as fairdeal:
                    check_everything_that_was_answered(fairdeal, heard)
                tables[address] = sorted({*tables[address], *heard.games})[-6:]
        for address in tables:
            with Fairdeal(address) as fairdeal:
                tally.breaks += [f"seed {seed}: {one.game_id} is not good" for one in fairdeal.audit_all() if one.bad]
    return tally

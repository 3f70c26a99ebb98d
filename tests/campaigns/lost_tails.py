"""Ledgers are set back under workers that remember more: no log gets a hole, and receipts prove what is lost."""

from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from uuid import UUID

from campaigns.tally import Tally, Until
from fairdeal import Fairdeal, FairdealError
from kits.ledger import set_ledger_back
from kits.postgres import new_schema, shared_server

MOVES = 12
END_TURN = {"move": "end_turn"}


def run(seed: int, seconds: float) -> Tally:
    tally = Tally()
    with TemporaryDirectory() as folder:
        on_sqlite = (Path(folder) / f"{number}.db" for number in count())
        server = shared_server()
        for engine in ("sqlite", "postgresql"):
            rng, until = Random(seed), Until(seconds / 2)
            while until:
                path = next(on_sqlite)
                address = f"sqlite:///{path}" if engine == "sqlite" else new_schema(server)
                with tally.trying(f"seed {seed}, loss {tally.tries + 1} on {engine}"):
                    lose_a_tail(rng, address, path)
    return tally


def lose_a_tail(rng: Random, address: str, path: Path) -> None:
    with Fairdeal(address) as worker, Fairdeal(address) as other:
        games = [worker.start_game("kings_corners", ["ann", "bob"]).game_id for _ in range(2)]
        heads = [worker.ledger.head()]
        receipts = [worker.look(game).receipt for game in games]
        for _ in range(rng.randint(1, MOVES)):
            act(rng.choice((worker, other)), rng.choice(games), rng)
            heads.append(worker.ledger.head())
            receipts += [worker.look(game).receipt for game in games]
        back_to = rng.choice(heads[:-1])
        lost = {one for one in receipts if one.version > len(records_up_to(worker, one.game_id, back_to))}
        set_ledger_back(address, path, back_to)
        for _ in range(MOVES):
            act(rng.choice((worker, other)), rng.choice(games), rng)
    with Fairdeal(address) as fresh:
        for report in fresh.audit_all():
            assert report.good, report
        for receipt in lost:
            there = fresh.ledger.records(receipt.game_id, after=receipt.version - 1, up_to=receipt.version)
            same = bool(there) and there[0].link.hex() == receipt.link
            assert fresh.audit(receipt.game_id, [receipt]).good is same, "a receipt does not prove the loss"


def records_up_to(fairdeal: Fairdeal, game: UUID, position: int) -> list[int]:
    return [at for at, record in fairdeal.ledger.since(0, 10_000) if record.game_id == game and at <= position]


def act(worker: Fairdeal, game: UUID, rng: Random) -> None:
    """A move, perhaps without looking first; whoever is told that the ledger was set back goes on from there."""
    try:
        look = worker.look(game) if rng.random() < 0.7 else None
        active = look.active if look is not None else ()
        player = look.players[active[0]] if look is not None and active else rng.choice(("ann", "bob"))
        worker.move(game, player, END_TURN)
    except FairdealError as error:
        assert error.code in ("ledger_rolled_back", "not_your_turn", "game_over"), error

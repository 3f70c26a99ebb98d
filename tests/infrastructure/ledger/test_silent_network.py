"""A wire is cut and nobody says so: the promised errors come, and those who may read elsewhere do."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from fairdeal import Fairdeal, FairdealError, LedgerUnavailable, MakeMove
from fairdeal.application.projections.errors import ReadModelError
from fairdeal.infrastructure.readmodels.read_side import ReadSide
from kits import network
from kits.cluster import Pair, pair
from kits.failover import insisted
from kits.network import Host
from kits.waiting import until

pytestmark = [
    pytest.mark.xdist_group("cluster"),
    pytest.mark.skipif(not network.can_be_made(), reason=network.REASON),
]

PROMISED_SECONDS = 60
"""Until a test that hangs gives up."""


@pytest.fixture(scope="module")
def wires() -> Iterator[tuple[Pair, Host]]:
    """A primary with its standby, and the wire of the primary."""
    with network.network(2) as hosts, pair([(host.address, host.namespace) for host in hosts]) as two:
        yield two, hosts[0]


def test_where_nobody_answers_any_more_commands_looks_and_questions_end_with_their_errors(
    wires: tuple[Pair, Host],
) -> None:
    two, wire = wires
    with Fairdeal(two.primary.address, patience=1.0) as fairdeal, ThreadPoolExecutor(4) as pool:
        game = fairdeal.start_game("kings_corners", ["ann", "bob"]).game_id
        assert len(fairdeal.read.games().items) == 1
        wire.cut()
        try:
            calls: list[Future[Any]] = [
                pool.submit(fairdeal.move, game, "ann", {"move": "end_turn"}),
                pool.submit(fairdeal.ledger.head),
                pool.submit(fairdeal.read.as_it_stands().games),
                pool.submit(Fairdeal, two.primary.address, patience=1.0),
            ]
            errors = [call.exception(timeout=PROMISED_SECONDS) for call in calls]
        finally:
            wire.mend()
        assert all(isinstance(error, FairdealError) for error in errors), errors
        assert all(isinstance(errors[at], LedgerUnavailable) for at in (0, 1, 3)), errors
        assert isinstance(errors[2], ReadModelError)
        # The wire is whole again, and so is everything else.
        until(two.is_synchronous)
        answer = insisted(fairdeal, MakeMove(game_id=game, player="ann", move={"move": "end_turn"}))
        assert answer.version == fairdeal.look(game).version
        assert fairdeal.audit(game).good


def test_who_only_reads_may_read_from_a_standby(wires: tuple[Pair, Host]) -> None:
    two, _ = wires
    elsewhere = f"{two.address}?target_session_attrs=prefer-standby"
    with Fairdeal(two.address) as fairdeal:
        game = fairdeal.start_game("kings_corners", ["ann", "bob"])
        fairdeal.read.catch_up()
        with Fairdeal(elsewhere, read_only=True, read_models=elsewhere) as reader:
            assert reader.ledger.lags()
            until(lambda: reader.ledger.head() == fairdeal.ledger.head())
            assert reader.look(game.game_id) == fairdeal.look(game.game_id)
            read: ReadSide = reader.read
            assert read.after(game.receipt).game(game.game_id) is not None
            # A runner on the primary folds, and what it folds arrives on the standby.
            fairdeal.read.start_runner()
            answer = fairdeal.move(game.game_id, "ann", {"move": "end_turn"})
            found = read.after(answer.receipt, within=PROMISED_SECONDS).game(game.game_id)
            assert found is not None
            assert found.version == answer.version

"""A primary and its synchronous standby: nothing is answered that only one server has."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import pytest

from fairdeal import Fairdeal, LedgerUnavailable, MakeMove, QuickStart
from fairdeal.application.errors import OutcomeNotKnown
from kits.cluster import Node, Pair, pair
from kits.failover import insisted
from kits.waiting import until

pytestmark = pytest.mark.xdist_group("cluster")

PATIENCE = 2.0
"""Of those who shall wait in vain; whoever shall get an answer insists on it."""


@pytest.fixture(scope="module")
def both() -> Iterator[Pair]:
    with pair() as two:
        yield two


def restart(primary: Node) -> None:
    primary.restart()


def terminate(primary: Node) -> None:
    for pid in primary.waiting():
        primary.execute(f"SELECT pg_terminate_backend({pid})")


def cancel(primary: Node) -> None:
    for pid in primary.waiting():
        primary.execute(f"SELECT pg_cancel_backend({pid})")


@pytest.fixture(params=[restart, terminate, cancel], ids=lambda way: way.__name__)
def interrupt(request: pytest.FixtureRequest) -> Callable[[Node], None]:
    way: Callable[[Node], None] = request.param
    return way


def opened_on(node: Node) -> Fairdeal:
    return Fairdeal(node.address, patience=PATIENCE)


def a_table(fairdeal: Fairdeal) -> MakeMove:
    """A new game, and the first move in it."""
    start = QuickStart(player="host", kind="kings_corners", players=("ann", "bob"))
    return MakeMove(game_id=insisted(fairdeal, start).game_id, player="ann", move={"move": "end_turn"})


def send_and_interrupt(fairdeal: Fairdeal, command: MakeMove, both: Pair, interrupt: Callable[[Node], None]) -> None:
    """The standby is away, a commit waits for it and is interrupted: nobody can know what the standby will have."""
    with ThreadPoolExecutor(1) as pool:
        sent = pool.submit(fairdeal.handle, command)
        until(both.primary.waiting)
        interrupt(both.primary)
        with pytest.raises(LedgerUnavailable, match="same command again"):
            sent.result()


def stored(fairdeal: Fairdeal, game: UUID) -> list[str]:
    return [record.name for record in fairdeal.ledger.records(game)]


def test_a_move_that_only_one_server_has_is_not_answered_and_nothing_answered_is_lost_with_that_server(
    both: Pair, interrupt: Callable[[Node], None]
) -> None:
    with opened_on(both.primary) as fairdeal:
        command = a_table(fairdeal)
        kept = stored(fairdeal, command.game_id)
        both.standby.stop("fast")
        send_and_interrupt(fairdeal, command, both, interrupt)
        assert len(stored(fairdeal, command.game_id)) > len(kept)
        # It stands in the ledger, yet nobody gets a receipt for it: neither here nor from another process.
        for sender in (fairdeal, opened_on(both.primary)):
            with pytest.raises(OutcomeNotKnown, match="send the same command again, with the same id"):
                sender.handle(command)
            if sender is not fairdeal:
                sender.close()
    both.primary.kill()
    both.standby.start()
    both.fail_over()
    with opened_on(both.primary) as fairdeal:
        assert stored(fairdeal, command.game_id) == kept
        both.attach()
        answer = insisted(fairdeal, command)
        assert answer.version > len(kept)
        assert insisted(fairdeal, command) == answer
        assert fairdeal.audit(command.game_id, [answer.receipt]).good


def test_when_the_standby_is_back_the_repeated_command_gets_its_answer_and_both_servers_have_it(
    both: Pair, interrupt: Callable[[Node], None]
) -> None:
    with opened_on(both.primary) as fairdeal:
        command = a_table(fairdeal)
        both.standby.stop("fast")
        send_and_interrupt(fairdeal, command, both, interrupt)
        both.standby.start()
        until(both.is_synchronous)
        answers = [insisted(fairdeal, command)]
        with opened_on(both.primary) as other:
            answers.append(insisted(other, command))
        assert answers[0] == answers[1]
    until(lambda: both.standby.value("SELECT pg_last_wal_replay_lsn() >= pg_last_wal_receive_lsn()"))
    with Fairdeal(both.standby.address, read_only=True) as reader:
        assert reader.audit(command.game_id, [answers[0].receipt]).good


def test_a_commit_that_waits_for_a_standby_longer_than_patience_lasts_is_not_known(both: Pair) -> None:
    with opened_on(both.primary) as fairdeal:
        command = a_table(fairdeal)
        both.standby.stop("fast")
        with pytest.raises(OutcomeNotKnown):
            fairdeal.handle(command)
        both.standby.start()
        until(both.is_synchronous)
        assert insisted(fairdeal, command).version == len(stored(fairdeal, command.game_id))

"""Failover under load with two real servers; the test itself promotes. Nothing that was answered is lost or doubled."""

import shutil
from collections.abc import Iterator

import pytest

from fairdeal import Fairdeal
from kits import network
from kits.cluster import Node, Pair, pair
from kits.failover import Load, Outcome, lost_and_doubled, show, under_load
from kits.waiting import until

pytestmark = pytest.mark.xdist_group("cluster")

needs_wires = pytest.mark.skipif(not network.can_be_made(), reason=network.REASON)


@pytest.fixture(scope="module")
def both() -> Iterator[Pair]:
    with pair() as two:
        yield two


@pytest.fixture(scope="module")
def wires() -> Iterator[tuple[Pair, dict[Node, network.Host]]]:
    with network.network(2) as hosts, pair([(host.address, host.namespace) for host in hosts]) as two:
        yield two, dict(zip((two.primary, two.standby), hosts, strict=True))


def must_be_whole(outcome: Outcome) -> None:
    show(outcome)
    assert (outcome.lost, outcome.doubled) == (0, 0)


def test_a_primary_is_restarted(both: Pair) -> None:
    outcome = under_load(both.address, "restart", both.primary.restart, lambda: both.primary.address)
    must_be_whole(outcome)


def test_a_primary_is_killed_and_its_standby_promoted(both: Pair) -> None:
    def kill_and_promote() -> None:
        both.primary.kill()
        both.fail_over()

    outcome = under_load(both.address, "server killed, promotion", kill_and_promote, lambda: both.primary.address)
    must_be_whole(outcome)
    both.attach()


def test_the_two_change_places_while_everybody_plays(both: Pair) -> None:
    def switch_over() -> None:
        both.primary.stop("fast")  # it waits until the standby has all
        both.fail_over()
        both.attach()

    outcome = under_load(both.address, "switchover", switch_over, lambda: both.primary.address)
    must_be_whole(outcome)


@needs_wires
def test_the_wire_of_the_primary_is_cut_and_its_standby_promoted(wires: tuple[Pair, dict[Node, network.Host]]) -> None:
    two, hosts = wires

    def cut_and_promote() -> None:
        hosts[two.primary].cut()
        two.fail_over()

    outcome = under_load(two.address, "wire cut, promotion", cut_and_promote, lambda: two.primary.address)
    must_be_whole(outcome)
    two.standby.kill()  # before it is heard again, as whoever manages a cluster does
    hosts[two.standby].mend()
    two.attach()


@needs_wires
def test_the_servers_lose_each_other_and_two_primaries_answer(wires: tuple[Pair, dict[Node, network.Host]]) -> None:
    two, hosts = wires
    old = two.primary

    def split() -> None:
        # Clients reach both. What they send to the old primary waits for a standby that will never have it.
        network.ip("-n", hosts[old].namespace, "route", "add", "blackhole", f"{two.standby.host}/32")
        until(old.waiting)
        two.fail_over()
        old.kill()

    outcome = under_load(two.address, "split, two primaries for a while", split, lambda: two.primary.address)
    must_be_whole(outcome)


def test_a_restored_base_backup_is_noticed_and_receipts_prove_what_is_lost(both: Pair) -> None:
    backup = Node(both.home / "backup")
    both.primary.wait_for("")
    both.standby.stop()
    with Fairdeal(both.primary.address) as fairdeal:
        before = fairdeal.start_game("kings_corners", ["ann", "bob"])
    backup.copy(both.primary)
    (backup.folder / "standby.signal").unlink()
    load = Load(both.primary.address)
    with load.running():
        load.wait_for_more()
        # Somebody puts the backup in the place of the running server: what was stored since is gone.
        both.primary.kill()
        shutil.rmtree(both.primary.folder)
        backup.port = both.primary.port
        backup.configure()
        backup.start()
        until(lambda: load.set_back or load.errors)
        load.wait_for_more()
    with Fairdeal(backup.address) as fairdeal:
        receipts = [receipt for _, receipt in load.answers]
        lost, doubled = lost_and_doubled(fairdeal, receipts)
        assert lost > 0
        assert doubled == 0
        assert all(report.good for report in fairdeal.audit_all())
        assert fairdeal.audit(before.game_id, [before.receipt]).good
        fairdeal.read.catch_up()  # however long it takes on a busy machine
        assert fairdeal.read.as_it_stands().dead_letters().items == ()
    backup.stop()

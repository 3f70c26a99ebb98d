"""Failover under load of a cluster as `deploy/` sets it up: Patroni, etcd, three machines. `make cluster-test`."""

import os
from collections.abc import Callable, Iterator
from time import sleep

import pytest

from fairdeal import Fairdeal
from kits import network, patroni
from kits.failover import Outcome, show, under_load
from kits.patroni import Cluster, Member
from kits.waiting import until

pytestmark = [
    pytest.mark.xdist_group("cluster"),
    pytest.mark.skipif(patroni.WANTED not in os.environ, reason="only `make cluster-test` starts Patroni and etcd"),
]

ANSWERS = 2000
"""Before each fault, and after it."""
SECONDS_WITHOUT_ETCD = 45
"""Longer than a lease lasts."""


@pytest.fixture(scope="module")
def three() -> Iterator[Cluster]:
    assert patroni.missing() is None, patroni.missing()
    with patroni.cluster() as cluster:
        yield cluster


@pytest.fixture
def fault(three: Cluster) -> Callable[[str, Callable[[Member], None]], Outcome]:
    """Plays on all hosts, lets something happen to the leader, and compares every answer with what is stored."""

    def happens_under_load(name: str, happens: Callable[[Member], None]) -> Outcome:
        three.must_be_well()
        leader = three.leader()
        three.wait_for_a_heartbeat()
        outcome = under_load(three.address, name, lambda: happens(leader), lambda: three.address, ANSWERS, runner=True)
        show(outcome)
        assert (outcome.lost, outcome.doubled) == (0, 0)
        return outcome

    return happens_under_load


Fault = Callable[[str, Callable[[Member], None]], Outcome]


def test_the_primary_is_restarted(three: Cluster, fault: Fault) -> None:
    fault("restart", lambda _: three.restart())


def test_the_primary_and_a_standby_change_places(three: Cluster, fault: Fault) -> None:
    fault("switchover", lambda _: three.switch_over())


def test_the_server_of_the_primary_is_killed(fault: Fault) -> None:
    fault("server killed", lambda leader: leader.kill("postgres"))


def test_a_killed_host_and_a_cut_wire_silence_clients_for_about_as_long(three: Cluster, fault: Fault) -> None:
    def lose_power(leader: Member) -> None:
        leader.host.cut()  # a machine without power sends no last word, either
        leader.kill()
        until(lambda: [one for one in three.leaders() if one is not leader], patroni.LONG_ENOUGH, every=0.5)

    def lose_the_wire(leader: Member) -> None:
        leader.host.cut()
        until(lambda: [one for one in three.leaders() if one is not leader], patroni.LONG_ENOUGH, every=0.5)

    dead = three.leader()
    killed = fault("host killed", lose_power)
    dead.host.mend()
    three.start_again(dead)
    three.must_be_well()
    alone = three.leader()
    cut = fault("wire of the primary cut", lose_the_wire)
    alone.host.mend()
    show(f"a cut wire silences {cut.silence / killed.silence:.2f} × as long as a killed host")


def test_the_primary_loses_the_others_but_not_its_clients(three: Cluster, fault: Fault) -> None:
    leader = three.leader()
    others = [one.host.address for one in three.members if one is not leader]

    def split(leader: Member) -> None:
        for address in others:
            network.ip("-n", leader.host.namespace, "route", "add", "blackhole", f"{address}/32")
        until(lambda: [one for one in three.leaders() if one is not leader], patroni.LONG_ENOUGH, every=0.5)

    fault("split, clients reach both sides", split)
    for address in others:
        network.ip("-n", leader.host.namespace, "route", "del", "blackhole", f"{address}/32")


def test_all_of_etcd_is_away_for_longer_than_a_lease_lasts(three: Cluster, fault: Fault) -> None:
    def lose_etcd(_: Member) -> None:
        for member in three.members:
            member.kill("etcd")
        sleep(SECONDS_WITHOUT_ETCD)
        for member in three.members:
            member.start_etcd(three.members)

    fault("etcd away for 45 s", lose_etcd)


def test_everything_that_was_played_is_untouched_and_the_read_models_list_it(three: Cluster) -> None:
    three.must_be_well()
    with Fairdeal(three.address) as fairdeal:
        fairdeal.read.catch_up()
        assert fairdeal.read.as_it_stands().dead_letters().items == ()
        assert all(report.good for report in fairdeal.audit_all())

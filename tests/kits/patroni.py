"""Three machines with PostgreSQL, Patroni and etcd, set up from `deploy/`, in network namespaces."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg

from kits import network
from kits.postgres import psutil, server_in
from kits.waiting import until

DEPLOY = Path(__file__).parents[2] / "deploy"
WANTED = "FAIRDEAL_CLUSTER_TEST"
"""Set by `make cluster-test`: nobody else waits for a cluster."""
INSTALL = """These tests need etcd, Patroni, and root for network namespaces:
  apt-get install --no-install-recommends etcd-server iproute2 util-linux python3-venv
  /usr/bin/python3 -m venv /opt/patroni && /opt/patroni/bin/pip install 'patroni[etcd3,psycopg3]' 'psycopg[binary]'
  PATH=$PATH:/opt/patroni/bin make cluster-test     (its Python must be one that users other than root may run)"""
PASSWORD = "for-this-test-only"
LONG_ENOUGH = 120.0
"""Seconds until a test that waits in vain gives up: an election, a rewind or a new copy may be under way."""


def missing() -> str | None:
    """What keeps this machine from running a cluster, if anything."""
    lacks = [name for name in ("etcd", "patroni") if shutil.which(name) is None]
    if not network.can_be_made():
        lacks.append("network namespaces")
    return f"not here: {', '.join(lacks)}.\n{INSTALL}" if lacks else None


class Member:
    """One machine: etcd, Patroni, and the PostgreSQL that Patroni runs."""

    def __init__(self, name: str, host: network.Host, home: Path) -> None:
        self.name, self.host = name, host
        self.home = home / name
        self.home.mkdir(mode=0o700)
        server = server_in(self.home / "unused", start=False)
        self._binaries, self._user = Path(server.bin_path), server.system_user
        self._children: list[subprocess.Popen[bytes]] = []
        assert self._user is not None
        shutil.chown(self.home, self._user)

    def start_etcd(self, members: Sequence["Member"]) -> None:
        mine = self.host.address
        self._start(
            "etcd",
            ["etcd", "--name", self.name, "--data-dir", str(self.home / "etcd")],
            {
                "ETCD_LISTEN_CLIENT_URLS": f"http://{mine}:2379",
                "ETCD_ADVERTISE_CLIENT_URLS": f"http://{mine}:2379",
                "ETCD_LISTEN_PEER_URLS": f"http://{mine}:2380",
                "ETCD_INITIAL_ADVERTISE_PEER_URLS": f"http://{mine}:2380",
                "ETCD_INITIAL_CLUSTER": ",".join(f"{one.name}=http://{one.host.address}:2380" for one in members),
                "ETCD_INITIAL_CLUSTER_STATE": "new",
            },
        )

    def start_patroni(self, members: Sequence["Member"]) -> None:
        mine = self.host.address
        given = {
            "PATRONI_NAME": self.name,
            "PATRONI_ETCD3_HOSTS": ",".join(f"{one.host.address}:2379" for one in members),
            "PATRONI_RESTAPI_LISTEN": f"{mine}:8008",
            "PATRONI_RESTAPI_CONNECT_ADDRESS": f"{mine}:8008",
            "PATRONI_POSTGRESQL_LISTEN": f"{mine}:5432",
            "PATRONI_POSTGRESQL_CONNECT_ADDRESS": f"{mine}:5432",
            "PATRONI_POSTGRESQL_DATA_DIR": str(self.home / "data"),
            "PATRONI_POSTGRESQL_BIN_DIR": str(self._binaries),
            "PATRONI_POSTGRESQL_PGPASS": str(self.home / "pgpass"),
            "PATRONI_SUPERUSER_PASSWORD": PASSWORD,
            "PATRONI_REPLICATION_PASSWORD": PASSWORD,
        }
        example = environment_of(DEPLOY / "node.env")
        assert given.keys() <= example.keys(), "deploy/node.env lacks something"
        configuration = self.home / "patroni.yml"
        shutil.copy(DEPLOY / "patroni.yml", configuration)
        configuration.chmod(0o644)
        self._start("patroni", [shutil.which("patroni") or "patroni", str(configuration)], example | given)

    def _start(self, name: str, words: Sequence[str], environment: Mapping[str, str]) -> None:
        inside = ["ip", "netns", "exec", self.host.namespace, "setpriv", f"--reuid={self._user}", "--clear-groups"]
        with (self.home / f"{name}.log").open("ab") as log:
            child = subprocess.Popen(
                [*inside, *words],
                env={"PATH": os.environ["PATH"], "HOME": str(self.home), "LC_ALL": "C.UTF-8", **environment},
                cwd=self.home,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        self._children.append(child)

    def processes(self) -> list[Any]:
        """All that runs on this machine."""
        listed = subprocess.run(
            ["ip", "netns", "pids", self.host.namespace], capture_output=True, text=True, check=True
        )
        found: list[Any] = []
        for pid in listed.stdout.split():
            with suppress(psutil.NoSuchProcess):
                found.append(psutil.Process(int(pid)))
        return found

    def kill(self, name: str = "") -> None:
        """All processes of the machine at once, or those of one name."""
        doomed = [one for one in self.processes() if name in _name_of(one)]
        for signal in ("suspend", "kill"):
            for one in doomed:
                with suppress(psutil.NoSuchProcess):
                    getattr(one, signal)()
        # Those that we have started stay in the list of processes until somebody asks for them.
        mine = [child for child in self._children if child.pid in {one.pid for one in doomed}]
        until(lambda: not [child for child in mine if child.poll() is None])
        until(lambda: not any(one.is_running() and _status_of(one) != psutil.STATUS_ZOMBIE for one in doomed))

    def ask(self, path: str, body: Mapping[str, str] | None = None) -> tuple[int, Any]:
        """Patroni's own answer on this machine; 0 if nobody answers."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://{self.host.address}:8008{path}", data)
        try:
            with urllib.request.urlopen(request, timeout=5 if body is None else LONG_ENOUGH) as answer:
                text = answer.read().decode()
                status = answer.status
        except urllib.error.HTTPError as error:
            status, text = error.code, error.read().decode()
        except OSError:
            return 0, None
        with suppress(ValueError):
            return status, json.loads(text)
        return status, text

    def logs(self) -> str:
        return "".join(f"--- {self.name} {log.name}\n{log.read_text()[-3000:]}\n" for log in self.home.glob("*.log"))


def _name_of(process: Any) -> str:
    try:
        return str(process.name())
    except psutil.NoSuchProcess:
        return ""


def _status_of(process: Any) -> str:
    try:
        return str(process.status())
    except psutil.NoSuchProcess:
        return str(psutil.STATUS_ZOMBIE)


def environment_of(file: Path) -> dict[str, str]:
    lines = (line for line in file.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#"))
    return dict(line.split("=", 1) for line in lines)


class Cluster:
    """Three members, of which one writes."""

    def __init__(self, members: Sequence[Member]) -> None:
        self.members = members

    @property
    def address(self) -> str:
        """All hosts, as an operator would write it."""
        hosts = ",".join(f"{one.host.address}:5432" for one in self.members)
        return f"postgresql://fairdeal:{PASSWORD}@{hosts}/fairdeal"

    def start(self) -> None:
        for member in self.members:
            member.start_etcd(self.members)
        for member in self.members:
            member.start_patroni(self.members)
        self.must_be_well()
        place = f"host={self.leader().host.address} port=5432 user=postgres dbname=postgres password={PASSWORD}"
        with psycopg.connect(place, autocommit=True) as connection:
            connection.execute(f"CREATE ROLE fairdeal LOGIN PASSWORD '{PASSWORD}'".encode())
            connection.execute("CREATE DATABASE fairdeal OWNER fairdeal")

    def leader(self) -> Member:
        found = self.leaders()
        assert len(found) == 1, [one.name for one in found]
        return found[0]

    def leaders(self) -> list[Member]:
        return [one for one in self.members if one.ask("/primary")[0] == 200]

    def replicas(self) -> list[Member]:
        return [one for one in self.members if one.ask("/replica")[0] == 200]

    def is_well(self) -> bool:
        """One writes, two follow, and one of these has all that is acknowledged."""
        if len(self.leaders()) != 1 or len(self.replicas()) != len(self.members) - 1:
            return False
        return any(one.ask("/synchronous")[0] == 200 for one in self.members)

    def must_be_well(self) -> None:
        try:
            until(self.is_well, LONG_ENOUGH, every=0.5)
        except AssertionError as error:
            error.add_note("".join(one.logs() for one in self.members))
            raise

    def wait_for_a_heartbeat(self) -> None:
        """Until the leader has just renewed its lease: what happens now is noticed as late as can be."""
        leader = self.leader()
        before = leader.ask("/patroni")[1]["dcs_last_seen"]
        until(lambda: leader.ask("/patroni")[1]["dcs_last_seen"] != before, LONG_ENOUGH)

    def _synchronous(self) -> list[Member]:
        return [one for one in self.replicas() if one.ask("/synchronous")[0] == 200]

    def switch_over(self) -> None:
        leader = self.leader()
        # Right after a restart no standby may be synchronous for a moment, and only such a one can take over.
        until(self._synchronous, LONG_ENOUGH, every=0.5)
        candidate = self._synchronous()[0]
        status, said = leader.ask("/switchover", {"leader": leader.name, "candidate": candidate.name})
        assert status == 200, said

    def restart(self) -> None:
        """As after a change of its settings."""
        status, said = self.leader().ask("/restart", {})
        assert status == 200, said

    def start_again(self, member: Member) -> None:
        """A machine that was off is switched on."""
        member.start_etcd(self.members)
        member.start_patroni(self.members)

    def stop(self) -> None:
        for member in self.members:
            member.kill()


@contextmanager
def cluster() -> Generator[Cluster]:
    home = Path(tempfile.mkdtemp(prefix="fairdeal-cluster-"))
    home.chmod(0o755)
    with network.network(3) as hosts:
        three = Cluster([Member(name, host, home) for name, host in zip(("one", "two", "three"), hosts, strict=True)])
        try:
            three.start()
            yield three
        finally:
            three.stop()
            shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(missing())

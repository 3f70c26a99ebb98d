"""Two real PostgreSQL servers, the second one a synchronous standby of the first; the test itself promotes it."""

import shutil
import socket
import subprocess
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg

from kits.postgres import psutil, server_in
from kits.waiting import until

STANDBY = "standby"
"""By this name the primary waits for its standby."""
EVERYBODY = "host all all 0.0.0.0/0 trust\nhost replication all 0.0.0.0/0 trust\n"

WIDE_OPEN = """
listen_addresses = '{host}'
port = {port}
unix_socket_directories = ''
fsync = off
max_connections = 60
shared_buffers = 16MB
wal_keep_size = 64MB
hot_standby = on
wal_receiver_status_interval = 1s
wal_retrieve_retry_interval = 100ms
"""
# fsync is off: these tests kill processes and cut wires, never the machine, and what the kernel has is safe.


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Node:
    """One server: started, stopped, killed, promoted."""

    def __init__(self, folder: Path, *, host: str = "127.0.0.1", namespace: str | None = None) -> None:
        self.folder = folder
        self.host, self.port = host, 5432 if namespace else free_port()
        self._namespace = namespace
        self._server = server_in(folder, start=False)
        self.system_user: str | None = self._server.system_user

    def make(self) -> None:
        self._server.ensure_pgdata_inited()
        self.configure()

    def copy(self, other: "Node") -> None:
        """Becomes a standby of the other, from a base backup of it."""
        shutil.rmtree(self.folder, ignore_errors=True)
        where = f"host={other.host} port={other.port} user=postgres application_name={STANDBY}"
        self.run("pg_basebackup", "-D", str(self.folder), "-d", where, "-R", "-c", "fast", "-X", "stream", "--no-sync")
        self.configure()

    def copy_to(self, name: str) -> None:
        """A base backup in a folder beside this one's, without the log: that comes from an archive."""
        where = f"host={self.host} port={self.port} user=postgres"
        self.run("pg_basebackup", "-D", str(self.folder.with_name(name)), "-d", where, "-c", "fast", "--no-sync")

    def binary(self, name: str) -> Path:
        return Path(self._server.bin_path) / name

    def configure(self) -> None:
        with (self.folder / "postgresql.auto.conf").open("a") as file:
            file.write(WIDE_OPEN.format(host=self.host, port=self.port))
        (self.folder / "pg_hba.conf").write_text(f"local all all trust\n{EVERYBODY}")

    @property
    def address(self) -> str:
        return f"postgresql://postgres@{self.host}:{self.port}/postgres"

    def start(self) -> None:
        log = self.folder / "log"
        try:
            self.run("pg_ctl", "-D", str(self.folder), "-w", "-l", str(log), "start")
        except subprocess.CalledProcessError as error:
            raise AssertionError(log.read_text()) from error

    def stop(self, mode: str = "immediate") -> None:
        with suppress(subprocess.CalledProcessError):
            self.run("pg_ctl", "-D", str(self.folder), "-m", mode, "stop")

    def restart(self) -> None:
        """As after a package upgrade: whoever is in a commit is thrown out."""
        self.run("pg_ctl", "-D", str(self.folder), "-m", "fast", "-w", "-l", str(self.folder / "log"), "restart")

    def kill(self) -> None:
        """All of its processes at once, as if somebody pulled the plug."""
        postmaster = psutil.Process(int((self.folder / "postmaster.pid").read_text().split()[0]))
        postmaster.suspend()
        family = [postmaster, *postmaster.children(recursive=True)]
        for process in family:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        until(lambda: not any(one.is_running() and one.status() != psutil.STATUS_ZOMBIE for one in family))
        (self.folder / "postmaster.pid").unlink()

    def promote(self) -> None:
        """It is the primary now, and waits for nobody."""
        self.run("pg_ctl", "-D", str(self.folder), "-w", "promote")
        self.wait_for("")

    def wait_for(self, standbys: str) -> None:
        """From now on its commits wait for these standbys."""
        self.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{standbys}'")
        self.execute("SELECT pg_reload_conf()")
        until(lambda: self.value("SHOW synchronous_standby_names") == standbys)

    def execute(self, query: str) -> None:
        with psycopg.connect(self.address, autocommit=True, connect_timeout=5) as connection:
            connection.execute(query.encode())

    def value(self, query: str) -> Any:
        with psycopg.connect(self.address, autocommit=True, connect_timeout=5) as connection:
            row = connection.execute(query.encode()).fetchone()
            return None if row is None else row[0]

    def waiting(self) -> Sequence[int]:
        """The processes whose commits wait for a standby."""
        query = b"SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        with psycopg.connect(self.address, autocommit=True, connect_timeout=5) as connection:
            return [pid for (pid,) in connection.execute(query)]

    def run(self, command: str, *arguments: str) -> None:
        user = self.system_user
        words = [str(self.binary(command)), *arguments]
        if self._namespace is not None:
            assert user is not None, "network namespaces need root"
            words = ["ip", "netns", "exec", self._namespace, "setpriv", f"--reuid={user}", "--clear-groups", *words]
            user = None
        # Into a file: a server that is started here keeps the output open.
        with tempfile.TemporaryFile() as said:
            try:
                subprocess.run(words, check=True, stdout=said, stderr=said, stdin=subprocess.DEVNULL, user=user)
            except subprocess.CalledProcessError as error:
                said.seek(0)
                error.add_note(said.read().decode(errors="replace"))
                raise


class Pair:
    """A primary whose commits wait for its standby."""

    def __init__(self, home: Path, hosts: Sequence[tuple[str, str | None]]) -> None:
        self.home = home
        self.primary, self.standby = (
            Node(home / name, host=host, namespace=namespace)
            for name, (host, namespace) in zip("ab", hosts, strict=True)
        )

    @property
    def address(self) -> str:
        """Both hosts, as an operator would write it."""
        one, other = self.primary, self.standby
        return f"postgresql://postgres@{one.host}:{one.port},{other.host}:{other.port}/postgres"

    def start(self) -> None:
        for node in (self.primary, self.standby):
            node.folder.mkdir(parents=True, exist_ok=True)
        self.primary.make()
        self.primary.start()
        self.attach()

    def attach(self) -> None:
        """The other one becomes a standby, from a base backup, and commits wait for it."""
        self.standby.copy(self.primary)
        self.standby.start()
        self.primary.wait_for(STANDBY)
        until(self.is_synchronous)

    def is_synchronous(self) -> bool:
        return bool(self.primary.value("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"))

    def fail_over(self) -> None:
        """The standby is the primary from now on; who was it before must be dead, or cut off."""
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary

    def stop(self) -> None:
        for node in (self.primary, self.standby):
            if (node.folder / "postmaster.pid").exists():
                node.stop()


@contextmanager
def pair(hosts: Sequence[tuple[str, str | None]] = (("127.0.0.1", None),) * 2) -> Generator[Pair]:
    home = Path(tempfile.mkdtemp(prefix="fairdeal-pair-"))
    home.chmod(0o755)
    two = Pair(home, hosts)
    if two.primary.system_user is not None:  # started by root, the servers run as somebody else
        shutil.chown(home, two.primary.system_user)
    try:
        two.start()
        yield two
    finally:
        two.stop()
        shutil.rmtree(home, ignore_errors=True)

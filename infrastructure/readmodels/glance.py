"""The list of games at a glance: from fresh SQLite tables, without loading any game or SQLAlchemy.

Only `fairdeal games` asks here, because whoever types it waits for all that is loaded. Whenever anything is not just as
it should be there is no answer, and the questions (`questions.py`) are asked instead.
"""

import json
import sqlite3
from collections.abc import Generator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from fairdeal.infrastructure.readmodels.stamps import GAMES_VERSION, HEAD, VERSION_TABLE

COLUMNS = "id, kind, phase, version, players, opened_at, last_at, turn, winners, reason"

HEAD_OF_LEDGER = "SELECT rowid, lower(hex(substr(state, 1, 32))) FROM stored_events ORDER BY rowid DESC LIMIT 1"
REACHED = "SELECT min(position), max(position), min(link), max(link) FROM fairdeal_positions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which games; None asks for any."""

    kind: str | None = None
    phase: str | None = None
    player: str | None = None
    turn_of: str | None = None
    since: datetime | None = None
    until: datetime | None = None


def glance(ledger: Path, read_models: Path, wanted: Wanted) -> Generator[dict[str, Any]] | None:
    """The games, the newest first; None if these tables are not there, not fresh, or not of this release."""
    if not (ledger.is_file() and read_models.is_file()):
        return None
    with ExitStack() as opened:
        try:
            tables = opened.enter_context(closing(_open(read_models)))
            log = opened.enter_context(closing(_open(ledger)))
            tables.execute("BEGIN")
            head, link = log.execute(HEAD_OF_LEDGER).fetchone() or (0, None)
            if not (_are_fresh(tables, head, link) and _is_answerable(tables, wanted)):
                return None
            rows = tables.execute(*_query(wanted))
        except sqlite3.Error:
            return None
        left_open = opened.pop_all()
    return _told(rows, left_open)


def _open(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)


def _are_fresh(tables: sqlite3.Connection, head: int, link: str | None) -> bool:
    """Made by this release, folded up to the head of this very ledger, and nothing was put aside."""
    made_by = tables.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone()  # noqa: S608 – our own name
    reached = tables.execute(REACHED).fetchone()
    games = tables.execute("SELECT version FROM fairdeal_positions WHERE projection = 'games'").fetchone()
    letters = tables.execute("SELECT count(*) FROM fairdeal_dead_letters WHERE projection = 'games'").fetchone()
    return (made_by, reached, games, letters) == ((HEAD,), (head, head, link, link), (GAMES_VERSION,), (0,))


def _is_answerable(tables: sqlite3.Connection, wanted: Wanted) -> bool:
    """A kind or a phase that no game has may be a slip of the pen: that is for the questions to say."""
    return all(
        word is None or tables.execute(f"SELECT 1 FROM fairdeal_games WHERE {column} = ? LIMIT 1", (word,)).fetchone()  # noqa: S608 – our own names
        for column, word in (("kind", wanted.kind), ("phase", wanted.phase))
    )


def _query(wanted: Wanted) -> tuple[str, list[str]]:
    sits = "id IN (SELECT game_id FROM fairdeal_seats WHERE player = ?)"
    asked = {
        "kind = ?": wanted.kind,
        "phase = ?": wanted.phase,
        sits: wanted.player,
        "EXISTS (SELECT 1 FROM json_each(turn) WHERE value = ?)": wanted.turn_of,
        "opened_at >= ?": _stored(wanted.since),
        "opened_at < ?": _stored(wanted.until),
    }
    given = {condition: value for condition, value in asked.items() if value is not None}
    where = f"WHERE {' AND '.join(given)}" if given else ""
    query = f"SELECT {COLUMNS} FROM fairdeal_games {where} ORDER BY opened DESC"  # noqa: S608 – our own words
    return query, list(given.values())


def _stored(moment: datetime | None) -> str | None:
    """As SQLAlchemy writes a time into SQLite."""
    return None if moment is None else moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")


def _told(rows: sqlite3.Cursor, opened: ExitStack) -> Generator[dict[str, Any]]:
    with opened:
        for game, kind, phase, version, players, opened_at, last_at, turn, winners, reason in rows:
            yield {
                "game": str(UUID(game)),
                "kind": kind,
                "phase": phase,
                "version": version,
                "players": json.loads(players),
                "opened_at": _utc(opened_at),
                "last_at": _utc(last_at),
                "turn": json.loads(turn),
                "winners": json.loads(winners),
                "reason": reason,
            }


def _utc(stored: str) -> str:
    return f"{datetime.fromisoformat(stored).isoformat(timespec='microseconds')}Z"

"""Statistics per player and kind of game: counted when a game ends."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, select

from fairdeal.application.projections.public_event import PublicEvent, Result, results
from fairdeal.infrastructure.readmodels.projections.base import Projection, chunks, upsert
from fairdeal.infrastructure.readmodels.tables import STATISTICS

Key = tuple[str, str]
"""A kind of game and a player."""

COUNTED_IN = {
    Result.WON: "won",
    Result.DRAWN: "drawn",
    Result.LOST: "lost",
    Result.LEFT: "abandoned",
    Result.BROKEN_OFF: "broken_off",
}
MICROSECOND = timedelta(microseconds=1)


class PlayerStatistics(Projection):
    """How everybody did, by kind of game."""

    name = "statistics"
    tables = (STATISTICS,)

    def fold(self, connection: Connection, events: Sequence[PublicEvent]) -> None:
        endings = [(one, ended) for one in events if one.table.outcome is not None and (ended := results(one))]
        if not endings:
            return
        rows = _load(connection, [player for one, _ in endings for player in one.table.players])
        changed: dict[Key, dict[str, Any]] = {}
        for one, ended in endings:
            for player, result in zip(one.table.players, ended, strict=True):
                key = (one.table.kind, player)
                row = rows.setdefault(key, _initial_row(key))
                _count(row, one, result)
                changed[key] = row
        upsert(connection, STATISTICS, list(changed.values()))


def _count(row: dict[str, Any], one: PublicEvent, result: Result) -> None:
    row[COUNTED_IN[result]] += 1
    row["last_at"] = one.at
    if result is Result.BROKEN_OFF:
        return
    row["streak"] = next_streak(row["streak"], result)
    row["best_streak"] = max(row["best_streak"], row["streak"])
    row["moves"] += one.table.moves
    assert one.table.started_at is not None
    row["microseconds"] += (one.at - one.table.started_at) // MICROSECOND


def next_streak(streak: int, result: Result) -> int:
    """Wins count up from zero, defeats down, a draw ends either."""
    match result:
        case Result.WON:
            return max(streak, 0) + 1
        case Result.LOST | Result.LEFT:
            return min(streak, 0) - 1
        case _:
            return 0


def _initial_row(key: Key) -> dict[str, Any]:
    counts = dict.fromkeys((*COUNTED_IN.values(), "streak", "best_streak", "moves", "microseconds"), 0)
    return {"kind": key[0], "player": key[1], **counts, "last_at": None}


def _load(connection: Connection, players: Iterable[str]) -> dict[Key, dict[str, Any]]:
    found: dict[Key, dict[str, Any]] = {}
    for some in chunks(dict.fromkeys(players)):
        for row in connection.execute(select(STATISTICS).where(STATISTICS.c.player.in_(some))).mappings():
            found[row["kind"], row["player"]] = {column.name: row[column.name] for column in STATISTICS.columns}
    return found

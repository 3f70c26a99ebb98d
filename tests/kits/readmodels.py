"""What the tests of the read side share: games played through commands, and tables as plain rows."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

from sqlalchemy import Table, select

from fairdeal import Fairdeal, JoinGame, OpenGame, StartGame
from fairdeal.infrastructure.readmodels.database import Database
from fairdeal.infrastructure.readmodels.tables import (
    DEAD_LETTERS,
    GAMES,
    POSITIONS,
    RATINGS,
    SEATS,
    STATISTICS,
    TIMELINE,
)

BUILT_IN = (POSITIONS, GAMES, SEATS, TIMELINE, STATISTICS, RATINGS, DEAD_LETTERS)
BY_THE_CLOCK = {"put_aside_at"}
"""Columns that tell when a row was written, which is another time in every run."""


class Ticking:
    """A clock that moves on by a second with every look, so that times can be foretold."""

    def __init__(self, start: datetime = datetime(2026, 1, 1, tzinfo=UTC)) -> None:
        self.now = start

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


def play(
    fairdeal: Fairdeal, players: Iterable[str], *, kind: str = "kings_corners", seed: int = 0, moves: int | None = None
) -> UUID:
    """A game played by its careful bot, to the end or for so many moves; everybody took their own seat."""
    rng = Random(seed)
    opener, *_ = players = list(players)
    name = f"{kind} {seed} {' '.join(players)}"
    answer = fairdeal.handle(OpenGame(player=opener, kind=kind, command_id=name))
    for player in players:
        fairdeal.handle(JoinGame(game_id=answer.game_id, player=player, command_id=f"{name}: {player} joins"))
    fairdeal.handle(StartGame(game_id=answer.game_id, player=opener, command_id=f"{name} starts"))
    choose: Callable[..., Any] = fairdeal.kinds[kind].bots["careful"]
    made = 0
    while (moves is None or made < moves) and (active := fairdeal.look(answer.game_id).active):
        player = fairdeal.look(answer.game_id).players[active[0]]
        seen = fairdeal.look(answer.game_id, player)
        fairdeal.move(answer.game_id, player, choose(seen.view, seen.legal, rng))
        made += 1
    return answer.game_id


def rows(database: Database, tables: Iterable[Table] = BUILT_IN) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table, in the order of its key."""
    found: dict[str, list[tuple[Any, ...]]] = {}
    with database.reading() as connection:
        for table in tables:
            columns = [column for column in table.columns if column.name not in BY_THE_CLOCK]
            query = select(*columns).order_by(*table.primary_key)
            found[table.name] = [tuple(row) for row in connection.execute(query)]
    return found


def clean_run(fairdeal: Fairdeal, where: str) -> dict[str, list[tuple[Any, ...]]]:
    """The rows that one undisturbed run over the same ledger gives, somewhere else."""
    from fairdeal.infrastructure.readmodels.read_side import ReadSide

    read = ReadSide(fairdeal.ledger, fairdeal.codec, fairdeal.kinds, address="memory:", where=where)
    try:
        read.catch_up()
        return rows(read.database)
    finally:
        read.close()

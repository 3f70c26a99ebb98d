"""Games and who sits at them: one row per game, brought up to its last event, and one per seat."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from fairdeal.application.commands.validation import plain
from fairdeal.application.projections.public_event import PublicEvent, results
from fairdeal.domain.kernel.lifecycle import GameAbandoned, GameFinished, GameOpened, PlayerLeft, PlayerSeated
from fairdeal.domain.kernel.lobby import Phase
from fairdeal.infrastructure.readmodels.projections.base import Projection, chunks, in_steps, upsert
from fairdeal.infrastructure.readmodels.stamps import GAMES_VERSION
from fairdeal.infrastructure.readmodels.tables import GAMES, SEATS

LINE_UP_CHANGES = (GameOpened, PlayerSeated, PlayerLeft, GameFinished, GameAbandoned)


class Games(Projection):
    """The list of games."""

    name = "games"
    version = GAMES_VERSION
    tables = (GAMES, SEATS)

    def fold(self, connection: Connection, events: Sequence[PublicEvent]) -> None:
        last = list({one.game_id.int: one for one in events}.values())
        opened = {one.game_id: one.position for one in events if type(one.event) is GameOpened}
        changed = {one.game_id for one in events if type(one.event) in LINE_UP_CHANGES}
        upsert(connection, GAMES, [_new_row(one, opened[one.game_id]) for one in last if one.game_id in opened])
        _update(connection, [one for one in last if one.game_id not in opened])
        _seat(connection, [one for one in last if one.game_id in changed], opened)


def _new_row(one: PublicEvent, position: int) -> dict[str, Any]:
    table = one.table
    return {
        "id": one.game_id,
        "opened": position,
        "kind": table.kind,
        "opener": table.opener,
        "options": plain(table.options),
        "commitment": table.commitment,
        "opened_at": table.opened_at,
        **_changing(one),
    }


def _changing(one: PublicEvent) -> dict[str, Any]:
    table, outcome = one.table, one.table.outcome
    players = table.players
    return {
        "seed": table.seed,
        "opening": table.opening,
        "rated": table.rated,
        "players": players,
        "free_seats": max(0, table.seats[-1] - len(players)) if table.phase is Phase.LOBBY else 0,
        "phase": table.phase,
        "turn": [players[seat] for seat in table.active],
        "winners": [players[seat] for seat in outcome.winners] if outcome else [],
        "scores": outcome.scores if outcome else [],
        "reason": outcome.reason if outcome else None,
        "moves": table.moves,
        "started_at": table.started_at,
        "ended_at": one.at if outcome else None,
        "last_at": one.at,
        "version": one.version,
        "link": one.link.hex(),
        "position": one.position,
    }


def _update(connection: Connection, latest: Sequence[PublicEvent]) -> None:
    for some in in_steps(connection, latest):
        connection.execute(
            update(GAMES).where(GAMES.c.id == bindparam("game")),
            [{"game": one.game_id, **_changing(one)} for one in some],
        )


def _seat(connection: Connection, latest: Sequence[PublicEvent], opened: Mapping[UUID, int]) -> None:
    """Writes whole line-ups anew: seats move up when somebody leaves."""
    known = dict(opened) | _opened_before(connection, [one.game_id for one in latest if one.game_id not in opened])
    rows = [row for one in latest for row in _seats(one, known[one.game_id])]
    before = [{"game": one.game_id} for one in latest if one.game_id not in opened]
    for few in in_steps(connection, before):
        connection.execute(delete(SEATS).where(SEATS.c.game_id == bindparam("game")), few)
    for some in in_steps(connection, rows):
        connection.execute(insert(SEATS), some)


def _opened_before(connection: Connection, games: Iterable[UUID]) -> dict[UUID, int]:
    found: dict[UUID, int] = {}
    for some in chunks(games):
        rows = connection.execute(select(GAMES.c.id, GAMES.c.opened).where(GAMES.c.id.in_(some)))
        found.update({row.id: row.opened for row in rows})
    return found


def _seats(one: PublicEvent, opened: int) -> list[dict[str, Any]]:
    ended = results(one)
    return [
        {
            "game_id": one.game_id,
            "seat": seat,
            "player": player,
            "kind": one.table.kind,
            "opened": opened,
            "result": ended[seat] if ended else None,
        }
        for seat, player in enumerate(one.table.players)
    ]

"""Who was in the way of deals: tables that were never dealt, who opened or broke them off, and seals used again."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, select

from fairdeal.application.projections.public_event import PublicEvent
from fairdeal.domain.kernel.lifecycle import DealtFrom, GameAbandoned, GameStarted, GameVoided, PlayerSeated
from fairdeal.infrastructure.readmodels.projections.base import Projection, chunks, upsert
from fairdeal.infrastructure.readmodels.tables import CONDUCT, SEALS

Rows = dict[str, dict[str, Any]]
"""Of each player."""

COUNTS = ("tables_closed", "tables_undealt", "tables_broken_off", "seals_kept_shut", "seals_used_before")
TOLD_BY = (PlayerSeated, GameStarted, GameAbandoned, GameVoided)


class PlayersConduct(Projection):
    """What is counted of everybody who opens tables, breaks them off or seals entropy."""

    name = "conduct"
    tables = (CONDUCT, SEALS)

    def fold(self, connection: Connection, events: Sequence[PublicEvent]) -> None:
        telling = [one for one in events if type(one.event) in TOLD_BY]
        counted = [(name, count) for one in telling for name, count in _counted(one)]
        counted += [(name, "seals_used_before") for name in _note_seals(connection, telling)]
        if not counted:
            return
        rows = _load(connection, [name for name, _ in counted])
        for name, count in counted:
            rows.setdefault(name, {"player": name, **dict.fromkeys(COUNTS, 0)})[count] += 1
        upsert(connection, CONDUCT, list(rows.values()))


def _counted(one: PublicEvent) -> Iterator[tuple[str, str]]:
    """Whose count goes up by one, and which."""
    table, event = one.table, one.event
    if isinstance(event, GameStarted) and table.opening is not DealtFrom.BRANCH:
        yield table.opener, "tables_closed"
    if table.never_opened:
        yield table.opener, "tables_undealt"
        # By the first house rules only the command told who broke a table off without sitting at it.
        by = event.by if isinstance(event, GameVoided) else one.by
        if by is not None:
            yield by, "tables_broken_off"
        yield from ((player, "seals_kept_shut") for player in table.never_opened)


def _note_seals(connection: Connection, telling: Iterable[PublicEvent]) -> list[str]:
    """Who has sat down with a seal that was used at another table before."""
    used: list[tuple[str, UUID, str]] = []
    for one in telling:
        match one.event:
            case PlayerSeated(player=str() as player, seal=str() as seal):
                used.append((seal, one.game_id, player))
            case _:
                pass
    known: dict[str, UUID] = {}
    for some in chunks({seal for seal, _, _ in used}):
        rows = connection.execute(select(SEALS.c.seal, SEALS.c.game_id).where(SEALS.c.seal.in_(some)))
        known.update((row.seal, row.game_id) for row in rows)
    new: list[dict[str, Any]] = []
    again: list[str] = []
    for seal, game_id, player in used:
        if seal not in known:
            known[seal] = game_id
            new.append({"seal": seal, "game_id": game_id, "player": player})
        elif known[seal] != game_id:
            again.append(player)
    upsert(connection, SEALS, new)
    return again


def _load(connection: Connection, names: Iterable[str]) -> Rows:
    found: Rows = {}
    for some in chunks(dict.fromkeys(names)):
        for row in connection.execute(select(CONDUCT).where(CONDUCT.c.player.in_(some))).mappings():
            found[row["player"]] = {column.name: row[column.name] for column in CONDUCT.columns}
    return found

"""The timeline: one line per event, as a spectator saw it."""

from collections.abc import Sequence

from sqlalchemy import Connection

from fairdeal.application.projections.public_event import PublicEvent
from fairdeal.infrastructure.readmodels.projections.base import Projection, append_columns
from fairdeal.infrastructure.readmodels.tables import TIMELINE


class Timeline(Projection):
    """What happened everywhere, to be searched."""

    name = "timeline"
    tables = (TIMELINE,)

    def fold(self, connection: Connection, events: Sequence[PublicEvent]) -> None:
        append_columns(
            connection,
            TIMELINE,
            [
                [one.position for one in events],
                [one.game_id for one in events],
                [one.version for one in events],
                [one.table.kind for one in events],
                [one.name for one in events],
                [one.at for one in events],
                [one.by for one in events],
                [one.player for one in events],
                [one.line for one in events],
            ],
        )

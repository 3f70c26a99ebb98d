"""Which games have to be looked at when, because somebody's time may have run out."""

import heapq
from datetime import datetime
from uuid import UUID


class Timetable:
    """The next moment of each game; a game that is noted again has only its newest one."""

    def __init__(self) -> None:
        self._at: dict[UUID, datetime] = {}
        self._heap: list[tuple[datetime, UUID]] = []

    def note(self, game: UUID, at: datetime | None) -> None:
        """When to look at this game; None for never."""
        if at is None:
            self._at.pop(game, None)
        elif self._at.get(game) != at:
            self._at[game] = at
            heapq.heappush(self._heap, (at, game))

    def due(self, now: datetime) -> list[UUID]:
        """The games whose moment has come; each is named once, and stays away until it is noted again."""
        found: list[UUID] = []
        while self._heap and self._heap[0][0] <= now:
            at, game = heapq.heappop(self._heap)
            if self._at.get(game) == at:
                del self._at[game]
                found.append(game)
        return found

    def clear(self) -> None:
        self._at.clear()
        self._heap.clear()

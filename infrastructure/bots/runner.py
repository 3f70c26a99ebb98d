"""Moves for bots and calls who is late: one process at a time does it, and another takes over when that one dies."""

import logging
from collections.abc import Iterable
from datetime import timedelta
from random import Random
from threading import Event, Thread
from time import monotonic
from typing import Self
from uuid import UUID

from sqlalchemy.exc import SQLAlchemyError

from fairdeal.application.bots import bot_to_move, move_of, next_timeout, timeout_of
from fairdeal.application.commands.messages import Command
from fairdeal.application.commands.policy import STAFF, Caller, facts_of
from fairdeal.application.history.look import AnyLook
from fairdeal.domain.kernel.lifecycle import is_opening
from fairdeal.domain.kernel.lobby import Phase, is_bot
from fairdeal.domain.kernel.refusals import FairdealError
from fairdeal.infrastructure.bots.only_one import only_one_for
from fairdeal.infrastructure.bots.timetable import Timetable
from fairdeal.infrastructure.wakeup import wakeup_for
from fairdeal.service import Fairdeal

LOG = logging.getLogger("fairdeal.bots")
PAUSE_SECONDS = 0.5
"""So long we wait for the lock, or after an error."""
LOBBY_SECONDS = 60.0
"""So often lobbies are looked at."""
RETRY = timedelta(seconds=5)
"""After so long a game is looked at again in which something was refused."""
BATCH = 500
MOST_MOVES = 200
"""So many moves of one game in a row, then others have their turn."""


class BotRunner:
    """A thread that follows the ledger. It acts through the command handlers, and bots choose from their views alone.

    Killed at any moment it leaves nothing half done: whoever takes over looks at every game that is under way, and the
    ids of its commands follow from the version, so that no turn is played twice.
    """

    def __init__(self, fairdeal: Fairdeal, *, lobbies_after: timedelta | None = None) -> None:
        """Lobbies that nobody joined become void after so long, if it is given."""
        self._fairdeal = fairdeal
        self._lobbies_after = lobbies_after
        self._lobbies_at = 0.0
        self._lock = only_one_for(fairdeal.address)
        self._timetable = Timetable()
        self._stop = Event()
        self._thread = Thread(target=self.run, name="fairdeal-bots", daemon=True)
        self._rng = Random()

    def start(self) -> Self:
        self._thread.start()
        return self

    def stop(self) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def run(self) -> None:
        """Works until it is told to stop."""
        wakeup = wakeup_for(self._fairdeal.address)
        position: int | None = None
        try:
            while not self._stop.is_set():
                try:
                    if not self._lock.has_it():
                        position = None
                        self._stop.wait(PAUSE_SECONDS)
                        continue
                    if position is None:
                        LOG.info("this process plays for bots and watches the clocks")
                        position = self._fairdeal.ledger.head()
                        self._take_over()
                    position, touched = self._since(position)
                    self._see_to(touched)
                    self._see_to(self._timetable.due(self._fairdeal.now()))
                    self._clear_lobbies()
                    if not touched:
                        wakeup.wait(self._stop)
                except (FairdealError, SQLAlchemyError, OSError) as error:
                    LOG.warning("bots wait: %s", getattr(error, "code", type(error).__name__))
                    position = None
                    self._stop.wait(PAUSE_SECONDS)
        finally:
            wakeup.close()
            self._lock.release()

    def _take_over(self) -> None:
        """All games that are under way: nobody knows what was left undone."""
        self._timetable.clear()
        for phase in (Phase.RUNNING, Phase.SEALED):
            cursor: str | None = None
            while not self._stop.is_set():
                page = self._fairdeal.read.games(phase=phase, limit=BATCH, cursor=cursor)
                self._see_to(game.id for game in page.items if any(map(is_bot, game.turn)) or self._has_clock(game.id))
                cursor = page.next
                if cursor is None:
                    break

    def _has_clock(self, game: UUID) -> bool:
        first = self._fairdeal.ledger.records(game, up_to=1)
        opened = self._fairdeal.codec.read(first[0]).event
        return is_opening(opened) and opened.clock is not None

    def _since(self, position: int) -> tuple[int, list[UUID]]:
        records = self._fairdeal.ledger.since(position, BATCH)
        touched = list(dict.fromkeys(record.game_id for _, record in records))
        return (records[-1][0] if records else position), touched

    def _see_to(self, games: Iterable[UUID]) -> None:
        for game in games:
            if self._stop.is_set() or not self._lock.has_it():
                return
            try:
                self._serve(game)
            except FairdealError as error:
                LOG.info("game %s refused: %s", game, error.code)
                self._try_again(game)
            except Exception:
                LOG.exception("game %s fails; others go on", game)
                self._try_again(game)

    def _try_again(self, game: UUID) -> None:
        self._timetable.note(game, self._fairdeal.now() + RETRY)

    def _serve(self, game: UUID) -> None:
        """Acts until nobody waits for a bot and nobody is late."""
        if facts_of(self._fairdeal.game(game)).is_branch:
            return  # whoever made it moves every seat
        for _ in range(MOST_MOVES):
            table = self._fairdeal.look(game)
            command = self._wanted(table)
            if command is None or self._stop.is_set():
                self._timetable.note(game, next_timeout(table))
                return
            self._handle(command)

    def _wanted(self, table: AnyLook) -> Command | None:
        late = timeout_of(table, self._fairdeal.now())
        bot = bot_to_move(table)
        if late is not None or bot is None:
            return late
        look = self._fairdeal.look(table.game_id, bot)
        if look.version != table.version or not look.legal:
            return None  # somebody else was faster; what they did comes round
        return move_of(bot, look, self._fairdeal.kinds[look.kind], self._rng)

    def _handle(self, command: Command) -> None:
        self._fairdeal.handle(command, who=Caller(command.player, frozenset({STAFF})))

    def _clear_lobbies(self) -> None:
        if self._lobbies_after is not None and monotonic() >= self._lobbies_at:
            self._lobbies_at = monotonic() + LOBBY_SECONDS
            self._fairdeal.expire_lobbies(self._lobbies_after)

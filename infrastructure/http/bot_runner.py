"""Plays the seats of bots: one worker at a time does it, and another takes over when that one dies."""

import logging
from random import Random
from secrets import token_hex
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING
from uuid import UUID

from sqlalchemy.exc import SQLAlchemyError

from fairdeal.domain.kernel.refusals import FairdealError
from fairdeal.infrastructure.http.identity import BOT
from fairdeal.infrastructure.http.tables import PRIVATE
from fairdeal.infrastructure.wakeup import wakeup_for

if TYPE_CHECKING:
    from fairdeal.infrastructure.http.backend import Backend

LOG = logging.getLogger("fairdeal.bots")
LEASE = "bots"
LEASE_SECONDS = 5.0
RENEW_SECONDS = 1.0
BATCH = 500
MOST_MOVES = 200
"""So many moves of one game in a row, then others have their turn."""


class BotRunner:
    """A thread that follows the ledger and moves for bots, from their views alone, through the command handlers."""

    def __init__(self, backend: "Backend") -> None:
        self._backend = backend
        self._fairdeal = backend.fairdeal
        self._holder = token_hex(16)
        self._stop = Event()
        self._thread = Thread(target=self._run, name="fairdeal-bots", daemon=True)
        self._rng = Random()
        self._renewed = 0.0

    def start(self) -> "BotRunner":
        self._thread.start()
        return self

    def stop(self) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        wakeup = wakeup_for(self._fairdeal.address)
        position: int | None = None
        try:
            while not self._stop.is_set():
                try:
                    if not self._has_lease():
                        position = None
                        self._stop.wait(RENEW_SECONDS)
                        continue
                    if position is None:
                        position = self._fairdeal.ledger.head()
                        self._play_all(self._running())
                    position, touched = self._since(position)
                    self._play_all(touched)
                    if not touched:
                        wakeup.wait(self._stop)
                except (FairdealError, SQLAlchemyError) as error:
                    LOG.warning("bots wait: %s", error)
                    position = None
                    self._stop.wait(RENEW_SECONDS)
        finally:
            wakeup.close()
            self._give_back()

    def _has_lease(self) -> bool:
        if monotonic() < self._renewed + RENEW_SECONDS:
            return True
        held = self._backend.accounts.take_lease(LEASE, self._holder, LEASE_SECONDS)
        self._renewed = monotonic() if held else 0.0
        return held

    def _give_back(self) -> None:
        try:
            self._backend.accounts.give_lease_back(LEASE, self._holder)
        except (FairdealError, SQLAlchemyError):
            LOG.info("the lease runs out by itself")

    def _running(self) -> list[UUID]:
        """All games that are under way: whoever takes over does not know what was left undone."""
        found: list[UUID] = []
        cursor: str | None = None
        while True:
            page = self._fairdeal.read.games(phase="running", limit=500, cursor=cursor)
            found += [game.id for game in page.items if any(player.startswith(BOT) for player in game.turn)]
            cursor = page.next
            if cursor is None:
                return found

    def _since(self, position: int) -> tuple[int, list[UUID]]:
        records = self._fairdeal.ledger.since(position, BATCH)
        touched = list(dict.fromkeys(record.game_id for _, record in records))
        return (records[-1][0] if records else position), touched

    def _play_all(self, games: list[UUID]) -> None:
        for game in games:
            if self._stop.is_set() or not self._has_lease():
                return
            try:
                self._play(game)
            except FairdealError as error:
                LOG.info("a bot was refused: %s", error.code)
            except Exception:
                LOG.exception("a bot failed; other games go on")

    def _play(self, game: UUID) -> None:
        """Moves until no bot has to act."""
        if self._backend.tables.mode(game) == PRIVATE:
            return  # whoever made the branch moves every seat
        for _ in range(MOST_MOVES):
            table = self._fairdeal.look(game)
            waited_for = [table.players[seat] for seat in table.active if table.players[seat].startswith(BOT)]
            if table.phase != "running" or not waited_for or self._stop.is_set():
                return
            self._move(game, waited_for[0])

    def _move(self, game: UUID, bot: str) -> None:
        look = self._fairdeal.look(game, bot)
        if look.seat not in look.active or not look.legal:
            return
        bots = self._fairdeal.kinds[look.kind].bots
        choose = bots.get(bot.split(":")[1]) or next(iter(bots.values()))
        move = choose(look.view, look.legal, self._rng)
        # The id follows from the version: whoever else plays for this bot cannot move a second time.
        command_id = self._backend.accounts.command_id(bot, f"{game}:{look.version}", "bot")
        self._fairdeal.move(game, bot, move, command_id=command_id, expected_version=look.version)
        self._backend.metrics.bots.inc()

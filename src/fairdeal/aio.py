"""`AsyncFairdeal`: the same calls for programs that `await`, on threads of its own."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Any, ParamSpec, Self, TypeVar
from uuid import UUID

from fairdeal.application.audit.verdicts import Report
from fairdeal.application.commands.handlers import Answer
from fairdeal.application.commands.messages import Command
from fairdeal.application.errors import LedgerUnavailable
from fairdeal.application.history.look import Look
from fairdeal.application.live.new_events import NewEvents
from fairdeal.application.log.record import Receipt
from fairdeal.service import Fairdeal, game_id_of

THREADS = 32
"""Callers that wait for the same commit share it, so more threads mean more commands per second."""

P = ParamSpec("P")
T = TypeVar("T")


class AsyncFairdeal:
    """A `Fairdeal` whose calls are awaited.

    They run on a bounded number of threads that nobody else uses: calls that are stuck cannot use up the threads of the
    host. A call whose caller is cancelled goes on; its command may still be stored.
    """

    def __init__(self, fairdeal: Fairdeal | str, *, threads: int = THREADS) -> None:
        """On a `Fairdeal` that its owner closes, or on an address, and then it is closed with this."""
        self._owns = isinstance(fairdeal, str)
        self.fairdeal = Fairdeal(fairdeal) if isinstance(fairdeal, str) else fairdeal
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="fairdeal")
        self._is_closed = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Waits for all calls that are under way; later ones are refused, and followers end."""
        self._is_closed = True
        self.fairdeal.watcher.wake_all()
        await asyncio.get_running_loop().run_in_executor(None, self._shut_down)

    def _shut_down(self) -> None:
        self._pool.shutdown(wait=True)
        if self._owns:
            self.fairdeal.close()

    async def run(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Any other call on these threads, such as `await games.run(games.fairdeal.read.games, kind="red7")`."""
        if self._is_closed:
            raise LedgerUnavailable("This AsyncFairdeal has been closed.")
        return await asyncio.get_running_loop().run_in_executor(self._pool, partial(call, *args, **kwargs))

    async def handle(self, command: Command | dict[str, Any]) -> Answer:
        return await self.run(self.fairdeal.handle, command)

    async def start_game(
        self,
        kind: str,
        players: Sequence[str],
        options: Any = None,
        *,
        opener: str | None = None,
        brings: Mapping[str, Any] | None = None,
        deck: Any = None,
        position: Any = None,
        command_id: str | None = None,
    ) -> Answer:
        return await self.run(
            self.fairdeal.start_game,
            kind,
            players,
            options,
            opener=opener,
            brings=brings,
            deck=deck,
            position=position,
            command_id=command_id,
        )

    async def move(
        self,
        game_id: UUID | str,
        player: str,
        move: Any,
        *,
        command_id: str | None = None,
        expected_version: int | None = None,
    ) -> Answer:
        return await self.run(
            self.fairdeal.move, game_id, player, move, command_id=command_id, expected_version=expected_version
        )

    async def branch(self, origin: UUID | str, version: int, player: str, *, command_id: str | None = None) -> Answer:
        return await self.run(self.fairdeal.branch, origin, version, player, command_id=command_id)

    async def look(self, game_id: UUID | str, player: str | None = None) -> Look[Any, Any]:
        return await self.run(self.fairdeal.look, game_id, player)

    async def story(self, game_id: UUID | str, player: str | None = None) -> tuple[str, ...]:
        return await self.run(self.fairdeal.story, game_id, player)

    async def audit(self, game_id: UUID | str, receipts: Iterable[Receipt] = ()) -> Report:
        return await self.run(self.fairdeal.audit, game_id, receipts)

    async def export(self, game_id: UUID | str, player: str | None = None, *, operator: bool = False) -> str:
        return await self.run(self.fairdeal.exports.export, game_id, player, operator=operator)

    async def events(self, game_id: UUID | str, viewer: str | None = None, *, after: int = 0) -> NewEvents:
        return await self.run(self.fairdeal.events, game_id, viewer, after=after)

    async def follow(
        self, game_id: UUID | str, viewer: str | None = None, *, after: int = 0, patience: float | None = None
    ) -> AsyncIterator[NewEvents]:
        """`async for new in games.follow(…)`: as `Fairdeal.follow`, and no thread waits."""
        game, woken, loop = game_id_of(game_id), asyncio.Event(), asyncio.get_running_loop()

        def wake() -> None:
            with suppress(RuntimeError):  # the loop is closed, so nobody follows any more
                loop.call_soon_threadsafe(woken.set)

        with self.fairdeal.watcher.watching(game, wake):
            new = await self.events(game, viewer, after=after)
            yield new
            while not new.over:
                try:
                    await asyncio.wait_for(woken.wait(), patience)
                except TimeoutError:
                    return
                woken.clear()
                if self._is_closed:
                    return
                latest = await self.events(game, viewer, after=new.version)
                if latest.events:
                    yield latest
                new = latest

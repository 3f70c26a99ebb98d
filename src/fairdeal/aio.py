"""`AsyncFairdeal`: the same calls for programs that `await`, on threads of its own."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Any, ParamSpec, Self, TypeVar
from uuid import UUID

from fairdeal.application.audit.verdicts import Report
from fairdeal.application.commands.handlers import Answer, Sent
from fairdeal.application.commands.messages import Command
from fairdeal.application.commands.policy import STRICT, Caller, Policy
from fairdeal.application.errors import LedgerUnavailable
from fairdeal.application.history.look import Look
from fairdeal.application.live.new_events import NewEvents
from fairdeal.application.log.record import Receipt
from fairdeal.application.one_process import OneProcess
from fairdeal.application.time_limit import TimeLimit
from fairdeal.infrastructure.call_pool import CallPool
from fairdeal.infrastructure.command_pool import CommandPool, Steps
from fairdeal.service import Fairdeal, branch_command, game_id_of, move_command, start_command
from fairdeal.visitor import Visitor

THREADS = 32
"""Callers that wait for the same commit share it, so more threads mean more commands per second."""

P = ParamSpec("P")
T = TypeVar("T")


class AsyncFairdeal:
    """A `Fairdeal` whose calls are awaited.

    They run on a bounded number of threads that nobody else uses: calls that are stuck cannot use up the threads of the
    host. Commands have threads of their own, so that those who only read never wait for them. A call whose caller is
    cancelled goes on; its command may still be stored.
    """

    def __init__(self, fairdeal: Fairdeal | str, *, threads: int = THREADS) -> None:
        """On a `Fairdeal` that its owner closes, or on an address, and then it is closed with this."""
        self._owns = isinstance(fairdeal, str)
        self.fairdeal = Fairdeal(fairdeal) if isinstance(fairdeal, str) else fairdeal
        self._pool = CallPool(threads, "fairdeal")
        self._commands = CommandPool(self.fairdeal.handle_all, threads, "fairdeal-commands")
        self._is_closed = False
        self._process = OneProcess()

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
        self._commands.shutdown()
        self._pool.shutdown()
        if self._owns:
            self.fairdeal.close()

    async def run(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Any other call on these threads, such as `await games.run(games.fairdeal.read.games, kind="red7")`."""
        self._must_be_usable()
        return await self._pool.run(partial(call, *args, **kwargs))

    def _must_be_usable(self) -> None:
        self._process.must_be_ours()
        if self._is_closed:
            raise LedgerUnavailable("This AsyncFairdeal has been closed.")

    async def handle(
        self,
        command: Command | dict[str, Any],
        *,
        who: Caller | None = None,
        policy: Policy | None = None,
        patience: float | None = None,
    ) -> Answer:
        # Counted from now: waiting for a thread is waiting, too.
        limit = TimeLimit(self.fairdeal.patience if patience is None else patience)
        self._must_be_usable()
        return await self._commands.send(_one(Sent(command, who, policy, limit)))

    def visitor(self, who: Caller | str | None, *, policy: Policy = STRICT) -> "AsyncVisitor":
        """The same calls for an outsider, None for somebody unknown: what they may not is refused."""
        return AsyncVisitor(self, self.fairdeal.visitor(who, policy=policy))

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
        given = {"brings": brings, "deck": deck, "position": position, "command_id": command_id}
        return await self.handle(start_command(kind, players, options, opener, **given))

    async def move(
        self,
        game_id: UUID | str,
        player: str,
        move: Any,
        *,
        command_id: str | None = None,
        expected_version: int | None = None,
    ) -> Answer:
        given = {"command_id": command_id, "expected_version": expected_version}
        return await self.handle(move_command(game_id, player, move, **given))

    async def branch(self, origin: UUID | str, version: int, player: str, *, command_id: str | None = None) -> Answer:
        return await self.handle(branch_command(origin, version, player, command_id=command_id))

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


def _one(sent: Sent) -> Steps[Answer]:
    return (yield sent)


class AsyncVisitor:
    """A `Visitor` whose calls are awaited: what one caller may do and see."""

    def __init__(self, games: AsyncFairdeal, visitor: Visitor) -> None:
        self._games = games
        self._visitor = visitor

    async def handle(self, command: Command | dict[str, Any]) -> Answer:
        message, who, policy = self._visitor.asked(command)
        return await self._games.handle(message, who=who, policy=policy)

    async def look(self, game_id: UUID | str, viewer: str | None = None) -> Look[Any, Any]:
        return await self._games.run(self._visitor.look, game_id, viewer)

    async def story(self, game_id: UUID | str, viewer: str | None = None) -> tuple[str, ...]:
        return await self._games.run(self._visitor.story, game_id, viewer)

    async def events(self, game_id: UUID | str, viewer: str | None = None, *, after: int = 0) -> NewEvents:
        return await self._games.run(self._visitor.events, game_id, viewer, after=after)

    async def follow(
        self, game_id: UUID | str, viewer: str | None = None, *, after: int = 0, patience: float | None = None
    ) -> AsyncIterator[NewEvents]:
        """Whether the caller may see it is asked once, before the first message."""
        eyes = await self._games.run(self._visitor.eyes, game_id, viewer)
        async for new in self._games.follow(game_id, eyes, after=after, patience=patience):
            yield new

"""Event streams of games: resumable by their version, without queues, each message made once for all who see it."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from uuid import UUID

import msgspec
from starlette.types import Receive, Send

from fairdeal.application.commands.policy import OPERATOR
from fairdeal.application.wire.encoding import to_json
from fairdeal.domain.kernel.refusals import FairdealError, UnknownPlayer
from fairdeal.infrastructure.http.accounts import CLOSED
from fairdeal.infrastructure.http.identity import Identity
from fairdeal.infrastructure.http.problems import HttpProblem
from fairdeal.infrastructure.http.visible_games import is_over
from fairdeal.infrastructure.http.watch import Waiter, Watched

if TYPE_CHECKING:
    from fairdeal.infrastructure.http.backend import Backend

HEARTBEAT_SECONDS = 15.0
REVOKED_SECONDS = 1.0
"""So often we look whether the tokens of open streams are still good."""
HEADERS = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "vary": "Authorization, Cookie",
    "x-accel-buffering": "no",
}


class Message(msgspec.Struct, frozen=True):
    """What is sent to everybody who has come to the same version and sees the same."""

    version: int
    data: bytes
    over: bool
    opener: str
    players: tuple[str, ...]


Key = tuple[UUID, str | None, bool, int]
"""Game, viewer, with looks or without, after which version."""


class StreamFollower(Waiter):
    """Somebody who follows a game, and how far they have come."""

    def __init__(self, game: UUID, who: Identity | None, after: int, *, looks: bool) -> None:
        super().__init__()
        self.game = game
        self.who = who
        self.version = after
        self.looks = looks
        self.viewer: str | None = None
        """As whom they are shown the game: it changes when they sit down or stand up."""


class Streams:
    """The open streams of one process; used by the event loop alone."""

    def __init__(self, backend: "Backend") -> None:
        self._backend = backend
        self._followers: set[StreamFollower] = set()
        self._callers: dict[str, int] = {}
        self._messages: dict[Key, asyncio.Future[Message]] = {}
        self._closing = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._revoking: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._followers)

    def close(self) -> None:
        """Ends all streams, from whatever thread."""
        self._closing = True
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._end, _everybody)

    def _end(self, which: Callable[[StreamFollower], bool]) -> None:
        for follower in list(self._followers):
            if which(follower):
                follower.end()

    def enter(self, follower: StreamFollower, caller: str) -> None:
        """Raises if there are too many already."""
        if self._closing:
            raise HttpProblem("closing", "This server is being stopped: ask again.")
        limits = self._backend.limits
        if self._callers.get(caller, 0) >= limits.streams_of_caller:
            raise HttpProblem("too_many_streams", "Too many open streams: close some.")
        if len(self._followers) >= limits.streams:
            raise HttpProblem("busy", "This server has as many streams as it can carry: ask again later.")
        self._loop = asyncio.get_running_loop()
        self._followers.add(follower)
        self._callers[caller] = self._callers.get(caller, 0) + 1
        if self._revoking is None or self._revoking.done():
            self._revoking = self._loop.create_task(self._end_revoked())

    def leave(self, follower: StreamFollower, caller: str) -> None:
        self._followers.discard(follower)
        self._callers[caller] -= 1
        if not self._callers[caller]:
            del self._callers[caller]

    async def _end_revoked(self) -> None:
        """A token that ends takes its streams with it."""
        while self._followers:
            await asyncio.sleep(REVOKED_SECONDS)
            tokens = {one.who.token for one in self._followers if one.who is not None and one.who.token is not None}
            if not tokens:
                continue
            with contextlib.suppress(FairdealError):
                self._end_those_with(await self._backend.run(self._backend.accounts.ended, tokens))

    def _end_those_with(self, tokens: set[bytes]) -> None:
        self._end(lambda one: one.who is not None and one.who.token in tokens)

    async def next(self, follower: StreamFollower) -> Message:
        """The next message for this follower, with the eyes that they have now."""
        try:
            message = await self._shared(follower)
        except UnknownPlayer:
            follower.viewer = None  # they stood up
            message = await self._shared(follower)
        if follower.viewer is None and follower.who is not None and follower.who.player in message.players:
            follower.viewer = follower.who.player
            return await self.next(follower)
        return message

    async def _shared(self, follower: StreamFollower) -> Message:
        """A message that several followers need is made once."""
        key = (follower.game, follower.viewer, follower.looks, follower.version)
        message = self._messages.get(key)
        if message is None:
            message = self._messages[key] = self._backend.run(self._make, *key)
            message.add_done_callback(lambda _: self._messages.pop(key, None))
        return await asyncio.shield(message)

    def _make(self, game: UUID, viewer: str | None, looks: bool, after: int) -> Message:
        tables = self._backend.tables
        new = self._backend.fairdeal.events(game, viewer, after=after)
        look = tables.dressed(new.look())
        told: dict[str, Any] = {"version": new.version, "events": tables.named(new.events, look)}
        if looks:
            told["look"] = look
        data = b"event: batch\nid: %d\ndata: %s\n\n" % (look.version, to_json(told))
        if is_over(look):
            end = to_json({"version": look.version, "outcome": look.outcome})
            last = b"event: end\nid: %d\ndata: %s\n\n" % (look.version, end)
            data = last if look.version == after else data + last
        return Message(look.version, data, is_over(look), look.opener, look.players)


class StreamResponse:
    """A response that follows a game until it is over, the caller is gone, or the server stops."""

    def __init__(self, backend: "Backend", follower: StreamFollower, caller: str, *, only_head: bool = False) -> None:
        self._backend = backend
        self._follower = follower
        self._caller = caller
        self._only_head = only_head

    async def __call__(self, receive: Receive, send: Send) -> None:
        backend, follower = self._backend, self._follower
        backend.streams.enter(follower, self._caller)
        backend.metrics.streams.inc()
        gone = asyncio.create_task(_end_when_gone(receive, follower))
        try:
            watched = backend.watch.enter(follower.game)
            try:
                await self._follow(watched, send)
            finally:
                backend.watch.leave(follower.game)
        finally:
            gone.cancel()
            backend.metrics.streams.dec()
            backend.streams.leave(follower, self._caller)

    async def _follow(self, watched: Watched, send: Send) -> None:
        backend, follower = self._backend, self._follower
        news = watched.news
        message = await backend.streams.next(follower)
        headers = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        if not self._only_head:
            await send(_part(message.data))
        while not (message.over or follower.ended or self._only_head):
            follower.version = message.version
            has_news = await backend.watch.wait(watched, follower, news, HEARTBEAT_SECONDS)
            if follower.ended:
                break
            if not has_news:
                await send(_part(b": still here\n\n"))
                continue
            news = watched.news
            try:
                message = await backend.streams.next(follower)
            except FairdealError:
                break  # whoever comes again hears why
            if not self._may_watch(message):
                break
            if message.version > follower.version:
                await send(_part(message.data))
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _may_watch(self, message: Message) -> bool:
        """Who stands up from a closed table sees it no longer."""
        follower = self._follower
        if self._backend.tables.mode(follower.game) != CLOSED or follower.who is None:
            return True
        return OPERATOR in follower.who.scopes or follower.who.player in (message.opener, *message.players)


def _everybody(_: StreamFollower) -> bool:
    return True


def _part(data: bytes) -> dict[str, Any]:
    return {"type": "http.response.body", "body": data, "more_body": True}


async def _end_when_gone(receive: Receive, follower: StreamFollower) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    follower.end()

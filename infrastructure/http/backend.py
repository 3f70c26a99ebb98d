"""What all routes stand on: the games, the accounts, the bounds and the threads of one app."""

import asyncio
import contextvars
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from fairdeal.application.commands.policy import Policy
from fairdeal.infrastructure.call_pool import CallPool
from fairdeal.infrastructure.command_pool import CommandPool, Steps
from fairdeal.infrastructure.http.accounts import Accounts
from fairdeal.infrastructure.http.checkpoints import SignedCheckpoints
from fairdeal.infrastructure.http.identity import Identify
from fairdeal.infrastructure.http.limits import Limits, Rates
from fairdeal.infrastructure.http.metrics import Metrics
from fairdeal.infrastructure.http.names import Names, NamesOf
from fairdeal.infrastructure.http.operations import Operation
from fairdeal.infrastructure.http.problems import HttpProblem
from fairdeal.infrastructure.http.stream import Streams
from fairdeal.infrastructure.http.visible_games import VisibleGames
from fairdeal.infrastructure.http.watch import GameWatch
from fairdeal.service import Fairdeal

T = TypeVar("T")


class Backend:
    """One per app, and no globals: two apps in one process share nothing."""

    def __init__(
        self,
        fairdeal: Fairdeal,
        accounts: Accounts,
        *,
        identify: Identify | None,
        names: NamesOf | None,
        policy: Policy,
        limits: Limits,
        cors_origins: Sequence[str],
        checkpoint_key: str | None,
        own_loop: bool = False,
    ) -> None:
        self.fairdeal = fairdeal
        self.accounts = accounts
        self.identify = identify
        self.names = Names(names or accounts.names, are_foreign=names is not None)
        self.policy = policy
        self.limits = limits
        self.rates = Rates(limits)
        self.cors_origins = tuple(cors_origins)
        self.checkpoints = SignedCheckpoints(fairdeal, checkpoint_key)
        self.operations: list[tuple[str, Operation]] = []
        self.metrics = Metrics(fairdeal)
        fairdeal.observers.add(self.metrics.observe)
        self.tables = VisibleGames(fairdeal, accounts, self.names)
        self.watch = GameWatch(fairdeal)
        self.streams = Streams(self)
        self._document: dict[str, Any] | None = None
        self._is_closed = False
        self._pool = CallPool(limits.threads, "fairdeal-http")
        # Changes may wait for a database that is locked elsewhere; those who only read must not wait for them.
        self._changing = CallPool(limits.threads, "fairdeal-changing")
        self._commands = CommandPool(
            fairdeal.handle_all,
            limits.threads,
            "fairdeal-commands",
            handle_at_once=fairdeal.handle_at_once if own_loop else None,
        )
        self._heavy = CallPool(limits.heavy_threads, "fairdeal-heavy")

    def run(
        self, act: Callable[..., T], *given: Any, heavy: bool = False, changes: bool = False
    ) -> "asyncio.Future[T]":
        """Does it in a thread of ours, so that nothing that waits for a disk uses up the host's threads."""
        self._must_be_open()
        pool = self._heavy if heavy else self._changing if changes else self._pool
        return pool.run(partial(contextvars.copy_context().run, act, *given))

    def send(self, steps: Steps[T], *, is_at_hand: bool) -> "asyncio.Future[T]":
        """Does what is done with commands; those of many callers are stored together.

        `is_at_hand` says that it waits for nothing but its command, so that a loop of our own may do it by itself.
        """
        self._must_be_open()
        return self._commands.send(steps, is_at_hand=is_at_hand)

    def _must_be_open(self) -> None:
        if self._is_closed:
            raise HttpProblem("closing", "This server is being stopped: ask again.")

    def document(self, root: str) -> dict[str, Any]:
        """The OpenAPI document of this app, where it is mounted."""
        if self._document is None:
            from fairdeal.infrastructure.http.openapi import openapi_document

            self._document = openapi_document(self.operations, self.fairdeal.kinds)
        return {**self._document, "servers": [{"url": root or "/"}]}

    def stop(self) -> None:
        """Ends all streams and waits; to be called before the server waits for its connections."""
        self.streams.close()
        self.watch.close()

    def close(self) -> None:
        """Ends everything that the app has opened; the games are the caller's."""
        self.stop()
        self.fairdeal.observers.remove(self.metrics.observe)
        self._is_closed = True
        for pool in (self._pool, self._changing, self._commands, self._heavy):
            pool.shutdown()
        self.accounts.close()

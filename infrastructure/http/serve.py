"""`fairdeal serve`: the app in uvicorn, by one process or several on one socket."""

import gc
import signal
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.context import SpawnProcess
from multiprocessing.synchronize import Event as ReadyEvent
from threading import Event
from types import FrameType
from typing import Literal

import uvicorn
from starlette.applications import Starlette

from fairdeal.application.catalogue import KINDS
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.infrastructure.bots.runner import BotRunner
from fairdeal.infrastructure.http.app import create_app
from fairdeal.infrastructure.http.protocol import BoundedProtocol
from fairdeal.service import Fairdeal

SEND_BUFFER = 64 * 1024
DEAF_MILLISECONDS = 15_000
"""A client that takes nothing for so long is gone."""
GRACE_SECONDS = 10
LOOK_SECONDS = 0.5
"""So often we look whether all workers live."""
UNCOLLECTED = 10_000
"""So many new objects are there before Python looks for cycles among them: requests leave hardly any behind."""


@dataclass
class AppFactory:
    """Makes the app in the process that serves it: nothing that is open survives a fork or a spawn."""

    ledger: str
    read_only: bool = False
    bots: bool = True
    hosts: Sequence[str] = ("*",)
    checkpoint_key: str | None = field(default=None, repr=False)
    kinds: Callable[[], Mapping[str, AnyRules]] | None = None
    """Makes the register of games, in each process for itself; our own games without it."""

    def __post_init__(self) -> None:
        self.app: Starlette | None = None
        self._fairdeal: Fairdeal | None = None
        self._runner: BotRunner | None = None

    def __call__(self) -> Starlette:
        kinds = KINDS if self.kinds is None else self.kinds()
        self._fairdeal = Fairdeal(self.ledger, kinds=kinds, read_only=self.read_only)
        self.app = create_app(self._fairdeal, hosts=self.hosts, checkpoint_key=self.checkpoint_key, own_loop=True)
        if self.bots and not self.read_only:
            self._runner = BotRunner(self._fairdeal).start()
        return self.app

    def stop(self) -> None:
        """Before the server waits for its connections: streams never end by themselves."""
        if self._runner is not None:
            self._runner.stop()
        if self.app is not None:
            self.app.state.backend.stop()

    def close(self) -> None:
        if self._fairdeal is not None:
            self._fairdeal.close()


class Server(uvicorn.Server):
    """uvicorn tells streams nothing when it stops, so we do."""

    def __init__(self, config: uvicorn.Config, factory: AppFactory, ready: ReadyEvent | None = None) -> None:
        super().__init__(config)
        self._factory = factory
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        collect_rarely()
        if self._ready is not None and self.started:
            self._ready.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._factory.stop()
        await super().shutdown(sockets)

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            super().run(sockets)
        finally:
            self._factory.close()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - the shape that uvicorn calls
        """To be told to stop is not a failure: the signal is not raised again, as uvicorn would."""
        if self.should_exit and sig == signal.SIGINT:
            self.force_exit = True
        else:
            self.should_exit = True


def collect_rarely() -> None:
    """What is there now stays for as long as the process lives, so nobody need look through it again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(UNCOLLECTED, *gc.get_threshold()[1:])


def listen(host: str, port: int) -> socket.socket:
    """A socket whose connections have small buffers, so that a client that does not read is noticed and dropped."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        found.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAF_MILLISECONDS)
    try:
        found.bind((host, port))
        found.listen(2048)
    except OSError:
        found.close()
        raise
    found.set_inheritable(True)
    return found


def serve(factory: AppFactory, found: socket.socket, *, workers: int = 1) -> None:
    """Serves until it is told to stop."""
    if workers == 1:
        _serve(factory, found)
    else:
        Workers(factory, found, workers).run()


def server_config(app: AppFactory | Starlette, *, loop: Literal["uvloop", "asyncio"] = "uvloop") -> uvicorn.Config:
    """How uvicorn runs the app, or what makes it."""
    return uvicorn.Config(
        app,
        factory=isinstance(app, AppFactory),
        loop=loop,
        http=BoundedProtocol,
        ws="none",
        lifespan="on",
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


def _serve(factory: AppFactory, found: socket.socket, ready: ReadyEvent | None = None) -> None:
    Server(server_config(factory), factory, ready).run([found])


class Workers:
    """Several processes on one socket; one that dies is started again, and on SIGHUP all are, one after the other."""

    def __init__(self, factory: AppFactory, found: socket.socket, number: int) -> None:
        self._context = get_context("spawn")
        self._given = (factory, found)
        self._told = Event()
        self._stop = False
        self._renew = False
        self._workers: list[SpawnProcess] = [self._started() for _ in range(number)]

    def _started(self, ready: ReadyEvent | None = None) -> SpawnProcess:
        worker = self._context.Process(target=_serve, args=(*self._given, ready))
        worker.start()
        return worker

    def _told_to_stop(self, _: int, __: FrameType | None) -> None:
        self._stop = True
        self._told.set()

    def _told_to_renew(self, _: int, __: FrameType | None) -> None:
        self._renew = True
        self._told.set()

    def run(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._told_to_stop)
        signal.signal(signal.SIGHUP, self._told_to_renew)
        while not self._stop:
            self._told.wait(LOOK_SECONDS)
            self._told.clear()
            self._workers = [worker if worker.is_alive() else self._started() for worker in self._workers]
            if self._renew and not self._stop:
                self._renew = False
                self._renew_all()
        for worker in self._workers:
            worker.terminate()
        for worker in self._workers:
            worker.join()

    def _renew_all(self) -> None:
        """One is stopped only when another one serves in its place; if that never comes to serve, nothing changes."""
        for at, worker in enumerate(self._workers):
            ready = self._context.Event()
            new = self._started(ready)
            while not (ready.wait(LOOK_SECONDS) or self._stop) and new.is_alive():
                pass
            if not ready.is_set():
                new.terminate()
                new.join()
                return
            worker.terminate()
            worker.join()
            self._workers[at] = new

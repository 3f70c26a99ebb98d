"""`create_app`: Fairdeal as a plain ASGI app that mounts anywhere or runs alone."""

import inspect
import logging
from collections.abc import AsyncGenerator, Awaitable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from time import perf_counter
from typing import Any, cast

from prometheus_client import Histogram
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from fairdeal.application.commands.policy import STRICT, Policy
from fairdeal.application.projections.errors import ReadModelError
from fairdeal.domain.kernel.refusals import FairdealError
from fairdeal.infrastructure.command_pool import Steps
from fairdeal.infrastructure.http.accounts import Accounts, open_accounts
from fairdeal.infrastructure.http.backend import Backend
from fairdeal.infrastructure.http.calls import Call, Reply, must_be_json
from fairdeal.infrastructure.http.heads import RequestHead, read_body
from fairdeal.infrastructure.http.identity import (
    Identify,
    Identity,
    by_token,
    by_token_at_hand,
    checked,
    must_be_same_origin,
)
from fairdeal.infrastructure.http.limits import Limits
from fairdeal.infrastructure.http.names import NamesOf
from fairdeal.infrastructure.http.operations import PREFIX, Operation
from fairdeal.infrastructure.http.page import PATHS, StaticPage, is_asked_by_a_reader, is_there
from fairdeal.infrastructure.http.problems import HttpProblem, not_found_error, problem
from fairdeal.infrastructure.http.routes import games, history, kinds, lists, players, service
from fairdeal.infrastructure.http.routing import Routing, not_allowed
from fairdeal.infrastructure.http.security import OnlyOurHosts, SecurityHeaders
from fairdeal.infrastructure.http.stream import StreamResponse
from fairdeal.service import Fairdeal

LOG = logging.getLogger("fairdeal.http")

API = (*games.OPERATIONS, *history.OPERATIONS, *kinds.OPERATIONS, *players.OPERATIONS, *lists.OPERATIONS)
"""Below the prefix; what is asked most often comes first."""
PLAIN = service.OPERATIONS


def create_app(
    fairdeal: Fairdeal,
    *,
    identify: Identify | None = None,
    policy: Policy = STRICT,
    page: bool = True,
    names: NamesOf | None = None,
    accounts: Accounts | str | None = None,
    limits: Limits | None = None,
    hosts: Sequence[str] = ("*",),
    cors_origins: Sequence[str] = (),
    checkpoint_key: str | None = None,
    own_loop: bool = False,
) -> Starlette:
    """The app. `fairdeal` stays the caller's, who closes it after the app (`app.state.backend.close()`).

    `identify` says who a connection belongs to; without it the app keeps accounts and tokens of its own, beside the
    ledger or where `accounts` says. `names` gives display names for a host's own ids. `hosts` are the names that the
    server answers for, `cors_origins` the other sites whose pages may ask it; a cookie is never theirs. `own_loop` says
    that nothing else runs in the event loop: then the loop stores moves by itself, as long as the disk is quick.
    """
    if not isinstance(accounts, Accounts):
        accounts = open_accounts(accounts or fairdeal.address, read_only=fairdeal.is_read_only)
    backend = Backend(
        fairdeal,
        accounts,
        identify=identify,
        names=names,
        policy=policy,
        limits=limits or Limits(),
        cors_origins=cors_origins,
        checkpoint_key=checkpoint_key,
        own_loop=own_loop,
    )
    operations = [one for one in API if identify is None or not one.accounts]
    backend.operations = [(PREFIX, one) for one in operations] + [("", one) for one in PLAIN]
    routes: list[BaseRoute] = []
    shown = StaticPage() if page and is_there() else None
    if shown is not None:
        routes += [Route("/static/{path:path}", shown.file), *(Route(path, shown.shell) for path in PATHS)]
    middleware = [Middleware(SecurityHeaders)]
    if "*" not in hosts:
        middleware.append(Middleware(OnlyOurHosts, hosts))
    if cors_origins:
        middleware.append(
            Middleware(
                CORSMiddleware,
                allow_origins=list(cors_origins),
                allow_methods=["GET", "POST", "PATCH", "DELETE"],
                allow_headers=[
                    "Authorization",
                    "Content-Type",
                    "Idempotency-Key",
                    "If-Match",
                    "If-None-Match",
                    "Last-Event-ID",
                ],
                expose_headers=["ETag", "Link", "Location", "Retry-After"],
            )
        )
    endpoints = [(one.method, prefix + one.path, Endpoint(backend, one)) for prefix, one in backend.operations]
    middleware.append(Middleware(Routing, endpoints))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        try:
            yield
        finally:
            backend.close()

    handlers: Any = {FairdealError: _refused, HTTPException: _not_routed}
    app = Starlette(routes=routes, middleware=middleware, exception_handlers=handlers, lifespan=lifespan)
    app.router.redirect_slashes = False
    app.state.backend = backend
    app.state.page = shown
    return app


class Endpoint:
    """One operation as an ASGI app: bounds first, then who asks, then the operation itself in a thread."""

    def __init__(self, backend: Backend, operation: Operation) -> None:
        self._backend = backend
        self._operation = operation
        self._is_async = inspect.iscoroutinefunction(operation.handle)
        self._sends_commands = inspect.isgeneratorfunction(operation.handle)
        self._seconds: dict[int, Histogram] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = perf_counter()
        status = 500
        try:
            reply = await self._reply(scope, receive)
            if isinstance(reply, StreamResponse):
                status = 200
                await reply(receive, send)
            else:
                status = reply.status
                await _send(scope, send, status, reply.body(), _headers_of(reply))
        except ClientDisconnect:
            status = 499
        except FairdealError as error:
            status, body, headers = problem(error, await self._in_words(error))
            if status >= 500:
                LOG.warning("%s: %s", error.code, error.message)
            await _send(scope, send, status, body, headers)
        finally:
            self._note(status, perf_counter() - began)

    async def _in_words(self, error: FairdealError) -> str:
        """What an error says, with names in place of ids: people read it."""
        names = self._backend.names
        if names.has_ids(error.message):
            with suppress(FairdealError, SQLAlchemyError):
                (said,) = await self._backend.run(names.in_lines, [error.message])
                return said
        return error.message

    def _note(self, status: int, seconds: float) -> None:
        one = self._operation
        if status not in self._seconds:
            self._seconds[status] = self._backend.metrics.requests.labels(one.method, one.path, str(status))
        self._seconds[status].observe(seconds)
        if LOG.isEnabledFor(logging.INFO):
            told = {"method": one.method, "route": one.path, "status": status, "milliseconds": round(seconds * 1000, 3)}
            LOG.info("%s %s %d", one.method, one.path, status, extra={"request": told})

    async def _reply(self, scope: Scope, receive: Receive) -> Reply | StreamResponse:
        backend, operation = self._backend, self._operation
        head = RequestHead(scope)
        backend.rates.must_be_moderate(head.address, head.header(b"authorization") or head.cookie)
        if operation.changes:
            must_be_same_origin(head, backend.cors_origins)
        body = await read_body(head, receive, backend.limits) if operation.changes else b""
        if body and operation.body is None:
            must_be_json(head)  # a form of another site would be something else
        if operation.status == 201 and operation.accounts:
            backend.rates.must_be_few_accounts(head.address)
        call = Call(backend, head, body)
        try:
            if backend.identify is not None:
                identified: Any = backend.identify(Request(scope, receive))
                call.identity = checked(await identified if inspect.isawaitable(identified) else identified)
            handle = operation.handle
            if operation.waits is not None and call.query("wait") is not None:
                handle = operation.waits
            elif self._sends_commands:
                return await backend.send(self._steps(call), is_at_hand=self._is_at_hand(call))
            elif not self._is_async:
                return await backend.run(self._handle, call, heavy=operation.heavy, changes=operation.changes)
            if backend.identify is None:
                call.identity = await backend.run(self._identity, call)
            return await cast("Awaitable[Reply | StreamResponse]", handle(call))
        except (FairdealError, ClientDisconnect):
            raise
        except SQLAlchemyError as error:
            LOG.exception("a database beside the ledger")
            raise ReadModelError("A database beside the ledger cannot be used.") from error
        except Exception as error:
            LOG.exception("an error that nobody foresaw")
            raise HttpProblem("internal_error", "Something went wrong on the server.") from error

    def _handle(self, call: Call) -> Reply:
        if self._backend.identify is None:
            call.identity = self._identity(call)
        return _written(cast("Reply", self._operation.handle(call)))

    def _is_at_hand(self, call: Call) -> bool:
        """Whether it needs no database but for its command; then it is known who asks."""
        is_at_hand = self._operation.is_at_hand
        if is_at_hand is None:
            return False
        if self._backend.identify is None:
            call.identity = by_token_at_hand(self._backend.accounts, call.head)
        return call.identity is not None and is_at_hand(call)

    def _steps(self, call: Call) -> Steps[Reply]:
        if self._backend.identify is None and call.identity is None:
            call.identity = self._identity(call)
        return _written((yield from cast("Steps[Reply]", self._operation.handle(call))))

    def _identity(self, call: Call) -> Identity | None:
        if self._operation.path == "/session":
            return None  # who begins or ends a session may have a cookie that is good no longer
        return by_token(self._backend.accounts, call.head)


def _written(reply: Reply) -> Reply:
    """Written where the work is done, which is most often a thread, where it holds up nobody else."""
    reply.body()
    return reply


def _headers_of(reply: Reply) -> Mapping[str, str]:
    return reply.headers if reply.status in (204, 304) else {**reply.headers, "content-type": reply.media_type}


async def _send(scope: Scope, send: Send, status: int, body: bytes, headers: Mapping[str, str]) -> None:
    raw = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    if status not in (204, 304):
        raw.append((b"content-length", b"%d" % len(body)))
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, FairdealError)
    status, body, headers = problem(error)
    return Response(body, status, headers)


async def _not_routed(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code != 405:
        page: StaticPage | None = request.app.state.page
        if page is not None and is_asked_by_a_reader(request):
            return await page.nothing_here(request)
        status, body, headers = problem(not_found_error())
        return Response(body, status, headers)
    return not_allowed((error.headers or {})["Allow"].split(", "))

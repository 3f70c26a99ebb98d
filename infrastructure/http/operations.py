"""The register of what can be asked: routes and the OpenAPI document are made from it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from fairdeal.infrastructure.command_pool import Steps
from fairdeal.infrastructure.http.calls import Call, Reply
from fairdeal.infrastructure.http.stream import StreamResponse

Schema = dict[str, Any]
Handler = Callable[[Call], Reply | Awaitable[Reply | StreamResponse] | Steps[Reply]]
"""In a thread, in the loop, or with commands."""

PREFIX = "/api/v1"
LEAVING = ("left", "abandoned", "no_time", "connection", "mistake")
"""Reasons that people may give: free text would be hashed for ever."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A part of the address, or a header, that means something."""

    name: str
    schema: Schema
    description: str
    place: str = "query"


@dataclass(frozen=True, slots=True)
class Operation:
    """One method on one path."""

    method: str
    path: str
    summary: str
    handle: Handler
    answer: Schema | None = None
    """The schema of what comes back; None for nothing."""
    body: Schema | None = None
    parameters: tuple[Parameter, ...] = ()
    errors: tuple[int, ...] = ()
    status: int = 200
    media_type: str = "application/json"
    needs_caller: bool = False
    waits: Handler | None = None
    """What is done in its place for those who `wait`."""
    is_at_hand: Callable[[Call], bool] | None = None
    """Whether it sends a command and needs no database but for that, once it is known who asks."""
    heavy: bool = False
    """Takes long, so it waits for one of few threads."""
    accounts: bool = False
    """Only where accounts are ours."""
    headers: dict[str, str] = field(default_factory=dict[str, str])
    """Headers of the answer, and what they say."""

    @property
    def changes(self) -> bool:
        return self.method not in ("GET", "HEAD")


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def page_of(items: Schema) -> Schema:
    return {
        "type": "object",
        "properties": {"items": {"type": "array", "items": items}, "next": {"type": ["string", "null"]}},
        "required": ["items", "next"],
        "additionalProperties": False,
    }


AS = Parameter(
    "as",
    {"type": "string", "minLength": 1, "maxLength": 200},
    "Whose eyes: `spectator`, after the end any player's id; in a branch of one's own any seat.",
)
SHOWN = "!-~\u00a1-\u00ac\u00ae-\u00ff"
"""What a header can hold that is printable, without the space."""
KEY = Parameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 200, "pattern": f"^[{SHOWN}]([ {SHOWN}]*[{SHOWN}])?$"},
    "The same key again does nothing again and gives the same answer.",
    place="header",
)
IF_MATCH = Parameter(
    "If-Match",
    {"type": "string", "pattern": '^("[0-9]{1,15}"|\\*)$'},
    "Only if the game is still at this version.",
    place="header",
)
LIMIT = Parameter("limit", {"type": "integer", "minimum": 1, "maximum": 500, "default": 50}, "How many at most.")
CURSOR = Parameter("cursor", {"type": "string", "minLength": 1, "maxLength": 1000}, "`next` of the page before.")
VERSION: Schema = {"type": "integer", "minimum": 0, "maximum": 2**53}

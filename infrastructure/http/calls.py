"""One request and its reply: what a route gets, and what it gives back."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

import msgspec

from fairdeal.application.errors import FieldFault, InvalidCommand, InvalidQuery
from fairdeal.application.time_limit import TimeLimit
from fairdeal.application.wire.encoding import to_json
from fairdeal.infrastructure.http.heads import RequestHead
from fairdeal.infrastructure.http.identity import Identity
from fairdeal.infrastructure.http.problems import HttpProblem, unauthenticated_error
from fairdeal.infrastructure.http.visible_games import game_id

if TYPE_CHECKING:
    from fairdeal.infrastructure.http.backend import Backend

JSON = "application/json"
PRIVATE = {"cache-control": "private, no-cache", "vary": "Authorization, Cookie"}
NO_STORE = {"cache-control": "no-store"}
LONGEST_KEY = 200
MOST_VERSION = 2**53
ANY_VERSION = -2
"""What `*` says that a caller has."""


@dataclass(slots=True)
class Reply:
    """What goes back: a value to be written as JSON, or bytes that are written already, perhaps of some other type."""

    content: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    media_type: str = JSON

    def body(self) -> bytes:
        if not isinstance(self.content, bytes):
            self.content = b"" if self.status in (204, 304) else to_json(self.content)
        return self.content


@dataclass(slots=True)
class Call:
    """A request that was read."""

    backend: "Backend"
    head: RequestHead
    body: bytes
    identity: Identity | None = None
    limit: TimeLimit = field(init=False)
    """Until when its command may wait, counted from now: waiting for a thread counts, too."""

    def __post_init__(self) -> None:
        self.limit = TimeLimit(self.backend.fairdeal.patience)

    @property
    def who(self) -> Identity:
        """The caller, who must be somebody."""
        if self.identity is None:
            raise unauthenticated_error()
        return self.identity

    @property
    def game(self) -> UUID:
        return game_id(self.head.path_params["game"])

    def path(self, name: str) -> str:
        return self.head.path_params[name]

    def query(self, name: str) -> str | None:
        if not self.head.scope["query_string"]:
            return None
        values = self.head.query.getlist(name)
        if len(values) > 1:
            raise InvalidQuery([FieldFault(name, "expected once")])
        return values[0] if values else None

    def number(self, name: str, default: int | None = None, *, most: int = MOST_VERSION) -> int | None:
        text = self.query(name)
        return default if text is None else whole_number(text, name, most=most)

    def page_size(self, usual: int, *, most: int) -> int:
        """How many items a page is to have at most."""
        text = self.query("limit")
        return usual if text is None else whole_number(text, "limit", least=1, most=most)

    def flag(self, name: str, default: bool) -> bool:
        text = self.query(name)
        if text is None:
            return default
        if text not in ("0", "1", "true", "false"):
            raise InvalidQuery([FieldFault(name, "expected 0 or 1")])
        return text in ("1", "true")

    def json(self) -> Any:
        """The body, which must be JSON and say so."""
        must_be_json(self.head)
        try:
            return msgspec.json.decode(self.body)
        except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
            raise InvalidCommand("request", [FieldFault("body", f"expected JSON ({error})")]) from None

    def object(self) -> dict[str, Any]:
        found = self.json()
        if not isinstance(found, dict):
            raise InvalidCommand("request", [FieldFault("body", "expected an object")])
        return cast("dict[str, Any]", found)

    def fields(self, *required: str, optional: tuple[str, ...] = ()) -> dict[str, Any]:
        """The fields of the body: these and no others."""
        found = self.object()
        faults = [FieldFault(name, "missing") for name in required if name not in found]
        faults += [FieldFault(name, "unknown field") for name in found if name not in (*required, *optional)]
        if faults:
            raise InvalidCommand("body", faults)
        return found

    def key(self) -> str | None:
        """The caller's own name for what they want, so that sending it twice does it once."""
        key = self.head.header(b"idempotency-key")
        if key is not None and not (0 < len(key) <= LONGEST_KEY and key.isprintable()):
            fault = FieldFault("Idempotency-Key", f"expected 1 to {LONGEST_KEY} printable characters")
            raise InvalidCommand("header", [fault])
        return key

    def expected_version(self) -> int | None:
        tag = self.head.header(b"if-match")
        return None if tag is None or tag.strip() == "*" else version_in(tag, "If-Match")

    def known_version(self) -> int | None:
        """The version that the caller has, if they say so; of several the newest."""
        tags = self.head.header(b"if-none-match")
        if tags is None:
            return None
        if tags.strip() == "*":
            return ANY_VERSION
        known = -1  # a tag of something else matches nothing
        for tag in tags.split(","):
            with suppress(InvalidCommand):
                known = max(known, version_in(tag, "If-None-Match"))
        return known


def must_be_json(head: RequestHead) -> None:
    """The body, which must say that it is JSON."""
    said = head.header(b"content-type") or ""
    if said != JSON and said.partition(";")[0].strip().lower() != JSON:
        raise HttpProblem("not_json", "Expected a body of the type application/json.")


def version_in(tag: str, header: str) -> int:
    text = tag.strip().removeprefix("W/")
    if len(text) > 2 and text[0] == text[-1] == '"' and text[1:-1].isascii() and text[1:-1].isdecimal():
        return min(int(text[1:-1][:20]), MOST_VERSION)
    raise InvalidCommand("header", [FieldFault(header, 'expected a version in quotes, "17"')])


def whole_number(text: str, name: str, *, least: int = 0, most: int = MOST_VERSION) -> int:
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(MOST_VERSION))
    if not (is_number and least <= int(text) <= most):
        raise InvalidQuery([FieldFault(name, f"expected a whole number from {least} to {most}")])
    return int(text)

"""A game as it goes on, over a stream that is opened again wherever it was cut off."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx2
import msgspec

from fairdeal.application.history.look import Look
from fairdeal.application.log.seen_event import SeenEvent
from fairdeal.application.wire.decoding import WireDecoder
from fairdeal.infrastructure.client.connection import BUSY, Connection, Pauses, plain_of
from fairdeal.infrastructure.client.problems import ServerUnavailable, error_of

SILENCE_SECONDS = 40.0
"""A server says every 15 seconds that it is there; whoever hears nothing for so long has been cut off."""


@dataclass(frozen=True, slots=True)
class News:
    """What happened after a version of a game, and the game as it is now."""

    game_id: UUID
    after: int
    version: int
    events: tuple[SeenEvent, ...]
    look: Look[Any, Any] | None
    """None if looks were not asked for."""


def following(
    connection: Connection, decoder: WireDecoder, game: UUID | str, after: int, *, looks: bool
) -> Iterator[News]:
    """News until the game is over. Each goes on where the one before ended, also across servers that stop."""
    version = after
    begun = False
    pauses = Pauses(connection.patience)
    query = {"looks": "1" if looks else "0"}
    while True:
        try:
            known = {"last-event-id": str(version)}
            with connection.stream(f"/games/{game}/stream", query, known, timeout=SILENCE_SECONDS) as response:
                if response.status_code in BUSY:
                    raise httpx2.ReadError("busy")
                if response.status_code >= 400:
                    raise error_of(response.status_code, plain_of(response.read()))
                for event, data in _messages(response):
                    pauses = Pauses(connection.patience)
                    if event == "end":
                        return
                    if not data["events"] and begun:
                        continue  # the first message after each beginning; nothing new
                    look = decoder.look(data["look"]) if looks else None
                    yield News(UUID(str(game)), version, data["version"], decoder.events(data["events"]), look)
                    version, begun = data["version"], True
        except httpx2.TransportError as error:
            if not pauses.wait():
                raise connection.unavailable(error) from error
        else:
            if not pauses.wait():
                raise ServerUnavailable(f"{connection.server} ends its streams before the game is over.")


def _messages(response: httpx2.Response) -> Iterator[tuple[str, Any]]:
    """Messages of an event stream; comments are passed over."""
    event, data = "message", ""
    for line in response.iter_lines():
        name, _, value = line.partition(": ")
        if name == "event":
            event = value
        elif name == "data":
            data = value
        elif not line and data:
            yield event, msgspec.json.decode(data)
            event, data = "message", ""

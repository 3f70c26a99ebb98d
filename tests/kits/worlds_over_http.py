"""All that a server says to a viewer of one game, to be compared with what it says in another world."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.testclient import TestClient

from fairdeal import Fairdeal
from fairdeal.application.catalogue import KINDS
from fairdeal.application.log.links import NOTHING_YET
from fairdeal.application.log.record import Record
from fairdeal.http import create_app
from kits.http import API
from kits.worlds import batches_of

DIGEST = re.compile(rb"[0-9a-f]{64}")
Told = tuple[int, dict[str, str], int, bytes]
"""A status, headers, the length of the body, and the body without links and seals, which differ for everybody."""


def told_over_http(
    records: list[Record], viewer: str | None, players: Sequence[str] = ("ann", "bob")
) -> Iterator[Told]:
    """What the server says to this viewer, whatever they ask."""
    game, version = records[0].game_id, records[-1].version
    with Fairdeal("memory:") as fairdeal:
        head = NOTHING_YET
        for stored in batches_of(records):
            fairdeal.ledger.append(stored, continues=head)
            head = (stored[-1].version, stored[-1].link)
        app = create_app(fairdeal, identify=lambda asking: asking.headers.get("x-user"), page=False)
        who = {} if viewer is None else {"X-User": viewer}
        with TestClient(app, headers=who) as client:
            below = [
                "",
                "?as=spectator",
                *(f"?as={player}" for player in players),
                "/events",
                f"/events?after={version // 2}",
                "/story",
            ]
            # Not the audit: it finds that the cards of the other world did not come from its seed.
            below += ["/log", "/stream?after=999999", f"/receipts/1:{'0' * 64}"]
            below += [f"/frames/{at}" for at in range(max(0, version - 5), version + 1)]
            below += [f"/frames/{version}?as=open", f"/frames/{version}?as={players[1]}"]
            asked = [*(f"/games/{game}{path}" for path in below), "/games", "/timeline?limit=500"]
            for path in asked:
                yield _told(client.get(API + path))
            wrong = [{"move": "no such move"}, {}, {"move": "end_turn", "card": "?"}]
            for move in [*wrong, *({"move": name} for name in KINDS[fairdeal.look(game).kind].stored.moves)]:
                refused = client.post(f"{API}/games/{game}/moves", json=move, headers={"If-Match": '"1"'})
                assert refused.status_code in (401, 409, 412, 422)
                yield _told(refused)
            branch = client.post(f"{API}/games/{game}/branches", json={"version": 3})
            assert branch.status_code in (401, 409)
            yield _told(branch)
            for looks in (0, 1):
                message = asyncio.run(first_message(app, f"{API}/games/{game}/stream", f"looks={looks}", viewer))
                yield 200, {}, len(message), DIGEST.sub(b"", message)


def _told(answer: Any) -> Told:
    return answer.status_code, dict(answer.headers), len(answer.content), DIGEST.sub(b"", answer.content)


async def first_message(app: Starlette, path: str, query: str, viewer: str | None) -> bytes:
    """The beginning of a stream, which never ends by itself."""
    heard: list[bytes] = []
    enough = asyncio.Event()

    async def receive() -> dict[str, Any]:
        await enough.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message.get("body"):
            heard.append(message["body"])
            enough.set()

    headers = [(b"host", b"x"), *([] if viewer is None else [(b"x-user", viewer.encode())])]
    scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": query.encode()}
    more = {"asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http", "root_path": "", "headers": headers}
    await app({**scope, **more, "client": ("127.0.0.1", 1), "server": ("x", 80)}, receive, send)
    return heard[0]

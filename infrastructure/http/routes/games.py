"""VisibleGames: opening, looking, acting."""

from secrets import token_hex
from time import monotonic
from typing import Any, cast

from fairdeal.application.commands.handlers import Sent, game_id_for
from fairdeal.application.commands.messages import BranchGame, OpenGame, QuickStart, parse_command
from fairdeal.application.commands.validation import must_be_a_bot
from fairdeal.application.errors import FieldFault, InvalidCommand, UnknownGame
from fairdeal.domain.kernel.lobby import is_bot, next_bot
from fairdeal.domain.kernel.refusals import quoted
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.infrastructure.command_pool import Steps
from fairdeal.infrastructure.http.accounts import MODES, OPEN
from fairdeal.infrastructure.http.calls import ANY_VERSION, PRIVATE, Call, Reply, whole_number
from fairdeal.infrastructure.http.operations import (
    AS,
    IF_MATCH,
    KEY,
    LEAVING,
    PREFIX,
    VERSION,
    Operation,
    Parameter,
    Schema,
    ref,
)
from fairdeal.infrastructure.http.routes.kinds import rules_of
from fairdeal.infrastructure.http.stream import StreamFollower, StreamResponse
from fairdeal.infrastructure.http.visible_games import PRIVATE as PRIVATE_TABLE
from fairdeal.infrastructure.http.watch import Waiter
from fairdeal.infrastructure.http.written_looks import SeenTable

ME = "me"
SENT = (
    *("join_game", "add_bot", "start_game", "reveal_entropy", "make_move", "leave_game", "abandon_game"),
    "claim_timeout",
)
"""The commands that outsiders send to a game."""
FROM_ELSEWHERE = ("player", "game_id", "command_id", "expected_version")
"""They come from the token, the path and the headers."""
OPENING = ("options", "clock", "rated", "spectators", "seats", "start")


# -- opening -----------------------------------------------------------------------------------------


def open_game(call: Call) -> Steps[Reply]:
    who = call.who
    asked = call.fields("kind", optional=OPENING)
    if not isinstance(asked["kind"], str):
        raise InvalidCommand("open_game", [FieldFault("kind", "expected a text")])
    rules = rules_of(call.backend.fairdeal.kinds, asked["kind"])
    players = _seats(rules, asked.get("seats"), who.player)
    spectators = _checked_opening(asked, players)
    key = call.key() or token_hex(16)
    start = asked.get("start") is True
    told = {name: asked[name] for name in ("kind", "options", "clock") if asked.get(name) is not None}
    if spectators != OPEN:
        told["spectators"] = spectators
    command: dict[str, Any] = {"command": "open_game", **told, **_terms(asked, players, spectators)}
    if start:  # never rated: nobody has taken their own seat
        command = {"command": "quick_start", **told, "players": tuple(players)}
    opening = parse_command(
        {**command, "player": who.player, "command_id": call.backend.accounts.command_id(who.player, key, "open")}
    )
    assert isinstance(opening, OpenGame | QuickStart)
    game = game_id_for(opening)
    if spectators != OPEN:
        # Said first: a closed table must not be open for a moment.
        call.backend.accounts.set_spectators(game, spectators)
    yield _sent(call, opening.model_dump() | {"command": command["command"]})
    if not start:
        for number, player in enumerate(players):
            sits = {"command": "add_bot", "bot": player.split(":")[1]} if is_bot(player) else {"command": "join_game"}
            step = call.backend.accounts.command_id(who.player, key, f"seat {number}")
            yield _sent(call, {**sits, "game_id": game, "player": who.player, "command_id": step})
    return _opened(call, call.backend.tables.table(game, who))


def _seats(rules: AnyRules, seats: Any, me: str) -> list[str]:
    """The players of a new table, in the order of their seats."""
    if seats is None:
        return []
    if not isinstance(seats, list):
        raise InvalidCommand("open_game", [FieldFault("seats", 'expected a list of "me" and {"bot": name}')])
    players: list[str] = []
    for at, seat in enumerate(_items(seats)):
        if seat == ME and me not in players:
            players.append(me)
        elif isinstance(seat, dict) and [*cast("dict[str, Any]", seat)] == ["bot"]:
            name = str(cast("dict[str, Any]", seat)["bot"])
            must_be_a_bot(rules, name)
            players.append(next_bot(name, players))
        else:
            raise InvalidCommand("open_game", [FieldFault(f"seats.{at}", 'expected "me", once, or {"bot": name}')])
        if len(players) > rules.seats[-1]:
            raise InvalidCommand("open_game", [FieldFault("seats", f"expected at most {rules.seats[-1]}")])
    return players


def _items(found: Any) -> list[Any]:
    """A list of JSON, whose items may be anything."""
    return list(found)


def _checked_opening(asked: dict[str, Any], players: list[str]) -> str:
    faults: list[FieldFault] = []
    spectators = asked.get("spectators")
    if spectators is not None and spectators not in MODES:
        faults.append(FieldFault("spectators", f"expected one of {', '.join(MODES)}"))
    if not isinstance(asked.get("start", False), bool):
        faults.append(FieldFault("start", "expected true or false"))
    if asked.get("start") is True and not players:
        faults.append(FieldFault("start", "expected seats that say who plays"))
    rated = asked.get("rated")
    if rated is not None and not isinstance(rated, bool):
        faults.append(FieldFault("rated", "expected true or false"))
    if rated is True and any(is_bot(player) for player in players):
        faults.append(FieldFault("rated", "a table with bots is not rated"))
    if rated is True and spectators not in (None, OPEN):
        faults.append(FieldFault("rated", "only a table that everybody may watch is rated"))
    if faults:
        raise InvalidCommand("open_game", faults)
    return spectators or OPEN


def _terms(asked: dict[str, Any], players: list[str], spectators: str) -> dict[str, bool]:
    """Whether the table is rated, where that is not what the house does anyway."""
    hidden, bots = spectators != OPEN, any(is_bot(player) for player in players)
    return {"rated": False} if asked.get("rated") is False or hidden or bots else {}


def branch(call: Call) -> Steps[Reply]:
    """A what-if that nobody else sees."""
    who = call.who
    asked = call.fields("version")
    call.backend.tables.seen_by(call.game, who)
    command_id = call.backend.accounts.command_id(who.player, call.key() or token_hex(16), "branch")
    told = {"player": who.player, "origin": call.game, "version": asked["version"], "command_id": command_id}
    command = parse_command({"command": "branch_game", **told})
    assert isinstance(command, BranchGame)
    game = game_id_for(command)
    call.backend.accounts.set_spectators(game, PRIVATE_TABLE)
    yield _sent(call, {"command": "branch_game", **told})
    return _opened(call, call.backend.tables.table(game, who))


def _opened(call: Call, table: SeenTable) -> Reply:
    location = f"{call.head.root}{PREFIX}/games/{table.game.id}"
    headers = {**PRIVATE, "location": location, "etag": f'"{table.game.version}"'}
    return Reply(call.backend.tables.written(table), 201, headers)


# -- looking -----------------------------------------------------------------------------------------


def look(call: Call) -> Reply:
    """The look of the caller."""
    return _looked(call, call.known_version())


async def awaited_look(call: Call) -> Reply:
    """As soon as there is another version than the one that the caller has, or when their time is over."""
    backend, game, known = call.backend, call.game, call.known_version()
    seconds = call.number("wait", 0, most=int(backend.limits.longest_wait)) or 0
    watched = backend.watch.enter(game)
    try:
        until = monotonic() + seconds
        news = watched.news
        reply = await backend.run(_looked, call, known)
        waited_for = reply.headers["etag"] if known is None else f'"{known}"'
        while reply.headers["etag"] == waited_for and (left := until - monotonic()) > 0:
            if not await backend.watch.wait(watched, Waiter(), news, left):
                break
            news = watched.news
            reply = await backend.run(_looked, call, known)
    finally:
        backend.watch.leave(game)
    return reply


def _looked(call: Call, known: int | None) -> Reply:
    table = call.backend.tables.table(call.game, call.identity, call.query("as"))
    version = table.game.version
    headers = {**PRIVATE, "etag": f'"{version}"'}
    if known in (version, ANY_VERSION):
        return Reply(None, 304, headers)
    return Reply(call.backend.tables.written(table), headers=headers)


async def stream(call: Call) -> StreamResponse:
    """Follows the game from a version on."""
    backend = call.backend
    last = call.head.header(b"last-event-id")
    after = call.number("after", 0) if not last else whole_number(last, "Last-Event-ID")
    looks = call.flag("looks", True)
    seen = await backend.run(backend.tables.seen_by, call.game, call.identity)
    follower = StreamFollower(call.game, call.identity, after or 0, looks=looks)
    follower.viewer = None if seen.seat is None else seen.players[seen.seat]
    caller = call.head.address if call.identity is None else call.identity.player
    return StreamResponse(backend, follower, caller, only_head=call.head.scope["method"] == "HEAD")


# -- acting ------------------------------------------------------------------------------------------


def command(call: Call) -> Steps[Reply]:
    return (yield from _answered(call, call.object()))


def move(call: Call) -> Steps[Reply]:
    return (yield from _answered(call, {"command": "make_move", "move": call.json()}))


def _is_at_hand(call: Call) -> bool:
    backend = call.backend
    try:
        is_at_hand = backend.tables.is_at_hand(call.game)
    except UnknownGame:
        return False
    return is_at_hand and (backend.accounts.has_secret or call.head.header(b"idempotency-key") is None)


def _answered(call: Call, asked: dict[str, Any]) -> Steps[Reply]:
    who, game = call.who, call.game
    name = asked.get("command")
    faults = [
        FieldFault(field, "comes from the token, the path or a header") for field in FROM_ELSEWHERE if field in asked
    ]
    if not isinstance(name, str) or name not in SENT:
        said = f"there is no {quoted(name)}" if "command" in asked else "missing"
        faults.append(FieldFault("command", f"{said}, expected one of {', '.join(SENT)}"))
    if "reason" in asked and asked["reason"] not in LEAVING:
        faults.append(FieldFault("reason", f"expected one of {', '.join(LEAVING)}"))
    if faults:
        raise InvalidCommand("command", faults)
    tables = call.backend.tables
    if tables.mode(game) != OPEN:
        tables.seen_by(game, who)
    told: dict[str, Any] = {**asked, "game_id": game, "player": call.query("as") or who.player}
    key = call.key()
    if key is not None:
        told["command_id"] = call.backend.accounts.command_id(who.player, key, str(game))
    expected = call.expected_version()
    if expected is not None:
        told["expected_version"] = expected
    answer = yield _sent(call, told)
    return Reply(tables.answered(answer, who), headers=PRIVATE)


def _sent(call: Call, told: dict[str, Any]) -> Sent:
    return Sent(told, call.who, call.backend.policy, call.limit)


KIND: Schema = {"type": "string", "minLength": 1, "maxLength": 200}
SEAT: Schema = {
    "oneOf": [
        {"const": ME},
        {
            "type": "object",
            "properties": {"bot": {"type": "string", "minLength": 1}},
            "required": ["bot"],
            "additionalProperties": False,
        },
    ]
}
NEW_TABLE: Schema = {
    "type": "object",
    "properties": {
        "kind": KIND,
        "options": {"type": ["object", "string", "null"]},
        "clock": {"type": ["object", "null"]},
        "rated": {"type": ["boolean", "null"]},
        "spectators": {"enum": [*MODES, None]},
        "seats": {"anyOf": [{"type": "array", "items": SEAT}, {"type": "null"}]},
        "start": {"type": "boolean"},
    },
    "required": ["kind"],
    "additionalProperties": False,
}
VERSION_ASKED: Schema = {
    "type": "object",
    "properties": {"version": {"type": "integer", "minimum": 1}},
    "required": ["version"],
    "additionalProperties": False,
}
MESSAGE: Schema = {
    "type": "object",
    "description": "One message. `data` is JSON: of `batch` {version, events, look}, of `end` {version, outcome}.",
    "properties": {
        "event": {"enum": ["batch", "end"]},
        "id": {"type": "string", "pattern": "^[1-9][0-9]{0,14}$"},
        "data": {"type": "string", "contentMediaType": "application/json"},
    },
    "required": ["event", "id", "data"],
}
TAGS = {"ETag": "The version, in quotes."}
OPERATIONS = (
    Operation(
        "POST",
        "/games/{game}/moves",
        "Makes a move; the body is one of `legal`.",
        move,
        answer=ref("Answer"),
        body=ref("Move"),
        parameters=(AS, KEY, IF_MATCH),
        needs_caller=True,
        is_at_hand=_is_at_hand,
        errors=(403, 404, 409, 412, 413, 415, 422, 503, 507),
    ),
    Operation(
        "GET",
        "/games/{game}",
        "The game as the caller sees it.",
        look,
        waits=awaited_look,
        answer=ref("Look"),
        parameters=(
            AS,
            Parameter(
                "wait",
                {"type": "integer", "minimum": 0, "maximum": 60},
                "Seconds to wait for another version than the one in `If-None-Match`, else than the one there is.",
            ),
            Parameter("If-None-Match", {"type": "string"}, "The version that the caller has.", place="header"),
        ),
        errors=(304, 403, 404, 409, 422),
        headers=TAGS,
    ),
    Operation(
        "POST",
        "/games/{game}/commands",
        "Sends a command to the game.",
        command,
        answer=ref("Answer"),
        body=ref("Command"),
        parameters=(AS, KEY, IF_MATCH),
        needs_caller=True,
        is_at_hand=_is_at_hand,
        errors=(403, 404, 409, 412, 413, 415, 422, 503, 507),
    ),
    Operation(
        "GET",
        "/games/{game}/stream",
        "Follows the game: messages `batch` and `end`.",
        stream,
        answer=MESSAGE,
        parameters=(
            Parameter("after", VERSION, "The version after which to begin."),
            Parameter("looks", {"enum": ["0", "1"]}, "0 leaves the looks out."),
            Parameter(
                "Last-Event-ID", {"type": "string", "pattern": "^[0-9]{1,15}$"}, "Beats `after`.", place="header"
            ),
        ),
        errors=(404, 409, 422, 429, 503),
        media_type="text/event-stream",
    ),
    Operation(
        "POST",
        "/games",
        "Opens a table.",
        open_game,
        answer=ref("Look"),
        body=NEW_TABLE,
        parameters=(KEY,),
        status=201,
        needs_caller=True,
        errors=(403, 404, 409, 413, 415, 422, 503, 507),
        headers={**TAGS, "Location": "Where the game is."},
    ),
    Operation(
        "POST",
        "/games/{game}/branches",
        "Goes on from a version of a game that is over, for the caller alone.",
        branch,
        answer=ref("Look"),
        body=VERSION_ASKED,
        parameters=(KEY,),
        status=201,
        needs_caller=True,
        errors=(403, 404, 409, 413, 415, 422, 503, 507),
        headers={**TAGS, "Location": "Where the branch is."},
    ),
)

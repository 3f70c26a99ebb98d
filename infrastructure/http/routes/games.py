"""Tables: opening, looking, acting."""

from contextlib import suppress
from dataclasses import replace
from secrets import token_hex
from time import monotonic
from typing import Any, cast

from fairdeal.application.commands.handlers import Answer, game_id_for
from fairdeal.application.commands.messages import COMMANDS, BranchGame, OpenGame, QuickStart, parse_command
from fairdeal.application.errors import CommandIdReused, FieldFault, InvalidCommand, StaleVersion
from fairdeal.application.history.look import AnyLook
from fairdeal.application.wire.encoding import to_json
from fairdeal.domain.kernel.refusals import FairdealError, IllegalMove
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.infrastructure.http.accounts import MODES, OPEN
from fairdeal.infrastructure.http.calls import PRIVATE, Call, Reply, whole_number
from fairdeal.infrastructure.http.identity import BOT
from fairdeal.infrastructure.http.operations import (
    AS,
    IF_MATCH,
    KEY,
    PREFIX,
    VERSION,
    Operation,
    Parameter,
    Schema,
    ref,
)
from fairdeal.infrastructure.http.policy import LEAVING, Wish
from fairdeal.infrastructure.http.routes.kinds import rules_of
from fairdeal.infrastructure.http.stream import Follower, StreamResponse
from fairdeal.infrastructure.http.tables import PRIVATE as PRIVATE_TABLE
from fairdeal.infrastructure.http.watch import Waiter

ME = "me"
SENT = ("join_game", "add_bot", "start_game", "reveal_entropy", "make_move", "leave_game", "abandon_game")
"""The commands that outsiders send to a game; `claim_timeout` joins them where the house has clocks."""
FROM_ELSEWHERE = ("player", "game_id", "command_id", "expected_version")
"""They come from the token, the path and the headers."""
ADDING = ("command", "bot", "brings", "game_id", "player", "command_id", "expected_version")
OPENING = ("options", "clock", "rated", "spectators", "seats", "start")


def sent_commands() -> tuple[str, ...]:
    return (*SENT, *(name for name in ("claim_timeout",) if name in COMMANDS))


# -- opening -----------------------------------------------------------------------------------------


def open_game(call: Call) -> Reply:
    who = call.who
    asked = call.fields("kind", optional=OPENING)
    if not isinstance(asked["kind"], str):
        raise InvalidCommand("open_game", [FieldFault("kind", "expected a text")])
    rules = rules_of(call.backend.fairdeal.kinds, asked["kind"])
    players = _seats(rules, asked.get("seats"), who.player)
    spectators = _checked_opening(asked, players)
    call.backend.policy(Wish(who, "open_game", asked, None))
    key = call.key() or token_hex(16)
    start = asked.get("start") is True
    told = {name: asked[name] for name in ("kind", "options", "clock", "rated") if asked.get(name) is not None}
    command: dict[str, Any] = {"command": "open_game", **told}
    if start:
        command = {"command": "quick_start", **told, "players": tuple(players)}
    opening = parse_command(
        {**command, "player": who.player, "command_id": call.backend.accounts.command_id(who.player, key, "open")}
    )
    assert isinstance(opening, OpenGame | QuickStart)
    game = game_id_for(opening)
    if spectators != OPEN:
        # Said first: there must be no moment in which a closed table is open.
        call.backend.accounts.set_spectators(game, spectators)
    _handled(call, opening.model_dump() | {"command": command["command"]})
    if not start:
        for number, player in enumerate(players):
            join = {"command": "join_game", "game_id": game, "player": player}
            step = call.backend.accounts.command_id(who.player, key, f"seat {number}")
            _handled(call, {**join, "command_id": step})
    return _opened(call, call.backend.tables.look(game, who))


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
            players.append(_bot(rules, cast("dict[str, Any]", seat)["bot"], players))
        else:
            raise InvalidCommand("open_game", [FieldFault(f"seats.{at}", 'expected "me", once, or {"bot": name}')])
        if len(players) > rules.seats[-1]:
            raise InvalidCommand("open_game", [FieldFault("seats", f"expected at most {rules.seats[-1]}")])
    return players


def _items(found: Any) -> list[Any]:
    """A list of JSON, whose items may be anything."""
    return list(found)


def _bot(rules: AnyRules, name: Any, players: list[str]) -> str:
    """The id of one more bot at this table."""
    if not isinstance(name, str) or name not in rules.bots:
        expected = ", ".join(rules.bots)
        raise InvalidCommand("bot", [FieldFault("bot", f"there is no {name!r}, expected one of {expected}")])
    taken = {int(player.rpartition(":")[2]) for player in players if player.startswith(BOT)}
    return f"{BOT}{name}:{next(number for number in range(1, len(taken) + 2) if number not in taken)}"


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
    if rated is True and any(player.startswith(BOT) for player in players):
        faults.append(FieldFault("rated", "a table with bots is not rated"))
    if rated is True and spectators not in (None, OPEN):
        faults.append(FieldFault("rated", "only a table that everybody may watch is rated"))
    if rated is False:
        del asked["rated"]
    if faults:
        raise InvalidCommand("open_game", faults)
    return spectators or OPEN


def branch(call: Call) -> Reply:
    """A what-if that nobody else sees."""
    who = call.who
    asked = call.fields("version")
    call.backend.tables.seen_by(call.game, who)
    call.backend.policy(Wish(who, "branch_game", asked, None))
    command_id = call.backend.accounts.command_id(who.player, call.key() or token_hex(16), "branch")
    told = {"player": who.player, "origin": call.game, "version": asked["version"], "command_id": command_id}
    command = parse_command({"command": "branch_game", **told})
    assert isinstance(command, BranchGame)
    game = game_id_for(command)
    call.backend.accounts.set_spectators(game, PRIVATE_TABLE)
    _handled(call, {"command": "branch_game", **told})
    return _opened(call, call.backend.tables.look(game, who))


def _opened(call: Call, look: AnyLook) -> Reply:
    location = f"{call.root}{PREFIX}/games/{look.game_id}"
    return Reply(look, 201, {**PRIVATE, "location": location, "etag": f'"{look.version}"'})


# -- looking -----------------------------------------------------------------------------------------


async def look(call: Call) -> Reply:
    """The look of the caller; with `wait` as soon as there is another one than they have."""
    backend, known = call.backend, call.known_version()
    seconds = call.number("wait", 0, most=int(backend.limits.longest_wait)) or 0
    game, asked = call.game, call.query("as")

    def looked() -> AnyLook:
        return backend.tables.look(game, call.identity, asked)

    seen = await backend.run(looked)
    if seconds:
        waited_for = seen.version if known is None else known
        watched = backend.watch.enter(game)
        try:
            until = monotonic() + seconds
            while (left := until - monotonic()) > 0:
                news = watched.news
                seen = await backend.run(looked)
                if seen.version != waited_for or not await backend.watch.wait(watched, Waiter(), news, left):
                    break
        finally:
            backend.watch.leave(game)
    headers = {**PRIVATE, "etag": f'"{seen.version}"'}
    if known == seen.version:
        return Reply(None, 304, headers)
    return Reply(await backend.run(to_json, seen), headers=headers)


async def stream(call: Call) -> StreamResponse:
    """Follows the game from a version on."""
    backend = call.backend
    last = call.request.headers.get("last-event-id")
    after = call.number("after", 0) if not last else whole_number(last, "Last-Event-ID")
    looks = call.flag("looks", True)
    seen = await backend.run(backend.tables.seen_by, call.game, call.identity)
    follower = Follower(call.game, call.identity, after or 0, looks=looks)
    follower.viewer = None if seen.seat is None else seen.players[seen.seat]
    address = "" if call.request.client is None else call.request.client.host
    return StreamResponse(backend, follower, address if call.identity is None else call.identity.player)


# -- acting ------------------------------------------------------------------------------------------


def command(call: Call) -> Reply:
    return _sent(call, call.object())


def move(call: Call) -> Reply:
    return _sent(call, {"command": "make_move", "move": call.json()})


def _sent(call: Call, asked: dict[str, Any]) -> Reply:
    who, game = call.who, call.game
    name = asked.get("command")
    faults = [
        FieldFault(field, "comes from the token, the path or a header") for field in FROM_ELSEWHERE if field in asked
    ]
    if not isinstance(name, str) or name not in sent_commands():
        faults.append(FieldFault("command", f"there is no {name!r}, expected one of {', '.join(sent_commands())}"))
    if "reason" in asked and asked["reason"] not in LEAVING:
        faults.append(FieldFault("reason", f"expected one of {', '.join(LEAVING)}"))
    if faults:
        raise InvalidCommand("command", faults)
    tables = call.backend.tables
    player = tables.actor(game, who, call.query("as"))
    table: AnyLook | None = None
    if name not in ("make_move", "reveal_entropy") or tables.mode(game) != OPEN:
        table = tables.seen_by(game, who)
    call.backend.policy(Wish(replace(who, player=player), str(name), asked, table))
    told: dict[str, Any] = {**asked, "game_id": game, "player": player}
    key = call.key()
    if key is not None:
        told["command_id"] = call.backend.accounts.command_id(who.player, key, str(game))
    expected = call.expected_version()
    if expected is not None:
        told["expected_version"] = expected
    if name == "add_bot":
        assert table is not None
        answer = _add_bot(call, told, table)
    else:
        answer = _handled(call, told)
    return Reply(tables.answered(answer, who), headers=PRIVATE)


def _add_bot(call: Call, told: dict[str, Any], table: AnyLook) -> Answer:
    """A bot takes the next seat, as a player of its own."""
    unknown = [FieldFault(field, "unknown field") for field in told if field not in ADDING]
    if unknown:
        raise InvalidCommand("add_bot", unknown)
    rules = call.backend.fairdeal.kinds[table.kind]
    bot = _bot(rules, told.pop("bot", None), list(table.players))
    joining = {**told, "command": "join_game"}
    if "command_id" in told:
        # The same key again means the bot that sat down then, not one more: only its own command is repeated.
        for player in table.players:
            if player.startswith(bot.rpartition(":")[0]):
                with suppress(CommandIdReused, IllegalMove, StaleVersion):
                    return call.backend.fairdeal.handle({**joining, "player": player})
    return _handled(call, {**joining, "player": bot})


def _handled(call: Call, told: dict[str, Any]) -> Answer:
    metrics = call.backend.metrics.commands
    try:
        answer = call.backend.fairdeal.handle(told)
    except FairdealError as error:
        metrics.labels(told["command"], error.code).inc()
        raise
    metrics.labels(told["command"], "done").inc()
    return answer


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
        errors=(403, 404, 409, 412, 413, 415, 422, 503, 507),
    ),
    Operation(
        "GET",
        "/games/{game}",
        "The game as the caller sees it.",
        look,
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
        errors=(403, 404, 409, 412, 413, 415, 422, 503, 507),
    ),
    Operation(
        "GET",
        "/games/{game}/stream",
        "Follows the game: messages `batch` and `end`.",
        stream,
        answer={"type": "string"},
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

"""Questions about all games: lists, players, ratings, the timeline, the signed checkpoint."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from fairdeal.application.errors import FieldFault, InvalidQuery
from fairdeal.application.projections.filters import USUAL_ITEMS
from fairdeal.application.projections.results import GameSummary, Page, Player
from fairdeal.application.wire.encoding import to_plain
from fairdeal.domain.kernel.lobby import Phase
from fairdeal.infrastructure.http.accounts import OPEN
from fairdeal.infrastructure.http.calls import PRIVATE, Call, Reply
from fairdeal.infrastructure.http.operations import CURSOR, LIMIT, Operation, Parameter, Schema, page_of, ref
from fairdeal.infrastructure.http.problems import not_found_error
from fairdeal.infrastructure.http.routes.kinds import rules_of
from fairdeal.infrastructure.http.visible_games import PRIVATE as PRIVATE_TABLE
from fairdeal.infrastructure.http.visible_games import UUID_TEXT

MOST_ITEMS = 500
MOST_PAGES = 20
"""So many pages of hidden games are passed over before a short page is given."""

Ask = Callable[[int, str | None], Page[Any]]


def games(call: Call) -> Reply:
    asked: dict[str, Any] = {name: call.query(name) for name in ("kind", "phase", "player", "turn_of")}

    def ask(limit: int, cursor: str | None) -> Page[Any]:
        return call.backend.fairdeal.read.games(**asked, limit=limit, cursor=cursor)

    mine = call.identity is not None and call.identity.player in (asked["player"], asked["turn_of"])
    return _listed(call, ask, lambda game: game.id, _game, mine=mine)


def player(call: Call) -> Reply:
    told = to_plain(_known_player(call))
    return Reply({**told, "display_name": _name(call, told["player"])}, headers=PRIVATE)


def _known_player(call: Call) -> Player:
    """Who is asked about: the caller, somebody with an account or a name, or who sits at a table that all may see."""
    asked = call.path("player")
    read = call.backend.fairdeal.read
    try:
        found = read.player(asked)
    except InvalidQuery:  # nobody can have such an id
        raise not_found_error() from None
    is_caller = call.identity is not None and call.identity.player == asked
    is_named = is_caller or call.backend.accounts.exists(asked) or asked != _name(call, asked)
    if is_named or found.statistics or _shown(call, read.games(player=asked).items, lambda game: game.id, mine=False):
        return found
    raise not_found_error()


def games_of(call: Call) -> Reply:
    asked = _known_player(call).name
    more: dict[str, Any] = {name: call.query(name) for name in ("kind", "phase")}

    def ask(limit: int, cursor: str | None) -> Page[Any]:
        return call.backend.fairdeal.read.games_of(asked, **more, limit=limit, cursor=cursor)

    mine = call.identity is not None and call.identity.player == asked
    return _listed(call, ask, lambda played: played.game.id, _game, mine=mine)


def ratings(call: Call) -> Reply:
    kind = rules_of(call.backend.fairdeal.kinds, call.path("kind")).kind

    def ask(limit: int, cursor: str | None) -> Page[Any]:
        return call.backend.fairdeal.read.ratings(kind, limit=limit, cursor=cursor)

    def told(call: Call, items: list[Any]) -> list[dict[str, Any]]:
        names = call.backend.names.by_id(item.player for item in items)
        return [{**to_plain(item), "display_name": names[item.player]} for item in items]

    return _listed(call, ask, None, told)


def timeline(call: Call) -> Reply:
    asked: dict[str, Any] = {name: call.query(name) for name in ("kind", "event", "player", "by", "table_of", "text")}
    asked |= {name: _moment(call, name) for name in ("since", "until")}
    game = call.query("game")
    if game is not None and not UUID_TEXT.fullmatch(game):
        raise InvalidQuery([FieldFault("game", "expected the id of a game")])
    asked |= {"game": None if game is None else UUID(game), "oldest_first": call.flag("oldest_first", False)}

    def ask(limit: int, cursor: str | None) -> Page[Any]:
        return call.backend.fairdeal.read.timeline(**asked, limit=limit, cursor=cursor)

    def told(call: Call, items: list[Any]) -> list[dict[str, Any]]:
        lines = call.backend.names.in_lines([item.line for item in items], [item.player for item in items])
        return [{**to_plain(item), "line": line} for item, line in zip(items, lines, strict=True)]

    return _listed(call, ask, lambda entry: entry.game_id, told)


def _game(call: Call, items: list[Any]) -> list[dict[str, Any]]:
    """Games, or played games, with the names of their players."""
    told = [to_plain(item) for item in items]
    names = call.backend.names.by_id(player for item in told for player in item["players"])
    return [{**item, "names": [names[player] for player in item["players"]]} for item in told]


def _name(call: Call, player: str) -> str:
    return call.backend.names.by_id([player])[player]


def _listed(
    call: Call,
    ask: Ask,
    game_of: Callable[[Any], UUID] | None,
    told: Callable[[Call, list[Any]], list[dict[str, Any]]],
    *,
    mine: bool = False,
) -> Reply:
    """A page without the games that are not for everybody; in lists of one's own games those stay."""
    limit = call.page_size(USUAL_ITEMS, most=MOST_ITEMS)
    cursor = call.query("cursor")
    items: list[Any] = []
    for _ in range(MOST_PAGES):
        page = ask(limit - len(items), cursor)
        items += page.items if game_of is None else _shown(call, page.items, game_of, mine=mine)
        cursor = page.next
        if cursor is None or len(items) == limit:
            break
    headers = dict(PRIVATE)
    if cursor is not None:
        query = [(name, value) for name, value in call.head.query.multi_items() if name != "cursor"]
        path = call.head.root + call.head.scope["path"].removeprefix(call.head.root)
        headers["link"] = f'<{path}?{urlencode([*query, ("cursor", cursor)])}>; rel="next"'
    return Reply({"items": told(call, items), "next": cursor}, headers=headers)


def _shown(call: Call, items: Iterable[Any], game_of: Callable[[Any], UUID], *, mine: bool) -> list[Any]:
    found = list(items)
    modes: Mapping[UUID, str] = call.backend.accounts.modes({game_of(item) for item in found}) if found else {}

    def is_shown(item: Any) -> bool:
        mode = modes.get(game_of(item), OPEN)
        if mode == OPEN or not mine or call.identity is None:
            return mode == OPEN
        game: GameSummary = getattr(item, "game", item)
        who = call.identity.player
        return who == game.opener or (mode != PRIVATE_TABLE and who in game.players)

    return [item for item in found if is_shown(item)]


def _moment(call: Call, name: str) -> datetime | None:
    text = call.query(name)
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
        moment.astimezone()
    except (ValueError, OverflowError):
        moment = None
    if moment is None or moment.tzinfo is None:
        raise InvalidQuery([FieldFault(name, "expected a time with its zone, 2026-01-31T23:59:59Z")])
    return moment


def checkpoint(call: Call) -> Reply:
    return Reply(call.backend.checkpoints.latest(), headers=PRIVATE)


TEXT: Schema = {"type": "string", "minLength": 1, "maxLength": 200}
TIME: Schema = {"type": "string", "format": "date-time"}
PHASE: Schema = {"enum": [phase.value for phase in Phase]}
OF_KIND = Parameter("kind", TEXT, "The kind of game.")
IN_PHASE = Parameter("phase", PHASE, "How far they have come.")
NEXT = {"Link": 'The next page, rel="next".'}
OPERATIONS = (
    Operation(
        "GET",
        "/games",
        "Games, the newest first.",
        games,
        answer=page_of(ref("GameSummary")),
        parameters=(
            OF_KIND,
            IN_PHASE,
            Parameter("player", TEXT, "Where this player sits."),
            Parameter("turn_of", TEXT, "Where this player has to act."),
            LIMIT,
            CURSOR,
        ),
        errors=(422, 503),
        headers=NEXT,
    ),
    Operation(
        "GET",
        "/players/{player}",
        "A player's statistics and ratings.",
        player,
        answer=ref("Player"),
        errors=(404, 422, 503),
    ),
    Operation(
        "GET",
        "/players/{player}/games",
        "A player's games, the newest first.",
        games_of,
        answer=page_of(ref("GameSummary")),
        parameters=(OF_KIND, IN_PHASE, LIMIT, CURSOR),
        errors=(404, 422, 503),
        headers=NEXT,
    ),
    Operation(
        "GET",
        "/ratings/{kind}",
        "The best players, the best first.",
        ratings,
        answer=page_of(ref("Rating")),
        parameters=(LIMIT, CURSOR),
        errors=(404, 422, 503),
        headers=NEXT,
    ),
    Operation(
        "GET",
        "/timeline",
        "What happened at all open tables, the newest first.",
        timeline,
        answer=page_of(ref("TimelineEntry")),
        parameters=(
            OF_KIND,
            *(
                Parameter(name, TEXT, "As in docs/projections.md.")
                for name in ("event", "player", "by", "table_of", "text")
            ),
            Parameter("game", {"type": "string", "format": "uuid"}, "One game."),
            Parameter("since", TIME, "From this time on."),
            Parameter("until", TIME, "Before this time."),
            Parameter("oldest_first", {"enum": ["0", "1"]}, "The other way round."),
            LIMIT,
            CURSOR,
        ),
        errors=(422, 503),
        headers=NEXT,
    ),
    Operation(
        "GET",
        "/checkpoints/latest",
        "A signed checkpoint of the whole ledger, not older than a minute.",
        checkpoint,
        answer={"type": "object"},
        errors=(404,),
        heavy=True,
    ),
)

"""A game as it was: events, frames, the story, the log and its audit."""

from fairdeal.application.errors import BeyondHead, DamagedRecord, FieldFault, InvalidQuery
from fairdeal.application.log.record import LINK_SIZE
from fairdeal.infrastructure.http.calls import PRIVATE, Call, Reply, whole_number
from fairdeal.infrastructure.http.operations import AS, LIMIT, VERSION, Operation, Parameter, page_of, ref

MOST_LINES = 500
MOST_FRAMES = 100


def events(call: Call) -> Reply:
    look = call.backend.tables.seen_by(call.game, call.identity)
    after = call.number("after", 0) or 0
    if after > look.version:
        raise BeyondHead(after, look.version)
    viewer = call.backend.tables.viewer(look, call.identity, call.query("as"))
    found = call.backend.tables.events(look, viewer, after)
    return Reply({"version": look.version, "events": found}, headers=PRIVATE)


def frame(call: Call) -> Reply:
    version = whole_number(call.path("version"), "version")
    look = call.backend.tables.seen_by(call.game, call.identity)
    viewer = call.backend.tables.viewer(look, call.identity, call.query("as"))
    (found,) = call.backend.tables.frames(look, viewer, [version])
    return Reply(found, headers=PRIVATE)


def frames(call: Call) -> Reply:
    """Many frames at once: whoever walks through a game need not ask at every step."""
    look = call.backend.tables.seen_by(call.game, call.identity)
    viewer = call.backend.tables.viewer(look, call.identity, call.query("as"))
    first = call.number("cursor", 0) or 0
    if first > look.version:
        raise BeyondHead(first, look.version)
    limit = call.page_size(MOST_FRAMES, most=MOST_FRAMES)
    beyond = min(first + limit, look.version + 1)
    found = call.backend.tables.frames(look, viewer, range(first, beyond))
    more = str(beyond) if beyond <= look.version else None
    return Reply({"items": found, "next": more}, headers=PRIVATE)


def story(call: Call) -> Reply:
    look = call.backend.tables.seen_by(call.game, call.identity)
    viewer = call.backend.tables.viewer(look, call.identity, call.query("as"))
    limit = call.page_size(MOST_LINES, most=MOST_LINES)
    after = call.number("cursor", 0) or 0
    found = call.backend.tables.events(look, viewer, after)
    shown = [{"version": event.version, "at": event.at, "by": event.by, "line": event.line} for event in found[:limit]]
    more = str(found[limit - 1].version) if len(found) > limit else None
    return Reply({"items": shown, "next": more}, headers=PRIVATE)


def log(call: Call) -> Reply:
    look = call.backend.tables.seen_by(call.game, call.identity)
    viewer = call.backend.tables.viewer(look, call.identity, None)
    text = call.backend.fairdeal.exports.export(look.game_id, viewer.player)
    name = {"content-disposition": f'inline; filename="{look.game_id}.jsonl"'}
    return Reply(text.encode(), headers={**PRIVATE, **name}, media_type="application/jsonl; charset=utf-8")


def audit(call: Call) -> Reply:
    try:
        call.backend.tables.seen_by(call.game, call.identity)
    except DamagedRecord:
        # Nobody can look at it any more, and the audit says why: to all who might watch that table.
        if not call.backend.tables.is_open(call.game):
            raise
    fairdeal = call.backend.fairdeal
    return Reply(fairdeal.read.as_it_stands().beside(fairdeal.audit(call.game)), headers=PRIVATE)


def receipt(call: Call) -> Reply:
    """Whether the log holds what a receipt is for."""
    look = call.backend.tables.seen_by(call.game, call.identity)
    text, _, link = call.path("receipt").partition(":")
    try:
        good_form = text.isascii() and text.isdecimal() and int(text) > 0 and len(bytes.fromhex(link)) == LINK_SIZE
    except ValueError:
        good_form = False
    if not good_form:
        raise InvalidQuery([FieldFault("receipt", "expected VERSION:LINK, a number and 64 hex digits")])
    version = whole_number(text, "receipt")
    found = call.backend.fairdeal.ledger.records(look.game_id, after=version - 1, up_to=version)
    good = bool(found) and found[0].link == bytes.fromhex(link)
    told = {"receipt": f"{look.game_id}:{version}:{link.lower()}", "good": good}
    return Reply(told, headers=PRIVATE)


def pages_of_versions(most: int) -> tuple[Parameter, Parameter]:
    """Where a page begins is a version, and so is `next`."""
    return (
        Parameter(LIMIT.name, {**LIMIT.schema, "maximum": most, "default": most}, LIMIT.description),
        Parameter("cursor", {"type": "string", "pattern": "^[0-9]{1,15}$"}, "`next` of the page before."),
    )


AFTER = Parameter("after", VERSION, "The version after which to begin.")
FRAME_AS = Parameter(AS.name, AS.schema, f"{AS.description} `open` shows all cards once the game is over.")
OPERATIONS = (
    Operation(
        "GET",
        "/games/{game}/events",
        "What happened after a version.",
        events,
        answer=ref("Events"),
        parameters=(AFTER, AS),
        errors=(403, 404, 409, 422),
    ),
    Operation(
        "GET",
        "/games/{game}/frames",
        "The table at one version after another, from the version that the cursor names.",
        frames,
        answer=page_of(ref("Frame")),
        parameters=(FRAME_AS, *pages_of_versions(MOST_FRAMES)),
        errors=(403, 404, 409, 422),
    ),
    Operation(
        "GET",
        "/games/{game}/frames/{version}",
        "The table at one version.",
        frame,
        answer=ref("Frame"),
        parameters=(FRAME_AS,),
        errors=(403, 404, 409, 422),
    ),
    Operation(
        "GET",
        "/games/{game}/story",
        "The game in English, a line for each event.",
        story,
        answer=page_of(ref("Line")),
        parameters=(AS, *pages_of_versions(MOST_LINES)),
        errors=(403, 404, 409, 422),
    ),
    Operation(
        "GET",
        "/games/{game}/log",
        "The log as the caller may see it, one JSON object per line (docs/format.md).",
        log,
        answer={"type": "string"},
        errors=(404,),
        media_type="application/jsonl",
        heavy=True,
    ),
    Operation("GET", "/games/{game}/audit", "The audit.", audit, answer=ref("Report"), errors=(404,), heavy=True),
    Operation(
        "GET",
        "/games/{game}/receipts/{receipt}",
        "Whether a receipt, VERSION:LINK, is in the log.",
        receipt,
        answer=ref("ReceiptFound"),
        errors=(404, 422),
    ),
)

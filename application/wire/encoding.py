"""Everything that a service hands on, written as JSON in one way; docs/json.md lists the fields."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from functools import cache
from typing import Any, cast

import msgspec

from fairdeal.application.audit.verdicts import Report, Verdict
from fairdeal.application.commands.handlers import Answer
from fairdeal.application.health import Health
from fairdeal.application.history.look import Look
from fairdeal.application.history.replay import Frame
from fairdeal.application.live.new_events import NewEvents
from fairdeal.application.log.record import Receipt, as_moment
from fairdeal.application.projections.public_event import PublicEvent, TableSummary
from fairdeal.application.projections.results import (
    Conduct,
    DeadLetter,
    Encounters,
    GameSummary,
    HeadToHead,
    Page,
    PlayedGame,
    Player,
    Progress,
    Rating,
    RatingStep,
    Retried,
    Statistics,
    TimelineEntry,
)
from fairdeal.domain.kernel.refusals import FairdealError

MOST_LEGAL = 500
"""So many legal moves are listed; `legal_total` says how many there are."""

Shape = Callable[[Any], Any]


def to_plain(value: Any) -> Any:
    """The value as dicts, lists, texts, numbers, true, false and None, exactly as `to_json` writes it."""
    return msgspec.json.decode(to_json(value))


def to_json(value: Any) -> bytes:
    """The value as JSON: a result, an error, a receipt, or lists and dicts of those."""
    return msgspec.json.encode(_shape(value))


def look_to_json(look: Look[Any, Any], *, names: Sequence[str], spectators: str) -> bytes:
    """A look as `to_json` writes it, with what a service knows of its players and of who may watch."""
    return msgspec.json.encode({**_look(look), "names": names, "spectators": spectators})


def move_to_plain(names: Mapping[type, str], move: Any) -> dict[str, Any]:
    """A move with its name, as it comes from outside."""
    kind = move.__class__
    told = {"move": names[kind]}
    for name in _fields_of(kind):
        told[name] = getattr(move, name)
    return told


@cache
def _fields_of(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _shape(value: Any) -> Any:
    """What is written of a result. Views, events and cards are left to msgspec, which writes them field by field."""
    shape = _SHAPES.get(value.__class__)
    if shape is not None:
        return shape(value)
    if isinstance(value, Mapping):
        return {key: _shape(inner) for key, inner in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_shape(inner) for inner in cast("Sequence[Any]", value)]
    return _error(value) if isinstance(value, FairdealError) else value


def _look(look: Look[Any, Any]) -> dict[str, Any]:
    names = look.move_names
    return {
        "game": look.game_id,
        "kind": look.kind,
        "version": look.version,
        "phase": look.phase,
        "options": look.options,
        "opener": look.opener,
        "players": look.players,
        "names": look.names,
        "seat": look.seat,
        "active": look.active,
        "view": look.view,
        "legal": [move_to_plain(names, move) for move in look.legal[:MOST_LEGAL]],
        "legal_total": len(look.legal),
        "outcome": look.outcome,
        "clock": look.clock,
        "rated": look.rated,
        "spectators": look.spectators,
        "commitment": look.commitment,
        "seed": look.seed,
        "receipt": str(look.receipt),
    }


def _answer(answer: Answer) -> dict[str, Any]:
    return {
        "game": answer.game_id,
        "version": answer.version,
        "events": answer.seen,
        "receipt": str(answer.receipt),
    }


def _new_events(new: NewEvents) -> dict[str, Any]:
    return {"version": new.version, "events": new.events}


def _frame(frame: Frame) -> dict[str, Any]:
    return {
        "game": frame.game_id,
        "version": frame.version,
        "at": frame.at,
        "by": frame.by,
        "line": frame.line,
        "event": frame.event,
        "view": frame.view,
        "places": frame.places,
        "outcome": frame.outcome,
    }


def _report(report: Report) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "game": report.game_id,
        "kind": report.kind,
        "records": report.records,
        "good": report.good,
        "untouched": _verdict(report.untouched),
        "fair": _verdict(report.fair),
        "legal": _verdict(report.legal),
    }
    if report.is_of_ledger:
        plain |= {"what": "ledger", "game": None}
    if report.missing_position is not None:
        plain["missing_position"] = report.missing_position
    return plain


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {"grade": verdict.grade, "why": verdict.why, "record": verdict.record}


def _public_event(event: PublicEvent) -> dict[str, Any]:
    return {
        "position": event.position,
        "game": event.game_id,
        "version": event.version,
        "name": event.stored_name,
        "event": event.event,
        "line": event.line,
        "at": _moment(event.at),
        "by": event.by,
        "player": event.player,
        "link": event.link.hex(),
        "table": _table(event.table),
    }


def _table(table: TableSummary) -> dict[str, Any]:
    seats = {"seats": [table.seats[0], table.seats[-1]], "rated": table.rated}
    return {name: _shape(getattr(table, name)) for name in table.__struct_fields__} | seats


def _played_game(played: PlayedGame) -> dict[str, Any]:
    return {**_shape(played.game), "seat": played.seat, "result": played.result}


def _with(**renamed: str) -> Shape:
    """A result field by field, some of them by another name: the id of a game is `game` wherever it is written."""
    return lambda value: {
        renamed.get(field.name, field.name): _shape(getattr(value, field.name)) for field in fields(value)
    }


def _health(health: Health) -> dict[str, Any]:
    checks = [{"name": one.name, "code": one.code, "milliseconds": one.milliseconds} for one in health.checks]
    return {"ok": health.ok, "checks": checks}


def _error(error: FairdealError) -> dict[str, Any]:
    """What was refused and why; `errors` names each field that was not understood."""
    return {"code": error.code, "detail": error.message, "errors": list(getattr(error, "faults", ()))}


def _moment(moment: datetime) -> str:
    """A time as the log writes it."""
    return as_moment(moment.astimezone(UTC))


_SHAPES: dict[type, Shape] = {
    **dict.fromkeys(
        (Conduct, Encounters, HeadToHead, Page, Progress, Rating, RatingStep, Retried, Statistics), _with()
    ),
    Answer: _answer,
    DeadLetter: _with(game_id="game"),
    Frame: _frame,
    Health: _health,
    GameSummary: _with(id="game"),
    Look: _look,
    NewEvents: _new_events,
    PlayedGame: _played_game,
    Player: _with(name="player"),
    PublicEvent: _public_event,
    Receipt: str,
    Report: _report,
    TableSummary: _table,
    TimelineEntry: _with(game_id="game"),
    datetime: _moment,
}

"""`fairdeal replay` and `fairdeal diff`: a game as it was, and what two versions or two logs do not share."""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated, Any

import typer

from fairdeal.application import border
from fairdeal.application.catalogue import GAMES
from fairdeal.application.differences import parting
from fairdeal.application.export import seen
from fairdeal.application.records import Record
from fairdeal.application.replay import Frame, Replay
from fairdeal.domain.kernel.errors import FairdealError
from fairdeal.infrastructure.cli.common import (
    FOUND,
    CannotDo,
    JsonOption,
    MaybeLedger,
    ViewerOption,
    complain,
    printable,
    records_of,
    say,
    say_json,
)
from fairdeal.infrastructure.codec import JsonCodec

Log = Annotated[str, typer.Argument(help="The id of a game, or an exported file.")]
OpenOption = Annotated[bool, typer.Option("--open", help="With open cards; only when the game is over.")]
CODEC = JsonCodec(GAMES)
LONGEST_NUMBER = 18
"""Digits; Python refuses to read numbers of thousands of them."""


def replay(
    log: Log,
    ledger: MaybeLedger = None,
    version: Annotated[int | None, typer.Option(help="The table at this version.")] = None,
    at: Annotated[str | None, typer.Option(help="The table at this moment, 2026-01-31T12:00:00 (UTC).")] = None,
    viewer: ViewerOption = None,
    open_cards: OpenOption = False,
    step: Annotated[bool, typer.Option("--step", help="Step by step: n, b, a version, q.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Tells a game, or shows its table at a version or a moment, as somebody saw it.

    Exit status: 0 shown, 2 it cannot be shown: no such game or version, or still secret.
    """
    if version is not None and at is not None:
        raise CannotDo("Give a version or a moment, not both.")
    game = _replay(log, ledger, viewer, open_cards=open_cards)
    if at is not None:
        game.go_to_moment(_moment(at))
    elif version is not None:
        game.go_to(version)
    if step:
        _step_through(game, as_json=as_json)
    elif version is None and at is None:
        _tell(game, as_json=as_json)
    else:
        _show(game, as_json=as_json)


def diff(
    log: Log,
    other: Annotated[str | None, typer.Argument(help="Another log: where do the two part?")] = None,
    ledger: MaybeLedger = None,
    start: Annotated[int | None, typer.Option("--from", help="One version …")] = None,
    end: Annotated[int | None, typer.Option("--to", help="… and another: what changed between them?")] = None,
    viewer: ViewerOption = None,
    open_cards: OpenOption = False,
    as_json: JsonOption = False,
) -> None:
    """Shows where two logs part, or what changed on the table between two versions of one.

    Exit status: 0 no difference, 1 a difference, 2 it could not be compared.
    """
    if other is not None:
        plain: Any = _parting(records_of(log, ledger), records_of(other, ledger), viewer)
        lines = list(_parting_lines(plain))
    elif start is not None and end is not None:
        changes = _replay(log, ledger, viewer, open_cards=open_cards).difference(start, end)
        lines = [f"{change.path}: {_text(change.before)} → {_text(change.after)}" for change in changes]
        plain = [{"path": c.path, "before": border.plain(c.before), "after": border.plain(c.after)} for c in changes]
    else:
        raise CannotDo("Give another log, or two versions with --from and --to.")
    if as_json:
        say_json(plain)
    else:
        say("\n".join(lines) or "No difference.")
    if lines:
        raise typer.Exit(FOUND)


def _replay(log: str, ledger: str | None, viewer: str | None, *, open_cards: bool) -> Replay:
    game = Replay(records_of(log, ledger), CODEC, viewer, open_cards=open_cards)
    if viewer is not None and viewer not in game.game.players:
        raise CannotDo(f"{viewer} does not sit at this table; there are {', '.join(game.game.players)}.")
    return game


def _moment(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise CannotDo(f"{text!r} is no moment; write it as 2026-01-31T12:00:00.") from None


def _tell(game: Replay, *, as_json: bool) -> None:
    for version, (at, line) in enumerate(zip(game.times(), game.story(), strict=True), 1):
        if as_json:
            say_json({"version": version, "at": at, "line": line})
        else:
            say(f"{version:>6}  {at[:19].replace('T', ' ')}  {printable(line)}")


def _show(game: Replay, *, as_json: bool) -> None:
    frame = game.frame()
    if as_json:
        say_json(_frame_as_plain(game, frame))
        return
    say(f"Version {frame.version} of {game.head}{', ' + frame.at if frame.at else ''}: {printable(frame.line)}")
    for who, view in game.tables():
        say(f"\nAs {who} sees it:")
        say(game.game.rules.draw(view, game.game.players))
    if frame.active:
        say(f"\nTo act: {', '.join(game.game.players[seat] for seat in frame.active)}")


def _frame_as_plain(game: Replay, frame: Frame) -> dict[str, Any]:
    return {
        "game": str(game.game.id),
        "kind": game.game.rules.kind,
        "players": list(game.game.players),
        "version": frame.version,
        "head": game.head,
        "at": frame.at,
        "line": frame.line,
        "active": list(frame.active),
        "tables": {who: border.plain(view) for who, view in game.tables()},
    }


def _step_through(game: Replay, *, as_json: bool) -> None:
    """Until the end of the input: forwards, backwards, or to any version."""
    _show(game, as_json=as_json)
    while (word := _word("" if as_json else "> ")) not in ("q", None):
        try:
            match word:
                case "" | "n":
                    game.forward()
                case "b":
                    game.back()
                case _ if word.isdecimal() and len(word) <= LONGEST_NUMBER:
                    game.go_to(int(word))
                case _:
                    raise CannotDo("n: next, b: back, a number: that version, q: quit.")
            _show(game, as_json=as_json)
        except FairdealError as error:
            complain(error, as_json=as_json)


def _word(prompt: str) -> str | None:
    try:
        return input(prompt).strip()
    except EOFError:
        return None


def _parting(one: Sequence[Record], other: Sequence[Record], viewer: str | None) -> dict[str, Any] | None:
    found = parting(one, other)
    if found is None:
        return None
    sides = ((found.one, one), (found.other, other))
    mine, theirs = (None if record is None else _seen(found.version, record, log, viewer) for record, log in sides)
    return {"version": found.version, "one": mine, "other": theirs}


def _seen(version: int, record: Record, log: Sequence[Record], viewer: str | None) -> dict[str, Any]:
    """The record as the viewer may see it; only its name and link if nobody can tell how far the game has come."""
    try:
        return seen(log, CODEC, version, viewer)
    except FairdealError:
        return {"version": record.version, "name": record.name, "link": record.link.hex()}


def _parting_lines(found: dict[str, Any] | None) -> Iterator[str]:
    if found is not None:
        yield f"The logs part at record {found['version']}:"
        for sign, line in (("-", found["one"]), ("+", found["other"])):
            yield f"{sign} {'the log has ended' if line is None else _record_line(line)}"


def _record_line(line: dict[str, Any]) -> str:
    event = json.dumps(line["event"], ensure_ascii=False) if "event" in line else None
    return " ".join(part for part in (line["name"], line.get("payload") or event, line["link"]) if part)


def _text(value: Any) -> str:
    plain: Any = border.plain(value)
    return " ".join(map(str, plain)) or "nothing" if type(plain) in (list, tuple) else str(plain)

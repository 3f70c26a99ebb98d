"""`fairdeal replay`: a game as it was, told or shown, whole or step by step."""

import sys
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from fairdeal.application.commands import validation
from fairdeal.application.history.replay import Frame, Replay
from fairdeal.domain.kernel.places import Place
from fairdeal.domain.kernel.refusals import FairdealError
from fairdeal.infrastructure.cli.drawing import coloured
from fairdeal.infrastructure.cli.keys import is_terminal, reading_keys
from fairdeal.infrastructure.cli.kinds import codec
from fairdeal.infrastructure.cli.options import JsonOption, MaybeLedger, PlainOption, ViewerOption, moment, records_of
from fairdeal.infrastructure.cli.output import CannotDo, print_error, printable, say, say_json
from fairdeal.infrastructure.cli.playing import as_called, called

if TYPE_CHECKING:
    from rich.console import Console

LogArgument = Annotated[str, typer.Argument(help="The id of a game, or an exported file.")]
OpenOption = Annotated[bool, typer.Option("--open", help="With open cards; only when the game is over.")]
LONGEST_NUMBER = 18
"""Digits; Python refuses to read numbers of thousands of them."""
LEAP = 10
EARLIER = 3
"""Lines of the story before the one that is shown."""
TRACK = 40
STEPS = "n: next, b: back, a number: that version, q: quit."


def replay(
    log: LogArgument,
    ledger: MaybeLedger = None,
    version: Annotated[int | None, typer.Option(help="The table at this version.")] = None,
    at: Annotated[str | None, typer.Option(help="The table at this moment, 2026-01-31T12:00:00 (UTC).")] = None,
    viewer: ViewerOption = None,
    open_cards: OpenOption = False,
    step: Annotated[bool, typer.Option("--step", help="Step by step: n, b, a version, q.")] = False,
    plain: PlainOption = False,
    as_json: JsonOption = False,
) -> None:
    """Tells a game, or shows its table at a version or a moment, as somebody saw it.

    In a terminal it steps through the game with the arrow keys, unless --plain is given.

    Exit status: 0 shown, 2 it cannot be shown: no such game or version, or still secret.
    """
    if version is not None and at is not None:
        raise CannotDo("Give a version or a moment, not both.")
    game = replay_of(log, ledger, viewer, open_cards=open_cards)
    if at is not None:
        game.go_to_moment(moment(at))
    elif version is not None:
        game.go_to(version)
    if (step or (version is None and at is None)) and not (plain or as_json) and is_terminal():
        _step_with_keys(game)
    elif step:
        _step_through(game, as_json=as_json)
    elif version is None and at is None:
        _tell(game, as_json=as_json)
    else:
        _show(game, as_json=as_json)


def replay_of(log: str, ledger: str | None, viewer: str | None, *, open_cards: bool) -> Replay:
    if open_cards and viewer is not None:
        raise CannotDo("Give --as or --open, not both.")
    return Replay(records_of(log, ledger), codec(), viewer, open_cards=open_cards)


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
        say(game.game.rules.voice.render(view, game.game.players))
    if frame.places:
        say("\nWith open cards:")
        for place in frame.places:
            say(f"{place.told(game.game.players)}: {as_said(place.cards)}")
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
        "tables": {who: validation.plain(view) for who, view in game.tables()},
        "places": [_place_as_plain(place, game.game.players) for place in frame.places],
    }


def _place_as_plain(place: Place, players: tuple[str, ...]) -> dict[str, Any]:
    player = None if place.seat is None else players[place.seat]
    return {"name": place.name, "player": player, "cards": validation.plain(place.cards)}


def _step_through(game: Replay, *, as_json: bool) -> None:
    """Until the end of the input: forwards, backwards, or to any version."""
    _show(game, as_json=as_json)
    if not as_json:
        say(f"\n{STEPS}")
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
                    raise CannotDo(STEPS)
            _show(game, as_json=as_json)
        except FairdealError as error:
            print_error(error, as_json=as_json)


def _step_with_keys(game: Replay) -> None:
    """← → one step, PgUp PgDn ten, Home End, a number and Enter, q."""
    from rich.console import Console

    console = Console(highlight=False, emoji=False, markup=False)
    typed, story = "", as_called(game.story(), game.game.players)
    with reading_keys() as keys, console.screen(hide_cursor=False):
        while True:
            _draw(console, game, story, typed)
            size = console.size
            while (key := keys.next()) is None and size == console.size:
                pass
            match key:
                case None:
                    continue
                case "right" | "n" | " ":
                    _go(game, game.version + 1)
                case "left" | "b" | "backspace" if not typed:
                    _go(game, game.version - 1)
                case "page down" | "]" | "down":
                    _go(game, game.version + LEAP)
                case "page up" | "[" | "up":
                    _go(game, game.version - LEAP)
                case "home":
                    _go(game, 0)
                case "end":
                    _go(game, game.head)
                case "enter":
                    _go(game, int(typed) if typed else game.version + 1)
                case "q" | "eof" | "escape":
                    return
                case _:
                    pass
            typed = (typed + key)[:LONGEST_NUMBER] if key.isdecimal() else typed[:-1] if key == "backspace" else ""


def _go(game: Replay, version: int) -> None:
    game.go_to(min(max(version, 0), game.head))


def _draw(console: "Console", game: Replay, story: Sequence[str], typed: str) -> None:
    from rich.panel import Panel
    from rich.text import Text

    frame, kind = game.frame(), game.game.rules.kind
    console.clear()
    names = called(game.game.players)
    before = story[max(0, frame.version - 1 - EARLIER) : max(0, frame.version - 1)]
    console.print(
        Text(f"{_track(frame.version, game.head)}  {frame.version} of {game.head}", "cyan")
        + Text(f"  {(frame.at or '')[:19].replace('T', ' ')}", "dim")
    )
    for line in before:
        console.print(coloured(kind, line), style="dim")
    console.print(coloured(kind, *as_called([frame.line], game.game.players)), style="bold")
    for who, view in game.tables():
        table = coloured(kind, game.game.rules.voice.render(view, names))
        console.print(Panel(table, title=f"as {who} sees it", title_align="left", expand=False))
    for place in frame.places:
        console.print(coloured(kind, f"{place.told(names)}: {as_said(place.cards)}"))
    if frame.active:
        console.print(f"To act: {', '.join(printable(names[seat]) for seat in frame.active)}")
    console.print(Text("← → one step, PgUp PgDn ten, Home End, a number and Enter, q", "dim"))
    console.print(f"> {typed}", end="")
    sys.stdout.flush()


def _track(version: int, head: int) -> str:
    """Where in the game this is."""
    done = round(version / head * TRACK)
    return "━" * done + "●" + "─" * (TRACK - done)


def _word(prompt: str) -> str | None:
    try:
        return input(prompt).strip()
    except EOFError:
        return None


def as_said(value: Any) -> str:
    """A value of a table as one says it."""
    match value:
        case None | ():
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case tuple():
            parts = cast("Sequence[Any]", value)
            return (" / " if isinstance(parts[0], tuple) else " ").join(map(as_said, parts))
        case _ if is_dataclass(value) and str(value) == repr(value):  # Cards say what they are called.
            return f"({', '.join(f'{field.name} {as_said(getattr(value, field.name))}' for field in fields(value))})"
        case _:
            return str(value)

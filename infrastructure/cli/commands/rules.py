"""`fairdeal rules`: the rules of a game, as its own page tells them."""

import sys
from typing import Annotated

import typer

from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.infrastructure.cli.keys import is_terminal, reading_keys
from fairdeal.infrastructure.cli.kinds import kinds, page_for_players, page_of, rules_of
from fairdeal.infrastructure.cli.options import JsonOption
from fairdeal.infrastructure.cli.output import say_json
from fairdeal.infrastructure.cli.rows import show_rows
from fairdeal.infrastructure.cli.screens import KeyScreen


def rules(
    kind: Annotated[str | None, typer.Argument(help="Which game; without: all games there are.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Shows the rules of a game; without one, lists the games with their seats, presets and bots.

    Exit status: 0 shown, 2 there is no such game.
    """
    if kind is not None:
        one = rules_of(kind)
        if as_json:
            say_json({"kind": kind, "rules": page_of(one)})
        elif is_terminal():
            _read(page_for_players(one))
        elif sys.stdout.isatty():
            _draw(page_for_players(one))
        else:
            typer.echo(page_of(one))
        return
    if as_json:
        for one in kinds().values():
            say_json(_plain(one))
        return
    every = kinds().values()
    rows = [[one.kind, one.title, one.how_many, ", ".join(one.setup.presets), ", ".join(one.bots)] for one in every]
    show_rows(("kind", "title", "seats", "presets", "bots"), rows)


def _plain(one: AnyRules) -> dict[str, object]:
    seats = [one.seats[0], one.seats[-1]]
    presets, bots = list(one.setup.presets), list(one.bots)
    return {"kind": one.kind, "title": one.title, "seats": seats, "presets": presets, "bots": bots}


def _read(text: str) -> None:
    """Page by page, as a manual is read."""
    with reading_keys() as keys:
        screen = KeyScreen(keys)
        with screen.window():
            screen.read(text)


def _draw(text: str) -> None:
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(text))

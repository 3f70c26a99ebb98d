"""`fairdeal rules`: the rules of a game, as its own page tells them."""

import sys
from importlib.resources import files
from typing import Annotated

import typer

from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.infrastructure.cli.kinds import kinds, rules_of
from fairdeal.infrastructure.cli.options import JsonOption
from fairdeal.infrastructure.cli.output import CannotDo, say_json
from fairdeal.infrastructure.cli.tables import show_rows


def rules(
    kind: Annotated[str | None, typer.Argument(help="Which game; without: all games there are.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Shows the rules of a game; without one, lists the games with their seats, presets and bots.

    Exit status: 0 shown, 2 there is no such game.
    """
    if kind is not None:
        text = page_of(rules_of(kind))
        if as_json:
            say_json({"kind": kind, "rules": text})
        elif sys.stdout.isatty():
            _draw(text)
        else:
            typer.echo(text)
        return
    if as_json:
        for one in kinds().values():
            say_json(_plain(one))
        return
    rows = [[one.kind, one.title, _seats(one), ", ".join(one.presets), ", ".join(one.bots)] for one in kinds().values()]
    show_rows(("kind", "title", "seats", "presets", "bots"), rows)


def page_of(one: AnyRules) -> str:
    """RULES.md stands beside the moves of its game, also in a package from outside."""
    package = next(iter(one.moves.values())).__module__.rpartition(".")[0]
    page = files(package).joinpath("RULES.md") if package else None
    if page is None or not page.is_file():
        raise CannotDo(f"{one.title} has no page of rules (RULES.md beside its moves).")
    return page.read_text(encoding="utf-8")


def _plain(one: AnyRules) -> dict[str, object]:
    seats = [one.seats[0], one.seats[-1]]
    return {"kind": one.kind, "title": one.title, "seats": seats, "presets": list(one.presets), "bots": list(one.bots)}


def _seats(one: AnyRules) -> str:
    return str(one.seats[0]) if len(one.seats) == 1 else f"{one.seats[0]} to {one.seats[-1]}"


def _draw(text: str) -> None:
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(text))

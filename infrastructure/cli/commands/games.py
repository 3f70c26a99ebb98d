"""`fairdeal games`: lists what a ledger holds."""

import sqlite3
import sys
from collections.abc import Generator, Iterable, Mapping
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from fairdeal.infrastructure.cli.options import (
    JsonOption,
    LedgerOption,
    LimitOption,
    SinceOption,
    UntilOption,
    maybe_moment,
    sqlite_path,
)
from fairdeal.infrastructure.cli.output import printable, say_json, say_line
from fairdeal.infrastructure.readmodels.beside import beside
from fairdeal.infrastructure.readmodels.glance import Wanted, glance

SCREENFUL = 50
"""Games that a terminal gets without asking for more."""
SHORT = 8

Told = dict[str, Any]


def games(
    ledger: LedgerOption,
    kind: Annotated[str | None, typer.Option(help="Only this kind of game.")] = None,
    phase: Annotated[str | None, typer.Option(help="lobby, sealed, running, finished, abandoned or void.")] = None,
    player: Annotated[str | None, typer.Option(help="Only games of this player.")] = None,
    turn_of: Annotated[str | None, typer.Option(help="Only games in which this player has to act.")] = None,
    since: SinceOption = None,
    until: UntilOption = None,
    limit: LimitOption = None,
    as_json: JsonOption = False,
) -> None:
    """Lists the games of a ledger, the newest first: ids, dates, players and winners.

    A large ledger is asked through its read models, which are made beside it if they are not there. A terminal gets
    50 games and short ids: any beginning of an id that no other game shares is understood everywhere.

    Exit status: 0 listed, 2 the ledger cannot be read.
    """
    moments = {"since": maybe_moment(since), "until": maybe_moment(until)}
    is_screen = sys.stdout.isatty() and not as_json
    most = limit or (SCREENFUL if is_screen else None)
    found = _found(ledger, Wanted(kind=kind, phase=phase, player=player, turn_of=turn_of, **moments))
    with closing(found):
        shown = islice(found, most)
        if is_screen:
            _show_table(list(shown))
        else:
            _show_lines(shown, as_json=as_json)
        if is_screen and limit is None and next(found, None) is not None:
            say_line(f"… and more: --limit shows more than {SCREENFUL}.")


def _found(address: str, wanted: Wanted) -> Generator[Told]:
    """At a glance if that is possible: all that it takes to ask otherwise needs longer to load than to answer."""
    file = sqlite_path(address)
    quick = None if file is None else glance(file, Path(beside(address).removeprefix("sqlite:///")), wanted)
    said = set[str]()
    try:
        for told in quick or ():
            said.add(told["game"])
            yield told
    except (sqlite3.Error, ValueError, TypeError):
        quick = None  # damaged halfway
    if quick is None:
        from fairdeal.infrastructure.cli.game_list import listed

        yield from (told for told in listed(address, wanted) if told["game"] not in said)


def _show_lines(found: Iterable[Told], *, as_json: bool) -> None:
    for told in found:
        if as_json:
            say_json(told)
        else:
            start = f"{told['game']}  {told['kind']:<14} {told['phase']:<10} {told['version']:>6}"
            say_line(f"{start}  {_date(told)}  {', '.join(told['players'])}{_ending(told)}")


def _show_table(found: list[Told]) -> None:
    if not found:
        say_line("There is no such game here.")
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("game", "kind", "phase", "events", "opened", "players", "won by"):
        table.add_column(
            heading, justify="right" if heading == "events" else "left", no_wrap=heading in ("game", "opened")
        )
    length = _length_of_ids([told["game"] for told in found])
    for told in found:
        winners = [f"★ {name}" for name in told["winners"]] or (["nobody"] if told["reason"] else [])
        cells = [told["game"][:length], told["kind"], told["phase"], str(told["version"]), _date(told)]
        table.add_row(*map(_cell, (*cells, ", ".join(told["players"]), ", ".join(winners))))
    Console(highlight=False).print(table)


def _cell(text: str) -> Any:
    from rich.text import Text

    return Text(printable(text))


def _length_of_ids(ids: list[str]) -> int:
    """So many signs that no two of these ids begin alike."""
    length = SHORT
    while len({one[:length] for one in ids}) < len(set(ids)):
        length += 1
    return length


def _date(told: Mapping[str, Any]) -> str:
    return "–" if told["opened_at"] is None else told["opened_at"][:16].replace("T", " ")


def _ending(told: Mapping[str, Any]) -> str:
    if told["winners"]:
        return f"  won by {', '.join(told['winners'])}"
    return "  nobody won" if told["reason"] else ""

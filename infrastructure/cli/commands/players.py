"""`fairdeal players`: how players did, alone or against each other."""

from typing import Annotated, Any

import typer
from sqlalchemy import func, select

from fairdeal.application.projections.results import Player, Statistics
from fairdeal.application.wire.encoding import to_plain
from fairdeal.infrastructure.cli.kinds import rules_of
from fairdeal.infrastructure.cli.options import JsonOption, LedgerOption
from fairdeal.infrastructure.cli.output import CannotDo, number_of, say, say_json, say_line
from fairdeal.infrastructure.cli.read_models import asked
from fairdeal.infrastructure.cli.rows import show_rows
from fairdeal.infrastructure.readmodels.read_side import ReadSide
from fairdeal.infrastructure.readmodels.tables import STATISTICS

NUMBERS = ("played", "won", "drawn", "lost", "abandoned", "streak", "best", "moves")


def players(
    ledger: LedgerOption,
    name: Annotated[str | None, typer.Argument(help="A player; without: those who played most.")] = None,
    against: Annotated[str | None, typer.Option(help="Another player: how did the two do against each other?")] = None,
    kind: Annotated[str | None, typer.Option(help="Only this kind of game.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=500, help="At most so many players.")] = 50,
    as_json: JsonOption = False,
) -> None:
    """Shows how players did: one of them, two against each other, or those who played most.

    Exit status: 0 shown, 2 the ledger cannot be read.
    """
    if kind is not None:
        rules_of(kind)
    if against is not None and name is None:
        raise CannotDo("Give two players: fairdeal players ANN --against BOB.")
    with asked(ledger) as read:
        if name is None:
            _show_all(read, kind, limit, as_json=as_json)
        elif against is not None:
            _show_two(read, name, against, kind, as_json=as_json)
        else:
            _show_one(read, name, kind, as_json=as_json)


def _show_all(read: ReadSide, kind: str | None, limit: int, *, as_json: bool) -> None:
    columns = [func.sum(STATISTICS.c[name]) for name in ("won", "drawn", "lost", "abandoned")]
    played = sum(columns[1:], columns[0])
    query = select(STATISTICS.c.player, played, *columns).group_by(STATISTICS.c.player)
    query = query.order_by(played.desc(), STATISTICS.c.player).limit(limit)
    with read.connection() as connection:
        rows = [
            tuple(row) for row in connection.execute(query if kind is None else query.where(STATISTICS.c.kind == kind))
        ]
    headings = ("player", "played", "won", "drawn", "lost", "abandoned")
    if as_json:
        for row in rows:
            say_json(
                {
                    heading: int(cell) if at else cell
                    for at, (heading, cell) in enumerate(zip(headings, row, strict=True))
                }
            )
    else:
        empty = f"Nobody has finished a game{'' if kind is None else f' of {kind}'} yet."
        show_rows(headings, [[str(cell) for cell in row] for row in rows], right=headings[1:], empty=empty)


def _show_one(read: ReadSide, name: str, kind: str | None, *, as_json: bool) -> None:
    found = read.player(name)
    statistics = [one for one in found.statistics if kind in (None, one.kind)]
    ratings = {one.kind: one for one in found.ratings}
    if as_json:
        say_json(to_plain(found))
        return
    tell_conduct(found)
    if not statistics:
        say(f"{name} has not finished a game{'' if kind is None else f' of {kind}'} yet.")
        return
    rows = [[*_row(one), f"{ratings[one.kind].rating:.1f}" if one.kind in ratings else "–"] for one in statistics]
    show_rows(("kind", *NUMBERS, "rating"), rows, right=(*NUMBERS, "rating"))


def tell_conduct(player: Player) -> None:
    """What has to do with tables that were never dealt, if there is anything to tell."""
    conduct = player.conduct
    told = {
        f"of {number_of(conduct.tables_closed, 'table')} they opened ended before the deal": conduct.tables_undealt,
        "broken off before the deal": conduct.tables_broken_off,
        "ended before the deal with the seal shut": conduct.seals_kept_shut,
        "played with a seal that had been used before": conduct.seals_used_before,
    }
    for what, count in told.items():
        if count:
            say_line(f"{player.name}: {count} {what}.")


def _row(one: Statistics) -> list[str]:
    numbers: tuple[Any, ...] = (one.played, one.won, one.drawn, one.lost, one.abandoned, one.streak, one.best_streak)
    return [one.kind, *map(str, numbers), f"{one.average_moves:.0f}"]


def _show_two(read: ReadSide, name: str, against: str, kind: str | None, *, as_json: bool) -> None:
    found = read.head_to_head(name, against, kind=kind)
    if as_json:
        say_json(to_plain(found))
        return
    total = found.total
    ahead = f"{name} was ahead in {total.first_ahead}, {against} in {total.second_ahead}, neither in {total.even}"
    say(f"{number_of(total.played, 'game')} at the same table: {ahead}.")

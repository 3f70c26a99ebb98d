"""`fairdeal timeline`: what happened in all games."""

from typing import Annotated
from uuid import UUID

import typer

from fairdeal.application.wire.encoding import to_plain
from fairdeal.infrastructure.cli.options import (
    JsonOption,
    LedgerOption,
    SinceOption,
    UntilOption,
    game_id,
    maybe_moment,
    opened,
)
from fairdeal.infrastructure.cli.output import say_json, say_line
from fairdeal.infrastructure.cli.read_models import asked


def timeline(
    ledger: LedgerOption,
    game: Annotated[str | None, typer.Option(help="Only this game.")] = None,
    kind: Annotated[str | None, typer.Option(help="Only this kind of game.")] = None,
    event: Annotated[str | None, typer.Option(help="Only this event, such as card_played.")] = None,
    player: Annotated[str | None, typer.Option(help="Only what is about this player.")] = None,
    by: Annotated[str | None, typer.Option(help="Only what this player did.")] = None,
    text: Annotated[str | None, typer.Option(help="Only lines that hold this text.")] = None,
    since: SinceOption = None,
    until: UntilOption = None,
    oldest_first: Annotated[bool, typer.Option("--oldest-first", help="In the order in which it happened.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=500, help="At most so many lines.")] = 50,
    as_json: JsonOption = False,
) -> None:
    """Tells what happened in all games, one line per event, as everybody may see it.

    Exit status: 0 told, 2 the ledger cannot be read.
    """
    found_game: UUID | None = None
    if game is not None:
        with opened(ledger) as fairdeal:
            found_game = game_id(game, fairdeal)
    with asked(ledger) as read:
        page = read.timeline(
            game=found_game,
            kind=kind,
            event=event,
            player=player,
            by=by,
            text=text,
            since=maybe_moment(since),
            until=maybe_moment(until),
            oldest_first=oldest_first,
            limit=limit,
        )
    for entry in page.items:
        if as_json:
            say_json(to_plain(entry))
        else:
            say_line(f"{entry.at:%Y-%m-%d %H:%M:%S}  {str(entry.game_id)[:8]}  {entry.version:>5}  {entry.line}")

"""`fairdeal ratings`: the best players of one kind of game."""

from typing import Annotated

import typer

from fairdeal.application.wire.encoding import to_plain
from fairdeal.infrastructure.cli.kinds import rules_of
from fairdeal.infrastructure.cli.options import JsonOption, LedgerOption
from fairdeal.infrastructure.cli.output import say_json
from fairdeal.infrastructure.cli.read_models import asked
from fairdeal.infrastructure.cli.rows import show_rows


def ratings(
    kind: Annotated[str, typer.Argument(help="Which game, such as red7.")],
    ledger: LedgerOption,
    limit: Annotated[int, typer.Option(min=1, max=500, help="At most so many players.")] = 50,
    as_json: JsonOption = False,
) -> None:
    """Shows the best players of one kind of game, by what they are worth almost for certain (mu − 3 sigma).

    Exit status: 0 shown, 2 the ledger cannot be read or there is no such game.
    """
    rules_of(kind)
    with asked(ledger) as read:
        found = read.ratings(kind, limit=limit).items
    if as_json:
        for one in found:
            say_json(to_plain(one))
        return
    rows = [
        [str(one.rank), one.player, f"{one.rating:.1f}", f"{one.mu:.1f} ± {one.sigma:.1f}", str(one.games)]
        for one in found
    ]
    empty = f"Nobody is rated in {kind} yet: games count that end between people who took their own seats."
    show_rows(("rank", "player", "rating", "strength", "games"), rows, right=("rank", "rating", "games"), empty=empty)

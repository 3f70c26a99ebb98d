"""`fairdeal resume`: goes on with a game that was left."""

from typing import Annotated
from uuid import UUID

import typer

from fairdeal.infrastructure.cli.commands.play import HomeLedger, go_on, home_ledger
from fairdeal.infrastructure.cli.options import PlainOption, game_id, opened
from fairdeal.infrastructure.cli.output import CannotDo
from fairdeal.infrastructure.cli.playing import BOT
from fairdeal.infrastructure.cli.read_models import asked


def resume(
    game: Annotated[str | None, typer.Argument(help="The id of a game; without: the last one that was left.")] = None,
    plain: PlainOption = False,
    ledger: HomeLedger = None,
) -> None:
    """Goes on with a game that was left, also by a crash: every move was stored when it was made.

    Exit status: 0 played or left, 2 there is no such game, or it is over.
    """
    address = home_ledger(ledger)
    found = _last_left(address) if game is None else None
    with opened(address, write=True) as fairdeal:
        chosen = game_id(game, fairdeal) if game is not None else found
        assert chosen is not None
        look = fairdeal.look(chosen)
        if not look.active or look.view is None:
            raise CannotDo(f"Game {chosen} is {look.phase.value}: there is nothing to go on with.")
        go_on(fairdeal, chosen, address, plain=plain)


def _last_left(address: str) -> UUID:
    with asked(address) as read:
        for one in read.games(phase="running", limit=500).items:
            if any(not player.startswith(BOT) for player in one.players):
                return one.id
    raise CannotDo("No game was left: fairdeal play red7 begins one.")

"""`fairdeal resume`: goes on with a game that was left."""

from typing import Annotated
from uuid import UUID

import typer

from fairdeal.domain.kernel.lobby import BOT
from fairdeal.infrastructure.cli.commands.play import TokenOption, go_on
from fairdeal.infrastructure.cli.options import LedgerOption, PlainOption, game_id, opened
from fairdeal.infrastructure.cli.output import CannotDo
from fairdeal.infrastructure.cli.read_models import asked
from fairdeal.infrastructure.cli.remote import resume_there
from fairdeal.infrastructure.cli.sealing import open_seals


def resume(
    ledger: LedgerOption,
    game: Annotated[str | None, typer.Argument(help="The id of a game; without: the last one that was left.")] = None,
    server: Annotated[str | None, typer.Option(help="With a game that was left there: http://…")] = None,
    token: TokenOption = None,
    plain: PlainOption = False,
) -> None:
    """Goes on with a game that was left, also by a crash: every move was stored when it was made.

    Exit status: 0 played or left, 2 there is no such game, or it is over.
    """
    if server is not None:
        resume_there(server, token, game, plain=plain)
        return
    if token is not None:
        raise CannotDo("--token is for a --server.")
    found = _last_left(ledger) if game is None else None
    with opened(ledger, write=True) as fairdeal:
        chosen = game_id(game, fairdeal) if game is not None else found
        assert chosen is not None
        open_seals(fairdeal, chosen)
        look = fairdeal.look(chosen)
        if not look.active or look.view is None:
            raise CannotDo(f"Game {chosen} is {look.phase.value}: there is nothing to go on with.")
        go_on(fairdeal, chosen, ledger, plain=plain)


def _last_left(address: str) -> UUID:
    with asked(address) as read:
        left = [*read.games(phase="running", limit=500).items, *read.games(phase="sealed", limit=500).items]
    for one in sorted(left, key=lambda game: game.last_at, reverse=True):
        if any(not player.startswith(BOT) for player in one.players):
            return one.id
    raise CannotDo("No game was left: fairdeal play red7 begins one.")

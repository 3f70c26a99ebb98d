"""`fairdeal watch`: follows a game while others play it."""

import time
from typing import Annotated

import typer

from fairdeal.infrastructure.cli.keys import is_terminal
from fairdeal.infrastructure.cli.options import LedgerOption, PlainOption, ViewerOption, game_id, opened
from fairdeal.infrastructure.cli.output import printable, say
from fairdeal.infrastructure.cli.playing import PlaySession, as_called, ending
from fairdeal.infrastructure.cli.screens import a_screen

PAUSE = 0.1


def watch(
    game: Annotated[str, typer.Argument(help="The id of a game.")],
    ledger: LedgerOption,
    viewer: ViewerOption = None,
    plain: PlainOption = False,
) -> None:
    """Follows a game until it is over: the table and what happens, as a spectator or a player may see it.

    Exit status: 0 the game is over, 2 it cannot be followed, 130 interrupted.
    """
    is_plain = plain or not is_terminal()
    with opened(ledger) as fairdeal, a_screen(plain=is_plain) as screen:
        found, version = game_id(game, fairdeal), 0
        session = PlaySession(fairdeal, found, screen)
        while True:
            look = fairdeal.look(found, viewer)
            if look.version > version:
                if is_plain:
                    for line in as_called(fairdeal.story(found, viewer)[version:], look.players):
                        say(printable(line))
                else:
                    session.seen[viewer or ""] = version
                    screen.show(session.shown(viewer))
                version = look.version
            if look.outcome is not None:
                screen.tell(ending(session.shown(viewer)))
                return
            time.sleep(PAUSE)

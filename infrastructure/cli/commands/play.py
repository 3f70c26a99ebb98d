"""`fairdeal play`: a game against bots, or of several people at one keyboard."""

import getpass
import os
import shlex
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import typer

from fairdeal.domain.kernel.game import must_be_named
from fairdeal.domain.kernel.lifecycle import HOUSE_RULES
from fairdeal.domain.kernel.lobby import BOT
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.domain.tcg.decks import DeckList
from fairdeal.infrastructure.cli.home import home_ledger
from fairdeal.infrastructure.cli.keys import is_terminal
from fairdeal.infrastructure.cli.kinds import options_of, rules_of
from fairdeal.infrastructure.cli.options import (
    LEDGER_VARIABLE,
    LedgerOption,
    PlainOption,
    opened,
    without_password,
)
from fairdeal.infrastructure.cli.output import CannotDo
from fairdeal.infrastructure.cli.playing import BEST, PlaySession, bots_of, ending
from fairdeal.infrastructure.cli.remote import play_there
from fairdeal.infrastructure.cli.screens import a_screen
from fairdeal.infrastructure.cli.sealing import start_sealed
from fairdeal.infrastructure.games.tcg_files import DeckFolder
from fairdeal.service import Fairdeal

TokenOption = Annotated[
    str | None, typer.Option(help="@FILE with your token for the server; made if it is not there.", metavar="@FILE")
]


def play(
    kind: Annotated[str, typer.Argument(help="Which game, such as red7; fairdeal rules lists them.")],
    ledger: LedgerOption,
    against: Annotated[str | None, typer.Option(help="Bots, such as careful,careful; without: the fewest.")] = None,
    player: Annotated[str | None, typer.Option("--as", help="Your name; with --hotseat several: ann,bob.")] = None,
    preset: Annotated[str | None, typer.Option(help="Named options of the game.")] = None,
    options: Annotated[str | None, typer.Option(help='Options as JSON, such as {"rounds": true}.')] = None,
    deck: Annotated[
        Path | None, typer.Option(help="A deck of your own, saved by fairdeal decks (trading card game).")
    ] = None,
    hotseat: Annotated[
        bool, typer.Option("--hotseat", help="Several people at one keyboard; the screen is covered between them.")
    ] = False,
    seal: Annotated[
        bool, typer.Option("--seal/--no-seal", help="Whether you put sealed entropy of your own into the shuffle.")
    ] = True,
    server: Annotated[
        str | None, typer.Option(help="Play there, against its bots: http://…; your name is --as.")
    ] = None,
    token: TokenOption = None,
    plain: PlainOption = False,
) -> None:
    """Plays a game: against bots, or with --hotseat against people at the same keyboard. It is stored move by move.

    Type the number of a move or some of its words, `play kh n`; `hint` asks a bot, `quit` leaves, and
    `fairdeal resume` goes on. The house commits to a seed before you sit down, and you seal entropy of your own: both
    shuffle, so nobody chose your cards.

    Exit status: 0 played or left, 2 it could not be played.
    """
    rules = rules_of(kind)
    people = _people(player, hotseat=hotseat)
    others = bots_of(rules, _bots(rules, against, len(people)))
    seated = [*people, *others]
    if len(seated) not in rules.seats:
        raise CannotDo(f"{rules.title} is for {rules.how_many} players, not {len(seated)}.")
    chosen = options_of(rules, preset, options)
    brings = {} if deck is None else {people[0]: _deck(rules, chosen, deck)}
    if server is not None:
        if hotseat:
            raise CannotDo("On a server everybody has a keyboard of their own: --server without --hotseat.")
        named = [bot.split(":")[1] for bot in others]
        play_there(server, token, people[0], rules, named, chosen, brings.get(people[0]), seal=seal, plain=plain)
        return
    if token is not None:
        raise CannotDo("--token is for a --server.")
    for name in people:  # before the table is opened: it would stay in the ledger
        must_be_named(name, HOUSE_RULES)
    with opened(ledger, create=True) as fairdeal:
        if seal:
            game = start_sealed(fairdeal, kind, people, others, chosen, brings)
        else:
            game = fairdeal.start_game(kind, seated, chosen, opener=people[0], brings=brings).game_id
        go_on(fairdeal, game, ledger, plain=plain)


def go_on(fairdeal: Fairdeal, game: UUID, address: str, *, plain: bool) -> None:
    """Plays a stored game at this keyboard, and says in the end what can be done with it."""
    usual = os.environ.get(LEDGER_VARIABLE) or home_ledger()
    more = "" if address == usual else f" --ledger {shlex.quote(without_password(address))}"
    short = str(game)[:8]
    with a_screen(plain=plain or not is_terminal()) as screen:
        session = PlaySession(fairdeal, game, screen)
        try:
            over = session.play()
        except KeyboardInterrupt:
            screen.tell(f"\nThe game is stored. Go on with: fairdeal resume {short}{more}")
            raise
        if over:
            screen.tell(ending(session.shown(None)))
            screen.tell(f"See it again: fairdeal replay {short}{more}   Check it: fairdeal audit {short}{more}")
        else:
            screen.tell(f"The game is stored. Go on with: fairdeal resume {short}{more}")


def _people(names: str | None, *, hotseat: bool) -> list[str]:
    given = [name.strip() for name in (names or "").split(",") if name.strip()]
    if any(name.startswith(BOT) for name in given):
        raise CannotDo(f"Names that begin with {BOT} are for bots.")
    if hotseat:
        people = given or ["player 1", "player 2"]
        if len(people) < 2:
            raise CannotDo("--hotseat is for two people or more: --as ann,bob.")
        if len(set(people)) < len(people):
            raise CannotDo("Everybody at a table has a name of their own: --as ann,bob.")
        return people
    if len(given) > 1:
        raise CannotDo("Several people at one keyboard need --hotseat.")
    return given or [_own_name()]


def _own_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "you"


def _bots(rules: AnyRules, against: str | None, people: int) -> list[str]:
    if against is None:
        usual = next((name for name in reversed(BEST) if name in rules.bots), list(rules.bots)[-1])
        return [usual] * max(0, rules.seats[0] - people)
    names = [name.strip() for name in against.split(",") if name.strip()]
    for name in names:
        if name not in rules.bots:
            raise CannotDo(f"{rules.title} has no bot {name!r}; there are {', '.join(rules.bots)}.")
    return names


def _deck(rules: AnyRules, options: Any, file: Path) -> DeckList:
    if rules.setup.brings is not DeckList:
        raise CannotDo(f"Nobody brings a deck to {rules.title}.")
    return DeckFolder(file.parent).load(file.stem, options)

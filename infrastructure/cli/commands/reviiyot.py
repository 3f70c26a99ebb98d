"""`fairdeal reviiyot CONFIG`: plays a configured game and prints what its hand-out asks for."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, BinaryIO
from uuid import UUID

import typer

from fairdeal.application.errors import StillRunning
from fairdeal.domain.reviiyot.game import REVIIYOT
from fairdeal.infrastructure.cli.options import LEDGER_VARIABLE, game_id, opened
from fairdeal.infrastructure.cli.output import CannotDo
from fairdeal.infrastructure.games.reviiyot.config import BadConfig, Config, read
from fairdeal.infrastructure.games.reviiyot.run import play, play_stored
from fairdeal.infrastructure.games.reviiyot.trace import Trace
from fairdeal.service import Fairdeal

FINISHED = 0
INVALID = 2
ENDLESS = 3
LARGEST_CONFIG = 8 * 2**20
"""In bytes; the largest deck of which a table can be dealt takes less than half of it."""


def run(config_path: str | Path, out: BinaryIO, err: BinaryIO, *, stored_in: Fairdeal | None = None) -> int:
    """Prints the game; the exit status says how it went. Streams of bytes, so that every system writes the same."""
    path = Path(config_path)
    try:
        config = read(_bytes_of(path))
    except OSError as error:
        _print_error(str(path), error.strerror or "the file cannot be read", err)
        return INVALID
    except BadConfig as error:
        _print_error(str(path), error.message, err)
        return INVALID
    events = play(config) if stored_in is None else _stored(config, path, stored_in, err)
    return _print(events, Trace(verbal=config.verbal, names=config.names), str(path), out, err)


def _bytes_of(path: Path) -> bytes:
    """A configuration names a few thousand cards: what is much longer is something else, perhaps without an end."""
    with path.open("rb") as file:
        found = file.read(LARGEST_CONFIG + 1)
    if len(found) > LARGEST_CONFIG:
        raise BadConfig(1, f"the file is larger than {LARGEST_CONFIG // 2**20} MiB: that is not a configuration")
    return found


def run_again(fairdeal: Fairdeal, game_id: UUID, out: BinaryIO, err: BinaryIO, *, verbal: bool) -> int:
    """Prints a stored game from its log."""
    events = fairdeal.codec.events(fairdeal.ledger.records(game_id))
    return _print(events, Trace(verbal=verbal), f"game {game_id}", out, err)


def _stored(config: Config, path: Path, fairdeal: Fairdeal, err: BinaryIO) -> Iterable[Any]:
    game_id = play_stored(config, fairdeal.handle)
    _print_error(str(path), f"stored as game {game_id}", err)
    return fairdeal.codec.events(fairdeal.ledger.records(game_id))


def _print(events: Iterable[Any], trace: Trace, what: str, out: BinaryIO, err: BinaryIO) -> int:
    for event in events:
        out.write(trace.follow(event).encode())
    out.flush()
    outcome = trace.game.outcome
    if outcome is None:
        _print_error(what, "the game is still running", err)
        return INVALID
    if outcome.winners:
        return FINISHED
    _print_error(what, f"the game never ends: after turn {trace.game.state.turns} no card moves any more", err)
    return ENDLESS


def _print_error(name: str, fault: str, err: BinaryIO) -> None:
    shown = name if name.isprintable() else repr(name)
    err.write(f"{shown}: {fault}\n".encode(errors="backslashreplace"))
    err.flush()


def reviiyot(
    config: Annotated[Path | None, typer.Argument(help="A configuration file.", show_default=False)] = None,
    # Not from the environment: what is printed must not depend on it.
    ledger: Annotated[
        str | None, typer.Option(help="Where it is stored; with --game without: FAIRDEAL_LEDGER, or your own.")
    ] = None,
    game: Annotated[str | None, typer.Option(help="Print a stored game again, from its log.")] = None,
    verbal: Annotated[bool, typer.Option("--verbal", help="With --game: every turn, not only the end.")] = False,
) -> None:
    """Plays a configured game of Reviiyot and prints it; with --ledger the game is stored as well.

    Exit status: 0 the game ended, 2 the file or the arguments are bad, 3 the game never ends.
    """
    out, err = sys.stdout.buffer, sys.stderr.buffer
    if (config is None) == (game is None):
        raise CannotDo("Give a configuration file, or --game with the id of a stored game.")
    if game is not None:
        with opened(ledger or os.environ.get(LEDGER_VARIABLE)) as fairdeal:
            found = game_id(game, fairdeal)
            look = fairdeal.look(found)
            if look.kind != REVIIYOT.kind:
                raise CannotDo(f"Game {found} is a game of {look.kind}.")
            if look.outcome is None:
                raise StillRunning(f"Game {found} is still running: its hands can be printed when it is over.")
            status = run_again(fairdeal, found, out, err, verbal=verbal)
    elif ledger is None or config is None:
        status = run(config or "", out, err)
    else:
        with opened(ledger, create=True) as fairdeal:
            status = run(config, out, err, stored_in=fairdeal)
    raise typer.Exit(status)

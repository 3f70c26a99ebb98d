"""`fairdeal reviiyot CONFIG`: plays a configured game and prints what its hand-out asks for."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO
from uuid import UUID

from fairdeal.application.reviiyot import play, play_stored
from fairdeal.domain.reviiyot.config import BadConfig, Config, read
from fairdeal.domain.reviiyot.trace import Trace
from fairdeal.infrastructure.bootstrap import Fairdeal

FINISHED = 0
INVALID = 2
ENDLESS = 3


def run(config_path: str | Path, out: BinaryIO, err: BinaryIO, *, stored_in: Fairdeal | None = None) -> int:
    """Prints the game; the exit status says how it went. Streams of bytes, so that every system writes the same."""
    path = Path(config_path)
    try:
        config = read(path.read_bytes())
    except OSError as error:
        _complain(str(path), error.strerror or "the file cannot be read", err)
        return INVALID
    except BadConfig as error:
        _complain(str(path), error.message, err)
        return INVALID
    events = play(config) if stored_in is None else _stored(config, path, stored_in, err)
    return _print(events, Trace(verbal=config.verbal, names=config.names), str(path), out, err)


def run_again(fairdeal: Fairdeal, game_id: UUID, out: BinaryIO, err: BinaryIO, *, verbal: bool) -> int:
    """Prints a stored game from its log."""
    events = fairdeal.codec.events(fairdeal.ledger.records(game_id))
    return _print(events, Trace(verbal=verbal), f"game {game_id}", out, err)


def _stored(config: Config, path: Path, fairdeal: Fairdeal, err: BinaryIO) -> Iterable[Any]:
    game_id = play_stored(config, fairdeal.handle)
    _complain(str(path), f"stored as game {game_id}", err)
    return fairdeal.codec.events(fairdeal.ledger.records(game_id))


def _print(events: Iterable[Any], trace: Trace, what: str, out: BinaryIO, err: BinaryIO) -> int:
    for event in events:
        out.write(trace.follow(event).encode())
    out.flush()
    outcome = trace.game.outcome
    if outcome is None:
        _complain(what, "the game is still running", err)
        return INVALID
    if outcome.winners:
        return FINISHED
    _complain(what, f"the game never ends: after turn {trace.game.state.turns} no card moves any more", err)
    return ENDLESS


def _complain(name: str, fault: str, err: BinaryIO) -> None:
    shown = name if name.isprintable() else repr(name)
    err.write(f"{shown}: {fault}\n".encode(errors="backslashreplace"))
    err.flush()

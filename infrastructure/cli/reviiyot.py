"""`fairdeal reviiyot CONFIG`: plays a configured game and prints what its hand-out asks for."""

from pathlib import Path
from typing import BinaryIO

from fairdeal.application.reviiyot import play
from fairdeal.domain.reviiyot.config import BadConfig, Config, read
from fairdeal.domain.reviiyot.trace import Trace

FINISHED = 0
INVALID = 2
ENDLESS = 3


def run(config_path: str | Path, out: BinaryIO, err: BinaryIO) -> int:
    """Prints the game; the exit status says how it went. Streams of bytes, so that every system writes the same."""
    path = Path(config_path)
    try:
        config = read(path.read_bytes())
    except OSError as error:
        _complain(path, error.strerror or "the file cannot be read", err)
        return INVALID
    except BadConfig as error:
        _complain(path, error.message, err)
        return INVALID
    return _print(config, path, out, err)


def _print(config: Config, path: Path, out: BinaryIO, err: BinaryIO) -> int:
    trace = Trace(verbal=config.verbal, names=config.names)
    for event in play(config):
        out.write(trace.follow(event).encode())
    out.flush()
    outcome = trace.game.outcome
    assert outcome is not None
    if outcome.winners:
        return FINISHED
    _complain(path, f"the game never ends: after turn {trace.game.state.turns} no card moves any more", err)
    return ENDLESS


def _complain(path: Path, fault: str, err: BinaryIO) -> None:
    name = str(path) if str(path).isprintable() else repr(str(path))
    err.write(f"{name}: {fault}\n".encode(errors="backslashreplace"))

"""Where the command `fairdeal` begins: an interrupt is status 130 from the first moment on."""

import gc
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn, cast

if TYPE_CHECKING:
    from io import TextIOWrapper

INTERRUPTED = 130
FAILED = 2
EXTRA_OF = {"typer": "cli", "rich": "cli", "cryptography": "checkpoints", "matplotlib": "plots"}
"""What a library is missing for, if it is."""


def main() -> None:
    _open_what_is_closed()
    _write_what_the_terminal_can_show()
    try:
        # Imports take half a second: nothing is to be cleaned up yet, and not every library lets an interrupt through.
        _on_interrupt(_leave_at_once)
        from fairdeal.infrastructure.cli.app import main as run

        _on_interrupt(_interrupt)
        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except ModuleNotFoundError as error:
        extra = EXTRA_OF.get(str(error.name).partition(".")[0])
        if extra is None:
            raise
        sys.exit(_missing(extra))
    finally:
        _on_interrupt(_leave_at_once)
        gc.freeze()  # or Python looks through all that is loaded once more on its way out: a seventh of the time


def _open_what_is_closed() -> None:
    """Who starts a program may close its input or its outputs (`>&-`): then Python has none, and the next file that is
    opened gets their numbers.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):  # in the order of their numbers
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))


def _write_what_the_terminal_can_show() -> None:
    """A question mark for a sign that its encoding lacks, such as hearts in Latin-1. Exports are written as bytes."""
    if hasattr(sys.stdout, "reconfigure"):  # what stands in for it in a test may not have it
        cast("TextIOWrapper[Any]", sys.stdout).reconfigure(errors="replace")


def _missing(extra: str) -> int:
    sys.stderr.write(f"This needs the extra `{extra}` of Fairdeal: pip install 'fairdeal[{extra}]'.\n")
    return FAILED


def _on_interrupt(act: Callable[[int, FrameType | None], NoReturn]) -> None:
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # as shells want it of what runs in the background
        signal.signal(signal.SIGINT, act)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    sys.unraisablehook = _go_on_interrupting  # what was only half made cannot be closed, which helps nobody to know
    signal.default_int_handler(number, frame)


def _go_on_interrupting(dropped: "sys.UnraisableHookArgs") -> None:
    """Python drops what is raised while something is thrown away, and goes on: an interrupt comes again after that."""
    if issubclass(dropped.exc_type, KeyboardInterrupt) and hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, lambda _, __: signal.raise_signal(signal.SIGINT))
        signal.setitimer(signal.ITIMER_REAL, 0.001)


def _leave_at_once(_: int, __: FrameType | None) -> NoReturn:
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()

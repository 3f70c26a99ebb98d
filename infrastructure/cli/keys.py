"""Keys from a terminal, one at a time; arrows have names."""

import os
import select
import sys
from collections.abc import Generator
from contextlib import contextmanager
from importlib.util import find_spec

KEY_NAMES = {
    b"\x1b[A": "up", b"\x1b[B": "down", b"\x1b[C": "right", b"\x1b[D": "left",
    b"\x1bOA": "up", b"\x1bOB": "down", b"\x1bOC": "right", b"\x1bOD": "left",
    b"\x1b[H": "home", b"\x1b[F": "end", b"\x1bOH": "home", b"\x1bOF": "end",
    b"\x1b[1~": "home", b"\x1b[4~": "end", b"\x1b[5~": "page up", b"\x1b[6~": "page down",
    b"\r": "enter", b"\n": "enter", b"\x7f": "backspace", b"\x08": "backspace", b"\t": "tab", b"\x1b": "escape",
    b"\x04": "eof",
}  # fmt: skip
RESIZE = 0.5
"""Seconds after which whoever draws may look whether the window has another size."""


def is_terminal() -> bool:
    """Whether somebody sits there: keys can be read one at a time and the screen can be drawn."""
    is_one = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    return is_one and _has_modes() and _has_signs()


def _has_signs() -> bool:
    """Whether it can show suits, lines and arrows; without them a card is told by its letters."""
    try:
        "♥─→".encode(sys.stdout.encoding)
    except UnicodeError:
        return False
    return True


def _has_modes() -> bool:
    return find_spec("termios") is not None  # not on every system


class Keys:
    """What is typed, key by key."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._left = b""

    def next(self) -> str | None:
        """The next key; None if nothing was typed for a moment, so that one can look at the window."""
        if not self._left:
            if not select.select([self._descriptor], [], [], RESIZE)[0]:
                return "" if self._came_back() else None
            self._left = os.read(self._descriptor, 1024)
            if not self._left:
                return "eof"
        if self._left[:2] in (b"\x1b[", b"\x1bO"):
            # A sequence ends with a letter or a tilde; what none of our keys sends is passed over.
            ends = (at for at, sign in enumerate(self._left[2:], 3) if sign == ord("~") or chr(sign).isalpha())
            length = next(ends, len(self._left))
            return self._take(length, KEY_NAMES.get(self._left[:length], ""))
        if self._left[:1] in KEY_NAMES:
            return self._take(1, KEY_NAMES[self._left[:1]])
        for length in range(1, 5):
            try:
                sign = self._left[:length].decode()
            except UnicodeDecodeError:
                continue
            return self._take(length, sign if sign.isprintable() else "")
        return self._take(1, "")

    def _came_back(self) -> bool:
        """Whether we were stopped by Ctrl-Z meanwhile: then the shell has made it a terminal of whole lines again."""
        import termios
        import tty

        if not termios.tcgetattr(self._descriptor)[3] & termios.ICANON:
            return False
        tty.setcbreak(self._descriptor)
        return True

    def _take(self, length: int, name: str) -> str:
        self._left = self._left[length:]
        return name


@contextmanager
def reading_keys() -> Generator[Keys]:
    """Until the end of this, keys come at once and are not shown; the terminal is left as it was."""
    import termios
    import tty

    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        yield Keys(descriptor)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)

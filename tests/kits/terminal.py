"""A terminal in tests: a command on a pseudo-terminal, with keys that are typed and a screen that is read."""

import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from fcntl import ioctl
from pathlib import Path
from termios import TIOCSWINSZ
from typing import Self

SOURCE = str(Path(__file__).parents[2] / "src")
PATIENCE = 30
COLOURS = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
LEFT_WINDOW = "\x1b[?1049l"
"""How a program leaves a screen of its own."""
UP, DOWN, RIGHT, LEFT, HOME, END = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F"


class Terminal:
    """`fairdeal` as somebody runs it who sits at a terminal."""

    def __init__(self, *arguments: str, environment: Mapping[str, str] | None = None, rows: int = 40) -> None:
        master, slave = pty.openpty()
        self._master = master
        ioctl(slave, TIOCSWINSZ, struct.pack("HHHH", rows, 100, 0, 0))
        more = {"PYTHONPATH": SOURCE, "TERM": "xterm-256color", **(environment or {})}
        self._child = subprocess.Popen(
            [sys.executable, "-m", "fairdeal", *arguments],
            stdin=slave, stdout=slave, stderr=slave, env={**os.environ, **more}, start_new_session=True,
        )  # fmt: skip
        os.close(slave)
        self.shown = ""
        """Everything that was written, without colours."""
        self.raw = ""
        """The same with all that moves the cursor."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._child.poll() is None:
            self._child.kill()
        self._child.wait()
        os.close(self._master)

    def type(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def resize(self, rows: int) -> None:
        ioctl(self._master, TIOCSWINSZ, struct.pack("HHHH", rows, 100, 0, 0))

    def read_whole_lines(self) -> None:
        """As the shell leaves it when somebody stops a program with Ctrl-Z and goes on with `fg`."""
        modes = termios.tcgetattr(self._master)
        modes[3] |= termios.ICANON | termios.ECHO
        termios.tcsetattr(self._master, termios.TCSANOW, modes)

    def interrupt(self) -> None:
        self._child.send_signal(signal.SIGINT)

    def kill(self) -> None:
        self._child.kill()
        self._child.wait()

    def wait_for(self, *texts: str, after: int = 0) -> str:
        """Until one of these has been written; which one. What was written before `after` does not count."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            found = next((text for text in texts if text in self.shown[after:]), None)
            if found is not None:
                return found
            if not self._read():
                break
        raise AssertionError(f"none of {texts} was shown, but:\n{self.shown[-4000:]}")

    def status(self) -> int:
        """How it ended; what it wrote until then is in `shown`."""
        while self._read():
            pass
        return self._child.wait(PATIENCE)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._master], [], [], PATIENCE)
        if not ready:
            return False
        try:
            found = os.read(self._master, 65536)
        except OSError:  # as Linux says that nobody is there any more
            return False
        text = found.decode(errors="replace")
        self.raw += text
        self.shown += COLOURS.sub("", text)
        return bool(found)

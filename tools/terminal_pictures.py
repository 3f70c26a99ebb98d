"""Pictures of the terminal: real commands on a pseudo-terminal, their last screen written as SVG."""

import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from kits.terminal import LEFT_WINDOW, Terminal

WIDTH = 100
CLEARED = "\x1b[2J\x1b[H"
"""What stands after the last of these is on the screen."""
FONT_FROM_ELSEWHERE = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


def main(folder: str) -> int:
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for name, title, record in PICTURES:
        with tempfile.TemporaryDirectory() as home:
            _write(target / f"terminal-{name}.svg", title, record({"XDG_DATA_HOME": home}))
    return 0


def _play(environment: dict[str, str]) -> str:
    """In the middle of a game, with a hint."""
    with Terminal("play", "red7", "--as", "Ann", environment=environment, rows=34) as terminal:
        for _ in range(2):
            _after(terminal, "Type words or a number", "1\r")
        _after(terminal, "Type words or a number", "hint\r")
        terminal.wait_for("Hint: ", "See it again")
        shown = terminal.raw.partition(LEFT_WINDOW)[0].rpartition(CLEARED)[2]
        terminal.type("quit\r")
        terminal.status()
    return shown


def _after(terminal: Terminal, text: str, keys: str) -> None:
    seen = len(terminal.shown)
    terminal.wait_for(text, "See it again")
    terminal.type(keys)
    terminal.wait_for(text, "See it again", after=max(seen, terminal.shown.rfind(text)))


def _simulate(environment: dict[str, str]) -> str:
    arguments = ("simulate", "kings_corners", "--bots", "careful,random,greedy", "--games", "300")
    with Terminal(*arguments, environment=environment) as terminal:
        terminal.status()
    # The progress bar took itself away again.
    return re.sub(r"^.*?(?=Kings Corners: )", "", terminal.raw, count=1, flags=re.DOTALL)


Record = Callable[[dict[str, str]], str]
PICTURES: tuple[tuple[str, str, Record], ...] = (
    ("play", "fairdeal play red7", _play),
    ("simulate", "fairdeal simulate kings_corners --bots careful,random,greedy --games 300", _simulate),
)


def _write(file: Path, title: str, shown: str) -> None:
    with Path("/dev/null").open("w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=WIDTH, file=nowhere, force_terminal=True, highlight=False)
        console.print(Text.from_ansi(shown.replace("\r\n", "\n").strip("\n")))
        drawn = console.export_svg(title=title, theme=MONOKAI, unique_id=file.stem)
    # A page of ours loads nothing from elsewhere: any font whose letters are equally wide will do.
    drawn = FONT_FROM_ELSEWHERE.sub("", drawn).replace("Fira Code", "monospace")
    file.write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""Pictures of the terminal: real commands on a pseudo-terminal, their last screen written as SVG."""

import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from fairdeal import Fairdeal
from kits.terminal import DOWN, LEFT_WINDOW, Terminal

NARROWEST = 60
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
        seen = len(terminal.shown)
        _after(terminal, "Type words or a number", "hint\r")
        terminal.wait_for("Hint: ", "See it again", after=seen)
        terminal.wait_for("> ", "See it again", after=terminal.shown.rfind("Hint: "))
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


def _replay(environment: dict[str, str]) -> str:
    """Some way into a game of Kings Corners that bots have played."""
    ledger = f"sqlite:///{environment['XDG_DATA_HOME']}/games.db"
    bots = ("--bots", "careful,careful,greedy", "--games", "1")
    with Terminal(
        "simulate", "kings_corners", *bots, "--save", "--ledger", ledger, environment=environment
    ) as terminal:
        terminal.status()
    with Fairdeal(ledger, read_only=True) as fairdeal:
        (game,) = fairdeal.ledger.game_ids(None, 1)
    with Terminal("replay", str(game), "--ledger", ledger, environment=environment, rows=24) as terminal:
        for version in (0, 10, 20, 30):
            terminal.wait_for(f"  {version} of ")
            terminal.type(DOWN if version < 30 else "")
        terminal.wait_for("> ", after=terminal.shown.rfind("  30 of "))
        shown = terminal.raw.partition(LEFT_WINDOW)[0].rpartition(CLEARED)[2]
        terminal.type("q")
        terminal.status()
    return shown


Record = Callable[[dict[str, str]], str]
PICTURES: tuple[tuple[str, str, Record], ...] = (
    ("play", "fairdeal play red7", _play),
    ("replay", "fairdeal replay 3b1", _replay),
    ("simulate", "fairdeal simulate kings_corners --bots careful,random,greedy --games 300", _simulate),
)


def _write(file: Path, title: str, shown: str) -> None:
    text = Text.from_ansi(shown.replace("\r\n", "\n").strip("\n"))
    width = max(NARROWEST, *(cell_len(line.plain.rstrip()) for line in text.split()))
    with Path("/dev/null").open("w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=width, file=nowhere, force_terminal=True, highlight=False)
        console.print(text)
        drawn = console.export_svg(title=title, theme=MONOKAI, unique_id=file.stem)
    # A page of ours loads nothing from elsewhere: any font whose letters are equally wide will do.
    drawn = FONT_FROM_ELSEWHERE.sub("", drawn).replace("Fira Code", "monospace")
    file.write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

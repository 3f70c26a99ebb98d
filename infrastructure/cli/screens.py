"""Where a game is shown: the whole window of a terminal, or lines of text for screen readers and pipes."""

import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from fairdeal.infrastructure.cli.drawing import coloured
from fairdeal.infrastructure.cli.keys import Keys, reading_keys
from fairdeal.infrastructure.cli.moves import Choice, matching
from fairdeal.infrastructure.cli.output import say
from fairdeal.infrastructure.cli.playing import WORDS, Screen, Shown

if TYPE_CHECKING:
    from rich.console import Console

NEWS = 8
"""Lines of the story that are shown at once."""
FEWEST = 3
"""Moves that are listed however small the window is."""
AROUND = 9
"""Lines that the frame of the table, the hint, the words and what is typed take."""
LISTED = 30
"""Moves that are listed at once where nothing can be drawn."""


class PlainScreen:
    """Lines of text, for screen readers, pipes and terminals that can do nothing else."""

    def cover(self, player: str) -> None:
        if sys.stdout.isatty():
            say("\n" * 80)
        self._read(f"It is {player}'s turn. Press Enter when nobody else looks. ")

    def choose(self, shown: Shown) -> str:
        if shown.note:
            say(shown.note)
        else:
            self.show(shown)
            for choice in shown.choices[:LISTED]:
                say(f"{choice.number:>3}  {choice.words}")
            if len(shown.choices) > LISTED:
                say(f"     … and {len(shown.choices) - LISTED} more: type words of the move.")
            say(f"Type a number, words of a move, or: {WORDS}.")
        return self._read(f"{shown.player}> ")

    def show(self, shown: Shown) -> None:
        say("")
        say("\n".join(shown.news))
        say("")
        say(shown.table)
        say("")
        if shown.note:
            say(shown.note)

    def tell(self, text: str) -> None:
        say(text)

    def read(self, text: str) -> None:
        say(text)

    def _read(self, prompt: str) -> str:
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            say("")
            return "quit"
        return line.strip()


class KeyScreen:
    """The whole window: the table in colour, and moves that narrow while one types.

    It is a screen of its own, so that nobody finds another player's cards by scrolling back.
    """

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._console = _new_console()
        self._told = list[str]()
        self._last: Shown | None = None
        """What everybody may see when the window is left."""

    @contextmanager
    def window(self) -> Generator[None]:
        """Until the end of this; then the terminal is as it was, and what was told stands there."""
        self._console.set_alt_screen(True)
        try:
            yield
        finally:
            # Whoever was interrupted while they drew has left a console that keeps to itself what it is told.
            self._console = _new_console()
            self._console.set_alt_screen(False)
            if self._last is not None:
                self._draw_table(self._last)
            for text in self._told:
                self._console.print(text)

    def cover(self, player: str) -> None:
        self._last = None
        self._console.clear()
        self._console.print(f"\n\n   It is {player}'s turn.\n\n   Press Enter when nobody else looks.")
        while self._keys.next() not in ("enter", "eof"):
            pass

    def choose(self, shown: Shown) -> str:
        self._last = None
        typed, at = shown.begun, -1
        while True:
            fitting = matching(shown.choices, typed)
            at = min(at, len(fitting) - 1)
            self._draw(shown, fitting, typed, at)
            size = self._console.size
            while (key := self._keys.next()) is None and size == self._console.size:
                pass
            match key:
                case None | "":
                    continue
                case "enter" if at >= 0:
                    return str(fitting[at].number)
                case "enter":
                    return typed
                case "eof":
                    return "quit"
                case "up":
                    at = max(at - 1, -1)
                case "down":
                    at += 1
                case "backspace":
                    typed, at = typed[:-1], -1
                case "escape":
                    typed, at = "", -1
                case "tab":
                    typed = fitting[0].words if len(fitting) == 1 else typed
                case _ if len(key) == 1:
                    typed, at = typed + key, -1
                case _:
                    pass

    def show(self, shown: Shown) -> None:
        self._last = shown
        self._console.clear()
        self._draw_table(shown)
        if shown.note:
            self._console.print(shown.note, style="dim")
        sys.stdout.flush()

    def tell(self, text: str) -> None:
        self._told.append(text)

    def read(self, text: str) -> None:
        """Page by page; keys that point back go back, q leaves, any other key goes on."""
        from rich.markdown import Markdown
        from rich.segment import Segment, Segments

        lines = self._console.render_lines(Markdown(text), pad=False)
        height = max(3, self._console.size.height - 2)
        start = 0
        while start < len(lines):
            page = [segment for line in lines[start : start + height] for segment in (*line, Segment.line())]
            self._console.clear()
            self._console.print(Segments(page), end="")
            where = f"{start // height + 1} of {-(-len(lines) // height)}"
            self._console.print(f"({where}; any key: more, b: back, q: leave)", style="dim", end="")
            while not (key := self._keys.next()):
                pass
            if key in ("q", "escape", "eof"):
                return
            back = key in ("b", "up", "left", "page up", "backspace")
            start = max(0, start - height) if back else start + height

    def _draw_table(self, shown: Shown) -> None:
        from rich.panel import Panel

        kind, who = shown.look.kind, f"{shown.rules.title} · {shown.player or 'the table'}"
        self._console.print(coloured(kind, "\n".join(shown.news[-self._news(shown) :])), style="dim")
        self._console.print(Panel(coloured(kind, shown.table), title=who, title_align="left", expand=False))

    def _news(self, shown: Shown) -> int:
        """How many lines of the story fit above the table and a few moves: the table matters more."""
        return min(len(shown.news), NEWS, max(1, self._console.size.height - shown.table.count("\n") - AROUND - FEWEST))

    def _draw(self, shown: Shown, fitting: Sequence[Choice], typed: str, at: int) -> None:
        from rich.text import Text

        console, kind = self._console, shown.look.kind
        console.clear()
        self._draw_table(shown)
        room = max(FEWEST, console.size.height - shown.table.count("\n") - self._news(shown) - AROUND)
        first = max(0, at - room + 1)
        for number, choice in enumerate(fitting[first : first + room], first):
            line = Text()
            line.append("▸ " if number == at else "  ", "bold green")
            line.append(f"{choice.number:>3}  ", "dim")
            line.append_text(coloured(kind, choice.words))
            console.print(line, no_wrap=True, overflow="ellipsis")
        if len(fitting) > room:
            console.print(Text(f"       … {len(fitting)} moves: type to narrow them", "dim"))
        elif not fitting and not _begins_ours(typed):
            console.print(Text("       No move fits this: Enter says why, Esc starts again.", "dim"))
        if shown.note:
            note = f"{shown.note} Esc starts again." if shown.begun else shown.note
            console.print(Text("", "bold yellow") + coloured(kind, note))
        console.print(Text(f"Type words or a number, ↑ ↓ and Enter; {WORDS}.", "dim"))
        console.print(Text("> ", "bold") + Text(typed), end="")
        sys.stdout.flush()


def _begins_ours(typed: str) -> bool:
    word = typed.strip().lower()
    return any(one.startswith(word) for one in WORDS.split(", "))


def _new_console() -> "Console":
    from rich.console import Console

    return Console(highlight=False, emoji=False, markup=False)


@contextmanager
def a_screen(*, plain: bool) -> Generator[Screen]:
    if plain:
        yield PlainScreen()
        return
    with reading_keys() as keys:
        screen = KeyScreen(keys)
        with screen.window():
            yield screen

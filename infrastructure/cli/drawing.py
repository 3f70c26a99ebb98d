"""The table in colour and shape: what the rules draw as text, with cards that show their suit."""

import re
from typing import TYPE_CHECKING

from fairdeal.infrastructure.cli.output import printable

if TYPE_CHECKING:
    from rich.text import Text

SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
FRENCH = re.compile(r"\b(10|[2-9]|[1-9][0-9]+|[AJQK])([CDHS])\b")
FRENCH_KINDS = ("kings_corners", "pardon", "reviiyot")
RED7 = re.compile(r"\b([ROYGBIV])[1-7]\b")
HUES = {
    "R": "white on red3",
    "O": "black on dark_orange",
    "Y": "black on yellow1",
    "G": "black on green3",
    "B": "white on dodger_blue3",
    "I": "white on navy_blue",
    "V": "white on purple",
}
"""The letter stays on the card: colour is never the only sign."""
WORDS_IN: dict[str, dict[str, str]] = {
    "red7": {
        r"\bred\b": "red1",
        r"\borange\b": "dark_orange",
        r"\byellow\b": "yellow1",
        r"\bgreen\b": "green3",
        r"\bblue\b": "dodger_blue1",
        r"\bindigo\b": "slate_blue1",
        r"\bviolet\b": "medium_orchid1",
    },
    "tcg": {r"\bhealth \d+": "bold red", r"\bmana \d+/\d+": "bold dodger_blue1", r"\bhits \d+": "dark_orange"},
}
"""Words of a game that stand out."""


def coloured(kind: str, text: str) -> "Text":
    """Text about a game; a card keeps the letters by which it is typed, or a suit that says the same."""
    from rich.text import Text

    lines = "\n".join(map(printable, text.split("\n")))
    drawn = Text()
    pattern = FRENCH if kind in FRENCH_KINDS else RED7 if kind == "red7" else None
    end = 0
    for found in () if pattern is None else pattern.finditer(lines):
        drawn.append(lines[end : found.start()])
        if kind == "red7":
            drawn.append(found[0], f"not dim {HUES[found[1]]}")
        else:
            drawn.append(f"{found[1]}{SUITS[found[2]]}", "bold red" if found[2] in "DH" else "bold")
        end = found.end()
    drawn.append(lines[end:])
    for words, style in WORDS_IN.get(kind, {}).items():
        drawn.highlight_regex(words, style)
    drawn.highlight_regex(r"→", "bold green")
    return drawn

"""The page: static files that a browser loads as they are, and the addresses that show it."""

from html import escape
from pathlib import Path

FOLDER = Path(__file__).parent
STATIC = "static"
"""Where the files stand, below the root of the page."""
PAGES = (
    "/",
    "/games/{game}",
    "/games/{game}/replay",
    "/games/{game}/audit",
    "/players/{player}",
    "/ratings/{kind}",
    "/rules/{kind}",
    "/decks",
)
"""The addresses at which a person finds a page; all of them load the same shell."""


def shell(root: str = "") -> str:
    """What every page loads first, for an application that is mounted below this path."""
    text = (FOLDER / "index.html").read_text(encoding="utf-8")
    return text.replace('<base href="/">', f'<base href="{escape(root.rstrip("/"))}/">')

"""Pictures of every page, light, dark and on a phone, written to a folder by a real browser on a real server."""

import random
import sys
import tempfile
from importlib import import_module
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from kits.browser import NONE, Person, browser_path, launched, serving

KINDS = ("kings_corners", "pardon", "red7", "reviiyot", "tcg")
MOVES = {"red7": 2}
"""How far a game goes before its picture is taken; a game of Red7 is soon over."""
CHOICES, VERSIONS = 6, 20
"""What a picture should show at least: so many moves to choose from, and so long a game."""
LOOKS: dict[str, dict[str, object]] = {
    "light": {"viewport": {"width": 1280, "height": 860}},
    "dark": {"viewport": {"width": 1280, "height": 860}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True},
}
README = {
    "page-table.png": "table-red7-light.png",
    "page-replay.png": "replay-dark.png",
    "page-phone.png": "table-kings_corners-phone.png",
}
"""Those that stand in the README and are kept, small; git ignores the others."""


def main(folder: str) -> int:
    path = browser_path()
    if path is None:
        sys.stderr.write(f"{NONE}\n")
        return 2
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as place,
        serving(f"sqlite:///{place}/games.db") as address,
        sync_playwright() as playwright,
    ):
        browser = launched(playwright, path)
        _take(browser, address, target)
        browser.close()
    image = import_module("PIL.Image")
    for name, taken in README.items():
        whole = image.open(target / taken).convert("RGB")
        colours = whole.quantize(256, method=image.Quantize.MAXCOVERAGE, kmeans=2)
        whole.quantize(palette=colours, dither=image.Dither.FLOYDSTEINBERG).save(target / name, optimize=True)
    return 0


def _take(browser: Browser, address: str, target: Path) -> None:
    rng = random.Random(11)
    ann = Person(browser, address, "Ann")
    pages: dict[str, str] = {"lobby": "/"}
    game = over = ""
    for kind in KINDS:
        for _ in range(10):
            game = ann.plays_bots(kind)
            for _ in range(MOVES.get(kind, 6)):
                if ann.can_move_or_is_done():
                    ann.moves(rng)
            if ann.can_move_or_is_done() and ann.of("legal-move").count() >= CHOICES:
                break
        pages[f"table-{kind}"] = f"/games/{game}"
    for _ in range(10):
        over = ann.plays_bots("red7")
        ann.plays_to_the_end(rng)
        if int(ann.says("version")) >= VERSIONS:
            break
    middle = int(ann.says("version")) * 2 // 3
    pages |= {"replay": f"/games/{over}/replay?version={middle}&as=open", "audit": f"/games/{over}/audit"}
    pages |= {"player": f"/players/{ann.player}", "ratings": "/ratings/red7", "rules": "/rules/red7", "decks": "/decks"}
    kept = ann.context.storage_state()
    for look, settings in LOOKS.items():
        somebody = Person(browser, address, None, storage_state=kept, **settings)
        for name, path in pages.items():
            somebody.page.goto(path)
            somebody.page.locator("main h1").first.wait_for()
            somebody.page.wait_for_timeout(500)
            somebody.page.screenshot(path=target / f"{name}-{look}.png")
        somebody.context.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

"""How quick the page is, in real browsers on a real server: `python -m benchmarks.page [--rounds N] [--json FILE]`."""

import argparse
import json
import sys
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any

from playwright.sync_api import Browser, Playwright, sync_playwright

from benchmarks.noise import measured
from fairdeal import Fairdeal, MakeMove, QuickStart
from fairdeal.domain.kernel.lobby import Phase
from kits.browser import NONE, Person, browser_path, launched, serving

MOVES = 60
STEPS = 300
STEP_SECONDS = 1 / 30

# Notes when the first legal move is there, every click on one, and every version that is shown; times since 1970.
WATCH = """
globalThis.seen = { clicks: [], versions: [], first: null };
const now = () => performance.timeOrigin + performance.now();
addEventListener("click", (event) => {
  if (event.target.closest?.("[data-testid=legal-move]")) seen.clicks.push(now());
}, true);
new MutationObserver(() => {
  const game = document.querySelector("[data-testid=game]");
  if (!game) return;
  const version = Number(game.dataset.version);
  if (version && version !== seen.versions.at(-1)?.[0]) seen.versions.push([version, now()]);
  if (seen.first === null && document.querySelector("[data-testid=legal-move]")) seen.first = performance.now();
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-version"] });
"""

# A step counts until it is painted: the second frame after it begins when the first one is on the screen.
SCRUB = """
async ([steps, seconds]) => {
  const took = [];
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  for (let i = 0; i < steps; i++) {
    const began = performance.now();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    document.body.offsetHeight;
    const worked = performance.now() - began;
    await painted();
    took.push([worked, performance.now() - began]);
    await new Promise((done) => setTimeout(done, Math.max(0, seconds * 1000 - (performance.now() - began))));
  }
  return took;
}
"""


@dataclass(frozen=True, slots=True)
class Figure:
    what: str
    value: float
    unit: str
    bar: float
    note: str = ""

    def __str__(self) -> str:
        met = "met" if self.value <= self.bar else f"missed by {self.value / self.bar:.2f} ×"
        return (
            f"{self.what:46} {self.value:9.1f} {self.unit:8} bar {self.bar:g}: {met}{self.note and f' ({self.note})'}"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="how often a table is opened with nothing cached")
    parser.add_argument("--json", type=Path, help="keep the figures in this file")
    asked = parser.parse_args()
    path = browser_path()
    if path is None:
        sys.stderr.write(f"{NONE}\n")
        return 2
    noise = measured()
    sys.stdout.write(f"{noise}\n")
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory() as place:
        ledger = f"sqlite:///{place}/games.db"
        long = _long_game(ledger)
        with serving(ledger) as address, sync_playwright() as playwright:
            for figure in _figures(playwright, path, address, long, asked.rounds):
                figures.append(figure)
                sys.stdout.write(f"{figure}\n")
                sys.stdout.flush()
    if asked.json:
        kept = {"noise": asdict(noise), "figures": [asdict(figure) for figure in figures]}
        asked.json.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return 0


def _figures(playwright: Playwright, path: str, address: str, long: str, rounds: int) -> Iterator[Figure]:
    with _browser(playwright, path) as browser:
        ann = Person(browser, address, "Ann")
        yield from _opening(browser, address, ann, rounds)
        yield from _scrubbing(browser, address, long)
        yield from _verifying(browser, address, long, rounds)
        with _browser(playwright, path) as another:
            yield from _two_browsers(browser, another, address)


@contextmanager
def _browser(playwright: Playwright, path: str) -> Generator[Browser]:
    browser = launched(playwright, path)
    try:
        yield browser
    finally:
        browser.close()


def _opening(browser: Browser, address: str, ann: Person, rounds: int) -> Iterator[Figure]:
    """A new context has nothing cached; the cookie is that of somebody who has to act."""
    game = ann.plays_bots("red7")
    assert ann.can_move_or_is_done()
    kept = ann.context.storage_state()
    times: list[float] = []
    sizes: list[int] = []
    for _ in range(rounds):
        one = Person(browser, address, None, storage_state=kept)
        one.page.add_init_script(WATCH)
        one.page.goto(f"/games/{game}")
        one.of("legal-move").first.wait_for()
        times.append(one.page.evaluate("seen.first"))
        one.context.close()
        one = Person(browser, address, None, storage_state=kept)
        bytes_of = _transferred(one)
        one.page.goto("/")
        one.page.locator(".tile").first.wait_for()
        one.page.goto(f"/games/{game}")
        one.of("legal-move").first.wait_for()
        sizes.append(sum(bytes_of))
        one.context.close()
    spread = f"{min(times):.0f} to {max(times):.0f} in {rounds} rounds"
    yield Figure("a table can be played, nothing cached", median(times), "ms", 1000, spread)
    yield Figure("transferred for lobby and table", median(sizes) / 1000, "kB", 150)


def _transferred(person: Person) -> list[int]:
    """All bytes that come, with headers, as the browser counts them."""
    found: list[int] = []
    wire: Any = person.context.new_cdp_session(person.page)
    wire.send("Network.enable")

    def body(said: dict[str, Any]) -> None:
        found.append(int(said["encodedDataLength"]))

    def head(said: dict[str, Any]) -> None:
        found.append(int(said["response"]["encodedDataLength"]))

    wire.on("Network.dataReceived", body)
    wire.on("Network.responseReceived", head)
    return found


def _long_game(ledger: str) -> str:
    """The id of a game that is over and has enough versions to walk through."""
    players, rng = ("ann", "bob", "cy", "dan"), Random(1)
    with Fairdeal(ledger) as fairdeal:
        while True:
            game = fairdeal.handle(QuickStart(player="ann", kind="pardon", players=players)).game_id
            while (look := fairdeal.look(game)).phase is Phase.RUNNING:
                player = players[look.active[0]]
                move = rng.choice(fairdeal.look(game, player).legal)
                fairdeal.handle(MakeMove(game_id=game, player=player, move=move))
            if look.version > STEPS:
                return str(game)


def _scrubbing(browser: Browser, address: str, game: str) -> Iterator[Figure]:
    one = Person(browser, address, None)
    one.page.goto(f"/games/{game}/replay?version=0&as=open")
    one.page.locator("fd-replay[data-ready]").wait_for()
    asked: list[str] = []
    one.page.on("request", lambda request: asked.append(request.url) if "/api/" in request.url else None)
    took: list[list[float]] = one.page.evaluate(SCRUB, [STEPS, STEP_SECONDS])
    assert one.of("frame-version").inner_text() == str(STEPS)
    one.context.close()
    worked, painted = zip(*took, strict=True)
    note = f"its own work: median {median(worked):.1f} ms"
    yield Figure(f"a step of {STEPS} until it is painted, p95", quantiles(painted, n=20)[-1], "ms", 1000 / 30, note)
    yield Figure(f"requests during {STEPS} steps", len(asked), "requests", 0)


def _verifying(browser: Browser, address: str, game: str, rounds: int) -> Iterator[Figure]:
    times: list[float] = []
    records = 0
    for _ in range(rounds):
        one = Person(browser, address, None)
        one.page.goto(f"/games/{game}/audit")
        verdict = one.of("browser-verdict")
        verdict.wait_for()
        times.append(float(verdict.get_attribute("data-milliseconds") or "nan"))
        records = int(one.asks("GET", f"/games/{game}")["version"])
        one.context.close()
    yield Figure(f"a game of {records} records verified", median(times), "ms", 100, f"{min(times):.0f} at best")


def _two_browsers(one: Browser, another: Browser, address: str) -> Iterator[Figure]:
    ann, bob = Person(one, address, "Ann"), Person(another, address, "Bob")
    waits: list[float] = []
    while len(waits) < MOVES:
        waits += _moves_of(ann, bob)
    yield Figure(
        "a move is on the other screen, p95", quantiles(waits, n=20)[-1], "ms", 100,
        f"median {median(waits):.0f} of {len(waits)} moves",
    )  # fmt: skip


def _moves_of(ann: Person, bob: Person) -> list[float]:
    """From the click of whoever moves to the version on the other screen."""
    game = ann.asks("POST", "/games", {"kind": "reviiyot", "options": "short"})["game"]
    for person in (ann, bob):
        person.page.add_init_script(WATCH)
        person.page.goto(f"/games/{game}")
        person.of("join").click()
        person.of("stand-up").wait_for()
    ann.of("start").click()
    waits: list[float] = []
    while len(waits) < MOVES and not ann.is_over():
        mover, other = (ann, bob) if ann.of("legal-move").count() else (bob, ann)
        if not mover.of("legal-move").count():
            ann.page.wait_for_timeout(10)
            continue
        version = int(mover.says("version"))
        mover.moves(None)
        other.page.locator(f"[data-testid=game]:not([data-version='{version}'])").wait_for()
        clicked: list[float] = mover.page.evaluate("seen.clicks")
        shown: list[Any] = other.page.evaluate("seen.versions")
        waits.append(next(at for number, at in shown if number > version) - clicked[-1])
    return waits


if __name__ == "__main__":
    sys.exit(main())

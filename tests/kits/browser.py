"""A real browser and a real server for tests of the page."""

import os
import random
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Locator, Page, Playwright, expect

TESTS = str(Path(__file__).parents[1])
CACHE = Path.home() / ".cache" / "fairdeal" / "chromium" / "chromium"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
NONE = "There is no browser: `make browser` fetches one, or FAIRDEAL_TEST_BROWSER names one."
REQUIRED = "required"
"""As FAIRDEAL_TEST_BROWSER: a browser must be there, whichever it is."""


def browser_path() -> str | None:
    """The browser to test with; without one an error if FAIRDEAL_TEST_BROWSER says that there must be one."""
    found = found_browser()
    if found is None and os.environ.get("FAIRDEAL_TEST_BROWSER") == REQUIRED:
        raise RuntimeError(NONE)
    return found


def found_browser() -> str | None:
    """The browser that FAIRDEAL_TEST_BROWSER names, else one on the PATH, else what `make browser` has fetched."""
    named = os.environ.get("FAIRDEAL_TEST_BROWSER", "")
    if named not in ("", REQUIRED):
        return named
    found = next(filter(None, map(shutil.which, NAMES)), None)
    return str(CACHE) if found is None and CACHE.is_file() else found


PATIENCE = 60_000
"""Milliseconds that a busy machine has for whatever is waited for."""


def launched(playwright: Playwright, path: str) -> Browser:
    expect.set_options(timeout=PATIENCE)
    fetched = Path(path) == CACHE
    # It brings libraries and fonts that a bare machine may lack.
    more: dict[str, str | float | bool] = {
        "LD_LIBRARY_PATH": str(CACHE.parent / "lib"),
        "FONTCONFIG_PATH": str(CACHE.parent),
    }
    return playwright.chromium.launch(
        executable_path=path,
        args=["--no-sandbox", *(["--headless=shell"] if fetched else [])],
        env={**os.environ, **more} if fetched else None,
    )


@contextmanager
def serving(ledger: str, *more: str, port: int = 0) -> Generator[str]:
    """The address of a server of our own on this ledger, or of one that FAIRDEAL_TEST_SERVER names."""
    named = os.environ.get("FAIRDEAL_TEST_SERVER")
    if named:
        yield named
        return
    port = port or free_port()
    words = ["-m", "fairdeal", "serve", "--ledger", ledger, "--host", "127.0.0.1", "--port", str(port), *more]
    # Our own kits, too: they have a game from outside.
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (TESTS, os.environ.get("PYTHONPATH"))))}
    process = subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
    try:
        address = f"http://127.0.0.1:{port}"
        _wait_for(f"{address}/readyz", process)
        yield address
    finally:
        process.terminate()
        process.wait(20)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _wait_for(address: str, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(1800):  # a busy machine takes its time
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}")
        try:
            urllib.request.urlopen(address, timeout=2).close()
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("the server does not answer")


class Person:
    """Somebody at a browser of their own; whatever its console complains of is kept."""

    def __init__(self, browser: Browser, address: str, name: str | None, **settings: object) -> None:
        self.context: BrowserContext = browser.new_context(base_url=address, **settings)  # type: ignore[arg-type]
        self.context.set_default_timeout(PATIENCE)
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.page.on("console", lambda said: self._heard(said.type, said.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.player = ""
        if name is not None:
            self.page.goto("/")
            self.of("name-input").fill(name)
            self.of("name-ok").click()
            self.page.locator("#who a").wait_for()
            self.player = self.asks("GET", "/me")["player"]

    def _heard(self, kind: str, text: str) -> None:
        # A browser complains of every refused request; the page shows those itself.
        if kind in ("error", "warning") and "Failed to load resource" not in text:
            self.complaints.append(text)

    def of(self, testid: str) -> Locator:
        return self.page.get_by_test_id(testid)

    def asks(self, method: str, path: str, body: object = None) -> dict[str, str]:
        """A request with the cookie of this browser, as the page sends it."""
        headers = {"Origin": str(self.page.url).split("/games")[0].rstrip("/")}
        answer = self.context.request.fetch(f"/api/v1{path}", method=method, data=body, headers=headers)
        assert answer.ok, (method, path, answer.status, answer.text())
        told: dict[str, str] = answer.json()
        return told

    @property
    def game(self) -> Locator:
        return self.of("game")

    def says(self, name: str) -> str:
        return self.game.get_attribute(f"data-{name}") or ""

    def tabs_to(self, testid: str) -> None:
        """By the keyboard alone to a button."""
        self.of(testid).wait_for()
        for _ in range(50):
            if self.of(testid).evaluate("element => element === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the keyboard does not reach {testid}")

    def is_over(self) -> bool:
        return self.says("phase") in ("finished", "abandoned", "void")

    def plays_bots(self, kind: str) -> str:
        """Two clicks to a game against bots; answers its id."""
        self.page.goto("/")
        self.of("play-bots").click()
        self.page.locator(f"[data-testid=kind-choice][data-kind={kind}]").click()
        self.game.wait_for()
        self.page.locator("[data-testid=game][data-phase=running]").wait_for()
        return self.page.url.rpartition("/")[2]

    def moves(self, rng: random.Random | None, *, by_key: bool = False) -> None:
        """Makes one of the legal moves, the first if nothing else chooses: by a click on it, or by its key alone."""
        version = self.says("version")
        legal = self.of("legal-move")
        keys = "1234567890abcdefghijklmnopqrstuvwxyz"
        chosen = rng.randrange(min(legal.count(), len(keys))) if rng else 0
        if by_key:
            self.page.keyboard.press(keys[chosen])
        else:
            legal.nth(chosen).click()
        self.page.locator(f"[data-testid=game]:not([data-version='{version}'])").wait_for()

    def can_move_or_is_done(self) -> bool:
        """Waits until the turn is theirs or the game is over; whether they can move."""
        over = ", ".join(f"[data-testid=game][data-phase={phase}]" for phase in ("finished", "abandoned", "void"))
        self.page.locator(f"{over}, [data-testid=legal-move]").first.wait_for()
        return not self.is_over()

    def plays_to_the_end(self, rng: random.Random, most: int = 400) -> None:
        for _ in range(most):
            if not self.can_move_or_is_done():
                return
            self.moves(rng)
        raise AssertionError("the game does not end")

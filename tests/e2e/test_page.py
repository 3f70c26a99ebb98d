"""The page in a real browser: playing, watching, replaying, auditing; for everybody, on every screen."""

import hashlib
import json
import random
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import pytest
from playwright.sync_api import Browser, Dialog, Locator, Route, expect, sync_playwright

from fairdeal import Fairdeal
from kits.browser import NONE, Person, browser_path, free_port, launched, serving

PATH = browser_path()

# One worker has the browser and the server for all of these tests.
pytestmark = [pytest.mark.xdist_group("page"), pytest.mark.skipif(PATH is None, reason=NONE)]

People = Callable[..., Person]
NASTY = "<script>alert(1)</script> \u202eevil\u2066 🃏"
LONG = "W" * 200

SHORT: dict[str, Any] = {
    "kings_corners": None,
    "pardon": {"no_progress_limit": 4},
    "red7": "basic",
    "reviiyot": "short",
    "tcg": {"start_health": 6},
}
"""Every kind, with options that let a game end soon."""


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("page") / "games.db"


@pytest.fixture(scope="module")
def address(ledger: Path) -> Iterator[str]:
    with serving(f"sqlite:///{ledger}", "--kinds", "kits.outside:OUTSIDE") as served:
        yield served


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        assert PATH is not None
        opened = launched(playwright, PATH)
        yield opened
        opened.close()


@pytest.fixture
def people(browser: Browser, address: str) -> Iterator[People]:
    """Somebody new at each call; at the end nobody's console has complained of anything."""
    there: list[Person] = []

    def somebody(name: str | None = "Ann", **settings: object) -> Person:
        there.append(Person(browser, address, name, **settings))
        return there[-1]

    yield somebody
    complaints = [complaint for person in there for complaint in person.complaints]
    for person in there:
        person.context.close()
    assert complaints == []


@pytest.fixture(scope="module")
def finished(browser: Browser, address: str) -> str:
    """The id of a game of Red7 that is over."""
    ann = Person(browser, address, "Ann")
    game = ann.plays_bots("red7")
    ann.plays_to_the_end(random.Random(7))
    ann.context.close()
    return game


@pytest.fixture(scope="module")
def tables(browser: Browser, address: str) -> tuple[Any, list[str]]:
    """Somebody's cookie, and the ids of running games of every kind that they play."""
    ann = Person(browser, address, "Ann")
    games = [ann.plays_bots(kind) for kind in (*SHORT, "house_pardon")]
    games.append(ann.asks("POST", "/games", {"kind": "red7"})["game"])  # nobody sits there yet
    kept = ann.context.storage_state()
    ann.context.close()
    return kept, games


# -- playing ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def three(browser: Browser, address: str) -> Iterator[tuple[Person, Person, Person]]:
    """Two who play every game, and one who watches."""
    there = Person(browser, address, "Ann"), Person(browser, address, "Bob"), Person(browser, address, None)
    yield there
    for person in there:
        person.context.close()


@pytest.mark.parametrize("kind", SHORT)
def test_two_people_play_to_the_end_one_by_keys_alone_and_a_third_watches(
    three: tuple[Person, Person, Person], kind: str
) -> None:
    ann, bob, eve = three
    options = {} if SHORT[kind] is None else {"options": SHORT[kind]}
    game = ann.asks("POST", "/games", {"kind": kind, **options})["game"]
    for person in (ann, bob):
        person.page.goto(f"/games/{game}")
        person.tabs_to("join")
        person.page.keyboard.press("Enter")
        person.of("stand-up").wait_for()
    eve.page.goto(f"/games/{game}")
    ann.of("start").click()
    rng = None if kind == "kings_corners" else random.Random(kind)  # there the first move is never to end the turn
    for _ in range(300):
        if ann.is_over():
            break
        for person in (ann, bob):
            if person.of("legal-move").count():
                person.moves(rng, by_key=person is bob)
                break
        else:
            ann.page.wait_for_timeout(10)
    for person in three:
        expect(person.game).to_have_count(1)
        expect(person.game).to_have_attribute("data-phase", "finished")
        expect(person.page.locator(".outcome")).to_be_visible()
        assert person.complaints == []
    assert eve.says("version") == ann.says("version")
    assert "sealed entropy" in ann.of("story").inner_text()
    assert ann.page.locator(".seal-badge").inner_text().endswith("Sealed by Ann, Bob")


def drag_by_finger(person: Person, source: Locator, goal: Locator) -> None:
    """What a finger does; Playwright itself only taps."""
    wire: Any = person.context.new_cdp_session(person.page)  # its messages have no types
    boxes = source.bounding_box(), goal.bounding_box()
    assert boxes[0] and boxes[1]
    (x, y), (to_x, to_y) = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box)
    wire.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in (0.2, 0.6, 1.0):
        at = {"x": x + part * (to_x - x), "y": y + part * (to_y - y)}
        wire.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [at]})
    wire.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


@pytest.mark.parametrize("by", ["clicks", "a drag", "taps", "a finger"])
def test_a_card_is_played_by_hand(people: People, by: str) -> None:
    ann = people(**PHONE if by in ("taps", "a finger") else {})
    plays = ann.page.locator('[data-testid=legal-move][data-move*=\'"move":"play","card"\']')
    for _ in range(20):
        ann.plays_bots("red7")
        if ann.can_move_or_is_done() and plays.count():
            break
    version, card = ann.says("version"), json.loads(plays.first.get_attribute("data-move") or "")["card"]
    source = ann.page.locator(f"[data-testid=hand-card][data-card={card}]")
    palette = ann.page.locator("[data-token=palette]")
    if by == "a drag":
        source.drag_to(palette)
    elif by == "a finger":
        source.scroll_into_view_if_needed()
        drag_by_finger(ann, source, palette)
    elif by == "taps":
        source.tap()
        palette.tap()
    else:
        source.click()
        palette.click()
    expect(ann.game).not_to_have_attribute("data-version", version)
    assert f"plays {card}" in ann.of("story").inner_text()


def test_why_a_move_is_refused_is_said_by_the_page_and_by_the_server(people: People) -> None:
    ann = people()
    cards = ann.page.locator("[data-testid=hand-card]:not([data-card^=K]).can")
    for _ in range(20):
        ann.plays_bots("kings_corners")
        if ann.can_move_or_is_done() and cards.count():
            break
    version = ann.says("version")
    ann.page.locator("[data-token='pile:NE']").click()
    expect(ann.of("refusal")).to_have_attribute("data-code", "no_such_move")
    cards.first.click()
    expect(ann.of("refusal")).to_have_count(0)
    ann.page.locator("[data-token='pile:NE']").click()
    expect(ann.of("refusal")).not_to_have_attribute("data-code", "no_such_move")
    assert ann.says("version") == version


def test_whoever_touches_a_card_that_cannot_be_played_is_told_why(people: People) -> None:
    ann = people()
    idle = ann.page.locator("[data-testid=hand-card]:not(.can)")
    for _ in range(20):
        ann.plays_bots("kings_corners")
        if ann.can_move_or_is_done() and idle.count():
            break
    expect(idle.first).to_have_attribute("aria-description", "no move now")
    idle.first.click()  # waits until it is enabled
    expect(ann.of("refusal")).to_contain_text("There is no legal move with ")


def test_what_was_done_last_is_marked_on_the_table_and_in_the_replay(people: People) -> None:
    ann = people()
    plays = ann.page.locator('[data-testid=legal-move][data-move*=\'"move":"play","card"\']')
    for _ in range(20):
        ann.plays_bots("red7")
        if ann.can_move_or_is_done() and plays.count():
            break
    card = json.loads(plays.first.get_attribute("data-move") or "")["card"]
    plays.first.click()
    mine = ann.page.locator(f".last[data-key={card}], .last [data-key={card}]")
    ann.of("story").locator("li", has_text=f"plays {card}").wait_for()
    version = ann.of("story").locator("li", has_text=f"plays {card}").get_attribute("data-version")
    ann.page.goto(f"{ann.page.url}/replay?version={version}")
    expect(mine).to_have_count(1)
    ann.page.keyboard.press("ArrowLeft")
    expect(ann.page.locator(".last")).to_have_count(0)


def answer_late(route: Route) -> None:
    answer = route.fetch()
    time.sleep(0.5)
    route.fulfill(response=answer)


def test_a_double_click_makes_one_move_and_a_quick_next_one_is_not_lost(people: People) -> None:
    ann = people()
    ann.plays_bots("tcg")
    assert ann.can_move_or_is_done()
    sent: list[str] = []
    ann.page.on("request", lambda request: sent.append(request.url) if request.url.endswith("/moves") else None)
    # The answers come late, after the stream has told what happened.
    ann.page.route("**/moves", answer_late)
    last = ann.of("legal-move").last
    version = ann.says("version")
    last.dblclick()
    expect(ann.game).not_to_have_attribute("data-version", version)
    assert len(sent) == 1
    expect(ann.of("refusal")).to_have_count(0)
    assert ann.can_move_or_is_done()
    version = ann.says("version")
    ann.of("legal-move").last.click()
    expect(ann.game).not_to_have_attribute("data-version", version)
    assert len(sent) == 2


def test_a_double_click_makes_one_account_and_opens_one_table(people: People) -> None:
    ann = people(None)
    sent: list[str] = []
    ann.page.on("request", lambda request: sent.append(f"{request.method} {urlsplit(request.url).path}"))
    ann.page.goto("/")
    ann.of("name-input").fill("Ann")
    ann.of("name-ok").dblclick()
    expect(ann.of("name-input")).to_have_count(0)
    ann.of("new-table").dblclick()
    expect(ann.page.locator("dialog")).to_have_count(1)
    ann.of("open-table").dblclick()
    ann.game.wait_for()
    assert [sent.count(f"POST /api/v1/{path}") for path in ("session", "games")] == [1, 1]


def test_a_reload_and_a_lost_connection_change_nothing(people: People) -> None:
    ann = people()
    ann.plays_bots("reviiyot")
    rng = random.Random(1)
    assert ann.can_move_or_is_done()
    ann.moves(rng)
    ann.page.reload()
    assert ann.can_move_or_is_done()
    lines = ann.of("story").locator("li").count()
    assert str(lines) == ann.says("version")
    ann.context.set_offline(True)
    ann.context.set_offline(False)
    ann.moves(rng)
    assert ann.can_move_or_is_done()


def test_what_could_not_be_sent_is_no_longer_said_when_the_server_is_back(people: People) -> None:
    ann = people()
    ann.plays_bots("reviiyot")
    assert ann.can_move_or_is_done()
    ann.context.set_offline(True)
    ann.of("legal-move").first.click()
    expect(ann.of("refusal")).to_have_attribute("data-code", "offline")
    ann.context.set_offline(False)
    expect(ann.of("refusal")).to_have_count(0)
    ann.complaints.clear()  # the browser's own, about the request that failed


HIDDEN = """
Object.defineProperty(document, "hidden", { get: () => true });
globalThis.called = [];
globalThis.Notification = class { static permission = "granted"; constructor(text) { called.push(text); } };
"""


def test_whose_turn_it_is_is_called_in_the_title_and_from_a_hidden_tab(people: People) -> None:
    ann = people()
    ann.page.add_init_script(HIDDEN)
    ann.plays_bots("reviiyot")
    assert ann.can_move_or_is_done()
    expect(ann.page).to_have_title("● Your turn – Reviiyot – Fairdeal")
    ann.moves(random.Random(1))
    if ann.can_move_or_is_done():
        assert "Your turn at Reviiyot" in ann.page.evaluate("called")


def test_a_first_visit_asks_for_a_name_and_nothing_else_and_the_bot_is_as_strong_as_one_likes(people: People) -> None:
    ann = people(None)
    ann.page.goto("/")
    expect(ann.page.locator("dialog input, dialog select")).to_have_count(1)
    ann.of("name-input").fill("Ann")
    ann.page.keyboard.press("Enter")
    ann.of("play-bots").click()
    ann.page.get_by_label("A strong bot").check()
    ann.page.locator("[data-testid=kind-choice][data-kind=tcg]").click()
    expect(ann.page.locator(".seat .name", has_text="Strong bot 1")).to_be_visible()
    expect(ann.page.locator(".tag", has_text="rated")).to_have_count(0)


FLIGHTS = """
globalThis.flights = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) { flights++; return animate.apply(this, how); };
"""


@pytest.mark.parametrize("still", ["", "by the system", "by the page"])
def test_cards_fly_unless_motion_is_turned_off(people: People, still: str) -> None:
    ann = people(reduced_motion="reduce" if still == "by the system" else "no-preference")
    ann.page.add_init_script(FLIGHTS)
    if still == "by the page":
        ann.page.get_by_label("How it looks").click()
        ann.page.get_by_role("group", name="Motion").get_by_label("Off").check()
        ann.page.get_by_label("Dark").check()
        ann.page.get_by_role("button", name="Done").click()
    ann.plays_bots("reviiyot")
    assert ann.can_move_or_is_done()
    ann.moves(random.Random(2))
    assert (ann.page.evaluate("flights") > 0) == (still == "")
    if still == "by the page":
        assert ann.page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"


def test_a_game_from_outside_has_a_table_and_goes_on_after_the_server_was_away(
    browser: Browser, tmp_path: Path
) -> None:
    ledger, port = tmp_path / "games.db", free_port()
    again = (f"sqlite:///{ledger}", "--kinds", "kits.outside:OUTSIDE")
    rng = random.Random(5)
    with serving(*again, port=port) as address:
        ann = Person(browser, address, "Ann")
        ann.plays_bots("house_pardon")
        assert ann.can_move_or_is_done()
        earlier = sqlite3.connect(tmp_path / "earlier.db")
        with closing(sqlite3.connect(ledger)) as kept:
            kept.backup(earlier)
        earlier.close()
        ann.moves(rng)
        assert ann.can_move_or_is_done()
    expect(ann.page.locator(".notice.offline")).to_be_visible()
    with serving(*again, port=port):
        expect(ann.page.locator(".notice.offline")).to_have_count(0)
        ann.moves(rng)
        assert ann.can_move_or_is_done()
        expect(ann.page.locator(".notice.history")).to_have_count(0)
    for file in tmp_path.glob("games.db*"):
        file.unlink()
    (tmp_path / "earlier.db").rename(ledger)
    with serving(*again, port=port):  # with a ledger that has forgotten what was acknowledged
        expect(ann.page.locator(".notice.history")).to_be_visible()
    assert [said for said in ann.complaints if "ERR_" not in said] == []
    ann.context.close()


# -- decks -----------------------------------------------------------------------------------------------------------


def test_a_deck_is_built_saved_loaded_and_brought_to_the_table(people: People) -> None:
    ann = people()
    ann.page.goto("/decks")
    for card in ("d0", "d1", "d2", "d3", "d4"):
        for _ in range(4):
            ann.page.get_by_label(f"One more {card}", exact=True).click()
    ann.page.get_by_label("Name", exact=True).fill("Small fry")
    with ann.page.expect_download() as saved:
        ann.page.get_by_role("button", name="Save as a file").click()
    ann.page.get_by_role("button", name="Empty").click()
    ann.page.get_by_role("button", name="Save", exact=True).click()
    expect(ann.page.get_by_role("alert")).to_have_text("A deck has 20 cards; this one has 0.")
    ann.page.locator("#deck-file").set_input_files(saved.value.path())
    expect(ann.page.get_by_role("status")).to_contain_text("20 of 20 cards, 2.0 mana on average")
    ann.page.get_by_role("button", name="Save", exact=True).click()
    ann.page.reload()
    expect(ann.page.locator(".kept-decks")).to_contain_text("Small fry")
    ann.plays_bots("tcg")
    hand = {card.get_attribute("data-card") for card in ann.of("hand-card").all()}
    assert hand <= {"d0", "d1", "d2", "d3", "d4"}


# -- replaying -------------------------------------------------------------------------------------------------------


def test_a_replay_is_walked_by_keys_and_found_by_its_address(people: People, finished: str) -> None:
    ann = people(None)
    ann.page.goto(f"/games/{finished}/replay?version=5&as=spectator")
    number = ann.of("frame-version")
    expect(number).to_have_text("5")
    for key, wanted in (("ArrowRight", "6"), ("ArrowLeft", "5"), ("Home", "0"), ("ArrowRight", "1")):
        ann.page.keyboard.press(key)
        expect(number).to_have_text(wanted)
    ann.page.keyboard.press("End")
    last = ann.of("scrubber").get_attribute("max") or ""
    expect(number).to_have_text(last)
    for key in ("[", "]"):
        ann.page.keyboard.press(key)
    expect(number).to_have_text(last)
    expect(ann.page).to_have_url(re.compile(rf"version={last}&as=spectator$"))
    ann.of("story").locator("a").nth(2).click()
    expect(number).to_have_text("3")
    for key, marked in (("End", last), ("Home", None), ("ArrowRight", "1")):
        ann.page.keyboard.press(key)
        _marks(ann, marked)


def _marks(person: Person, version: str | None) -> None:
    """The story marks this version and shows it."""
    story = person.of("story")
    line, mark = story.locator("[aria-current=step]"), story.locator(".mark")
    if version is None:
        expect(line).to_have_count(0)
        expect(mark).to_be_hidden()
        return
    expect(line).to_have_attribute("data-version", version)
    here, there, all_of_it = line.bounding_box(), mark.bounding_box(), story.bounding_box()
    assert here and there and all_of_it
    assert abs(here["y"] - there["y"]) < 1
    assert abs(here["height"] - there["height"]) < 1
    assert all_of_it["y"] <= here["y"] <= all_of_it["y"] + all_of_it["height"] - here["height"] + 1


ICON = "/static/icon.svg"
"""Chromium may fetch it again whenever the address changes."""


def test_the_address_says_a_step_at_once(people: People, finished: str) -> None:
    ann = people("Ann")
    ann.page.goto(f"/games/{finished}/replay?version=5&as=spectator")
    ann.page.locator("fd-replay[data-ready]").wait_for()
    ann.page.wait_for_timeout(500)
    # Whoever steps and reloads at once is where they were.
    stepped = """() => {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
        return location.search;
    }"""
    assert ann.page.evaluate(stepped) == "?version=6&as=spectator"
    # A browser takes few changes of the address in a time, so quick steps are told together; the last one always is.
    for _ in range(5):
        ann.page.evaluate(stepped)
    expect(ann.page).to_have_url(re.compile("version=11&as=spectator$"))


def test_scrubbing_asks_the_server_nothing(people: People, finished: str) -> None:
    ann = people(None)
    ann.page.goto(f"/games/{finished}/replay?version=0")
    ann.page.locator("fd-replay[data-ready]").wait_for()
    asked: list[str] = []
    ann.page.on("request", lambda request: None if request.url.endswith(ICON) else asked.append(request.url))
    for _ in range(int(ann.of("scrubber").get_attribute("max") or 0)):
        ann.page.keyboard.press("ArrowRight")
    expect(ann.of("frame-version")).to_have_text(ann.of("scrubber").get_attribute("max") or "")
    assert asked == []


PATCHED = """
async () => {
  const { patch } = await import("/static/patch.js");
  let state = 1;
  const below = (most) => (state = (state * 48271) % 2147483647) % most;
  const tree = (depth) => {
    const element = document.createElement(["div", "span"][below(2)]);
    if (below(2)) element.className = ["card", "row"][below(2)];
    if (below(3) === 0) element.dataset.key = String(below(4));
    if (below(3) === 0) element.style.setProperty("--i", String(below(3)));
    for (let i = below(5); i > 0; i--) element.append(depth ? tree(depth - 1) : String(below(3)));
    return element;
  };
  let wrong = 0;
  for (let i = 0; i < 2000; i++) {
    const shown = tree(3), next = tree(3);
    const wanted = [...next.cloneNode(true).childNodes];
    patch(shown, next);
    const same = wanted.every((node, at) => shown.childNodes[at]?.isEqualNode(node));
    if (!same || shown.childNodes.length !== wanted.length) wrong++;
  }
  return wrong;
}
"""


def test_what_is_patched_is_what_was_to_be_shown(people: People) -> None:
    ann = people(None)
    ann.page.goto("/rules/red7")
    assert ann.page.evaluate(PATCHED) == 0


def test_after_the_end_all_cards_lie_open(people: People, finished: str) -> None:
    ann = people(None)
    ann.page.goto(f"/games/{finished}/replay?version=8")
    ann.of("viewer").select_option("open")
    ann.page.locator("[data-testid=place][data-open]").first.wait_for()
    places = ann.page.locator("[data-testid=place]").all()
    assert sum(int(place.get_attribute("data-cards") or 0) for place in places) == 49


@pytest.mark.parametrize("version", [0, 7])
def test_a_branch_begins_at_the_next_version_at_which_one_can_and_is_played_by_whoever_made_it(
    people: People, finished: str, version: int
) -> None:
    ann = people("Zoe")
    ann.page.goto(f"/games/{finished}/replay?version={version}&as=spectator")
    ann.of("branch").click()
    ann.game.wait_for()
    expect(ann.page).not_to_have_url(re.compile(finished))
    rng = random.Random(3)
    for _ in range(2):
        if ann.can_move_or_is_done():
            ann.moves(rng)


# -- auditing --------------------------------------------------------------------------------------------------------


def test_server_and_browser_find_a_good_game_good(people: People, finished: str) -> None:
    ann = people(None)
    with ann.page.expect_request("**/audit") as asked:
        ann.page.goto(f"/games/{finished}/audit", wait_until="commit")
        expect(ann.page.locator("[data-testid*=verdict]:not([data-grade])")).to_have_count(0)
    assert asked.value
    expect(ann.of("verdict-untouched")).to_have_attribute("data-grade", "yes")
    expect(ann.of("verdict-fair")).to_have_attribute("data-grade", "sealed")
    expect(ann.of("verdict-legal")).to_have_attribute("data-grade", "yes")
    expect(ann.of("browser-verdict")).to_have_attribute("data-grade", "yes")


def test_the_browser_finds_a_changed_log_and_a_receipt_that_does_not_fit(
    people: People, finished: str, tmp_path: Path
) -> None:
    ann = people(None)
    log = ann.context.request.get(f"/api/v1/games/{finished}/log").text()
    link = json.loads(log.splitlines()[3])["link"]
    ann.page.goto(f"/games/{finished}/audit")
    expect(ann.of("browser-verdict")).to_have_attribute("data-grade", "yes")
    receipt = ann.of("receipt-check")
    receipt.fill(f"{finished}:3:{link}")
    expect(receipt).to_have_attribute("data-grade", "yes")
    receipt.fill(f"{finished}:4:{link}")
    expect(receipt).to_have_attribute("data-grade", "no")
    ann.page.route("**/log", lambda route: route.fulfill(body=log.replace('\\"seat\\":0', '\\"seat\\":1', 1)))
    ann.page.reload()
    expect(ann.of("browser-verdict")).to_have_attribute("data-grade", "no")
    ann.page.unroute("**/log")
    ann.page.reload()
    expect(ann.of("browser-verdict")).to_have_attribute("data-grade", "yes")
    changed = tmp_path / "changed.jsonl"
    changed.write_text(log.replace('\\"seat\\":0', '\\"seat\\":1', 1), encoding="utf-8")
    ann.page.locator("#log-file").set_input_files(changed)
    expect(ann.of("browser-verdict")).to_have_attribute("data-grade", "no")


def test_server_and_browser_find_a_ledger_that_somebody_has_changed(
    browser: Browser, ledger: Path, finished: str, tmp_path: Path
) -> None:
    changed = tmp_path / "changed.db"
    with closing(sqlite3.connect(ledger)) as kept, closing(sqlite3.connect(changed)) as copy:
        kept.backup(copy)
        done = copy.execute(
            "UPDATE stored_events SET state = CAST(replace(CAST(state AS TEXT), '\"seat\":0', '\"seat\":1') AS BLOB)"
            " WHERE originator_id = ? AND topic LIKE 'red7.card_played%'",
            (UUID(finished).hex,),
        )
        assert done.rowcount
        copy.commit()
    with serving(f"sqlite:///{changed}") as address:
        ann = Person(browser, address, None)
        ann.page.goto(f"/games/{finished}/audit")
        for testid in ("verdict-untouched", "browser-verdict"):
            expect(ann.of(testid)).to_have_attribute("data-grade", "no")
        assert ann.complaints == []
        ann.context.close()


def test_what_is_wrong_with_a_name_is_said_once(people: People) -> None:
    ann = people(None)
    ann.page.goto("/")
    ann.of("name-input").fill("Ann\u200bAnn")  # a space that nobody sees
    ann.of("name-ok").click()
    expected = "display name: expected 1 to 200 printable characters without leading or trailing spaces"
    expect(ann.page.locator("dialog .problem")).to_have_text(expected)


def test_who_comes_to_a_server_that_only_reads_may_watch(tmp_path: Path, browser: Browser) -> None:
    ledger = f"sqlite:///{tmp_path / 'games.db'}"
    with Fairdeal(ledger) as fairdeal:
        fairdeal.start_game("red7", ["ann", "bob"])
    with serving(ledger, "--read-only") as address:
        eve = Person(browser, address, None)
        eve.page.goto("/")
        eve.of("name-input").fill("Eve")
        expect(eve.page.get_by_role("button", name="Just watch")).to_be_hidden()
        eve.of("name-ok").click()
        expect(eve.page.locator("dialog")).to_contain_text("This server only reads")
        eve.page.get_by_role("button", name="Just watch").click()
        expect(eve.of("name-input")).to_have_count(0)
        eve.context.close()


def test_another_history_than_the_receipts_say_is_said(people: People) -> None:
    ann = people()
    game = ann.plays_bots("red7")
    assert ann.can_move_or_is_done()
    ann.moves(random.Random(4))
    kept = ann.page.evaluate(f"localStorage.getItem('fairdeal.receipts.{game}')")
    forged = [{**receipt, "link": "ab" * 32} for receipt in json.loads(kept)]
    ann.page.evaluate(
        "([key, value]) => localStorage.setItem(key, value)", [f"fairdeal.receipts.{game}", json.dumps(forged)]
    )
    ann.page.reload()
    expect(ann.page.locator(".notice.history")).to_be_visible()
    ann.page.goto(f"/games/{game}/audit")
    expect(ann.of("browser-verdict")).to_have_attribute("data-grade", "no")


# -- everybody, everywhere -------------------------------------------------------------------------------------------


DIALOGS = {
    "/#play-bots": ("[data-testid=play-bots]", ".kinds"),
    "/#new-table": ("[data-testid=new-table]", ".fields"),
    "/#looks": ("[aria-label='How it looks']", ".choice"),
}
"""Dialogs of the lobby: what opens them, and what they hold."""


@pytest.mark.parametrize(
    "settings",
    [{}, {"color_scheme": "dark"}, {"viewport": {"width": 360, "height": 740}, "reduced_motion": "reduce"}],
    ids=["light", "dark", "phone"],
)
def test_no_page_has_barriers_or_is_wider_than_the_screen(
    people: People, finished: str, tables: tuple[Any, list[str]], settings: dict[str, Any]
) -> None:
    kept, running = tables
    ann = people(None, storage_state=kept, **settings)
    player = ann.asks("GET", "/me")["player"]
    pages = ["/", *(f"/games/{game}" for game in running), f"/games/{finished}", f"/games/{finished}/replay?as=open"]
    pages += [f"/games/{finished}/audit", f"/players/{player}", "/ratings/red7", "/rules/red7", "/decks", *DIALOGS]
    axe = import_module("axe_playwright_python.sync_playwright").Axe()
    # In the dark only the colours are others.
    rules = {"runOnly": ["color-contrast"]} if "color_scheme" in settings else {"resultTypes": ["violations"]}
    found: list[str] = []
    for path in pages:
        ann.page.goto(path.partition("#")[0])
        ann.page.locator("main h1").first.wait_for()
        if path in DIALOGS:
            opener, holds = DIALOGS[path]
            ann.page.locator(opener).click()
            ann.page.locator(f"dialog {holds}").first.wait_for()
        elif "/games/" in path:
            ann.page.locator(".story li, [data-testid=browser-verdict]").first.wait_for()
        else:
            ann.page.wait_for_load_state("networkidle")
        for violation in axe.run(ann.page, options=rules).response["violations"]:
            found += [f"{path}: {violation['id']}: {node['html'][:200]}" for node in violation["nodes"][:2]]
        width = ann.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if width > 0:
            found.append(f"{path}: {width} pixels too wide")
    assert found == []


@pytest.mark.parametrize("name", [NASTY, LONG], ids=["markup", "long"])
def test_a_name_is_a_name_and_nothing_else(people: People, name: str) -> None:
    ann = people(name, viewport={"width": 360, "height": 740})
    alarms: list[object] = []

    def dismiss(box: Dialog) -> None:
        alarms.append(box)
        box.dismiss()

    ann.page.on("dialog", dismiss)
    ann.plays_bots("kings_corners")
    assert ann.can_move_or_is_done()
    expect(ann.page.locator(".seat.own .name").first).to_contain_text(name[:40].strip())
    for path in (None, "/", f"/players/{ann.player}", f"{ann.page.url}/replay", f"{ann.page.url}/audit"):
        if path:
            ann.page.goto(path)
            ann.page.locator("main h1").first.wait_for()
        assert ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    assert alarms == []


def test_a_name_turns_no_sentence_around(people: People) -> None:
    ann = people(NASTY)
    ann.plays_bots("kings_corners")
    line = ann.of("story").locator("li", has_text="sits down with sealed entropy").locator("span").first
    assert line.inner_text() == "<script>alert(1)</script> evil 🃏 sits down with sealed entropy."


def test_a_number_after_a_name_from_right_to_left_stays_there(people: People) -> None:
    ann = people("שלום")
    ann.plays_bots("kings_corners")
    line = ann.of("story").locator("li", has_text="sits down with sealed entropy").locator("span").first
    assert line.inner_text() == "\u2068שלום\u2069 sits down with sealed entropy."


def test_the_days_below_a_plot_have_room_on_a_phone(people: People) -> None:
    ann = people("Ann", viewport={"width": 320, "height": 740})
    for _ in range(2):
        game = ann.asks("POST", "/games", {"kind": "red7", "seats": ["me", {"bot": "random"}], "start": True})["game"]
        ann.asks("POST", f"/games/{game}/commands", {"command": "abandon_game"})
    ann.page.goto(f"/players/{ann.player}")
    ends = ann.page.locator("svg.plot text[y='194']")
    expect(ends).to_have_count(2)
    first, last = (ends.nth(number).bounding_box() for number in (0, 1))
    assert first is not None
    assert last is not None
    assert first["x"] + first["width"] < last["x"]


def test_a_table_whose_seals_stay_shut_can_be_left(people: People) -> None:
    ann, bob = people("Ann"), people("Bob")
    game = ann.asks("POST", "/games", {"kind": "red7"})["game"]
    seal = hashlib.sha256(b"kept in another browser").hexdigest()
    ann.asks("POST", f"/games/{game}/commands", {"command": "join_game"})
    bob.asks("POST", f"/games/{game}/commands", {"command": "join_game", "seal": seal})
    ann.asks("POST", f"/games/{game}/commands", {"command": "start_game"})
    ann.page.goto(f"/games/{game}")
    ann.page.once("dialog", lambda box: box.accept())
    ann.page.get_by_role("button", name="Leave the table").click()
    expect(ann.game).to_have_attribute("data-phase", "void")


def test_new_tables_are_found_in_the_lobby_and_have_options(people: People) -> None:
    ann, bob = people("Ann"), people("Bob")
    ann.of("new-table").click()
    ann.page.locator("[data-testid=kind-choice][data-kind=red7]").click()
    ann.page.get_by_label("Rules").select_option("match")
    ann.of("open-table").click()
    ann.game.wait_for()
    bob.page.goto("/")
    bob.page.locator(f"a[href='{ann.page.url.partition('/games')[1]}{ann.page.url.partition('/games')[2]}']").click()
    bob.of("join").click()
    bob.of("stand-up").wait_for()
    ann.of("start").click()
    expect(bob.game).to_have_attribute("data-phase", "running")


def test_ratings_are_listed_and_a_table_that_is_closed_is_not_there_for_others(people: People) -> None:
    ann, bob, eve = people("Ann"), people("Bob"), people(None)
    for _ in range(2):
        game = ann.asks("POST", "/games", {"kind": "red7", "options": "basic", "rated": True, "seats": ["me"]})["game"]
        bob.asks("POST", f"/games/{game}/commands", {"command": "join_game"})
        ann.asks("POST", f"/games/{game}/commands", {"command": "start_game"})
        ann.asks("POST", f"/games/{game}/commands", {"command": "leave_game"})
    eve.page.goto("/ratings/red7")
    names = eve.of("rating-row").locator(".name")
    expect(names.filter(has_text="Bob")).not_to_have_count(0)
    names.filter(has_text="Bob").first.click()
    expect(eve.of("rating-row")).to_have_count(1)
    expect(eve.page.get_by_role("img", name="Rating, Red7 over time")).to_be_visible()
    eve.page.locator(".over-time summary").click()
    expect(eve.page.locator(".over-time tbody tr")).to_have_count(2)
    eve.page.set_viewport_size(PHONE["viewport"])
    eve.page.reload()
    letters = eve.page.locator(".over-time .plot text").first
    letters.wait_for()
    assert letters.evaluate("text => text.getBoundingClientRect().height") > 11  # large enough to be read
    closed = ann.asks("POST", "/games", {"kind": "red7", "spectators": "closed"})["game"]
    eve.page.goto(f"/games/{closed}")
    expect(eve.page.get_by_role("heading", name="No such table")).to_be_visible()


@pytest.mark.parametrize(
    ("spectators", "told"),
    [
        ("open", "Others find this table in the lobby, or by its address"),
        ("unlisted", "This table is not in the lobby. Others find it by its address"),
        ("closed", "This table is closed: nobody else finds it"),
    ],
)
def test_a_table_says_who_finds_it(people: People, spectators: str, told: str) -> None:
    ann = people()
    game = ann.asks("POST", "/games", {"kind": "red7", "spectators": spectators})["game"]
    ann.page.goto(f"/games/{game}")
    expect(ann.page.locator(".waiting")).to_contain_text(told)


def test_the_link_to_a_moment_is_copied_and_shows_it(people: People, finished: str) -> None:
    ann = people(None, permissions=["clipboard-read", "clipboard-write"])
    ann.page.goto(f"/games/{finished}/replay?version=4&as=spectator")
    expect(ann.of("frame-version")).to_have_text("4")
    ann.page.keyboard.press("ArrowRight")
    ann.page.get_by_role("button", name="Copy link").click()
    expect(ann.page.get_by_role("button", name="Copied")).to_be_visible()
    ann.page.goto(ann.page.evaluate("navigator.clipboard.readText()"))
    expect(ann.of("frame-version")).to_have_text("5")

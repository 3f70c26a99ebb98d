/** The replay: any version of a game, as anybody may see it; stepping asks the server nothing. */

import { account } from "../account.js";
import { get, pathTo, Problem, send, titleOf } from "../api.js";
import { boardFor } from "../boards/index.js";
import { markLast } from "../boards/kit.js";
import { anyCard, withChips } from "../cards.js";
import { capital, counted, h, once, when } from "../dom.js";
import { icon } from "../icons.js";
import { fly, positions } from "../motion.js";
import { named, namesOf } from "../names.js";
import { become, patch } from "../patch.js";

/** @typedef {import("../boards/kit.js").Scene} Scene */

const OVER = ["finished", "abandoned", "void"];
const AT_ONCE = 100;
const STEP = 900;
/** Whoever steps again within so many milliseconds is scrubbing: then nothing flies. */
const QUICK = 250;
/** Refusals of branches that a later version may not have. */
const LATER = ["before_the_deal", "inside_a_command"];

export class ReplayPage extends HTMLElement {
  /**
   * @param {string} game
   * @param {string | null} version
   * @param {string | null} viewer
   */
  constructor(game, version, viewer) {
    super();
    this.game = game;
    this.wanted = version === null || !/^\d+$/.test(version) ? null : Number(version);
    this.viewer = viewer ?? "";
    this.version = -1;
    this.head = 0;
    /** @type {any} */
    this.look = null;
    /** @type {any[]} */
    this.events = [];
    /** @type {import("../boards/kit.js").Board | null} */
    this.board = null;
    /** @type {Map<number, any>} */
    this.frames = new Map();
    this.leaving = new AbortController();
    /** @type {any} */
    this.playing = null;
    /** @type {any} */
    this.saving = null;
    /** The version that the story marks. */
    this.marked = 0;
    /** Where the lines of the story lie, measured once: then no step has to wait for a layout.
     * @type {Map<number, { top: number, height: number }>} */
    this.spots = new Map();
    this.sight = { top: 0, height: 0 };
    this.sizes = new ResizeObserver(() => this.measure());
    /** What the list of all places shows, as JSON.
     * @type {string[]} */
    this.placed = [];
    this.painting = 0;
    /** The frame that follows with the next picture of the screen.
     * @type {any} */
    this.waiting = null;
    this.paintedAt = -Infinity;
    this.classList.add("replay");
    this.parts = {
      head: h("header", { class: "table-head" }, h("h1", {}, "Replay")),
      notices: h("div", {}),
      felt: h("div", { class: "felt" }),
      table: h("div", { class: "shown" }),
      places: h("div", { class: "places", "aria-label": "All places", role: "group" }),
      line: h("p", { class: "said", "aria-live": "polite" }),
      story: h("div", {
        class: "story marked",
        "data-testid": "story",
        tabindex: "0",
        role: "group",
        "aria-label": "The story",
        onscroll: () => (this.sight.top = this.parts.story.scrollTop),
      }),
      lines: h("ol", {}),
      // Lies behind the lines and is moved: none of them is laid out or painted anew because of a step.
      mark: h("div", { class: "mark", hidden: true }),
      scrubber: /** @type {HTMLInputElement} */ (h("input", {
        type: "range",
        min: 0,
        max: 0,
        value: 0,
        "data-testid": "scrubber",
        "aria-label": "Version",
        oninput: () => this.go(Number(this.parts.scrubber.value)),
      })),
      number: h("span", { class: "frame-version", "data-testid": "frame-version" }),
      viewer: /** @type {HTMLSelectElement} */ (h("select", {
        id: "viewer",
        "data-testid": "viewer",
        onchange: () => void this.seeAs(this.parts.viewer.value),
      })),
      play: h(
        "button",
        { type: "button", onclick: () => this.toggle(), "aria-label": "Play", title: "Play (space)" },
        icon("play"),
      ),
    };
  }

  async connectedCallback() {
    const { signal } = this.leaving;
    addEventListener("keydown", (event) => this.typed(event), { signal });
    this.sizes.observe(this.parts.story);
    this.sizes.observe(this.parts.lines);
    try {
      this.look = await get(`games/${this.game}`);
      const { events } = await get(`games/${this.game}/events?after=0`);
      this.events = events;
      this.board = await boardFor(this.look.kind);
      this.head = this.look.version;
      if (!this.viewer) this.viewer = this.look.seat === null ? "spectator" : this.look.players[this.look.seat];
      await this.lay();
      await this.seeAs(this.viewer);
    } catch (error) {
      this.replaceChildren(
        h("div", { class: "empty" }, h("h1", {}, "No replay"), h("p", {}, String(/** @type {any} */ (error).message))),
      );
    }
  }

  disconnectedCallback() {
    this.leaving.abort();
    this.sizes.disconnect();
    clearInterval(this.playing);
    clearTimeout(this.saving);
  }

  async lay() {
    const { head, notices, felt, table, line, story, lines, mark, scrubber, number, viewer, play } = this.parts;
    const title = await titleOf(this.look.kind);
    document.title = `Replay of ${title} – Fairdeal`;
    head.replaceChildren(
      h("h1", {}, `Replay of ${title}`),
      h(
        "nav",
        { "aria-label": "This game" },
        h("a", { href: pathTo(`/games/${this.game}`) }, "Table"),
        h("a", { href: pathTo(`/games/${this.game}/audit`) }, "Audit"),
        h("a", { href: pathTo(`/rules/${this.look.kind}`) }, "Rules"),
      ),
    );
    const over = OVER.includes(this.look.phase);
    const names = namesOf(this.look);
    const choices = [["spectator", "A spectator"]];
    this.look.players.forEach((/** @type {string} */ player, /** @type {number} */ seat) => {
      if (over || seat === this.look.seat) choices.push([player, names[seat]]);
    });
    if (over) choices.push(["open", "Open cards"]);
    viewer.replaceChildren(...choices.map(([value, text]) => h("option", { value }, text)));
    scrubber.max = String(this.head);
    const button = (
      /** @type {Parameters<typeof icon>[0]} */ sign,
      /** @type {string} */ label,
      /** @type {() => void} */ act,
    ) => h("button", { type: "button", "aria-label": label, title: label, onclick: act }, icon(sign));
    const controls = h(
      "div",
      { class: "controls", role: "group", "aria-label": "Where in the game" },
      h(
        "div",
        { class: "steps" },
        button("first", "To the beginning (Home)", () => this.go(0)),
        button("before", "The player before ([)", () => this.jump(-1)),
        button("back", "One step back (left arrow)", () => this.go(this.version - 1)),
        play,
        button("on", "One step on (right arrow)", () => this.go(this.version + 1)),
        button("after", "The next player (])", () => this.jump(1)),
        button("last", "To the end (End)", () => this.go(this.head)),
      ),
      scrubber,
      h("span", {}, number, h("span", { class: "quiet" }, ` of ${this.head}`)),
    );
    const copy = h("button", { type: "button", onclick: () => void this.copy(copy) }, "Copy link");
    const more = h(
      "div",
      { class: "controls" },
      h("label", { for: "viewer" }, "Seen by"),
      viewer,
      copy,
      over && account.player !== null &&
        h("button", { type: "button", "data-testid": "branch", onclick: once(() => this.branch()) }, "Branch here"),
    );
    story.replaceChildren(mark, lines);
    lines.replaceChildren(
      ...this.events.map(({ version, line: told }) =>
        h(
          "li",
          { "data-version": version },
          h("a", {
            href: this.address(version),
            "aria-label": `version ${version}`,
            onclick: (/** @type {Event} */ event) => {
              event.preventDefault();
              this.go(version);
            },
          }, version),
          h("span", {}, withChips(named(told, this.look), this.look.kind)),
        )
      ),
    );
    felt.replaceChildren(table);
    this.replaceChildren(
      head,
      notices,
      h(
        "div",
        { class: "table-main" },
        h("div", { class: "table-left" }, controls, more, line, felt),
        h(
          "div",
          { class: "table-side" },
          h("aside", { class: "table-aside", "aria-label": "Story" }, h("h2", {}, "Story"), story),
        ),
      ),
    );
  }

  /** Where we are, or, before anything is shown, where we want to be. */
  place() {
    return this.version < 0 ? Math.min(this.wanted ?? this.head, this.head) : this.version;
  }

  /** @param {number} version */
  address(version) {
    return pathTo(`/games/${this.game}/replay?version=${version}&as=${encodeURIComponent(this.viewer)}`);
  }

  /**
   * @param {string} viewer
   * @param {number} [version]
   * @returns {Promise<void>}
   */
  async seeAs(viewer, version = this.place()) {
    this.viewer = viewer;
    const frames = this.frames = new Map();
    this.toggleAttribute("data-ready", false);
    if (this.parts.viewer.value !== viewer) this.parts.viewer.value = viewer;
    try {
      await this.fetch(version);
      if (frames !== this.frames) return; // somebody else was chosen meanwhile
      this.parts.notices.replaceChildren();
    } catch (error) {
      this.parts.notices.replaceChildren(
        h("p", { class: "notice refusal", role: "alert" }, String(/** @type {any} */ (error).message)),
      );
      if (viewer !== "spectator") return this.seeAs("spectator", version);
    }
    this.version = -1;
    this.go(version);
    void this.fetchAll(version);
  }

  /** @param {number} version */
  async fetch(version) {
    const frames = this.frames;
    if (frames.has(version)) return frames.get(version);
    const as = `?as=${encodeURIComponent(this.viewer)}`;
    const frame = await get(`games/${this.game}/frames/${version}${as}`, this.leaving.signal);
    frames.set(version, frame);
    return frame;
  }

  /** All other versions, many at once and the nearest first, so that no step has to wait or to ask.
   * @param {number} from */
  async fetchAll(from) {
    const frames = this.frames;
    const pages = Array.from({ length: Math.floor(this.head / AT_ONCE) + 1 }, (_, page) => page * AT_ONCE);
    pages.sort((one, other) => Math.abs(one + AT_ONCE / 2 - from) - Math.abs(other + AT_ONCE / 2 - from));
    try {
      for (const first of pages) {
        const asked = `frames?as=${encodeURIComponent(this.viewer)}&cursor=${first}&limit=${AT_ONCE}`;
        const { items } = await get(`games/${this.game}/${asked}`, this.leaving.signal);
        if (frames !== this.frames) return; // somebody else looks on now
        for (const frame of items) frames.set(frame.version, frame);
      }
      this.toggleAttribute("data-ready", true);
    } catch {
      // A step that is not here yet asks again when it is wanted.
    }
  }

  /** @param {number} version */
  go(version) {
    const to = Math.max(0, Math.min(this.head, version));
    if (to === this.version) return;
    const { scrubber, number } = this.parts;
    const by = Math.abs(to - this.version);
    this.version = to;
    if (scrubber.value !== String(to)) scrubber.value = String(to);
    scrubber.setAttribute("aria-valuetext", `version ${to} of ${this.head}`);
    const frame = this.frames.get(to);
    this.waiting = null;
    if (frame) this.paint(frame, by === 1);
    else {this.fetch(to).then(
        (late) => this.version === to && this.show(late, false),
        (error) => (this.parts.line.textContent = String(error.message)),
      );}
    number.textContent = String(to);
    // A step is in the address at once; of many quick ones the first and the last, as browsers take few changes.
    if (this.saving === null) this.save();
    clearTimeout(this.saving);
    this.saving = setTimeout(() => {
      this.saving = null;
      this.save();
    }, QUICK);
  }

  save() {
    const here = location.pathname === pathTo(`/games/${this.game}/replay`); // somebody may have gone on meanwhile
    const address = this.address(this.version);
    if (!here || address === location.pathname + location.search) return;
    try {
      history.replaceState(null, "", address);
    } catch {
      // This browser has had too many changes: a later one will do.
    }
  }

  /**
   * Shows a frame at once, but only one for each picture of the screen: of what comes meanwhile, the newest follows then.
   * @param {any} frame
   * @param {boolean} step
   */
  paint(frame, step) {
    const quick = performance.now() - this.paintedAt < QUICK;
    this.waiting = this.painting === 0 ? null : frame;
    if (this.waiting) return;
    this.show(frame, step && !quick);
    this.painting = requestAnimationFrame(() => {
      this.painting = 0;
      if (this.waiting) this.paint(this.waiting, false);
    });
  }

  /** To where the player before, or the next one, begins to act.
   * @param {number} direction */
  jump(direction) {
    const starts = this.events.filter((event, i) => i === 0 || event.by !== this.events[i - 1].by).map((event) =>
      event.version
    );
    const to = direction < 0
      ? starts.findLast((version) => version < this.version)
      : starts.find((version) => version > this.version);
    this.go(to ?? (direction < 0 ? 0 : this.head));
  }

  toggle() {
    const { play } = this.parts;
    if (this.playing) {
      clearInterval(this.playing);
      this.playing = null;
    } else {
      if (this.version >= this.head) this.go(0);
      this.playing = setInterval(() => this.version < this.head ? this.go(this.version + 1) : this.toggle(), STEP);
    }
    play.replaceChildren(icon(this.playing ? "pause" : "play"));
    play.setAttribute("aria-label", this.playing ? "Pause" : "Play");
  }

  /** @param {KeyboardEvent} event */
  typed(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !this.look) return;
    if (target.closest("select, textarea, dialog, input:not([type=range])")) return;
    const own = target === this.parts.scrubber; // a range knows its arrows itself
    const keys = {
      ArrowLeft: () => own || this.go(this.version - 1),
      ArrowRight: () => own || this.go(this.version + 1),
      Home: () => this.go(0),
      End: () => this.go(this.head),
      "[": () => this.jump(-1),
      "]": () => this.jump(1),
      " ": () => target.closest("button, a") || this.toggle(),
    };
    const act = /** @type {any} */ (keys)[event.key];
    if (!act) return;
    if (act() !== true && !(event.key === " " && target.closest("button, a"))) event.preventDefault();
  }

  /** @param {HTMLElement} button */
  async copy(button) {
    const link = new URL(this.address(this.version), location.href).href;
    await navigator.clipboard?.writeText(link).catch(() => null);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy link"), 1500);
  }

  /** From here, or from the next version at which a branch can begin: never inside what one command did. */
  async branch() {
    try {
      const made = await this.branchFrom(this.place());
      dispatchEvent(new CustomEvent("fairdeal:go", { detail: pathTo(`/games/${made.game}`) }));
    } catch (error) {
      this.parts.notices.replaceChildren(
        h(
          "p",
          { class: "notice refusal", role: "alert", "data-testid": "refusal" },
          String(/** @type {any} */ (error).message),
        ),
      );
    }
  }

  /**
   * @param {number} version
   * @returns {Promise<any>}
   */
  async branchFrom(version) {
    const from = this.wholeFrom(version);
    try {
      return await send(`games/${this.game}/branches`, { version: from });
    } catch (error) {
      if (!(error instanceof Problem) || !LATER.includes(error.code) || from >= this.head) throw error;
      return this.branchFrom(from + 1);
    }
  }

  /** The first version from there on that ends what one command did: its events have one time and one player.
   * @param {number} version */
  wholeFrom(version) {
    let at = Math.max(1, version);
    for (; at < this.head; at++) {
      const [last, next] = [this.events[at - 1], this.events[at]];
      if (!last || !next || last.at !== next.at || last.by !== next.by) break;
    }
    return at;
  }

  /**
   * @param {any} frame
   * @param {boolean} moving
   */
  show(frame, moving) {
    const { felt, table, line } = this.parts;
    this.waiting = null;
    const before = moving ? positions(felt) : new Map();
    const { view, places } = frame;
    const turn = view?.turn ?? null;
    const acting = view && "active" in view ? view.active : turn;
    const open = this.viewer === "open" && places?.length ? places : null;
    const scene = /** @type {Scene} */ ({
      view,
      names: namesOf(this.look),
      seat: view?.seat ?? null,
      active: typeof acting === "number" && !view.over && frame.version < this.head ? [acting] : [],
      legal: [],
      options: this.look.options,
      places: open,
      selected: [],
      sources: new Set(),
      targets: new Set(),
      live: false,
      clock: () => null,
    });
    const laid = view && this.board
      ? /** @type {Element} */ (this.board.render(scene))
      : h("p", { class: "empty quiet" }, frame.version ? "Nothing is dealt yet." : "The empty table.");
    if (frame.event) markLast(laid, [frame.event]);
    patch(table, h("div", {}, laid));
    this.showPlaces(open ?? [], scene.names);
    if (moving) fly(felt, before, () => null);
    this.paintedAt = performance.now();
    line.replaceChildren(
      ...withChips(named(frame.line ?? "", this.look), this.look.kind),
      " ",
      h("span", { class: "quiet" }, when(frame.at)),
    );
    this.mark(frame.version);
  }

  /**
   * Every card in every place; only those places are made anew that have changed.
   * @param {import("../boards/kit.js").Place[]} open
   * @param {string[]} names
   */
  showPlaces(open, names) {
    const { felt, places } = this.parts;
    const placed = open.map((place) => JSON.stringify(place));
    const had = this.placed;
    this.placed = placed;
    if (placed.length !== had.length) {
      places.replaceChildren(...open.map((place) => placeOf(place, names)));
      return placed.length ? felt.append(places) : places.remove();
    }
    placed.forEach((text, at) => text === had[at] || become(places.children[at], placeOf(open[at], names)));
  }

  measure() {
    const { story, lines } = this.parts;
    const entries = /** @type {HTMLElement[]} */ ([...lines.children]);
    this.spots = new Map(
      entries.map((entry) => [Number(entry.dataset.version), { top: entry.offsetTop, height: entry.offsetHeight }]),
    );
    this.sight = { top: story.scrollTop, height: story.clientHeight };
    this.mark(this.marked);
  }

  /** Marks a version in the story, which moves on only when the mark comes near its edge: so it can be read.
   * @param {number} version */
  mark(version) {
    const { lines, mark } = this.parts;
    lines.querySelector("[aria-current]")?.removeAttribute("aria-current");
    lines.querySelector(`[data-version="${version}"]`)?.setAttribute("aria-current", "step");
    this.marked = version;
    const spot = this.spots.get(version);
    mark.hidden = !spot;
    if (!spot) return this.scrollStory(0);
    mark.style.height = `${spot.height}px`;
    mark.style.transform = `translateY(${spot.top}px)`;
    const quarter = this.sight.height / 4, at = spot.top - this.sight.top;
    if (at < quarter) this.scrollStory(spot.top - 3 * quarter);
    else if (at + spot.height > 3 * quarter) this.scrollStory(spot.top - quarter);
  }

  /** @param {number} top */
  scrollStory(top) {
    const { story } = this.parts;
    if (Math.max(0, top) === this.sight.top) return; // what is at its end already is not asked where it is
    story.scrollTop = top;
    this.sight.top = story.scrollTop;
  }
}

customElements.define("fd-replay", ReplayPage);

/**
 * Every card in a place.
 * @param {import("../boards/kit.js").Place} place
 * @param {string[]} names
 */
function placeOf({ name, seat, cards }, names) {
  return h(
    "section",
    {
      class: "sheet",
      "data-testid": "place",
      "data-place": name,
      "data-cards": cards.length,
      "data-seat": seat,
      "data-open": true,
    },
    h(
      "h2",
      {},
      `${capital(name)}${seat === null ? "" : ` of ${names[seat]}`} `,
      h("span", { class: "quiet" }, counted(cards.length, "card")),
    ),
    h("div", { class: "row" }, cards.map(anyCard)),
  );
}

/** The table: one game, live. */

import { boardFor } from "../boards/index.js";
import { cardsOf, keyOf, markLast } from "../boards/kit.js";
import { withChips } from "../cards.js";
import { command, follow, get, pathTo, Problem, send, titleOf } from "../api.js";
import { capital, counted, h, nameOf, spaced } from "../dom.js";
import { icon } from "../icons.js";
import { draggable, goesOn, step, waysOf } from "../hands.js";
import * as memory from "../memory.js";
import { fly, positions } from "../motion.js";
import { account } from "../account.js";
import { clockOf } from "../clock.js";
import { inText, named, namesOf } from "../names.js";
import { lobbyOf } from "../seats.js";

/** @typedef {import("../boards/kit.js").Scene} Scene */
/** @typedef {import("../boards/kit.js").Move} Move */

const KEYS = [..."1234567890abcdefghijklmnopqrstuvwxyz"];
const OVER = ["finished", "abandoned", "void"];
/** What whoever leaves is asked, by phase; a table whose seals stay shut could not be left otherwise.
 * @type {Record<string, { button: string, question: string }>} */
const LEFT = {
  running: { button: "Give up the game", question: "Leave this game? Whoever leaves a running game loses it." },
  sealed: {
    button: "Leave the table",
    question: "Leave this table? Nothing has been dealt: the game becomes void, and its story says that you left.",
  },
};

export class TablePage extends HTMLElement {
  /** @param {string} game */
  constructor(game) {
    super();
    this.game = game;
    /** @type {any} */
    this.look = null;
    /** @type {any[]} */
    this.events = [];
    /** @type {string[]} */
    this.selected = [];
    /** @type {import("../boards/kit.js").Board | null} */
    this.board = null;
    /** @type {import("../hands.js").Way[]} */
    this.ways = [];
    /** @type {import("../hands.js").Way[] | null} */
    this.choice = null;
    this.busy = false;
    /** What is under way: the next move waits for its answer, and is not lost. */
    this.doing = Promise.resolve();
    this.pending = 0;
    /** Whether the story follows what happens: it does until somebody scrolls back. */
    this.pinned = true;
    /** The version for which a move was made, so that a double click makes one move. */
    this.movedAt = -1;
    /** @type {string | null} whose seat we play: of a branch, every one in turn */
    this.as = null;
    this.leaving = new AbortController();
    this.title = "";
    this.kept = memory.receiptsOf(game);
    this.dataset.testid = "game";
    this.classList.add("table-page");
    this.parts = {
      head: h("header", { class: "table-head" }),
      notices: h("div", { class: "notices" }),
      felt: h("div", { class: "felt" }, h("p", { class: "quiet loading" }, "The table is being laid …")),
      moves: h("section", { class: "moves", "aria-label": "Your moves" }),
      story: h("ol", { class: "story", "data-testid": "story", tabindex: "0", "aria-label": "The story so far" }),
      said: h("p", { class: "said", "aria-live": "polite" }),
    };
    const { head, notices, felt, moves, story, said } = this.parts;
    this.append(
      head,
      notices,
      h(
        "div",
        { class: "table-main" },
        h("div", { class: "table-left" }, felt, said),
        h("div", { class: "table-side" }, moves, aside(story)),
      ),
    );
    story.addEventListener("scroll", () => {
      this.pinned = story.scrollTop + story.clientHeight > story.scrollHeight - 60;
    });
    draggable(felt, (token) => this.pick([token]), (token) => token === null ? this.pick([]) : this.touch(token));
    felt.addEventListener("click", (event) => {
      const spot =
        /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("button[data-token]"));
      if (spot) this.touch(spot.dataset.token ?? "");
    });
  }

  connectedCallback() {
    const { signal } = this.leaving;
    addEventListener("keydown", (event) => this.typed(event), { signal });
    document.addEventListener("visibilitychange", () => this.notify(false), { signal });
    const hear = {
      batch: (/** @type {any} */ message) => void this.take(message),
      end: () => this.toggleAttribute("data-ended", true),
      state: (/** @type {boolean} */ connected) => this.connected(connected),
    };
    follow(this.game, 0, hear, signal).catch((error) => {
      if (!(error instanceof Problem) || error.code !== "beyond_head") return this.failed(error);
      this.alarm(); // the server has less than it has shown us
      this.dropNotice("offline");
    });
  }

  disconnectedCallback() {
    this.leaving.abort();
  }

  /** The player changed: everything is seen with other eyes now. */
  reload() {
    this.replaceWith(new TablePage(this.game));
  }

  /** @param {unknown} error */
  failed(error) {
    const unknown = error instanceof Problem && error.status === 404;
    const says = unknown
      ? "There is no such table, or it is not for you to see."
      : String(/** @type {any} */ (error).message ?? error);
    this.replaceChildren(
      h(
        "div",
        { class: "empty" },
        h("h1", {}, unknown ? "No such table" : "Something went wrong"),
        h("p", {}, says),
        h("a", { href: pathTo("/") }, "To the lobby"),
      ),
    );
  }

  /** @param {boolean} connected */
  connected(connected) {
    this.toggleAttribute("data-connected", connected);
    if (connected) {
      this.dropNotice("offline");
      this.dropNotice("refusal[data-code=offline]");
    } else this.notice("offline", "The connection is lost. The page goes on as soon as it is back.");
  }

  // -- what the server says --------------------------------------------------------------------------------------------

  /** @param {{ version: number, events: any[], look: any }} message */
  async take(message) {
    const first = this.look === null;
    const { events } = message;
    let { look } = message;
    if (!first && look.version < this.look.version) return;
    if (!this.board) [this.title, this.board] = await Promise.all([titleOf(look.kind), boardFor(look.kind)]);
    const known = this.events.length ? this.events[this.events.length - 1].version : 0;
    const fresh = events.filter((event) => event.version > known);
    const mine = this.isMyTurn();
    this.events.push(...fresh);
    look = await this.asBranch(look);
    if (!first && look.version < this.look.version) return;
    this.look = look;
    this.selected = [];
    this.choice = null;
    this.show(fresh, first);
    this.witness(first);
    if (!mine && this.isMyTurn()) this.notify(!first);
    this.reveal();
  }

  /** Whoever made a branch moves every seat of it, and sees it with the eyes of whoever has to act.
   * @param {any} look */
  async asBranch(look) {
    const branch = this.events.some(({ name }) => name.includes(".game_branched."));
    if (!branch || look.phase !== "running" || account.player === null || account.player !== look.opener) return look;
    this.as = look.players[look.active[0]] ?? null;
    return this.as === null
      ? look
      : await get(`games/${this.game}?as=${encodeURIComponent(this.as)}`).catch(() => look);
  }

  isMyTurn() {
    return this.look?.phase === "running" && this.look.seat !== null && this.look.active.includes(this.look.seat);
  }

  /** Opens our seal as soon as that is asked for. */
  async reveal() {
    const { phase, seat, active } = this.look;
    if (phase !== "sealed" || seat === null || !active.includes(seat) || this.busy) return;
    const entropy = memory.entropyFor(this.game);
    if (!entropy) {
      return this.notice(
        "seal",
        "Your seal was made in another browser: open this table there, or nothing can be dealt.",
      );
    }
    this.busy = true;
    this.movedAt = -1;
    try {
      this.answered(await command(this.game, "reveal_entropy", { entropy }));
    } catch (error) {
      this.refuse(error);
    } finally {
      this.busy = false;
    }
  }

  /** Compares the history that the server shows with what it gave us receipts for.
   * @param {boolean} first */
  async witness(first) {
    const { receipt, version } = this.look;
    if (!receipt) return;
    const link = receipt.split(":")[2];
    const shorter = first && this.kept.some((kept) => kept.version > version);
    const other = memory.receiptsOf(this.game).some((kept) => kept.version === version && kept.link !== link);
    if (shorter || other) return this.alarm();
    memory.keepReceipt(receipt);
    const last = this.kept.findLast((kept) => kept.version < version);
    if (!first || !last) return;
    const answer = await get(`games/${this.game}/receipts/${last.version}:${last.link}`).catch(() => null);
    if (answer?.good === false) this.alarm();
  }

  alarm() {
    this.notice(
      "history",
      "This is not the history that the server gave you receipts for: somebody changed this game. Your receipts are kept.",
      h("a", { href: pathTo(`/games/${this.game}/audit`) }, "Look at the audit"),
    );
  }

  /** @param {any} answer */
  answered(answer) {
    memory.keepReceipt(answer?.receipt);
    this.dropNotice("refusal");
  }

  // -- what the player does --------------------------------------------------------------------------------------------

  /** @param {Move} move */
  make(move) {
    if (this.busy && this.movedAt === this.look.version) return;
    this.movedAt = this.look.version;
    this.busy = true;
    this.pending++;
    this.toggleAttribute("data-busy", true);
    this.doing = this.doing.then(() => this.sendMove(move));
  }

  /** @param {Move} move */
  async sendMove(move) {
    try {
      this.answered(
        await send(`games/${this.game}/moves${this.as === null ? "" : `?as=${encodeURIComponent(this.as)}`}`, move),
      );
      this.selected = [];
    } catch (error) {
      this.refuse(error);
    } finally {
      this.pending--;
      this.busy = this.pending > 0;
      this.toggleAttribute("data-busy", this.busy);
    }
  }

  /** @param {string} token */
  touch(token) {
    if (!this.look || this.look.phase !== "running") return;
    if (this.look.seat === null) return;
    if (!this.isMyTurn()) return this.refuse(new Problem(409, "not_your_turn", "It is not your turn."));
    const scene = this.scene();
    const isGoal = !/^(?:card|value|slot):/.test(token);
    const next = step(this.ways, this.selected, token, isGoal);
    if ("make" in next) return this.make(next.make);
    if ("choose" in next) {
      this.choice = next.choose;
      this.showMoves();
      this.say(`Choose one of ${next.choose.length} moves.`);
      return /** @type {HTMLElement | null} */ (this.parts.moves.querySelector("[data-move]"))?.focus();
    }
    if ("selected" in next) return this.pick(next.selected);
    const wanted = "propose" in next ? this.board?.propose(this.selected, token, scene) : null;
    if (wanted) return this.make(wanted);
    this.pick([]);
    const spot = this.parts.felt.querySelector(`[data-token="${CSS.escape(token)}"]`);
    this.refuse(
      new Problem(
        409,
        "no_such_move",
        `There is no legal move with ${spot?.getAttribute("aria-label") ?? "that"} now.`,
      ),
    );
  }

  /** @param {string[]} tokens */
  pick(tokens) {
    this.selected = tokens;
    this.choice = null;
    if (tokens.length) this.dropNotice("refusal");
    this.showBoard([], false);
    this.showMoves();
  }

  /** @param {KeyboardEvent} event */
  typed(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (target.closest("input, textarea, select, dialog, [contenteditable]")) return;
    if (event.key === "Escape" && (this.selected.length || this.choice)) return this.pick([]);
    const moves = /** @type {HTMLElement[]} */ ([...this.parts.moves.querySelectorAll("[data-move]")]);
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const at = moves.indexOf(target);
      if (at < 0) return;
      event.preventDefault();
      return moves[(at + (event.key === "ArrowDown" ? 1 : moves.length - 1)) % moves.length].focus();
    }
    const number = event.shiftKey ? -1 : KEYS.indexOf(event.key.toLowerCase());
    if (number >= 0 && moves[number] && !event.repeat) {
      event.preventDefault();
      moves[number].click();
    }
  }

  // -- what is said ----------------------------------------------------------------------------------------------------

  /** @param {unknown} error */
  refuse(error) {
    const { message, code } = error instanceof Problem ? error : new Problem(0, "error", String(error));
    if (error instanceof Problem && error.status === 401) return account.ask(() => this.reload());
    this.dropNotice("refusal");
    this.parts.notices.append(
      h(
        "p",
        { class: "notice refusal", role: "alert", "data-testid": "refusal", "data-code": code },
        h("b", {}, "Not possible. "),
        message,
      ),
    );
  }

  /**
   * @param {string} name
   * @param {import("../dom.js").Child[]} says
   */
  notice(name, ...says) {
    this.dropNotice(name);
    this.parts.notices.append(
      h("p", { class: `notice ${name}`, role: "status" }, ...says.flatMap((part) => [part, " "])),
    );
  }

  /** @param {string} name */
  dropNotice(name) {
    this.parts.notices.querySelector(`.notice.${name}`)?.remove();
  }

  /** @param {string} text */
  say(text) {
    this.parts.said.replaceChildren(...withChips(text, this.look.kind));
  }

  /** A browser asks its reader before a page may call them. */
  async askToCall() {
    await Notification.requestPermission();
    this.showMoves();
  }

  /** The title says whose turn it is, and a hidden tab calls for its player.
   * @param {boolean} fresh */
  notify(fresh) {
    const turn = this.isMyTurn();
    document.title = `${turn ? "● Your turn – " : ""}${this.title} – Fairdeal`;
    if (
      !fresh || !turn || !document.hidden || !("Notification" in globalThis) || Notification.permission !== "granted"
    ) return;
    const notice = new Notification(`Your turn at ${this.title}`, { tag: this.game });
    notice.onclick = () => globalThis.focus();
  }

  // -- what is seen ----------------------------------------------------------------------------------------------------

  /** @returns {Scene} */
  scene() {
    const { view, seat, active, legal, options } = this.look;
    const names = namesOf(this.look);
    const scene = /** @type {Scene} */ ({
      view,
      names,
      seat,
      active: this.look.phase === "running" || this.look.phase === "sealed" ? active : [],
      legal,
      options,
      places: null,
      selected: this.selected,
      sources: new Set(),
      targets: new Set(),
      live: this.look.phase === "running" && seat !== null,
      clock: (/** @type {number} */ at) =>
        clockOf(
          this.look,
          at,
          () => command(this.game, "claim_timeout", { seat: at }).catch((error) => this.refuse(error)),
        ),
    });
    this.ways = this.board && view ? waysOf(this.board, scene) : [];
    for (const way of this.ways) {
      if (goesOn(way, this.selected)) {
        for (const token of way.from) scene.sources.add(token);
        if (way.to && this.selected.length === way.from.length) scene.targets.add(way.to);
      }
      if (!way.anyOrder && way.from.length) scene.sources.add(way.from[0]);
      else for (const token of way.from) scene.sources.add(token);
    }
    return scene;
  }

  /**
   * @param {any[]} fresh
   * @param {boolean} first
   */
  show(fresh, first) {
    const { version, phase, active } = this.look;
    this.dataset.phase = phase;
    this.dataset.active = active.join(",");
    this.showHead();
    this.showBoard(fresh, !first);
    this.showMoves();
    this.showStory(fresh, first);
    this.dataset.version = version;
    this.notify(false);
  }

  showHead() {
    const { phase, rated, players } = this.look;
    const game = this.game;
    const title = h("h1", {}, this.title, h("span", { class: `phase ${phase}` }, phase));
    const links = h(
      "nav",
      { "aria-label": "This game" },
      h("a", { href: pathTo(`/rules/${this.look.kind}`) }, "Rules"),
      h("a", { href: pathTo(`/games/${game}/replay`) }, "Replay"),
      h("a", { href: pathTo(`/games/${game}/audit`) }, "Audit"),
      this.isSeated() && LEFT[phase] && this.button(LEFT[phase].button, () => this.leave(), { class: "plain" }),
    );
    const seals = this.seals();
    const badge = h(
      "span",
      {
        class: `seal-badge${seals.length ? " sealed" : ""}`,
        title:
          "Whoever seals a random number of their own into the shuffle makes sure that nobody can choose the cards.",
      },
      seals.length
        ? [icon("seal"), " Sealed by ", ...seals.flatMap((name, i) => [i ? ", " : "", nameOf(name)])]
        : "Not sealed by players",
    );
    const watching = this.look.seat === null && players.length > 0 && phase !== "lobby" &&
      h("span", { class: "tag" }, "you are watching");
    this.parts.head.replaceChildren(
      ...[
        title,
        (phase === "lobby" ? seals.length > 0 : players.length > 0) && badge,
        rated && !players.some((/** @type {string} */ player) => player.startsWith("bot:")) &&
        h("span", { class: "tag" }, "rated"),
        watching,
        links,
      ].filter((part) => part instanceof Node),
    );
  }

  isSeated() {
    return this.look.seat !== null;
  }

  /** Who sealed entropy of their own.
   * @returns {string[]} */
  seals() {
    /** @type {Map<string, boolean>} */
    const sealed = new Map();
    for (const { name, event } of this.events) {
      if (name.includes(".player_seated.")) sealed.set(event.player, Boolean(event.seal));
    }
    const names = namesOf(this.look);
    return this.look.players.flatMap((/** @type {string} */ player, /** @type {number} */ seat) =>
      sealed.get(player) ? [names[seat]] : []
    );
  }

  /**
   * @param {string} text
   * @param {() => void} act
   * @param {import("../dom.js").Attributes} [more]
   */
  button(text, act, more = {}) {
    return h("button", { type: "button", onclick: act, ...more }, text);
  }

  async leave() {
    const asked = LEFT[this.look.phase];
    if (!asked || !confirm(asked.question)) return;
    try {
      this.answered(await command(this.game, "leave_game"));
    } catch (error) {
      this.refuse(error);
    }
  }

  /**
   * @param {any[]} fresh
   * @param {boolean} moving
   */
  showBoard(fresh, moving) {
    const { felt } = this.parts;
    const { view, phase } = this.look;
    const focused =
      /** @type {HTMLElement | null} */ (felt.contains(document.activeElement) ? document.activeElement : null)?.dataset
        .token;
    const before = positions(felt);
    if (phase === "lobby" || (phase === "sealed" && !view)) {
      felt.replaceChildren(lobbyOf(this.look, this.title, {
        act: async (/** @type {() => Promise<any>} */ doing) => {
          try {
            this.answered(await doing());
          } catch (error) {
            this.refuse(error);
          }
        },
        reload: () => this.reload(),
      }));
      return;
    }
    const scene = this.scene();
    const over = OVER.includes(phase) && this.outcome();
    felt.replaceChildren(
      ...[over, view && this.board ? this.board.render(scene) : h("p", { class: "quiet" }, "Nothing was dealt.")]
        .filter((part) => part instanceof Node),
    );
    markLast(felt, this.lastDone());
    if (moving) fly(felt, before, (key, element) => originOf(fresh, key, element));
    if (focused) {
      /** @type {HTMLElement | null} */ (felt.querySelector(`[data-token="${CSS.escape(focused)}"]`))?.focus();
    }
  }

  /** All that whoever acted last has done since somebody else did. */
  lastDone() {
    const by = this.events.at(-1)?.by;
    return this.events.slice(this.events.findLastIndex((event) => event.by !== by) + 1);
  }

  outcome() {
    const { outcome, phase, kind } = this.look;
    const names = namesOf(this.look);
    const winners = (outcome?.winners ?? []).map((/** @type {number} */ seat) => names[seat]);
    const says = winners.length
      ? [
        winners.flatMap((/** @type {string} */ name, /** @type {number} */ i) => [i ? " and " : "", nameOf(name)]),
        winners.length > 1 ? " share the win." : " wins.",
      ]
      : [phase === "finished" ? "Nobody wins." : `The game is ${phase}.`];
    const scores = outcome?.scores?.length
      ? h(
        "p",
        { class: "quiet" },
        outcome.scores.flatMap((
          /** @type {number} */ score,
          /** @type {number} */ seat,
        ) => [seat ? " · " : "", nameOf(names[seat] ?? ""), ` ${score}`]),
      )
      : null;
    return h(
      "section",
      { class: "outcome sheet", "aria-label": "How it ended" },
      h(
        "div",
        {},
        h("h2", {}, ...says),
        // A reason that only says that it was won says nothing more.
        outcome?.reason && outcome.reason !== "won" && h("p", { class: "quiet" }, capital(spaced(outcome.reason))),
        scores,
      ),
      h(
        "p",
        { class: "buttons" },
        h("a", { class: "button", href: pathTo(`/games/${this.game}/replay`) }, "Replay it"),
        h("a", { class: "button", href: pathTo(`/games/${this.game}/audit`) }, "Audit it"),
        h("a", { class: "button", href: pathTo(`/?play=${encodeURIComponent(kind)}`) }, "Play again"),
      ),
    );
  }

  showMoves() {
    const { moves } = this.parts;
    const { legal_total: total, legal, phase, seat } = this.look;
    moves.classList.toggle("mine", this.isMyTurn());
    if (phase !== "running" || seat === null || !this.board) return moves.replaceChildren();
    const scene = this.scene();
    scene.names = scene.names.map(inText);
    const focused =
      /** @type {HTMLElement | null} */ (moves.contains(document.activeElement) ? document.activeElement : null);
    const chosen = this.choice ??
      (this.selected.length ? this.ways.filter((way) => goesOn(way, this.selected)) : this.ways);
    const title = !this.isMyTurn()
      ? `Waiting for ${this.look.active.map((/** @type {number} */ at) => scene.names[at]).join(", ") || "the others"}`
      : this.choice
      ? "Choose"
      : this.selected.length
      ? "Moves with what you picked up"
      : `Your moves`;
    const buttons = chosen.map((way, i) =>
      h(
        "li",
        {},
        h(
          "button",
          {
            type: "button",
            class: "legal-move",
            "data-testid": "legal-move",
            "data-move": JSON.stringify(way.move),
            "aria-keyshortcuts": KEYS[i] ?? null,
            onclick: () => this.make(way.move),
          },
          KEYS[i] && h("kbd", { "aria-hidden": "true" }, KEYS[i]),
          h("span", {}, capital(this.board?.say(way.move, scene) ?? way.move.move)),
        ),
      )
    );
    const hidden = total - legal.length;
    moves.replaceChildren(
      h(
        "h2",
        {},
        title,
        this.isMyTurn() && h("span", { class: "quiet" }, ` ${counted(chosen.length, "move")}`),
      ),
      h("ol", { class: "legal" }, ...buttons),
      ...[
        (this.selected.length || this.choice) &&
        this.button("Show all moves (Esc)", () => this.pick([]), { class: "plain" }),
        !this.isMyTurn() && "Notification" in globalThis && Notification.permission === "default" &&
        this.button("Call me when it is my turn", () => void this.askToCall(), { class: "plain" }),
        hidden > 0 && h("p", { class: "quiet" }, `and ${hidden} more, by picking up cards`),
      ].filter((part) => part instanceof Node),
    );
    if (focused?.dataset.move) {
      const same = moves.querySelector(`[data-move="${CSS.escape(focused.dataset.move)}"]`);
      /** @type {HTMLElement | null} */ (same ?? moves.querySelector("[data-move]"))?.focus({ preventScroll: true });
    }
  }

  /**
   * @param {any[]} fresh
   * @param {boolean} first
   */
  showStory(fresh, first) {
    const { story } = this.parts;
    for (const { version, line } of fresh) {
      story.append(
        h(
          "li",
          { "data-version": version },
          h(
            "a",
            { href: pathTo(`/games/${this.game}/replay?version=${version}`), "aria-label": `version ${version}` },
            version,
          ),
          h("span", {}, withChips(named(line, this.look), this.look.kind)),
        ),
      );
    }
    if (this.pinned) story.scrollTop = story.scrollHeight;
    if (!first && fresh.length) this.say(fresh.map((event) => named(event.line, this.look)).join(" "));
    else if (first) this.say(this.isMyTurn() ? "It is your turn." : "");
  }
}

customElements.define("fd-table", TablePage);

/** @param {Node} story */
const aside = (story) => h("aside", { class: "table-aside", "aria-label": "Story" }, h("h2", {}, "Story"), story);

/**
 * Where a card that was not seen before came from: the deck if it is in a hand now, else the seat that played it.
 * @param {any[]} fresh
 * @param {string} key
 * @param {HTMLElement} element
 */
function originOf(fresh, key, element) {
  if (element.closest(".hand")) return "deck";
  for (const { event } of fresh) {
    if (typeof event.seat === "number" && cardsOf(event).some((card) => keyOf(card) === key)) {
      return `seat-${event.seat}`;
    }
  }
  return null;
}

/** The lobby: open tables, one's own games, and two ways to a new one. */

import { account } from "../account.js";
import { allKinds, command, get, pathTo, send, titleOf } from "../api.js";
import { BOT_LEVELS, levelsOf } from "../bots.js";
import { cardBack, frenchCard, kindCard, red7Card, tradingCard } from "../cards.js";
import { ago, counted, dialog, h, nameOf, once, spaced, when } from "../dom.js";
import { chosenDeck, keepSetting, setting } from "../memory.js";
import { optionsForm } from "../options.js";
import { join } from "../seats.js";
import { oneOf } from "../settings.js";

const AGAIN = 5000;
const BLURBS = {
  kings_corners: "Build down on the cross; kings take the corners.",
  pardon: "Get rid of your cards: hand, face up, face down.",
  red7: "Be winning at the end of your turn, by a rule you may change.",
  reviiyot: "Ask for values, collect sets of four.",
  tcg: "Mana, minions and spells: bring the other hero to zero.",
};

/** The preset of the trading card game that one can bring a deck to. */
const WITH_DECKS = "full";

/** @typedef {{ kind: string, title: string, seats: [number, number], presets: any, bots: string[] }} Kind */

/** @param {string} address */
const go = (address) => dispatchEvent(new CustomEvent("fairdeal:go", { detail: address }));

export class LobbyPage extends HTMLElement {
  /** @param {string | null} play a kind to start at once */
  constructor(play) {
    super();
    this.play = play;
    /** @type {any} */
    this.timer = 0;
    this.classList.add("lobby");
    this.mine = h("div", { class: "games" });
    this.open = h("div", { class: "games" });
    this.running = h("div", { class: "games" });
    this.append(
      h(
        "section",
        { class: "hero-line felt" },
        h(
          "div",
          {},
          h("h1", {}, "Sit down and play"),
          h(
            "p",
            { class: "lead" },
            "Card games with nothing up the sleeve: you help to shuffle, and can check every card afterwards.",
          ),
          h(
            "p",
            { class: "buttons" },
            h(
              "button",
              {
                type: "button",
                class: "primary large",
                "data-testid": "play-bots",
                onclick: once(() => this.choose()),
              },
              "Play against bots",
            ),
            h(
              "button",
              { type: "button", class: "large", "data-testid": "new-table", onclick: once(() => this.newTable()) },
              "New table",
            ),
          ),
        ),
        heroCards(),
      ),
      section("Your games", this.mine),
      section("Open tables", this.open),
      section("Running now", this.running),
      h(
        "section",
        { class: "promises" },
        promise("You shuffle, too", "Your browser seals a random number before the deal. Nobody can choose the cards."),
        promise(
          "Nothing is lost",
          "Every move is kept before it is answered. Any game can be seen again, step by step.",
        ),
        promise("Anybody can check", "After the end your own browser recomputes every shuffle and every record."),
      ),
    );
  }

  connectedCallback() {
    void this.refresh();
    if (this.play) void this.playAtOnce(this.play);
  }

  disconnectedCallback() {
    clearTimeout(this.timer);
  }

  /** @param {string} kind */
  async playAtOnce(kind) {
    history.replaceState(null, "", pathTo("/"));
    const known = (await allKinds()).find((one) => one.kind === kind);
    if (known && account.player !== null) await playBots(known, setting("bot") || "careful");
  }

  async refresh() {
    const me = account.player;
    try {
      const [open, running, mine] = await Promise.all([
        get("games?phase=lobby&limit=20"),
        get("games?phase=running&limit=12"),
        me === null ? { items: [] } : get(`games?player=${encodeURIComponent(me)}&limit=30`),
      ]);
      await this.list(this.mine, firstThings(mine.items), "You have not played yet.");
      await this.list(this.open, open.items.filter(isOthers), "No table is waiting for players.");
      await this.list(this.running, running.items.filter(isOthers), "Nobody else is playing right now.");
    } catch (error) {
      if (!this.open.childElementCount) {
        this.open.replaceChildren(h("p", { class: "problem" }, String(/** @type {any} */ (error).message)));
      }
    }
    if (this.isConnected) this.timer = setTimeout(() => void this.refresh(), AGAIN);
  }

  /**
   * @param {HTMLElement} into
   * @param {any[]} games
   * @param {string} nothing
   */
  async list(into, games, nothing) {
    const focused = into.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
    const tiles = await Promise.all(games.map(tile));
    into.replaceChildren(...(tiles.length ? tiles : [h("p", { class: "quiet" }, nothing)]));
    if (focused) /** @type {HTMLElement | null} */ (into.querySelector(`a[href="${CSS.escape(focused)}"]`))?.focus();
  }

  async choose() {
    if (account.player === null) return account.ask(() => void this.choose());
    const kinds = await allKinds();
    const problem = h("p", { class: "problem", role: "alert" });
    let level = setting("bot") || "careful";
    const box = dialog(
      "Which game?",
      oneOf("bot", "Against", BOT_LEVELS, level, (chosen) => {
        level = chosen;
        keepSetting("bot", chosen);
      }),
      h(
        "div",
        { class: "kinds" },
        kinds.map((kind) =>
          kindButton(kind, async (event) => {
            const button = /** @type {HTMLButtonElement} */ (event.currentTarget);
            button.disabled = true;
            try {
              await playBots(kind, level);
            } catch (error) {
              button.disabled = false;
              problem.textContent = String(/** @type {any} */ (error).message);
            }
          })
        ),
      ),
      problem,
      h(
        "p",
        { class: "buttons" },
        h("button", { type: "button", class: "plain", onclick: () => box.close() }, "Not now"),
      ),
    );
    box.showModal();
  }

  async newTable() {
    if (account.player === null) return account.ask(() => void this.newTable());
    const kinds = await allKinds();
    const problem = h("p", { class: "problem", role: "alert" });
    let chosen = kinds[0];
    let form = await optionsForm(chosen);
    const holder = h("div", {}, form.element);
    const choices = h(
      "div",
      { class: "kinds", role: "group", "aria-label": "Game" },
      kinds.map((kind) =>
        kindButton(kind, async () => {
          chosen = kind;
          form = await optionsForm(kind);
          holder.replaceChildren(form.element);
          for (const button of choices.children) {
            button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.kind === kind.kind));
          }
        }, kind === chosen)
      ),
    );
    const open = once(async () => {
      try {
        go(pathTo(`/games/${await openTable(chosen, form.values())}`));
      } catch (error) {
        problem.textContent = String(/** @type {any} */ (error).message);
      }
    });
    const box = dialog(
      "New table",
      h(
        "form",
        {
          novalidate: true,
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            void open();
          },
        },
        choices,
        holder,
        problem,
        h(
          "p",
          { class: "buttons" },
          h("button", { class: "primary", "data-testid": "open-table" }, "Open the table"),
          h("button", { type: "button", class: "plain", onclick: () => box.close() }, "Not now"),
        ),
      ),
    );
    box.showModal();
  }
}

customElements.define("fd-lobby", LobbyPage);

/**
 * @param {string} title
 * @param {Node} content
 */
const section = (title, content) => h("section", {}, h("h2", {}, title), content);

/**
 * @param {string} title
 * @param {string} text
 */
const promise = (title, text) => h("div", {}, h("h2", {}, title), h("p", {}, text));

function heroCards() {
  const bolt = tradingCard({ id: "bolt", kind: "damage", cost: 2, amount: 4 });
  const cards = [frenchCard("AS"), red7Card("V3"), frenchCard("KH"), bolt, cardBack()];
  cards.forEach((card, i) => {
    card.style.setProperty("--i", String(i));
    card.removeAttribute("role");
    card.removeAttribute("aria-label");
  });
  return h("div", { class: "hero-cards", "aria-hidden": "true" }, cards);
}

/** @param {any} game */
const idOf = (game) => game.game ?? game.id;

/** @param {any} game */
const isOthers = (game) => !game.players.includes(account.player);

const MOST_OWN = 12, MOST_OVER = 3;

/**
 * One's own games: first those in which one has to act, then the others that go on, then a few that are over.
 * @param {any[]} games the newest first
 */
function firstThings(games) {
  /** @param {any} game */
  const rank = (game) =>
    (game.turn ?? []).includes(account.player) ? 0 : ["running", "sealed", "lobby"].includes(game.phase) ? 1 : 2;
  const [turns, others, over] = [0, 1, 2].map((wanted) => games.filter((game) => rank(game) === wanted));
  const goingOn = [...turns, ...others].slice(0, MOST_OWN);
  return [...goingOn, ...over.slice(0, Math.max(MOST_OVER, MOST_OWN - goingOn.length - MOST_OVER))].slice(0, MOST_OWN);
}

const MANY = 50;

/**
 * @param {number} fewest
 * @param {number} most
 */
function playersOf(fewest, most) {
  if (fewest === most) return counted(fewest, "player");
  return most > MANY ? `${fewest} players or more` : `${fewest} to ${most} players`;
}

/**
 * @param {Kind} kind
 * @param {(event: MouseEvent) => void} onclick
 * @param {boolean} [pressed]
 */
function kindButton({ kind, title, seats: [fewest, most] }, onclick, pressed) {
  return h(
    "button",
    {
      type: "button",
      class: "kind",
      "data-testid": "kind-choice",
      "data-kind": kind,
      onclick,
      "aria-pressed": pressed === undefined ? null : String(pressed),
    },
    kindCard(kind),
    h("b", {}, title),
    h("span", { class: "quiet" }, /** @type {any} */ (BLURBS)[kind] ?? ""),
    h("span", { class: "quiet" }, playersOf(fewest, most)),
  );
}

/**
 * Opens a table, sits down with sealed entropy, fills it with bots, and starts.
 * @param {Kind} kind
 * @param {string} level
 */
async function playBots({ kind, seats, bots }, level) {
  const levels = levelsOf(bots).map(([name]) => name);
  const bot = levels.includes(level) ? level : levels[levels.length - 1];
  const game = await openTable({ kind, seats, bots, title: "", presets: [] }, {
    options: kind === "tcg" && chosenDeck() !== null ? WITH_DECKS : undefined,
    rated: false,
    bots: Array(seats[0] - 1).fill(bot),
    start: true,
    sit: true,
  });
  go(pathTo(`/games/${game}`));
}

/**
 * @param {Kind} kind
 * @param {{ options?: any, clock?: any, rated?: boolean, spectators?: string, bots: string[], sit: boolean, start: boolean }} wish
 */
async function openTable({ kind }, { options, clock, rated, spectators, bots, sit, start }) {
  const fields = Object.entries({ options, clock, rated, spectators }).filter(([, value]) =>
    value !== undefined && value !== null
  );
  const look = await send("games", { kind, ...Object.fromEntries(fields) });
  if (sit) await join(look);
  for (const bot of bots) await command(look.game, "add_bot", { bot });
  if (start) await command(look.game, "start_game");
  return look.game;
}

/** @param {any} game */
async function tile(game) {
  const { kind, players, phase, turn = [], winners = [] } = game;
  const names = players.map((/** @type {string} */ player, /** @type {number} */ at) => game.names?.[at] || player);
  /** @param {string} player */
  const nameFor = (player) => names[players.indexOf(player)] ?? player;
  const last = game.last_at ?? game.opened_at ?? null;
  const mine = account.player !== null && turn.includes(account.player);
  const state = phase === "lobby"
    ? counted(game.free_seats ?? 0, "free seat")
    : phase === "finished"
    ? winners.length
      ? [
        "won by ",
        winners.flatMap((
          /** @type {string} */ winner,
          /** @type {number} */ i,
        ) => [i ? ", " : "", nameOf(nameFor(winner))]),
      ]
      : "nobody won"
    : phase === "running"
    ? mine ? "your turn" : turn.length ? [nameOf(nameFor(turn[0])), " to move"] : "running"
    : spaced(phase);
  return h(
    "a",
    { class: `tile${mine ? " mine" : ""}`, href: pathTo(`/games/${idOf(game)}`), "data-phase": phase },
    kindCard(kind),
    h(
      "span",
      { class: "tile-text" },
      h("b", {}, await titleOf(kind)),
      h(
        "span",
        { class: "names" },
        names.length
          ? names.flatMap((/** @type {string} */ name, /** @type {number} */ i) => [i ? " · " : "", nameOf(name)])
          : "nobody sits there yet",
      ),
      h(
        "span",
        { class: `state${mine ? " turn" : ""}` },
        mine ? h("b", {}, state) : h("span", {}, state),
        h("time", { datetime: last, title: when(last) }, ago(last)),
      ),
    ),
  );
}

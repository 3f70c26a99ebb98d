/** The deck builder of the trading card game: decks are kept in this browser, and can be loaded from and saved to files. */

import { ROOT } from "../api.js";
import { tradingCard } from "../cards.js";
import { capital, counted, h } from "../dom.js";
import * as memory from "../memory.js";

/** @typedef {import("../cards.js").Printed} Printed */

const SIZE = 20;
const COPIES = 4;
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9 _-]{0,38}[A-Za-z0-9])?$/;
const LETTERS = { damage: "damage", healing: "healing", drawer: "drawers" };

export class DecksPage extends HTMLElement {
  constructor() {
    super();
    /** @type {Printed[]} */
    this.pool = [];
    /** @type {Map<string, number>} */
    this.counts = new Map();
    this.cards = h("div", { class: "deck-cards" });
    this.sum = h("p", { role: "status" });
    this.says = h("p", { class: "problem", role: "alert" });
    this.name = /** @type {HTMLInputElement} */ (h("input", { id: "deck-name", maxlength: 40, value: "My deck" }));
    this.kept = h("ul", { class: "kept-decks" });
    const file = /** @type {HTMLInputElement} */ (h("input", {
      type: "file",
      id: "deck-file",
      accept: ".json",
      onchange: () => void this.load(file),
    }));
    this.append(
      h("h1", {}, "Decks"),
      h(
        "p",
        { class: "lead" },
        "Build a deck of twenty for the trading card game. The one you choose comes to every table to which decks may be brought; below a card stands which tables take it.",
      ),
      h("section", { class: "panel" }, h("h2", {}, "Your decks"), this.kept),
      h(
        "section",
        { class: "panel" },
        h("h2", {}, "Build"),
        h(
          "div",
          { class: "deck-bar" },
          h("label", { for: "deck-name" }, "Name"),
          this.name,
          this.sum,
          h("button", { type: "button", class: "primary", onclick: () => this.keep() }, "Save"),
          h("button", { type: "button", onclick: () => this.save() }, "Save as a file"),
          h("button", { type: "button", class: "plain", onclick: () => (this.counts.clear(), this.show()) }, "Empty"),
        ),
        this.says,
        h("p", {}, h("label", { for: "deck-file" }, "Load from a file "), file),
        this.cards,
      ),
    );
  }

  async connectedCallback() {
    document.title = "Decks – Fairdeal";
    this.pool = await (await fetch(new URL("static/tcg-pool.json", ROOT))).json();
    this.show();
  }

  /** @returns {memory.Deck} */
  deck() {
    const cards = this.pool.filter(({ id }) => this.counts.get(id)).map(({ id }) => ({
      id,
      count: this.counts.get(id) ?? 0,
    }));
    return { name: this.name.value.trim(), cards };
  }

  size() {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** What is wrong with the deck; empty if it can be played. */
  fault() {
    if (!NAME.test(this.name.value.trim())) {
      return "A name has letters, digits, spaces, - and _, and begins and ends with a letter or digit.";
    }
    if (this.size() !== SIZE) return `A deck has ${SIZE} cards; this one has ${this.size()}.`;
    return "";
  }

  keep() {
    this.says.textContent = this.fault();
    if (this.says.textContent) return;
    const deck = this.deck();
    if (!memory.keepDeck(deck)) this.says.textContent = "This browser keeps nothing.";
    memory.chooseDeck(deck.name);
    this.show();
  }

  save() {
    this.says.textContent = this.fault();
    if (this.says.textContent) return;
    const deck = this.deck();
    const text = `${JSON.stringify({ format: "tcg-deck", version: 1, ...deck }, null, 2)}\n`;
    const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    h("a", { href: address, download: `${deck.name}.json` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  /** @param {HTMLInputElement} input */
  async load(input) {
    const [file] = input.files ?? [];
    if (!file) return;
    try {
      this.take(JSON.parse(await file.text()));
      this.says.textContent = "";
    } catch {
      this.says.textContent = "That file does not hold a deck.";
    }
  }

  /** @param {memory.Deck} deck */
  take(deck) {
    const known = new Set(this.pool.map(({ id }) => id));
    const counts = deck.cards.map(({ id, count }) => {
      if (!known.has(id) || !Number.isInteger(count) || count < 1 || count > SIZE) throw new Error("not a deck");
      return /** @type {[string, number]} */ ([id, count]);
    });
    this.counts = new Map(counts);
    this.name.value = String(deck.name);
    this.show();
  }

  /**
   * @param {string} id
   * @param {number} by
   */
  change(id, by) {
    this.counts.set(id, Math.max(0, Math.min(COPIES, (this.counts.get(id) ?? 0) + by)));
    const focused = document.activeElement?.getAttribute("aria-label");
    this.show();
    if (focused) {
      /** @type {HTMLElement | null} */ (this.querySelector(`[aria-label="${CSS.escape(focused)}"]`))?.focus();
    }
  }

  show() {
    const costs = this.pool.reduce((sum, { id, cost }) => sum + (this.counts.get(id) ?? 0) * (cost ?? 0), 0);
    const size = this.size();
    this.sum.textContent = `${size} of ${SIZE} cards${size ? `, ${(costs / size).toFixed(1)} mana on average` : ""}`;
    this.cards.replaceChildren(...this.pool.map((printed) => {
      const count = this.counts.get(printed.id) ?? 0;
      return h(
        "div",
        { class: `deck-card${count ? " in" : ""}`, role: "group", "aria-label": `${printed.id}, ${count} in the deck` },
        tradingCard(printed),
        h("span", { class: "quiet" }, this.needs(printed)),
        h(
          "span",
          { class: "buttons" },
          h("button", {
            type: "button",
            "aria-label": `One ${printed.id} less`,
            disabled: count === 0,
            onclick: () => this.change(printed.id, -1),
          }, "−"),
          h("b", {}, count),
          h("button", {
            type: "button",
            "aria-label": `One more ${printed.id}`,
            disabled: count === COPIES,
            onclick: () => this.change(printed.id, 1),
          }, "+"),
        ),
      );
    }));
    const chosen = memory.chosenDeck();
    const own = memory.decks().map((deck) =>
      h(
        "li",
        {},
        h("b", {}, deck.name),
        ` ${counted(deck.cards.reduce((sum, { count }) => sum + count, 0), "card")} `,
        deck.name === chosen && h("span", { class: "tag" }, "comes to the table"),
        h("button", {
          type: "button",
          class: "plain",
          onclick: () => (memory.chooseDeck(deck.name === chosen ? null : deck.name), this.show()),
        }, deck.name === chosen ? "Leave it at home" : "Choose"),
        h("button", { type: "button", class: "plain", onclick: () => this.take(deck) }, "Edit"),
        h(
          "button",
          { type: "button", class: "plain", onclick: () => (memory.dropDeck(deck.name), this.show()) },
          "Delete",
        ),
      )
    );
    this.kept.replaceChildren(
      ...(own.length ? own : [h("li", { class: "quiet" }, "None yet: the house's own deck comes to the table.")]),
    );
  }

  /** Which variation a card needs.
   * @param {Printed} printed */
  needs({ kind, cost, amount }) {
    if (kind === "damage") return cost === amount ? "every table" : "with free damage";
    return `with ${/** @type {any} */ (LETTERS)[kind ?? ""] ?? capital(kind ?? "")}`;
  }
}

customElements.define("fd-decks", DecksPage);

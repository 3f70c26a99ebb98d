/** The ratings of one kind of game: a picture, and the same as a table. */

import { allKinds, get, pathTo, titleOf } from "../api.js";
import { h, nameOf, when } from "../dom.js";
import { rangePlot } from "../plot.js";

const SHOWN = 15;

export class RatingsPage extends HTMLElement {
  /** @param {string} kind */
  constructor(kind) {
    super();
    this.kind = kind;
    this.classList.add("ratings");
  }

  async connectedCallback() {
    try {
      const title = await titleOf(this.kind);
      document.title = `Ratings of ${title} – Fairdeal`;
      const { items } = await get(`ratings/${encodeURIComponent(this.kind)}`);
      this.replaceChildren(h("h1", {}, `Ratings: ${title}`), await kindTabs("ratings", this.kind), ...content(items));
    } catch (error) {
      this.replaceChildren(
        h("div", { class: "empty" }, h("h1", {}, "No ratings"), h("p", {}, String(/** @type {any} */ (error).message))),
      );
    }
  }
}

customElements.define("fd-ratings", RatingsPage);

/**
 * @param {string} page
 * @param {string} current
 */
export async function kindTabs(page, current) {
  const kinds = await allKinds();
  return h(
    "nav",
    { class: "tabs", "aria-label": "Games" },
    kinds.map(({ kind, title }) =>
      h(
        "a",
        { class: "button", href: pathTo(`/${page}/${kind}`), "aria-current": kind === current ? "page" : null },
        title,
      )
    ),
  );
}

/** @param {any[]} items */
function content(items) {
  if (!items.length) return [h("p", { class: "quiet" }, "Nobody has finished a rated game of this kind yet.")];
  const named = items.map((item) => ({ ...item, name: item.display_name || item.name || item.player }));
  const rows = named.slice(0, SHOWN).map(({ name, mu, sigma }) => ({
    name,
    low: mu - 3 * sigma,
    mean: mu,
    high: mu + 3 * sigma,
  }));
  return [
    h(
      "section",
      { class: "panel" },
      rangePlot("The best players: a point for the strength, a line for the doubt about it", rows),
    ),
    h(
      "div",
      { class: "panel scroll", tabindex: "0", role: "region", "aria-label": "Ratings as a table" },
      h(
        "table",
        { class: "data" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["Rank", "Player", "Rating", "Strength", "Doubt", "Games", "Last game"].map((text, i) =>
              h("th", { scope: "col", class: i > 1 && i < 6 ? "n" : null }, text)
            ),
          ),
        ),
        h(
          "tbody",
          {},
          named.map((item) =>
            h(
              "tr",
              { "data-testid": "rating-row", "data-player": item.player },
              h("td", {}, item.rank),
              h("td", {}, h("a", { href: pathTo(`/players/${encodeURIComponent(item.player)}`) }, nameOf(item.name))),
              [item.rating, item.mu, item.sigma].map((value) => h("td", { class: "n" }, value.toFixed(1))),
              h("td", { class: "n" }, item.games),
              h("td", {}, when(item.last_at)),
            )
          ),
        ),
      ),
    ),
    h(
      "p",
      { class: "quiet" },
      "The rating is what a player is worth almost for certain: the strength less three times the doubt.",
    ),
  ];
}

/** One player: statistics, ratings over time, who they met, and their games. */

import { get, pathTo, titleOf } from "../api.js";
import { capital, day, h, nameOf, spaced, when } from "../dom.js";
import { linePlot } from "../plot.js";

export class PlayerPage extends HTMLElement {
  /**
   * @param {string} player
   * @param {string | null} against
   */
  constructor(player, against) {
    super();
    this.player = player;
    this.against = against;
  }

  async connectedCallback() {
    const path = `players/${encodeURIComponent(this.player)}`;
    try {
      const [found, played] = await Promise.all([get(path), get(`${path}/games`)]);
      const name = found.display_name || found.name || this.player;
      document.title = `${name} – Fairdeal`;
      const games = played.items.map(flat);
      this.replaceChildren(
        h("h1", {}, nameOf(name)),
        figures(found.statistics ?? []),
        await ratings(found.ratings ?? [], found.rating_steps ?? []),
        h(
          "div",
          { class: "panels" },
          h("div", {}, await statistics(found.statistics ?? []), await progress(games)),
          h("div", {}, opponents(games, this.player), await list(games)),
        ),
      );
    } catch (error) {
      this.replaceChildren(
        h(
          "div",
          { class: "empty" },
          h("h1", {}, "No such player"),
          h("p", {}, String(/** @type {any} */ (error).message)),
        ),
      );
    }
  }
}

customElements.define("fd-player", PlayerPage);

/** A game with its result, however deep the answer holds it.
 * @param {any} item */
const flat = (item) => typeof item.game === "object" ? { ...item.game, seat: item.seat, result: item.result } : item;

/**
 * @param {string} title
 * @param {string[]} columns
 * @param {Node[]} rows
 * @param {import("../dom.js").Child} [before]
 */
function panel(title, columns, rows, before = null) {
  const numbers = columns[1] !== "Result";
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, title),
    before,
    rows.length
      ? h(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": title },
        h(
          "table",
          { class: "data" },
          h(
            "thead",
            {},
            h("tr", {}, columns.map((text, i) => h("th", { scope: "col", class: i && numbers ? "n" : null }, text))),
          ),
          h("tbody", {}, rows),
        ),
      )
      : h("p", { class: "quiet" }, "Nothing yet."),
  );
}

/** What one looks for first.
 * @param {any[]} all */
function figures(all) {
  /** @param {string} field */
  const sum = (field) => all.reduce((total, one) => total + one[field], 0);
  const played = sum("played");
  const share = played ? `${Math.round(100 * sum("won") / played)} %` : "–";
  return h(
    "dl",
    { class: "figures" },
    [["Games", played], ["Won", sum("won")], ["Share won", share], ["Kinds of games", all.length]].map((
      [term, value],
    ) => h("div", {}, h("dt", {}, term), h("dd", {}, value))),
  );
}

/** @param {any[]} all */
async function statistics(all) {
  const rows = await Promise.all(
    all.map(async (one) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, await titleOf(one.kind)),
        [
          one.played,
          one.won,
          one.drawn,
          one.lost,
          one.abandoned,
          one.streak,
          one.best_streak,
          one.average_moves.toFixed(1),
        ].map((value) => h("td", { class: "n" }, value)),
      )
    ),
  );
  return panel(
    "Statistics",
    ["Game", "Played", "Won", "Drawn", "Lost", "Left", "Streak", "Best", "Moves"],
    rows,
  );
}

/**
 * @param {any[]} all
 * @param {{ kind: string, at: string, rating: number }[]} steps what every rated game made of them, the oldest first
 */
async function ratings(all, steps) {
  const rows = await Promise.all(all.map(async (one) =>
    h(
      "tr",
      { "data-testid": "rating-row", "data-kind": one.kind },
      h("th", { scope: "row" }, h("a", { href: pathTo(`/ratings/${one.kind}`) }, await titleOf(one.kind))),
      [one.rank, one.rating.toFixed(1), one.games].map((value) => h("td", { class: "n" }, value)),
    )
  ));
  const plots = await Promise.all(all.map(async ({ kind }) => {
    const points = steps.filter((step) => step.kind === kind);
    if (points.length < 2) return null;
    const [first, last] = [points[0], points[points.length - 1]];
    const title = `${await titleOf(kind)} over time`;
    return h(
      "figure",
      { class: "over-time" },
      h("figcaption", {}, title),
      linePlot(
        `Rating, ${title}: from ${first.rating.toFixed(1)} to ${last.rating.toFixed(1)} in ${points.length} games`,
        points.map((point) => point.rating),
        [day(first.at), day(last.at)],
      ),
      asTable(["When", "Rating"], points.map((point) => [when(point.at), point.rating.toFixed(1)])),
    );
  }));
  const found = plots.filter((plot) => plot !== null);
  return panel(
    "Ratings",
    ["Game", "Rank", "Rating", "Rated games"],
    rows,
    found.length ? h("div", { class: "plots" }, found) : null,
  );
}

/**
 * The points of a plot in words and numbers; the last column has the numbers.
 * @param {string[]} columns
 * @param {import("../dom.js").Child[][]} rows
 */
function asTable(columns, rows) {
  const last = columns.length - 1;
  return h(
    "details",
    {},
    h("summary", {}, "The same as a table"),
    h(
      "div",
      { class: "scroll" },
      h(
        "table",
        { class: "data" },
        h(
          "thead",
          {},
          h("tr", {}, columns.map((text, i) => h("th", { scope: "col", class: i === last && "n" }, text))),
        ),
        h(
          "tbody",
          {},
          rows.map((cells) => h("tr", {}, cells.map((cell, i) => h("td", { class: i === last && "n" }, cell)))),
        ),
      ),
    ),
  );
}

const STEPS = { won: 1, lost: -1, abandoned: -1 };

/** Wins less defeats, game by game: what the ratings come from.
 * @param {any[]} games */
async function progress(games) {
  const ended = games.filter((game) => game.result).reverse();
  if (ended.length < 2) return h("div", {});
  let sum = 0;
  const values = ended.map((game) => (sum += /** @type {any} */ (STEPS)[game.result] ?? 0));
  const first = day(ended[0].ended_at ?? ended[0].last_at), last = day(ended.at(-1)?.ended_at ?? null);
  const rows = await Promise.all(
    ended.map(async (game, i) => [when(game.ended_at), await titleOf(game.kind), spaced(game.result), values[i]]),
  );
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, "Wins less defeats"),
    linePlot(`Wins less defeats over ${ended.length} games, ${values[values.length - 1]} now`, values, [first, last]),
    asTable(["When", "Game", "Result", "Sum"], rows),
  );
}

/**
 * @param {any[]} games
 * @param {string} player
 */
function opponents(games, player) {
  /** @type {Map<string, { name: string, played: number, ahead: number, behind: number }>} */
  const met = new Map();
  for (const game of games) {
    if (game.phase !== "finished") continue;
    const mine = game.winners?.includes(player);
    game.players.forEach((/** @type {string} */ other, /** @type {number} */ seat) => {
      if (other === player) return;
      const entry = met.get(other) ?? { name: game.names?.[seat] || other, played: 0, ahead: 0, behind: 0 };
      const theirs = game.winners?.includes(other);
      entry.played++;
      if (mine && !theirs) entry.ahead++;
      if (theirs && !mine) entry.behind++;
      met.set(other, entry);
    });
  }
  const rows = [...met].sort((one, two) => two[1].played - one[1].played).slice(0, 20).map((
    [other, { name, played, ahead, behind }],
  ) =>
    h(
      "tr",
      {},
      h(
        "th",
        { scope: "row" },
        other.startsWith("bot:")
          ? nameOf(name)
          : h("a", { href: pathTo(`/players/${encodeURIComponent(other)}`) }, nameOf(name)),
      ),
      [played, ahead, behind, played - ahead - behind].map((value) => h("td", { class: "n" }, value)),
    )
  );
  return panel("Head to head", ["Against", "Games", "Ahead", "Behind", "Even"], rows);
}

/** @param {any[]} games */
async function list(games) {
  const rows = await Promise.all(games.map(async (game) =>
    h(
      "tr",
      {},
      h(
        "th",
        { scope: "row" },
        h(
          "a",
          { href: pathTo(`/games/${typeof game.game === "string" ? game.game : game.id}`) },
          await titleOf(game.kind),
        ),
      ),
      h("td", {}, capital(spaced(game.result ?? game.phase))),
      h("td", {}, when(game.ended_at ?? game.last_at ?? null)),
    )
  ));
  return panel("Games", ["Game", "Result", "When"], rows);
}

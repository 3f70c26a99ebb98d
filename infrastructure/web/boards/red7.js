/** Red7: the canvas with its rule, who leads by each of the seven rules, and everybody's palette. */

import { nameOfCard, noCard, RED7, red7Card, withChips } from "../cards.js";
import { counted, h, nameOf } from "../dom.js";
import { deck, keyed, layout, otherHand, othersOf, ownHand, pickable, place, seatOf } from "./kit.js";

/** @typedef {import("./kit.js").Scene} Scene */

/** @param {string} card */
const said = (card) => nameOfCard(card, "red7");

/** @type {import("./kit.js").Board} */
export const board = {
  render(scene) {
    const { view } = scene;
    const own = scene.seat === null ? null : seatOf(
      scene,
      scene.seat,
      palette(scene, scene.seat),
      view.hand && ownHand(
        scene,
        view.hand.length,
        view.hand.map((/** @type {string} */ card) => {
          const picked = scene.selected.indexOf(`card:${card}`);
          const badge = scene.selected.length > 1 && picked >= 0 ? ["palette", "rule"][picked] : undefined;
          return pickable(scene, `card:${card}`, red7Card(card), { key: card, badge });
        }),
      ),
    );
    const others = othersOf(scene, view.players.length).map((seat) =>
      seatOf(scene, seat, palette(scene, seat), otherHand(scene, seat, view.players[seat].hand_size, red7Card))
    );
    return layout("red7", others, middle(scene), own);
  },

  gesture(move) {
    const { move: name, card, rule_card: rule } = move;
    if (name === "play") return { from: [`card:${card}`], to: "palette" };
    if (name === "change_rule") return { from: [`card:${card}`], to: "canvas" };
    if (name === "play_and_change") return { from: [`card:${card}`, `card:${rule}`], to: "canvas" };
    return { from: [], to: null };
  },

  propose(from, to) {
    const [card, rule] = from.map((token) => token.slice(5));
    if (rule) return { move: "play_and_change", card, rule_card: rule };
    if (to === "palette") return { move: "play", card };
    return to === "canvas" ? { move: "change_rule", card } : null;
  },

  say(move, scene) {
    const takes = move.take ? `, taking ${said(move.take)} from ${scene.names[move.target]}` : "";
    const drops = move.discard ? `, sending ${said(move.discard)} to the canvas` : "";
    switch (move.move) {
      case "play":
        return `${said(move.card)} to your palette${takes}${drops}`;
      case "change_rule":
        return `${said(move.card)} as the new rule`;
      case "play_and_change":
        return `${said(move.card)} to your palette${takes}${drops}, then ${said(move.rule_card)} as the rule`;
      case "end_turn":
        return "end the turn";
      default:
        return "give up";
    }
  },
};

/** @param {Scene} scene */
function middle(scene) {
  const { view } = scene;
  const top = view.canvas.at(-1);
  const rule = RED7.find((colour) => colour.name === view.rule);
  return h(
    "div",
    { class: "red7-middle" },
    deck(scene, view.deck_size),
    place(
      scene,
      {
        name: "canvas",
        cards: view.canvas.length,
        token: "canvas",
        class: "pile canvas",
        label: `canvas, the rule is ${view.rule}: ${rule?.rule}`,
      },
      h("span", { class: "stack" }, top ? keyed(red7Card(top), top) : noCard("red")),
      h("span", { class: `rule-now ${view.rule}` }, h("b", {}, view.rule), ` ${rule?.rule}`),
    ),
    h(
      "table",
      { class: "standings" },
      h("caption", {}, "Who leads by which rule"),
      h(
        "tbody",
        {},
        view.standings.map((/** @type {any} */ standing) => {
          const colour = RED7.find((one) => one.name === standing.colour);
          const now = standing.colour === view.rule;
          return h(
            "tr",
            { class: now ? "now" : "" },
            h(
              "th",
              { scope: "row" },
              h("span", { class: `swatch ${standing.colour}` }, colour?.letter),
              ` ${colour?.rule}`,
            ),
            h(
              "td",
              {},
              standing.leader === null ? "nobody" : nameOf(scene.names[standing.leader] ?? "?"),
              now && h("span", { class: "tag" }, "now"),
            ),
            h("td", { class: "number" }, standing.cards.length ? withChips(standing.cards.join(" "), "red7") : "–"),
          );
        }),
      ),
    ),
  );
}

/**
 * @param {Scene} scene
 * @param {number} seat
 */
function palette(scene, seat) {
  const player = scene.view.players[seat];
  const cards = player.palette;
  const own = seat === scene.seat;
  const scored = player.score.length ? `, ${counted(player.points, "point")}` : "";
  return place(
    scene,
    {
      name: "palette",
      seat,
      cards: cards.length,
      token: own ? "palette" : null,
      class: `row palette${player.out ? " out" : ""}`,
      label: `palette of ${scene.names[seat]}${
        player.out ? ", out of the round" : `: ${cards.map(said).join(", ") || "empty"}`
      }${scored}`,
    },
    cards.length
      ? cards.map((/** @type {string} */ card) => keyed(red7Card(card), card))
      : noCard(player.out ? "out" : ""),
    (player.score.length > 0 || scene.options?.rounds) &&
      h("span", { class: "points" }, counted(player.points, "point")),
  );
}

/** Kings Corners: the cross of four foundations around the deck, with a corner for each king between them. */

import { frenchCard, nameOfCard, noCard } from "../cards.js";
import { counted, h } from "../dom.js";
import { deck, keyed, layout, otherHand, othersOf, ownHand, pickable, place, seatOf } from "./kit.js";

/** @typedef {import("./kit.js").Scene} Scene */

const CROSS = ["NW", "N", "NE", "W", "", "E", "SW", "S", "SE"];
const WORDS = { N: "north", E: "east", S: "south", W: "west" };

/** @param {string} pile */
const wordsOf = (pile) => [...pile].map((letter) => /** @type {any} */ (WORDS)[letter]).join("-");
/** @param {string} pile */
const kindOf = (pile) => pile.length === 1 ? "foundation" : "corner";
/** @param {string} pile */
const nameOfPile = (pile) => `${wordsOf(pile)} ${kindOf(pile)}`;
/** Corners lie a little aslant, as on a real table. */
const LEANS = { NW: "-8deg", NE: "8deg", SW: "8deg", SE: "-8deg" };

/** @type {import("./kit.js").Board} */
export const board = {
  render(scene) {
    const { view } = scene;
    const piles = new Map(view.piles.map((/** @type {any} */ { pile, cards }) => [pile, cards]));
    const cross = CROSS.map((name) => name ? pile(scene, name, piles.get(name) ?? []) : deck(scene, view.deck_size));
    const seats = view.hand_sizes.length;
    const own = scene.seat !== null && view.hand
      ? seatOf(
        scene,
        scene.seat,
        ownHand(
          scene,
          view.hand.length,
          view.hand.map((/** @type {string} */ card) =>
            pickable(scene, `card:${card}`, frenchCard(card), { key: card })
          ),
        ),
      )
      : null;
    const others = othersOf(scene, seats).map((seat) =>
      seatOf(scene, seat, otherHand(scene, seat, view.hand_sizes[seat], frenchCard))
    );
    return layout("kings-corners", others, h("div", { class: "cross" }, ...cross), own);
  },

  gesture(move) {
    if (move.move === "play") return { from: [`card:${move.card}`], to: `pile:${move.pile}` };
    if (move.move === "move") return { from: [`pile:${move.source}`], to: `pile:${move.target}` };
    return { from: [], to: null };
  },

  propose([from], to) {
    if (!to.startsWith("pile:")) return null;
    const target = to.slice(5);
    if (from.startsWith("card:")) return { move: "play", card: from.slice(5), pile: target };
    return { move: "move", source: from.slice(5), target };
  },

  say(move) {
    if (move.move === "play") return `play ${nameOfCard(move.card)} on the ${nameOfPile(move.pile)}`;
    if (move.move === "move") return `move the ${nameOfPile(move.source)} onto the ${nameOfPile(move.target)}`;
    return "end the turn";
  },
};

/**
 * @param {Scene} scene
 * @param {string} name
 * @param {string[]} cards bottom first
 */
function pile(scene, name, cards) {
  const top = cards.at(-1);
  const says = `${nameOfPile(name)}, ` +
    (top
      ? `${counted(cards.length, "card")}, ${nameOfCard(top)} on top, ${nameOfCard(cards[0])} at the bottom`
      : "empty");
  const shown = cards.length > 1 ? [cards[0], cards[cards.length - 1]] : cards;
  return place(
    scene,
    {
      name: `${kindOf(name)} ${name}`,
      cards: cards.length,
      token: `pile:${name}`,
      label: says,
      class: `pile ${kindOf(name)}`,
    },
    h(
      "span",
      {
        class: `stack${shown.length > 1 ? " two" : ""}`,
        vars: { "--lean": /** @type {any} */ (LEANS)[name] ?? "0deg" },
      },
      shown.length ? shown.map((card) => keyed(frenchCard(card), card)) : noCard(kindOf(name) === "corner" ? "K" : ""),
    ),
    cards.length > 1 && h("span", { class: "count", "aria-hidden": "true" }, cards.length),
  );
}

/** Reviiyot: everybody's number of cards, the sets that are out, and one's own hand by value; click a value, then whom to ask. */

import { frenchCard, nameOfCard } from "../cards.js";
import { counted, h } from "../dom.js";
import { deck, layout, otherHand, othersOf, ownHand, pickable, place, seatOf } from "./kit.js";

/** @typedef {import("./kit.js").Scene} Scene */

const LARGE = 30;

/** @param {string} card */
const valueOf = (card) => card.slice(0, -1);

/** @type {import("./kit.js").Board} */
export const board = {
  render(scene) {
    const { view } = scene;
    const seats = view.hand_sizes.length;
    const own = scene.seat !== null && view.hand
      ? seatOf(
        scene,
        scene.seat,
        ownHand(
          scene,
          view.hand.length,
          grouped(view.hand).map((group) =>
            h(
              "div",
              { class: "set" },
              group.map((card) => pickable(scene, `value:${valueOf(card)}`, frenchCard(card), { key: card, card })),
            )
          ),
        ),
      )
      : null;
    const shown = othersOf(scene, seats).slice(0, LARGE);
    const others = shown.map((seat) => {
      const size = view.hand_sizes[seat];
      const label = `ask ${scene.names[seat]}, ${counted(size, "card")}`;
      const hand = otherHand(scene, seat, size, frenchCard);
      if (!scene.live) return seatOf(scene, seat, hand);
      return seatOf(
        scene,
        seat,
        place(scene, { name: "asked", seat, cards: size, token: `seat:${seat}`, class: "asked", label }, `Ask for …`),
        hand,
      );
    });
    if (shown.length < seats - 1) {
      others.push(h("p", { class: "quiet" }, `and ${seats - 1 - shown.length} more players`));
    }
    return layout("reviiyot", others, middle(scene), own);
  },

  gesture(move) {
    return { from: [`value:${move.value}`], to: `seat:${move.seat}` };
  },

  propose([from], to) {
    if (!to.startsWith("seat:")) return null;
    return { move: "ask", seat: Number(to.slice(5)), value: from.slice(6) };
  },

  say(move, scene) {
    return `ask ${scene.names[move.seat] ?? `seat ${move.seat + 1}`} for ${move.value}s`;
  },
};

/** @param {string[]} hand */
function grouped(hand) {
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const card of hand) groups.set(valueOf(card), [...groups.get(valueOf(card)) ?? [], card]);
  return [...groups.values()];
}

/** @param {Scene} scene */
function middle(scene) {
  const { view } = scene;
  return h(
    "div",
    { class: "sets" },
    deck(scene, view.deck_size),
    place(
      scene,
      {
        name: "discarded cards",
        cards: 4 * view.discarded.length,
        class: "row discarded",
        label: `sets that are out: ${view.discarded.join(", ") || "none"}`,
      },
      h("span", { class: "quiet" }, view.discarded.length ? "Sets that are out" : "No set of four is out yet"),
      view.discarded.map((/** @type {string} */ value) => {
        const card = frenchCard(`${value}S`);
        card.setAttribute("aria-label", `all four ${value}s (${nameOfCard(`${value}S`)} and so on)`);
        return card;
      }),
    ),
    h("p", { class: "quiet" }, `${counted(view.turns, "turn")} so far`),
  );
}

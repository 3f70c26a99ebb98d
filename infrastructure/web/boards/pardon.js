/** Pardon: the play ground in the middle, and before everybody three cards face up on three face down. */

import { cardBack, frenchCard, nameOfCard, noCard } from "../cards.js";
import { counted, h } from "../dom.js";
import {
  caption,
  deck,
  keyed,
  layout,
  openCards,
  otherHand,
  othersOf,
  ownHand,
  pickable,
  place,
  seatOf,
} from "./kit.js";

/** @typedef {import("./kit.js").Scene} Scene */

/** @type {import("./kit.js").Board} */
export const board = {
  render(scene) {
    const { view } = scene;
    const seats = view.hand_sizes.length;
    const own = scene.seat === null ? null : seatOf(
      scene,
      scene.seat,
      rows(scene, scene.seat),
      view.hand && ownHand(
        scene,
        view.hand.length,
        view.hand.map((/** @type {string} */ card) => pickable(scene, `card:${card}`, frenchCard(card), { key: card })),
      ),
    );
    const others = othersOf(scene, seats).map((seat) =>
      seatOf(scene, seat, rows(scene, seat), otherHand(scene, seat, view.hand_sizes[seat], frenchCard))
    );
    return layout("pardon", others, middle(scene), own);
  },

  gesture(move, scene) {
    /** @param {string[]} cards */
    const all = (cards) => cards.map((card) => `card:${card}`);
    if (move.move === "choose") return { from: all(move.cards), to: "face-up", anyOrder: true };
    if (move.move === "play") return { from: all(move.cards), to: "table", anyOrder: true };
    if (move.move === "face_down") return { from: [`slot:${move.slot}`], to: "table" };
    return { from: scene.view.table.length ? ["table"] : [], to: "hand" };
  },

  propose(from, to) {
    if (to === "face-up") return { move: "choose", cards: from.map((token) => token.slice(5)) };
    if (to !== "table") return null;
    if (from[0].startsWith("slot:")) return { move: "face_down", slot: Number(from[0].slice(5)) };
    return from[0].startsWith("card:") ? { move: "play", cards: from.map((token) => token.slice(5)) } : null;
  },

  say(move) {
    switch (move.move) {
      case "choose":
        return `lay ${move.cards.map((/** @type {string} */ card) => nameOfCard(card)).join(", ")} face up`;
      case "play":
        return `play ${move.cards.map((/** @type {string} */ card) => nameOfCard(card)).join(", ")}`;
      case "face_down":
        return `turn the face-down card ${move.slot}`;
      default:
        return "take the table";
    }
  },
};

/** @param {Scene} scene */
function middle(scene) {
  const { view } = scene;
  const table = view.table.slice(-4);
  const top = view.table.at(-1);
  const { burned, idle, no_progress_limit: limit } = view;
  return h(
    "div",
    { class: "ground" },
    deck(scene, view.deck_size, "Deck"),
    place(
      scene,
      {
        name: "table",
        cards: view.table.length,
        token: "table",
        class: "pile ground",
        label: `play ground, ${counted(view.table.length, "card")}${top ? `, ${nameOfCard(top)} on top` : ""}`,
      },
      h(
        "span",
        { class: "spread" },
        table.length ? table.map((/** @type {string} */ card) => keyed(frenchCard(card), card)) : noCard(),
      ),
      h("span", { class: "count", "aria-hidden": "true" }, view.table.length),
      caption("Table"),
    ),
    place(
      scene,
      {
        name: "burned cards",
        cards: burned.length,
        class: "pile burned",
        label: `${counted(burned.length, "burned card")}`,
      },
      h("span", { class: "stack" }, burned.length ? cardBack("burned cards") : noCard()),
      h("span", { class: "count", "aria-hidden": "true" }, burned.length),
      caption("Burned"),
    ),
    limit !== null && idle > limit / 2 &&
      h("p", { class: "quiet" }, `${idle} of ${limit} actions without progress: then it is a draw.`),
  );
}

/**
 * @param {Scene} scene
 * @param {number} seat
 */
function rows(scene, seat) {
  const { view } = scene;
  const up = view.face_up[seat], slots = view.face_down[seat];
  const own = seat === scene.seat;
  const open = openCards(scene, "face-down cards", seat);
  const whose = own ? "your" : `${scene.names[seat]}'s`;
  return h(
    "div",
    { class: "rows" },
    place(
      scene,
      {
        name: "face-up row",
        seat,
        cards: up.length,
        token: own ? "face-up" : null,
        class: "row up",
        label: `${whose} face-up row: ${
          up.map((/** @type {string} */ card) => nameOfCard(card)).join(", ") || "empty"
        }`,
      },
      up.length ? up.map((/** @type {string} */ card) => keyed(frenchCard(card), card)) : noCard("face up"),
    ),
    h(
      "div",
      {
        class: "place row down",
        role: "group",
        "aria-label": `${whose} face-down cards, ${slots.length}`,
        "data-testid": "place",
        "data-place": "face-down cards",
        "data-cards": slots.length,
        "data-seat": seat,
      },
      slots.map((/** @type {number} */ slot, /** @type {number} */ i) =>
        own && scene.live
          ? pickable(scene, `slot:${slot}`, cardBack(`face-down card ${slot}`), {
            place: "face-down cards",
            testid: null,
          })
          : open?.[i]
          ? keyed(frenchCard(open[i]), open[i])
          : cardBack(`face-down card ${slot}`)
      ),
    ),
  );
}

/** Games that the page does not know: whatever their view says, with cards where it speaks of cards. */

import { anyCard, nameOfCard, withChips } from "../cards.js";
import { capital, counted, h, spaced } from "../dom.js";
import { keyed, layout, othersOf, ownHand, pickable, seatOf } from "./kit.js";

/** @typedef {import("./kit.js").Scene} Scene */

/** What the seats, the head and the outcome say already. */
const SAID = ["seat", "turn", "active", "over", "winner", "winners", "hand"];

/** @type {import("./kit.js").Board} */
export const board = {
  render(scene) {
    const facts = Object.entries(scene.view ?? {}).filter(([name]) => !SAID.includes(name));
    const seats = scene.names.length;
    const ofSeats = facts.filter(([, value]) => isOfSeats(value, seats));
    const ofTable = facts.filter(([, value]) => !isOfSeats(value, seats));
    /** @param {number} seat */
    const before = (seat) => factsOf(ofSeats.map(([name, value]) => [name, value[seat]]), seat);
    const { hand } = scene.view ?? {};
    const own = scene.seat === null ? null : seatOf(
      scene,
      scene.seat,
      before(scene.seat),
      Array.isArray(hand) &&
        ownHand(
          scene,
          hand.length,
          hand.map((card) => pickable(scene, tokenOf(card), anyCard(card), { key: tokenOf(card) })),
        ),
    );
    const others = othersOf(scene, seats).map((seat) => seatOf(scene, seat, before(seat)));
    return layout("generic", others, factsOf(ofTable, null), own);
  },

  gesture(move) {
    const { move: _, ...fields } = move;
    return { from: Object.values(fields).flat().map(tokenOf), to: null, anyOrder: true };
  },

  propose: () => null,

  say(move) {
    const { move: name, ...fields } = move;
    /** @param {any} value */
    const one = (value) =>
      isCard(value) ? nameOfCard(value, /^[ROYGBIV]/.test(value) ? "red7" : "french") : String(value);
    const said = Object.entries(fields).filter(([, value]) => value !== null).map(([key, value]) => {
      const all = [value].flat();
      return all.length && all.every(isCard) ? all.map(one).join(", ") : `${spaced(key)} ${all.map(one).join(", ")}`;
    });
    return [spaced(name), ...said].join(" ");
  },
};

/** @param {any} card */
const tokenOf = (card) =>
  typeof card === "object" && card !== null ? String(card.id ?? JSON.stringify(card)) : String(card);

/** @param {any} value */
const isCard = (value) => typeof value === "string" && /^(?:(?:\d+|[AJQK])[CDHS]|[ROYGBIV][1-7])$/.test(value);

/**
 * Whether it has one value for each seat.
 * @param {any} value
 * @param {number} seats
 */
const isOfSeats = (value, seats) => Array.isArray(value) && seats > 1 && value.length === seats && !value.every(isCard);

/**
 * @param {[string, any][]} facts
 * @param {number | null} seat
 */
const factsOf = (facts, seat) => h("dl", { class: "facts" }, facts.map(([name, value]) => fact(name, value, seat)));

/**
 * @param {string} name
 * @param {any} value
 * @param {number | null} seat
 */
function fact(name, value, seat) {
  const title = capital(spaced(name));
  if (Array.isArray(value) && value.length && value.every(isCard)) {
    return h(
      "div",
      { class: "wide", "data-testid": "place", "data-place": name, "data-cards": value.length, "data-seat": seat },
      h("dt", {}, `${title}, ${counted(value.length, "card")}`),
      h("dd", { class: "row" }, value.map((card) => keyed(anyCard(card), card))),
    );
  }
  return h("div", {}, h("dt", {}, title), h("dd", {}, shown(value)));
}

/**
 * @param {any} value
 * @returns {import("../dom.js").Child}
 */
function shown(value) {
  if (value === null) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (isCard(value)) return anyCard(value);
  if (Array.isArray(value)) {
    if (!value.length) return "none";
    if (value.every((item) => typeof item !== "object" || item === null)) {
      return withChips(value.map((item) => item ?? "?").join(" "), /^[ROYGBIV][1-7]$/.test(value[0]) ? "red7" : "");
    }
    return h("ol", {}, value.map((item) => h("li", {}, shown(item))));
  }
  if (typeof value === "object") {
    return h(
      "dl",
      {},
      Object.entries(value).map(([name, inner]) =>
        h("div", {}, h("dt", {}, capital(spaced(name))), h("dd", {}, shown(inner)))
      ),
    );
  }
  return String(value);
}

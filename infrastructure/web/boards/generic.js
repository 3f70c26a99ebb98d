/** Games that the page does not know: whatever their view says, with cards where it speaks of cards. */

import { anyCard } from "../cards.js";
import { capital, counted, h, spaced } from "../dom.js";
import { keyed, ownHand, pickable } from "./kit.js";

/** @typedef {import("./kit.js").Scene} Scene */

/** @type {import("./kit.js").Board} */
export const board = {
  render(scene) {
    const { hand, ...rest } = scene.view ?? {};
    return h(
      "div",
      { class: "board generic" },
      h("dl", { class: "facts" }, Object.entries(rest).map(([name, value]) => fact(scene, name, value))),
      Array.isArray(hand) &&
        ownHand(
          scene,
          hand.length,
          hand.map((card) => pickable(scene, tokenOf(card), anyCard(card), { key: tokenOf(card) })),
        ),
    );
  },

  gesture(move) {
    const { move: _, ...fields } = move;
    return { from: Object.values(fields).flat().map(tokenOf), to: null, anyOrder: true };
  },

  propose: () => null,

  say(move) {
    const { move: name, ...fields } = move;
    const said = Object.entries(fields).filter(([, value]) => value !== null)
      .map(([key, value]) => `${spaced(key)} ${Array.isArray(value) ? value.join(", ") : String(value)}`);
    return [spaced(name), ...said].join(" · ");
  },
};

/** @param {any} card */
const tokenOf = (card) =>
  typeof card === "object" && card !== null ? String(card.id ?? JSON.stringify(card)) : String(card);

/** @param {any} value */
const isCard = (value) => typeof value === "string" && /^(?:(?:\d+|[AJQK])[CDHS]|[ROYGBIV][1-7])$/.test(value);

/**
 * @param {Scene} scene
 * @param {string} name
 * @param {any} value
 */
function fact(scene, name, value) {
  if (Array.isArray(value) && value.length && value.every(isCard)) {
    return h(
      "div",
      { "data-testid": "place", "data-place": name, "data-cards": value.length },
      h("dt", {}, `${capital(spaced(name))}, ${counted(value.length, "card")}`),
      h("dd", { class: "row" }, value.map((card) => keyed(anyCard(card), card))),
    );
  }
  return h("div", {}, h("dt", {}, capital(spaced(name))), h("dd", {}, shown(scene, value)));
}

/**
 * @param {Scene} scene
 * @param {any} value
 * @returns {import("../dom.js").Child}
 */
function shown(scene, value) {
  if (value === null) return "–";
  if (isCard(value)) return anyCard(value);
  if (Array.isArray(value)) {
    if (!value.length) return "none";
    if (value.every((item) => typeof item !== "object" || item === null)) {
      return value.map((item) => item ?? "?").join(", ");
    }
    return h("ol", {}, value.map((item) => h("li", {}, shown(scene, item))));
  }
  if (typeof value === "object") {
    return h(
      "dl",
      {},
      Object.entries(value).map(([name, inner]) =>
        h("div", {}, h("dt", {}, spaced(name)), h("dd", {}, shown(scene, inner)))
      ),
    );
  }
  return String(value);
}

/** The trading card game: two heroes with health and mana, minions that sleep, fight and die, and a hand of cards. */

import { anyCard, noCard, tradingCard } from "../cards.js";
import { counted, h } from "../dom.js";
import { icon } from "../icons.js";
import { keyed, layout, otherHand, othersOf, ownHand, pickable, place, seatOf } from "./kit.js";

/** @typedef {import("./kit.js").Scene} Scene */

/** @type {import("./kit.js").Board} */
export const board = {
  render(scene) {
    const { view } = scene;
    const own = scene.seat;
    const below = own === null ? null : seatOf(
      scene,
      own,
      hero(scene, own),
      view.hand && ownHand(
        scene,
        view.hand.length,
        view.hand.map((/** @type {any} */ { card, printed }) =>
          pickable(scene, `card:${card.id}`, tradingCard(printed), { key: String(card.number), card: card.id })
        ),
      ),
    );
    const others = othersOf(scene, view.sides.length);
    const above = others.map((seat) =>
      seatOf(scene, seat, hero(scene, seat), otherHand(scene, seat, view.sides[seat].hand_size, anyCard))
    );
    const [far, near] = own === null ? others : [others[0], own];
    const front = h("div", { class: "front" }, h("span", {}, `Turn ${view.turn}`));
    const lines = h("div", { class: "lines" }, minionsOf(scene, far), front, minionsOf(scene, near));
    return layout("tcg", above, lines, below);
  },

  gesture(move, scene) {
    const own = scene.seat ?? 0, other = 1 - own;
    /** @param {any} at */
    const enemy = (at) => at === "face" ? `face:${other}` : `minion:${other}:${at}`;
    if (move.move === "attack") return { from: [`minion:${own}:${move.minion}`], to: enemy(move.at) };
    if (move.move !== "play") return { from: [], to: null };
    const from = [`card:${move.card}`];
    if (move.mode === "minion") return { from, to: `board:${own}` };
    if (move.mode === "heal" || move.at === null || move.at === undefined) return { from, to: `face:${own}` };
    return { from, to: enemy(move.at) };
  },

  propose([from], to, scene) {
    const own = scene.seat ?? 0, other = 1 - own;
    const [kind, seat, at] = to.split(":");
    const target = Number(seat) !== other ? null : kind === "face" ? "face" : kind === "minion" ? Number(at) : null;
    if (from.startsWith("minion:")) {
      return target === null ? null : { move: "attack", minion: Number(from.split(":")[2]), at: target };
    }
    const card = from.slice(5);
    if (kind === "board" && Number(seat) === own) return { move: "play", card, mode: "minion", at: null };
    if (kind === "face" && Number(seat) === own) return { move: "play", card, mode: "heal", at: null };
    return target === null ? null : { move: "play", card, mode: "spell", at: target };
  },

  say(move, scene) {
    const own = scene.seat ?? 0, enemy = scene.view.sides[1 - own];
    /** @param {any} at */
    const at = (at) => at === "face" ? scene.names[1 - own] : `${enemy.board[at]?.card.id ?? "minion"} (${at + 1})`;
    if (move.move === "attack") {
      return `minion ${scene.view.sides[own].board[move.minion]?.card.id} (${move.minion + 1}) attacks ${at(move.at)}`;
    }
    if (move.move !== "play") return "end the turn";
    if (move.mode === "minion") return `play ${move.card} as a minion`;
    if (move.mode === "heal") return `play ${move.card} to heal`;
    return `play ${move.card}${move.at === null || move.at === undefined ? "" : ` at ${at(move.at)}`}`;
  },
};

/**
 * @param {Scene} scene
 * @param {number} seat
 */
function hero(scene, seat) {
  const { view } = scene;
  const { health, slots, mana, deck_size: deck, discard } = view.sides[seat];
  const own = seat === scene.seat;
  return place(
    scene,
    {
      name: "hero",
      seat,
      cards: 0,
      token: `face:${seat}`,
      class: "hero",
      label: `${own ? "you" : scene.names[seat]}: ${health} health, ${mana} of ${slots} mana, ${
        counted(deck, "card")
      } in the deck`,
    },
    h(
      "span",
      { class: "health", vars: { "--share": String(Math.max(0, health) / view.max_health) } },
      h("b", {}, icon("heart"), ` ${health}`),
      h("span", { class: "bar" }),
    ),
    h(
      "span",
      { class: "mana" },
      Array.from({ length: slots }, (_, i) => h("span", { class: `gem${i < mana ? " full" : ""}` })),
      h("span", { class: "quiet" }, `${mana}/${slots} mana`),
    ),
    h("span", { class: "quiet", "data-origin": own ? "deck" : null }, `deck ${deck} · discarded ${discard.length}`),
  );
}

/**
 * @param {Scene} scene
 * @param {number} seat
 */
function minionsOf(scene, seat) {
  const { view } = scene;
  const { board } = view.sides[seat];
  const own = seat === scene.seat;
  const minions = board.map((/** @type {any} */ minion, /** @type {number} */ at) => {
    const face = tradingCard({ id: minion.card.id }, minion);
    if (!scene.live) return keyed(face, String(minion.card.number));
    return pickable(scene, `minion:${seat}:${at}`, face, {
      place: "board",
      testid: null,
      key: String(minion.card.number),
      card: minion.card.id,
    });
  });
  const limit = view.board_limit === null ? "" : ` of ${view.board_limit}`;
  const target = scene.targets.has(`board:${seat}`) || (own && scene.live && scene.selected[0]?.startsWith("card:"));
  return h(
    "div",
    {
      class: "place row minions",
      role: "group",
      "aria-label": `${own ? "your" : `${scene.names[seat]}'s`} minions, ${board.length}${limit}`,
      "data-testid": "place",
      "data-place": "board",
      "data-cards": board.length,
      "data-seat": seat,
    },
    minions,
    target &&
      place(
        scene,
        { name: "free place", seat, cards: 0, token: `board:${seat}`, class: "free", label: "as a minion" },
        noCard("minion"),
      ),
    !minions.length && !target && h("span", { class: "quiet" }, "no minions"),
  );
}

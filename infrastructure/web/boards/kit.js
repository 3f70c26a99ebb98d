/** What all boards are made of: spots one can pick up from or put down on, hands, piles and seats. */

import { cardBack, noCard } from "../cards.js";
import { counted, h, nameOf } from "../dom.js";
import { icon } from "../icons.js";

/** @typedef {{ move: string, [field: string]: any }} Move */
/** @typedef {{ name: string, seat: number | null, cards: any[] }} Place */
/** @typedef {{ from: string[], to: string | null, anyOrder?: boolean }} Gesture what a move picks up, and where it puts it */
/**
 * @typedef {object} Scene
 * @property {any} view
 * @property {string[]} names
 * @property {number | null} seat
 * @property {number[]} active
 * @property {Move[]} legal
 * @property {any} options
 * @property {Place[] | null} places every card in every place, once that may be seen
 * @property {string[]} selected the tokens that are picked up
 * @property {Set<string>} sources tokens that a legal move can pick up
 * @property {Set<string>} targets tokens on which what is picked up can be put
 * @property {boolean} live whether one can act here at all
 * @property {(seat: number) => Node | null} clock
 */
/**
 * @typedef {object} Board
 * @property {(scene: Scene) => Node} render
 * @property {(move: Move, scene: Scene) => Gesture} gesture
 * @property {(from: string[], to: string, scene: Scene) => Move | null} propose what somebody means who tries it anyway
 * @property {(move: Move, scene: Scene) => string} say
 */

/**
 * A card one may pick up.
 * @param {Scene} scene
 * @param {string} token
 * @param {HTMLElement} card
 * @param {{ place?: string, testid?: string | null, key?: string, card?: string, badge?: string }} [more]
 */
export function pickable(scene, token, card, { place = "hand", testid = "hand-card", key, card: name, badge } = {}) {
  const hooks = {
    "data-testid": testid,
    "data-place": place,
    "data-cards": 1,
    "data-card": name ?? token.split(":").at(-1),
    "data-key": key,
  };
  if (!scene.live) return h("span", { class: "pick", ...hooks }, card);
  const picked = scene.selected.includes(token);
  const label = card.getAttribute("aria-label") ?? "";
  card.removeAttribute("role");
  card.removeAttribute("aria-label");
  return h(
    "button",
    {
      type: "button",
      class: `pick${scene.sources.has(token) ? " can" : ""}${scene.targets.has(token) ? " goal" : ""}`,
      ...hooks,
      "data-token": token,
      "aria-label": label,
      "aria-pressed": String(picked),
      // Never disabled: whoever touches a card that cannot be played is told why.
      "aria-description": scene.sources.has(token) || scene.targets.has(token) ? null : "no move now",
    },
    card,
    picked && h("span", { class: "picked" }, icon("yes")),
    badge && h("span", { class: "badge" }, badge),
  );
}

/**
 * A place on the table; one with a token can be picked up from or put down on.
 * @param {Scene} scene
 * @param {{ name: string, cards: number, token?: string | null, seat?: number | null, label?: string, class?: string }} what
 * @param {import("../dom.js").Child[]} children
 */
export function place(scene, { name, cards, token = null, seat = null, label, class: more = "" }, ...children) {
  const active = token !== null && scene.live;
  const source = active && scene.sources.has(token), goal = active && scene.targets.has(token);
  const picked = source && scene.selected.includes(token);
  const attributes = {
    class: `place ${more}${source ? " can" : ""}${goal ? " goal" : ""}`,
    "data-testid": scene.places ? null : "place", // where all places are listed, that list is what they are called by
    "data-place": name,
    "data-cards": cards,
    "data-seat": seat,
    "data-token": token,
  };
  if (!active) {
    return h(
      "div",
      { ...attributes, role: "group", "aria-label": label ?? `${name}, ${counted(cards, "card")}` },
      ...children,
    );
  }
  return h(
    "button",
    {
      ...attributes,
      type: "button",
      "aria-label": (label ?? `${name}, ${counted(cards, "card")}`) + (goal ? ": put it here" : ""),
      "aria-pressed": source ? String(picked) : null,
    },
    ...children,
    picked && h("span", { class: "picked" }, icon("yes")),
  );
}

/** What a pile is called, below it; whoever hears the page hears its label. @param {string} text */
export const caption = (text) => h("span", { class: "caption", "aria-hidden": "true" }, text);

/**
 * @param {Scene} scene
 * @param {number} size
 * @param {string} [below]
 */
export function deck(scene, size, below) {
  return place(
    scene,
    { name: "deck", cards: size, class: "pile deck", label: `deck, ${counted(size, "card")}` },
    h("span", { class: "stack", "data-origin": "deck" }, size ? cardBack("the deck") : noCard()),
    h("span", { class: "count", "aria-hidden": "true" }, size),
    below && caption(below),
  );
}

/**
 * The hidden hand of a seat as a small fan, or its cards where they may be seen.
 * @param {Scene} scene
 * @param {number} seat
 * @param {number} size
 * @param {(card: any) => HTMLElement} face
 */
export function otherHand(scene, seat, size, face) {
  const open = openCards(scene, "hand", seat);
  const shown = open ?? Array.from({ length: Math.min(size, 12) }, () => null);
  /** @param {number} i */
  const backAt = (i) => {
    const back = cardBack();
    held(back, i, shown.length);
    return back;
  };
  return place(
    scene,
    { name: "hand", seat, cards: size, class: "fan", label: `hand of ${scene.names[seat]}, ${counted(size, "card")}` },
    size
      ? shown.map((card, i) => card === null ? backAt(i) : keyed(face(card), keyOf(card)))
      : h("span", { class: "quiet", "aria-hidden": "true" }, "no cards"),
    size > 0 && h("span", { class: "count", "aria-hidden": "true" }, size),
  );
}

/**
 * @param {Scene} scene
 * @param {string} name
 * @param {number | null} seat
 * @returns {any[] | null}
 */
export function openCards(scene, name, seat) {
  return scene.places?.find((place) => place.name === name && place.seat === seat)?.cards ?? null;
}

const MOST_IN_AN_ARC = 10;

/** Which of how many cards in a hand it is: the fan follows from that.
 * @param {HTMLElement} card
 * @param {number} at
 * @param {number} count */
function held(card, at, count) {
  card.style.setProperty("--i", String(at));
  card.style.setProperty("--n", String(count));
}

/**
 * Marks the cards of what was done last, where they lie now.
 * @param {Element} root
 * @param {any[]} events
 */
export function markLast(root, events) {
  const last = new Set(events.flatMap(({ event }) => cardsOf(event).map(keyOf)));
  if (!last.size) return;
  for (const card of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-key]"))) {
    if (last.has(card.dataset.key ?? "")) card.classList.add("last");
  }
}

/** The cards that an event names, of those that one may see.
 * @param {any} event
 * @returns {any[]} */
export const cardsOf = ({ card, cards }) => [card, ...(Array.isArray(cards) ? cards : [])].filter((one) => one != null);

/** @param {any} card by its name, or by its number where names come more than once */
export const keyOf = (card) => String(card.number ?? card);

/** Marks a card, so that it is seen flying from where it was to where it is.
 * @param {HTMLElement} element
 * @param {string} key */
export function keyed(element, key) {
  element.dataset.key = key;
  return element;
}

/**
 * @param {Scene} scene
 * @param {import("../dom.js").Child[]} cards
 * @param {number} count
 */
export function ownHand(scene, count, ...cards) {
  const all = cards.flat();
  const arc = count > 1 && count <= MOST_IN_AN_ARC && all.every((card) => card.classList?.contains("pick"));
  if (arc) all.forEach((card, i) => held(card, i, count));
  return h(
    "div",
    {
      class: `hand${arc ? " arc" : ""}${count > MOST_IN_AN_ARC ? " many" : ""}`,
      role: "group",
      "aria-label": `your hand, ${counted(count, "card")}`,
      "data-testid": "place",
      "data-place": "hand",
      "data-cards": count,
      "data-seat": scene.seat,
    },
    count ? cards : h("p", { class: "quiet" }, "Your hand is empty."),
  );
}

/**
 * A seat: who sits there, whether it is their turn, and what lies before them.
 * @param {Scene} scene
 * @param {number} seat
 * @param {import("../dom.js").Child[]} children
 */
export function seatOf(scene, seat, ...children) {
  const turn = scene.active.includes(seat);
  const own = seat === scene.seat;
  return h(
    "section",
    {
      class: `seat${turn ? " turn" : ""}${own ? " own" : ""}`,
      "data-origin": `seat-${seat}`,
      "aria-label": `seat ${seat + 1}`,
    },
    h(
      "header",
      {},
      h("span", { class: "dot", "aria-hidden": "true" }),
      nameOf(scene.names[seat] ?? `seat ${seat + 1}`),
      own && h("span", { class: "tag" }, "you"),
      turn && h("span", { class: "tag turn" }, own ? "your turn" : "to move"),
      scene.clock(seat),
    ),
    h("div", { class: "seat-body" }, ...children),
  );
}

/** The other seats, in the order in which they follow one's own.
 * @param {Scene} scene
 * @param {number} seats */
export function othersOf(scene, seats) {
  const from = scene.seat ?? -1;
  return Array.from({ length: seats }, (_, i) => (from + 1 + i) % seats).filter((seat) => seat !== scene.seat);
}

/**
 * The whole table: the others above, the middle, one's own seat below.
 * @param {string} kind
 * @param {Node[]} others
 * @param {Node} middle
 * @param {Node | null} own
 */
export function layout(kind, others, middle, own) {
  return h(
    "div",
    { class: `board ${kind}` },
    h("div", { class: `others n${Math.min(others.length, 6)}` }, ...others),
    h("div", { class: "middle" }, middle),
    own,
  );
}

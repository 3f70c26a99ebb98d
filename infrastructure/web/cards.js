/** The faces of all cards, drawn here: French ones, Red7's colours, and trading cards. */

import { h, s } from "./dom.js";
import { icon, SIGNS, SUITS } from "./icons.js";

const SUIT_NAMES = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const RANK_NAMES = { A: "ace", J: "jack", Q: "queen", K: "king" };
/** Half a court card each, above the middle line: robe, hair, face, and what they wear on the head. */
const COURTS = {
  K: {
    hair: "M40.500 40C39 50 43 59 50 61 57 59 61 50 59.500 40Z",
    hat: "M39 38 36.500 24 43.500 31 50 21.500 56.500 31 63.500 24 61 38Z",
    sign: "M69 26V70M64.500 32H73.500",
  },
  Q: {
    hair: "M50 30C38 30 37 44 36.500 60 41 62 59 62 63.500 60 63 44 62 30 50 30Z",
    hat: "M40.500 36C38.500 31 39 28 40 26L45 31 50 24.500 55 31 60 26C61 28 61.500 31 59.500 36Z",
    sign: "M69 70V44M69 44C65 42 64.500 36.500 69 34 73.500 36.500 73 42 69 44Z",
  },
  J: {
    hair: "M39.500 38C38.500 48 39.500 54 41 56H59C60.500 54 61.500 48 60.500 38Z",
    hat: "M37.500 38C37 29 44 26 50 26 58 26 63 30 62.500 38ZM60 30C66 28 69 24 69.500 20.500 72 28 67 34 62 34Z",
    sign: "M31 70V30L28.500 34M31 30 33.500 34",
  },
};

/** Where the pips of a rank lie, in columns and rows. @type {{ [rank: string]: [number, number][] }} */
const PIPS = {
  2: [[50, 38], [50, 102]],
  3: [[50, 38], [50, 70], [50, 102]],
  4: [[38, 38], [62, 38], [38, 102], [62, 102]],
  5: [[38, 38], [62, 38], [50, 70], [38, 102], [62, 102]],
  6: [[38, 38], [62, 38], [38, 70], [62, 70], [38, 102], [62, 102]],
  7: [[38, 38], [62, 38], [50, 54], [38, 70], [62, 70], [38, 102], [62, 102]],
  8: [[38, 38], [62, 38], [50, 54], [38, 70], [62, 70], [50, 86], [38, 102], [62, 102]],
  9: [[38, 35], [62, 35], [38, 58], [62, 58], [50, 70], [38, 82], [62, 82], [38, 105], [62, 105]],
  10: [[38, 35], [62, 35], [50, 46], [38, 58], [62, 58], [38, 82], [62, 82], [50, 94], [38, 105], [62, 105]],
};

const COLOURS = {
  R: { name: "red", rule: ["highest", "card"] },
  O: { name: "orange", rule: ["most of", "one number"] },
  Y: { name: "yellow", rule: ["most of", "one colour"] },
  G: { name: "green", rule: ["most", "even cards"] },
  B: { name: "blue", rule: ["different", "colours"], says: "most different colours" },
  I: { name: "indigo", rule: ["most", "in a row"] },
  V: { name: "violet", rule: ["most", "below 4"] },
};

/** Red7's colours from strong to weak, each with its letter and its rule. */
export const RED7 = Object.entries(COLOURS).map(([letter, colour]) => ({
  letter,
  name: colour.name,
  rule: "says" in colour ? colour.says : colour.rule.join(" "),
}));

/** @param {string} card `10H` */
const french = (card) => ({ rank: card.slice(0, -1), suit: card.slice(-1) });

/** A card as it is read out.
 * @param {string} card
 * @param {string} deck `french` or `red7` */
export function nameOfCard(card, deck = "french") {
  if (deck === "red7") return `${/** @type {any} */ (COLOURS)[card[0]]?.name ?? card[0]} ${card.slice(1)}`;
  const { rank, suit } = french(card);
  const word = /** @type {any} */ (RANK_NAMES)[rank] ?? rank;
  return `${word} of ${/** @type {any} */ (SUIT_NAMES)[suit] ?? suit}`;
}

/** Faces that were drawn before: copying one is a tenth of the work of drawing it.
 * @type {Map<string, HTMLElement>} */
const faces = new Map();

/**
 * A card that looks the same whenever its name is the same.
 * @param {string} name
 * @param {() => HTMLElement} draw
 */
function face(name, draw) {
  const known = faces.get(name) ?? draw();
  faces.set(name, known);
  return /** @type {HTMLElement} */ (known.cloneNode(true));
}

/**
 * @param {string} label
 * @param {string} kind
 * @param {Node[]} drawn
 */
function sheet(label, kind, ...drawn) {
  const svg = s("svg", { viewBox: "0 0 100 140", "aria-hidden": "true", focusable: "false" }, ...drawn);
  return h("span", { class: `card ${kind}`, role: "img", "aria-label": label }, svg);
}

/**
 * A path in another place and size, as a path again: many signs can be one then, which is the cheapest thing to draw.
 * @param {string} path absolute, of M, L, C, H, V, A and Z
 * @param {number} scale below 0: turned around
 * @param {number} x
 * @param {number} y
 */
function moved(path, scale, x, y) {
  const across = (/** @type {number} */ at) => round(scale * at + x);
  const down = (/** @type {number} */ at) => round(scale * at + y);
  const size = (/** @type {number} */ at) => round(Math.abs(scale) * at);
  const same = (/** @type {number} */ at) => at;
  const points = [across, down];
  /** @type {{ [letter: string]: ((at: number) => number)[] }} */
  const changes = { M: points, L: points, C: points, H: [across], V: [down], Z: [] };
  changes.A = [size, size, same, same, same, across, down];
  return path.replace(/([A-Z])([^A-Z]*)/g, (/** @type {string} */ _, letter, /** @type {string} */ numbers) => {
    const parts = numbers.match(/-?[\d.]+/g) ?? [], change = changes[letter];
    return letter + parts.map((part, i) => change[i % change.length](Number(part))).join(" ");
  });
}

const round = (/** @type {number} */ number) => Math.round(number * 100) / 100;

/**
 * A sign with its middle at a point.
 * @param {string} sign one of 24 by 24
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {boolean} [turned]
 */
function signAt(sign, x, y, size, turned = false) {
  const scale = (turned ? -size : size) / 24;
  return moved(sign, scale, x - 12 * scale, y - 12 * scale);
}

/** The same path, and once more from the other end of the card. @param {string} path */
const twice = (path) => path + moved(path, -1, 100, 140);

/**
 * @param {keyof typeof SIGNS} name
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
const small = (name, x, y, size) => s("path", { class: `small-${name}`, d: signAt(SIGNS[name], x, y, size) });

/**
 * Both halves of a court card.
 * @param {string} rank
 */
function court(rank) {
  const { hair, hat, sign } = /** @type {any} */ (COURTS)[rank];
  const part = (/** @type {string} */ name, /** @type {string} */ path) => s("path", { class: name, d: twice(path) });
  return [
    s("rect", { class: "court", x: 25, y: 17, width: 50, height: 106, rx: 4 }),
    part("sign", sign),
    part("robe", "M25 74V68C28 60 38 57 50 57 62 57 72 60 75 66Z"),
    part("trim", "M43 57.500 50 70 57 57.500Z"),
    part("hair", hair),
    part("face", "M42.500 37H57.500V46C57.500 52 54 55.500 50 55.500 46 55.500 42.500 52 42.500 46Z"),
    ...(rank === "K"
      ? [
        part("hair", "M43 48C45 46.500 48 46.500 50 48 52 46.500 55 46.500 57 48 57 56 54 61 50 63 46 61 43 56 43 48Z"),
      ]
      : []),
    part("eyes", "M45.500 43.500H47.500M52.500 43.500H54.500"),
    part("hat", hat),
    s("path", { class: "middle-line", d: "M25 74 75 66" }),
  ];
}

/** @param {string} card */
export const frenchCard = (card) => face(`french ${card}`, () => drawFrench(card));

/** @param {string} card */
function drawFrench(card) {
  const { rank, suit } = french(card);
  const sign = /** @type {any} */ (SUITS)[suit];
  const number = (/** @type {{ [name: string]: string }} */ more) =>
    s("text", { x: 13.5, y: 25, class: rank.length > 1 ? "rank long" : "rank", ...more }, rank);
  const drawn = [
    s("rect", { class: "paper", x: 1, y: 1, width: 98, height: 138, rx: 9 }),
    number({}),
    number({ transform: "rotate(180 50 70)" }),
  ];
  let signs = twice(signAt(sign, 13.5, 37, 14));
  if (rank in COURTS) {
    drawn.push(...court(rank));
    signs += twice(signAt(sign, 34, 27, 11));
  } else if (rank in PIPS) {
    for (const [x, y] of PIPS[rank]) signs += signAt(sign, x, y, 18, y > 70);
  } else if (rank === "A") {
    drawn.push(s("circle", { class: "halo", cx: 50, cy: 70, r: 33 }));
    signs += signAt(sign, 50, 70, 44);
  } else {
    drawn.push(s("text", { x: 50, y: 76, class: "letter" }, rank));
    signs += signAt(sign, 50, 100, 22);
  }
  return sheet(nameOfCard(card), `french suit-${suit}`, ...drawn, s("path", { d: signs }));
}

/** @param {string} card */
export const red7Card = (card) => face(`red7 ${card}`, () => drawRed7(card));

/** @param {string} card */
function drawRed7(card) {
  const colour = /** @type {any} */ (COLOURS)[card[0]] ?? { name: "other", rule: ["", ""] };
  const number = card.slice(1), count = Number(number) || 0;
  const dots = Array.from({ length: count }, (_, i) => `M${50 - 5.5 * (count - 1) + 11 * i} 91h0`).join("");
  const corner = () =>
    s(
      "g",
      {},
      s("text", { x: 15, y: 27, class: "rank" }, number),
      s("text", { x: 15, y: 41, class: "initial" }, card[0]),
    );
  return sheet(
    nameOfCard(card, "red7"),
    `red7 ${colour.name}`,
    s("rect", { class: "paper", x: 1, y: 1, width: 98, height: 138, rx: 9 }),
    s("path", { class: "sweep", d: "M1 74C30 56 66 84 99 60V130A9 9 0 0 1 90 139H10A9 9 0 0 1 1 130Z" }),
    s("rect", { class: "edge", x: 5, y: 5, width: 90, height: 130, rx: 6 }),
    corner(),
    s("text", { x: 54, y: 78, class: "number" }, number),
    s("path", { class: "dots", d: dots }),
    s("text", { x: 50, y: 113, class: "rule" }, colour.rule[0]),
    s("text", { x: 50, y: 128, class: "rule" }, colour.rule[1]),
  );
}

const EMBLEMS = {
  damage: "M12 2C13 7 19 9 19 15A7 7 0 0 1 5 15C5 12 7 10.5 8 8 9.5 9.5 10 10.5 10 12 12 10 12.5 6 12 2Z",
  healing: "M9 3H15V9H21V15H15V21H9V15H3V9H9Z",
  minion: "M12 2 20 5V11C20 16.500 16.500 20 12 22.500 7.500 20 4 16.500 4 11V5Z",
  drawer: "M5 4H15V18H5ZM8 2H18V16H16V3H8Z",
};

/** @typedef {{ id: string, kind?: string, cost?: number, amount?: number, minion?: { attack: number, health: number } | null }} Printed */

/** @param {Printed} printed */
export function nameOfTrading({ id, kind, cost, amount, minion }) {
  if (cost === undefined) return id;
  const does = { damage: `${amount} damage`, healing: `heals ${amount}`, drawer: `draws ${amount}` };
  const stats = minion ? `, as a minion ${minion.attack} attack and ${minion.health} health` : "";
  return `${id}: ${/** @type {any} */ (does)[kind ?? ""] ?? kind} for ${cost} mana${stats}`;
}

/**
 * A trading card; on the board its minion's state counts.
 * @param {Printed} printed
 * @param {{ attack: number, health: number, asleep?: boolean, attacked?: boolean }} [minion]
 */
export function tradingCard(printed, minion) {
  const { id, kind, cost, amount } = printed;
  const stats = minion ?? printed.minion ?? null;
  const drawn = [
    s("rect", { class: "paper", x: 1, y: 1, width: 98, height: 138, rx: 9 }),
    s("rect", { class: "panel", x: 10, y: 32, width: 80, height: 62, rx: 6 }),
  ];
  if (minion && kind === undefined) {
    drawn.push(s("path", { class: "sign", d: moved(EMBLEMS.minion, 2.25, 23, 33) }));
  }
  if (kind !== undefined) {
    drawn.push(
      s("path", {
        class: "sign",
        d: moved(/** @type {any} */ (EMBLEMS)[kind] ?? "", 2.46, 20.5, 33),
      }),
      s("text", { x: 50, y: 76, class: "amount" }, amount),
    );
  }
  if (cost !== undefined) {
    drawn.push(
      s("path", { class: "mana", d: "M18 3 33 12V28L18 37 3 28V12Z" }),
      s("text", { x: 18, y: 26, class: "cost" }, cost),
    );
  }
  drawn.push(s("text", { x: 50, y: 110, class: id.length > 9 ? "title long" : "title" }, id));
  if (stats) {
    drawn.push(
      small("sword", 16, 124.500, 14),
      s("text", { x: 34, y: 131, class: "stat" }, stats.attack),
      small("heart", 66, 125, 14),
      s("text", { x: 84, y: 131, class: "stat" }, stats.health),
    );
  } else {
    const words = { damage: "damage", healing: "healing", drawer: "cards" };
    drawn.push(s("text", { x: 50, y: 129, class: "rule" }, /** @type {any} */ (words)[kind ?? ""] ?? ""));
  }
  if (minion?.asleep) drawn.push(s("text", { x: 80, y: 24, class: "zzz" }, "zz"));
  const state = minion
    ? `${id}: ${minion.attack} attack, ${minion.health} health${minion.asleep ? ", asleep" : ""}${
      minion.attacked ? ", has attacked" : ""
    }`
    : nameOfTrading(printed);
  return sheet(state, `trading ${kind ?? "minion"}${minion?.asleep || minion?.attacked ? " resting" : ""}`, ...drawn);
}

/** Lines from edge to edge of the back, both ways. */
const LATTICE = Array.from({ length: 17 }, (_, i) => {
  const from = 12 * i - 94; // how far to the right of a diagonal through the corner above
  const x = Math.max(8, 8 + from), y = Math.max(8, 8 - from), far = Math.min(92 - x, 132 - y);
  return far > 0 ? `M${x} ${y}L${x + far} ${y + far}M${100 - x} ${y}L${100 - x - far} ${y + far}` : "";
}).join("");

/** The back of a card. @param {string} [label] */
export function cardBack(label = "a card face down") {
  const back = face("back", drawBack);
  back.setAttribute("aria-label", label);
  return back;
}

function drawBack() {
  return sheet(
    "",
    "back",
    s("rect", { class: "paper", x: 1, y: 1, width: 98, height: 138, rx: 9 }),
    s("rect", { class: "field", x: 8, y: 8, width: 84, height: 124, rx: 5 }),
    s("path", { class: "lattice", d: LATTICE }),
    s("circle", { class: "seal", cx: 50, cy: 70, r: 19 }),
    s("path", { class: "mark", d: "M44.500 81V59.500H57.500M44.500 70H55" }),
  );
}

/** A place without a card. @param {string} [text] */
export function noCard(text = "") {
  return h(
    "span",
    { class: "card none", "aria-hidden": "true" },
    s(
      "svg",
      { viewBox: "0 0 100 140" },
      s("rect", { x: 3, y: 3, width: 94, height: 134, rx: 9 }),
      s("text", { x: 50, y: 80, class: "hint" }, text),
    ),
  );
}

/**
 * Any card that a place may hold, by how it looks: for games that the page does not know.
 * @param {any} card
 */
export function anyCard(card) {
  if (card === null || card === undefined) return cardBack();
  if (typeof card === "object") {
    return tradingCard({ id: String(card.id ?? card.name ?? JSON.stringify(card)), ...card.printed });
  }
  const text = String(card);
  if (/^([ROYGBIV])[1-7]$/.test(text)) return red7Card(text);
  if (/^(\d+|[AJQK])[CDHS]$/.test(text)) return frenchCard(text);
  return tradingCard({ id: text });
}

const CARD_WORDS = {
  red7: /(?<![\w-])([ROYGBIV])([1-7])(?![\w-])/g,
  french: /(?<![\w-])(10|[2-9AJQK])([CDHS])(?![\w-])/g,
};

/**
 * A line of the story, its cards marked by colour and sign; as text it stays what it was.
 * @param {string} line
 * @param {string} kind
 * @returns {import("./dom.js").Child[]}
 */
export function withChips(line, kind) {
  if (kind === "tcg") return [line];
  const red7 = kind === "red7";
  const parts = [];
  let at = 0;
  for (const found of line.matchAll(red7 ? CARD_WORDS.red7 : CARD_WORDS.french)) {
    parts.push(line.slice(at, found.index));
    parts.push(
      red7 ? h("span", { class: `chip ${/** @type {any} */ (COLOURS)[found[1]].name}` }, found[0]) : h(
        "span",
        { class: `chip suit-${found[2]}` },
        found[1],
        h("span", { class: "letter" }, found[2]),
        icon(/** @type {keyof typeof SUITS} */ (found[2])),
      ),
    );
    at = found.index + found[0].length;
  }
  return [...parts, line.slice(at)];
}

/** A card that stands for a kind of game. @param {string} kind */
export function kindCard(kind) {
  const faces = {
    kings_corners: () => frenchCard("KS"),
    pardon: () => frenchCard("QH"),
    red7: () => red7Card("R7"),
    reviiyot: () => frenchCard("4D"),
    tcg: () => tradingCard({ id: "bolt", kind: "damage", cost: 2, amount: 4 }),
  };
  const card = Object.hasOwn(faces, kind) ? /** @type {any} */ (faces)[kind]() : cardBack();
  card.removeAttribute("role");
  card.removeAttribute("aria-label");
  card.setAttribute("aria-hidden", "true");
  return h("span", { class: "kind-sign", "aria-hidden": "true" }, card);
}

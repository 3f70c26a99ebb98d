/** Elements in one line. Text is always text: nothing that a player wrote is ever read as markup. */

/** @typedef {any} Child a node, a text, a number, a list of them, or nothing; a type in JSDoc cannot hold itself */
/** @typedef {{ [name: string]: any }} Attributes */

const SVG = "http://www.w3.org/2000/svg";

/**
 * `on…` are listeners, `vars` are custom properties of CSS, `true` and `false` put an attribute there or leave it out.
 * @param {Element} element
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "vars") {
      for (const [key, set] of Object.entries(value)) /** @type {HTMLElement} */ (element).style.setProperty(key, set);
    } else element.setAttribute(name, value === true ? "" : String(value));
  }
  add(element, children);
}

/**
 * @param {Element} element
 * @param {Child[]} children
 */
function add(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) add(element, child);
    else if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : String(child));
    }
  }
}

/**
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/**
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  fill(element, attributes, children);
  return element;
}

/** A name that somebody chose, fenced in so that right-to-left marks in it cannot turn around what follows.
 * @param {string} name */
export const nameOf = (name) => h("bdi", { class: "name", title: name.length > 24 ? name : null }, name);

/**
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 */
export const counted = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** @param {string} word as programs write it, `no_possible_win` */
export const spaced = (word) => word.replaceAll("_", " ");

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// Made once: that takes longer than all else that a step of a replay says.
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** @param {string | null} at UTC */
export const when = (at) => at ? MOMENT.format(new Date(at)) : "";

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

/** On which day; that is short enough to stand below a plot.
 * @param {string | null} at UTC */
export const day = (at) => at ? DAY.format(new Date(at)) : "";

const STEPS =
  /** @type {[Intl.RelativeTimeFormatUnit, number][]} */ ([["day", 86_400], ["hour", 3600], ["minute", 60]]);

/** How long ago; what is more than a week old has a date.
 * @param {string | null} at UTC */
export function ago(at) {
  if (!at) return "";
  const seconds = Math.max(0, (Date.now() - Date.parse(at)) / 1000);
  if (seconds > 7 * 86_400) return day(at);
  const [unit, length] = STEPS.find(([, long]) => seconds >= long) ?? ["minute", Infinity];
  if (length === Infinity) return "just now";
  return new Intl.RelativeTimeFormat(undefined, { numeric: "auto" }).format(-Math.floor(seconds / length), unit);
}

/** What is begun by a click; the second click of a double one does nothing while the first is under way.
 * @template {any[]} Given
 * @param {(...given: Given) => Promise<unknown>} doing
 * @returns {(...given: Given) => Promise<void>} */
export function once(doing) {
  let busy = false;
  return async (...given) => {
    if (busy) return;
    busy = true;
    try {
      await doing(...given);
    } finally {
      busy = false;
    }
  };
}

/** A dialog that goes away when it is closed.
 * @param {string} title
 * @param {Child[]} children */
export function dialog(title, ...children) {
  const id = `title-${title.toLowerCase().replaceAll(/\W+/g, "-")}`;
  const element = /** @type {HTMLDialogElement} */ (h(
    "dialog",
    { "aria-labelledby": id, onclose: () => element.remove() },
    h("h2", { id }, title),
    ...children,
  ));
  document.body.append(element);
  return element;
}

/** What this browser keeps: sealed entropy, receipts and decks. Nothing of it is a login. */

import { sha256, toHex } from "./sha256.js";

const MOST_RECEIPTS = 50;

/**
 * @param {string} key
 * @param {any} fallback
 */
function read(key, fallback) {
  try {
    return JSON.parse(localStorage.getItem(`fairdeal.${key}`) ?? "null") ?? fallback;
  } catch {
    return fallback; // private windows may refuse storage: then nothing is kept
  }
}

/**
 * @param {string} key
 * @param {any} value
 */
function write(key, value) {
  try {
    localStorage.setItem(`fairdeal.${key}`, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

// -- entropy: half of every shuffle is ours ---------------------------------------------------------------------------

/** Makes entropy for a game, keeps it, and says its seal; null where it could not be kept and so never be opened.
 * @param {string} game */
export function sealFor(game) {
  const entropy = crypto.getRandomValues(new Uint8Array(32));
  if (!write(`entropy.${game}`, toHex(entropy))) return null;
  return toHex(sha256(entropy));
}

/** @param {string} game
 * @returns {string | null} */
export const entropyFor = (game) => read(`entropy.${game}`, null);

// -- receipts ---------------------------------------------------------------------------------------------------------

/** Keeps a receipt `GAME:VERSION:LINK`.
 * @param {string | null | undefined} receipt */
export function keepReceipt(receipt) {
  const [game, version, link] = (receipt ?? "").split(":");
  if (!link) return;
  const kept = receiptsOf(game).filter((one) => one.version !== Number(version));
  kept.push({ version: Number(version), link });
  kept.sort((one, other) => one.version - other.version);
  write(`receipts.${game}`, kept.slice(-MOST_RECEIPTS));
}

/** @param {string} game
 * @returns {{ version: number, link: string }[]} */
export const receiptsOf = (game) => read(`receipts.${game}`, []);

// -- decks of trading cards -------------------------------------------------------------------------------------------

/** @typedef {{ name: string, cards: { id: string, count: number }[] }} Deck */

/** @returns {Deck[]} */
export const decks = () => read("decks", []);

/** @param {Deck} deck */
export function keepDeck(deck) {
  return write("decks", [...decks().filter((one) => one.name !== deck.name), deck]);
}

/** @param {string} name */
export const dropDeck = (name) => write("decks", decks().filter((deck) => deck.name !== name));

/** Which deck goes to the next table; null is the house's own.
 * @returns {string | null} */
export const chosenDeck = () => read("deck", null);

/** @param {string | null} name */
export const chooseDeck = (name) => write("deck", name);

// -- how it looks, and against whom ----------------------------------------------------------------------------------

/** @param {string} name
 * @returns {string} */
export const setting = (name) => String(read(`setting.${name}`, ""));

/**
 * @param {string} name
 * @param {string} value
 */
export const keepSetting = (name, value) => write(`setting.${name}`, value);

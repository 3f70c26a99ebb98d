/** Who is called what: records know players by their ids, people by the names they chose. */

/** Names as players chose them; who has none is called by their seat.
 * @param {any} look
 * @returns {string[]} */
export function namesOf(look) {
  return look.players.map((/** @type {string} */ player, /** @type {number} */ seat) => look.names?.[seat] || player);
}

const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;
const RIGHT_TO_LEFT =
  "[\\p{Script=Arab}\\p{Script=Hebr}\\p{Script=Syrc}\\p{Script=Thaa}\\p{Script=Nkoo}\\p{Script=Adlm}]";
const RUN = new RegExp(`${RIGHT_TO_LEFT}(?:[^\\p{Script=Latin},]*${RIGHT_TO_LEFT})*`, "gu");

/** Names in the middle of a text: without marks that turn around what follows, and what is written from right to left
 * is fenced in, or a number that follows would be shown before it.
 * @param {string} text */
export const inText = (text) => text.replace(TURNING, "").replace(RUN, "\u2068$&\u2069");

/** A line of the story, with names where the records have ids.
 * @param {string} line
 * @param {any} look */
export function named(line, look) {
  const names = namesOf(look);
  let said = line;
  look.players.forEach((/** @type {string} */ player, /** @type {number} */ seat) => {
    if (player.length >= 8 && names[seat] !== player) said = said.replaceAll(player, names[seat]);
  });
  return inText(said);
}

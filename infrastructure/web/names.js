/** Who is called what: records know players by their ids, people by the names they chose. */

/** Names as players chose them; who has none is called by their seat.
 * @param {any} look
 * @returns {string[]} */
export function namesOf(look) {
  return look.players.map((/** @type {string} */ player, /** @type {number} */ seat) => look.names?.[seat] || player);
}

/** Without marks that turn around what follows: in the middle of a text nothing fences a name in.
 * @param {string} text */
export const inText = (text) => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, "");

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

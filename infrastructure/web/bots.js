/** Which bots are offered by which word: those that every kind has, from weak to strong. */

/** @type {[string, string][]} */
export const BOT_LEVELS = [["random", "A beginner"], ["careful", "A careful bot"], ["strong", "A strong bot"]];

/**
 * The bots of a kind as they are offered; a game from outside may have others.
 * @param {string[]} bots
 * @returns {[string, string][]}
 */
export function levelsOf(bots) {
  const known = BOT_LEVELS.filter(([name]) => bots.includes(name));
  return known.length ? known : bots.map((name) => [name, name]);
}

/** What the house showed in a kept export, held against the log that it opened after the end. */

/**
 * @typedef {{ version: number, name: string, link: string, payload?: string, event?: unknown }} Line
 */

/**
 * The first record in which a kept export, redacted or not, is not what was opened; null if there is none.
 * Undefined if there is nothing to compare: the logs are of different games, or the other one is not opened yet.
 *
 * @param {string} kept
 * @param {string} opened
 * @returns {{ record: number, why: string } | null | undefined}
 */
export function shownOtherwise(kept, opened) {
  const [mine, theirs] = [kept, opened].map(linesOf);
  if (!mine || !theirs || mine.game !== theirs.game) return undefined;
  if (theirs.lines.some((line) => line.payload === undefined)) return undefined;
  for (const [at, line] of mine.lines.entries()) {
    const record = at + 1;
    const other = theirs.lines[at];
    if (!other) return { record, why: "the log that was opened has no such record" };
    if (line.link !== other.link || line.name !== other.name) {
      return { record, why: "the log that was opened has another link" };
    }
    if (!isPartOf(eventOf(line), eventOf(other))) return { record, why: "what it showed is not what was opened" };
  }
  return null;
}

/**
 * @param {string} log
 * @returns {{ game: unknown, lines: Line[] } | null} null if it does not hold one game
 */
function linesOf(log) {
  try {
    const [header, ...rest] = log.trimEnd().split("\n").map((line) => JSON.parse(line));
    const lines = rest.filter((line) => typeof line.version === "number");
    return lines.length === rest.length - 1 ? { game: header.game, lines } : null;
  } catch {
    return null;
  }
}

/** @param {Line} line */
const eventOf = (line) => line.payload === undefined ? line.event : JSON.parse(line.payload).event;

/**
 * Whether what was shown is what there is, but for what was hidden.
 *
 * @param {any} shown
 * @param {any} whole
 * @returns {boolean}
 */
function isPartOf(shown, whole) {
  if (shown === null || shown === whole) return true;
  if (typeof shown !== "object" || typeof whole !== "object" || whole === null) return false;
  const names = Object.keys(shown);
  if (Array.isArray(shown) !== Array.isArray(whole) || names.length !== Object.keys(whole).length) return false;
  return names.every((name) => name in whole && isPartOf(shown[name], whole[name]));
}

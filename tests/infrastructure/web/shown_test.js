/** A kept export of a running game is held against the log that was opened after its end. */

import { shownOtherwise } from "../../../infrastructure/web/shown.js";

/**
 * @param {unknown} found
 * @param {unknown} wanted
 */
function equal(found, wanted) {
  const [one, other] = [found, wanted].map((thing) => thing === undefined ? "undefined" : JSON.stringify(thing));
  if (one !== other) throw new Error(`${one} is not ${other}`);
}

const GOLDEN = Deno.readTextFileSync(
  new URL("../../golden/logs/kings_corners-given_deck.jsonl", import.meta.url),
);

/**
 * A redacted export of the golden log: every record closed, every card but the first of each list hidden.
 *
 * @param {(event: any, record: number) => any} [lie]
 */
function redacted(lie = (event) => event) {
  const [header, ...lines] = GOLDEN.trimEnd().split("\n").map((line) => JSON.parse(line));
  const footer = lines.pop();
  const closed = lines.slice(0, 12).map(({ version, name, payload, link }) => {
    const { event } = JSON.parse(payload);
    const shown = Array.isArray(event.deck)
      ? { ...event, deck: event.deck.map((/** @type {any} */ card, /** @type {number} */ at) => at ? null : card) }
      : event;
    return { version, name, seal: "00", event: lie(shown, version), link };
  });
  return [header, ...closed, footer].map((line) => JSON.stringify(line)).join("\n") + "\n";
}

Deno.test("what was shown honestly is what was opened", () => {
  equal(shownOtherwise(redacted(), GOLDEN), null);
  equal(shownOtherwise(GOLDEN, GOLDEN), null);
});

Deno.test("another card is found, at its record", () => {
  const kept = redacted((event) => event.deck ? { ...event, deck: ["KD", ...event.deck.slice(1)] } : event);
  const deal = GOLDEN.split("\n").findIndex((line) => line.includes("cards_dealt"));
  equal(shownOtherwise(kept, GOLDEN), { record: deal, why: "what it showed is not what was opened" });
});

Deno.test("a card too many, a field too many and a field that is missing are found", () => {
  for (
    const lie of [
      (/** @type {any} */ event) => event.deck ? { ...event, deck: [...event.deck, null] } : event,
      (/** @type {any} */ event) => event.deck ? { ...event, note: null } : event,
      (/** @type {any} */ { seats: _, ...event }) => event,
    ]
  ) {
    equal(shownOtherwise(redacted(lie), GOLDEN)?.why, "what it showed is not what was opened");
  }
});

Deno.test("another history is found", () => {
  const links = redacted().replace(/"link":"[0-9a-f]{64}"/, `"link":"${"0".repeat(64)}"`);
  equal(shownOtherwise(links, GOLDEN), { record: 1, why: "the log that was opened has another link" });
  const [header, ...rest] = GOLDEN.split("\n");
  const short = [header, ...rest.slice(0, 3), ...rest.slice(-2)].join("\n");
  equal(shownOtherwise(redacted(), short), { record: 4, why: "the log that was opened has no such record" });
});

Deno.test("logs of other games, logs that are not opened and what is not a log are not compared", () => {
  equal(shownOtherwise(redacted().replace(/"game":"./, '"game":"x'), GOLDEN), undefined);
  equal(shownOtherwise(GOLDEN, redacted()), undefined);
  equal(shownOtherwise("nonsense", GOLDEN), undefined);
  equal(shownOtherwise(redacted(), ""), undefined);
});

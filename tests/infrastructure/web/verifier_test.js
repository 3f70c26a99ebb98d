/** The page's verifier against the vectors of docs/format.md and all golden logs. */

import { fromHex, sha256, toHex, utf8 } from "../../../infrastructure/web/sha256.js";
import { NotCanonical, parseStrictly } from "../../../infrastructure/web/strict-json.js";
import {
  Chance,
  FRENCH,
  linkOf,
  parseReceipt,
  saltOf,
  shareOf,
  verifyFile,
} from "../../../infrastructure/web/verifier.js";

const ROOT = new URL("../../../", import.meta.url);
const VECTORS = new Map(
  [...Deno.readTextFileSync(new URL("docs/format.md", ROOT)).matchAll(/^\| ([^|]+) \| `([^`]+)` \|$/gm)]
    .map(([, name, value]) => [name, value]),
);
const SEED = Uint8Array.from({ length: 32 }, (_, i) => i);
const GAME = fromHex("00112233445566778899aabbccddeeff");
const ENTROPY = new Uint8Array(16).fill(1);

/**
 * @param {unknown} found
 * @param {unknown} wanted
 */
function equal(found, wanted) {
  if (found !== wanted) throw new Error(`${found} is not ${wanted}`);
}

/** @param {string} beginning */
function vector(beginning) {
  for (const [name, value] of VECTORS) if (name.startsWith(beginning)) return value;
  throw new Error(`no vector ${beginning}`);
}

Deno.test("the vectors of seal and link", () => {
  const salt = saltOf(SEED, 7);
  equal(toHex(salt), vector("salt of"));
  const payload = utf8(vector("payload"));
  const seal = sha256(Uint8Array.from([...salt, ...payload]));
  equal(toHex(seal), vector("its seal"));
  equal(toHex(linkOf(new Uint8Array(32), GAME, 7, "kings_corners.card_played.v1", seal)), vector("its link"));
});

Deno.test("the vectors of seed, entropy and chance", () => {
  equal(toHex(sha256(SEED)), vector("commitment"));
  equal(toHex(sha256(ENTROPY)), vector("seal of the entropy"));
  equal(toHex(shareOf(ENTROPY)), vector("share of the entropy"));
  const chance = new Chance(SEED, GAME, [shareOf(ENTROPY), new Uint8Array(32)]);
  const words = chance.words(0);
  equal(Array.from({ length: 4 }, () => words.next().value).join(" "), vector("first four words"));
  equal(chance.shuffle(0, FRENCH).join(" "), vector("shuffle 0"));
  equal([2, 3, 10, 1000].map((k) => chance.pick(2, k)).join(" "), vector("number below"));
});

Deno.test("SHA-256 is that of the platform, at every length around a block", async () => {
  for (let length = 0; length < 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => i * 7);
    equal(toHex(sha256(bytes)), toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))));
  }
});

const LOGS = new URL("tests/golden/logs/", ROOT);
for (const { name } of Deno.readDirSync(LOGS)) {
  if (!name.endsWith(".jsonl")) continue;
  Deno.test(`the golden log ${name} is good, and is not with another last link`, () => {
    const log = Deno.readTextFileSync(new URL(name, LOGS));
    const [report] = verifyFile(log);
    equal(`${report.untouched.grade} ${report.good}`, "yes true");
    const link = JSON.parse(log.trim().split("\n").at(-1) ?? "").link;
    const receipt = parseReceipt(`${report.game}:${report.records}:${link}`);
    const other = parseReceipt(`${report.game}:${report.records}:${"ab".repeat(32)}`);
    if (!receipt || !other) throw new Error("not receipts");
    equal(verifyFile(log, [receipt])[0].good, true);
    equal(verifyFile(log, [other])[0].untouched.record, report.records);
  });
}

Deno.test("JSON can be written in one way only", () => {
  for (
    const text of ['{"a":[1,-2,"é😀\\n\\u0001\x7f"],"b":{}}', "[]", "null", "-15", "123456789012345678901234567890"]
  ) parseStrictly(text);
  const others = [
    '{"a":1 }',
    '{"a":1,"a":1}',
    "[1,]",
    "[,1]",
    "{,}",
    '"\\u0041"',
    '"\\u000a"',
    '"\\/"',
    "01",
    "[1",
    "",
    "1 2",
  ];
  for (const text of [...others, '{"__proto__":1}', "[".repeat(1000)]) {
    try {
      parseStrictly(text);
    } catch (error) {
      if (error instanceof NotCanonical) continue;
      throw error;
    }
    throw new Error(`${text} was taken`);
  }
});

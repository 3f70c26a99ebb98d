/** Judges a folder of cases (`N.jsonl` with `N.json`) by the page's verifier; prints where it says otherwise. */

import { Bad, parseReceipt, verifyFile } from "../../../infrastructure/web/verifier.js";

const [folder] = Deno.args;
const cases = [...Deno.readDirSync(folder)].map((entry) => entry.name).filter((name) => name.endsWith(".json")).sort();
const counts = { good: 0, bad: 0 };
for (const name of cases) {
  const { test, receipts, good } = JSON.parse(Deno.readTextFileSync(`${folder}/${name}`));
  const found = judge(Deno.readFileSync(`${folder}/${name}l`), receipts);
  counts[good ? "good" : "bad"]++;
  if (found.good !== good) console.log(`${name} ${test}: should be ${good ? "good" : "bad"}: ${found.why}`);
}
console.error(JSON.stringify(counts));

/**
 * @param {Uint8Array} file
 * @param {string[]} texts
 */
function judge(file, texts) {
  const receipts = [];
  for (const text of texts) {
    const receipt = parseReceipt(text);
    if (!receipt) return { good: false, why: "a bad receipt" };
    receipts.push(receipt);
  }
  try {
    const reports = verifyFile(file, receipts);
    return { good: reports.every((report) => report.good), why: JSON.stringify(reports).slice(0, 600) };
  } catch (error) {
    if (error instanceof Bad) return { good: false, why: error.message };
    throw error;
  }
}

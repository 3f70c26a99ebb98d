/** Which board shows which game. */

import { board as generic } from "./generic.js";

/** @type {{ [kind: string]: () => Promise<{ board: import("./kit.js").Board }> }} */
const BOARDS = {
  kings_corners: () => import("./kings_corners.js"),
  pardon: () => import("./pardon.js"),
  red7: () => import("./red7.js"),
  reviiyot: () => import("./reviiyot.js"),
  tcg: () => import("./tcg.js"),
};

/** @param {string} kind */
export async function boardFor(kind) {
  return Object.hasOwn(BOARDS, kind) ? (await BOARDS[kind]()).board : generic;
}

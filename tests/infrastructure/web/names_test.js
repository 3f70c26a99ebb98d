/** Names stand in lines of English, whichever way they are written. */

import { inText, named } from "../../../infrastructure/web/names.js";

/**
 * @param {string} found
 * @param {string} wanted
 */
function same(found, wanted) {
  const [one, other] = [found, wanted].map((text) => JSON.stringify(text));
  if (one !== other) throw new Error(`${one} is not ${other}`);
}

Deno.test("what is written from right to left is fenced in, so that the number after it stays there", () => {
  same(inText("Bot gives Zoë שלום 1 card."), "Bot gives Zoë \u2068שלום\u2069 1 card.");
  same(inText("بوب العربي draws 2 cards."), "\u2068بوب العربي\u2069 draws 2 cards.");
});

Deno.test("two names from right to left stay two, in their order", () => {
  same(inText("sealed by שלום, دينا"), "sealed by \u2068שלום\u2069, \u2068دينا\u2069");
  same(inText("שלום asks دينا"), "\u2068שלום\u2069 asks \u2068دينا\u2069");
});

Deno.test("marks that turn the direction are left out, and all else stays what it is", () => {
  same(inText("a\u202eb\u2069 plays 8♣."), "ab plays 8♣.");
  same(inText("Zoë 🦊 Ωmega plays R7."), "Zoë 🦊 Ωmega plays R7.");
});

Deno.test("a line has names in place of ids", () => {
  const look = { players: ["p_0123456789abcdef0123"], names: ["שלום"] };
  same(named("p_0123456789abcdef0123 draws 1 card.", look), "\u2068שלום\u2069 draws 1 card.");
});

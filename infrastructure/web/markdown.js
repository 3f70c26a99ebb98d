/** A small part of Markdown, enough for rules: headings, paragraphs, lists, tables, code, emphasis and links. */

import { withChips } from "./cards.js";
import { h } from "./dom.js";

/** Cards, as rules and stories write them. */
const CARD = /^(?:(?:10|[2-9AJQK])[CDHS]|[ROYGBIV][1-7])(?: (?:(?:10|[2-9AJQK])[CDHS]|[ROYGBIV][1-7]))*$/;

/** Whose cards are spoken of; the text is rendered in one go. */
let about = "";

/**
 * @param {string} source
 * @param {string} [kind] the kind of game that it is about
 */
export function markdown(source, kind = "") {
  about = kind;
  const lines = source.replaceAll("\r\n", "\n").split("\n");
  const blocks = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at];
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    if (!line.trim()) at++;
    else if (heading) {
      blocks.push(h(`h${heading[1].length}`, {}, inline(heading[2])));
      at++;
    } else if (line.startsWith("```")) {
      const end = lines.indexOf("```", at + 1);
      const last = end < 0 ? lines.length : end;
      blocks.push(h("pre", { tabindex: "0" }, h("code", {}, lines.slice(at + 1, last).join("\n"))));
      at = last + 1;
    } else if (line.startsWith("|")) {
      const rows = [];
      while (at < lines.length && lines[at].startsWith("|")) rows.push(lines[at++]);
      blocks.push(table(rows));
    } else if (ITEM.test(line)) {
      const items = [];
      const ordered = /^\s*\d/.test(line);
      while (at < lines.length && (ITEM.test(lines[at]) || (/^\s{2,}\S/.test(lines[at]) && items.length))) {
        if (ITEM.test(lines[at])) items.push(lines[at].replace(ITEM, ""));
        else items[items.length - 1] += ` ${lines[at].trim()}`;
        at++;
      }
      blocks.push(h(ordered ? "ol" : "ul", {}, items.map((item) => h("li", {}, inline(item)))));
    } else {
      const text = [];
      while (
        at < lines.length && lines[at].trim() && !/^(#|\||```)/.test(lines[at]) &&
        !(ITEM.test(lines[at]) && text.length)
      ) text.push(lines[at++]);
      blocks.push(h("p", {}, inline(text.join(" "))));
    }
  }
  return h("div", { class: "prose" }, blocks);
}

const ITEM = /^\s{0,3}(?:[-*+]|\d{1,2}\.)\s+/;

/** @param {string[]} rows */
function table(rows) {
  const cells = rows.filter((row) => !/^\|[\s:|-]+\|?$/.test(row)).map((row) =>
    row.replace(/^\||\|\s*$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"))
  );
  const [head, ...body] = cells;
  return h(
    "table",
    { tabindex: "0" },
    h("thead", {}, h("tr", {}, head.map((cell) => h("th", { scope: "col" }, inline(cell))))),
    h("tbody", {}, body.map((row) => h("tr", {}, row.map((cell) => h("td", {}, inline(cell)))))),
  );
}

const MARKS = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)\)/;

/**
 * @param {string} text
 * @returns {import("./dom.js").Child[]}
 */
function inline(text) {
  const found = MARKS.exec(text);
  if (!found) return [text];
  const [whole, code, bold, italic, label, address] = found;
  const made = code !== undefined
    ? about && CARD.test(code) ? h("span", {}, withChips(code, about)) : h("code", {}, code)
    : bold !== undefined
    ? h("strong", {}, inline(bold))
    : italic !== undefined
    ? h("em", {}, inline(italic))
    : /^(https?:|[^:]*$)/.test(address)
    ? h("a", { href: address }, inline(label))
    : label;
  return [text.slice(0, found.index), made, ...inline(text.slice(found.index + whole.length))];
}

/** JSON that can be written in one way only: no spaces, no needless escape, no key twice, whole numbers alone. */

/** @typedef {any} Json what JSON can say; a type in JSDoc cannot hold itself */
/** @typedef {{ [key: string]: Json }} Members */

/** A whole number that is too large to count with; it is equal to nothing. */
export class OtherNumber {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

export class NotCanonical extends Error {}

const NUMBER = /(?:0|-?[1-9]\d*)(?![.eE\d])/y;
// deno-lint-ignore no-control-regex
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const SHORT = new Map(Object.entries({ '"': '"', "\\": "\\", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }));
const DEEPEST = 100;

/** @param {string} text */
export function parseStrictly(text) {
  let at = 0;

  /** @returns {never} */
  function fail() {
    throw new NotCanonical(`not written in the one way at character ${at}`);
  }

  /** @param {string} sign */
  function take(sign) {
    if (!text.startsWith(sign, at)) fail();
    at += sign.length;
  }

  /** @param {RegExp} pattern */
  function match(pattern) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found) fail();
    at = pattern.lastIndex;
    return found[0];
  }

  function string() {
    take('"');
    let value = match(PLAIN);
    while (text[at] === "\\") {
      const short = SHORT.get(text[at + 1]);
      if (short !== undefined) {
        value += short;
        at += 2;
      } else {
        const escape = text.slice(at, at + 6);
        const code = parseInt(escape.slice(4), 16);
        if (!/^\\u00[01][0-9a-f]$/.test(escape) || "\b\t\n\f\r".includes(String.fromCharCode(code))) fail();
        value += String.fromCharCode(code);
        at += 6;
      }
      value += match(PLAIN);
    }
    take('"');
    return value;
  }

  /**
   * @param {number} depth
   * @returns {Json}
   */
  function value(depth) {
    if (depth > DEEPEST) fail();
    switch (text[at]) {
      case '"':
        return string();
      case "{": {
        /** @type {Members} */
        const members = {};
        for (at++; text[at] !== "}";) {
          if (text[at - 1] !== "{") take(",");
          const key = string();
          if (key === "__proto__" || Object.hasOwn(members, key)) fail();
          take(":");
          members[key] = value(depth + 1);
        }
        at++;
        return members;
      }
      case "[": {
        const items = [];
        for (at++; text[at] !== "]";) {
          if (items.length) take(",");
          items.push(value(depth + 1));
        }
        at++;
        return items;
      }
      case "t":
        return take("true"), true;
      case "f":
        return take("false"), false;
      case "n":
        return take("null"), null;
      default: {
        const digits = match(NUMBER);
        const number = Number(digits);
        return Number.isSafeInteger(number) && String(number) === digits ? number : new OtherNumber(digits);
      }
    }
  }

  const whole = value(0);
  if (at !== text.length) fail();
  return whole;
}

/**
 * Equal in all parts, keys in the same order.
 * @param {Json | undefined} one
 * @param {Json | undefined} other
 * @returns {boolean}
 */
export function same(one, other) {
  if (typeof one !== "object" || one === null || typeof other !== "object" || other === null) return one === other;
  if (one instanceof OtherNumber || other instanceof OtherNumber) {
    return one instanceof OtherNumber && other instanceof OtherNumber && one.text === other.text;
  }
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const left = Object.entries(one), right = Object.entries(other);
  return left.length === right.length &&
    left.every(([key, value], i) => key === right[i][0] && same(value, right[i][1]));
}

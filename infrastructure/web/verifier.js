/**
 * Verifies exported logs in the reader's own browser: written from docs/format.md alone, it asks no server anything.
 */

import { concat, fromHex, hmacWith, sha256, toHex, utf8 } from "./sha256.js";
import { NotCanonical, OtherNumber, parseStrictly, same } from "./strict-json.js";

/** @typedef {import("./strict-json.js").Json} Json */
/** @typedef {import("./strict-json.js").Members} Members */
/** @typedef {{ version: number, name: string, event: Members, first: Members | null, open: boolean, link: string }} Row */
/** @typedef {{ game: string | null, version: number, link: string }} Receipt */
/** @typedef {{ grade: string, why: string, record: number | null }} Verdict */
/** @typedef {{ game: string, kind: string, records: number, good: boolean, untouched: Verdict, fair: Verdict, receipts: number }} Report */

/** Something is wrong with a log, at the first record that shows it (0 for its first line). */
export class Bad extends Error {
  /**
   * @param {number} record
   * @param {string} why
   */
  constructor(record, why) {
    super(why);
    this.record = record;
  }

  /** @returns {Verdict} */
  verdict() {
    return { grade: "no", why: this.message, record: this.record };
  }
}

/** The cards or the lot are not what the seed and the seals give. */
export class Misdealt extends Bad {}

const HEADER = ["fairdeal", "game", "kind", "rules", "options", "players", "viewer"];
const FOOTER = ["records", "link", "seed", "digest"];
const OPEN = ["version", "name", "payload", "salt", "link"];
const FIRST = ["at", "by", "id", "command", "rules", "size"];
const SHOWN = ["at", "by", "rules", "size"];
const GAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const HASH = /^[0-9a-f]{64}$/;
const SALT = /^[0-9a-f]{32}$/;
const ENTROPY = /^(?:[0-9a-f]{2}){16,64}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const NAME = /^[^.]+\.v[1-9]\d*$/;
const NO_SHARE = new Uint8Array(32);

/**
 * All games of a file, each with its report; throws Bad where the file is not made of logs.
 * @param {string | Uint8Array} file
 * @param {Receipt[]} receipts
 */
export function verifyFile(file, receipts = []) {
  const logs = logsIn(file);
  const games = new Set(logs.map((log) => gameOf(log)));
  const lone = games.size === 1 && logs.length === 1 ? [...games][0] : null;
  for (const receipt of receipts) {
    if (receipt.game === null ? lone === null : !games.has(receipt.game)) {
      throw new Bad(0, "a receipt is for a game that is not in the file");
    }
  }
  let before = "";
  return logs.map((log) => {
    const game = gameOf(log);
    const own = receipts.filter((receipt) => (receipt.game ?? lone) === game);
    const report = verifyLog(log, own);
    if (game <= before) report.untouched = new Bad(0, "the games of the file are not in their order").verdict();
    before = game;
    report.good = report.untouched.grade !== "no" && report.fair.grade !== "no";
    return report;
  });
}

/**
 * The verdicts on one log; the receipts are all for this game.
 * @param {string} log
 * @param {Receipt[]} receipts
 * @returns {Report}
 */
export function verifyLog(log, receipts = []) {
  const report = {
    game: gameOf(log),
    kind: "",
    records: 0,
    good: false,
    receipts: receipts.length,
    untouched: /** @type {Verdict} */ ({ grade: "yes", why: "every link fits", record: null }),
    fair: /** @type {Verdict} */ ({ grade: "not_checked", why: "the log is not untouched", record: null }),
  };
  try {
    const { header, rows, seed } = linked(log);
    report.kind = String(header.kind);
    report.records = rows.length;
    mustHold(rows, receipts);
    const kept = receipts.length ? `, ${receipts.length} receipt${receipts.length > 1 ? "s" : ""} too` : "";
    report.untouched.why = `all ${rows.length} links fit${kept}`;
    try {
      report.fair = fairness(header, rows, seed);
    } catch (error) {
      if (!(error instanceof Misdealt)) throw error;
      report.fair = error.verdict();
    }
  } catch (error) {
    if (!(error instanceof Bad)) throw error;
    report.untouched = error.verdict();
  }
  report.good = report.untouched.grade !== "no" && report.fair.grade !== "no";
  return report;
}

/**
 * A receipt as somebody may have written it: `GAME:VERSION:LINK`, or without the game; null if it is not one.
 * @param {string} text
 * @returns {Receipt | null}
 */
export function parseReceipt(text) {
  const parts = text.trim().split(":");
  const link = parts.pop()?.toLowerCase() ?? "", version = parts.pop() ?? "";
  if (parts.length > 1 || !HASH.test(link) || !/^\d{1,15}$/.test(version)) return null;
  if (!parts.length) return { game: null, version: Number(version), link };
  const digits = parts[0].toLowerCase().replace(/^(?:urn:uuid:)?\{?([^{}]*)\}?$/, "$1").replaceAll("-", "");
  if (!SALT.test(digits)) return null;
  return { game: digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"), version: Number(version), link };
}

// -- lines -----------------------------------------------------------------------------------------------------------

/** @param {string | Uint8Array} file */
function logsIn(file) {
  let text = file;
  if (typeof text !== "string") {
    try {
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text);
    } catch {
      throw new Bad(0, "the file is not UTF-8");
    }
  }
  if (!text.endsWith("\n")) throw new Bad(0, "the file does not end with a line end");
  const logs = [];
  let start = 0;
  for (let at = 0; at < text.length;) {
    const end = text.indexOf("\n", at) + 1;
    if (text.startsWith('{"records":', at)) {
      logs.push(text.slice(start, end));
      start = end;
    }
    at = end;
  }
  if (start !== text.length) throw new Bad(0, "a log in the file has no last line");
  return logs;
}

/** @param {string} log */
function gameOf(log) {
  const header = membersOf(log.slice(0, log.indexOf("\n")), 0);
  const game = header.game;
  if (typeof game !== "string" || !GAME.test(game)) throw new Bad(0, "its first line names no game");
  return game;
}

/**
 * @param {string} text
 * @param {number} record
 * @returns {Members}
 */
function membersOf(text, record) {
  try {
    const value = parseStrictly(text);
    if (isMembers(value)) return value;
  } catch (error) {
    if (!(error instanceof NotCanonical)) throw error;
  }
  throw new Bad(record, "it is written otherwise than a log is written");
}

/**
 * @param {Json | undefined} value
 * @returns {value is Members}
 */
function isMembers(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof OtherNumber);
}

/**
 * @param {Members} members
 * @param {string[]} keys
 */
function hasKeys(members, keys) {
  const own = Object.keys(members);
  return own.length === keys.length && own.every((key, i) => key === keys[i]);
}

/** @param {Json | undefined} value */
const isCount = (value) => typeof value === "number" && value >= 1;

/**
 * @param {Json | undefined} value
 * @param {RegExp} pattern
 */
const isText = (value, pattern) => typeof value === "string" && pattern.test(value);

// -- untouched: lines, seals, links, batches -------------------------------------------------------------------------

/** @param {string} log */
function linked(log) {
  const lines = log.slice(0, -1).split("\n");
  const last = lines[lines.length - 1];
  const header = headerOf(lines[0]);
  const footer = membersOf(last, 0);
  const count = lines.length - 2;
  if (count < 1) throw new Bad(0, "it has no records");
  if (!hasKeys(footer, FOOTER) || footer.records !== count) throw new Bad(count, "its last line counts other records");
  if (footer.digest !== toHex(sha256(utf8(log.slice(0, -last.length - 1))))) {
    throw new Bad(count, "the digest of the file is another one");
  }
  const secret = isMembers(header.viewer); // a player's or a spectator's log: the seed is not for them yet
  if (secret ? footer.seed !== null : !isText(footer.seed, HASH)) {
    throw new Bad(count, "the seed does not fit the viewer");
  }
  const seed = typeof footer.seed === "string" ? fromHex(footer.seed) : null;

  const rows = /** @type {Row[]} */ ([]);
  const salts = seed && saltsOf(seed);
  const game = fromHex(String(header.game).replaceAll("-", ""));
  let link = new Uint8Array(32);
  for (let version = 1; version <= count; version++) {
    const line = membersOf(lines[version], version);
    if (line.version !== version) throw new Bad(version, "its version is another one");
    const name = line.name;
    const prefix = `${header.kind}.`;
    if (typeof name !== "string" || !name.startsWith(prefix) || !NAME.test(name.slice(prefix.length))) {
      throw new Bad(version, "its name is not a name of this kind of game");
    }
    const { row, seal } = "payload" in line ? openRow(line, name, salts) : closedRow(line, name);
    if (!row.open && !secret) throw new Bad(version, "it is closed although everything is open");
    link = linkOf(link, game, version, name, seal);
    if (row.link !== toHex(link)) throw new Bad(version, "its link does not fit");
    rows.push(row);
  }
  if (footer.link !== toHex(link)) throw new Bad(count, "the last link is another one");
  mustBeWhole(rows);
  mustFit(header, rows, seed);
  return { header, rows, seed };
}

/** @param {string} line */
function headerOf(line) {
  const header = membersOf(line, 0);
  const { players, viewer } = header;
  const good = hasKeys(header, HEADER) && header.fairdeal === 1 && isText(header.game, GAME) &&
    isText(header.kind, /^[^.]+$/) && isCount(header.rules) && isMembers(header.options) && Array.isArray(players) &&
    (viewer === null || viewer === "operator" ||
      isMembers(viewer) && hasKeys(viewer, ["player"]) &&
        (viewer.player === null || players.includes(viewer.player)));
  if (!good) throw new Bad(0, "its first line is not one of this format");
  return header;
}

/**
 * @param {Members} line
 * @param {string} name
 * @param {((version: number) => Uint8Array) | null} salts those of the seed
 */
function openRow(line, name, salts) {
  const version = Number(line.version);
  if (!hasKeys(line, OPEN) || typeof line.payload !== "string") {
    throw new Bad(version, "it is neither open nor closed as it should be");
  }
  if (!isText(line.salt, SALT)) throw new Bad(version, "its salt does not have 16 bytes");
  const salt = salts?.(version) ?? fromHex(String(line.salt));
  if (salts && toHex(salt) !== line.salt) throw new Bad(version, "its salt is not that of the seed");
  const payload = membersOf(line.payload, version);
  const { event, id, command } = payload;
  const begins = hasKeys(payload, ["event", ...FIRST]);
  if (!isMembers(event) || !(begins || hasKeys(payload, ["event"]))) {
    throw new Bad(version, "its payload is written otherwise");
  }
  if (begins && !(typeof id === "string" && id && isMembers(command) && isCommand(command))) {
    throw new Bad(version, "its command is not a command");
  }
  const row = { version, name, event, first: begins ? payload : null, open: true, link: String(line.link) };
  return { row, seal: sha256(concat(salt, utf8(line.payload))) };
}

/** @param {Members} command */
function isCommand(command) {
  const key = Object.keys(command)[0];
  const { seal = null, entropy = null } = key === "do" ? command : {};
  return (key === "move" || key === "do") && typeof command[key] === "string" && command[key] !== "" &&
    (seal === null || isText(seal, HASH)) && (entropy === null || isText(entropy, ENTROPY));
}

/**
 * @param {Members} line
 * @param {string} name
 */
function closedRow(line, name) {
  const version = Number(line.version);
  const begins = "at" in line || "by" in line || "rules" in line || "size" in line;
  const keys = ["version", "name", "seal", ...(begins ? SHOWN : []), "event", "link"];
  if (!hasKeys(line, keys) || !isMembers(line.event) || (line.event.seed ?? null) !== null) {
    throw new Bad(version, "it is neither open nor closed as it should be");
  }
  if (!isText(line.seal, HASH)) throw new Bad(version, "its seal does not have 32 bytes");
  const first = begins ? Object.fromEntries(SHOWN.map((key) => [key, line[key]])) : null;
  const row = { version, name, event: line.event, first, open: false, link: String(line.link) };
  return { row, seal: fromHex(String(line.seal)) };
}

/**
 * Batches are whole, and time never runs back.
 * @param {Row[]} rows
 */
function mustBeWhole(rows) {
  let missing = 0, time = "";
  for (const { version, first } of rows) {
    if ((first !== null) !== (missing === 0)) throw new Bad(version, "batches are not whole");
    if (first) {
      const { at, by, rules, size } = first;
      if (!isCount(rules) || !isCount(size)) throw new Bad(version, "its rules or its size are not a number from 1");
      if (typeof by !== "string" || by.trim() === "") throw new Bad(version, "nobody acted");
      if (!isText(at, TIME) || !isDate(String(at)) || String(at) < time) {
        throw new Bad(version, "its time is not one, or before an earlier one");
      }
      time = String(at);
      missing = Number(size);
    }
    missing--;
  }
  if (missing) throw new Bad(rows.length, "batches are not whole");
}

/** @param {string} at */
function isDate(at) {
  const date = new Date(`${at.slice(0, 23)}Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 23) === at.slice(0, 23);
}

/**
 * What everybody sees of the first record and of the seats fits the first line.
 * @param {Members} header
 * @param {Row[]} rows
 * @param {Uint8Array | null} seed
 */
function mustFit(header, rows, seed) {
  const [opened] = rows;
  const { commitment, options } = opened.event;
  if (wordOf(opened) !== "game_opened") throw new Bad(1, "a log begins with the opening of its game");
  if (!isText(commitment, HASH)) throw new Bad(1, "its commitment does not have 32 bytes");
  if (seed ? opened.event.seed !== toHex(seed) : opened.open) throw new Bad(1, "the seed is shown otherwise");
  if (seed && commitment !== toHex(sha256(seed))) throw new Bad(1, "the seed is not what was committed to");
  for (const row of rows.slice(1)) {
    if (wordOf(row) === "game_opened") throw new Bad(row.version, "a log has one opening");
  }
  mustNameOrigin(rows);
  const over = rows.find((row) => /^game_(?:finished|abandoned|voided)$/.test(wordOf(row)));
  if (over && isMembers(header.viewer)) throw new Bad(over.version, "the game is over, so nothing may be closed");
  const players = seatsOf(rows).map((seat) => seat.player);
  if (!same(header.options, options) || header.rules !== opened.first?.rules || !same(header.players, players)) {
    throw new Bad(0, "the first line does not fit the records");
  }
}

/**
 * A branch, and nothing else, names its origin, right after its start.
 * @param {Row[]} rows
 */
function mustNameOrigin(rows) {
  rows.forEach((row, i) => {
    const named = wordOf(row) === "game_branched";
    const before = rows[i - 1];
    const branch = before !== undefined && wordOf(before) === "game_started" && before.event.opening === "branch";
    if (named !== branch) throw new Bad(row.version, "a branch starts and names its origin, or neither");
    const { origin, version, link } = row.event;
    if (named && !(isText(origin, GAME) && isCount(version) && isText(link, HASH))) {
      throw new Bad(row.version, "its origin is not one");
    }
  });
  const last = rows[rows.length - 1];
  if (wordOf(last) === "game_started" && last.event.opening === "branch") {
    throw new Bad(last.version, "a branch starts and names its origin, or neither");
  }
}

/** @param {Row} row the name of its event, without kind and version */
const wordOf = (row) => row.name.split(".").at(-2) ?? "";

/**
 * @param {Row[]} rows
 * @param {Receipt[]} receipts
 */
function mustHold(rows, receipts) {
  for (const { version, link } of receipts) {
    const row = rows[version - 1];
    if (!row) throw new Bad(version, "a receipt is for a record that is missing");
    if (row.link !== link) {
      throw new Bad(version, "a receipt has another link: this is not the history it was given for");
    }
  }
}

/**
 * @param {Uint8Array} previous
 * @param {Uint8Array} game
 * @param {number} version
 * @param {string} name
 * @param {Uint8Array} seal
 */
export function linkOf(previous, game, version, name, seal) {
  let bytes = names.get(name);
  if (!bytes) names.set(name, bytes = utf8(name));
  return sha256(measured([previous, game, numbered(version, 8), bytes, seal]));
}

/** Names of events, as bytes: they are few. @type {Map<string, Uint8Array>} */
const names = new Map();

/** Each part after its length. @param {Uint8Array[]} parts */
function measured(parts) {
  let size = 4 * parts.length, at = 0;
  for (const part of parts) size += part.length;
  const all = new Uint8Array(size);
  for (const part of parts) {
    for (let shift = 24; shift >= 0; shift -= 8) all[at++] = part.length >>> shift;
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/**
 * @param {number} value
 * @param {number} size
 */
function numbered(value, size) {
  const bytes = new Uint8Array(size);
  for (let at = size - 1; value > 0; at--, value = Math.floor(value / 256)) bytes[at] = value % 256;
  return bytes;
}

/**
 * @param {Uint8Array} seed
 * @param {number} version
 */
export const saltOf = (seed, version) => saltsOf(seed)(version);

/** The salts of all records. @param {Uint8Array} seed */
function saltsOf(seed) {
  const mac = hmacWith(seed), word = utf8("salt");
  return (/** @type {number} */ version) => mac(concat(word, numbered(version, 8))).slice(0, 16);
}

// -- fair: seals, draws, decks ---------------------------------------------------------------------------------------

/** @typedef {{ player: string, seal: Json, brought: Json, share: Uint8Array | null }} SeatOf */

/**
 * Who sits where when the seats are closed, or now if they are not.
 * @param {Row[]} rows
 */
function seatsOf(rows) {
  let seats = /** @type {SeatOf[]} */ ([]);
  for (const row of rows) {
    const { player, seal = null, brought = null } = row.event;
    const word = wordOf(row);
    if (word === "game_started") break;
    if (word === "player_left") seats = seats.filter((seat) => seat.player !== player);
    if (word !== "player_seated") continue;
    const fits = typeof player === "string" && seats.every((seat) => seat.player !== player) &&
      (seal === null || isText(seal, HASH));
    if (!fits) throw new Bad(row.version, "its player or its seal is not one");
    seats.push({ player, seal, brought, share: null });
  }
  return seats;
}

/** The share of opened entropy in every draw.
 * @param {Uint8Array} entropy */
export const shareOf = (entropy) => sha256(concat(utf8("fairdeal share\0"), entropy));

/** The draws of one game. */
export class Chance {
  /**
   * @param {Uint8Array} seed
   * @param {Uint8Array} game
   * @param {Uint8Array[]} shares
   */
  constructor(seed, game, shares) {
    this.mac = hmacWith(seed);
    this.before = concat(Uint8Array.of(1), game, numbered(shares.length, 2), ...shares);
  }

  /** @param {number} n */
  *words(n) {
    for (let c = 0;; c++) {
      const block = this.mac(concat(this.before, numbered(n, 4), numbered(c, 4)));
      const view = new DataView(block.buffer);
      for (let at = 0; at < 32; at += 4) yield view.getUint32(at);
    }
  }

  /**
   * @param {Iterator<number>} words
   * @param {number} k
   */
  below(words, k) {
    const limit = 2 ** 32 - (2 ** 32 % k);
    for (;;) {
      const word = words.next().value;
      if (word < limit) return word % k;
    }
  }

  /**
   * @param {number} n
   * @param {number} k
   */
  pick(n, k) {
    return this.below(this.words(n), k);
  }

  /**
   * @template T
   * @param {number} n
   * @param {T[]} cards
   */
  shuffle(n, cards) {
    const deck = [...cards], words = this.words(n);
    for (let i = deck.length - 1; i > 0; i--) {
      const j = this.below(words, i + 1);
      [deck[i], deck[j]] = [deck[j], deck[i]];
    }
    return deck;
  }
}

/**
 * @param {string[]} outer
 * @param {string[]} inner
 * @param {(outer: string, inner: string) => string} join
 */
const pairs = (outer, inner, join) => outer.flatMap((one) => inner.map((other) => join(one, other)));

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
export const FRENCH = pairs(["C", "D", "H", "S"], RANKS, (suit, rank) => rank + suit);
const COLOURED = pairs([..."ROYGBIV"], [..."1234567"], (colour, number) => colour + number);
const POOL =
  ("d0 d1 d2 d3 d4 d5 d6 d7 d8 spark bolt blunt folly meteor raider wall bandage mend elixir medic peek study " +
    "archive scout").split(" ");
const KATA = { d0: 2, d1: 2, d2: 3, d3: 4, d4: 3, d5: 2, d6: 2, d7: 1, d8: 1 };
const LARGEST = { values: 100_000, deck: 60 };

/** What a shuffle of each kind should be, from what was recorded before; null where no shuffle may stand. */
class Deals {
  /**
   * @param {string} kind
   * @param {Members} options
   * @param {SeatOf[]} seats
   */
  constructor(kind, options, seats) {
    this.kind = kind;
    this.options = options;
    this.seats = seats;
    this.dealt = 0;
    this.won = false; // Red7: a round was won since the last deal
    this.lots = 0;
    this.scored = new Set();
  }

  get isKnown() {
    return ["kings_corners", "pardon", "red7", "reviiyot", "tcg"].includes(this.kind);
  }

  /** What later rounds of Red7 leave out.
   * @param {Row} row */
  note(row) {
    const { cards, scores, deck } = row.event;
    if (this.kind === "red7" && wordOf(row) === "round_won") {
      this.won = true;
      if (Array.isArray(cards)) cards.forEach((card) => this.scored.add(card));
    }
    if (deck === undefined) return;
    this.dealt++;
    this.won = false;
    if (this.kind === "red7" && Array.isArray(scores)) scores.flat().forEach((card) => this.scored.add(card));
  }

  /**
   * The number of the shuffle, its cards in canonical order, and the number of the first one.
   * @param {Members} event
   * @returns {{ n: number, cards: string[], from: number | null } | null}
   */
  expected(event) {
    switch (this.kind) {
      case "red7": {
        if (this.dealt && !this.won) return null;
        return { n: this.dealt, cards: COLOURED.filter((card) => !this.scored.has(card)), from: null };
      }
      case "tcg": {
        if (this.dealt > 1 || event.seat !== this.dealt) return null;
        const cards = this.brought(this.dealt);
        return cards && { n: this.dealt, cards, from: this.dealt * cards.length };
      }
      case "reviiyot": {
        const n = this.options.n;
        if (this.dealt || typeof n !== "number" || n < 2 || n > LARGEST.values) return null;
        const values = [...Array.from({ length: n - 1 }, (_, at) => String(at + 2)), ..."JQKA"];
        return { n: 0, cards: pairs(values, [..."CDHS"], (value, suit) => value + suit), from: null };
      }
      default:
        return this.dealt ? null : { n: 0, cards: FRENCH, from: null };
    }
  }

  /** @param {number} seat */
  brought(seat) {
    const { deck_size: size, pool } = this.options;
    const order = pool === null || pool === undefined ? POOL : Array.isArray(pool) ? pool.map(idOf) : [];
    const counts = new Map(Object.entries(KATA));
    const own = this.seats[seat]?.brought ?? null;
    if (own !== null) {
      counts.clear();
      if (!isMembers(own) || !Array.isArray(own.cards)) return null;
      for (const card of own.cards) {
        const { id, count } = isMembers(card) ? card : { id: null, count: null };
        if (typeof id !== "string" || typeof count !== "number" || count < 0 || count > LARGEST.deck) return null;
        if (counts.has(id)) return null;
        counts.set(id, count);
      }
    }
    const cards = order.flatMap((id) => Array(counts.get(id) ?? 0).fill(id));
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return cards.length === total && total === size && total <= LARGEST.deck ? cards : null;
  }
}

/** @param {Json} card as the pool has it */
const idOf = (card) => isMembers(card) ? String(card.id) : String(card);

/**
 * @param {Members} header
 * @param {Row[]} rows
 * @param {Uint8Array | null} seed
 * @returns {Verdict}
 */
function fairness(header, rows, seed) {
  const seats = seatsOf(rows);
  const kind = String(header.kind);
  const options = /** @type {Members} */ (header.options);
  const deals = new Deals(kind, options, seats);
  let opening = "", starting = false, shuffles = 0;
  /** @type {Chance | null} */
  let chance = null;
  for (const row of rows) {
    const word = wordOf(row);
    if (row.first) starting = false;
    if (word === "game_started") {
      if (opening) throw new Misdealt(row.version, "the game had started already");
      opening = String(row.event.opening);
      starting = true;
      if (!["shuffle", "given_deck", "position", "branch"].includes(opening)) {
        throw new Misdealt(row.version, "its opening is not one");
      }
    }
    if (word === "entropy_revealed") openSeal(row, seats, opening !== "");
    const given = starting && opening !== "shuffle"; // not drawn, and the verdict says so
    const isShuffle = "deck" in row.event || "shuffle" in row.event;
    const isLot = "pick" in row.event || word === "starting_player_chosen";
    const drawn = isShuffle && !given || isLot && (!given || opening === "given_deck");
    if (seed && deals.isKnown && drawn) {
      if (!opening || seats.some((seat) => seat.seal !== null && !seat.share)) {
        throw new Misdealt(row.version, "it comes too early: nothing is drawn before every seal is open");
      }
      const game = fromHex(String(header.game).replaceAll("-", ""));
      chance ??= new Chance(seed, game, seats.map((seat) => seat.share ?? NO_SHARE));
      if (isShuffle && !given) mustBeDrawn(row, deals, chance), shuffles++;
      if (isLot) mustBeTheLot(row, deals, chance);
    }
    deals.note(row);
  }
  return verdictOf({ header, seed, deals, opening, shuffles, seats, chance: rows[0].event.chance });
}

/**
 * @param {Row} row
 * @param {SeatOf[]} seats
 * @param {boolean} started
 */
function openSeal(row, seats, started) {
  const { seat, entropy } = row.event;
  const own = typeof seat === "number" ? seats[seat] : undefined;
  const fits = started && own && !own.share && isText(entropy, ENTROPY) &&
    own.seal === toHex(sha256(fromHex(String(entropy))));
  if (!fits) throw new Misdealt(row.version, "it is not what was sealed");
  own.share = shareOf(fromHex(String(entropy)));
}

/**
 * @param {Row} row
 * @param {Deals} deals
 * @param {Chance} chance
 */
function mustBeDrawn(row, deals, chance) {
  const wanted = deals.expected(row.event);
  if (!wanted) throw new Misdealt(row.version, "it comes too early, or is not a shuffle of this game");
  const { n, cards, from } = wanted;
  const ids = chance.shuffle(n, cards);
  const deck = from === null ? ids : ids.map((id, place) => ({ number: from + place, id }));
  if (row.event.shuffle !== n || !same(row.event.deck, deck)) {
    throw new Misdealt(row.version, "the deck is not what the seed and the seals give");
  }
}

/**
 * @param {Row} row
 * @param {Deals} deals
 * @param {Chance} chance
 */
function mustBeTheLot(row, deals, chance) {
  const first = deals.options.first ?? null;
  const { seat, pick } = row.event;
  const once = deals.kind === "tcg" && deals.lots++ === 0 && deals.seats.length > 0;
  const fits = once &&
    (first === null ? pick === 2 && seat === chance.pick(2, deals.seats.length) : pick === null && seat === first);
  if (!fits) throw new Misdealt(row.version, "the lot is not what the seed and the seals give");
}

/**
 * @param {{ header: Members, seed: Uint8Array | null, deals: Deals, opening: string, shuffles: number, seats: SeatOf[], chance: Json }} found
 * @returns {Verdict}
 */
function verdictOf({ header, seed, deals, opening, shuffles, seats, chance }) {
  /** @type {(grade: string, why: string) => Verdict} */
  const verdict = (grade, why) => ({ grade, why, record: null });
  if (!seed) return verdict("not_yet", "the game goes on: its seed is shown when it is over");
  if (!deals.isKnown) {
    return verdict("not_checked", `the shuffles of “${short(String(header.kind))}” are not known here`);
  }
  if (chance !== 1) return verdict("not_checked", "its draws follow rules that are not known here");
  if (!deals.dealt) return verdict("not_checked", "nothing was dealt");
  const recomputed = `${shuffles} shuffle${shuffles === 1 ? "" : "s"} recomputed`;
  if (opening === "given_deck") return verdict("given_deck", `the deck was given, not shuffled; ${recomputed}`);
  if (opening === "position") return verdict("position", `the position was laid out by hand; ${recomputed}`);
  if (opening === "branch") return verdict("branched", `it goes on from another game; ${recomputed}`);
  const sealed = seats.filter((seat) => seat.share).map((seat) => short(seat.player));
  return sealed.length
    ? verdict("sealed", `${recomputed}; sealed by ${sealed.join(", ")}`)
    : verdict("operators_word", `${recomputed}; nobody sealed entropy, so the seed is the operator's word`);
}

/** @param {string} text */
const short = (text) => text.length > 60 ? `${text.slice(0, 60)}…` : text;

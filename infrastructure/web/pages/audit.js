/** The audit: what the server says, and what this browser finds out itself from the log. */

import { get, getText, pathTo, Problem, titleOf } from "../api.js";
import { capital, counted, h, spaced } from "../dom.js";
import { icon } from "../icons.js";
import * as memory from "../memory.js";
import { named } from "../names.js";
import { shownOtherwise } from "../shown.js";
import { Bad, parseReceipt, verifyFile } from "../verifier.js";

const QUESTIONS = {
  untouched: ["Untouched?", "Whether every record is as it was written, in its place and linked to the one before."],
  fair: ["Fair?", "Whether every shuffle and every lot is what the seed and the players' seals give."],
  legal: ["Legal?", "Whether the rules, played again, allow every move and give every event."],
};
const WORDS = {
  yes: "Yes",
  no: "No",
  not_checked: "Not checked",
  not_yet: "Not yet",
  sealed: "Sealed by players",
  operators_word: "On the operator's word",
  given_deck: "The deck was given",
  position: "A position laid by hand",
  branched: "A branch of another game",
};

export class AuditPage extends HTMLElement {
  /** @param {string} game */
  constructor(game) {
    super();
    this.game = game;
    this.log = "";
    /** Who plays, so that verdicts can speak of names.
     * @type {Promise<any>} */
    this.look = Promise.resolve({ players: [] });
    this.verdicts = h("div", { class: "verdicts" }, h("p", { class: "quiet" }, "The server audits the game …"));
    this.own = h("div", {}, h("p", { class: "quiet" }, "Your browser reads the log …"));
    this.answer = h("p", { role: "status" });
    this.receipt = /** @type {HTMLInputElement} */ (h("input", {
      id: "receipt",
      "data-testid": "receipt-check",
      size: 60,
      spellcheck: "false",
      autocomplete: "off",
      placeholder: "GAME:VERSION:LINK",
      oninput: () => this.check(),
    }));
    this.file = /** @type {HTMLInputElement} */ (h("input", {
      type: "file",
      id: "log-file",
      accept: ".jsonl,.json,.txt,text/plain",
      onclick: () => (this.file.value = ""), // the same file may have changed since
      onchange: () => void this.verifyOwn(),
    }));
    this.download = h("a", {
      href: new URL(`api/v1/games/${game}/log`, new URL(pathTo("/"), location.href)).href,
      download: `${game}.jsonl`,
    }, "Download the log");
    this.append(
      h(
        "header",
        { class: "table-head" },
        h("h1", {}, "Audit"),
        h(
          "nav",
          { "aria-label": "This game" },
          h("a", { href: pathTo(`/games/${game}`) }, "Table"),
          h("a", { href: pathTo(`/games/${game}/replay`) }, "Replay"),
        ),
      ),
      h(
        "section",
        { "aria-labelledby": "server-says" },
        h("h2", { id: "server-says" }, "What the server says"),
        this.verdicts,
      ),
      h(
        "section",
        { class: "panel", "aria-labelledby": "browser-says" },
        h("h2", { id: "browser-says" }, "What your own browser finds"),
        this.own,
        this.download,
      ),
      h(
        "section",
        { class: "panel" },
        h("h2", {}, "Check a receipt"),
        h(
          "p",
          {},
          "A receipt fixes a game up to a version. If the server ever shows another history, a receipt that somebody kept proves it.",
        ),
        h("label", { for: "receipt" }, "Receipt"),
        h("p", {}, this.receipt),
        this.answer,
      ),
      h(
        "section",
        { class: "panel" },
        h("h2", {}, "Verify a file of your own"),
        h(
          "p",
          {},
          "An export that you kept while this game was running is also held against what was opened after its end.",
        ),
        h("label", { for: "log-file" }, "An exported log"),
        h("p", {}, this.file),
      ),
      h(
        "section",
        { class: "panel" },
        h("h2", {}, "What this page cannot prove"),
        h(
          "p",
          {},
          "This page is served by the house, and a house that wants to deceive you could serve a page that always says yes. " +
            "Download the log and verify it with a program that you have from somewhere else: the format is documented, and our verifier is one file of plain Python.",
        ),
        h(
          "p",
          {},
          "Sealed means: nobody who lacked the entropy of one of the players named could choose or foresee the cards. Whether the house, together with " +
            "the last to open a seal, has broken off other tables until a deal suited them, no log shows: only the number of such tables can. Tables that were " +
            "deleted show only against a checkpoint or a receipt that somebody kept.",
        ),
      ),
    );
  }

  connectedCallback() {
    this.look = get(`games/${this.game}`).catch(() => ({ players: [] }));
    void this.askServer();
    void this.verifyGame();
  }

  async askServer() {
    try {
      const [report, look] = await Promise.all([get(`games/${this.game}/audit`), this.look]);
      document.title = `Audit of ${await titleOf(report.kind)} – Fairdeal`;
      const names = /** @type {(keyof typeof QUESTIONS)[]} */ (Object.keys(QUESTIONS));
      this.verdicts.replaceChildren(
        ...names.map((name) =>
          verdict(`verdict-${name}`, QUESTIONS[name][0], inWords(report[name], look), QUESTIONS[name][1])
        ),
      );
    } catch (error) {
      this.verdicts.replaceChildren(
        h("p", { class: "problem", role: "alert" }, String(/** @type {any} */ (error).message)),
      );
    }
  }

  async verifyGame() {
    try {
      this.log = await getText(`games/${this.game}/log`);
    } catch (error) {
      const says = `The log cannot be read: ${/** @type {any} */ (error).message}`;
      const damaged = error instanceof Problem && error.code === "damaged_record";
      return this.own.replaceChildren(
        damaged ? bad(says) : h("p", { class: "problem", role: "alert" }, says),
      );
    }
    const kept = memory.receiptsOf(this.game).map((receipt) => ({ game: this.game.toLowerCase(), ...receipt }));
    this.judge(this.log, kept, "the log that the server gave", await this.look);
    this.check();
  }

  async verifyOwn() {
    const [file] = this.file.files ?? [];
    if (!file) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    this.judge(bytes, [], file.name, await this.look);
    this.own.scrollIntoView({ block: "nearest" });
    this.compare(new TextDecoder().decode(bytes), file.name);
  }

  /**
   * Holds a kept export against the log that the server shows now: what was shown must be what was opened.
   *
   * @param {string} kept
   * @param {string} what
   */
  compare(kept, what) {
    const found = shownOtherwise(kept, this.log);
    if (found === undefined) return;
    const says = found === null
      ? `What ${what} showed is what was opened after the end.`
      : `Record ${found.record} of ${what}: ${found.why}. Keep that file: it shows that the house showed something else.`;
    this.own.append(
      h("p", {
        class: found ? "problem" : "",
        role: found ? "alert" : "status",
        "data-testid": "shown-verdict",
        "data-grade": found ? "no" : "yes",
      }, says),
    );
  }

  /**
   * @param {string | Uint8Array} log
   * @param {import("../verifier.js").Receipt[]} receipts
   * @param {string} what
   * @param {any} look
   */
  judge(log, receipts, what, look) {
    const began = performance.now();
    /** @type {import("../verifier.js").Report[]} */
    let reports = [];
    let why = "";
    try {
      reports = verifyFile(log, receipts);
    } catch (error) {
      if (!(error instanceof Bad)) throw error;
      why = error.message;
    }
    const took = performance.now() - began;
    const good = reports.length > 0 && reports.every((report) => report.good);
    const records = reports.reduce((sum, report) => sum + report.records, 0);
    this.own.replaceChildren(
      h(
        "div",
        {
          class: "verdict",
          "data-testid": "browser-verdict",
          "data-grade": good ? "yes" : "no",
          "data-milliseconds": took.toFixed(1),
          role: "status",
        },
        h("p", { class: "grade" }, icon(good ? "yes" : "no"), good ? " Everything fits" : " Something is wrong"),
        why && h("p", {}, `In ${what}: ${why}.`),
        reports.slice(0, 20).map((report) =>
          h(
            "dl",
            { class: "facts" },
            fact("Untouched", report.untouched),
            fact("Fair", inWords(report.fair, look)),
            h("div", {}, h("dt", {}, "Receipts kept here"), h("dd", {}, counted(report.receipts, "receipt"))),
          )
        ),
        h(
          "p",
          { class: "quiet" },
          `Recomputed here from ${what}: ${counted(records, "record")} in ${
            Math.round(took)
          } ms. The legality of moves is not recomputed here.`,
        ),
      ),
    );
  }

  check() {
    const text = this.receipt.value.trim();
    delete this.receipt.dataset.grade;
    if (!text) return void (this.answer.textContent = "");
    const receipt = parseReceipt(text);
    /** @type {[string, string]} */
    let says = ["no", "That is not a receipt: GAME:VERSION:LINK is expected."];
    if (receipt && receipt.game !== null && receipt.game !== this.game.toLowerCase()) {
      says = ["no", "That receipt is for another game."];
    } else if (receipt && this.log) {
      const links = this.log.split("\n").slice(1, -2).map((line) => /"link":"([0-9a-f]{64})"\}$/.exec(line)?.[1]);
      const found = links[receipt.version - 1];
      says = found === receipt.link ? ["yes", `It fits: version ${receipt.version} of this game has that link.`] : [
        "no",
        found
          ? `It does not fit: version ${receipt.version} has another link now.`
          : `It does not fit: the log has only ${links.length} versions.`,
      ];
    } else if (receipt) says = ["not_checked", "The log is not here yet."];
    [this.receipt.dataset.grade, this.answer.textContent] = says;
  }
}

customElements.define("fd-audit", AuditPage);

/** A log that the server itself calls damaged is a bad one.
 * @param {string} says */
const bad = (says) =>
  h(
    "div",
    { class: "verdict", "data-testid": "browser-verdict", "data-grade": "no", role: "status" },
    h("p", { class: "grade" }, icon("no"), " Something is wrong"),
    h("p", {}, says),
  );

/** Yes, no, or something between: on somebody's word, not yet, not checked.
 * @param {string} grade
 * @returns {"yes" | "no" | "partly"} */
const signOf = (grade) => grade === "yes" || grade === "sealed" ? "yes" : grade === "no" ? "no" : "partly";

/**
 * @template {{ why: string }} Said
 * @param {Said} said
 * @param {any} look
 * @returns {Said}
 */
const inWords = (said, look) => ({ ...said, why: named(said.why, look) });

/**
 * @param {string} testid
 * @param {string} question
 * @param {{ grade: string, why: string, record: number | null }} said
 * @param {string} meaning
 */
function verdict(testid, question, { grade, why, record }, meaning) {
  return h(
    "section",
    { class: "verdict", "data-testid": testid, "data-grade": grade },
    h("h3", {}, question),
    h("p", { class: "grade" }, icon(signOf(grade)), " ", /** @type {any} */ (WORDS)[grade] ?? capital(spaced(grade))),
    h("p", {}, `${capital(why)}.`),
    record !== null && record !== undefined && h("p", {}, `First seen at record ${record}.`),
    h("p", { class: "quiet" }, meaning),
  );
}

/**
 * @param {string} name
 * @param {import("../verifier.js").Verdict} said
 */
function fact(name, { grade, why, record }) {
  const where = record === null ? "" : ` (record ${record})`;
  return h(
    "div",
    {},
    h("dt", {}, name),
    h("dd", {}, h("b", {}, /** @type {any} */ (WORDS)[grade] ?? grade), ` – ${why}${where}`),
  );
}

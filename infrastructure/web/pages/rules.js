/** The rules of a kind of game, rendered. */

import { getText, titleOf } from "../api.js";
import { h } from "../dom.js";
import { markdown } from "../markdown.js";
import { kindTabs } from "./ratings.js";

export class RulesPage extends HTMLElement {
  /** @param {string} kind */
  constructor(kind) {
    super();
    this.kind = kind;
  }

  async connectedCallback() {
    try {
      document.title = `Rules of ${await titleOf(this.kind)} – Fairdeal`;
      const text = await getText(`kinds/${encodeURIComponent(this.kind)}/rules`);
      this.replaceChildren(await kindTabs("rules", this.kind), markdown(text, this.kind));
    } catch (error) {
      this.replaceChildren(
        h("div", { class: "empty" }, h("h1", {}, "No rules"), h("p", {}, String(/** @type {any} */ (error).message))),
      );
    }
  }
}

customElements.define("fd-rules", RulesPage);

/** Who plays in this browser: a name is all that is asked for. */

import { get, Problem, send } from "./api.js";
import { dialog, h, once } from "./dom.js";

const LONGEST = 200;

export const account = {
  /** @type {string | null} */
  player: null,
  name: "",
  /** Whether this visitor only watches, so that the lobby asks for no name. */
  watches: false,
  /** @type {(() => void)[]} */
  listeners: [],

  /** Finds out who we are; nobody on the first visit. */
  async find() {
    try {
      this.take(await get("me"));
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 401) throw error;
    }
    return this.player;
  },

  /** @param {{ player: string, display_name: string }} me */
  take(me) {
    this.player = me.player;
    this.name = me.display_name;
    for (const hear of this.listeners) hear();
  },

  /**
   * Asks for a name, makes the account, and goes on.
   * @param {() => void} then
   * @param {boolean} modal a table can be watched without a name
   */
  ask(then, modal = true) {
    if (document.querySelector("[data-testid=name-input]")) return;
    const input = /** @type {HTMLInputElement} */ (h("input", {
      id: "your-name",
      "data-testid": "name-input",
      maxlength: LONGEST,
      required: true,
      autocomplete: "nickname",
      autofocus: modal,
    }));
    const problem = h("p", { class: "problem", role: "alert" });
    const enter = once(async () => {
      const name = input.value.trim();
      if (!name) return void (problem.textContent = "Please type a name.");
      try {
        const made = await send("session", { display_name: name });
        if (made?.player) this.take(made);
        else await this.find();
        box.close();
        then();
      } catch (error) {
        problem.textContent = error instanceof Error ? error.message : String(error);
        if (error instanceof Problem && error.code === "ledger_read_only") watch.hidden = false;
      }
    });
    const leave = () => {
      if (modal) this.watches = true;
      box.close();
    };
    const watch = h("button", { type: "button", class: "plain", hidden: modal, onclick: leave }, "Just watch");
    const box = dialog(
      "What shall we call you?",
      h(
        "form",
        {
          novalidate: true,
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            void enter();
          },
        },
        h("label", { for: "your-name" }, "Your name at the tables"),
        input,
        problem,
        h(
          "p",
          { class: "buttons" },
          h("button", { class: "primary", "data-testid": "name-ok" }, "Sit down"),
          watch,
        ),
        h("p", { class: "quiet" }, "Nothing else is asked. The name can be changed later; games keep only a number."),
      ),
    );
    box.classList.add("small");
    if (modal) {
      box.addEventListener("cancel", (event) => event.preventDefault());
      box.showModal();
    } else {
      box.classList.add("corner");
      box.setAttribute("open", ""); // not show(): a spectator's focus stays where it is
    }
  },

  async rename() {
    const input = /** @type {HTMLInputElement} */ (h("input", {
      id: "new-name",
      value: this.name,
      maxlength: LONGEST,
      required: true,
    }));
    const problem = h("p", { class: "problem", role: "alert" });
    const box = dialog(
      "Your name",
      h(
        "form",
        {
          novalidate: true,
          onsubmit: async (/** @type {Event} */ event) => {
            event.preventDefault();
            try {
              this.take(await send("me", { display_name: input.value.trim() }, "PATCH"));
              box.close();
            } catch (error) {
              problem.textContent = error instanceof Error ? error.message : String(error);
            }
          },
        },
        h("label", { for: "new-name" }, "Your name at the tables"),
        input,
        problem,
        h(
          "p",
          { class: "buttons" },
          h("button", { class: "primary" }, "Change it"),
          h("button", { type: "button", class: "plain", onclick: () => box.close() }, "Leave it"),
        ),
      ),
    );
    box.classList.add("small");
    box.showModal();
    await Promise.resolve();
  },
};

/** How the page looks here: colours, motion, suits. Kept in this browser, and set before anything is shown. */

import { dialog, h } from "./dom.js";
import { keepSetting, setting } from "./memory.js";

/** @type {{ name: string, title: string, choices: [string, string][] }[]} */
const SETTINGS = [
  { name: "theme", title: "Colours", choices: [["", "System"], ["light", "Light"], ["dark", "Dark"]] },
  { name: "motion", title: "Motion", choices: [["", "System"], ["off", "Off"]] },
  { name: "suits", title: "Suits", choices: [["", "Two colours"], ["four", "Four colours"]] },
];

export function applySettings() {
  for (const { name } of SETTINGS) {
    const value = setting(name);
    if (value) document.documentElement.dataset[name] = value;
    else delete document.documentElement.dataset[name];
  }
}

/** Whether cards may fly. */
export const isStill = () =>
  matchMedia("(prefers-reduced-motion: reduce)").matches || document.documentElement.dataset.motion === "off";

export function showSettings() {
  const box = dialog(
    "How it looks",
    SETTINGS.map(({ name, title, choices }) =>
      oneOf(name, title, choices, setting(name), (value) => {
        keepSetting(name, value);
        applySettings();
      })
    ),
    h(
      "p",
      { class: "buttons" },
      h("button", { type: "button", class: "primary", onclick: () => box.close() }, "Done"),
    ),
  );
  box.classList.add("small");
  box.showModal();
}

/**
 * One of a few.
 * @param {string} name
 * @param {string} title
 * @param {string[][]} choices
 * @param {string} chosen
 * @param {(value: string) => void} choose
 */
export function oneOf(name, title, choices, chosen, choose) {
  return h(
    "fieldset",
    {},
    h("legend", {}, title),
    h(
      "div",
      { class: "choice" },
      choices.map(([value, text]) =>
        h(
          "label",
          {},
          h("input", { type: "radio", name, value, checked: value === chosen, onchange: () => choose(value) }),
          text,
        )
      ),
    ),
  );
}

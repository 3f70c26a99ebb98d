/** The form for a new table: presets and options from what the server says of a kind, clock, bots, who may watch. */

import { get } from "./api.js";
import { levelsOf } from "./bots.js";
import { capital, counted, h, spaced } from "./dom.js";

/**
 * @param {{ kind: string, seats: [number, number], bots: string[] }} kind
 */
export async function optionsForm({ kind, seats: [fewest, most], bots }) {
  const details = await get(`kinds/${kind}`);
  const presets = details.preset_options;
  const schema = details.schemas?.options ?? details.options ?? {};
  const fields = Object.entries(schema.properties ?? {}).map(([name, shape]) => ({
    name,
    ...fieldFor(name, shape, schema),
  })).filter((field) => field.control);

  const preset = select("preset", Object.keys(presets).map((name) => [name, capital(spaced(name))]));
  const own = h(
    "details",
    { class: "own-options" },
    h("summary", {}, "More options"),
    fields.map(({ name, control }) => control && labelled(name, spaced(name), control)),
  );
  const seconds = select("clock", [["", "No clock"], ["30", "30 seconds a move"], ["60", "One minute a move"], [
    "300",
    "Five minutes a move",
  ], ["86400", "One day a move"]]);
  const late = select("late", [["house_move", "the house moves"], ["forfeit", "the game is lost"]]);
  const bot = select(
    "bots",
    Array.from(
      { length: Math.min(most, 8) },
      (_, count) => [String(count), count ? counted(count, "bot") : "No bots"],
    ),
  );
  const levels = levelsOf(bots);
  const level = select("level", levels, levels.some(([name]) => name === "careful") ? "careful" : undefined);
  const spectators = select("spectators", [["open", "Open to all"], ["unlisted", "By address only"], [
    "closed",
    "Closed",
  ]]);
  const rated = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", id: "option-rated" }));
  const sit = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", id: "option-sit", checked: true }));
  const lateField = labelled("late", "Who is late", late), levelField = labelled("level", "How good they are", level);
  const ratedField = labelled("rated", "Rated", rated);
  const element = h(
    "div",
    { class: "fields", onchange: () => fit() },
    labelled("preset", "Rules", preset),
    labelled("clock", "Clock", seconds),
    lateField,
    labelled("bots", "Bots", bot),
    levelField,
    labelled("spectators", "Spectators", spectators),
    ratedField,
    labelled("sit", "I take a seat", sit),
    fields.length ? own : null,
  );
  /** Shows only what means something: a table with bots, or one that not everybody may watch, is never rated. */
  function fit() {
    lateField.hidden = !seconds.value;
    levelField.hidden = bot.value === "0";
    ratedField.hidden = bot.value !== "0" || spectators.value !== "open";
  }
  fit();
  return {
    element,
    values() {
      const changed = /** @type {HTMLDetailsElement} */ (own).open
        ? fields.filter(({ read }) => read() !== undefined).map(({ name, read }) => [name, read()])
        : [];
      const base = presets[preset.value] ?? {};
      const options = changed.length ? { ...base, ...Object.fromEntries(changed) } : preset.value || undefined;
      const clock = seconds.value
        ? { move_seconds: Number(seconds.value), bank_seconds: 0, on_timeout: late.value }
        : undefined;
      const robots = Array(Number(bot.value)).fill(level.value);
      const full = Number(bot.value) + (sit.checked ? 1 : 0) >= Math.max(fewest, 2) && Number(bot.value) > 0;
      return {
        options,
        clock,
        rated: rated.checked && !ratedField.hidden,
        spectators: spectators.value === "open" ? undefined : spectators.value,
        bots: robots,
        sit: sit.checked,
        start: full && fewest === most,
      };
    },
  };
}

/**
 * @param {string} id
 * @param {string[][]} choices
 * @param {string} [value]
 */
function select(id, choices, value) {
  return /** @type {HTMLSelectElement} */ (h(
    "select",
    { id: `option-${id}` },
    choices.map(([key, text]) => h("option", { value: key, selected: key === value }, text)),
  ));
}

/**
 * @param {string} id
 * @param {string} text
 * @param {HTMLElement} control
 */
const labelled = (id, text, control) =>
  h("div", { class: "field" }, h("label", { for: `option-${id}` }, capital(text)), control);

/**
 * A control for one option of simple type; others are set by presets alone.
 * @param {string} name
 * @param {any} shape
 * @param {any} schema
 */
function fieldFor(name, shape, schema) {
  const whole = resolved(shape, schema);
  const id = `option-${name}`;
  if (whole.enum) {
    const control = select(name, [
      ["", "as the rules say"],
      ...whole.enum.map((/** @type {any} */ value) => [JSON.stringify(value), capital(spaced(String(value)))]),
    ]);
    return { control, read: () => control.value ? JSON.parse(control.value) : undefined };
  }
  if (whole.type === "boolean") {
    const control = select(name, [["", "as the rules say"], ["true", "Yes"], ["false", "No"]]);
    return { control, read: () => control.value ? control.value === "true" : undefined };
  }
  if (whole.type === "integer") {
    const control = /** @type {HTMLInputElement} */ (h("input", {
      type: "number",
      id,
      min: whole.minimum,
      max: whole.maximum,
      placeholder: "as the rules say",
    }));
    return { control, read: () => control.value === "" ? undefined : Number(control.value) };
  }
  return { control: null, read: () => undefined };
}

/**
 * @param {any} shape
 * @param {any} schema
 */
function resolved(shape, schema) {
  const name = shape.$ref?.split("/").at(-1);
  const found = name ? schema.$defs?.[name] ?? shape : shape;
  return found.anyOf?.find((/** @type {any} */ one) => one.type === "integer") ?? found;
}

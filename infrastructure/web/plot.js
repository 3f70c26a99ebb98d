/** A line through points, as a picture; whoever shows it shows the numbers as text, too. */

import { s } from "./dom.js";

const WIDTH = 560, HEIGHT = 200, LEFT = 44, BOTTOM = 24;

/** As wide as it will be shown, so that its letters are as large as all others: on a phone they could not be read. */
const room = () => Math.max(280, Math.min(WIDTH, innerWidth - 56));

/**
 * @param {string} label
 * @param {number[]} values
 * @param {string[]} [ends] what stands below the first and the last point
 */
export function linePlot(label, values, ends = []) {
  const width = room();
  const flat = Math.min(...values) === Math.max(...values) ? 1 : 0; // then the line runs through the middle
  const low = Math.min(...values) - flat, span = Math.max(...values) + flat - low;
  /** @param {number} i */
  const x = (i) => LEFT + (values.length > 1 ? i / (values.length - 1) : 0.5) * (width - LEFT - 12);
  /** @param {number} value */
  const y = (value) => HEIGHT - BOTTOM - ((value - low) / span) * (HEIGHT - BOTTOM - 16);
  // Whole numbers have no half between them.
  const half = values.every(Number.isInteger) && span % 2 ? [] : [low + span / 2];
  const marks = [low, ...half, low + span];
  return s(
    "svg",
    { class: "plot", viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": label },
    marks.map((mark) => [
      s("line", { class: "grid", x1: LEFT, x2: width - 8, y1: y(mark), y2: y(mark) }),
      s("text", { x: LEFT - 6, y: y(mark) + 4, "text-anchor": "end" }, String(Math.round(mark * 10) / 10)),
    ]),
    values.length > 1 && s("polygon", {
      class: "area",
      points: [
        `${x(0)},${HEIGHT - BOTTOM}`,
        ...values.map((value, i) => `${x(i)},${y(value)}`),
        `${x(values.length - 1)},${HEIGHT - BOTTOM}`,
      ].join(" "),
    }),
    s("polyline", { class: "curve", points: values.map((value, i) => `${x(i)},${y(value)}`).join(" ") }),
    values.length < 80 && values.map((value, i) => s("circle", { class: "point", cx: x(i), cy: y(value), r: 3 })),
    s("text", { x: LEFT, y: HEIGHT - 6 }, ends[0] ?? ""),
    s("text", { x: width - 8, y: HEIGHT - 6, "text-anchor": "end" }, ends[1] ?? ""),
  );
}

/**
 * Ratings as ranges: a point at the mean, a line as wide as the doubt.
 * @param {string} label
 * @param {{ name: string, low: number, mean: number, high: number }[]} rows
 */
export function rangePlot(label, rows) {
  const width = room(), names = width < WIDTH ? 96 : 150;
  const low = Math.min(...rows.map((row) => row.low)), high = Math.max(...rows.map((row) => row.high));
  const span = high - low || 1;
  const height = 26 * rows.length + BOTTOM;
  /** @param {number} value */
  const x = (value) => names + ((value - low) / span) * (width - names - 20);
  return s(
    "svg",
    { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    rows.map(({ name, low: from, mean, high: to }, i) => [
      s("text", { x: names - 8, y: 26 * i + 18, "text-anchor": "end" }, shortened(name, names / 8)),
      s("line", { class: "curve", x1: x(from), x2: x(to), y1: 26 * i + 14, y2: 26 * i + 14 }),
      s("circle", { class: "point", cx: x(mean), cy: 26 * i + 14, r: 4.5 }),
    ]),
    s("text", { x: x(low), y: height - 6 }, low.toFixed(1)),
    s("text", { x: x(high), y: height - 6, "text-anchor": "end" }, high.toFixed(1)),
  );
}

/**
 * @param {string} name
 * @param {number} most signs
 */
const shortened = (name, most) => name.length > most ? `${name.slice(0, most - 1)}…` : name;

/** How long somebody still has, where a table has a clock. */

import { h } from "./dom.js";

/** When the deadline of a seat is; null without one.
 * @param {any} look
 * @param {number} seat
 * @returns {number | null} milliseconds */
export function deadlineOf(look, seat) {
  const { clock, active } = look;
  if (!clock || !active.includes(seat)) return null;
  const all = clock.deadlines ?? look.deadlines ?? null;
  const own = Array.isArray(all)
    ? all.map((entry, i) => typeof entry === "object" && entry ? [entry.seat, entry.at ?? entry.deadline] : [i, entry])
      .find(([at]) => at === seat)?.[1]
    : all?.[seat] ?? null;
  const at = typeof own === "string" ? Date.parse(own) : NaN;
  return Number.isNaN(at) ? null : at;
}

/** `4:05`; hours are told without seconds.
 * @param {number} seconds */
function inWords(seconds) {
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The claim may be made this long after a deadline, because clocks differ. */
const GRACE = 2000;

/**
 * @param {any} look
 * @param {number} seat
 * @param {() => void} claim
 */
export function clockOf(look, seat, claim) {
  const deadline = deadlineOf(look, seat);
  if (deadline === null) return null;
  const face = h("span", { class: "clock", role: "timer", "aria-label": "time left" });
  const holder = h("span", { class: "clock-holder" }, face);
  const tick = () => {
    const left = deadline - Date.now();
    const seconds = Math.max(0, Math.ceil(left / 1000));
    face.textContent = inWords(seconds);
    face.classList.toggle("late", left < 10_000);
    if (left < -GRACE && holder.childElementCount === 1 && look.seat !== null) {
      holder.append(h("button", { type: "button", onclick: claim }, "Time is up"));
    }
    if (holder.isConnected) setTimeout(tick, 250);
  };
  queueMicrotask(tick);
  return holder;
}

/** Motion that explains: what was in one place and is in another is seen flying there. */

import { isStill } from "./settings.js";

const MILLISECONDS = 280;

/** Where every card lies now.
 * @param {Element} root */
export function positions(root) {
  /** @type {Map<string, DOMRect>} */
  const found = new Map();
  for (const element of root.querySelectorAll("[data-key], [data-origin]")) {
    const { key, origin } = /** @type {HTMLElement} */ (element).dataset;
    found.set(key ?? `@${origin}`, element.getBoundingClientRect());
  }
  return found;
}

/**
 * Lets cards fly from where they were; new ones come from where the story says.
 * @param {Element} root
 * @param {Map<string, DOMRect>} before
 * @param {(key: string, element: HTMLElement) => string | null} origin the name of a place, or null for those that just appear
 */
export function fly(root, before, origin) {
  if (isStill() || !before.size || document.hidden) return;
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-key]"))) {
    const key = element.dataset.key ?? "";
    const from = before.get(key) ?? before.get(`@${origin(key, element)}`);
    if (!from || !from.width) continue;
    const to = element.getBoundingClientRect();
    const x = from.x + from.width / 2 - to.x - to.width / 2, y = from.y + from.height / 2 - to.y - to.height / 2;
    if (Math.abs(x) + Math.abs(y) < 3) continue;
    const scale = Math.min(1.5, Math.max(0.3, Math.min(from.width, 120) / to.width));
    element.animate(
      [{ transform: `translate(${x}px, ${y}px) scale(${scale})`, zIndex: "20" }, { transform: "none", zIndex: "20" }],
      { duration: MILLISECONDS, easing: "cubic-bezier(.2,.7,.2,1)" },
    );
  }
}

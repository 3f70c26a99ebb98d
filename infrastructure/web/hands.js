/** Picking cards up and putting them down: what was clicked, dragged or typed becomes one of the legal moves. */

/** @typedef {import("./boards/kit.js").Move} Move */
/** @typedef {import("./boards/kit.js").Board} Board */
/** @typedef {import("./boards/kit.js").Scene} Scene */
/** @typedef {{ move: Move, from: string[], to: string | null, anyOrder: boolean }} Way */

/**
 * Every legal move with what it picks up.
 * @param {Board} board
 * @param {Scene} scene
 * @returns {Way[]}
 */
export function waysOf(board, scene) {
  return scene.legal.map((move) => {
    const { from, to, anyOrder = false } = board.gesture(move, scene);
    return { move, from, to, anyOrder };
  });
}

/**
 * Whether a move goes on from what is picked up.
 * @param {Way} way
 * @param {string[]} selected
 */
export function goesOn(way, selected) {
  return way.anyOrder
    ? selected.every((token) => way.from.includes(token))
    : selected.every((token, i) => way.from[i] === token);
}

/**
 * @param {Way} way
 * @param {string[]} selected
 */
export const isWhole = (way, selected) => way.from.length === selected.length && goesOn(way, selected);

/** @typedef {{ make: Move } | { choose: Way[] } | { selected: string[] } | { propose: string } | { nothing: string }} Step */

/**
 * What a click on a token means.
 * @param {Way[]} ways
 * @param {string[]} selected
 * @param {string} token
 * @param {boolean} isGoal whether things can be put there at all
 * @returns {Step}
 */
export function step(ways, selected, token, isGoal) {
  if (selected.length) {
    const ends = ways.filter((way) => way.to === token && isWhole(way, selected));
    if (ends.length === 1) return { make: ends[0].move };
    if (ends.length) return { choose: ends };
  }
  if (selected.includes(token)) {
    const whole = ways.filter((way) => isWhole(way, selected));
    if (whole.length === 1) return { make: whole[0].move };
    return { selected: selected.filter((one) => one !== token) };
  }
  const more = [...selected, token];
  if (ways.some((way) => goesOn(way, more) && way.from.length >= more.length)) return { selected: more };
  if (selected.length && isGoal) return { propose: token };
  if (ways.some((way) => goesOn(way, [token]) && way.from.length)) return { selected: [token] };
  return { nothing: token };
}

/**
 * Lets cards be dragged by mouse, finger or pen inside the root: a drag is a click on what is picked up, then on the goal.
 * @param {HTMLElement} root
 * @param {(token: string) => void} pick
 * @param {(token: string | null) => void} drop
 */
export function draggable(root, pick, drop) {
  const FAR = 8;
  /** @type {{ id: number, token: string, x: number, y: number, box: DOMRect, ghost: HTMLElement | null, source: HTMLElement } | null} */
  let drag = null;
  let justDragged = false;

  root.addEventListener("pointerdown", (event) => {
    const source =
      /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("button[data-token].can"));
    if (!source || event.button !== 0) return;
    const box = (source.querySelector(".stack .card:last-child") ?? source).getBoundingClientRect();
    const { pointerId: id, clientX: x, clientY: y } = event;
    drag = { id, token: source.dataset.token ?? "", x, y, box, ghost: null, source };
  });
  root.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const x = event.clientX - drag.x, y = event.clientY - drag.y;
    if (!drag.ghost) {
      if (Math.hypot(x, y) < FAR) return;
      const card = drag.source.querySelector(".stack .card:last-child") ?? drag.source.querySelector(".card");
      if (!card) return;
      root.setPointerCapture(drag.id);
      const ghost = /** @type {HTMLElement} */ (card.cloneNode(true));
      ghost.classList.add("ghost");
      ghost.removeAttribute("data-key");
      ghost.style.width = `${drag.box.width}px`;
      ghost.style.left = `${drag.box.x}px`;
      ghost.style.top = `${drag.box.y}px`;
      document.body.append(ghost);
      drag.ghost = ghost;
      pick(drag.token);
    }
    drag.ghost.style.transform = `translate(${x}px, ${y}px) rotate(${Math.max(-6, Math.min(6, x / 20))}deg)`;
  });
  /** @param {PointerEvent} event */
  function end(event) {
    if (!drag || event.pointerId !== drag.id) return;
    const { ghost } = drag;
    drag = null;
    if (!ghost) return;
    ghost.remove();
    justDragged = true;
    setTimeout(() => (justDragged = false), 0);
    const below = event.type === "pointerup" ? document.elementFromPoint(event.clientX, event.clientY) : null;
    const goal = /** @type {HTMLElement | null} */ (below?.closest("[data-token]") ?? null);
    drop(goal && root.contains(goal) ? goal.dataset.token ?? null : null);
  }
  root.addEventListener("pointerup", end);
  root.addEventListener("pointercancel", end);
  root.addEventListener("click", (event) => {
    if (justDragged) event.stopImmediatePropagation();
  }, true);
}

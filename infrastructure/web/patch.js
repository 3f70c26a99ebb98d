/** Makes what is shown into what is to be shown, and leaves alone whatever stays the same: most of a table does. */

/**
 * Gives `shown` the children of `next`, and keeps the nodes that are equal already. Listeners are not compared: this is
 * for pictures that nobody clicks on.
 * @param {Node} shown
 * @param {Node} next
 */
export function patch(shown, next) {
  const had = [...shown.childNodes], wanted = [...next.childNodes];
  while (had.length && wanted.length && had[0].isEqualNode(wanted[0])) {
    had.shift();
    wanted.shift();
  }
  while (had.length && wanted.length && had[had.length - 1].isEqualNode(wanted[wanted.length - 1])) {
    had.pop();
    wanted.pop();
  }
  const end = had.length ? had[had.length - 1].nextSibling : after(shown, next, wanted);
  wanted.forEach((node, i) => {
    const old = had[i];
    if (!old) shown.insertBefore(node, end);
    else if (isAlike(old, node)) become(/** @type {Element} */ (old), /** @type {Element} */ (node));
    else if (!old.isEqualNode(node)) shown.replaceChild(node, old);
  });
  for (const old of had.slice(wanted.length)) shown.removeChild(old);
}

/**
 * Makes one element into another of the same name: its attributes, too.
 * @param {Element} shown
 * @param {Element} next
 */
export function become(shown, next) {
  dress(shown, next);
  patch(shown, next);
}

/**
 * Where new nodes go if no old one has to give way: before as many nodes from the end as are equal.
 * @param {Node} shown
 * @param {Node} next
 * @param {ChildNode[]} wanted
 */
function after(shown, next, wanted) {
  if (!wanted.length) return null;
  const rest = [...next.childNodes].length - [...next.childNodes].indexOf(wanted[wanted.length - 1]) - 1;
  return rest ? shown.childNodes[shown.childNodes.length - rest] : null;
}

/**
 * Whether one can become the other by changing what it holds; a card cannot.
 * @param {Node} one
 * @param {Node} other
 */
const isAlike = (one, other) =>
  one instanceof HTMLElement && other instanceof HTMLElement && one.nodeName === other.nodeName &&
  !one.classList.contains("card") && !other.classList.contains("card") && one.dataset.key === other.dataset.key;

/**
 * @param {Element} shown
 * @param {Element} next
 */
function dress(shown, next) {
  for (const { name } of [...shown.attributes]) if (!next.hasAttribute(name)) shown.removeAttribute(name);
  for (const { name, value } of next.attributes) {
    if (shown.getAttribute(name) === value) continue;
    // As an attribute, the policy of the page would not let it in.
    if (name === "style") /** @type {HTMLElement} */ (shown).style.cssText = value;
    else shown.setAttribute(name, value);
  }
}

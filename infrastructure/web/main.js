/** The way in: which address shows which page, and moving between them without loading everything anew. */

import { account } from "./account.js";
import { pathTo, Problem, ROOT } from "./api.js";
import { h, nameOf } from "./dom.js";
import { icon } from "./icons.js";
import { applySettings, showSettings } from "./settings.js";

const GAME = "([0-9a-fA-F-]{8,})";

/** @typedef {(found: string[], query: URLSearchParams) => Promise<{ title: string, page: HTMLElement }>} Route */
/** @type {[RegExp, Route][]} */
const ROUTES = [
  [/^$/, async (_, query) => {
    const { LobbyPage } = await import("./pages/lobby.js");
    return { title: "Lobby", page: new LobbyPage(query.get("play")) };
  }],
  [new RegExp(`^games/${GAME}$`), async ([game]) => {
    const { TablePage } = await import("./pages/table.js");
    return { title: "Table", page: new TablePage(game) };
  }],
  [new RegExp(`^games/${GAME}/replay$`), async ([game], query) => {
    const { ReplayPage } = await import("./pages/replay.js");
    return { title: "Replay", page: new ReplayPage(game, query.get("version"), query.get("as")) };
  }],
  [new RegExp(`^games/${GAME}/audit$`), async ([game]) => {
    const { AuditPage } = await import("./pages/audit.js");
    return { title: "Audit", page: new AuditPage(game) };
  }],
  [/^players\/([^/]+)$/, async ([player], query) => {
    const { PlayerPage } = await import("./pages/player.js");
    return { title: "Player", page: new PlayerPage(player, query.get("against")) };
  }],
  [/^ratings\/([^/]+)$/, async ([kind]) => {
    const { RatingsPage } = await import("./pages/ratings.js");
    return { title: "Ratings", page: new RatingsPage(kind) };
  }],
  [/^rules\/([^/]+)$/, async ([kind]) => {
    const { RulesPage } = await import("./pages/rules.js");
    return { title: "Rules", page: new RulesPage(kind) };
  }],
  [/^decks$/, async () => {
    const { DecksPage } = await import("./pages/decks.js");
    return { title: "Decks", page: new DecksPage() };
  }],
];

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
let turn = 0;

/** Shows what the address says. */
async function show() {
  const mine = ++turn;
  const path = location.pathname.slice(ROOT.pathname.length).replace(/\/$/, "");
  const query = new URLSearchParams(location.search);
  for (const [pattern, route] of ROUTES) {
    const found = pattern.exec(path);
    if (!found) continue;
    const { title, page } = await route(found.slice(1).map(decodeURIComponent), query);
    if (mine !== turn) return;
    document.title = `${title} – Fairdeal`;
    showWhere(path);
    main.replaceChildren(page);
    scrollTo(0, 0);
    if (path === "" && account.player === null) account.ask(() => void show());
    if (/^games\/[^/]+$/.test(path) && account.player === null) account.ask(() => void show(), false);
    return;
  }
  document.title = "Nothing here – Fairdeal";
  main.replaceChildren(
    h(
      "div",
      { class: "empty" },
      h("h1", {}, "Nothing here"),
      h("p", {}, "There is no such page."),
      h("a", { href: pathTo("/") }, "To the lobby"),
    ),
  );
}

/** Marks where in the page we are.
 * @param {string} path */
function showWhere(path) {
  for (const link of document.querySelectorAll("nav a[data-to]")) {
    const room = (/** @type {HTMLElement} */ (link).dataset.to ?? "").split("/")[1];
    link.toggleAttribute("aria-current", room === path.split("/")[0]);
    if (link.hasAttribute("aria-current")) link.setAttribute("aria-current", "page");
  }
}

/** @param {string} address */
export function go(address) {
  for (const box of document.querySelectorAll("dialog")) box.close();
  history.pushState(null, "", address);
  void show();
}

addEventListener("popstate", () => void show());
addEventListener("fairdeal:go", (event) => go(/** @type {CustomEvent<string>} */ (event).detail));
document.addEventListener("click", (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest("a[href]"));
  if (
    !link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
  ) return;
  const address = new URL(link.href);
  const isPage = address.origin === location.origin && address.pathname.startsWith(ROOT.pathname) &&
    !address.pathname.startsWith(`${ROOT.pathname}api/`) && !link.hasAttribute("download") && !link.target;
  if (!isPage || (address.hash && address.pathname === location.pathname)) return;
  event.preventDefault();
  go(address.href);
});

function showAccount() {
  const who = document.querySelector("#who");
  const player = account.player;
  const look = h("button", {
    type: "button",
    class: "plain",
    onclick: showSettings,
    "aria-label": "How it looks",
    title: "Colours, motion, suits",
  }, icon("look"));
  who?.replaceChildren(
    ...(player === null ? [look] : [
      h("a", { href: pathTo(`/players/${encodeURIComponent(player)}`) }, nameOf(account.name)),
      h("button", {
        type: "button",
        class: "plain",
        onclick: () => account.rename(),
        "aria-label": "Change your name",
        title: "Change your name",
      }, icon("pen")),
      look,
    ]),
  );
}

applySettings();
account.listeners.push(showAccount);
showAccount();
for (const link of document.querySelectorAll("a[data-to]")) {
  link.setAttribute("href", pathTo(/** @type {HTMLElement} */ (link).dataset.to ?? "/"));
}
const found = account.find().catch((error) => {
  if (!(error instanceof Problem)) throw error;
  main.prepend(h("p", { class: "notice", role: "alert" }, error.message));
});
found.then(show);

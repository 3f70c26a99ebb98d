/** The way in: which address shows which page, and moving between them without loading everything anew. */

import { account } from "./account.js";
import { pathTo, Problem, ROOT } from "./api.js";
import { h, nameOf } from "./dom.js";
import { icon } from "./icons.js";
import { applySettings, showSettings } from "./settings.js";

const GAME = "([0-9a-fA-F-]{8,})";

/**
 * @typedef {object} Route
 * @property {RegExp} path
 * @property {string} title
 * @property {() => Promise<any>} load its module
 * @property {(module: any, found: string[], query: URLSearchParams) => HTMLElement} page
 */
/** @type {Route[]} */
const ROUTES = [
  {
    path: /^$/,
    title: "Lobby",
    load: () => import("./pages/lobby.js"),
    page: ({ LobbyPage }, _, query) => new LobbyPage(query.get("play")),
  },
  {
    path: new RegExp(`^games/${GAME}$`),
    title: "Table",
    load: () => import("./pages/table.js"),
    page: ({ TablePage }, [game]) => new TablePage(game),
  },
  {
    path: new RegExp(`^games/${GAME}/replay$`),
    title: "Replay",
    load: () => import("./pages/replay.js"),
    page: ({ ReplayPage }, [game], query) => new ReplayPage(game, query.get("version"), query.get("as")),
  },
  {
    path: new RegExp(`^games/${GAME}/audit$`),
    title: "Audit",
    load: () => import("./pages/audit.js"),
    page: ({ AuditPage }, [game]) => new AuditPage(game),
  },
  {
    path: /^players\/([^/]+)$/,
    title: "Player",
    load: () => import("./pages/player.js"),
    page: ({ PlayerPage }, [player], query) => new PlayerPage(player, query.get("against")),
  },
  {
    path: /^ratings\/([^/]+)$/,
    title: "Ratings",
    load: () => import("./pages/ratings.js"),
    page: ({ RatingsPage }, [kind]) => new RatingsPage(kind),
  },
  {
    path: /^rules\/([^/]+)$/,
    title: "Rules",
    load: () => import("./pages/rules.js"),
    page: ({ RulesPage }, [kind]) => new RulesPage(kind),
  },
  {
    path: /^decks$/,
    title: "Decks",
    load: () => import("./pages/decks.js"),
    page: ({ DecksPage }) => new DecksPage(),
  },
];

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
let turn = 0;
const known = account.find().catch((error) => {
  if (!(error instanceof Problem)) throw error;
  main.before(h("p", { class: "notice", role: "alert" }, error.message));
});

/** Shows what the address says. */
async function show() {
  const mine = ++turn;
  const path = location.pathname.slice(ROOT.pathname.length).replace(/\/$/, "");
  const query = new URLSearchParams(location.search);
  for (const route of ROUTES) {
    const found = route.path.exec(path);
    if (!found) continue;
    // Who we are and what the page needs are asked for at the same time.
    const [module] = await Promise.all([route.load(), known]);
    if (mine !== turn) return;
    document.title = `${route.title} – Fairdeal`;
    showWhere(path);
    main.replaceChildren(route.page(module, found.slice(1).map(decodeURIComponent), query));
    scrollTo(0, 0);
    if (path === "" && account.player === null && !account.watches) account.ask(() => void show());
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
void show();

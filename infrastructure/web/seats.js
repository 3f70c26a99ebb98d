/** A table before the deal: who sits there, who may still sit down, and who starts. */

import { levelsOf } from "./bots.js";
import { allKinds, command, pathTo } from "./api.js";
import { h, nameOf } from "./dom.js";
import { account } from "./account.js";
import * as memory from "./memory.js";

/** The deck that comes to the table, where decks may be brought.
 * @param {any} look */
function deckFor({ kind, options }) {
  if (kind !== "tcg" || !options?.variations?.includes("decks")) return undefined;
  return memory.decks().find(({ name }) => name === memory.chosenDeck());
}

/**
 * Takes a seat; the entropy that goes with it is sealed, and kept here until it is asked for.
 * @param {any} look
 */
export function join(look) {
  const { game } = look;
  const seal = memory.sealFor(game);
  const deck = deckFor(look);
  return command(game, "join_game", { ...(seal ? { seal } : {}), ...(deck ? { brings: deck } : {}) });
}

/**
 * @param {any} look
 * @param {string} title
 * @param {{ act: (doing: () => Promise<any>) => void, reload: () => void }} doing
 */
export function lobbyOf(look, title, { act, reload }) {
  const { game, kind, players, seat, opener, phase } = look;
  const isOpener = account.player !== null && account.player === opener;
  const names = players.map((/** @type {string} */ player, /** @type {number} */ at) => look.names?.[at] || player);
  const list = h(
    "ol",
    { class: "seats" },
    names.map((/** @type {string} */ name, /** @type {number} */ at) =>
      h(
        "li",
        {},
        nameOf(name),
        at === seat && h("span", { class: "tag" }, "you"),
        players[at].startsWith("bot:") && h("span", { class: "tag" }, "bot"),
      )
    ),
  );
  if (!names.length) list.append(h("li", { class: "free" }, "Nobody sits here yet"));
  const buttons = h("p", { class: "buttons" });
  const room = h(
    "section",
    { class: "waiting sheet" },
    h("h2", {}, phase === "sealed" ? "The seals are being opened" : "Waiting for players"),
    list,
    buttons,
  );
  if (phase === "sealed") {
    const missing = look.active.map((/** @type {number} */ at) => names[at]).join(", ");
    buttons.append(
      h("span", { class: "quiet" }, `As soon as ${missing || "everybody"} has opened a seal, the cards are dealt.`),
    );
    return room;
  }
  /**
   * @param {string} text
   * @param {() => void} onclick
   * @param {import("./dom.js").Attributes} [more]
   */
  const button = (text, onclick, more = {}) => h("button", { type: "button", onclick, ...more }, text);
  allKinds().then((kinds) => {
    const { seats: [fewest, most], bots } = kinds.find((one) => one.kind === kind) ?? { seats: [2, 2], bots: [] };
    room.querySelector("h2")?.append(
      h("span", { class: "quiet" }, ` ${players.length} of ${fewest === most ? fewest : `${fewest} to ${most}`}`),
    );
    if (seat === null && players.length < most) {
      buttons.append(button("Take a seat", () => {
        if (account.player === null) return account.ask(() => act(async () => (await join(look), reload())));
        act(() => join(look));
      }, { class: "primary", "data-testid": "join" }));
    }
    if (isOpener && players.length < most) {
      for (const [bot, name] of look.rated ? [] : levelsOf(bots)) {
        buttons.append(
          button(`Add ${name.toLowerCase()}`, () => act(() => command(game, "add_bot", { bot })), {
            "data-testid": "add-bot",
            "data-bot": bot,
          }),
        );
      }
    }
    if (isOpener && players.length >= fewest) {
      buttons.append(
        button("Start", () => act(() => command(game, "start_game")), { class: "primary", "data-testid": "start" }),
      );
    }
    if (seat !== null) {
      buttons.append(button("Stand up", () => act(() => command(game, "leave_game")), { "data-testid": "stand-up" }));
    }
    if (isOpener) {
      buttons.append(
        button("Break off", () => act(() => command(game, "abandon_game")), { "data-testid": "break-off" }),
      );
    }
    if (!isOpener && players.length >= fewest) {
      buttons.append(h("span", { class: "quiet" }, "Whoever opened the table starts the game."));
    }
  }).catch(() => buttons.append("The kinds of games cannot be read."));
  const address = new URL(pathTo(`/games/${game}`), location.href).href;
  room.append(
    h(
      "p",
      { class: "quiet" },
      ...look.spectators === "closed" ? ["This table is closed: nobody else finds it, so only bots can join."] : [
        look.spectators === "unlisted"
          ? "This table is not in the lobby. Others find it by its address: "
          : "Others find this table in the lobby, or by its address: ",
        h("code", {}, address),
        " ",
        button("Copy", () => void navigator.clipboard?.writeText(address), { class: "plain" }),
      ],
    ),
    h(
      "p",
      { class: "quiet" },
      `The house and everybody who sits down shuffle ${title} together: your browser seals a random number when you take a seat, and opens it once the seats are closed. So nobody can choose the cards.`,
    ),
  );
  return room;
}

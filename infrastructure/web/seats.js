/** A table before the deal: who sits there, who may still sit down, and who starts. */

import { allKinds, command, pathTo } from "./api.js";
import { counted, h, nameOf } from "./dom.js";
import { account } from "./account.js";
import * as memory from "./memory.js";

/**
 * Takes a seat; the entropy that goes with it is sealed, and kept here until it is asked for.
 * @param {string} game
 * @param {string} kind
 */
export function join(game, kind) {
  const seal = memory.sealFor(game);
  const deck = kind === "tcg" ? memory.decks().find(({ name }) => name === memory.chosenDeck()) : undefined;
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
  const buttons = h("p", { class: "buttons" });
  const room = h(
    "section",
    { class: "waiting" },
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
        if (account.player === null) return account.ask(() => act(async () => (await join(game, kind), reload())));
        act(() => join(game, kind));
      }, { class: "primary", "data-testid": "join" }));
    }
    if (isOpener && players.length < most) {
      for (const bot of bots.filter((name) => name === "careful" || name === "random").reverse()) {
        buttons.append(
          button(`Add a ${bot} bot`, () => act(() => command(game, "add_bot", { bot })), { "data-testid": "add-bot" }),
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
      "Others find this table in the lobby, or by its address: ",
      h("code", {}, address),
      " ",
      button("Copy", () => void navigator.clipboard?.writeText(address), { class: "plain" }),
    ),
    h(
      "p",
      { class: "quiet" },
      `${title} is dealt from a shuffle that the house and everybody who sits down make together: your browser seals a random number when you take a seat, and opens it after the seats are closed. ${
        counted(players.length, "player")
      } so far.`,
    ),
  );
  return room;
}

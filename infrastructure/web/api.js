/** What the page asks of the server, by the paths of its HTTP interface and nothing else. */

/** Where the page is mounted: one folder above its own files. */
export const ROOT = new URL("../", import.meta.url);
const API = new URL("api/v1/", ROOT);

/** @param {string} path */
export function pathTo(path) {
  const { pathname, search } = new URL(path.replace(/^\//, ""), ROOT);
  return pathname + search;
}

/** The server said no, and why. */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} detail
   */
  constructor(status, code, detail) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

/** @param {Response} response */
async function problemOf(response) {
  try {
    const { code, detail, title, errors } = await response.json();
    /** @type {{ field?: string, message?: string }[]} */
    const faults = Array.isArray(errors) ? errors : [];
    const fields = faults.map((fault) => [fault.field?.replaceAll("_", " "), fault.message].filter(Boolean).join(": "))
      .filter(Boolean);
    // The detail of a problem with fields says the same of them for programs.
    const said = fields.join("; ") || String(detail ?? title ?? response.statusText);
    return new Problem(response.status, String(code ?? response.status), said);
  } catch {
    return new Problem(response.status, String(response.status), `The server answered ${response.status}.`);
  }
}

const PATIENCE = 4;

/**
 * @param {string} path below the API
 * @param {{ method?: string, body?: any, headers?: { [name: string]: string }, signal?: AbortSignal }} [options]
 */
async function ask(path, { method = "GET", body, headers = {}, signal } = {}) {
  /** @type {{ [name: string]: string }} */
  const json = body === undefined ? {} : { "Content-Type": "application/json" };
  for (let tries = 1;; tries++) {
    /** @type {Response} */
    let response;
    try {
      response = await fetch(new URL(path, API), {
        method,
        headers: { ...json, ...headers },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal,
        credentials: "same-origin",
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new Problem(0, "offline", "The server cannot be reached.");
    }
    if (response.ok) return response;
    const busy = response.status === 429 || response.status === 503;
    if (!busy || tries === PATIENCE) throw await problemOf(response);
    const pause = Number(response.headers.get("Retry-After") ?? 1);
    await new Promise((done) => setTimeout(done, Math.min(5, pause || 1) * 1000));
  }
}

/**
 * @param {string} path
 * @param {AbortSignal} [signal]
 */
export const get = async (path, signal) => (await ask(path, { signal })).json();

/** @param {string} path */
export const getText = async (path) => (await ask(path)).text();

/**
 * Sends a change. It has a key of its own, so that sending it again after a lost answer does it once.
 * @param {string} path
 * @param {any} body
 * @param {string} [method]
 */
export async function send(path, body, method = "POST") {
  const response = await ask(path, { method, body, headers: { "Idempotency-Key": newKey() } });
  return response.status === 204 ? null : response.json();
}

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * A command to a game.
 * @param {string} game
 * @param {string} command
 * @param {any} [fields]
 */
export const command = (game, command, fields = {}) => send(`games/${game}/commands`, { command, ...fields });

const SILENCE = 45_000;

/**
 * Follows a game until it is over or the signal says so; goes on where it was after every broken connection.
 * @param {string} game
 * @param {number} after
 * @param {{ batch: (message: any) => void, end: (message: any) => void, state: (connected: boolean) => void }} hear
 * @param {AbortSignal} signal
 */
export async function follow(game, after, hear, signal) {
  for (let pause = 250; !signal.aborted;) {
    const attempt = new AbortController();
    const stop = () => attempt.abort();
    signal.addEventListener("abort", stop);
    addEventListener("online", stop);
    try {
      const response = await ask(`games/${game}/stream?after=${after}`, {
        headers: { Accept: "text/event-stream" },
        signal: attempt.signal,
      });
      hear.state(true);
      pause = 250;
      for await (const message of messagesOf(response, attempt)) {
        after = Math.max(after, Number(message.id) || 0);
        if (message.event === "batch") hear.batch(JSON.parse(message.data));
        if (message.event === "end") return hear.end(JSON.parse(message.data));
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Problem && error.status >= 400 && error.status < 500 && error.status !== 409) throw error;
      if (error instanceof Problem && error.code === "beyond_head") throw error;
    } finally {
      signal.removeEventListener("abort", stop);
      removeEventListener("online", stop);
    }
    hear.state(false);
    await new Promise((done) => setTimeout(done, pause));
    pause = Math.min(5000, pause * 2);
  }
}

/**
 * The messages of an event stream.
 * @param {Response} response
 * @param {AbortController} attempt
 */
async function* messagesOf(response, attempt) {
  if (!response.body) return;
  let rest = "";
  let timer = setTimeout(() => attempt.abort(), SILENCE);
  try {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => attempt.abort(), SILENCE);
      const parts = (rest + value).replaceAll("\r\n", "\n").split("\n\n");
      rest = parts.pop() ?? "";
      for (const part of parts) {
        const message = { event: "message", id: "", data: "" };
        for (const line of part.split("\n")) {
          const [, name, text] = /^(event|id|data): ?(.*)$/.exec(line) ?? [];
          if (name === "event") message.event = text;
          if (name === "id") message.id = text;
          if (name === "data") message.data += message.data ? `\n${text}` : text;
        }
        if (message.data) yield message;
      }
    }
  } finally {
    clearTimeout(timer);
  }
}

/** @type {Promise<any[]> | null} */
let kinds = null;

/** All kinds of games, asked for once.
 * @returns {Promise<{ kind: string, title: string, seats: [number, number], presets: any, bots: string[] }[]>} */
export const allKinds = () => kinds ??= get("kinds").catch((error) => (kinds = null, Promise.reject(error)));

/** @param {string} kind */
export async function titleOf(kind) {
  const known = await allKinds().catch(() => []);
  return known.find((one) => one.kind === kind)?.title ?? kind;
}

/** SHA-256 and HMAC, synchronous and the same in every browser: a page served without TLS has no WebCrypto. */

const primes = /** @type {number[]} */ ([]);
for (let candidate = 2; primes.length < 64; candidate++) {
  if (primes.every((prime) => candidate % prime)) primes.push(candidate);
}
/** @param {number} value the first 32 bits of its fraction */
const fraction = (value) => ((value - Math.floor(value)) * 2 ** 32) | 0;
const START = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const ROUNDS = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const schedule = new Int32Array(64);

/**
 * One block of 64 bytes into a state.
 * @param {Int32Array} state
 * @param {Uint8Array} bytes
 * @param {number} at
 */
function compress(state, bytes, at) {
  const words = schedule, rounds = ROUNDS; // names of a module cost a look-up each time
  for (let i = 0; i < 16; i++, at += 4) {
    words[i] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
  }
  for (let i = 16; i < 64; i++) {
    const x = words[i - 15], y = words[i - 2];
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    words[i] = (words[i - 16] + s0 + words[i - 7] + s1) | 0;
  }
  let a = state[0], b = state[1], c = state[2], d = state[3];
  let e = state[4], f = state[5], g = state[6], h = state[7];
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + rounds[i] + words[i]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

const tail = new Uint8Array(128), state = new Int32Array(8); // taken anew each time, they would be most of the work

/**
 * The digest of what has led to a state, and of more bytes.
 * @param {Int32Array} start
 * @param {number} before how many bytes have led there: whole blocks
 * @param {Uint8Array} bytes
 */
function digestFrom(start, before, bytes) {
  state.set(start);
  const whole = bytes.length - (bytes.length % 64);
  for (let at = 0; at < whole; at += 64) compress(state, bytes, at);
  const rest = bytes.length - whole;
  const size = rest < 56 ? 64 : 128;
  tail.fill(0);
  for (let i = 0; i < rest; i++) tail[i] = bytes[whole + i];
  tail[rest] = 0x80;
  let bits = (before + bytes.length) * 8;
  for (let i = 1; bits > 0; i++, bits = Math.floor(bits / 256)) tail[size - i] = bits % 256;
  for (let at = 0; at < size; at += 64) compress(state, tail, at);
  const digest = new Uint8Array(32);
  for (let i = 0; i < 32; i++) digest[i] = state[i >> 2] >>> (24 - 8 * (i & 3));
  return digest;
}

/** @param {Uint8Array} bytes */
export const sha256 = (bytes) => digestFrom(START, 0, bytes);

/**
 * HMAC with one key: the blocks that it begins with are worked out once.
 * @param {Uint8Array} key of at most 64 bytes
 * @returns {(message: Uint8Array) => Uint8Array}
 */
export function hmacWith(key) {
  const [inner, outer] = [0x36, 0x5c].map((padding) => {
    const block = new Uint8Array(64).fill(padding), after = Int32Array.from(START);
    for (let i = 0; i < key.length; i++) block[i] ^= key[i];
    compress(after, block, 0);
    return after;
  });
  return (message) => digestFrom(outer, 64, digestFrom(inner, 64, message));
}

/** @param {Uint8Array[]} parts */
export function concat(...parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) all.set(part, at), at += part.length;
  return all;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** @param {Uint8Array} bytes */
export function toHex(bytes) {
  let text = "";
  for (const byte of bytes) text += HEX[byte];
  return text;
}

/** @param {string} text of an even number of hex digits */
export function fromHex(text) {
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

const encoder = new TextEncoder();

/** @param {string} text */
export const utf8 = (text) => encoder.encode(text);

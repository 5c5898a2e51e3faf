/**
 * SHA-256 (FIPS 180-4), synchronous: keys of the cache are computed in synchronous code, and
 * WebCrypto is asynchronous.
 */
const primes = (count: number): number[] => {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every(prime => n % prime !== 0)) found.push(n);
  return found;
};

/** The first 32 bits of the fraction. */
const fraction = (x: number): number => ((x - Math.floor(x)) * 2 ** 32) | 0;

const constants = Int32Array.from(primes(64), prime => fraction(Math.cbrt(prime)));
const start = Int32Array.from(primes(8), prime => fraction(Math.sqrt(prime)));

const blockBytes = 64;

export class Sha256 {
  readonly #state = start.slice();
  readonly #block = new Uint8Array(blockBytes);
  readonly #words = new Int32Array(64);
  #used = 0;
  #length = 0;

  update(bytes: Uint8Array): this {
    this.#length += bytes.length;
    let at = 0;
    if (this.#used > 0) {
      at = Math.min(bytes.length, blockBytes - this.#used);
      this.#block.set(bytes.subarray(0, at), this.#used);
      this.#used += at;
      if (this.#used < blockBytes) return this;
      this.#compress(this.#block, 0);
      this.#used = 0;
    }
    for (; at + blockBytes <= bytes.length; at += blockBytes) this.#compress(bytes, at);
    this.#block.set(bytes.subarray(at), 0);
    this.#used = bytes.length - at;
    return this;
  }

  /** In hexadecimal. May be called once. */
  digest(): string {
    const bits = this.#length * 8;
    const padding = new Uint8Array((this.#used < 56 ? 56 : 120) - this.#used + 8);
    padding[0] = 0x80;
    const view = new DataView(padding.buffer);
    view.setUint32(padding.length - 8, Math.floor(bits / 2 ** 32));
    view.setUint32(padding.length - 4, bits >>> 0);
    this.update(padding);
    return Array.from(this.#state, word => (word >>> 0).toString(16).padStart(8, '0')).join('');
  }

  #compress(bytes: Uint8Array, at: number): void {
    const w = this.#words;
    for (let i = 0, p = at; i < 16; i++, p += 4)
      w[i] = (bytes[p]! << 24) | (bytes[p + 1]! << 16) | (bytes[p + 2]! << 8) | bytes[p + 3]!;
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15]!;
      const y = w[i - 2]!;
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0;
    }
    const state = this.#state;
    let [a, b, c, d, e, f, g, h] = state as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    for (let i = 0; i < 64; i++) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + constants[i]! + w[i]!) | 0;
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
    for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i]! + word) | 0;
  }
}

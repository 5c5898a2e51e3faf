/**
 * Seeded random numbers: the same seed gives the same sequence on every machine.
 *
 * The generator is xoshiro128** on four 32-bit words, seeded through splitmix32. It is not for
 * secrets.
 */
export class Random {
  readonly #s: Uint32Array;

  constructor(seed: number) {
    this.#s = new Uint32Array(4);
    let x = seed >>> 0;
    for (let i = 0; i < 4; i++) {
      x = (x + 0x9e3779b9) >>> 0;
      let z = x;
      z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
      z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
      this.#s[i] = z ^ (z >>> 15);
    }
  }

  /** An independent generator that continues the same sequence. */
  clone(): Random {
    const copy = new Random(0);
    copy.#s.set(this.#s);
    return copy;
  }

  /** The position in the sequence: four numbers, for `goOn`. */
  get place(): readonly number[] {
    return [...this.#s];
  }

  /** Continues at the position of another generator. */
  goOn(place: readonly number[]): void {
    this.#s.set(place);
  }

  /** Uniform in [0, 2^32). */
  uint32(): number {
    const s = this.#s;
    const s1 = s[1]!;
    const result = Math.imul(rotateLeft(Math.imul(s1, 5), 7), 9) >>> 0;
    s[2]! ^= s[0]!;
    s[3]! ^= s1;
    s[1]! ^= s[2]!;
    s[0]! ^= s[3]!;
    s[2]! ^= s1 << 9;
    s[3] = rotateLeft(s[3]!, 11);
    return result;
  }

  /** Uniform in [0, bound); requires 0 < bound <= 2^32. */
  below(bound: number): number {
    return Math.floor((this.uint32() * bound) / 0x1_0000_0000);
  }

  /** Uniform in [0, 1). */
  fraction(): number {
    return this.uint32() / 0x1_0000_0000;
  }
}

function rotateLeft(x: number, k: number): number {
  return (x << k) | (x >>> (32 - k));
}

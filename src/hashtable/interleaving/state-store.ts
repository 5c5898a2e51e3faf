/**
 * The states that were searched, each as a 64-bit hash, with a small number for each. A state takes
 * twelve bytes, so that tens of millions fit. The probability that two of n states collide is about
 * n² / 2^65: 10^-6 for ten million.
 */
export class StateStore {
  /** Triples: the 64 bits, and the number plus 1, which is 0 where there is no state. */
  #slots = new Int32Array(3 * 1024);
  #mask = 1023;
  count = 0;

  /** The number of a state; undefined if it is new. */
  get(low: number, high: number): number | undefined {
    const note = this.#slots[this.#slotOf(low, high) + 2]!;
    return note === 0 ? undefined : note - 1;
  }

  set(low: number, high: number, note: number): void {
    let slot = this.#slotOf(low, high);
    if (this.#slots[slot + 2] === 0) {
      if (++this.count * 4 > this.#mask * 3) {
        this.#grow();
        slot = this.#slotOf(low, high);
      }
      this.#slots[slot] = low;
      this.#slots[slot + 1] = high;
    }
    this.#slots[slot + 2] = note + 1;
  }

  #slotOf(low: number, high: number): number {
    const slots = this.#slots;
    for (let index = low & this.#mask; ; index = (index + 1) & this.#mask) {
      const slot = 3 * index;
      if (slots[slot + 2] === 0 || (slots[slot] === low && slots[slot + 1] === high)) return slot;
    }
  }

  #grow(): void {
    const old = this.#slots;
    this.#mask = 2 * this.#mask + 1;
    this.#slots = new Int32Array(3 * (this.#mask + 1));
    for (let from = 0; from < old.length; from += 3) {
      if (old[from + 2] !== 0)
        this.#slots.set(old.subarray(from, from + 3), this.#slotOf(old[from]!, old[from + 1]!));
    }
  }
}

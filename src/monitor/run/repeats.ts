/**
 * Reports that say nothing new. A program that goes on after an error may come to it ten million
 * times, and to explain it takes a walk over the stack and the heap: what is known by the place and
 * the block alone is counted instead.
 *
 * An error is known by its code, its place and the object (`findings/same-error.ts`). The same
 * site, called from the same line of the program, with a pointer of the same number is the same
 * error. Where each turn of a loop has a block of its own, numbers differ; when a place was
 * explained often and nothing new came of it, it is only counted from then on.
 */
interface Place {
  /** The numbers of the blocks that the place was reported for. */
  readonly numbers: Set<number>;
  /** Explained since something new was found there. */
  explained: number;
}

/** Explanations of one place without anything new. */
const mostExplained = 256;

export class Repeats {
  readonly #places = new Map<string, Place>();
  #count = 0;

  /** How many reports were not explained. */
  get count(): number {
    return this.#count;
  }

  /**
   * Explains the report, unless nothing new can come of it; `explain` says whether something has.
   */
  meet(place: string, number: number, explain: () => boolean): void {
    let known = this.#places.get(place);
    if (known === undefined) {
      known = { numbers: new Set(), explained: 0 };
      this.#places.set(place, known);
    }
    if (known.numbers.has(number) || known.explained >= mostExplained) {
      this.#count++;
      return;
    }
    known.numbers.add(number);
    known.explained = explain() ? 0 : known.explained + 1;
  }
}

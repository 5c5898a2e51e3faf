/**
 * Counts repeated reports. A program that continues after an error may reach it ten million times,
 * and explaining it takes a walk over the stack and the heap. So a report that is known by its
 * location and block is only counted.
 *
 * An error is identified by its code, location and object (`findings/same-error.ts`). The same
 * site, called from the same line of the program, with a pointer of the same number is the same
 * error. If each iteration of a loop has another block, the numbers differ; a location that was
 * explained often without a new finding is only counted from then on.
 */
interface Place {
  /** The numbers of the blocks for which the location was reported. */
  readonly numbers: Set<number>;
  /** The number of explanations since the last new finding. */
  explained: number;
}

/** The limit of explanations of one location without a new finding. */
const mostExplained = 256;

export class Repeats {
  readonly #places = new Map<string, Place>();
  #count = 0;

  /** Forgets all reports, because the program is about to be run again. */
  forget(): void {
    if (this.#places.size > 0) this.#places.clear();
    this.#count = 0;
  }

  /** The number of reports that were not explained. */
  get count(): number {
    return this.#count;
  }

  /**
   * Explains the report unless it must be a repetition; `explain` returns whether it led to a new
   * finding.
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

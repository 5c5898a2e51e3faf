/**
 * The functions that a path has called, and the blocks that it was the first to execute. Forked
 * paths share both; they are recorded only on request.
 */

/** Names of functions. Equal sets that grew from one empty set are one object. */
export class FunctionSet {
  readonly names: ReadonlySet<string>;
  readonly #all: Map<string, FunctionSet>;
  readonly #larger = new Map<string, FunctionSet>();

  private constructor(names: ReadonlySet<string>, all: Map<string, FunctionSet>) {
    this.names = names;
    this.#all = all;
  }

  static empty(): FunctionSet {
    return new FunctionSet(new Set(), new Map());
  }

  with(name: string): FunctionSet {
    if (this.names.has(name)) return this;
    let larger = this.#larger.get(name);
    if (larger === undefined) {
      const names = [...this.names, name].sort();
      const key = names.join('\n');
      larger = this.#all.get(key) ?? new FunctionSet(new Set(names), this.#all);
      this.#all.set(key, larger);
      this.#larger.set(name, larger);
    }
    return larger;
  }
}

export const NO_FUNCTIONS: FunctionSet = FunctionSet.empty();

/** Blocks by their ids, the last one first. */
export interface ReachedNews {
  readonly block: number;
  readonly earlier: ReachedNews | undefined;
  /** A path has ended that executed this block and the earlier ones. */
  isTold?: boolean;
}

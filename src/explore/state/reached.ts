/**
 * The functions that a path has called, the blocks that it was the first to execute, and all blocks
 * of the program that it has executed. They are recorded only on request; forked paths share the
 * first two.
 */

/**
 * Functions by their names and the ids of their first blocks. Equal sets that grew from one empty
 * set are one object.
 */
export class FunctionSet {
  readonly names: ReadonlySet<string>;
  readonly firstBlocks: readonly number[];
  readonly #all: Map<string, FunctionSet>;
  /** This set with one more function; itself for those that it has. */
  readonly #with = new Map<string, FunctionSet>();

  private constructor(
    names: ReadonlySet<string>,
    firstBlocks: readonly number[],
    all: Map<string, FunctionSet>,
  ) {
    this.names = names;
    this.firstBlocks = firstBlocks;
    this.#all = all;
  }

  static empty(): FunctionSet {
    return new FunctionSet(new Set(), [], new Map());
  }

  with(name: string, firstBlock: number): FunctionSet {
    let together = this.#with.get(name);
    if (together === undefined) {
      together = this.names.has(name) ? this : this.#larger(name, firstBlock);
      this.#with.set(name, together);
    }
    return together;
  }

  #larger(name: string, firstBlock: number): FunctionSet {
    const names = [...this.names, name].sort();
    const key = names.join('\n');
    const larger =
      this.#all.get(key) ?? new FunctionSet(new Set(names), [...this.firstBlocks, firstBlock], this.#all);
    this.#all.set(key, larger);
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

/**
 * The blocks that are recorded for each path. They are numbered in the order in which they are
 * first executed, so that the set of a path has few bits.
 */
export class RecordedBlocks {
  /** The id of each. */
  readonly ids: number[] = [];
  readonly #numbers = new Map<number, number>();

  /** The set with this block in it, in place if it has room. */
  add(bits: Uint32Array, block: number): Uint32Array {
    let number = this.#numbers.get(block);
    if (number === undefined) {
      number = this.ids.push(block) - 1;
      this.#numbers.set(block, number);
    }
    let grown = bits;
    if (number >>> 5 >= bits.length) {
      grown = new Uint32Array(2 * (number >>> 5) + 1);
      grown.set(bits);
    }
    grown[number >>> 5]! |= 1 << (number & 31);
    return grown;
  }

  in(bits: Uint32Array): number[] {
    return this.ids.filter((_, number) => ((bits[number >>> 5] ?? 0) >>> (number & 31)) & 1);
  }
}

export const NO_BLOCKS: Uint32Array = new Uint32Array(0);

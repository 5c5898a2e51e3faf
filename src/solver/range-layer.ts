/**
 * Decides queries that only compare words of inputs with constants (`word-ranges.ts`): each word has the values that all its constraints
 * allow, and words that share no byte do not influence each other. Other queries go to the layer below.
 *
 * Of the values of a word the model has the one next to zero: people read it.
 */
import type { Term } from '../expr/term.js';
import { toValue, type Value } from '../expr/value.js';
import type { Layer, Query } from './layer.js';
import { Model, type Outcome } from './outcome.js';
import { arrayOfLeaf } from './support-set.js';
import { intersection, lifted, type Ranges, type WordConditions } from './word-ranges.js';

/** More ranges, as of a long list of exceptions, are left to the solver. */
const MOST_RANGES = 64;

export class RangeLayer implements Layer {
  constructor(
    readonly conditions: WordConditions,
    readonly below: Layer,
    readonly onAnswer: () => void,
  ) {}

  check(query: Query): Outcome {
    const words = this.#wordsOf(query.constraints);
    if (words === undefined) return this.below.check(query);
    this.onAnswer();
    for (const ranges of words.values())
      if (ranges.length === 0) return { kind: 'unsat', core: query.constraints };
    return { kind: 'sat', model: this.#model(words) };
  }

  /** The values of each word; undefined if the query is of another kind. */
  #wordsOf(constraints: readonly Term[]): Map<Term, Ranges> | undefined {
    const byWord = new Map<Term, Ranges>();
    for (const constraint of constraints) {
      const condition = this.conditions.of(constraint);
      if (condition === undefined) return undefined;
      const { word } = condition;
      const before = byWord.get(word);
      const ranges = before === undefined ? condition.ranges : intersection(before, condition.ranges);
      if (ranges.length > MOST_RANGES) return undefined;
      byWord.set(word, ranges);
    }
    return byWord.size === 1 ? byWord : this.#joined(byWord);
  }

  /** Words that are the upper part of another become part of it; undefined if words overlap in another way. */
  #joined(byWord: ReadonlyMap<Term, Ranges>): Map<Term, Ranges> | undefined {
    const words = [...byWord.keys()].sort((a, b) => b.width - a.width);
    const owners = new Map<Term, Term>();
    const joined = new Map<Term, Ranges>();
    for (const word of words) {
      const leaves = this.conditions.leavesOf(word)!;
      const ranges = byWord.get(word)!;
      const owner = owners.get(leaves[0]!);
      const all = owner === undefined ? undefined : this.conditions.leavesOf(owner)!;
      if (owner === undefined || all === undefined) {
        if (leaves.some(leaf => owners.has(leaf))) return undefined;
        for (const leaf of leaves) owners.set(leaf, word);
        joined.set(word, ranges);
      } else {
        if (leaves.some((leaf, i) => all[i] !== leaf)) return undefined;
        joined.set(owner, intersection(joined.get(owner)!, lifted(ranges, owner.width - word.width)));
      }
    }
    return joined;
  }

  #model(words: ReadonlyMap<Term, Ranges>): Model {
    const variables = new Map<string, Value>();
    const arrays = new Map<string, Uint8Array>();
    for (const [word, ranges] of words) {
      let rest = nextToZero(word.width, ranges);
      for (const leaf of [...this.conditions.leavesOf(word)!].reverse()) {
        const value = BigInt.asUintN(leaf.width, rest);
        rest >>= BigInt(leaf.width);
        const array = arrayOfLeaf(leaf);
        if (array === undefined) {
          variables.set(leaf.name, toValue(leaf.width, value));
          continue;
        }
        const bytes = arrays.get(array.name) ?? new Uint8Array(array.byteLength);
        arrays.set(array.name, bytes);
        bytes[Number(leaf.a.value)] = Number(value);
      }
    }
    return new Model({ variables, arrays });
  }
}

/** The least value that is not negative, or else the greatest. */
function nextToZero(width: number, ranges: Ranges): bigint {
  const { low } = ranges[0]!;
  return low < 1n << BigInt(width - 1) ? low : ranges.at(-1)!.high;
}

/**
 * Decides queries that only compare words of inputs with constants (`word-ranges.ts`): each word
 * has the values that all its constraints allow, and words that share no byte do not influence each
 * other. Other queries go to the layer below.
 *
 * The model takes the value of a word that is nearest to zero, because users read it.
 */
import type { Term } from '../expr/term.js';
import type { BitVectorValue } from '../expr/value.js';
import type { Layer, Query } from './layer.js';
import { type Model, modelOf, type Outcome } from './query-outcome.js';
import type { Ranges, WordConditions } from './word-ranges.js';

export class RangeLayer implements Layer {
  constructor(
    readonly conditions: WordConditions,
    readonly below: Layer,
    readonly onAnswer: () => void,
  ) {}

  check(query: Query): Outcome {
    const words = this.conditions.wordsOf(query.constraints);
    if (words === undefined) return this.below.check(query);
    this.onAnswer();
    for (const ranges of words.values())
      if (ranges.length === 0) return { kind: 'unsat', core: query.constraints };
    return { kind: 'sat', model: this.#model(words) };
  }

  #model(words: ReadonlyMap<Term, Ranges>): Model {
    const values: [Term, BitVectorValue][] = [];
    for (const [word, ranges] of words)
      values.push(...this.conditions.partsOf(word, nextToZero(word.width, ranges)));
    return modelOf(values);
  }
}

/** The least value that is not negative, or else the greatest. */
function nextToZero(width: number, ranges: Ranges): bigint {
  const { low } = ranges[0]!;
  return low < 1n << BigInt(width - 1) ? low : ranges.at(-1)!.high;
}

/**
 * Simplifies a query: conjunctions are split, `true` and duplicates dropped, `false` and
 * contradicting pairs decided.
 */
import type { Term } from '../expr/term.js';
import type { Terms } from '../expr/terms.js';
import { conjuncts } from './constraint-set.js';
import type { Layer, Query } from './layer.js';
import { Model, type Outcome } from './query-outcome.js';

export class SimplifyLayer implements Layer {
  constructor(
    readonly t: Terms,
    readonly below: Layer,
    readonly onAnswer: () => void,
  ) {}

  check(query: Query): Outcome {
    const kept = new Set<Term>();
    const waiting = [...query.constraints].reverse();
    while (waiting.length > 0) {
      const term = waiting.pop()!;
      const parts = conjuncts(this.t, term);
      if (parts !== undefined) waiting.push(parts[1], parts[0]);
      else if (term.isFalse || kept.has(this.t.not(term))) {
        this.onAnswer();
        return { kind: 'unsat', core: query.constraints };
      } else if (!term.isTrue) kept.add(term);
    }
    if (kept.size === 0) {
      this.onAnswer();
      return { kind: 'sat', model: new Model({ variables: new Map(), arrays: new Map() }) };
    }
    return this.below.check({ ...query, constraints: [...kept] });
  }
}

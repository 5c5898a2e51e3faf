/**
 * Distrust: every unsatisfiable core is put to a second decider, and a disagreement is a defect of ours. A satisfiable
 * answer needs no second opinion, its model is evaluated anyway. The test suite runs with this layer.
 */
import { assert } from '../support/assert.js';
import type { Layer, Query } from './layer.js';
import type { Outcome } from './outcome.js';

export class ConfirmLayer implements Layer {
  constructor(
    readonly below: Layer,
    readonly second: Layer,
  ) {}

  check(query: Query): Outcome {
    const outcome = this.below.check(query);
    if (outcome.kind === 'unsat') {
      const again = this.second.check({ ...query, constraints: outcome.core });
      assert(again.kind !== 'sat', 'one decider says unsatisfiable, the other has a model');
    }
    return outcome;
  }
}

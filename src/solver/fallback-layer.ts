/**
 * CaDiCaL first, with a share of the budget; what it cannot decide goes to Z3 with the rest.
 *
 * Bit-blasting decides nearly everything within a few hundred conflicts. What is left after many thousands, products and
 * quotients mostly, is where Z3's rewriting at the level of words has a chance.
 */
import type { Layer, Query } from './layer.js';
import { Deadline } from './limits.js';
import type { Outcome } from './outcome.js';

const FIRST_CONFLICTS = 30_000;
/** Of the time that is left, how much the first may take. */
const FIRST_SHARE = 0.5;

export class FallbackLayer implements Layer {
  constructor(
    readonly first: Layer,
    readonly second: Layer,
  ) {}

  check(query: Query): Outcome {
    const { limits, deadline } = query;
    const remaining = deadline.remaining();
    const firstDeadline = Number.isFinite(remaining) ? new Deadline(remaining * FIRST_SHARE) : deadline;
    const conflicts = limits.conflicts > 0 ? Math.min(limits.conflicts, FIRST_CONFLICTS) : FIRST_CONFLICTS;
    const outcome = this.first.check({ ...query, deadline: firstDeadline, limits: { ...limits, conflicts } });
    // A caller that limits conflicts wants the same answer on every machine, and Z3 can only be limited by time.
    if (outcome.kind !== 'unknown' || limits.conflicts > 0 || deadline.passed()) return outcome;
    return this.second.check(query);
  }
}

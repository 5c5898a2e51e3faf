/**
 * CaDiCaL and Z3 in turn, each with more patience than before.
 *
 *     CaDiCaL, few conflicts ─▶ Z3, bounded ─▶ CaDiCaL, many conflicts ─▶ Z3, as long as it takes
 *
 * Bit-blasting decides nearly everything within a few hundred conflicts. Of what is left, products and quotients mostly, Z3 decides
 * some at once by rewriting at the level of words, and CaDiCaL some by mere force; which, nobody knows in advance. Patience is counted in
 * conflicts and in Z3's own units of work, not in time: who answers, and with which model, is the same on every machine.
 */
import type { Layer, Query } from './layer.js';
import type { Outcome } from './outcome.js';

const FEW_CONFLICTS = 3000;
const MANY_CONFLICTS = 100_000;
/** About two seconds. */
const BOUNDED_WORK = 4_000_000;
/** Of the time that is left, how much a turn that is not the last may take. */
const SHARE = 0.4;

export class FallbackLayer implements Layer {
  constructor(
    readonly first: Layer,
    readonly second: Layer,
  ) {}

  check(query: Query): Outcome {
    const { limits } = query;
    // A caller that limits conflicts means this very number, and no time of Z3's.
    if (limits.conflicts > 0) return this.first.check(query);
    const turns: readonly ((part: Query) => Outcome)[] = [
      part => this.first.check({ ...part, limits: { ...limits, conflicts: FEW_CONFLICTS } }),
      part => this.second.check({ ...part, work: BOUNDED_WORK }),
      part => this.first.check({ ...part, limits: { ...limits, conflicts: MANY_CONFLICTS } }),
    ];
    for (const turn of turns) {
      const outcome = turn({ ...query, deadline: query.deadline.part(SHARE) });
      if (outcome.kind !== 'unknown' || query.deadline.passed()) return outcome;
    }
    return this.second.check(query);
  }
}

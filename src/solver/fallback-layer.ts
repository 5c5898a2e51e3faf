/**
 * CaDiCaL and Z3 in turn, each with more patience than before.
 *
 *     CaDiCaL 1,500 conflicts ─▶ Z3 0.1 s ─▶ CaDiCaL 3,000 ─▶ Z3 2 s ─▶ CaDiCaL 100,000 ─▶ Z3 as long as it takes
 *
 * Bit-blasting decides nearly everything within a few hundred conflicts: all 610 questions of `npm
 * run bench:solver` within 300. Of what is left, products and quotients mostly, Z3 decides some at
 * once by rewriting at the level of words (that multiplication distributes takes it ten
 * milliseconds), and CaDiCaL decides others by search; which of the two succeeds cannot be
 * predicted. Patience is counted in conflicts and in Z3's own units of work, not in time: who
 * answers, and with which model, is the same on every machine.
 */
import type { Layer, Query } from './layer.js';
import type { Outcome } from './query-outcome.js';

/** Conflicts of CaDiCaL, or work of Z3: two million units are about a second. */
const TURNS: readonly ({ readonly conflicts: number } | { readonly work: number })[] = [
  { conflicts: 1500 },
  { work: 200_000 },
  { conflicts: 3000 },
  { work: 4_000_000 },
  { conflicts: 100_000 },
];
/** The share of the remaining time that a turn may take, unless it is the last. */
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
    for (const turn of TURNS) {
      const part = { ...query, deadline: query.deadline.part(SHARE) };
      const outcome =
        'work' in turn
          ? this.second.check({ ...part, work: turn.work })
          : this.first.check({ ...part, limits: { ...limits, conflicts: turn.conflicts } });
      if (outcome.kind !== 'unknown' || query.deadline.passed()) return outcome;
    }
    return this.second.check(query);
  }
}

/**
 * CaDiCaL and Z3 in turn, with growing limits.
 *
 *     CaDiCaL 1,500 conflicts ─▶ Z3 0.1 s ─▶ CaDiCaL 3,000 ─▶ Z3 2 s ─▶ CaDiCaL 100,000 ─▶ Z3 as long as it takes
 *
 * Bit-blasting decides nearly everything within a few hundred conflicts: all 610 queries of `npm
 * run bench:solver` within 300. Of the rest, mostly products and quotients, Z3 decides some at once
 * by word-level rewriting (it proves in ten milliseconds that multiplication distributes), and
 * CaDiCaL decides others by search; which of the two succeeds cannot be predicted. Limits are
 * conflicts and Z3's own units of work, not time, so that the answering solver and its model are
 * the same on every machine.
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
/** The fraction of the remaining time that a turn may take, unless it is the last. */
const SHARE = 0.4;

export class FallbackLayer implements Layer {
  constructor(
    readonly first: Layer,
    readonly second: Layer,
  ) {}

  check(query: Query): Outcome {
    const { limits } = query;
    // A limit of conflicts applies to CaDiCaL alone.
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

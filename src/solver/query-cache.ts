/**
 * Caches the outcome of every query by its set of constraints. Unknown outcomes are not cached,
 * because another limit may succeed.
 */
import type { Layer, Query } from './layer.js';
import type { Outcome } from './query-outcome.js';

interface Entry {
  readonly ids: Int32Array;
  readonly outcome: Outcome;
}

const MAX_ENTRIES = 200_000;

export class QueryCache implements Layer {
  readonly #entries = new Map<number, Entry[]>();
  #count = 0;

  constructor(
    readonly below: Layer,
    readonly onAnswer: () => void,
  ) {}

  check(query: Query): Outcome {
    const ids = Int32Array.from(query.constraints, constraint => constraint.id).sort();
    const key = hash(ids);
    const known = this.#entries.get(key)?.find(entry => sameIds(entry.ids, ids));
    if (known !== undefined) {
      this.onAnswer();
      return known.outcome;
    }
    const outcome = this.below.check(query);
    if (outcome.kind !== 'unknown') this.#remember(key, { ids, outcome });
    return outcome;
  }

  #remember(key: number, entry: Entry): void {
    if (++this.#count > MAX_ENTRIES) {
      this.#entries.clear();
      this.#count = 1;
    }
    const bucket = this.#entries.get(key);
    if (bucket === undefined) this.#entries.set(key, [entry]);
    else bucket.push(entry);
  }
}

function hash(ids: Int32Array): number {
  let h = ids.length;
  for (const id of ids) h = Math.imul(h ^ id, 0x01000193) ^ (h >>> 15);
  return h;
}

function sameIds(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && a.every((id, i) => id === b[i]);
}

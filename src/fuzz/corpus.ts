/**
 * The corpus, and the choice of the next entry.
 *
 * A *feature* is an edge together with a bucket of its hit count. Each feature belongs to the
 * shortest entry that has it; an entry without features is dropped. So no two entries have the same
 * coverage, and the corpus stays as small as its coverage allows.
 *
 * **Invariants:** every feature that any input of the campaign had, without an error, belongs to
 * one entry. An entry's `owned` is how many belong to it, and is not 0.
 */
import type { Random } from '../support/random.js';
import type { Feature } from './fuzz-target.js';
import { type Box, type Candidate, costOf } from './protocol.js';

export interface CorpusEntry {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly features: Uint32Array;
  readonly cost: number;
  readonly box: Box | 'given';
  owned: number;
  /** How often it was chosen. */
  chosen: number;
  /**
   * Whether the inputs were tried that its comparisons suggest, and those that join it with others.
   */
  isCompared: boolean;
  isJoined: boolean;
  /** Whether the explorer has tried it. */
  isExplored: boolean;
  weight: number;
}

export interface CorpusChange {
  readonly added: CorpusEntry;
  readonly removed: readonly CorpusEntry[];
  /** The features that no entry had. */
  readonly newFeatures: readonly Feature[];
  readonly newEdges: number;
}

export class Corpus {
  readonly #entries = new Map<number, CorpusEntry>();
  readonly #owners = new Map<Feature, CorpusEntry>();
  /** By edge, how many entries take it. */
  readonly #takers = new Map<number, number>();
  #nextId = 1;

  get size(): number {
    return this.#entries.size;
  }

  get edges(): number {
    return this.#takers.size;
  }

  get entries(): CorpusEntry[] {
    return [...this.#entries.values()];
  }

  hasEdge(edge: number): boolean {
    return this.#takers.has(edge);
  }

  /** Adds an input if it has a new feature, or is shorter than an entry with the same ones. */
  offer({ bytes, features, cost, replaces }: Candidate, box: CorpusEntry['box']): CorpusChange | undefined {
    const fresh = [...features].filter(feature => !this.#owners.has(feature));
    const replaced = replaces === undefined ? undefined : this.#entries.get(replaces);
    const isShorter = replaced !== undefined && bytes.length < replaced.bytes.length;
    if (fresh.length === 0 && !isShorter) return undefined;
    const edgesBefore = this.#takers.size;
    const added: CorpusEntry = {
      id: this.#nextId++,
      bytes,
      features,
      cost,
      box,
      owned: 0,
      chosen: 0,
      isCompared: false,
      isJoined: false,
      isExplored: false,
      weight: 1,
    };
    const removed: CorpusEntry[] = [];
    for (const feature of features) {
      const owner = this.#owners.get(feature);
      if (owner !== undefined && owner.bytes.length <= bytes.length) continue;
      this.#owners.set(feature, added);
      added.owned++;
      if (owner !== undefined && --owner.owned === 0) removed.push(owner);
    }
    // Another input of the same round may have taken all its features.
    if (added.owned === 0) return undefined;
    this.#entries.set(added.id, added);
    this.#countEdges(added, 1);
    for (const entry of removed) {
      this.#entries.delete(entry.id);
      this.#countEdges(entry, -1);
    }
    return { added, removed, newFeatures: fresh, newEdges: this.#takers.size - edgesBefore };
  }

  #countEdges({ features }: CorpusEntry, by: 1 | -1): void {
    let last = -1;
    for (const feature of features) {
      const edge = feature >>> 8;
      if (edge === last) continue;
      last = edge;
      const takers = (this.#takers.get(edge) ?? 0) + by;
      if (takers === 0) this.#takers.delete(edge);
      else this.#takers.set(edge, takers);
    }
  }

  /**
   * The weight of an entry: high if its features are rare, if it is short, and if it was rarely
   * chosen.
   */
  weigh(): void {
    for (const entry of this.#entries.values()) {
      let fewest = Number.POSITIVE_INFINITY;
      for (const feature of entry.features) fewest = Math.min(fewest, this.#takers.get(feature >>> 8) ?? 1);
      entry.weight = (1 + 12 / fewest) / (1 + Math.log2(1 + entry.bytes.length / 64));
    }
  }

  /** The median of what the entries cost. */
  get usualCost(): number {
    const costs = this.entries.map(({ cost }) => cost).sort((a, b) => a - b);
    return costs[Math.floor(costs.length / 2)] ?? costOf(0);
  }

  /** The next entry to mutate. */
  choose(random: Random): CorpusEntry {
    const entries = this.entries;
    const worth = (entry: CorpusEntry): number => entry.weight / (1 + Math.sqrt(entry.chosen));
    const total = entries.reduce((sum, entry) => sum + worth(entry), 0);
    let left = random.fraction() * total;
    const chosen =
      entries.find(entry => {
        left -= worth(entry);
        return left < 0;
      }) ?? entries.at(-1)!;
    chosen.chosen++;
    return chosen;
  }
}

/** A smallest set of inputs, short ones first, that together have all features. */
export function fewestInputs<Input extends { readonly bytes: Uint8Array; readonly features: Uint32Array }>(
  inputs: readonly Input[],
): Input[] {
  const seen = new Set<Feature>();
  return [...inputs]
    .sort((a, b) => a.bytes.length - b.bytes.length)
    .filter(({ features }) => {
      const before = seen.size;
      for (const feature of features) seen.add(feature);
      return seen.size > before;
    });
}

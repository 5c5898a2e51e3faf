/**
 * Splits a query into independent slices, decides each, and merges the models.
 *
 * Queries of a path are already sliced (see `constraint-set.ts`); this layer serves queries of
 * whole sets.
 */
import type { Assignment } from '../expr/evaluate.js';
import type { Term } from '../expr/term.js';
import type { BitVectorValue } from '../expr/value.js';
import type { Layer, Query } from './layer.js';
import { Model, type Outcome } from './query-outcome.js';
import { arrayOfLeaf, type Supports } from './support-set.js';

export class SliceLayer implements Layer {
  constructor(
    readonly supports: Supports,
    readonly below: Layer,
  ) {}

  check(query: Query): Outcome {
    const slices = sliceConstraints(this.supports, query.constraints);
    if (slices.length === 1) return this.below.check(query);
    const models: { model: Model; slice: readonly Term[] }[] = [];
    let firstUnknown: Outcome | undefined;
    for (const slice of slices) {
      const outcome = this.below.check({ ...query, constraints: slice });
      // One unsatisfiable slice decides the query, even after an unknown one.
      if (outcome.kind === 'unsat') return outcome;
      if (outcome.kind === 'unknown') firstUnknown ??= outcome;
      else models.push({ model: outcome.model, slice });
    }
    return firstUnknown ?? { kind: 'sat', model: this.#merge(models) };
  }

  /** Only the leaves of a slice are taken from its model: a cached model may mention others. */
  #merge(models: readonly { model: Model; slice: readonly Term[] }[]): Model {
    const variables = new Map<string, BitVectorValue>();
    const arrays = new Map<string, Uint8Array>();
    const setByte = (name: string, index: number, byte: number): void => {
      let bytes = arrays.get(name) ?? new Uint8Array(0);
      if (index >= bytes.length) {
        const longer = new Uint8Array(Math.max(index + 1, 2 * bytes.length));
        longer.set(bytes);
        bytes = longer;
        arrays.set(name, bytes);
      }
      bytes[index] = byte;
    };
    for (const { model, slice } of models) {
      for (const constraint of slice) {
        const support = this.supports.of(constraint);
        for (const leaf of support.leaves) {
          const array = arrayOfLeaf(leaf);
          if (array === undefined) variables.set(leaf.name, model.value(leaf));
          else setByte(array.name, Number(leaf.a.value), Number(model.value(leaf)));
        }
        for (const { name } of support.arrays) {
          model.assignment.arrays.get(name)?.forEach((byte, index) => {
            setByte(name, index, byte);
          });
        }
      }
    }
    const assignment: Assignment = { variables, arrays };
    return new Model(assignment);
  }
}

/**
 * Groups constraints that are connected through leaves; the order within and among groups is that
 * of the input.
 */
export function sliceConstraints(supports: Supports, constraints: readonly Term[]): Term[][] {
  const groupOf = constraints.map((_, i) => i);
  const find = (i: number): number => {
    let root = i;
    while (groupOf[root] !== root) root = groupOf[root]!;
    groupOf[i] = root;
    return root;
  };
  const unite = (i: number, j: number): void => {
    const [a, b] = [find(i), find(j)];
    groupOf[Math.max(a, b)] = Math.min(a, b);
  };
  const wholeArrays = new Set(constraints.flatMap(constraint => supports.of(constraint).arrays));
  const owner = new Map<unknown, number>();
  for (const [i, constraint] of constraints.entries()) {
    const { leaves, arrays } = supports.of(constraint);
    // A byte of an array that is also read at symbolic indices is grouped with the array.
    const keys: unknown[] = [...arrays];
    for (const leaf of leaves) {
      const array = arrayOfLeaf(leaf);
      keys.push(array !== undefined && wholeArrays.has(array) ? array : leaf);
    }
    for (const key of keys) {
      const other = owner.get(key);
      if (other === undefined) owner.set(key, i);
      else unite(i, other);
    }
  }
  const groups = new Map<number, Term[]>();
  for (const [i, constraint] of constraints.entries()) {
    const root = find(i);
    const group = groups.get(root);
    if (group === undefined) groups.set(root, [constraint]);
    else group.push(constraint);
  }
  return [...groups.values()];
}

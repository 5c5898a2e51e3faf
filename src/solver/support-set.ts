/**
 * The support of a term: the leaves on which it depends. Two constraints without a common leaf
 * cannot influence each other.
 *
 *     leaf      a variable, or one byte of a symbolic array (a read at a constant index)
 *     array     a whole symbolic array, if some read has a symbolic index: it depends on every byte
 *
 * The walk stops at terms whose support is known. Besides the roots, terms at every 32nd height are
 * cached, so that a chain of sums that grows with each constraint is not walked from the start each
 * time.
 */
import { baseOf, Op, type SymbolicArray, type Term } from '../expr/term.js';
import { forEachOperand } from '../expr/walk.js';

export interface Support {
  readonly leaves: readonly Term[];
  /** Arrays read at symbolic indices. */
  readonly arrays: readonly SymbolicArray[];
}

const REMEMBERED_HEIGHTS = 32;

export class Supports {
  readonly #known = new Map<Term, Support>();

  of(root: Term): Support {
    const known = this.#known.get(root);
    if (known !== undefined) return known;
    // Operands first: cached terms are completed before those above need them.
    const milestones: Term[] = [];
    const seen = new Set<Term>();
    const stack = [root];
    while (stack.length > 0) {
      const term = stack.pop()!;
      if (seen.has(term) || this.#known.has(term)) continue;
      seen.add(term);
      if (term.height % REMEMBERED_HEIGHTS === 0) milestones.push(term);
      forEachOperand(term, operand => stack.push(operand));
    }
    milestones.sort((a, b) => a.id - b.id);
    for (const milestone of milestones) this.#known.set(milestone, this.#collect(milestone));
    const support = this.#collect(root);
    this.#known.set(root, support);
    return support;
  }

  #collect(root: Term): Support {
    const leaves = new Set<Term>();
    const arrays = new Set<SymbolicArray>();
    const seen = new Set<Term>();
    const stack = [root];
    while (stack.length > 0) {
      const term = stack.pop()!;
      if (seen.has(term)) continue;
      seen.add(term);
      const known = this.#known.get(term);
      if (known !== undefined) {
        for (const leaf of known.leaves) leaves.add(leaf);
        for (const array of known.arrays) arrays.add(array);
        continue;
      }
      if (term.op === Op.Var) leaves.add(term);
      else if (term.op === Op.Read) {
        const base = baseOf(term.array!);
        if (base.kind === 'symbolic') {
          if (base === term.array && term.a.op === Op.Const) leaves.add(term);
          else arrays.add(base);
        }
      }
      forEachOperand(term, operand => stack.push(operand));
    }
    return { leaves: [...leaves], arrays: [...arrays] };
  }
}

/** The array of which a leaf is a byte, if it is one. */
export function arrayOfLeaf(leaf: Term): SymbolicArray | undefined {
  return leaf.array?.kind === 'symbolic' ? leaf.array : undefined;
}

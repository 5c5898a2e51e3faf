/**
 * Pointers that have left their object.
 *
 * A pointer inside its object, or just past its end, is identified by its address. One that was
 * moved further away is not: it may point into another object, and after a store and a load its
 * provenance is lost. So pointer arithmetic that leads far out of an object makes a term: a
 * variable with one value, the address, whose name records the object.
 *
 *     q = p + 70000          q = s,  with  s = 0x7f2000011170  on the path,  and  origin(s) = the object of p
 *     table[3] = q; ...      the bytes of s, and s again when they are loaded
 *     *table[3]              checked against the object of p: an overflow, even into a neighbour
 *
 * Comparisons and differences use the address; a pointer that comes back (`q - 70000`) points into
 * its object again. Compiled code exits to the interpreter at such a step, which correct programs
 * rarely make.
 */

import { Op, type Term } from '../../expr/term.js';
import { SHORT_STEP } from '../memory/address-space.js';
import type { Path } from '../state/running.js';
import type { Known, Scalar } from '../values/register-value.js';

/** Whether a step from one address to another leads far out of the object. */
export function isStray({ state }: Path, from: Known, to: Known): boolean {
  const step = Number(to) - Number(from);
  if (step <= SHORT_STEP && step >= -SHORT_STEP) return false;
  const info = state.memory.find(Number(from))?.info;
  return info !== undefined && !(Number(to) >= info.base && Number(to) <= info.base + info.bytes);
}

export class Strays {
  readonly #origins = new Map<Term, number>();

  /** Makes the pointer `to`, derived from the object at `from`. */
  make({ terms, state }: Path, from: Known, to: Known): Term {
    const origin = state.memory.find(Number(from))!.info.base;
    const term = terms.variable(`${to} from ${origin}`, 64);
    this.#origins.set(term, origin);
    state.add(terms.eq(term, terms.constant(64, to)));
    return term;
  }

  /** The address of the object that a pointer has left; undefined if it is no such pointer. */
  originOf(pointer: Scalar): number | undefined {
    if (typeof pointer !== 'object' || this.#origins.size === 0) return undefined;
    if (pointer.op === Op.Add) return this.originOf(pointer.a) ?? this.originOf(pointer.b);
    return this.#origins.get(pointer);
  }
}

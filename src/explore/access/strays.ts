/**
 * Pointers that have left their object.
 *
 * A pointer inside its object, or just past its end, names it by its address. One that was moved
 * further away does not: it may lie in another object, and after a store and a load its provenance
 * is lost. So a step that leads far out of an object makes a term: a variable of one value, the
 * address, whose name remembers the object.
 *
 *     q = p + 70000          q = s,  with  s = 0x7f2000011170  on the path,  and  origin(s) = the object of p
 *     table[3] = q; ...      the bytes of s, and s again when they are loaded
 *     *table[3]              judged by the object of p: an overflow, also where it lands in a neighbour
 *
 * Comparisons and differences are those of the address; a pointer that comes back (`q - 70000`) is
 * one into its object again. Compiled code leaves to the interpreter when it meets such a step:
 * programs that are right make them seldom.
 */

import { Op, type Term } from '../../expr/term.js';
import { SHORT_STEP } from '../memory/address-space.js';
import type { Path } from '../state/running.js';
import type { Known, Scalar } from '../values/register-value.js';

/** Would a step from one address to another leave the object far behind? */
export function isStray({ state }: Path, from: Known, to: Known): boolean {
  const step = Number(to) - Number(from);
  if (step <= SHORT_STEP && step >= -SHORT_STEP) return false;
  const info = state.memory.find(Number(from))?.info;
  return info !== undefined && !(Number(to) >= info.base && Number(to) <= info.base + info.bytes);
}

export class Strays {
  readonly #origins = new Map<Term, number>();

  /** The pointer `to`, computed from the object at `from`. */
  make({ terms, state }: Path, from: Known, to: Known): Term {
    const origin = state.memory.find(Number(from))!.info.base;
    const term = terms.variable(`${to} from ${origin}`, 64);
    this.#origins.set(term, origin);
    state.add(terms.eq(term, terms.constant(64, to)));
    return term;
  }

  /** The address of the object that a pointer has left; undefined if it is not such a pointer. */
  originOf(pointer: Scalar): number | undefined {
    if (typeof pointer !== 'object' || this.#origins.size === 0) return undefined;
    if (pointer.op === Op.Add) return this.originOf(pointer.a) ?? this.originOf(pointer.b);
    return this.#origins.get(pointer);
  }
}

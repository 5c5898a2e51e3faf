/**
 * The values of registers of the program under test.
 *
 *     integers, pointers   number | bigint, as `expr/value.ts` has them: unsigned, below 2^53 a number; or a Term
 *     float, double        number; the IR type tells them from integers
 *     other floats         their bits, as an integer
 *     structs, arrays, vectors   an array of such values
 *
 * Invariant: a concrete value is never a Term. Every operation on terms ends in `known`, so `typeof
 * value === 'object'` means symbolic (or an aggregate, which the IR type tells).
 */
import { Term } from '../../expr/term.js';
import type { Terms } from '../../expr/terms.js';

/** A value that is the same on every input of the path. */
export type Known = number | bigint;
export type Scalar = Known | Term;
export type RegisterValue = Scalar | readonly RegisterValue[];
export type Vector = readonly Scalar[];

/**
 * A list of values for the registers of a frame. V8 has arrays of small integers, of doubles and of
 * anything, and converts an array when a value does not fit; code that meets several kinds is
 * slower and is recompiled. So these lists hold anything from the beginning: an array that has once
 * held an object stays of that kind, and so do its slices.
 */
export function mixedList(values: readonly RegisterValue[]): RegisterValue[] {
  const list: RegisterValue[] = [NO_VALUES];
  list.pop();
  for (const value of values) list.push(value);
  return list.slice();
}

const NO_VALUES: readonly RegisterValue[] = [];

/**
 * The values of several registers. The list of register numbers is mixed, so the result is, too.
 */
export function valuesIn(
  regs: readonly RegisterValue[],
  registers: readonly RegisterValue[],
): RegisterValue[] {
  const values = registers.slice();
  for (let i = 0; i < values.length; i++) values[i] = regs[values[i] as number]!;
  return values;
}

/** The value of a register with a scalar type in the IR. */
export function scalarIn(regs: readonly RegisterValue[], register: number): Scalar {
  return scalarOf(regs[register]!);
}

/** A value with a scalar type in the IR. */
export function scalarOf(value: RegisterValue): Scalar {
  return value as Scalar;
}

/** The parts of a register's value whose type in the IR is a struct, an array or a vector. */
export function partsIn(regs: readonly RegisterValue[], register: number): readonly RegisterValue[] {
  return partsOf(regs[register]!);
}

/** The parts of a value whose type in the IR is a struct, an array or a vector. */
export function partsOf(value: RegisterValue): readonly RegisterValue[] {
  return value as readonly RegisterValue[];
}

/** Whether this is a struct, an array or a vector. */
export function isAggregate(value: RegisterValue): value is readonly RegisterValue[] {
  return Array.isArray(value);
}

export function isSymbolic(value: RegisterValue): value is Term {
  return value instanceof Term;
}

/** The value of a constant term, or else the term itself. */
export function known(term: Term): Scalar {
  return term.isConst ? term.value : term;
}

export function asTerm(terms: Terms, width: number, value: Scalar): Term {
  return typeof value === 'object' ? value : terms.constant(width, value);
}

const scratch = new DataView(new ArrayBuffer(8));

/** The bits of a float or a double, as the integer that memory holds. */
export function bitsOfFloat(bits: number, value: number): Known {
  if (bits === 32) {
    scratch.setFloat32(0, value);
    return scratch.getUint32(0);
  }
  scratch.setFloat64(0, value);
  return fromHalves(scratch.getUint32(0), scratch.getUint32(4));
}

export function floatFromBits(bits: number, value: Known): number {
  if (bits === 32) {
    scratch.setUint32(0, Number(value));
    return scratch.getFloat32(0);
  }
  scratch.setBigUint64(0, BigInt(value));
  return scratch.getFloat64(0);
}

/** The value of a 64-bit integer from its halves, both in [0, 2^32). */
export function fromHalves(high: number, low: number): Known {
  return high < 0x20_0000 ? high * 2 ** 32 + low : (BigInt(high) << 32n) | BigInt(low);
}

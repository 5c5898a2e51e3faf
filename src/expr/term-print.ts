/**
 * 64 bits that stand for a term in every process: equal terms have equal ones, whenever and in
 * whichever order they were made, and different terms have different ones, except with a
 * probability of 2^-64.
 *
 *     print(term) = mix(operator, width, value or name, print(a), print(b), print(c), print(array))
 *
 * The two halves are computed apart, each with its own constants. Operands of commutative operators
 * are ordered by the ids of the process that made them, so their prints are combined regardless of
 * order. Prints are kept in the terms; arrays have theirs in a table.
 */
import { arity, type ByteArray, Op, type Term } from './term.js';

/** Two halves of 32 bits. */
export interface Print {
  readonly print1: number;
  readonly print2: number;
}

/** Half a print with one word more. */
export function mix1(print: number, word: number): number {
  let h = Math.imul(print ^ word, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) + Math.imul(print, 0x9e3779b1);
}

export function mix2(print: number, word: number): number {
  let h = Math.imul((print + 0x27d4eb2f) ^ word, 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return (h ^ (h >>> 15)) + Math.imul(print, 0x85ebca77);
}

/** A print with one word more. */
export function mixed({ print1, print2 }: Print, word: number): Print {
  return { print1: mix1(print1, word) | 0, print2: mix2(print2, word) | 0 };
}

/** A print with another one after it. */
export function joined(a: Print, b: Print): Print {
  return { print1: mix1(a.print1, b.print1) | 0, print2: mix2(a.print2, b.print2) | 0 };
}

/** Extends a fingerprint by a number or a text. */
export function withText(print: Print, text: string): Print {
  let { print1, print2 } = mixed(print, text.length);
  // Two units at a time; `charCodeAt` returns NaN after the end, which is 0 here.
  for (let i = 0; i < text.length; i += 2) {
    const units = text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16);
    print1 = mix1(print1, units) | 0;
    print2 = mix2(print2, units) | 0;
  }
  return { print1, print2 };
}

export function withValue(print: Print, value: number | bigint): Print {
  if (typeof value === 'bigint') return withText(print, value.toString(16));
  return mixed(mixed(print, value | 0), Math.floor(value / 4294967296) | 0);
}

export const NO_PRINT: Print = { print1: 0x1b873593, print2: 0x165667b1 };

const isCommutative: ReadonlySet<Op> = new Set([Op.Add, Op.Mul, Op.And, Op.Or, Op.Xor, Op.Eq]);

const arrays = new WeakMap<ByteArray, Print>();

/** The print of a term: the term itself, whose print is there afterwards. */
export function printOf(term: Term): Print {
  if (term.print1 !== 0) return term;
  // Terms and chains of writes may be deeper than the stack.
  const waiting: (Term | ByteArray)[] = [term];
  while (waiting.length > 0) {
    const next = waiting.at(-1)!;
    const missing = 'op' in next ? missingOfTerm(next) : missingOfArray(next);
    if (missing.length > 0) waiting.push(...missing);
    else {
      waiting.pop();
      if ('op' in next) setPrint(next);
      else if (!arrays.has(next)) arrays.set(next, arrayPrint(next));
    }
  }
  return term;
}

function missingOfTerm(term: Term): (Term | ByteArray)[] {
  const missing: (Term | ByteArray)[] = [];
  if (term.print1 !== 0) return missing;
  if (term.a.print1 === 0 && term.a !== term) missing.push(term.a);
  if (term.b.print1 === 0 && term.b !== term) missing.push(term.b);
  if (term.c.print1 === 0 && term.c !== term) missing.push(term.c);
  if (term.array !== undefined && !arrays.has(term.array)) missing.push(term.array);
  return missing;
}

function missingOfArray(array: ByteArray): (Term | ByteArray)[] {
  if (array.kind !== 'written' || arrays.has(array)) return [];
  const { below, index, byte } = array;
  return [
    ...(arrays.has(below) ? [] : [below]),
    ...(index.print1 === 0 ? [index] : []),
    ...(byte.print1 === 0 ? [byte] : []),
  ];
}

function setPrint(term: Term): void {
  if (term.print1 !== 0) return;
  const { op, width, offset, name, value, array, a, b, c } = term;
  let print = mixed(mixed(NO_PRINT, op * 65536 + width), offset);
  if (op === Op.Const) print = withValue(print, value);
  else if (op === Op.Var) print = withText(print, name);
  if (array !== undefined) print = joined(print, arrays.get(array)!);
  if (isCommutative.has(op))
    print = mixed(
      { print1: mix1(print.print1, a.print1 ^ b.print1), print2: mix2(print.print2, a.print2 ^ b.print2) },
      (a.print1 + b.print1) | 0,
    );
  else {
    const operands = arity(op);
    if (operands > 0) print = joined(print, a);
    if (operands > 1) print = joined(print, b);
    if (operands > 2) print = joined(print, c);
  }
  term.print1 = print.print1 | 0 || 1;
  term.print2 = print.print2 | 0;
}

function arrayPrint(array: ByteArray): Print {
  const start = mixed(NO_PRINT, array.byteLength);
  switch (array.kind) {
    case 'symbolic':
      return withText(mixed(start, 1), array.name);
    case 'constant':
      return array.bytes.reduce<Print>((print, byte) => mixed(print, byte), mixed(start, 2));
    case 'written':
      return joined(joined(joined(start, arrays.get(array.below)!), array.index), array.byte);
  }
}

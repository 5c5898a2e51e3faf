/**
 * `long double`: 128 bits, which JavaScript does not support. Results are computed exactly on big
 * integers, then rounded once.
 *
 *     bits   s | 15 exponent | 112 fraction          value   (-1)^s · significand · 2^exponent,  significand an integer
 *
 * A result is rounded to 113 bits of significand, to the nearest and to even between two, as IEEE
 * 754 requires.
 */
import { assert } from '../../support/assert.js';

interface Finite {
  readonly kind: 'finite';
  readonly isNegative: boolean;
  readonly significand: bigint;
  readonly exponent: number;
}

type Quad = Finite | { readonly kind: 'infinite'; readonly isNegative: boolean } | { readonly kind: 'nan' };

interface Format {
  readonly precision: number;
  /** The exponent of the last bit of the smallest numbers, and the largest power of two. */
  readonly least: number;
  readonly greatest: number;
}

const QUAD: Format = { precision: 113, least: -16494, greatest: 16383 };
const DOUBLE: Format = { precision: 53, least: -1074, greatest: 1023 };
const SINGLE: Format = { precision: 24, least: -149, greatest: 127 };

const FRACTION_MASK = (1n << 112n) - 1n;
const HIDDEN = 1n << 112n;
const EXPONENTS = 0x7fffn;
export const QUAD_SIGN: bigint = 1n << 127n;
const NAN = (EXPONENTS << 112n) | (1n << 111n);

function decode(bits: bigint): Quad {
  const isNegative = (bits & QUAD_SIGN) !== 0n;
  const exponent = Number((bits >> 112n) & EXPONENTS);
  const fraction = bits & FRACTION_MASK;
  if (exponent === 0x7fff) return fraction === 0n ? { kind: 'infinite', isNegative } : { kind: 'nan' };
  if (exponent === 0) return { kind: 'finite', isNegative, significand: fraction, exponent: QUAD.least };
  return { kind: 'finite', isNegative, significand: fraction | HIDDEN, exponent: exponent - 1 + QUAD.least };
}

function encode(value: Quad): bigint {
  if (value.kind === 'nan') return NAN;
  const sign = value.isNegative ? QUAD_SIGN : 0n;
  if (value.kind === 'infinite') return sign | (EXPONENTS << 112n);
  const rounded = round(value, QUAD);
  if (rounded === 'infinite') return sign | (EXPONENTS << 112n);
  const { significand, exponent } = rounded;
  if (significand < HIDDEN) return sign | significand;
  return sign | (BigInt(exponent - QUAD.least + 1) << 112n) | (significand & FRACTION_MASK);
}

const bitLength = (n: bigint): number => (n === 0n ? 0 : n.toString(2).length);

/**
 * Rounds to the format's precision. The significand is then full, or the exponent the least; zero
 * has the least exponent.
 */
function round(
  { significand, exponent }: Finite,
  format: Format,
): Pick<Finite, 'significand' | 'exponent'> | 'infinite' {
  if (significand === 0n) return { significand, exponent: format.least };
  const shift = Math.max(bitLength(significand) - format.precision, format.least - exponent);
  let kept = shift >= 0 ? significand >> BigInt(shift) : significand << BigInt(-shift);
  if (shift > 0) {
    const rest = significand - (kept << BigInt(shift));
    const half = 1n << BigInt(shift - 1);
    if (rest > half || (rest === half && (kept & 1n) === 1n)) kept++;
  }
  let at = exponent + shift;
  if (bitLength(kept) > format.precision) {
    kept >>= 1n;
    at++;
  }
  return at + format.precision - 1 > format.greatest ? 'infinite' : { significand: kept, exponent: at };
}

const finite = (value: bigint, exponent: number, isNegative = value < 0n): Finite => ({
  kind: 'finite',
  isNegative,
  significand: value < 0n ? -value : value,
  exponent,
});

const signed = ({ significand, isNegative }: Finite): bigint => (isNegative ? -significand : significand);

function add(a: Quad, b: Quad): Quad {
  if (a.kind === 'nan' || b.kind === 'nan') return { kind: 'nan' };
  if (a.kind === 'infinite')
    return b.kind === 'infinite' && b.isNegative !== a.isNegative ? { kind: 'nan' } : a;
  if (b.kind === 'infinite') return b;
  const exponent = Math.min(a.exponent, b.exponent);
  const sum = (signed(a) << BigInt(a.exponent - exponent)) + (signed(b) << BigInt(b.exponent - exponent));
  return finite(sum, exponent, sum < 0n || (sum === 0n && a.isNegative && b.isNegative));
}

const negate = (a: Quad): Quad => (a.kind === 'nan' ? a : { ...a, isNegative: !a.isNegative });

const isZero = (a: Quad): boolean => a.kind === 'finite' && a.significand === 0n;

function multiply(a: Quad, b: Quad): Quad {
  if (a.kind === 'nan' || b.kind === 'nan') return { kind: 'nan' };
  const isNegative = a.isNegative !== b.isNegative;
  if (a.kind === 'infinite' || b.kind === 'infinite')
    return isZero(a) || isZero(b) ? { kind: 'nan' } : { kind: 'infinite', isNegative };
  return finite(a.significand * b.significand, a.exponent + b.exponent, isNegative);
}

function divide(a: Quad, b: Quad): Quad {
  if (a.kind === 'nan' || b.kind === 'nan') return { kind: 'nan' };
  const isNegative = a.isNegative !== b.isNegative;
  if (a.kind === 'infinite')
    return b.kind === 'infinite' ? { kind: 'nan' } : { kind: 'infinite', isNegative };
  if (b.kind === 'infinite') return finite(0n, 0, isNegative);
  if (b.significand === 0n) return a.significand === 0n ? { kind: 'nan' } : { kind: 'infinite', isNegative };
  // Enough bits to round, and a sticky bit.
  const shift = Math.max(0, QUAD.precision + 3 + bitLength(b.significand) - bitLength(a.significand));
  const dividend = a.significand << BigInt(shift);
  const quotient = dividend / b.significand;
  const sticky = quotient * b.significand === dividend ? 0n : 1n;
  return finite((quotient << 1n) | sticky, a.exponent - b.exponent - shift - 1, isNegative);
}

function remainder(a: Quad, b: Quad): Quad {
  if (a.kind !== 'finite' || b.kind === 'nan' || isZero(b)) return { kind: 'nan' };
  if (b.kind === 'infinite') return a;
  const exponent = Math.min(a.exponent, b.exponent);
  const dividend = a.significand << BigInt(a.exponent - exponent);
  return finite(dividend % (b.significand << BigInt(b.exponent - exponent)), exponent, a.isNegative);
}

const operations = { fadd: add, fmul: multiply, fdiv: divide, frem: remainder } as const;

/** The result of an operation of LLVM on the bits of two numbers. */
export function quadOperation(op: string, a: bigint, b: bigint): bigint {
  if (op === 'fsub') return encode(add(decode(a), negate(decode(b))));
  const operation = operations[op as keyof typeof operations];
  assert(operation !== undefined, `no arithmetic of long double is called ${op}`);
  return encode(operation(decode(a), decode(b)));
}

/** Negative, zero or positive; NaN if the numbers cannot be compared. */
export function quadCompare(a: bigint, b: bigint): number {
  const [x, y] = [decode(a), decode(b)];
  if (x.kind === 'nan' || y.kind === 'nan') return Number.NaN;
  if (x.kind === 'infinite' || y.kind === 'infinite') {
    const rank = (value: typeof x): number => (value.kind === 'infinite' ? (value.isNegative ? -1 : 1) : 0);
    return rank(x) - rank(y);
  }
  const difference = add(x, negate(y)) as Finite;
  return difference.significand === 0n ? 0 : difference.isNegative ? -1 : 1;
}

export function quadFromNumber(value: number): bigint {
  if (Number.isNaN(value)) return NAN;
  const isNegative = value < 0 || Object.is(value, -0);
  if (!Number.isFinite(value)) return encode({ kind: 'infinite', isNegative });
  let exponent = 0;
  let scaled = Math.abs(value);
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    exponent--;
  }
  return encode(finite(BigInt(scaled), exponent, isNegative));
}

export function quadToNumber(bits: bigint, width: 32 | 64): number {
  const value = decode(bits);
  if (value.kind === 'nan') return Number.NaN;
  const sign = value.isNegative ? -1 : 1;
  if (value.kind === 'infinite') return sign * Number.POSITIVE_INFINITY;
  const rounded = round(value, width === 32 ? SINGLE : DOUBLE);
  if (rounded === 'infinite') return sign * Number.POSITIVE_INFINITY;
  // In two steps, because a power of two alone may be too small for a double.
  const half = Math.trunc(rounded.exponent / 2);
  return sign * Number(rounded.significand) * 2 ** half * 2 ** (rounded.exponent - half);
}

export function quadFromInteger(value: bigint): bigint {
  return encode(finite(value, 0));
}

/** Truncates; undefined for NaN and infinities. */
export function quadToInteger(bits: bigint): bigint | undefined {
  const value = decode(bits);
  if (value.kind !== 'finite') return undefined;
  const { exponent, significand, isNegative } = value;
  const whole = exponent >= 0 ? significand << BigInt(exponent) : significand >> BigInt(-exponent);
  return isNegative ? -whole : whole;
}

/** The number nearest to ± significand · 2^exponent. */
export function quadFromParts(isNegative: boolean, significand: bigint, exponent: number): bigint {
  return encode(finite(significand, exponent, isNegative));
}

/** The rounding mode; `even` is to nearest with ties to even, `round` with ties away from zero. */
export type Rounding = 'floor' | 'ceil' | 'trunc' | 'round' | 'even';

/** Rounded to an integer; a zero keeps the sign. */
export function quadRound(bits: bigint, rounding: Rounding): bigint {
  const value = decode(bits);
  if (value.kind !== 'finite' || value.exponent >= 0) return bits;
  const { significand, isNegative } = value;
  const shift = BigInt(-value.exponent);
  const whole = significand >> shift;
  const rest = significand - (whole << shift);
  const half = 1n << (shift - 1n);
  const goesOut: Record<Rounding, boolean> = {
    trunc: false,
    floor: isNegative && rest > 0n,
    ceil: !isNegative && rest > 0n,
    round: rest >= half,
    even: rest > half || (rest === half && (whole & 1n) === 1n),
  };
  return encode(finite(goesOut[rounding] ? whole + 1n : whole, 0, isNegative));
}

export function quadSquareRoot(bits: bigint): bigint {
  const value = decode(bits);
  if (value.kind === 'nan' || isZero(value)) return bits;
  if (value.isNegative) return NAN;
  if (value.kind === 'infinite') return bits;
  // Enough bits to round, an even exponent, and a sticky bit.
  const missing = Math.max(0, 2 * QUAD.precision + 6 - bitLength(value.significand));
  const shift = missing + ((value.exponent - missing) % 2 === 0 ? 0 : 1);
  const square = value.significand << BigInt(shift);
  const root = integerSquareRoot(square);
  const sticky = root * root === square ? 0n : 1n;
  return encode(finite((root << 1n) | sticky, (value.exponent - shift) / 2 - 1));
}

/** Rounded down, by Newton's method from above. */
function integerSquareRoot(square: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(bitLength(square) / 2));
  for (;;) {
    const next = (root + square / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/**
 * Mathematical integers in C: each term has an interval, and the interval chooses the
 * representation, so that no operation overflows.
 *
 * ```
 *   within 64 bits     long              what nearly every annotation needs
 *   within 128 bits    __int128          sums and products of those, size_t
 *   otherwise          __rz_big          any size: runtime/monitor/acsl-big.c
 * ```
 *
 * Invariant: the value of a term at run time lies in its interval.
 */

export interface Interval {
  /** Undefined: no bound. */
  readonly low: bigint | undefined;
  readonly high: bigint | undefined;
}

export type Representation = 'i64' | 'i128' | 'big';

export const unbounded: Interval = { low: undefined, high: undefined };

export function exactly(value: bigint): Interval {
  return { low: value, high: value };
}

export function ofBits(bits: number, signed: boolean): Interval {
  const size = BigInt(bits);
  return signed
    ? { low: -(1n << (size - 1n)), high: (1n << (size - 1n)) - 1n }
    : { low: 0n, high: (1n << size) - 1n };
}

const small = ofBits(64, true);
const wide = ofBits(128, true);

export function fits(interval: Interval, into: Interval): boolean {
  if (interval.low === undefined || interval.high === undefined) return false;
  return interval.low >= into.low! && interval.high <= into.high!;
}

/** The narrowest representation for all of the intervals. */
export function representationOf(...intervals: readonly Interval[]): Representation {
  if (intervals.every(interval => fits(interval, small))) return 'i64';
  return intervals.every(interval => fits(interval, wide)) ? 'i128' : 'big';
}

export const cTypeOf: Readonly<Record<Representation, string>> = {
  i64: 'long',
  i128: '__int128',
  big: '__rz_big',
};

export function join(left: Interval, right: Interval): Interval {
  return {
    low: left.low === undefined || right.low === undefined ? undefined : least([left.low, right.low]),
    high: left.high === undefined || right.high === undefined ? undefined : greatest([left.high, right.high]),
  };
}

export function meet(left: Interval, right: Interval): Interval {
  const lows = [left.low, right.low].filter(bound => bound !== undefined);
  const highs = [left.high, right.high].filter(bound => bound !== undefined);
  return {
    low: lows.length === 0 ? undefined : greatest(lows),
    high: highs.length === 0 ? undefined : least(highs),
  };
}

export function negated({ low, high }: Interval): Interval {
  return { low: high === undefined ? undefined : -high, high: low === undefined ? undefined : -low };
}

export function magnitude(interval: Interval): Interval {
  const { low, high } = interval;
  if (low !== undefined && low >= 0n) return interval;
  if (high !== undefined && high <= 0n) return negated(interval);
  return { low: 0n, high: low === undefined || high === undefined ? undefined : greatest([-low, high]) };
}

/** Longer shifts cannot finish on any machine. */
const longestShift = 4096n;

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%' | '<<' | '>>' | '&' | '|' | '^';

export function resultOf(op: ArithmeticOperator, left: Interval, right: Interval): Interval {
  switch (op) {
    case '+':
      return { low: sum(left.low, right.low), high: sum(left.high, right.high) };
    case '-':
      return resultOf('+', left, negated(right));
    case '*':
      return corners(left, right, (a, b) => a * b);
    case '/':
      // The divisor is not zero: the quotient is never further from zero than the dividend.
      return join(left, join(negated(left), exactly(0n)));
    case '%': {
      const most = magnitude(right).high;
      const bound: Interval = most === undefined ? unbounded : { low: 1n - most, high: most - 1n };
      const byLeft = join(left, exactly(0n));
      const { low, high } = meet(byLeft, join(bound, exactly(0n)));
      return { low, high };
    }
    case '<<': {
      if (right.high === undefined || right.high > longestShift) return unbounded;
      const factor = { low: 1n, high: 1n << (right.high < 0n ? 0n : right.high) };
      return corners(left, factor, (a, b) => a * b);
    }
    case '>>':
      return join(left, exactly(0n));
    case '&':
    case '|':
    case '^':
      return bitwise(op, left, right);
  }
}

function bitwise(op: '&' | '|' | '^', left: Interval, right: Interval): Interval {
  if (op === '&') {
    if (left.low !== undefined && left.low >= 0n)
      return meet({ low: 0n, high: left.high }, nonNegativeHigh(right));
    if (right.low !== undefined && right.low >= 0n) return { low: 0n, high: right.high };
  }
  if ([left.low, left.high, right.low, right.high].includes(undefined)) return unbounded;
  const bits = greatest([bitsOf(left), bitsOf(right)].map(BigInt));
  const isNonNegative = left.low! >= 0n && right.low! >= 0n;
  return { low: isNonNegative ? 0n : -(1n << bits), high: (1n << bits) - 1n };
}

/** For `a & b` with a at least 0: at most b, when b is at least 0 too. */
function nonNegativeHigh({ low, high }: Interval): Interval {
  return low !== undefined && low >= 0n ? { low: 0n, high } : unbounded;
}

function bitsOf({ low, high }: Interval): number {
  const width = (value: bigint): number => (value < 0n ? -value - 1n : value).toString(2).length;
  return Math.max(width(low!), width(high!));
}

function corners(left: Interval, right: Interval, apply: (a: bigint, b: bigint) => bigint): Interval {
  const { low: a, high: b } = left;
  const { low: c, high: d } = right;
  if (a === undefined || b === undefined || c === undefined || d === undefined) return unbounded;
  const values = [apply(a, c), apply(a, d), apply(b, c), apply(b, d)];
  return { low: least(values), high: greatest(values) };
}

function sum(left: bigint | undefined, right: bigint | undefined): bigint | undefined {
  return left === undefined || right === undefined ? undefined : left + right;
}

export function least(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => (a < b ? a : b));
}

export function greatest(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => (a > b ? a : b));
}

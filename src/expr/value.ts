/**
 * Values of bit-vectors, and what each operator does to them.
 *
 * A value is a `number` while it is below 2^53 and a `bigint` from there on, never both. So every
 * value has one representation, `===` is equality, `<` is the unsigned order (JavaScript compares
 * the two kinds exactly), and everything up to 53 bits wide, all small 64-bit values and all
 * user-space addresses stay out of BigInt, whose every operation allocates. The alternative, BigInt
 * for everything wider than 32 bits, makes pointer arithmetic about ten times slower; pairs of
 * 32-bit halves are as fast but make each operator twice as long.
 *
 * Semantics are those of SMT-LIB's theory of bit-vectors, which defines what LLVM leaves undefined:
 *   shl, lshr by width or more: 0     ashr by width or more: the sign in every bit
 *   udiv x 0: all ones                urem x 0: x
 *   sdiv x 0: 1 if x < 0, else -1     srem x 0: x          sdiv min -1: min
 *
 * Invariant: a value of width w is an integer in [0, 2^w).
 */
export type BitVectorValue = number | bigint;

const SAFE_LIMIT = 2 ** 53;
const TWO_32 = 2 ** 32;

/** The value of a number that is already in [0, 2^width). */
function canonical(x: bigint): BitVectorValue {
  return x < 9007199254740992n ? Number(x) : x;
}

/** Any integer, negative or too large included, cut to `width` bits. */
export function toValue(width: number, x: number | bigint): BitVectorValue {
  if (typeof x === 'number') {
    if (width <= 32) return cut(width, x);
    if (x >= 0 && x < SAFE_LIMIT && x < 2 ** width) return x + 0; // + 0 turns -0 into 0
  }
  return canonical(BigInt.asUintN(width, BigInt(x)));
}

/** The low `width <= 32` bits of an exact integer. */
function cut(width: number, x: number): number {
  return width === 32 ? x >>> 0 : (x & ((1 << width) - 1)) >>> 0;
}

/** A width of at most 32 as a signed 32-bit integer. */
function signed32(width: number, x: number): number {
  return (x << (32 - width)) >> (32 - width);
}

/** Two's complement: the integer in [-2^(width-1), 2^(width-1)) that the value stands for. */
export function toSigned(width: number, x: BitVectorValue): BitVectorValue {
  if (width <= 32) return signed32(width, x as number);
  if (typeof x === 'number') {
    if (x < 2 ** (width - 1)) return x;
    if (width <= 53) return x - 2 ** width;
  }
  const s = BigInt.asIntN(width, BigInt(x));
  return s > -9007199254740992n && s < 9007199254740992n ? Number(s) : s;
}

/**
 * An integer as a float of 32 bits, rounded once. By way of a double, large integers would be
 * rounded twice: 40 leading bits, the last of which says whether anything follows, are enough.
 */
export function toSingle(value: number | bigint): number {
  if (typeof value === 'number') return Math.fround(value);
  const magnitude = value < 0n ? -value : value;
  const excess = Math.max(0, magnitude.toString(2).length - 40);
  const head = magnitude >> BigInt(excess);
  const rounded = head << BigInt(excess) === magnitude ? head : head | 1n;
  const single = Math.fround(Number(rounded) * 2 ** excess);
  return value < 0n ? -single : single;
}

export function allOnes(width: number): BitVectorValue {
  return width <= 53 ? 2 ** width - 1 : (1n << BigInt(width)) - 1n;
}

/** Bits 0..31 and bits 32..63 as signed 32-bit integers. */
export function lowWord(x: BitVectorValue): number {
  return typeof x === 'number' ? x | 0 : Number(BigInt.asIntN(32, x));
}

export function highWord(x: BitVectorValue): number {
  return typeof x === 'number' ? Math.floor(x / TWO_32) | 0 : Number(BigInt.asIntN(32, x >> 32n));
}

function fromWords(high: number, low: number): number {
  return (high >>> 0) * TWO_32 + (low >>> 0);
}

/** The exponent k if the value is 2^k, else -1. */
export function log2Exact(x: BitVectorValue): number {
  if (typeof x === 'number') {
    const k = Math.round(Math.log2(x));
    return x > 0 && 2 ** k === x ? k : -1;
  }
  if ((x & (x - 1n)) !== 0n) return -1;
  return x.toString(2).length - 1;
}

export function bitOf(x: BitVectorValue, i: number): 0 | 1 {
  if (typeof x === 'number') {
    if (i >= 53) return 0;
    return (i < 31 ? (x >>> i) & 1 : Math.floor(x / 2 ** i) % 2) as 0 | 1;
  }
  return Number((x >> BigInt(i)) & 1n) as 0 | 1;
}

export function add(width: number, a: BitVectorValue, b: BitVectorValue): BitVectorValue {
  if (width <= 32) return cut(width, (a as number) + (b as number));
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (sum < SAFE_LIMIT && sum < 2 ** width) return sum;
  }
  return toValue(width, BigInt(a) + BigInt(b));
}

export function sub(width: number, a: BitVectorValue, b: BitVectorValue): BitVectorValue {
  if (width <= 32) return cut(width, (a as number) - (b as number));
  if (typeof a === 'number' && typeof b === 'number' && a >= b) return a - b;
  return toValue(width, BigInt(a) - BigInt(b));
}

export function mul(width: number, a: BitVectorValue, b: BitVectorValue): BitVectorValue {
  if (width <= 32) return cut(width, Math.imul(a as number, b as number));
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (product < SAFE_LIMIT && product < 2 ** width) return product;
  }
  return toValue(width, BigInt(a) * BigInt(b));
}

export function udiv(width: number, a: BitVectorValue, b: BitVectorValue): BitVectorValue {
  if (b === 0) return allOnes(width);
  if (typeof a === 'number' && typeof b === 'number') return (a - (a % b)) / b;
  return canonical(BigInt(a) / BigInt(b));
}

export function urem(_width: number, a: BitVectorValue, b: BitVectorValue): BitVectorValue {
  if (b === 0) return a;
  if (typeof a === 'number' && typeof b === 'number') return a % b;
  return canonical(BigInt(a) % BigInt(b));
}

export function sdiv(width: number, a: BitVectorValue, b: BitVectorValue): BitVectorValue {
  const x = toSigned(width, a);
  const y = toSigned(width, b);
  if (y === 0) return x < 0 ? 1 : allOnes(width);
  if (typeof x === 'number' && typeof y === 'number') return toValue(width, (x - (x % y)) / y);
  return toValue(width, BigInt(x) / BigInt(y));
}

export function srem(width: number, a: BitVectorValue, b: BitVectorValue): BitVectorValue {
  const x = toSigned(width, a);
  const y = toSigned(width, b);
  if (y === 0) return a;
  if (typeof x === 'number' && typeof y === 'number') return toValue(width, x % y);
  return toValue(width, BigInt(x) % BigInt(y));
}

export function shl(width: number, a: BitVectorValue, b: BitVectorValue): BitVectorValue {
  if (b >= width) return 0;
  if (typeof a === 'number') {
    const shifted = a * 2 ** Number(b);
    if (shifted < SAFE_LIMIT && shifted < 2 ** width) return shifted;
  }
  return toValue(width, BigInt(a) << BigInt(b));
}

export function lshr(width: number, a: BitVectorValue, b: BitVectorValue): BitVectorValue {
  if (b >= width) return 0;
  if (typeof a === 'number') return Math.floor(a / 2 ** Number(b));
  return canonical(a >> BigInt(b));
}

export function ashr(width: number, a: BitVectorValue, b: BitVectorValue): BitVectorValue {
  const x = toSigned(width, a);
  if (b >= width) return x < 0 ? allOnes(width) : 0;
  if (typeof x === 'number') return toValue(width, Math.floor(x / 2 ** Number(b)));
  return toValue(width, x >> BigInt(b));
}

export function and(_width: number, a: BitVectorValue, b: BitVectorValue): BitVectorValue {
  if (typeof a === 'number' && typeof b === 'number') {
    if (a < TWO_32 || b < TWO_32) return (a & b) >>> 0;
    return fromWords(highWord(a) & highWord(b), a & b);
  }
  return canonical(BigInt(a) & BigInt(b));
}

export function or(_width: number, a: BitVectorValue, b: BitVectorValue): BitVectorValue {
  if (typeof a === 'number' && typeof b === 'number') {
    if (a < TWO_32 && b < TWO_32) return (a | b) >>> 0;
    return fromWords(highWord(a) | highWord(b), a | b);
  }
  return canonical(BigInt(a) | BigInt(b));
}

export function xor(_width: number, a: BitVectorValue, b: BitVectorValue): BitVectorValue {
  if (typeof a === 'number' && typeof b === 'number') {
    if (a < TWO_32 && b < TWO_32) return (a ^ b) >>> 0;
    return fromWords(highWord(a) ^ highWord(b), a ^ b);
  }
  return canonical(BigInt(a) ^ BigInt(b));
}

export function not(width: number, a: BitVectorValue): BitVectorValue {
  if (width <= 53) return 2 ** width - 1 - (a as number);
  return canonical((1n << BigInt(width)) - 1n - BigInt(a));
}

export function slt(width: number, a: BitVectorValue, b: BitVectorValue): boolean {
  return toSigned(width, a) < toSigned(width, b);
}

/** `high` above the `lowWidth` bits of `low`. */
export function concat(lowWidth: number, high: BitVectorValue, low: BitVectorValue): BitVectorValue {
  if (high === 0) return low;
  if (typeof high === 'number' && typeof low === 'number') {
    const joined = high * 2 ** lowWidth + low;
    if (joined < SAFE_LIMIT) return joined;
  }
  return canonical((BigInt(high) << BigInt(lowWidth)) | BigInt(low));
}

/** `width` bits from bit `offset` on. */
export function extract(x: BitVectorValue, offset: number, width: number): BitVectorValue {
  if (typeof x === 'number') {
    const shifted = offset === 0 ? x : Math.floor(x / 2 ** offset);
    if (width >= 53) return shifted;
    return width <= 32 ? cut(width, shifted) : shifted % 2 ** width;
  }
  return canonical(BigInt.asUintN(width, x >> BigInt(offset)));
}

export function sext(from: number, to: number, x: BitVectorValue): BitVectorValue {
  return toValue(to, toSigned(from, x));
}

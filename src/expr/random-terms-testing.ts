/**
 * For tests and benchmarks: the semantics of every operator written a second time, plainly, on
 * BigInt; and random terms. The reference shares nothing with `value.ts`, so the two check each
 * other.
 */
import type { Random } from '../support/random.js';
import { type BinaryOp, type ByteArray, Op, type Term } from './term.js';
import type { Terms } from './terms.js';

export const BINARY_OPS: readonly BinaryOp[] = [
  Op.Add,
  Op.Sub,
  Op.Mul,
  Op.Udiv,
  Op.Sdiv,
  Op.Urem,
  Op.Srem,
  Op.Shl,
  Op.Lshr,
  Op.Ashr,
  Op.And,
  Op.Or,
  Op.Xor,
  Op.Eq,
  Op.Ult,
  Op.Slt,
];

export function isComparison(op: Op): boolean {
  return op === Op.Eq || op === Op.Ult || op === Op.Slt;
}

/** The result of the operator according to SMT-LIB, on unsigned representatives. */
export function referenceBinary(op: BinaryOp, width: number, a: bigint, b: bigint): bigint {
  const modulus = 1n << BigInt(width);
  const sign = (x: bigint): bigint => (x >= modulus / 2n ? x - modulus : x);
  const wrap = (x: bigint): bigint => ((x % modulus) + modulus) % modulus;
  const absolute = (x: bigint): bigint => (x < 0n ? -x : x);
  switch (op) {
    case Op.Add:
      return wrap(a + b);
    case Op.Sub:
      return wrap(a - b);
    case Op.Mul:
      return wrap(a * b);
    case Op.Udiv:
      return b === 0n ? modulus - 1n : a / b;
    case Op.Urem:
      return b === 0n ? a : a % b;
    case Op.Sdiv: {
      const quotient = referenceBinary(Op.Udiv, width, wrap(absolute(sign(a))), wrap(absolute(sign(b))));
      return sign(a) < 0n !== sign(b) < 0n ? wrap(-quotient) : quotient;
    }
    case Op.Srem: {
      const remainder = referenceBinary(Op.Urem, width, wrap(absolute(sign(a))), wrap(absolute(sign(b))));
      return sign(a) < 0n ? wrap(-remainder) : remainder;
    }
    case Op.Shl:
      return b >= BigInt(width) ? 0n : wrap(a << b);
    case Op.Lshr:
      return b >= BigInt(width) ? 0n : a >> b;
    case Op.Ashr:
      return wrap(sign(a) >> (b >= BigInt(width) ? BigInt(width) : b));
    case Op.And:
      return a & b;
    case Op.Or:
      return a | b;
    case Op.Xor:
      return a ^ b;
    case Op.Eq:
      return a === b ? 1n : 0n;
    case Op.Ult:
      return a < b ? 1n : 0n;
    case Op.Slt:
      return sign(a) < sign(b) ? 1n : 0n;
  }
}

/**
 * A random term, built twice: through `Terms`, and as the value it must have under the given leaf
 * values.
 */
export interface Twin {
  readonly term: Term;
  readonly value: bigint;
}

export interface Leaves {
  /** Terms with their values, any widths. */
  readonly terms: readonly Twin[];
  readonly arrays: readonly { readonly array: ByteArray; readonly bytes: Uint8Array }[];
}

/**
 * A random constant, often a boundary value: 0, 1, all ones, powers of two and their neighbours.
 */
export function randomConstant(random: Random, width: number): bigint {
  const modulus = 1n << BigInt(width);
  const corner = 1n << BigInt(random.below(width));
  switch (random.below(6)) {
    case 0:
      return BigInt(random.below(3)) % modulus;
    case 1:
      return modulus - 1n - (BigInt(random.below(3)) % modulus);
    case 2:
      return corner;
    case 3:
      return corner - 1n;
    case 4:
      return modulus - corner;
    default: {
      let bits = 0n;
      for (let i = 0; i < width; i += 32) bits = (bits << 32n) | BigInt(random.uint32());
      return bits % modulus;
    }
  }
}

/** A random term of the given width and at most the given depth, with the value it must have. */
export function randomTwin(t: Terms, random: Random, leaves: Leaves, width: number, depth: number): Twin {
  const again = (w: number): Twin => randomTwin(t, random, leaves, w, depth - 1);
  const mask = (1n << BigInt(width)) - 1n;
  if (depth === 0 || random.below(10) === 0) {
    const fitting = leaves.terms.filter(leaf => leaf.term.width === width);
    if (fitting.length > 0 && random.below(4) > 0) return fitting[random.below(fitting.length)]!;
    const value = randomConstant(random, width);
    return { term: t.constant(width, value), value };
  }
  switch (random.below(width === 1 ? 5 : 13)) {
    case 0: {
      const w = leaves.terms[random.below(leaves.terms.length)]!.term.width;
      const op = ([Op.Eq, Op.Ult, Op.Slt] as const)[random.below(3)]!;
      if (width !== 1) break;
      const a = again(w);
      const b = again(w);
      return { term: t.binary(op, a.term, b.term), value: referenceBinary(op, w, a.value, b.value) };
    }
    case 1: {
      const a = again(width);
      return { term: t.not(a.term), value: mask ^ a.value };
    }
    case 2: {
      const c = again(1);
      const a = again(width);
      const b = again(width);
      return { term: t.ite(c.term, a.term, b.term), value: c.value === 1n ? a.value : b.value };
    }
    case 3: {
      const w = width + random.below(width) + 1;
      const offset = random.below(w - width + 1);
      const a = again(w);
      return { term: t.extract(a.term, offset, width), value: (a.value >> BigInt(offset)) & mask };
    }
    case 5: {
      const w = 1 + random.below(width - 1);
      const a = again(w);
      return { term: t.zext(a.term, width), value: a.value };
    }
    case 6: {
      const w = 1 + random.below(width - 1);
      const a = again(w);
      return { term: t.sext(a.term, width), value: BigInt.asUintN(width, BigInt.asIntN(w, a.value)) };
    }
    case 7: {
      const w = 1 + random.below(width - 1);
      const a = again(width - w);
      const b = again(w);
      return { term: t.concat(a.term, b.term), value: (a.value << BigInt(w)) | b.value };
    }
    case 8: {
      if (width !== 8 || leaves.arrays.length === 0) break;
      return randomRead(t, random, leaves, depth);
    }
  }
  const op = BINARY_OPS[random.below(BINARY_OPS.length - 3)]!;
  const a = again(width);
  const b = again(width);
  return { term: t.binary(op, a.term, b.term), value: referenceBinary(op, width, a.value, b.value) };
}

function randomRead(t: Terms, random: Random, leaves: Leaves, depth: number): Twin {
  const leaf = leaves.arrays[random.below(leaves.arrays.length)]!;
  const index = (): Twin => {
    const narrow = randomTwin(t, random, leaves, 4, depth - 1);
    return { term: t.zext(narrow.term, 32), value: narrow.value };
  };
  let array = leaf.array;
  const bytes = leaf.bytes.slice();
  const beyond = new Map<number, number>();
  for (let writes = random.below(3); writes > 0; writes--) {
    const at = index();
    const byte = randomTwin(t, random, leaves, 8, depth - 1);
    array = t.write(array, at.term, byte.term);
    if (Number(at.value) < bytes.length) bytes[Number(at.value)] = Number(byte.value);
    else beyond.set(Number(at.value), Number(byte.value));
  }
  const at = index();
  const offset = Number(at.value);
  return { term: t.read(array, at.term), value: BigInt(bytes[offset] ?? beyond.get(offset) ?? 0) };
}

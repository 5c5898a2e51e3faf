/**
 * What a term is: a node of an expression graph over bit-vectors and byte arrays.
 *
 * There are two sorts. A `Term` is a bit-vector of fixed width; a boolean is a bit-vector of width
 * 1, as LLVM's i1 is, so `and`, `or`, `xor`, `not` are also the connectives and no conversion is
 * ever needed. A `ByteArray` is a total function from 32-bit indices to bytes: a symbolic base, a
 * constant table, or either with writes on top.
 *
 *     read(write(write(base "input"[16], 3, v), i, w), j)
 *          └ ByteArray ───────────────────────────┘
 *
 * Beyond its length a base reads as zero, whether symbolic or constant. Out-of-bounds accesses are
 * errors that the explorer reports before it reads; giving them a value here makes evaluation,
 * bit-blasting and printing agree.
 *
 * **Invariants.** Terms are immutable and made only by `Terms` (see `terms.ts`): structurally equal
 * terms of one `Terms` are the same object, so `===` decides equality and `id` orders them
 * (children before parents).
 */
import { assert } from '../support/assert.js';
import type { BitVectorValue } from './value.js';

export enum Op {
  Const,
  Var,
  Read,
  Add,
  Sub,
  Mul,
  Udiv,
  Sdiv,
  Urem,
  Srem,
  Shl,
  Lshr,
  Ashr,
  And,
  Or,
  Xor,
  Not,
  Eq,
  Ult,
  Slt,
  Concat,
  Extract,
  Zext,
  Sext,
  Ite,
}

/**
 * How many of `a`, `b`, `c` are operands. A read has one, its index; its array hangs on `array`.
 */
const ARITY: Uint8Array = Uint8Array.from(
  // Const Var Read Add..Xor (13) Not Eq Ult Slt Concat Extract Zext Sext Ite
  [0, 0, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 1, 1, 1, 3],
);
assert(ARITY.length === Op.Ite + 1, 'every operator has an arity');

/**
 * Operators whose operands are two terms of one width and nothing else. Tables of binary operators
 * have a row for each of them, so the compiler reports the places where a new one is missing.
 */
export type BinaryOp = Exclude<
  Op,
  Op.Const | Op.Var | Op.Read | Op.Not | Op.Concat | Op.Extract | Op.Zext | Op.Sext | Op.Ite
>;

/** Operators that `Terms.binary` makes a term of. */
export type TwoOperandOp = BinaryOp | Op.Concat;

export function arity(op: Op): number {
  return ARITY[op]!;
}

/** What a term of some operators has besides its operands. */
export interface TermDetail {
  /** Const: the value. */
  readonly value: BitVectorValue;
  /** Extract: the lowest bit taken. */
  readonly offset: number;
  /** Var: its name, else ''. */
  readonly name: string;
  /** Read: the array. */
  readonly array: ByteArray | undefined;
}

/** The detail of most terms: one object, so that a term costs one allocation. */
export const NO_DETAIL: TermDetail = { value: 0, offset: 0, name: '', array: undefined };

export class Term implements TermDetail {
  readonly value: BitVectorValue;
  readonly offset: number;
  readonly name: string;
  readonly array: ByteArray | undefined;
  /** Operands; those beyond the operator's arity are the term itself. */
  readonly a: Term;
  readonly b: Term;
  readonly c: Term;
  /**
   * The longest way down to a leaf. Rules that walk down stop at tall terms, so no construction can
   * exhaust the stack.
   */
  readonly height: number;
  /** Its fingerprint (`term-print.ts`); 0 until it is computed. */
  print1 = 0;
  print2 = 0;

  constructor(
    readonly id: number,
    readonly op: Op,
    readonly width: number,
    { value, offset, name, array }: TermDetail,
    a?: Term,
    b?: Term,
    c?: Term,
  ) {
    this.value = value;
    this.offset = offset;
    this.name = name;
    this.array = array;
    this.a = a ?? this;
    this.b = b ?? this;
    this.c = c ?? this;
    this.height = 1 + Math.max(a ? a.height : 0, b ? b.height : 0, c ? c.height : 0);
  }

  get isConst(): boolean {
    return this.op === Op.Const;
  }

  get isTrue(): boolean {
    return this.op === Op.Const && this.width === 1 && this.value === 1;
  }

  get isFalse(): boolean {
    return this.op === Op.Const && this.width === 1 && this.value === 0;
  }
}

export const INDEX_WIDTH = 32;
export const BYTE_WIDTH = 8;

export type ByteArray = SymbolicArray | ConstantArray | WrittenArray;

export interface SymbolicArray {
  readonly kind: 'symbolic';
  readonly id: number;
  readonly name: string;
  readonly byteLength: number;
}

export interface ConstantArray {
  readonly kind: 'constant';
  readonly id: number;
  readonly byteLength: number;
  readonly bytes: Uint8Array;
}

export interface WrittenArray {
  readonly kind: 'written';
  readonly id: number;
  readonly byteLength: number;
  /** The array below this write. */
  readonly below: ByteArray;
  readonly index: Term;
  readonly byte: Term;
  /** The base under all writes. */
  readonly base: SymbolicArray | ConstantArray;
}

export function baseOf(array: ByteArray): SymbolicArray | ConstantArray {
  return array.kind === 'written' ? array.base : array;
}

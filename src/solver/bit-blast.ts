/**
 * Bit-blasts terms to circuits: each term is turned into literals once per run, whatever the number
 * of queries about it.
 *
 * Bits that are known from the facts of a term become constants, which makes circuits smaller.
 *
 * **Arrays.** Bytes of a symbolic base are inputs, made when first needed. A read through writes is
 * a chain of multiplexers over the writes that could hit. A read of a base at a symbolic index is
 *   - of a constant table of at most `SMALL_TABLE` bytes, or a symbolic base of at most
 *     `SMALL_BASE`: a tree of multiplexers;
 *   - of a larger constant table: eight inputs defined by clauses, see `#table`;
 *   - of a larger symbolic base: eight fresh inputs, an *open read*. The solver asks without
 *     knowing that the byte comes from the array; if the answer contradicts the array, it adds a
 *     lemma about the two reads in question, `index = other index → byte = other byte`, and asks
 *     again (see `sat-layer.ts`). A tree for a 64 KiB buffer would have half a million gates of
 *     which a query needs a handful.
 *
 * **Invariants.** The literals of a term never change. A blast that is stopped (time, width) leaves
 * only finished terms.
 */
import {
  arity,
  type BinaryOp,
  type ByteArray,
  baseOf,
  Op,
  type SymbolicArray,
  type Term,
} from '../expr/term.js';
import type { Terms } from '../expr/terms.js';
import { bitOf } from '../expr/value.js';
import { forEachOperand } from '../expr/walk.js';
import {
  anyOf,
  type Bits,
  binaryBits,
  eqBits,
  iteBits,
  notBits,
  selectBits,
  ultBits,
} from './bit-vector-circuits.js';
import { Circuit, FALSE, type Lit, negate, TRUE } from './circuit.js';
import type { Deadline } from './limits.js';

export type { Bits };

/** Products and quotients wider than this are left to Z3. */
const WIDEST_PRODUCT = 256;
/** Constant tables up to this size get multiplexers. */
const SMALL_TABLE = 64;
/** Symbolic bases up to this size get multiplexers. */
const SMALL_BASE = 1024;
/** Constant tables beyond this size are left to Z3. */
const LARGEST_TABLE = 1 << 20;

/**
 * Arrays with more writes are left to Z3: this build of CaDiCaL cannot recover when its memory is
 * full.
 */
const MOST_WRITES = 1 << 16;

/** A read of a large symbolic base at a symbolic index, known to the solver only through lemmas. */
export interface OpenRead {
  readonly base: SymbolicArray;
  readonly indexBits: Bits;
  /** The free byte, meaningful while the index is inside the base. */
  readonly byte: Bits;
}

export type Blasted =
  | { readonly kind: 'done'; readonly bits: Bits }
  | { readonly kind: 'stopped'; readonly reason: string };

export class BitBlaster {
  readonly circuit: Circuit = new Circuit();
  readonly #bits: (Bits | undefined)[] = [];
  readonly #bytes = new Map<number, Map<number, Bits>>();
  readonly #baseReads = new Map<string, Bits>();
  /** By `base id[index id]`. */
  readonly openReads: Map<string, OpenRead> = new Map();

  constructor(readonly t: Terms) {}

  blast(root: Term, deadline: Deadline): Blasted {
    const done = this.#bits[root.id];
    if (done !== undefined) return { kind: 'done', bits: done };
    const stack = [root];
    while (stack.length > 0) {
      const term = stack.at(-1)!;
      if (this.#bits[term.id] !== undefined) {
        stack.pop();
        continue;
      }
      const before = stack.length;
      forEachOperand(term, operand => {
        if (this.#bits[operand.id] === undefined) stack.push(operand);
      });
      if (stack.length > before) continue;
      stack.pop();
      const refusal = tooLarge(term);
      if (refusal !== undefined) return { kind: 'stopped', reason: refusal };
      if (deadline.passed()) return { kind: 'stopped', reason: 'time limit' };
      this.#bits[term.id] = this.#withKnownBits(term, this.#compute(term));
    }
    return { kind: 'done', bits: this.#bits[root.id]! };
  }

  /** The inputs of one byte of a symbolic base; zero beyond its length. */
  byteOf(base: SymbolicArray, index: number): Bits {
    if (index >= base.byteLength) return ZERO_BYTE;
    let ofBase = this.#bytes.get(base.id);
    if (ofBase === undefined) {
      ofBase = new Map();
      this.#bytes.set(base.id, ofBase);
    }
    let byte = ofBase.get(index);
    if (byte === undefined) {
      byte = this.#newInputs(8);
      ofBase.set(index, byte);
    }
    return byte;
  }

  /** The bytes of a base that have inputs so far. */
  knownBytes(base: SymbolicArray): ReadonlyMap<number, Bits> {
    return this.#bytes.get(base.id) ?? NO_BYTES;
  }

  /** Requires a term that has been blasted. */
  bitsOf(term: Term): Bits {
    return this.#bits[term.id]!;
  }

  #newInputs(count: number): Bits {
    return Array.from({ length: count }, () => this.circuit.input());
  }

  #get(term: Term): Bits {
    return this.#bits[term.id]!;
  }

  #withKnownBits(term: Term, bits: Bits): Bits {
    const { facts } = this.t;
    const knownLow = facts.knownLow[term.id]!;
    const knownHigh = facts.knownHigh[term.id]!;
    if ((knownLow | knownHigh) === 0) return bits;
    const onesLow = facts.onesLow[term.id]!;
    const onesHigh = facts.onesHigh[term.id]!;
    return bits.map((bit, i) => {
      if (i >= 64) return bit;
      const known = ((i < 32 ? knownLow : knownHigh) >>> (i & 31)) & 1;
      return known === 1 ? ((i < 32 ? onesLow : onesHigh) >>> (i & 31)) & 1 : bit;
    });
  }

  #compute(term: Term): Bits {
    const g = this.circuit;
    const a = arity(term.op) > 0 ? this.#get(term.a) : ZERO_BYTE;
    const b = arity(term.op) > 1 ? this.#get(term.b) : ZERO_BYTE;
    switch (term.op) {
      case Op.Const:
        return Array.from({ length: term.width }, (_, i) => bitOf(term.value, i));
      case Op.Var:
        return this.#newInputs(term.width);
      case Op.Read:
        return this.#read(term.array!, term.a);
      case Op.Not:
        return notBits(a);
      case Op.Concat:
        return [...b, ...a];
      case Op.Extract:
        return a.slice(term.offset, term.offset + term.width);
      case Op.Zext:
        return extend(a, term.width, FALSE);
      case Op.Sext:
        return extend(a, term.width, a.at(-1)!);
      case Op.Ite:
        return iteBits(g, a[0]!, b, this.#get(term.c));
      default:
        return binaryBits(g, term.op satisfies BinaryOp, a, b);
    }
  }

  #read(array: ByteArray, index: Term): Bits {
    const g = this.circuit;
    const indexBits = this.#get(index);
    const writes: { readonly index: Term; readonly byte: Term }[] = [];
    for (let top = array; top.kind === 'written'; top = top.below) writes.push(top);
    let byte = this.#baseRead(baseOf(array), index, indexBits);
    for (const write of writes.reverse()) {
      byte = iteBits(g, eqBits(g, indexBits, this.#get(write.index)), this.#get(write.byte), byte);
    }
    return byte;
  }

  #baseRead(base: Exclude<ByteArray, { kind: 'written' }>, index: Term, indexBits: Bits): Bits {
    if (index.op === Op.Const) {
      const at = Number(index.value);
      if (base.kind === 'symbolic') return this.byteOf(base, at);
      return constantByte(base.bytes[at] ?? 0);
    }
    const key = `${base.id}[${index.id}]`;
    let byte = this.#baseReads.get(key);
    if (byte === undefined) {
      byte =
        base.kind === 'constant' && base.byteLength > SMALL_TABLE
          ? this.#table(base.bytes, indexBits)
          : base.kind === 'constant'
            ? this.#tree(indexBits, base.byteLength, i => constantByte(base.bytes[i] ?? 0))
            : base.byteLength <= SMALL_BASE
              ? this.#tree(indexBits, base.byteLength, i => this.byteOf(base, i))
              : this.#openRead(base, indexBits, key);
      this.#baseReads.set(key, byte);
    }
    return byte;
  }

  /** A tree over the index bits that distinguish entries; an index beyond them reads zero. */
  #tree(indexBits: Bits, length: number, entry: (i: number) => Bits): Bits {
    const depth = Math.ceil(Math.log2(Math.max(length, 1)));
    const table = Array.from({ length: 1 << depth }, (_, i) => entry(i));
    const beyond = anyOf(this.circuit, indexBits.slice(depth));
    const byte = selectBits(this.circuit, table, indexBits.slice(0, depth));
    return byte.map(bit => this.circuit.and(negate(beyond), bit));
  }

  /**
   * A large constant table. The index is decoded by a binary trie whose branches end where all
   * entries below are equal: `hit` is true for exactly one of its leaves. Clauses tie leaves and
   * value together both ways:
   *
   *     hit → byte = v      for every leaf with value v
   *     byte = v → one of the leaves with value v is hit      so a rare value determines its index by propagation
   *
   * Multiplexers, bit by bit, are as large and lose that second half: a search for the one index of
   * a value in 64 KiB of noise did not end within 20 s.
   */
  #table(bytes: Uint8Array, indexBits: Bits): Bits {
    const g = this.circuit;
    const depth = Math.ceil(Math.log2(bytes.length));
    const hits = new Map<number, Lit[]>();
    const note = (value: number, hit: Lit): void => {
      if (hit === FALSE) return;
      const ofValue = hits.get(value);
      if (ofValue === undefined) hits.set(value, [hit]);
      else ofValue.push(hit);
    };
    const descend = (first: number, level: number, hit: Lit): void => {
      if (hit === FALSE) return;
      const value = bytes[first] ?? 0;
      if (isUniform(bytes, first, first + 2 ** level, value)) {
        note(value, hit);
        return;
      }
      const bit = indexBits[level - 1]!;
      descend(first, level - 1, g.and(hit, negate(bit)));
      descend(first + 2 ** (level - 1), level - 1, g.and(hit, bit));
    };
    const beyond = anyOf(g, indexBits.slice(depth));
    note(0, beyond);
    descend(0, depth, negate(beyond));
    const byte = this.#newInputs(8);
    const clauses: Lit[][] = [];
    const isValue = Array.from({ length: 256 }, (_, value) => eqBits(g, byte, constantByte(value)));
    for (const [value, is] of isValue.entries()) {
      const ofValue = hits.get(value) ?? [];
      clauses.push([negate(is), ...ofValue]);
      for (const hit of ofValue) clauses.push([negate(hit), is]);
    }
    g.define(byte, clauses);
    return byte;
  }

  /**
   * Inside the bounds the byte is free until lemmas bind it; beyond them it is zero by
   * construction.
   */
  #openRead(base: SymbolicArray, indexBits: Bits, key: string): Bits {
    const byte = this.#newInputs(8);
    this.openReads.set(key, { base, indexBits, byte });
    const length = Array.from(indexBits, (_, i) => bitOf(base.byteLength, i));
    const isInside = ultBits(this.circuit, indexBits, length);
    return byte.map(bit => this.circuit.and(isInside, bit));
  }
}

const NO_BYTES: ReadonlyMap<number, Bits> = new Map();
const ZERO_BYTE: Bits = new Array<Lit>(8).fill(FALSE);

/** Shared, since a table repeats its bytes. */
const CONSTANT_BYTES: readonly Bits[] = Array.from({ length: 256 }, (_, byte) =>
  Array.from({ length: 8 }, (_, i) => ((byte >> i) & 1 ? TRUE : FALSE)),
);

/**
 * Whether all entries from `first` up to `end` have this value. Entries beyond the table are zero.
 */
function isUniform(bytes: Uint8Array, first: number, end: number, value: number): boolean {
  const last = Math.min(end, bytes.length);
  for (let i = first; i < last; i++) if (bytes[i] !== value) return false;
  return last === end || value === 0;
}

function constantByte(byte: number): Bits {
  return CONSTANT_BYTES[byte]!;
}

function extend(a: Bits, width: number, fill: Lit): Bits {
  return [...a, ...new Array<Lit>(width - a.length).fill(fill)];
}

function tooLarge(term: Term): string | undefined {
  switch (term.op) {
    case Op.Mul:
    case Op.Udiv:
    case Op.Sdiv:
    case Op.Urem:
    case Op.Srem:
      return term.width > WIDEST_PRODUCT ? `${Op[term.op]} of ${term.width} bits` : undefined;
    case Op.Read: {
      const base = baseOf(term.array!);
      const tooLong = base.kind === 'constant' && base.byteLength > LARGEST_TABLE && term.a.op !== Op.Const;
      if (tooLong) return `table of ${base.byteLength} bytes`;
      return hasMoreWrites(term.array!, MOST_WRITES)
        ? `array with more than ${MOST_WRITES} writes`
        : undefined;
    }
    default:
      // The circuits of other operators grow linearly with the width.
      return undefined;
  }
}

function hasMoreWrites(array: ByteArray, most: number): boolean {
  let left = most;
  for (let top = array; top.kind === 'written'; top = top.below) if (left-- === 0) return true;
  return false;
}

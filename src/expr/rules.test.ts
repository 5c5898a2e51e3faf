/**
 * Every rule and every fact, exhaustively at 4 bits. A term over x, y (4 bits) and p (1 bit) is a
 * table of 512 entries; the table of the requested term, by the BigInt reference, must equal the
 * table of what came back.
 */
import { describe, expect, test } from 'vitest';
import { Random } from '../support/random.js';
import { BINARY_OPS, isComparison, referenceBinary } from './random-terms-testing.js';
import { arity, type BinaryOp, Op, type Term } from './term.js';
import { Terms } from './terms.js';

const ROWS = 512;
type Table = Uint8Array;

/**
 * By operator and width, referenceBinary as a table indexed by a << width | b. Products may be
 * rewritten in double width.
 */
const tables = new Map<string, Uint8Array>();

function tableOf(op: BinaryOp, width: number): Uint8Array {
  const key = `${op}/${width}`;
  let table = tables.get(key);
  if (table === undefined) {
    const values = 1 << width;
    table = Uint8Array.from({ length: values * values }, (_, i) =>
      Number(referenceBinary(op, width, BigInt(i >> width), BigInt(i & (values - 1)))),
    );
    tables.set(key, table);
  }
  return table;
}

function applyBinary(op: BinaryOp, width: number, a: Table, b: Table): Table {
  const reference = tableOf(op, width);
  const result = new Uint8Array(ROWS);
  for (let row = 0; row < ROWS; row++) result[row] = reference[(a[row]! << width) | b[row]!]!;
  return result;
}

/** The table of a canonical term, from the tables of its operands. */
class TableOf {
  readonly #known = new Map<Term, Table>();

  of(term: Term): Table {
    let table = this.#known.get(term);
    if (table === undefined) {
      table = this.#compute(term);
      this.#known.set(term, table);
    }
    return table;
  }

  #compute(term: Term): Table {
    const row = new Uint8Array(ROWS);
    const a = arity(term.op) > 0 ? this.of(term.a) : row;
    const b = arity(term.op) > 1 ? this.of(term.b) : row;
    const c = arity(term.op) > 2 ? this.of(term.c) : row;
    switch (term.op) {
      case Op.Const:
        return row.fill(Number(term.value));
      case Op.Var:
        return row.map((_, i) => (term.name === 'x' ? i & 15 : term.name === 'y' ? (i >> 4) & 15 : i >> 8));
      case Op.Not:
        return a.map(v => ((1 << term.width) - 1) ^ v);
      case Op.Concat:
        return a.map((v, i) => (v << term.b.width) | b[i]!);
      case Op.Extract:
        return a.map(v => (v >> term.offset) & ((1 << term.width) - 1));
      case Op.Zext:
        return a;
      case Op.Sext:
        return a.map(v => ((v << (32 - term.a.width)) >> (32 - term.a.width)) & ((1 << term.width) - 1));
      case Op.Ite:
        return a.map((v, i) => (v === 1 ? b[i]! : c[i]!));
      case Op.Read: {
        if (term.array!.kind !== 'constant') throw new Error('only tables here');
        const { bytes } = term.array!;
        return a.map(v => bytes[v] ?? 0);
      }
      default:
        return applyBinary(term.op, term.a.width, a, b);
    }
  }
}

function sameTable(a: Table, b: Table): boolean {
  for (let i = 0; i < ROWS; i++) if (a[i] !== b[i]) return false;
  return true;
}

function show(term: Term): string {
  const parts = [term.a, term.b, term.c].slice(0, arity(term.op)).map(show);
  if (term.op === Op.Const) return `${term.value}:${term.width}`;
  if (term.op === Op.Var) return term.name;
  return `(${Op[term.op]}${term.width}${term.op === Op.Extract ? `@${term.offset}` : ''} ${parts.join(' ')})`;
}

/** Every value in the table must agree with the facts of the term. */
function factsHold(t: Terms, term: Term, table: Table): boolean {
  const { facts } = t;
  const { id, width } = term;
  const [umin, umax, smin, smax] = [facts.umin[id]!, facts.umax[id]!, facts.smin[id]!, facts.smax[id]!];
  const [ones, known] = [facts.onesLow[id]!, facts.knownLow[id]!];
  for (let row = 0; row < ROWS; row++) {
    const v = table[row]!;
    const s = (v << (32 - width)) >> (32 - width);
    if (v < umin || v > umax || s < smin || s > smax || ((v ^ ones) & known) !== 0) return false;
  }
  return (ones & ~known) === 0;
}

interface Known {
  readonly term: Term;
  readonly table: Table;
}

/** All 4-bit terms of one operator over the leaves, and booleans beside them. */
function levelOne(t: Terms, tables: TableOf, leaves: readonly Term[], conditions: readonly Term[]): Known[] {
  const made = new Set<Term>(leaves);
  for (const a of leaves) {
    made.add(t.not(a));
    for (const b of leaves) {
      for (const op of BINARY_OPS) if (!isComparison(op)) made.add(t.binary(op, a, b));
      for (const p of conditions) made.add(t.ite(p, a, b));
      for (const cut of [1, 2, 3]) made.add(t.concat(t.extract(a, 4 - cut, cut), t.extract(b, 1, 4 - cut)));
    }
    for (let width = 1; width < 4; width++) {
      for (let offset = 0; offset + width <= 4; offset++) {
        made.add(t.zext(t.extract(a, offset, width), 4));
        made.add(t.sext(t.extract(a, offset, width), 4));
      }
    }
  }
  for (const term of made) if (term.width !== 4) throw new Error(`width ${term.width}`);
  return [...made].map(term => ({ term, table: tables.of(term) }));
}

function setUp(constants: readonly number[]) {
  const t = new Terms();
  const x = t.variable('x', 4);
  const y = t.variable('y', 4);
  const p = t.variable('p', 1);
  const leaves = [x, y, ...constants.map(c => t.constant(4, c))];
  const tables = new TableOf();
  return { t, x, y, p, leaves, tables, one: levelOne(t, tables, leaves, [p, t.not(p)]) };
}

function checkBinary(t: Terms, lasting: TableOf, op: BinaryOp, a: Known, b: Known): void {
  const asked = applyBinary(op, a.term.width, a.table, b.table);
  checkResult(
    t,
    lasting,
    t.binary(op, a.term, b.term),
    asked,
    () => `${Op[op]} ${show(a.term)} ${show(b.term)}`,
  );
}

function checkResult(t: Terms, lasting: TableOf, got: Term, asked: Table, what: () => string): void {
  if (!sameTable(asked, lasting.of(got)) || !factsHold(t, got, asked)) {
    expect.fail(`${what()} became ${show(got)}`);
  }
}

describe('exhaustive at 4 bits', () => {
  test('every operator over every pair of constants', () => {
    const t = new Terms();
    for (const op of BINARY_OPS) {
      for (let a = 0; a < 16; a++) {
        for (let b = 0; b < 16; b++) {
          const got = t.binary(op, t.constant(4, a), t.constant(4, b));
          expect(got.value).toBe(Number(referenceBinary(op, 4, BigInt(a), BigInt(b))));
        }
      }
    }
  });

  test('one operator over x, y, p and every constant', () => {
    const { t, leaves, tables, one } = setUp([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
    for (const op of BINARY_OPS) {
      for (const a of leaves) {
        for (const b of leaves) {
          checkBinary(t, tables, op, { term: a, table: tables.of(a) }, { term: b, table: tables.of(b) });
        }
      }
    }
    for (const { term, table } of one) expect(factsHold(t, term, table), show(term)).toBe(true);
  });

  test('every operator over every one-operator term and every leaf, on both sides', () => {
    const { t, leaves, tables, one } = setUp([0, 1, 3, 8, 15]);
    for (const a of one) {
      for (const leaf of leaves) {
        const b = { term: leaf, table: tables.of(leaf) };
        for (const op of BINARY_OPS) {
          checkBinary(t, tables, op, a, b);
          checkBinary(t, tables, op, b, a);
        }
      }
    }
  });

  test('sums and products with more bits, compared with their extended low part', () => {
    const { t, leaves, tables, one } = setUp([0, 1, 3, 8, 15]);
    let decided = 0;
    for (const { term } of one) {
      for (const leaf of leaves) {
        for (const op of [Op.Add, Op.Sub, Op.Mul] as const) {
          for (const extended of [t.zext, t.sext]) {
            const exact = t.binary(op, extended.call(t, term, 8), extended.call(t, leaf, 8));
            const short = extended.call(t, t.extract(exact, 0, 4), 8);
            const [a, b] = [tables.of(exact), tables.of(short)];
            const asked = a.map((v, row) => (v === b[row] ? 1 : 0));
            const got = t.eq(exact, short);
            if (got.isTrue && exact !== short) decided++;
            checkResult(t, tables, got, asked, () => `eq ${show(exact)} ${show(short)}`);
          }
        }
      }
    }
    expect(decided).toBeGreaterThan(0);
  });

  test('every wiring operator over every one-operator term', () => {
    const { t, leaves, p, tables, one } = setUp([0, 1, 3, 8, 15]);
    const conditions = [p, t.not(p), t.eq(leaves[0]!, leaves[1]!), t.ult(leaves[0]!, t.constant(4, 9))];
    const slice = (table: Table, offset: number, width: number): Table =>
      table.map(v => (v >> offset) & ((1 << width) - 1));
    const extend = (table: Table, from: number): Table =>
      table.map(v => ((v << (32 - from)) >> (32 - from)) & 15);
    for (const { term, table } of one) {
      checkResult(
        t,
        tables,
        t.not(term),
        table.map(v => 15 - v),
        () => `not ${show(term)}`,
      );
      for (let width = 1; width < 4; width++) {
        for (let offset = 0; offset + width <= 4; offset++) {
          const piece = t.extract(term, offset, width);
          const asked = slice(table, offset, width);
          const what = () => `extract ${offset} ${width} ${show(term)}`;
          checkResult(t, tables, piece, asked, what);
          checkResult(t, tables, t.zext(piece, 4), asked, what);
          checkResult(t, tables, t.sext(piece, 4), extend(asked, width), what);
          if (offset > 0) {
            const joined = t.concat(piece, t.extract(term, 0, offset));
            checkResult(t, tables, joined, slice(table, 0, offset + width), () => `pieces of ${show(term)}`);
          }
        }
      }
      for (const condition of conditions) {
        for (const leaf of leaves) {
          const choose = (yes: Table, no: Table) =>
            tables.of(condition).map((c, i) => (c === 1 ? yes[i]! : no[i]!));
          const other = tables.of(leaf);
          checkResult(
            t,
            tables,
            t.ite(condition, term, leaf),
            choose(table, other),
            () => `ite ${show(term)}`,
          );
          checkResult(
            t,
            tables,
            t.ite(condition, leaf, term),
            choose(other, table),
            () => `ite ${show(term)}`,
          );
        }
      }
    }
  });

  test('booleans: every connective over every pair of comparisons', () => {
    const { t, x, y, p, tables } = setUp([0]);
    const bools: Term[] = [p, t.not(p), t.true, t.false];
    for (const c of [1, 8]) {
      const k = t.constant(4, c);
      bools.push(t.eq(x, k), t.ult(x, k), t.ult(k, x), t.slt(x, k), t.slt(k, y), t.ne(y, k));
    }
    const ands = bools.flatMap(a => bools.map(b => t.and(a, b)));
    for (const a of [...bools, ...ands]) {
      for (const b of bools) {
        const ka = { term: a, table: tables.of(a) };
        const kb = { term: b, table: tables.of(b) };
        for (const op of BINARY_OPS) checkBinary(t, tables, op, ka, kb);
        for (const c of [p, bools[4]!]) {
          const asked = tables.of(c).map((v, i) => (v === 1 ? ka.table[i]! : kb.table[i]!));
          checkResult(t, tables, t.ite(c, a, b), asked, () => `ite ${show(a)} ${show(b)}`);
        }
      }
    }
  });

  test('products and quotients of every pair of factors, compared with every constant and every factor', () => {
    const t = new Terms();
    const tables = new TableOf();
    const known = (term: Term): Known => ({ term, table: tables.of(term) });
    const variables = [t.variable('x', 4), t.variable('y', 4)];
    const constants = Array.from({ length: 16 }, (_, c) => known(t.constant(4, c)));
    const narrow = variables.flatMap(v =>
      [1, 2, 3].flatMap(width => {
        const piece = t.extract(v, 0, width);
        return [t.zext(piece, 4), t.sext(piece, 4)];
      }),
    );
    const factors = [...variables, ...narrow].map(known).concat(constants);
    for (const a of factors) {
      for (const b of factors) {
        if (a.term.isConst && b.term.isConst) continue;
        const product = known(t.mul(a.term, b.term));
        const quotient = known(t.udiv(a.term, b.term));
        checkBinary(t, tables, Op.Ult, quotient, a);
        for (const op of [Op.Udiv, Op.Sdiv, Op.Urem, Op.Srem] as const) {
          checkBinary(t, tables, op, product, b);
          checkBinary(t, tables, Op.Eq, known(t.binary(op, product.term, b.term)), a);
        }
        for (const c of constants) {
          for (const subject of [product, quotient]) {
            checkBinary(t, tables, Op.Eq, subject, c);
            checkBinary(t, tables, Op.Ult, subject, c);
            checkBinary(t, tables, Op.Ult, c, subject);
          }
        }
      }
    }
  });

  test('two one-operator terms under every operator, at random', () => {
    const { t, tables, one } = setUp([0, 1, 2, 4, 6, 8, 13, 15]);
    const random = new Random(11);
    for (let i = 0; i < 40_000; i++) {
      const a = one[random.below(one.length)]!;
      const b = one[random.below(one.length)]!;
      checkBinary(t, tables, BINARY_OPS[random.below(BINARY_OPS.length)]!, a, b);
    }
  });

  test('reads of a constant table at every one-operator index', () => {
    const { t, tables, one } = setUp([0, 1, 3, 8, 15]);
    for (const bytes of [Uint8Array.of(7, 7, 7), Uint8Array.from({ length: 16 }, (_, i) => (i * 37) & 255)]) {
      const array = t.constantArray(bytes);
      for (const { term, table } of one) {
        const got = t.read(array, t.zext(term, 32));
        const asked = table.map(v => bytes[v] ?? 0);
        if (!sameTable(asked, tables.of(got))) expect.fail(`read at ${show(term)}`);
        const { umin, umax } = t.facts;
        if (asked.some(v => v < umin[got.id]! || v > umax[got.id]!))
          expect.fail(`facts of read at ${show(term)}`);
      }
    }
  });
});

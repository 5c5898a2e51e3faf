/** Model files: their meaning, and the messages for invalid ones. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesBelow } from '../../platform/files.js';
import { Random } from '../../support/random.js';
import { searchStates } from '../explicit/search.js';
import { prove } from '../prove-system.js';
import { NO_LIMIT } from '../result.js';
import { readMcmt } from './mcmt.js';
import type { ReadResult } from './problem.js';
import { readSal } from './sal.js';

const folder = join(import.meta.dirname, '../../../examples/models');
const source = (name: string): string => readFileSync(join(folder, name), 'utf8');
const read = (name: string, text: string): ReadResult =>
  name.endsWith('.sal') ? readSal(name, text) : readMcmt(name, text);

function statuses(name: string): Record<string, string> {
  const result = read(name, source(name));
  if (result.kind === 'invalid') throw new Error(JSON.stringify(result.diagnostic));
  const system = result.systems[0]!;
  const { outcomes } = searchStates(system, system.properties, NO_LIMIT);
  return Object.fromEntries([...outcomes].map(([{ name: property }, { status }]) => [property, status]));
}

describe('SAL', () => {
  test('a semaphore excludes, one with a separate test does not', () => {
    expect(statuses('semaphore.sal')).toEqual({ owned: 'proved', exclusion: 'proved' });
    expect(statuses('semaphore-broken.sal')).toEqual({ exclusion: 'refuted' });
  });

  test('arrays, records and functions: the migration with a tax of one fails after 119 steps, as in the built-in model', () => {
    const result = read('lfht.sal', source('lfht.sal'));
    if (result.kind === 'invalid') throw new Error(JSON.stringify(result.diagnostic));
    const system = result.systems[0]!;
    const [outcome] = [...searchStates(system, system.properties, NO_LIMIT).outcomes.values()];
    expect(outcome?.status === 'refuted' && outcome.trace.length).toBe(120);
  });
});

test.each([
  ['ticket-lock.mcmt', { exclusion: 'proved', 'at-most-two-wait': 'proved' }],
  ['ticket-lock-broken.mcmt', { exclusion: 'refuted' }],
  [
    'gray-code.mcmt',
    {
      'one-bit-changes': 'proved',
      'highest-bit': 'proved',
      'signed-too': 'proved',
      'never-fifteen': 'refuted',
    },
  ],
  ['elevator.mcmt', { safe: 'proved', 'never-second': 'refuted' }],
  ['msi.sal', { coherent: 'proved' }],
  ['msi-broken.sal', { coherent: 'refuted' }],
  ['handshake.sal', { counts: 'proved', early: 'refuted' }],
  ['leader.sal', { elected: 'proved', sooner: 'refuted' }],
  ['buffer.sal', { fits: 'proved', never_full: 'refuted' }],
])('%s, state by state', (name, expected) => {
  expect(statuses(name)).toEqual(expected);
});

test('operators on bit-vectors agree with BigInt on all pairs of three bits', () => {
  const wrap = (value: bigint): bigint => BigInt.asUintN(3, value);
  const signed = (value: bigint): bigint => BigInt.asIntN(3, value);
  const functions: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
    '(bvadd a b)': (a, b) => wrap(a + b),
    '(bvsub a b)': (a, b) => wrap(a - b),
    '(bvmul a b)': (a, b) => wrap(a * b),
    '(bvneg a)': a => wrap(-a),
    '(bvnot a)': a => wrap(~a),
    '(bvand a b)': (a, b) => a & b,
    '(bvor a b)': (a, b) => a | b,
    '(bvxor a b)': (a, b) => a ^ b,
    '(bvshl a #b001)': a => wrap(a << 1n),
    '(bvlshr a #b001)': a => a >> 1n,
    '(bvashr a #b001)': a => wrap(signed(a) >> 1n),
    '(bvudiv a #b011)': a => a / 3n,
    '(bvurem a #b011)': a => a % 3n,
    '(ite (bvslt a b) #b001 #b000)': (a, b) => (signed(a) < signed(b) ? 1n : 0n),
    '(ite (bvuge a b) #b001 #b000)': (a, b) => (a >= b ? 1n : 0n),
    '(concat ((_ extract 1 0) a) ((_ extract 2 2) b))': (a, b) => wrap(a << 1n) | (b >> 2n),
    '((_ sign_extend 1) ((_ extract 1 0) a))': a => wrap(BigInt.asIntN(2, a)),
    '((_ zero_extend 1) ((_ extract 2 1) a))': a => a >> 1n,
  };
  const pairs = Array.from({ length: 64 }, (_, i) => [BigInt(i >> 3), BigInt(i & 7)] as const);
  const queries = Object.entries(functions).map(([term, compute]) => {
    const table = pairs.map(
      ([a, b]) => `(=> (and (= a (_ bv${a} 3)) (= b (_ bv${b} 3))) (= ${term} (_ bv${compute(a, b)} 3)))`,
    );
    return `(query T (! (and ${table.join(' ')}) :named |${term}|))`;
  });
  const result = readMcmt(
    'bits.mcmt',
    `(define-state-type S ((a (_ BitVec 3)) (b (_ BitVec 3)))) (define-states I S true)
     (define-transition-system T S I false) ${queries.join('\n')}`,
  );
  if (result.kind === 'invalid') throw new Error(JSON.stringify(result.diagnostic));
  const system = result.systems[0]!;
  const report = searchStates(system, system.properties, NO_LIMIT);
  expect(report.states).toBe(64);
  for (const [{ name }, { status }] of report.outcomes) expect(status, name).toBe('proved');
});

test("Sally's syntax: several formulas in a query, names between bars, sets of the next state, assumptions about inputs", () => {
  const result = readMcmt(
    'a.mcmt',
    `(define-state-type S ((|a b| (Range 0 9)) (|12| Bool)) ((i (Range -2 2))))
     (define-states zero S (and (= |a b| 0) |12|))
     (define-transition add S (and (= next.|a b| (+ state.|a b| input.i)) next.|12| (not state.zero)))
     (define-transition step S (or add (and state.zero (= next.|a b| 3) next.|12|) next.zero))
     (define-transition-system T S zero step)
     (assume-input T (and (>= input.i 1) (<= input.i (+ state.|a b| 1))))
     (query T (>= |a b| 0) |12| (< |a b| 9))
     (query T (not (= |a b| 1)) (or zero (>= |a b| 3)))`,
  );
  if (result.kind === 'invalid') throw new Error(JSON.stringify(result.diagnostic));
  const system = result.systems[0]!;
  const { outcomes } = searchStates(system, system.properties, NO_LIMIT);
  expect([...outcomes].map(([{ name }, { status }]) => `${name} ${status}`).sort()).toEqual([
    'query 1 proved',
    'query 2 proved',
    'query 3 refuted',
    'query 4 proved',
    'query 5 proved',
  ]);
});

test.each(['Int', '(Range 0 9)', '(Range 0 1000000)'])(
  'a system of %s without an initial state is distinguished from one with',
  async type => {
    const model = (other: string) =>
      readMcmt(
        'a.mcmt',
        `(define-state-type S ((x ${type}) (y ${type}))) (define-states I S (and (< x 4) (> y ${other})))
       (define-transition-system T S I (= next.x state.x)) (assume T (< y 3)) (query T (< x 5))`,
      );
    const kinds = async (result: ReadResult) => {
      if (result.kind === 'invalid') throw new Error(JSON.stringify(result.diagnostic));
      const { results, vacuous } = await prove(result.systems[0]!, { engine: 'auto' }, NO_LIMIT);
      return [...vacuous.map(({ kind }) => kind), ...results.map(({ outcome }) => outcome.status)];
    };
    expect(await kinds(model('2'))).toEqual(['start']);
    expect((await kinds(model('1'))).filter(kind => kind !== 'guard' && kind !== 'premise')).toContain(
      'proved',
    );
  },
);

describe('errors have a line and a column', () => {
  const mcmt = (body: string): string =>
    `(define-state-type S ((x Int) (b Bool)))\n(define-states I S (= x 0))\n${body}`;
  test.each([
    ['a.mcmt', '(define-state-type S ((x Int))', 1, 1, 'this parenthesis is never closed'],
    ['a.mcmt', 'x)', 1, 2, 'this parenthesis closes nothing'],
    ['a.mcmt', '(define-stat S)', 1, 2, "'define-stat' is not a definition"],
    ['a.mcmt', '(define-state-type S ((x Real)))', 1, 26, 'the type Real is not supported'],
    ['a.mcmt', mcmt('(define-states J S (= x b))'), 3, 20, 'the two sides are of different types'],
    ['a.mcmt', mcmt('(define-states J S (and x))'), 3, 25, 'a formula is expected here, not a number'],
    [
      'a.mcmt',
      mcmt('(define-transition t S (= next.x (* state.x state.x)))'),
      3,
      34,
      'one factor of a product has to be a constant',
    ],
    [
      'a.mcmt',
      mcmt('(define-transition t S (= next.x (foo state.x)))'),
      3,
      35,
      "the operator 'foo' is not known",
    ],
    ['a.mcmt', mcmt('(define-transition-system T S I (= next.x 1))'), 3, 1, 'there is no query about T'],
    ['a.mcmt', mcmt(''), 3, 1, 'there is no transition system'],
    ['a.mcmt', '(define-state-type S ((x (_ BitVec 64))))', 1, 26, 'a bit-vector has from 1 to 30 bits here'],
    [
      'a.mcmt',
      '(define-state-type S ((x (_ BitVec 4))))\n(define-states I S (= x #b001))',
      2,
      20,
      '4 bits and 3 bits do not go together',
    ],
    [
      'a.mcmt',
      '(define-state-type S ((x (_ BitVec 4))))\n(define-states I S (< x 3))',
      2,
      23,
      'an integer is expected here, not a bit-vector',
    ],
    [
      'a.mcmt',
      '(define-state-type S ((x (_ BitVec 4))))\n(define-states I S (= ((_ extract 4 1) x) #b0000))',
      2,
      23,
      'there are no bits 4 to 1 in 4 bits',
    ],
    [
      'a.mcmt',
      mcmt('(define-states J S (= x 0) b)'),
      3,
      28,
      "'define-states' takes 3 operands: this one would not be read",
    ],
    ['a.mcmt', mcmt('(define-states J S)'), 3, 1, "'define-states' needs 3 operands, not 2"],
    ['a.mcmt', mcmt('(define-states I S b)'), 3, 16, "'I' is defined twice"],
    [
      'a.mcmt',
      mcmt('(define-transition t S state.b next.b)'),
      3,
      32,
      "'define-transition' takes 3 operands: this one would not be read",
    ],
    [
      'a.mcmt',
      mcmt('(define-transition-system T S I true true)'),
      3,
      38,
      "'define-transition-system' takes 4 operands: this one would not be read",
    ],
    [
      'a.mcmt',
      mcmt('(define-transition-system T S I true)(assume T b b)'),
      3,
      50,
      "'assume' takes 2 operands: this one would not be read",
    ],
    [
      'a.mcmt',
      mcmt('(define-transition-system T S I true)(query T)'),
      3,
      38,
      'the formula of the query is missing',
    ],
    [
      'a.mcmt',
      mcmt('(define-constant c 1 2)'),
      3,
      22,
      "'define-constant' takes 2 operands: this one would not be read",
    ],
    ['a.mcmt', mcmt('(define-states J S (let ((y x)) (= y 0) b))'), 3, 20, "'let' needs 2 operands, not 3"],
    ['a.mcmt', mcmt('(define-states J S (let ((y x b)) (= y 0)))'), 3, 31, 'a name has one value'],
    ['a.mcmt', '(define-state-type S ((x Int Bool)))', 1, 30, 'a variable has one type'],
    [
      'a.mcmt',
      '(define-state-type S ((x (Range 0 7 9))))',
      1,
      37,
      "'Range' takes 2 operands: this one would not be read",
    ],
    ['a.mcmt', '(define-state-type S ((x Int)) ((i Int) (i Int)))', 1, 32, 'input.i is declared twice'],
    ['a.mcmt', mcmt('(define-states J S |12|)'), 3, 20, "there is no '12' here"],
    ['a.mcmt', mcmt('(define-states J S |x)'), 3, 20, 'this bar is never closed'],
    [
      'a.sal',
      "a: CONTEXT = BEGIN\n m: MODULE = BEGIN LOCAL x: BOOLEAN\n DEFINITION x = TRUE\n TRANSITION x' = FALSE END;\n t: THEOREM m |- G(x); END",
      4,
      13,
      'this variable has a DEFINITION',
    ],
    [
      'a.sal',
      "a: CONTEXT = BEGIN\n m: MODULE = BEGIN GLOBAL x: BOOLEAN TRANSITION x' = FALSE END;\n s: MODULE = m || m;\n t: THEOREM s |- G(x); END",
      3,
      14,
      'two modules write x in the same step',
    ],
    ['a.sal', 'a: CONTEXT = BEGIN x: MODUL', 1, 28, "'=' is expected here, not 'the end of the file'"],
    [
      'a.sal',
      'a: CONTEXT = BEGIN\n  m: MODULE = BEGIN LOCAL x: Foo END;\n t: THEOREM m |- G(TRUE); END',
      2,
      30,
      'there is no type Foo',
    ],
    [
      'a.sal',
      'a: CONTEXT = BEGIN\n t: THEOREM m |- F(TRUE); END',
      2,
      18,
      "only invariants, G(...), are checked, not 'F'",
    ],
  ])('%s: %j', (name, text, line, column, message) => {
    const result = read(name, text);
    expect(result.kind === 'invalid' && result.diagnostic).toMatchObject({
      message,
      location: { line, column },
    });
  });

  test('no text makes a reader throw', () => {
    const random = new Random(7);
    for (const name of filesBelow(folder)) {
      const tokens = source(name).split(/(\s+|[()[\]{}'])/);
      for (let i = 0; i < 12; i++) {
        const at = random.below(tokens.length);
        const other = tokens[random.below(tokens.length)]!;
        const text = tokens.with(at, random.below(2) === 0 ? '' : other).join('');
        expect(['systems', 'invalid']).toContain(read(name, text).kind);
      }
    }
  });
});

/**
 * Both formats: printed text is parsed as the very same term; foreign text is parsed; bad text
 * is described.
 */
import { describe, expect, test } from 'vitest';
import { Random } from '../support/random.js';
import { evaluate } from './evaluate.js';
import { parseKQuery } from './parse-kquery.js';
import { parseSmtLib } from './parse-smtlib.js';
import { printKQuery } from './print-kquery.js';
import { printSmtLibQuery } from './print-smtlib.js';
import { type Leaves, randomTwin } from './random-terms-testing.js';
import type { Term } from './term.js';
import { Terms } from './terms.js';
import { forEachTerm } from './walk.js';

function leavesOf(t: Terms, withVariables: boolean): Leaves {
  const input = t.symbolicArray('input', 12);
  const table = Uint8Array.from({ length: 300 }, (_, i) => (i * 7) & 255);
  const bytes = [0, 1, 2, 3, 4, 5].map(i => t.read(input, t.constant(32, i)));
  const words = [
    t.concat(bytes[1]!, bytes[0]!),
    t.concat(t.concat(bytes[5]!, bytes[4]!), t.concat(bytes[3]!, bytes[2]!)),
  ];
  const variables = withVariables
    ? [t.variable('n', 64), t.variable('odd name', 5), t.variable('flag', 1)]
    : [];
  return {
    terms: [...bytes, ...words, ...variables].map(term => ({ term, value: 0n })),
    arrays: [
      { array: input, bytes: new Uint8Array(12) },
      { array: t.constantArray(table), bytes: table },
    ],
  };
}

function readsThroughWrites(root: Term): boolean {
  let found = false;
  forEachTerm([root], term => {
    found ||= term.array?.kind === 'written';
  });
  return found;
}

describe('SMT-LIB', () => {
  test('parse after print is the identity, except that reads through writes become equivalent ites', () => {
    const random = new Random(5);
    const t = new Terms();
    const leaves = leavesOf(t, true);
    for (let i = 0; i < 400; i++) {
      const constraint = randomTwin(t, random, leaves, 1, 5).term;
      const back = parseSmtLib(t, printSmtLibQuery(t, [constraint]));
      if (!back.ok) return expect.fail(back.message);
      if (!readsThroughWrites(constraint)) expect(back.assertions[0] === constraint).toBe(true);
      for (let k = 0; k < 5; k++) {
        const variables = new Map([
          ['n', random.uint32()],
          ['odd name', random.below(32)],
          ['flag', random.below(2)],
        ]);
        const arrays = new Map([['input', Uint8Array.from({ length: 12 }, () => random.below(16))]]);
        expect(evaluate(back.assertions[0]!, { variables, arrays })).toBe(
          evaluate(constraint, { variables, arrays }),
        );
      }
    }
  });

  test('names that a script cannot hold are changed and stay distinct', () => {
    const t = new Terms();
    const names = [
      'a|b',
      'a\\b',
      'a_b',
      'true',
      '_true',
      '?t5',
      '',
      'x y',
      'say "x"',
      'é\n',
      'let',
      '_',
      '#x00',
      '5',
      '(',
    ];
    const numbers = names.map((name, i) => t.eq(t.variable(name, 8), t.constant(8, i)));
    const bytes = names.map((name, i) =>
      t.eq(t.read(t.symbolicArray(name, 4), t.constant(32, 0)), t.constant(8, i)),
    );
    const back = new Terms();
    const result = parseSmtLib(back, printSmtLibQuery(t, [...numbers, ...bytes]));
    if (!result.ok) return expect.fail(result.message);
    const leaves = result.assertions.map(({ a }) => a);
    expect(new Set(leaves).size).toBe(2 * names.length);
    expect(leaves[names.indexOf('x y')]).toBe(back.variable('x y', 8));
  });

  test('a script from elsewhere', () => {
    const t = new Terms();
    const result = parseSmtLib(
      t,
      `(set-logic QF_ABV) ; comment
       (declare-fun |a b| () (_ BitVec 8)) (declare-const p Bool)
       (define-fun twice () (_ BitVec 8) (bvadd |a b| |a b|))
       (assert (let ((x (bvor twice #x01))) (=> p (distinct x (_ bv4 8) #b00000101))))
       (assert (! (bvsge ((_ rotate_left 3) |a b|) #xf0) :named bound)) (check-sat)`,
    );
    if (!result.ok) return expect.fail(result.message);
    const [first, second] = result.assertions;
    const at = (value: number) => ({
      variables: new Map([
        ['a b', value],
        ['p', 1],
      ]),
      arrays: new Map(),
    });
    expect([evaluate(first!, at(2)), evaluate(first!, at(3)), evaluate(second!, at(0b11111111))]).toEqual([
      0, 1, 1,
    ]);
  });

  test.each([
    ['(assert (= x #x01))', 'unknown name x'],
    ['(assert (bvadd #x01', 'a parenthesis is not closed'],
    ['(declare-const x (_ BitVec 8))\n(assert x)', 'an assertion must be Bool'],
    ['(push 1)', 'command push is not supported'],
    ['(assert (= #x01 #x0001))', 'operands of = differ in width'],
    [`(assert ${'(not '.repeat(3000)}true${')'.repeat(3000)})`, 'nested too deeply'],
  ])('$1', (text, message) => {
    expect(parseSmtLib(new Terms(), text)).toMatchObject({ ok: false, message });
  });
});

describe('KQuery', () => {
  test('parse after print is the identity, for terms over arrays', () => {
    const random = new Random(6);
    const t = new Terms();
    const leaves = leavesOf(t, false);
    for (let i = 0; i < 400; i++) {
      const terms = [1, 2, 3].map(() => randomTwin(t, random, leaves, 1, 5).term);
      const back = parseKQuery(t, printKQuery(terms.slice(1), terms[0]!));
      expect(
        back.ok &&
          [back.queries[0]!.conclusion, ...back.queries[0]!.constraints].every((a, k) => a === terms[k]),
      ).toBe(true);
    }
  });

  test('a variable becomes a separate array', () => {
    const t = new Terms();
    const x = t.variable('x', 12);
    const text = printKQuery([t.ult(x, t.constant(12, 9))], t.false);
    expect(text).toBe(
      'array x[2] : w32 -> w8 = symbolic\n(query [(Ult (Extract w12 0 (ReadLSB w16 (w32 0) x)) (w12 9))]\n       false)\n',
    );
  });

  test('names become distinct identifiers', () => {
    const t = new Terms();
    const byte = (name: string) => t.read(t.symbolicArray(name, 4), t.constant(32, 0));
    const sum = ['a:4', 'a#1:4', 'a_4', 'w8', '3'].map(byte).reduce((left, right) => t.add(left, right));
    const text = printKQuery([t.ult(sum, t.add(t.variable('a_4', 8), t.constant(8, 7)))], t.false);
    const names = [...text.matchAll(/^array (\w+)\[/gm)].map(match => match[1]);
    expect(new Set(names).size).toBe(6);
    expect(names).toContain('a_4_2');
    expect(parseKQuery(new Terms(), text)).toMatchObject({ ok: true });
  });

  test("text in the format of KLEE's printer", () => {
    const t = new Terms();
    const result = parseKQuery(
      t,
      `# a comment
       array arr[8] : w32 -> w8 = symbolic
       array const_arr1[4] : w32 -> w8 = [171 171 171 171]
       (query [(Ult N0:(ReadLSB w32 0 arr) 16)
               (Eq false (Slt 5 (SExt w64 (Read w8 4 arr))))
               (Eq 171 (Read w8 N0 const_arr1))]
              (Ne 7 (Read w8 (Add w32 1 N0) U0:[4=(Read w8 0 arr), 3=0] @ arr)) [] [arr])`,
    );
    if (!result.ok) return expect.fail(result.message);
    const { constraints, conclusion } = result.queries[0]!;
    const arrays = new Map([['arr', Uint8Array.of(3, 0, 0, 0, 5, 9, 9, 9)]]);
    const value = (term: typeof conclusion) => evaluate(term, { variables: new Map(), arrays });
    expect(constraints.map(value)).toEqual([1, 1, 1]);
    expect(value(conclusion)).toBe(1);
  });

  test.each([
    ['(query [] (Add w8 1 2))', 'expected a boolean'],
    ['(query [] (Read w8 0 nowhere))', 'unknown array'],
    ['array a[x] : w32 -> w8 = symbolic', 'expected a size, found x'],
    ['(query [(Frobnicate w8 1)] false)', 'operator Frobnicate is not supported'],
    [
      'array a[4] : w32 -> w8 = symbolic array a[5] : w32 -> w8 = symbolic',
      'array a is known with 4 bytes, not 5',
    ],
  ])('$1', (text, message) => {
    expect(parseKQuery(new Terms(), text)).toMatchObject({ ok: false, message });
  });
});

test.each([
  ['smt2', printSmtLibQuery, parseSmtLib],
  ['kquery', (_: Terms, terms: Term[]) => printKQuery(terms, _.false), parseKQuery],
] as const)('every error in %s text is described', (_, print, parse) => {
  const random = new Random(8);
  for (let round = 0; round < 150; round++) {
    const t = new Terms();
    const constraint = randomTwin(t, random, leavesOf(t, true), 1, 4).term;
    const words = print(t, [constraint]).split(/(?<=[\s()[\]])|(?=[\s()[\]])/);
    for (let edit = 0; edit < 4; edit++) {
      const at = random.below(words.length);
      words.splice(at, random.below(2), words[random.below(words.length)]!);
    }
    const result = parse(t, words.join(''));
    if (!result.ok) expect(result.line).toBeGreaterThan(0);
  }
});

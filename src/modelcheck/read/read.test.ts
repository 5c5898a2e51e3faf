/** Model files: what they mean, and what is said about those that mean nothing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesBelow } from '../../platform/files.js';
import { Random } from '../../support/random.js';
import { searchStates } from '../explicit/search.js';
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
  test('a semaphore excludes, one that is looked at first does not', () => {
    expect(statuses('semaphore.sal')).toEqual({ owned: 'proved', exclusion: 'proved' });
    expect(statuses('semaphore-broken.sal')).toEqual({ exclusion: 'refuted' });
  });

  test('arrays, records and functions: the migration with a tax of one breaks in 119 steps, as the built-in model', () => {
    const result = read('lfht.sal', source('lfht.sal'));
    if (result.kind === 'invalid') throw new Error(JSON.stringify(result.diagnostic));
    const system = result.systems[0]!;
    const [outcome] = [...searchStates(system, system.properties, NO_LIMIT).outcomes.values()];
    expect(outcome?.status === 'refuted' && outcome.trace.length).toBe(120);
  });
});

describe('what is wrong, with line and column', () => {
  const mcmt = (body: string): string =>
    `(define-state-type S ((x Int) (b Bool)))\n(define-states I S (= x 0))\n${body}`;
  test.each([
    ['a.mcmt', '(define-state-type S ((x Int))', 1, 1, 'this parenthesis is never closed'],
    ['a.mcmt', 'x)', 1, 2, 'this parenthesis closes nothing'],
    ['a.mcmt', '(define-stat S)', 1, 2, "'define-stat' is no definition"],
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
    ['a.mcmt', mcmt('(define-transition-system T S I (= next.x 1))'), 3, 1, 'nothing is asked about T'],
    ['a.mcmt', mcmt(''), 3, 1, 'there is no transition system'],
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
      for (let i = 0; i < 25; i++) {
        const at = random.below(tokens.length);
        const other = tokens[random.below(tokens.length)]!;
        const text = tokens.with(at, random.below(2) === 0 ? '' : other).join('');
        expect(['systems', 'invalid']).toContain(read(name, text).kind);
      }
    }
  });
});

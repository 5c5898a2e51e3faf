/**
 * Mutation-fuzzing of the reader: whatever is done to the text of a module, the answer is a module
 * or an error that points into the text; and a module that is still read can be verified, written
 * and read again.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Module } from '../../src/ir/model.js';
import { readModule } from '../../src/ir/reader.js';
import { verifyModule } from '../../src/ir/verify.js';
import { writeModule } from '../../src/ir/writer.js';
import { program } from './clang.js';

const fragments = [
  ...[
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    '<',
    '>',
    ',',
    '=',
    '*',
    '!',
    '#',
    '@',
    '%',
    '"',
    ':',
    ';',
    '\\',
    '\n',
    '...',
  ],
  ...[
    'i32',
    'i1',
    'i0',
    'i99999999',
    'ptr',
    'void',
    'label',
    'metadata',
    'float',
    'fp128',
    'opaque',
    'token',
  ],
  ...[
    '<4 x i32>',
    '<0 x i8>',
    '<vscale x 4 x i32>',
    '[999999999999 x i8]',
    '{ i32 }',
    '<{ i8 }>',
    'i32 (...)',
  ],
  ...[
    '%0',
    '%1',
    '%x',
    '@0',
    '@f',
    '!0',
    '!99999999999',
    '!DIExpression()',
    '!{!0}',
    '#0',
    '#99',
    '$c',
    '%99',
  ],
  ...[
    '0',
    '-1',
    '99999999999999999999999',
    '0x1',
    '0xL0',
    '1.5',
    '1e5',
    '+3',
    'u0xFF',
    's0xZZ',
    'true',
    'null',
  ],
  ...['undef', 'poison', 'none', 'zeroinitializer', 'splat (i32 1)', 'c"a"', 'blockaddress(@jumps, %one)'],
  ...[
    'getelementptr (i8, ptr null, i64 1)',
    'asm "", ""',
    'define',
    'declare',
    'global',
    'alias',
    'call',
    'br',
  ],
  ...[
    'phi i32 [ 0, %entry ]',
    'ret void',
    'unreachable',
    'switch',
    'invoke',
    'align 3',
    'align 4',
    'entry:',
    '7:',
  ],
  ...[
    '#dbg_value(i32 0, !0, !0, !0)',
    'attributes #0 = {',
    'distinct',
    'addrspace(99)',
    'target("x", i32, 1)',
  ],
  '('.repeat(3000),
  '{'.repeat(3000),
  '['.repeat(3000),
  '!{'.repeat(3000),
  '[1 x '.repeat(3000),
];

type Edit = (text: string) => string;

/** A place as a fraction of the text, so that it stays meaningful while the text changes. */
const place: fc.Arbitrary<number> = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(place, fc.nat(30)).map(
    ([at, length]): Edit =>
      text =>
        splice(text, at, length, ''),
  ),
  fc.tuple(place, fc.nat(12), fc.constantFrom(...fragments)).map(
    ([at, length, fragment]): Edit =>
      text =>
        splice(text, at, length, ` ${fragment} `),
  ),
  fc.tuple(place, fc.string({ maxLength: 4, unit: 'binary' })).map(
    ([at, inserted]): Edit =>
      text =>
        splice(text, at, inserted.length, inserted),
  ),
  fc.tuple(place, place, fc.nat(60)).map(
    ([from, to, length]): Edit =>
      text => {
        const start = Math.floor(from * text.length);
        return splice(text, to, 0, text.slice(start, start + length));
      },
  ),
  fc.tuple(place, place).map(
    ([from, to]): Edit =>
      text =>
        swapLines(text, from, to),
  ),
  place.map(
    (at): Edit =>
      text =>
        text.slice(0, Math.floor(at * text.length)),
  ),
);

function splice(text: string, at: number, removed: number, inserted: string): string {
  const start = Math.floor(at * text.length);
  return text.slice(0, start) + inserted + text.slice(start + removed);
}

function swapLines(text: string, from: number, to: number): string {
  const lines = text.split('\n');
  const a = Math.floor(from * lines.length);
  const b = Math.floor(to * lines.length);
  [lines[a], lines[b]] = [lines[b] ?? '', lines[a] ?? ''];
  return lines.join('\n');
}

/** Every node that was accepted can be decoded. */
function decodeAll(module: Module): void {
  for (const nodes of module.namedMetadata.values()) {
    for (const node of nodes[0]?.space?.nodes.values() ?? []) expect(node.body).toBeDefined();
  }
}

/**
 * Applies `count` mutations and returns how many were still modules, and how many errors. Every
 * `rewriteEvery`th module is also verified, written and read again, which takes far longer than
 * refusing one.
 */
export function fuzzReader(
  count: number,
  seed: number,
  rewriteEvery: number,
): { modules: number; errors: number } {
  const original = program('every-construct.ll');
  const tally = { modules: 0, errors: 0 };
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), edits => {
      const text = edits.reduce((current, apply) => apply(current), original);
      const result = readModule(text, 'mutated.ll');
      if (result.kind === 'error') {
        tally.errors++;
        const { line, column, message } = result.error;
        const blamed = text.split('\n')[line - 1];
        if (blamed === undefined || column > blamed.length + 1 || message === '') {
          expect.fail(`${line}:${column} is not a place in the text: ${message}`);
        }
        return;
      }
      if (tally.modules++ % rewriteEvery !== 0) return;
      verifyModule(result.module);
      if (tally.modules % 3 === 0) decodeAll(result.module);
      const written = writeModule(result.module);
      const again = readModule(written, 'mutated.ll');
      if (again.kind === 'error') expect.fail(`${JSON.stringify(again.error)}\n${written}`);
      expect(writeModule(again.module)).toBe(written);
    }),
    { numRuns: count, seed },
  );
  return tally;
}

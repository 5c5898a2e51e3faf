/**
 * The table of ranges is complete, and its first functions, those of memory and strings, are held
 * against both engines.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesBelow } from '../../src/platform/files.js';
import { libraryCases, libraryChecks, libraryPreamble } from './library-cases.js';
import { libraryFunctions } from './library-ranges.js';
import { unlisted } from './library-unlisted.js';
import { type Case, wrongCases } from './many-cases.js';

const runtime = join(import.meta.dirname, '../../runtime');

/** The functions that the headers declare, the library exports and to which a pointer is passed. */
function functionsWithPointers(): string[] {
  const symbols = new Set(Object.keys(JSON.parse(readFileSync(join(runtime, 'libc/symbols.json'), 'utf8'))));
  const names = filesBelow(join(runtime, 'include')).flatMap(file => {
    const text = readFileSync(join(runtime, 'include', file), 'utf8')
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/\/\/.*/g, '')
      .replace(/#.*(\\\n.*)*/g, '');
    return text.split(/[;{}]/).flatMap(statement => {
      const [, name, parameters] =
        /^.*?[\s*](\w+)\s*\((.*)\)\s*(?:__\w+.*)?$/.exec(statement.trim().replace(/\s+/g, ' ')) ?? [];
      return name !== undefined && /[*[]/.test(parameters!) ? [name] : [];
    });
  });
  return [...new Set(names)].filter(name => symbols.has(name)).sort();
}

test('every function to which a pointer is passed is in the table, or it is said why not', () => {
  const listed = libraryFunctions.map(({ name }) => name);
  const others = unlisted.flatMap(({ names }) => names.trim().split(/\s+/));
  expect(new Set(listed).size).toBe(listed.length);
  expect(listed.filter(name => others.includes(name))).toEqual([]);
  const known = new Set([...listed, ...others]);
  expect(functionsWithPointers().filter(name => !known.has(name))).toEqual([]);
  expect(functionsWithPointers().length).toBeGreaterThan(600);
});

test.each(['check', 'explore'] as const)('functions of memory and strings under %s', async engine => {
  const cases = libraryCases(libraryFunctions.slice(0, 32));
  expect(await wrongCases(engine, libraryPreamble, cases, ['-fno-builtin'], libraryChecks)).toEqual([]);
});

/** What leaves a program must have been written, and is looked at where it leaves. */
const leaving = `struct padded { char tag; int count; };
static struct padded *padded(void) { struct padded *p = malloc(sizeof *p); p->tag = 1; p->count = 2; return p; }
static FILE *buffered(void) { static char b[64]; return fmemopen(b, 64, "w"); }`;

const leavingCases: readonly Case[] = [
  {
    name: 'fwrite of padding to a buffer',
    code: 'fwrite(padded(), sizeof(struct padded), 1, buffered());',
    expected: 'uninitialized-read',
  },
  {
    name: 'the buffer is not blamed again',
    code: 'static struct padded p; p = *padded(); p.tag = 1; FILE *f = buffered(); fwrite(&p.count, 4, 1, f); fclose(f);',
    expected: undefined,
  },
  {
    name: 'fwrite of what was never written',
    code: 'fwrite(malloc(24), 24, 1, buffered());',
    expected: 'uninitialized-read',
  },
  {
    name: 'write of a text and what is behind it',
    code: 'char *p = malloc(40); strcpy(p, "text"); write(sink(), p, 40);',
    expected: 'uninitialized-read',
  },
];

test.each(['check', 'explore'] as const)('what leaves a program under %s', async engine => {
  const preamble = `${libraryPreamble}\n${leaving}`;
  expect(await wrongCases(engine, preamble, leavingCases, ['-fno-builtin'], libraryChecks)).toEqual([]);
});

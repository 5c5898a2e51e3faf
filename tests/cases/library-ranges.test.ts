/**
 * The table of ranges is complete, and its first functions, those of memory and strings, are
 * checked with both engines.
 */
import { expect, test } from 'vitest';
import { libraryCases, libraryChecks, libraryPreamble } from './library-cases.js';
import { prototypesWithPointers } from './library-prototypes.js';
import { libraryFunctions } from './library-ranges.js';
import { unlisted } from './library-unlisted.js';
import { type Case, wrongCases } from './many-cases.js';

test('every function with a pointer parameter is in the table, or has a documented exception', () => {
  const listed = libraryFunctions.map(({ name }) => name);
  const others = unlisted.flatMap(({ names }) => names.trim().split(/\s+/));
  expect(new Set(listed).size).toBe(listed.length);
  expect(listed.filter(name => others.includes(name))).toEqual([]);
  const known = new Set([...listed, ...others]);
  const names = prototypesWithPointers().map(({ name }) => name);
  expect(names.filter(name => !known.has(name))).toEqual([]);
  expect(names.length).toBeGreaterThan(600);
});

test.each(['check', 'explore'] as const)('functions of memory and strings under %s', async engine => {
  const cases = libraryCases(libraryFunctions.slice(0, 32));
  expect(await wrongCases(engine, libraryPreamble, cases, ['-fno-builtin'], libraryChecks)).toEqual([]);
});

/** Bytes that leave a program must be initialized, which is checked where they leave. */
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

test.each(['check', 'explore'] as const)('output functions under %s', async engine => {
  const preamble = `${libraryPreamble}\n${leaving}`;
  expect(await wrongCases(engine, preamble, leavingCases, ['-fno-builtin'], libraryChecks)).toEqual([]);
});

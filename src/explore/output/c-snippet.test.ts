/** Whatever a program may ask for, the C program that calls it has. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cSnippet } from './c-snippet.js';

test.each(['redzone.h', 'klee/klee.h'])('all functions of %s are defined', header => {
  const path = join(import.meta.dirname, '../../../runtime/include', header);
  const declared = readFileSync(path, 'utf8').matchAll(
    /^(?!#| \*).*?\b((?:klee|redzone|__VERIFIER)_\w+|reach_error)\(/gm,
  );
  const called = new Set(Array.from(declared, ([, name]) => name!));
  expect(called.size).toBeGreaterThan(25);
  const program = {
    sources: ['a.c'],
    flags: [],
    headers: '/headers',
    arguments: [],
    called,
    symbolic: {},
    entry: 'main()',
  } as const;
  const text = cSnippet(program, [], 'an error');
  for (const name of called) expect(text).toMatch(new RegExp(`\\b${name}\\(.*\\) \\{`));
});

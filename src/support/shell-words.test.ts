import { expect, test } from 'vitest';
import { shellWords } from './shell-words.js';

test('only words that a shell would change are quoted', () => {
  expect(shellWords(['-DN=3', '-I../include', 'a b.c', ''])).toBe("-DN=3 -I../include 'a b.c' ''");
  expect(shellWords(["-DC='x'"])).toBe(`'-DC='\\''x'\\'''`);
});

import { expect, test } from 'vitest';
import { describeAccess } from './access-words.js';

const block = { kind: 'heap', bytes: 8, life: 'live' } as const;

test.each([
  ['strcpy', 6, 'allocate one more byte for the null terminator: `strlen(text) + 1`'],
  ['strcpy', 7, 'let `strcpy` write no more bytes than the object has'],
  ['sprintf', 6, 'use `snprintf` with the size of the object'],
  ['vsprintf', 7, 'use `vsnprintf` with the size of the object'],
  ['memset', 6, 'let `memset` write no more bytes than the object has'],
])('the help for %s of 3 bytes at offset %i', (by, offset, help) => {
  const facts = { kind: 'access', operation: 'write', bytes: 3, address: 8n, object: block, offset } as const;
  expect(describeAccess(facts, by).help).toBe(help);
});

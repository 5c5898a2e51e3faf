/** Different errors are not merged, however similar, and one error is reported once. */
import { expect, test } from 'vitest';
import type { Finding, SourceLocation, Stack } from './finding.js';
import { errorKey } from './same-error.js';

const at = (line: number, file = 'a.c'): SourceLocation => ({ file, line, column: 3, function: 'f' });
const inLibrary = at(9, '/redzone/libc/string/strdup.c');

const copy: Finding = {
  code: 'heap-buffer-overflow',
  severity: 'error',
  message: 'write of 4 bytes past the end of an 8-byte block',
  location: at(7),
  stack: [at(7), at(20)],
  access: { kind: 'write', bytes: 4 },
  object: { kind: 'heap', bytes: 8, allocated: [at(2), at(20)] },
};
const block = copy.object!;

test.each<[string, Partial<Finding>]>([
  ['at another place', { location: at(8) }],
  ['of another code', { code: 'use-after-free' }],
  ['that reads', { access: { kind: 'read', bytes: 4 } }],
  ['of a block of another site', { object: { ...block, allocated: [at(3), at(20)] } }],
  ['of a block that another site freed', { object: { ...block, freed: [at(5)] } }],
  ['of a variable', { object: { kind: 'stack', name: 'a', bytes: 8, allocated: [at(2)] } }],
])('an error %s is another one', (_, change) => {
  expect(errorKey({ ...copy, ...change })).not.toBe(errorKey(copy));
});

test.each<[string, Partial<Finding>]>([
  ['from elsewhere', { stack: [at(7), at(21)] }],
  [
    'with other bytes',
    { access: { kind: 'write', bytes: 1 }, message: 'write of 1 byte', label: 'just after' },
  ],
  ['of a larger block', { object: { ...block, bytes: 80 } }],
  ['of a block that the library allocates there', { object: { ...block, allocated: [inLibrary, at(2)] } }],
])('an error %s is the same', (_, change) => {
  expect(errorKey({ ...copy, ...change })).toBe(errorKey(copy));
});

test('leaks are distinguished by their callers, not by the depth of a recursion or frames of the library', () => {
  const leak = (stack: Stack): string =>
    errorKey({ ...copy, code: 'memory-leak', stack, object: { ...block, allocated: stack } });
  const [inner, recursion] = [at(2), at(4)];
  expect(leak([inner, at(20)])).not.toBe(leak([inner, at(21)]));
  expect(leak([inner, recursion, at(20)])).toBe(leak([inner, recursion, recursion, recursion, at(20)]));
  expect(leak([inner, inLibrary, at(20)])).toBe(leak([inner, { ...inLibrary, line: 10 }, at(20)]));
  // The library may call a callback from several of its functions.
  expect(leak([inner, inLibrary, { ...inLibrary, function: 'g' }, at(20)])).toBe(
    leak([inner, inLibrary, at(20)]),
  );
});

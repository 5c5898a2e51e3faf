import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readKTest, writeKTest } from './ktest.js';

const object = fc.record({ name: fc.string(), bytes: fc.uint8Array() });
const anyTest = fc.record({ arguments: fc.array(fc.string()), objects: fc.array(object) });

test('a written ktest file is read back unchanged', () => {
  fc.assert(
    fc.property(anyTest, content => {
      expect(readKTest(writeKTest(content))).toEqual({ kind: 'test', test: content });
    }),
    { seed: 7, numRuns: 100 },
  );
});

test('a truncated file is rejected at every length', () => {
  const whole = writeKTest({ arguments: ['a.bc'], objects: [{ name: 'x', bytes: Uint8Array.of(1, 2) }] });
  for (let length = 0; length < whole.length; length++)
    expect(readKTest(whole.subarray(0, length)).kind).toBe('invalid');
});

test('the bytes are those that KLEE writes', () => {
  const bytes = writeKTest({ arguments: ['a'], objects: [{ name: 'x', bytes: Uint8Array.of(7) }] });
  const zero = [0, 0, 0, 0];
  const one = [0, 0, 0, 1];
  expect([...bytes]).toEqual(
    [[75, 84, 69, 83, 84], [0, 0, 0, 3], one, one, [97], zero, zero, one, one, [120], one, [7]].flat(),
  );
});

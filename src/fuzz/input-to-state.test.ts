import { expect, test } from 'vitest';
import type { ComparisonProbe } from '../monitor/instrument/probes.js';
import { inputsToTry } from './input-to-state.js';

const location = { file: 'a.c', line: 1, column: 1 };
const probe = (bits: number, more: Partial<ComparisonProbe> = {}): ComparisonProbe => ({
  location,
  bits,
  ...more,
});
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const texts = (inputs: Iterable<Uint8Array>): string[] =>
  Array.from(inputs, bytes => new TextDecoder('latin1').decode(bytes));

function tried(input: Uint8Array, left: bigint, right: bigint, of: ComparisonProbe): string[] {
  const compared = { integers: [{ site: 0, left, right }], texts: [] };
  return texts(inputsToTry(input, compared, [of], 64, 100).inputs);
}

test('a number of four bytes, in both orders', () => {
  expect(tried(encode('ab\x04\x03\x02\x01c'), 0x01020304n, 0x61626364n, probe(32))).toContain('abdcbac');
  expect(tried(encode('ab\x01\x02\x03\x04c'), 0x01020304n, 0x61626364n, probe(32))).toContain('ababcdc');
});

test('a byte that was widened, also with its sign', () => {
  expect(tried(encode('xyz'), 0x79n, 0x46n, probe(32))).toContain('xFz');
  expect(tried(Uint8Array.of(0xfe), 0xfffffffen, 0x41n, probe(32))).toContain('A');
});

test('a comparison of order suggests the neighbouring values, a switch all its cases', () => {
  expect(tried(encode('5'), 0x35n, 0x40n, probe(8, { isOrder: true }))).toEqual(
    expect.arrayContaining(['@', 'A', '?']),
  );
  expect(tried(encode('5'), 0x35n, 0n, probe(32, { cases: ['65', '66'] }))).toEqual(
    expect.arrayContaining(['A', 'B']),
  );
});

test('a number in decimal, and the length of the input', () => {
  expect(tried(encode('n=42;'), 42n, 1000n, probe(32))).toContain('n=1000;');
  expect(tried(encode('abc'), 3n, 8n, probe(64)).some(text => text.length === 8)).toBe(true);
});

test('texts of different lengths, and words for the dictionary', () => {
  const compared = { integers: [], texts: [{ site: 0, left: encode('key\0'), right: encode('longer\0') }] };
  const { inputs, words } = inputsToTry(encode('a key=1'), compared, [probe(0)], 64, 100);
  expect(texts(inputs)).toContain('a longer=1');
  expect(texts(words)).toEqual(expect.arrayContaining(['longer', 'key']));
});

test('the same input is suggested once, whichever comparison suggests it', () => {
  // As one byte, as two and as four; the decimal number is another input.
  expect(tried(encode('\x41\0\0\0 65'), 0x41n, 0x42n, probe(32)).sort()).toEqual([
    '\x41\0\0\0 66',
    '\x42\0\0\0 65',
  ]);
});

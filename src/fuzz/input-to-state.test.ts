import { expect, test } from 'vitest';
import type { ComparisonProbe } from '../monitor/instrument/probes.js';
import { Suggestions } from './input-to-state.js';

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
  return texts(new Suggestions([of], 64).of(input, compared, 100).inputs);
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
  const { inputs, words } = new Suggestions([probe(0)], 64).of(encode('a key=1'), compared, 100);
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

test('a number is found wherever it occurs, though its bytes are frequent ones', () => {
  // The number begins with zeros that are everywhere, and occurs at the end, too.
  const input = Uint8Array.of(0, 0, 0, 7, 0, 0xff, 0, 0, 0, 7);
  expect(tried(input, 7n, 9n, probe(32))).toEqual(
    expect.arrayContaining(['\0\0\0\x09\0\xff\0\0\0\x07', '\0\0\0\x07\0\xff\0\0\0\x09']),
  );
  // A value of these bytes only.
  expect(tried(input, 0xff00n, 0x4142n, probe(16))).toEqual([
    '\0\0\0\x07BA\0\0\0\x07',
    '\0\0\0\x07\0AB\0\0\x07',
  ]);
});

test('no more inputs than wanted, and none longer than the limit', () => {
  const compared = { integers: [{ site: 0, left: 0x61n, right: 0x62n }], texts: [] };
  const suggestions = new Suggestions([probe(8)], 8);
  expect(texts(suggestions.of(encode('aaaaaaaa'), compared, 3).inputs)).toEqual([
    'baaaaaaa',
    'abaaaaaa',
    'aabaaaaa',
  ]);
  const words = { integers: [], texts: [{ site: 0, left: encode('key\0'), right: encode('longer\0') }] };
  expect(texts(suggestions.of(encode('a key=12'), words, 100).inputs)).not.toContain('a longer=12');
});

test('repairs of one comparison are those of its suggestions', () => {
  const comparison = { site: 0, left: 0x0102n, right: 0x7172n };
  const input = encode('a\x01\x02b\x02\x01c\x71\x72');
  const suggestions = new Suggestions([probe(32)], 64);
  const all = texts(suggestions.of(input, { integers: [comparison], texts: [] }, 100).inputs);
  expect(texts(suggestions.ofOne(input, comparison, 100))).toEqual(all);
  expect(all.length).toBe(3);
});

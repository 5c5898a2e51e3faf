/** Both forms of tracked code record the same writes, and leave the same memory. */
import { expect, test } from 'vitest';
import { header, nameSection, section, sized, text, uleb, vector } from './encoding-testing.js';
import { longestFunction } from './sections.js';
import { type CounterOptions, trackWrites } from './track-writes.js';

const [i32, end] = [0x7f, 0x0b];
const get = (index: number): number[] => [0x20, index];
const constant = (value: number): number[] => [0x41, value];
const call = (index: number): number[] => [0x10, index];
const store = (opcode: number, offset: number, address: number[], value: number[]): number[] => [
  ...[...address, ...value, opcode, 0],
  ...uleb(offset),
];
const imports = ['mark', 'markRange', 'edge', 'step', 'endless', 'compare'];
const [dirty, counters, fuel, isRecording] = [0x8000, 0x9000, 0xa000, 0xa008];

/** A vector of 16 equal bytes, as `i32.const byte  i8x16.splat`. */
const splat = (byte: number): number[] => [...constant(byte), 0xfd, 0x0f];

/** `f(address)` makes stores of each kind in several blocks, fills a range, and counts edges. */
const code = [
  ...[...constant(3), ...call(2)],
  ...store(0x36, 0, get(0), constant(11)),
  ...store(0x36, 8, get(0), constant(12)),
  ...store(0x37, 300, get(0), [0x42, 0x11]),
  ...store(0x38, 1, get(0), [0x43, 0, 0, 0x20, 0x41]),
  ...store(0x39, 3000, get(0), [0x44, 0, 0, 0, 0, 0, 0, 0x24, 0x40]),
  ...store(0x3a, 700, get(0), constant(13)),
  ...store(0x3b, 701, get(0), constant(0x7e)),
  ...store(0x3c, 20, get(0), [0x42, 0x7f]),
  ...store(0x3d, 24, get(0), [0x42, 0x7e]),
  ...store(0x3e, 5000, get(0), [0x42, 0x7d]),
  ...[...get(0), ...splat(0x2a), 0xfd, 0x0b, 0, ...uleb(900)],
  ...[...get(0), ...splat(0x2b), 0xfd, 0x59, 0, ...uleb(6000), 3],
  ...[...get(0), ...constant(7), ...constant(40), 0xfc, 11, 0],
  ...[...constant(5), ...call(3), ...constant(5), ...call(3)],
];

const binary = new Uint8Array([
  ...header,
  ...section(1, vector([1, 2].map(count => [0x60, ...vector(Array(count).fill([i32])), 0]))),
  ...section(2, vector(imports.map(name => [...text('m'), ...text(name), 0, name === 'markRange' ? 1 : 0]))),
  ...section(3, vector([[0]])),
  ...section(5, vector([[0, 1]])),
  ...section(
    7,
    vector([
      [...text('f'), 0, imports.length],
      [...text('memory'), 2, 0],
    ]),
  ),
  ...section(10, vector([sized([0, ...code, end])])),
  ...nameSection([...imports, 'f'].map((name, i) => [i, name])),
]);

const counterOptions: CounterOptions = {
  ...{ edge: 'edge', step: 'step', endless: 'endless', compare: 'compare' },
  ...{ counters, fuel, isRecording },
};

function run(most: number, addresses: readonly number[]) {
  const tracked = trackWrites(binary, {
    ...{ mark: 'mark', markRange: 'markRange', dirty, blockBits: 8, longestFunction: most },
    ...{ isExempt: () => false, counters: counterOptions },
    refuse: (name, bytes, limit) => {
      throw new Error(`${name} has ${bytes > limit ? 'too many' : 'few'} bytes`);
    },
  });
  const marked: number[] = [];
  const ended: number[] = [];
  const mark = (block: number): void => {
    if (bytes[dirty + block] !== 0) return;
    bytes[dirty + block] = 1;
    marked.push(block);
  };
  const edge = (number: number): void => void bytes[counters + number]!++;
  const step = (number: number): void => {
    edge(number);
    if (--words[fuel >> 2]! === 0) ended.push(number);
  };
  const markRange = (address: number, count: number): void => {
    for (let block = address >> 8; block <= (address + count - 1) >> 8; block++) mark(block);
  };
  const m = {
    mark,
    markRange,
    edge,
    step,
    endless: (number: number) => ended.push(number),
    compare: () => 0,
  };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(tracked.slice()), { m });
  const { buffer } = exports.memory as WebAssembly.Memory;
  const bytes = new Uint8Array(buffer);
  const words = new Int32Array(buffer);
  words[fuel >> 2] = 5;
  for (const address of addresses) (exports.f as (address: number) => void)(address);
  return { length: longestFunction(tracked), marked, ended, memory: Buffer.from(bytes).toString('base64') };
}

test('a function that would be too long is written in a compact form that records the same', () => {
  const addresses = [16, 250, 252, 1000, 250];
  const inline = run(1_000_000, addresses);
  const compact = run(300, addresses);
  expect(compact.length).toBeLessThan(inline.length);
  expect({ ...compact, length: 0 }).toEqual({ ...inline, length: 0 });
  const offsets = [0, 8, 300, 1, 3000, 700, 701, 20, 24, 5000, 900, 6000];
  const blocks = addresses.flatMap(address => [...offsets, 0, 39].map(offset => (address + offset) >> 8));
  expect(inline.marked).toEqual([...new Set(blocks)]);
  expect(inline.ended).toEqual([5]);
});

test('a function that is too long in the compact form is refused by its name', () => {
  expect(() => run(50, [])).toThrow('f has too many bytes');
});

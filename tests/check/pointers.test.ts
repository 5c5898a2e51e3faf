/**
 * Which 64-bit numbers are accepted as pointers: the inline condition, the called checks, windows
 * and ranges against a plain model that knows blocks and bytes. A check may send a valid access to
 * the slow path; it must never accept an invalid one.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import {
  clientEnd,
  constantBit,
  globalBit,
  initStart,
  lastDynamicNumber,
  ownerOf,
  plainWords,
  shadowStart,
  tagsStart,
} from '../../src/monitor/memory-map.js';
import { Random } from '../../src/support/random.js';
import { pointerQuestions, type Questions, widths } from './pointer-questions.js';

interface Block {
  readonly address: number;
  readonly bytes: number;
  readonly number: number;
  /** The number of initialized bytes at the beginning. */
  readonly written: number;
}

/**
 * Dynamic blocks, globals and constants, with whole and partial last granules, written and not; one
 * lies at the end of client memory, and the last two are long.
 */
const start = 0x20_0000;
const blocks: Block[] = [
  { number: 1, bytes: 64, written: 64 },
  { number: 0x04f1_bbcd, bytes: 61, written: 61 },
  { number: lastDynamicNumber, bytes: 40, written: 13 },
  { number: 0x0123_4567, bytes: 24, written: 0 },
  { number: globalBit, bytes: 33, written: 33 },
  { number: globalBit | lastDynamicNumber, bytes: 48, written: 48 },
  { number: constantBit | globalBit | 0x123, bytes: 64, written: 64 },
  { number: globalBit | 0x123, bytes: 64, written: 64 },
  { number: constantBit | globalBit | lastDynamicNumber, bytes: 23, written: 23 },
  { number: 0x0777_7777, bytes: 32, written: 32 },
  { number: 0x0666_6666, bytes: 523, written: 300 },
  { number: 0x0555_5555, bytes: 518, written: 518 },
].map((block, i) => ({ ...block, address: i === 9 ? clientEnd - 32 : start + i * (i > 9 ? 1024 : 128) }));

let questions: Questions;
beforeAll(async () => {
  questions = await pointerQuestions();
  for (const { address, bytes, number, written } of blocks) {
    questions.runtime.own(address, bytes, number, written === bytes ? bytes : written & ~7);
    if (written < bytes) questions.runtime.initialize(address, written);
  }
});

const numberOf = (pointer: bigint): number => Number(pointer >> 32n);
const addressOf = (pointer: bigint): number => Number(pointer & 0xffff_ffffn);

/**
 * The block that all bytes of the access are in. Without a number a pointer counts as one to
 * whatever is at its address.
 */
function blockOf(pointer: bigint, bytes: number): Block | undefined {
  const [number, address] = [numberOf(pointer), addressOf(pointer)];
  return blocks.find(
    block =>
      (number === 0 || block.number === number) &&
      address >= block.address &&
      address + bytes <= block.address + block.bytes,
  );
}

/** Whether it is accessible, and initialized. */
function isRight(pointer: bigint, bytes: number, isStore: boolean): boolean {
  const block = blockOf(pointer, bytes);
  if (block === undefined || (isStore && block.number & constantBit)) return false;
  return isStore || addressOf(pointer) + bytes <= block.address + block.written;
}

/** Whether all its granules are plain, so that no slow path is needed. */
function isPlain(pointer: bigint, bytes: number, isStore: boolean): boolean {
  const address = addressOf(pointer);
  const [first, end] = [address & ~7, (address + bytes + 7) & ~7];
  const block = blockOf(pointer, bytes);
  if (numberOf(pointer) === 0 || block === undefined) return false;
  return (
    end - block.address <= (block.written & ~7) && first >= block.address && isRight(pointer, bytes, isStore)
  );
}

const wide = (number: number, address: number): bigint =>
  (BigInt(number >>> 0) << 32n) | BigInt(address >>> 0);

/**
 * Upper halves that resemble a number: its neighbours, numbers that differ in one or two bits, its
 * complement, its words.
 */
function upperHalves(number: number): number[] {
  const near = [0, 1, -1, 2, -2, 4, -4].map(step => number + step);
  const words = [~number, number * 4 + plainWords, number * 4 + 2, number * 4 + 3, -number, number >>> 2];
  return [...near, ...words, ...extremes].map(half => half >>> 0);
}

const bits = Array.from({ length: 32 }, (_, i) => 1 << i);
const pairsOff = bits.flatMap(one => bits.map(other => one ^ other));

const extremes = [0, 1, 0x0fff_ffff, 0x1fff_ffff, 0x2000_0000, 0x2fff_ffff, 0x3000_0000, 0x3fff_ffff].concat([
  0x4000_0000, 0x7fff_ffff, 0x8000_0000, 0xbfff_ffff, 0xc000_0000, 0xffff_ffff, 0xffff_fffe,
]);

/**
 * Addresses in and around a block, moved by the sizes of the regions of memory, and those whose tag
 * would lie in other tables.
 */
function addressesNear({ address, bytes }: Block): number[] {
  const near = [
    -9,
    -8,
    -4,
    -1,
    0,
    1,
    2,
    4,
    7,
    8,
    12,
    bytes - 16,
    bytes - 8,
    bytes - 4,
    bytes - 1,
    bytes,
    bytes + 8,
  ];
  const moved = [0, 2 ** 30, 2 ** 31, 3 * 2 ** 30].flatMap(far => near.map(offset => address + offset + far));
  const tables = [shadowStart, initStart].map(table => (table - tagsStart) * 2 + (address >>> 3));
  return [
    ...moved,
    ...tables,
    0,
    1,
    8,
    0xffff_ffff,
    0xffff_fff8,
    0xffff_f000,
    0x8000_1000,
    clientEnd - 1,
    clientEnd,
  ];
}

function* pointersNear(block: Block): Generator<bigint> {
  for (const number of upperHalves(block.number))
    for (const address of addressesNear(block)) yield wide(number, address);
  for (const off of [...bits, ...pairsOff]) yield wide(block.number ^ off, block.address);
}

function* randomPointers(count: number): Generator<bigint> {
  const random = new Random(29);
  const half = () => random.below(2 ** 32);
  for (let i = 0; i < count; i++) {
    const block = blocks[random.below(blocks.length)]!;
    const address = block.address - 24 + random.below(block.bytes + 48);
    const kind = random.below(8);
    if (kind === 0) yield wide(half(), half());
    else if (kind === 1) yield wide(half(), address);
    else if (kind === 2) yield wide(block.number, half());
    else if (kind === 3)
      yield BigInt.asUintN(64, wide(block.number, address) + (1n << BigInt(random.below(64))));
    else if (kind === 4) yield wide(0, address);
    else yield wide(block.number, address);
  }
}

const samples: readonly bigint[] = [
  ...blocks.flatMap(block => [...pointersNear(block)]),
  ...randomPointers(10_000),
];

const shown = (pointer: bigint, bytes: number) => `${bytes} bytes at 0x${pointer.toString(16)}`;

describe('the inline condition', () => {
  test('accepts plain accesses and no invalid ones', () => {
    const mistakes: string[] = [];
    for (const pointer of samples) {
      for (const { bytes, align, isStore, isShadowAlone, ask } of questions.inline) {
        if (isShadowAlone) continue;
        const isAligned = addressOf(pointer) % align === 0;
        const passes = ask(pointer);
        const plain = isPlain(pointer, bytes, isStore);
        if (passes ? !plain : plain && isAligned) mistakes.push(`${isStore} ${shown(pointer, bytes)}`);
      }
    }
    expect(mistakes).toEqual([]);
  });

  test('accepts at the second try what is initialised in a granule that is not plain', () => {
    const mistakes: string[] = [];
    let passed = 0;
    for (const pointer of samples) {
      for (const { bytes, isStore, ask } of questions.written) {
        const isAligned = addressOf(pointer) % bytes === 0;
        const expected = isAligned && !isPlain(pointer, bytes, isStore) && isSettled(pointer, bytes, isStore);
        if (ask(pointer) !== expected) mistakes.push(shown(pointer, bytes));
        if (expected) passed++;
      }
    }
    expect(mistakes).toEqual([]);
    expect(passed).toBeGreaterThan(50);
  });

  test('of the shadow alone accepts nothing outside client memory', () => {
    const passing = samples.filter(
      pointer =>
        addressOf(pointer) >= clientEnd &&
        questions.inline.some(({ isShadowAlone, ask }) => isShadowAlone && ask(pointer)),
    );
    expect(passing).toEqual([]);
  });
});

test('called checks report invalid accesses, and nothing else', () => {
  const mistakes: string[] = [];
  const asks = (ask: () => void): boolean => {
    const before = questions.reports();
    ask();
    return questions.reports() === before;
  };
  for (const pointer of samples) {
    const block = blockOf(pointer, 1);
    for (const bytes of widths) {
      // What is read without having been written counts as written after the report.
      if (
        block?.written === block?.bytes &&
        asks(() => questions.runtime.read(pointer, bytes)) !== isRight(pointer, bytes, false)
      )
        mistakes.push(`read of ${shown(pointer, bytes)}`);
      // A store would initialise what it writes.
      const mayWrite = isRight(pointer, bytes, true);
      if (!mayWrite && asks(() => questions.runtime.write(pointer, bytes)))
        mistakes.push(`write of ${shown(pointer, bytes)}`);
      if (isPlain(pointer, bytes, true) && !asks(() => questions.runtime.write(pointer, bytes)))
        mistakes.push(`no write of ${shown(pointer, bytes)}`);
    }
  }
  expect(mistakes).toEqual([]);
});

/** Whether all its bytes are accessible and initialised already. */
function isSettled(pointer: bigint, bytes: number, isStore: boolean): boolean {
  return numberOf(pointer) !== 0 && isRight(pointer, bytes, false) && isRight(pointer, bytes, isStore);
}

const lengths = [0, 1, 2, 5, 8, 16, 24, 61, 64, 65, 72, 200, 300, 518, 2 ** 30, 2 ** 40];

test('a question about a range is answered with yes if it is valid, and only then', () => {
  const mistakes: string[] = [];
  const agrees: Record<string, number> = { read: 0, scan: 0, write: 0, copy: 0 };
  const expectAnswer = (kind: string, answer: number, expected: boolean, what: string): void => {
    if ((answer === 1) !== expected) mistakes.push(`${kind} of ${what}`);
    else if (expected) agrees[kind]!++;
  };
  const target = blocks.at(-1)!;
  for (const pointer of samples) {
    const isNumbered = numberOf(pointer) !== 0;
    for (const bytes of lengths) {
      const [length, what] = [BigInt(bytes), shown(pointer, bytes)];
      const isEmpty = bytes === 0;
      const isWhole = isNumbered && blockOf(pointer, bytes) !== undefined;
      const isSettledNow = isNumbered && isRight(pointer, bytes, false);
      const { runtime } = questions;
      expectAnswer('read', runtime.isAccessible(pointer, length), isEmpty || isWhole, what);
      expectAnswer('scan', runtime.isWritten(pointer, length), isEmpty || isSettledNow, what);
      // What may be written only in part would be initialised there, and what is fresh as a whole.
      if (isEmpty || isSettledNow || (isNumbered && blockOf(pointer, 1) === undefined)) {
        const mayWrite = isEmpty || (isSettledNow && isRight(pointer, bytes, true));
        expectAnswer('write', runtime.takesWrite(pointer, length), mayWrite, what);
      }
      const isApart = blockOf(pointer, 1) !== target;
      const isCopied = isEmpty || (isSettledNow && isApart && bytes <= target.bytes);
      if (isCopied || (isNumbered && blockOf(pointer, 1) === undefined && bytes <= target.bytes))
        expectAnswer(
          'copy',
          runtime.takesCopy(wide(target.number, target.address), pointer, length),
          isCopied,
          what,
        );
    }
  }
  expect(mistakes).toEqual([]);
  for (const count of Object.values(agrees)) expect(count).toBeGreaterThan(1000);
});

test('a window reaches to the last initialised byte of its block, and holds no other accesses', () => {
  const all = samples;
  const random = new Random(31);
  const mistakes: string[] = [];
  for (const pointer of all) {
    for (const bytes of [1, 4, 8]) {
      for (const writes of [0, 1]) {
        const packed = BigInt.asUintN(64, questions.runtime.window(pointer, bytes, writes));
        if (packed === 0n && isPlain(pointer, bytes, writes === 1))
          mistakes.push(`window for ${shown(pointer, bytes)}`);
        if (packed === 0n) continue;
        const [limit, from] = [packed >> 32n, (pointer & ~0xffff_ffffn) | (packed & 0xffff_ffffn)];
        const { address, written } = blockOf(pointer, 1)!;
        if (Number(limit) + bytes - 1 !== address + written - addressOf(from))
          mistakes.push(`${shown(pointer, bytes)} in a short window`);
        const others = [
          from,
          from + limit - 1n,
          from + limit,
          from - 1n,
          from + (1n << 63n),
          from + (1n << 32n),
        ];
        for (const other of [...others, all[random.below(all.length)]!].map(each =>
          BigInt.asUintN(64, each),
        )) {
          const isWithin = BigInt.asUintN(64, other - from) < limit;
          if (isWithin && !isSettled(other, bytes, writes === 1))
            mistakes.push(`${shown(other, bytes)} within`);
        }
      }
    }
  }
  expect(mistakes).toEqual([]);
});

test('the allowed part of a range is the part inside the block', () => {
  const mistakes: string[] = [];
  for (const pointer of samples) {
    for (const bytes of [1n, 8n, 100n, 1n << 40n, (1n << 64n) - 1n]) {
      const block = blockOf(pointer, 1);
      const room = block === undefined ? 0n : BigInt(block.address + block.bytes - addressOf(pointer));
      const expected = bytes < room ? bytes : room;
      const { readable, writable } = questions.runtime;
      if (readable(pointer, bytes) !== BigInt.asIntN(64, expected))
        mistakes.push(`read of ${bytes} at ${pointer.toString(16)}`);
      const written = block !== undefined && block.number & constantBit ? 0n : expected;
      if (writable(pointer, bytes) !== BigInt.asIntN(64, written))
        mistakes.push(`write of ${bytes} at ${pointer.toString(16)}`);
    }
  }
  expect(mistakes).toEqual([]);
});

test('words identify their owners, and the kinds of words are disjoint', () => {
  for (const { number } of blocks) {
    const special = ((number & ~constantBit) << 2) | 2 | (number & constantBit ? 1 : 0);
    expect(ownerOf(plainWords + number * 4)).toBe(number);
    expect(ownerOf(special)).toBe(number);
    expect(special).toBeLessThan(plainWords);
    expect(special).toBeGreaterThan(0);
    expect(plainWords + number * 4).toBeLessThan(3 * 2 ** 30);
  }
  expect(ownerOf(0)).toBe(0);
});

/**
 * Each module here is built twice from one description: with 64-bit indices, to be lowered, and
 * with 32-bit ones, the model. Both run in V8 and must leave the same memory and the same results.
 * The 64-bit one gets a tag in the upper half of every address.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lowerMemory64 } from './lower.js';
import { ByteReader, ByteWriter } from './wasm-bytes.js';

const i32 = 0x7f;
const i64 = 0x7e;
const f32 = 0x7d;
const f64 = 0x7c;
const v128 = 0x7b;
const funcref = 0x70;
const tag = 0x1234_5678n << 32n;

function leb(value: bigint | number): number[] {
  const bytes: number[] = [];
  for (let rest = BigInt(value); ; rest >>= 7n) {
    const low = Number(rest & 0x7fn);
    const isLast = (rest >> 6n === 0n && low < 0x40) || (rest >> 6n === -1n && low >= 0x40);
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) return bytes;
  }
}

function uleb(value: bigint | number): number[] {
  const bytes: number[] = [];
  let rest = BigInt(value);
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return [...bytes, Number(rest)];
}

const vector = (items: number[][]): number[] => [...uleb(items.length), ...items.flat()];
const sized = (bytes: number[]): number[] => [...uleb(bytes.length), ...bytes];
const name = (text: string): number[] => sized([...new TextEncoder().encode(text)]);

interface Width {
  readonly is64: boolean;
  /** A constant address (or index) of this width. */
  readonly at: (value: number) => number[];
  /** A constant count. */
  readonly size: (value: number | bigint) => number[];
  /** Turns a size that the machine gave into an i64. */
  readonly widen: number[];
  readonly index: number;
}

const wide: Width = {
  is64: true,
  at: value => [0x42, ...leb(BigInt.asIntN(64, tag | BigInt(value)))],
  size: value => [0x42, ...leb(BigInt(value))],
  widen: [],
  index: i64,
};
const narrow: Width = {
  is64: false,
  at: value => [0x41, ...leb(value | 0)],
  size: value => [0x41, ...leb(BigInt.asIntN(32, BigInt(value)))],
  widen: [0xad],
  index: i32,
};

/**
 * A module with one function `run`, given its result types and instructions, a memory and a table
 * of two functions.
 */
function build(
  width: Width,
  results: number[],
  code: number[],
  options: { shared?: boolean } = {},
): Uint8Array {
  const section = (id: number, content: number[]) => [id, ...sized(content)];
  const limit = (flags: number) => flags | (width.is64 ? 4 : 0);
  const offset = (value: number) => [...(width.is64 ? [0x42] : [0x41]), ...leb(value), 0x0b];
  const constant = (value: number) => sized([0, 0x41, ...leb(value), 0x0b]);
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(
      1,
      vector([
        [0x60, ...vector([]), ...vector(results.map(r => [r]))],
        [0x60, 0, 1, i32],
      ]),
    ),
    ...section(3, vector([[0], [1], [1]])),
    ...section(4, vector([[funcref, limit(1), ...uleb(2), ...uleb(8)]])),
    ...section(
      5,
      vector([[limit(options.shared ? 3 : 1), ...uleb(1), ...uleb(width.is64 ? 1n << 20n : 65536)]]),
    ),
    ...section(
      7,
      vector([
        [...name('run'), 0, 0],
        [...name('memory'), 2, 0],
        [...name('table'), 1, 0],
      ]),
    ),
    ...section(
      9,
      vector([
        [0, ...offset(0), ...vector([[1], [2]])],
        [6, 0, ...offset(1), funcref, ...vector([[0xd2, 2, 0x0b]])],
        [1, 0, ...vector([[2], [1]])],
      ]),
    ),
    ...section(12, uleb(2)),
    ...section(
      10,
      vector([
        sized([
          ...vector([
            [2, i32],
            [1, f64],
          ]),
          ...code,
          0x0b,
        ]),
        constant(11),
        constant(22),
      ]),
    ),
    ...section(
      11,
      vector([
        [0, ...offset(16), ...name('hello, memory')],
        [1, ...name('passive')],
      ]),
    ),
    ...section(0, [...name('name'), 1, ...sized(vector([[0, ...name('run')]]))]),
  ]);
}

function run(binary: Uint8Array): { results: unknown; memory: Uint8Array } {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(binary as BufferSource));
  const { run, memory } = instance.exports as { run: () => unknown; memory: WebAssembly.Memory };
  return { results: run(), memory: new Uint8Array(memory.buffer).slice() };
}

function expectSame(results: number[], code: (width: Width) => number[], options = {}): void {
  const model = run(build(narrow, results, code(narrow), options));
  const lowered = run(lowerMemory64(build(wide, results, code(wide), options)));
  expect(lowered.results).toEqual(model.results);
  expect(Buffer.compare(lowered.memory, model.memory)).toBe(0);
}

const constantOf: Record<number, (seed: number) => number[]> = {
  [i32]: seed => [0x41, ...leb(Math.imul(seed, 0x9e3779b1))],
  [i64]: seed => [0x42, ...leb(BigInt.asIntN(64, BigInt(seed) * 0x9e3779b97f4a7c15n))],
  [f32]: seed => [0x43, ...new Uint8Array(Float32Array.of(seed / 3).buffer)],
  [f64]: seed => [0x44, ...new Uint8Array(Float64Array.of(seed / 3).buffer)],
  [v128]: seed => [0xfd, 0x0c, ...Array.from({ length: 16 }, (_, i) => (seed * 7 + i) & 255)],
};

interface Access {
  readonly name: string;
  readonly opcode: number[];
  readonly above: number[];
  readonly result?: number;
  readonly bytes: number;
  readonly lane?: boolean;
}

const typeNamed: Record<string, number> = { i32, i64, f32, f64, v128 };

/** A family of accesses with consecutive opcodes; its `widths` are written `type/bytes`. */
function family(
  name: string,
  opcode: number[],
  widths: string,
  shape: (type: number) => { above: number[]; result?: number; lane?: boolean },
): Access[] {
  return widths.split(' ').map((width, i) => {
    const [type, bytes] = width.split('/');
    const code = [...opcode.slice(0, -1), opcode.at(-1)! + i];
    return {
      name: `${name} ${width} (${i})`,
      opcode: code,
      bytes: Number(bytes),
      ...shape(typeNamed[type!]!),
    };
  });
}

const load = (type: number) => ({ above: [], result: type });
const store = (type: number) => ({ above: [type] });
const modify = (type: number) => ({ above: [type], result: type });
const exchange = (type: number) => ({ above: [type, type], result: type });
const atomicWidths = 'i32/4 i64/8 i32/1 i32/2 i64/1 i64/2 i64/4';
const laneWidths = 'v128/1 v128/2 v128/4 v128/8';

const accesses: Access[] = [
  ...family(
    'load',
    [0x28],
    'i32/4 i64/8 f32/4 f64/8 i32/1 i32/1 i32/2 i32/2 i64/1 i64/1 i64/2 i64/2 i64/4 i64/4',
    load,
  ),
  ...family('store', [0x36], 'i32/4 i64/8 f32/4 f64/8 i32/1 i32/2 i64/1 i64/2 i64/4', store),
  ...family(
    'v128.load',
    [0xfd, 0x00],
    `v128/16 v128/8 v128/8 v128/8 v128/8 v128/8 v128/8 ${laneWidths}`,
    load,
  ),
  ...family('v128.store', [0xfd, 0x0b], 'v128/16', store),
  ...family('v128.load_lane', [0xfd, 0x54], laneWidths, type => ({ ...modify(type), lane: true })),
  ...family('v128.store_lane', [0xfd, 0x58], laneWidths, type => ({ ...store(type), lane: true })),
  ...family('v128.load_zero', [0xfd, 0x5c], 'v128/4 v128/8', load),
  ...family('atomic.notify', [0xfe, 0x00], 'i32/4', modify),
  ...family('atomic.load', [0xfe, 0x10], atomicWidths, load),
  ...family('atomic.store', [0xfe, 0x17], atomicWidths, store),
  ...['add', 'sub', 'and', 'or', 'xor', 'xchg'].flatMap((name, i) =>
    family(`atomic.rmw.${name}`, [0xfe, 0x1e + 7 * i], atomicWidths, modify),
  ),
  ...family('atomic.rmw.cmpxchg', [0xfe, 0x48], atomicWidths, exchange),
];

/**
 * One access; `hidden` puts a nop between each operand and the access, so that it is not the
 * instruction just before.
 */
function accessCode(
  width: Width,
  kind: Access,
  address: number,
  offset: number,
  seed: number,
  hidden: boolean,
): number[] {
  const operands = kind.above.flatMap((type, i) => [
    ...constantOf[type]!(seed + i),
    ...(hidden ? [0x01] : []),
  ]);
  const alignment = Math.log2(kind.bytes);
  return [
    ...width.at(address),
    ...operands,
    ...kind.opcode,
    ...uleb(alignment),
    ...uleb(offset),
    ...(kind.lane ? [seed % (16 / kind.bytes)] : []),
    ...(kind.result === v128 ? [0xfd, 0x1d, 1] : []),
  ];
}

const resultOf = (kind: Access) => (kind.result === v128 ? i64 : kind.result);

test.each(accesses)('$name', kind => {
  for (const hidden of [false, true]) {
    const results = kind.result === undefined ? [] : [resultOf(kind)!];
    expectSame(results, width => accessCode(width, kind, 64, 16, 5, hidden), {
      shared: kind.opcode[0] === 0xfe,
    });
  }
});

test('random sequences of accesses leave the same memory and results', () => {
  const step = fc.record({
    kind: fc.constantFrom(...accesses),
    slot: fc.nat(511),
    offsetSlot: fc.nat(511),
    seed: fc.nat(1000),
    hidden: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), steps => {
      const results = steps.flatMap(({ kind }) => resultOf(kind) ?? []);
      expectSame(
        results,
        width =>
          steps.flatMap(({ kind, slot, offsetSlot, seed, hidden }) =>
            accessCode(width, kind, slot * 16, offsetSlot * 16, seed, hidden),
          ),
        { shared: true },
      );
    }),
    { seed: 20_601, numRuns: 60 },
  );
});

test('memory.size, grow, fill, copy and init', () => {
  expectSame([i64, i64, i64, i64], width => [
    ...[...width.at(100), ...constantOf[i32]!(9), ...width.size(20), 0xfc, 0x0b, 0], // fill
    ...[...width.at(110), ...width.at(14), ...width.size(30), 0xfc, 0x0a, 0, 0], // copy
    ...[...width.at(300), 0x41, 1, 0x41, 5, 0xfc, 0x08, 1, 0], // init
    ...[0x3f, 0, ...width.widen],
    ...[...width.size(2), 0x40, 0, ...width.widen],
    ...[...width.size(100_000), 0x40, 0, ...(width.is64 ? [] : [0xac])],
    ...[0x3f, 0, ...width.widen],
  ]);
});

test('tables: indirect calls, get, set, size, grow, fill, copy and init', () => {
  const call = (width: Width, index: number) => [...width.at(index), 0x11, 1, 0];
  expectSame([i32, i32, i64, i64, i32, i32, i32, i32, i32], width => [
    ...call(width, 0),
    ...call(width, 1),
    ...[0xfc, 0x10, 0, ...width.widen],
    ...[0xd2, 1, ...width.size(4), 0xfc, 0x0f, 0, ...width.widen],
    ...[...width.at(3), 0xd2, 2, 0x26, 0], // table.set
    ...[...width.at(4), 0xd2, 2, ...width.size(1), 0xfc, 0x11, 0], // fill
    ...[...width.at(0), ...width.at(3), ...width.size(1), 0xfc, 0x0e, 0, 0], // copy
    ...[...width.at(1), 0x41, 1, 0x41, 1, 0xfc, 0x0c, 2, 0], // init
    ...call(width, 0),
    ...call(width, 1),
    ...call(width, 3),
    ...call(width, 4),
    ...[...width.at(2), 0x25, 0, 0xd1], // table.get, ref.is_null
  ]);
});

test('instructions with unusual immediates are skipped correctly', () => {
  expectSame(
    [i32, i64],
    width => [
      ...[0x02, 0x40, 0x41, 1, 0x0e, 1, 0, 0, 0x0b], // br_table
      ...[0x03, 0x40, 0x0b, 0x41, 0, 0x04, 0x40, 0x05, 0x0b], // loop, if else
      ...[0x02, i32, 0x41, 0, 0x0b, 0x1a], // a block with a result
      ...[0x06, 0x40, 0x19, 0x09, 0, 0x0b], // try, catch_all, rethrow
      ...[0x06, 0x40, 0x18, 0], // try, delegate
      ...[0x41, 0xa8, 0x81, 0x80, 0x80, 0x00, 0x41, 2, 0x41, 1, 0x1c, 1, i32], // a padded integer, select with type
      ...[0x44, 0x36, 0x37, 0x38, 0x28, 0x29, 0x36, 0x36, 0x40, 0xfc, 6, 0x1a], // a float full of opcodes, i64.trunc_sat
      ...[0xfe, 3, 0], // fence
      ...[
        ...constantOf[v128]!(1),
        ...constantOf[v128]!(2),
        0xfd,
        0x0d,
        ...new Array(16).fill(0x10),
        0xfd,
        0x1d,
        0,
      ],
      ...[...width.at(8), ...constantOf[f64]!(3), 0x39, 3, 0],
    ],
    { shared: true },
  );
});

test('an offset above 32 bits is a tag and is truncated, a count above 32 bits traps', () => {
  const store = [...wide.at(32), ...constantOf[i32]!(3), 0x36, 2, ...uleb((7n << 32n) + 8n)];
  const { memory } = run(lowerMemory64(build(wide, [], store)));
  expect(new DataView(memory.buffer).getInt32(40, true)).toBe(Math.imul(3, 0x9e3779b1));
  const fill = [...wide.at(32), ...constantOf[i32]!(3), ...wide.size((1n << 32n) + 4n), 0xfc, 0x0b, 0];
  expect(() => run(lowerMemory64(build(wide, [], fill)))).toThrow(/out of bounds/);
  const grow = [...wide.size((1n << 32n) + 1n), 0x40, 0];
  expect(run(lowerMemory64(build(wide, [i64], grow))).results).toBe(-1n);
});

test('base plus offset past 4 GiB traps instead of wrapping into low memory', () => {
  const load = [...wide.at(0xffff_fff0), 0x28, 2, ...uleb(64)];
  expect(() => run(lowerMemory64(build(wide, [i32], load)))).toThrow(/out of bounds/);
});

test('the name section is kept, and a 32-bit module is unchanged', () => {
  const lowered = new WebAssembly.Module(lowerMemory64(build(wide, [], [])) as BufferSource);
  expect(WebAssembly.Module.customSections(lowered, 'name')).toHaveLength(1);
  const plain = build(narrow, [i32], [...narrow.at(16), 0x28, 2, 0]);
  expect(run(lowerMemory64(plain)).results).toEqual(run(plain).results);
});

test('LEB integers of every size are read as they were written', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), fc.integer(), (large, small) => {
      const signed = BigInt.asIntN(64, large);
      const writer = new ByteWriter(1);
      writer.append(Uint8Array.from([...uleb(large), ...uleb(large), ...leb(signed), ...leb(signed)]));
      writer.u32(small >>> 0);
      writer.s32(small);
      const reader = new ByteReader(writer.bytes);
      expect(reader.u64()).toBe(large);
      expect(reader.u64Low32()).toBe(Number(BigInt.asUintN(32, large)));
      expect(reader.s64Low32()).toBe(Number(BigInt.asIntN(32, large)));
      reader.skipLeb();
      expect(reader.u32()).toBe(small >>> 0);
      expect(reader.s64Low32()).toBe(small);
      expect(reader.done).toBe(true);
    }),
    { seed: 20_602 },
  );
});

test('a truncated binary is an internal error', () => {
  const whole = build(wide, [], [...wide.at(0), ...constantOf[i32]!(1), 0x36, 2, 0]);
  for (let length = 0; length < whole.length - 20; length++) {
    try {
      lowerMemory64(whole.subarray(0, length));
    } catch (error) {
      expect(error).toHaveProperty('name', 'InternalError');
    }
  }
});

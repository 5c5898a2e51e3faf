/**
 * One thread, or several handles taking turns, against a `Map`; on both memories.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkTable } from './check-table.js';
import { InterpretedMemory } from './interleaving/interpreted-memory.js';
import { Pool } from './pool.js';
import type { Memory } from './shared-memory.js';
import { createHashTable } from './table.js';
import { TableHandle } from './table-handle.js';
import { createSharedMemory, POOL_AT, WasmMemory } from './wasm-memory.js';

const FULL_WORD = 2n ** 64n - 1n;

/** Few keys, so that they meet; among them those that look like marks. */
const key = fc.oneof(
  { weight: 8, arbitrary: fc.bigInt({ min: 0n, max: 60n }) },
  { weight: 3, arbitrary: fc.bigInt({ min: 0n, max: 40n }).map(n => n << 32n) },
  { weight: 2, arbitrary: fc.constantFrom(0n, 1n, FULL_WORD, FULL_WORD - 1n, 2n ** 63n, 0xffffffffn) },
);

/** Values that fit into a value word, and those that need a cell. */
const value = fc.oneof(
  fc.bigInt({ min: 0n, max: 5n }),
  fc.bigInt({ min: 0n, max: FULL_WORD }),
  fc.constantFrom(2n ** 53n - 1n, 2n ** 53n, 2n ** 56n, 2n ** 63n, FULL_WORD),
);

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('add' as const), handle: fc.nat({ max: 2 }), key, value }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('remove' as const), handle: fc.nat({ max: 2 }), key }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('reopen' as const), handle: fc.nat({ max: 2 }), key }),
  },
);

/** A pool in the interpreted memory. */
function interpreted(byteCount: number): { memory: Memory; pool: Pool } {
  const words = new Int32Array(byteCount >> 2);
  Pool.format(words, 64, byteCount);
  const memory = new InterpretedMemory(words);
  return { memory, pool: new Pool(memory, 64) };
}

const shared = createSharedMemory(64 * 2 ** 20);
const wasm = new WasmMemory(shared);

const memories: [string, () => { memory: Memory; pool: Pool }][] = [
  ['WasmMemory', () => ({ memory: wasm, pool: new Pool(wasm, POOL_AT) })],
  ['InterpretedMemory', () => interpreted(2 ** 19)],
];

function usedBlocks(pool: Pool): number {
  return [...pool.blocks()].filter(block => block.used).length;
}

describe.each(memories)('a table in %s', (_, create) => {
  test('behaves like a Map through three handles, and one table remains', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 250, size: 'max' }),
        fc.constantFrom(4, 32, 1024),
        (steps, capacity) => {
          const { memory, pool } = create();
          const before = usedBlocks(pool);
          const table = createHashTable(memory, pool, { capacity, tax: 8 });
          const open = () => new TableHandle(memory, pool, table);
          const handles = [open(), open(), open()];
          const model = new Map<bigint, bigint>();
          for (const s of steps) {
            const handle = handles[s.handle]!;
            if (s.kind === 'add') {
              expect(handle.add(s.key, s.value)).toBe(model.has(s.key) ? 'replaced' : 'inserted');
              model.set(s.key, s.value);
            } else if (s.kind === 'remove') {
              expect(handle.remove(s.key)).toBe(model.delete(s.key));
            } else {
              handle.close();
              handles[s.handle] = open();
            }
            expect(handles[s.handle]!.find(s.key)).toBe(model.get(s.key));
            checkTable(memory, table, 1);
          }
          checkTable(memory, table, 3);
          for (const [k, v] of model) for (const handle of handles) expect(handle.find(k)).toBe(v);
          handles[0]!.delete();
          expect(handles[1]!.add(1n, 1n)).toBe('deleted');
          expect(handles[2]!.find(1n)).toBe(undefined);
          for (const handle of handles) handle.close();
          // Only the descriptor is left.
          expect(usedBlocks(pool)).toBe(before + 1);
        },
      ),
      { seed: 8, numRuns: 40 },
    );
  });
});

describe('a table in WasmMemory', () => {
  const pool = new Pool(wasm, POOL_AT);

  test('finds 100,000 numbers after many growths, and removes them', () => {
    const handle = new TableHandle(wasm, pool, createHashTable(wasm, pool));
    for (let i = 0; i < 1e5; i++) handle.addNumber(i * 2 ** 21, i);
    for (let i = 0; i < 1e5; i++) if (handle.findNumber(i * 2 ** 21) !== i) expect.fail(`${i} is lost`);
    for (let i = 0; i < 1e5; i++) if (!handle.removeNumber(i * 2 ** 21)) expect.fail(`${i} is lost`);
    expect(handle.findNumber(2 ** 21)).toBe(-1);
    handle.delete();
    handle.close();
  });

  test('keys that are added and removed repeatedly do not make it grow', () => {
    const handle = new TableHandle(wasm, pool, createHashTable(wasm, pool, { capacity: 1024 }));
    const top = [...pool.blocks()].reduce((sum, block) => sum + block.byteCount, 0);
    for (let i = 0; i < 1e5; i++) {
      handle.addNumber(i, i);
      if (i >= 100 && !handle.removeNumber(i - 100)) expect.fail(`${i} is lost`);
    }
    const grown = [...pool.blocks()].reduce((sum, block) => sum + block.byteCount, 0) - top;
    expect(grown).toBeLessThan(2 ** 17);
    handle.delete();
    handle.close();
  });

  test('wide values that are replaced repeatedly do not make it grow', () => {
    const handle = new TableHandle(wasm, pool, createHashTable(wasm, pool, { capacity: 1024 }));
    const top = [...pool.blocks()].reduce((sum, block) => sum + block.byteCount, 0);
    for (let i = 0n; i < 50_000n; i++) handle.add(i % 7n, FULL_WORD - i);
    for (let i = 0n; i < 7n; i++) expect(handle.find((49_999n - i) % 7n)).toBe(FULL_WORD - 49_999n + i);
    const grown = [...pool.blocks()].reduce((sum, block) => sum + block.byteCount, 0) - top;
    expect(grown).toBeLessThan(2 ** 18);
    handle.delete();
    handle.close();
  });
});

test('a full table reports it, keeps its entries, and can remove them', () => {
  const { memory, pool } = interpreted(8192);
  const handle = new TableHandle(memory, pool, createHashTable(memory, pool, { capacity: 16, tax: 8 }));
  const added: number[] = [];
  let outcome = handle.addNumber(0, 0);
  for (let i = 1; outcome !== 'no-memory'; i++) {
    added.push(i - 1);
    outcome = handle.addNumber(i, i);
  }
  expect(added.length).toBeGreaterThan(40);
  for (const i of added) expect(handle.findNumber(i)).toBe(i);
  expect(handle.findNumber(added.length)).toBe(-1);
  expect(handle.addNumber(3, 33)).toBe('replaced');
  for (const i of added) expect(handle.removeNumber(i)).toBe(true);
});

test('more handles than a table allows are an internal error', () => {
  const { memory, pool } = interpreted(65536);
  const table = createHashTable(memory, pool);
  for (let i = 0; i < 128; i++) new TableHandle(memory, pool, table);
  expect(() => new TableHandle(memory, pool, table)).toThrow('128 handles');
});

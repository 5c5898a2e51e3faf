/** Traces, workloads, replay and maps. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMalloc } from '../malloc/create-malloc.js';
import {
  decodeTrace,
  encodeTrace,
  type Trace,
  TraceCall,
  TraceRecorder,
} from '../malloc/heap-trace-format.js';
import { LinearMemory } from '../malloc/linear-memory.js';
import type { Malloc } from '../malloc/malloc.js';
import { type MallocName, mallocNames } from '../malloc/malloc-names.js';
import { closeUpOf } from './close-up.js';
import { measureFootprint } from './footprint.js';
import { Cell, surveyHeap } from './map.js';
import { replayTrace } from './replay-calls.js';
import { workloadNames } from './workload-names.js';
import { makeWorkload } from './workloads.js';

function heapOf(name: MallocName, limit = 128 << 20): { malloc: Malloc; memory: LinearMemory } {
  const start = 4096;
  const memory = new LinearMemory({ buffer: new ArrayBuffer(limit) }, { start, limit });
  return { memory, malloc: createMalloc(name, { memory, metadataBytes: 16 << 20 }) };
}

describe('a trace', () => {
  const number = fc.nat(0x7fff_ffff);
  const event = fc.record({
    call: fc.nat(4),
    bytes: number,
    alignment: fc.nat(12),
    site: fc.nat(300),
    old: number,
  });

  test('is unchanged after writing and reading', () => {
    fc.assert(
      fc.property(fc.array(event), events => {
        const recorder = new TraceRecorder();
        let made = 0;
        for (const { call, bytes, alignment, site, old } of events) {
          const isFree = call === TraceCall.free;
          const target = call === TraceCall.realloc || isFree ? (made === 0 ? 0 : 1 + (old % made)) : 0;
          if (!isFree) made++;
          const size = isFree ? 0 : bytes;
          const power = call === TraceCall.memalign ? 1 << alignment : 0;
          recorder.record(call as TraceCall, target, isFree ? 0 : made, size, power, site);
        }
        const trace = recorder.finish('test', site => `site ${site}`);
        expect(decodeTrace(encodeTrace(trace))).toEqual(trace);
      }),
      { seed: 8, numRuns: 100 },
    );
  });

  test('of another kind is rejected, with a reason', () => {
    const bytes = encodeTrace(makeWorkload('larson', 100));
    expect(decodeTrace(new Uint8Array())).toEqual({ problem: 'it does not begin like a heap trace' });
    expect(decodeTrace(new TextEncoder().encode('int main(void) {}\n'))).toHaveProperty('problem');
    expect(decodeTrace(bytes.subarray(0, -60))).toHaveProperty('problem');
  });
});

describe.each(workloadNames)('%s', workload => {
  const trace = makeWorkload(workload, 4000);

  test('is the same each time', () => {
    expect(makeWorkload(workload, 4000)).toEqual(trace);
    expect(trace.calls.length).toBeGreaterThanOrEqual(4000);
  });

  test('has the same calls on every malloc', () => {
    const sums = mallocNames.map(name => {
      const { malloc, memory } = heapOf(name);
      const result = replayTrace(trace, malloc, memory);
      expect(malloc.check(), name).toBeUndefined();
      return result;
    });
    for (const result of sums) expect(result).toEqual({ failures: 0, checksum: sums[0]?.checksum });
  });
});

test('the footprint covers the live bytes', () => {
  const { malloc, memory } = heapOf('sri');
  const trace = makeWorkload('long-lived', 4000);
  const { pages, peakLive } = measureFootprint(trace, malloc, memory);
  expect(pages).toBeGreaterThanOrEqual(peakLive);
  expect(pages % 4096).toBe(0);
});

test.each(mallocNames)('a survey of %s shows client data, and metadata where there are any', name => {
  const { malloc, memory } = heapOf(name, 16 << 20);
  const trace: Trace = makeWorkload('long-lived', 3000);
  const { rows, closeUp, calls } = surveyHeap(trace, malloc, memory, { rows: 10, columns: 50 });
  const has = (cell: number): boolean => [...rows, ...closeUp].some(({ cells }) => cells.includes(cell));
  expect(has(Cell.client)).toBe(true);
  expect(has(Cell.metadata) || rows.some(({ bytesApart }) => bytesApart > 0)).toBe(true);
  expect(rows.at(-1)?.calls).toBe(calls);
  expect(closeUp.some(({ starts }) => starts.length > 0)).toBe(true);
});

test('a survey names the call sites that own live blocks', () => {
  const { malloc, memory } = heapOf('sri', 1 << 20);
  const recorder = new TraceRecorder();
  for (let i = 1; i <= 30; i++) recorder.record(TraceCall.malloc, 0, i * 64, 48, 0, i % 3);
  // All that the second place has made is freed before the last block is made.
  for (let i = 1; i <= 30; i += 3) recorder.record(TraceCall.free, i * 64, 0, 0, 0, 9);
  const trace = recorder.finish('t', site => `f${site} a.c:${site}`);
  const { sites, closeUp, knownSites } = surveyHeap(trace, malloc, memory, { rows: 60, columns: 40 });
  expect(knownSites).toBe(3);
  expect(sites.map(({ blocks }) => blocks)).toEqual([10, 10, 10]);
  expect(sites.map(({ name }) => name).sort()).toEqual(['f0 a.c:0', 'f1 a.c:1', 'f2 a.c:2']);
  expect(new Set(closeUp.flatMap(row => [...row.sites]))).toEqual(new Set([0, 1, 2, 3]));
  expect(closeUp.flatMap(({ starts }) => starts)).toHaveLength(30);
});

test('the close-up skips free memory between distant blocks, and cuts no mark at the end of a row', () => {
  const client = (address: number) => ({ kind: 'client', address, bytes: 64 }) as const;
  const pieces = [
    client(0x1000),
    { kind: 'free', address: 0x1040, bytes: 1 << 20 } as const,
    client(0x101040),
    client(0x101100),
    client(0x105140),
  ];
  const [first, second, third] = closeUpOf(pieces, {
    ...{ rows: 5, columns: 20 },
    // As many blocks as begin there.
    cellsOf: (own, start, end, columns) =>
      new Uint8Array(columns).fill(
        own.filter(({ kind, address }) => kind === 'client' && address >= start && address < end).length,
      ),
  });
  // Four cells, a mark of 13, and the first three of the next 16; then the mark does not fit after
  // the others.
  expect(first).toMatchObject({ at: 0x1000, marks: [{ column: 4, text: '…1 MiB…' }] });
  expect([...first!.cells.slice(0, 4), ...first!.cells.slice(17)]).toEqual([1, 1, 1, 1, 2, 2, 2]);
  expect(second).toMatchObject({ at: 0x101070, marks: [] });
  expect(third).toMatchObject({ at: 0x105140, marks: [{ column: 0, text: '…16 KiB…' }] });
});

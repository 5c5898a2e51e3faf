/**
 * The six principles of the KDALLOC paper (§3) as properties, and what must hold at the edges:
 * exhaustion, absurd requests, a billion addresses out of use, and many states.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Allocator, Region } from './allocator.js';
import { type AllocatorKind, allocatorKinds } from './allocator-names.js';
import { createAllocator } from './create-allocator.js';
import { Kdalloc } from './kdalloc.js';
import { UNLIMITED } from './quarantine.js';
import { defaultRegions, planLayout, SLOT_SIZES } from './region-layout.js';

function create(quarantine: number = UNLIMITED, size?: number): Kdalloc {
  const planned = planLayout(size === undefined ? {} : { heap: { base: 0x6400_0000_0000, size } });
  if (planned.kind === 'invalid') throw new Error(planned.problem);
  return Kdalloc.create(planned.layout, quarantine);
}

function addressOf(allocator: Allocator, size: number, region: Region = Region.heap): number {
  const result = allocator.allocate(region, size);
  if (result.kind !== 'allocated') throw new Error(result.reason);
  return result.address;
}

/**
 * A program as a list of steps: an allocation of this size, or a free of the n-th live object.
 */
type Step = { allocate: number; region: Region } | { free: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    allocate: fc.oneof(fc.nat({ max: 100 }), fc.nat({ max: 20_000 })),
    region: fc.constantFrom(Region.heap, Region.stack),
  }),
  fc.record({ free: fc.nat({ max: 100 }) }),
);
const program = fc.array(step, { maxLength: 60, size: 'max' });
const quarantine = fc.constantFrom(0, 1, 8, UNLIMITED);

/**
 * Runs a program and returns every address that it was given; `live` carries over between parts.
 */
function run(allocator: Allocator, steps: Step[], live: number[] = [], between?: () => void): number[] {
  const trace: number[] = [];
  for (const next of steps) {
    between?.();
    if ('allocate' in next) {
      const address = addressOf(allocator, next.allocate, next.region);
      live.push(address);
      trace.push(address);
    } else if (live.length > 0) {
      const [address] = live.splice(next.free % live.length, 1);
      expect(allocator.deallocate(address!).kind).toBe('freed');
    }
  }
  return trace;
}

describe('principles', () => {
  test('cross-run determinism: the same program gets the same addresses', () => {
    fc.assert(
      fc.property(quarantine, program, (k, steps) => {
        expect(run(create(k), steps)).toEqual(run(create(k), steps));
      }),
      { seed: 6, numRuns: 100 },
    );
  });

  test('cross-path determinism: other states do not matter, however they interleave', () => {
    fc.assert(
      fc.property(quarantine, program, program, program, (k, prefix, ours, theirs) => {
        const alone = create(k);
        const aloneLive: number[] = [];
        run(alone, prefix, aloneLive);
        const expected = run(alone, ours, aloneLive);

        const first = create(k);
        const live: number[] = [];
        run(first, prefix, live);
        const second = first.fork();
        const secondLive = [...live];
        const pending = [...theirs];
        // Between any two steps of ours the other state does one of its own, and forks once more.
        const interleaved = run(first, ours, live, () => {
          run(second, pending.splice(0, 1), secondLive);
          second.fork().allocate(Region.heap, 8);
        });
        expect(interleaved).toEqual(expected);
        first.check(3);
        second.check(3);
      }),
      { seed: 6, numRuns: 100 },
    );
  });

  test('spatial distance: n objects of a bin are size / 2^ceil(log2(n + 1)) - slot size apart', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SLOT_SIZES), fc.integer({ min: 1, max: 300 }), (slotSize, n) => {
        const allocator = create();
        const bin = allocator.allocate(Region.heap, slotSize);
        if (bin.kind !== 'allocated') throw new Error(bin.reason);
        const binSize = 64 * 2 ** 30;
        const start = defaultRegions.heap.base + bin.bin * binSize;
        const addresses = [bin.address];
        while (addresses.length < n) addresses.push(addressOf(allocator, slotSize));
        addresses.sort((a, b) => a - b);
        const bound = binSize / 2 ** Math.ceil(Math.log2(n + 1)) - slotSize;
        const ends = [start, ...addresses.map(address => address + slotSize)];
        const gaps = [...addresses, start + binSize].map((address, i) => address - ends[i]!);
        expect(Math.min(...gaps)).toBeGreaterThanOrEqual(bound);
      }),
      { seed: 6, numRuns: 60 },
    );
  });

  test('the low 32 bits of early addresses are zero', () => {
    for (const region of Object.values(Region)) {
      for (const size of SLOT_SIZES) expect(addressOf(create(), size, region) % 2 ** 32).toBe(0);
    }
    const allocator = create();
    for (let i = 0; i < 15; i++) expect(addressOf(allocator, 8) % 2 ** 32).toBe(0);
  });

  test('temporal distance: an address is reused only after k later frees of the same bin', () => {
    for (const k of [0, 1, 8]) {
      const allocator = create(k);
      const first = addressOf(allocator, 24);
      allocator.deallocate(first);
      const before: number[] = [];
      for (let address = addressOf(allocator, 24); address !== first; address = addressOf(allocator, 24)) {
        expect(allocator.locate(first).kind).toBe('freed');
        before.push(address);
        allocator.deallocate(address);
      }
      expect(before.length).toBe(k);
    }
  });

  test('unlimited quarantine: no address is reused, and a stale one is still recognised as freed', () => {
    const allocator = create();
    const seen = new Set<number>();
    for (let i = 0; i < 20_000; i++) {
      const address = addressOf(allocator, 24);
      seen.add(address);
      allocator.deallocate(address);
    }
    expect(seen.size).toBe(20_000);
    // Counted, since an expectation for each would take seconds.
    const stale = [...seen].filter(address => allocator.locate(address + 23).kind === 'freed');
    expect(stale.length).toBe(20_000);
    const refused = stale.filter(address => allocator.deallocate(address).kind === 'not-an-object');
    expect(refused.length).toBe(20_000);
    allocator.check(3);
  });

  test('stability: without quarantine a temporary object does not affect later addresses', () => {
    fc.assert(
      fc.property(program, program, fc.nat({ max: 20_000 }), (prefix, rest, size) => {
        const plain = create(0);
        const plainLive: number[] = [];
        run(plain, prefix, plainLive);
        const detour = create(0);
        const detourLive: number[] = [];
        run(detour, prefix, detourLive);
        detour.deallocate(addressOf(detour, size));
        expect(run(detour, rest, detourLive)).toEqual(run(plain, rest, plainLive));
      }),
      { seed: 6, numRuns: 100 },
    );
  });

  test('stability: other regions and other bins do not matter', () => {
    fc.assert(
      fc.property(quarantine, fc.array(fc.nat({ max: 2 }), { maxLength: 40 }), (k, noise) => {
        const quiet = create(k);
        const noisy = create(k);
        for (const kind of noise) {
          if (kind === 0) addressOf(noisy, 24, Region.stack);
          else if (kind === 1) noisy.deallocate(addressOf(noisy, 100));
          else addressOf(noisy, 5000);
          expect(addressOf(noisy, 24)).toBe(addressOf(quiet, 24));
        }
      }),
      { seed: 6, numRuns: 50 },
    );
  });

  test('allocators that are alike answer in the same way, and those with other objects are not alike', () => {
    let changedAndAlike = 0;
    const change = fc.array(step, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(program, change, program, quarantine, (before, between, after, k) => {
        const [first, live] = [create(k), [] as number[]];
        run(first, before, live);
        const second = first.fork();
        expect(first.isLike(second)).toBe(true);
        const liveInSecond = [...live];
        run(second, between, liveInSecond);
        live.sort((a, b) => a - b);
        liveInSecond.sort((a, b) => a - b);
        if (String(live) !== String(liveInSecond)) expect(first.isLike(second)).toBe(false);
        if (!first.isLike(second)) return;
        changedAndAlike++;
        expect(run(first, after, live)).toEqual(run(second, after, liveInSecond));
      }),
      { numRuns: 300, seed: 1 },
    );
    expect(changedAndAlike).toBeGreaterThan(3);
  });
});

describe('edges', () => {
  const absurd = [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2 ** 53, 2 ** 64];

  test.each(allocatorKinds)('%s: invalid requests fail, nothing is thrown', kind => {
    const created = createAllocator({ kind });
    if (created.kind === 'invalid') throw new Error(created.problem);
    const { allocator } = created;
    for (const size of absurd) {
      expect(allocator.allocate(Region.heap, size)).toEqual({ kind: 'failed', reason: 'invalid-request' });
    }
    for (const alignment of [...absurd, 0, 3, 24, 2 ** 31 + 1]) {
      expect(allocator.allocate(Region.heap, 8, alignment).kind).toBe('failed');
    }
    expect(allocator.allocate(Region.heap, 2 ** 52)).toEqual({ kind: 'failed', reason: 'too-large' });
    expect(allocator.allocate(Region.heap, 8, 2 ** 52)).toEqual({ kind: 'failed', reason: 'too-large' });
    expect(createAllocator({ kind: 'other' as AllocatorKind }).kind).toBe('invalid');
    for (const address of [...absurd, 0, 1]) {
      expect(allocator.locate(address)).toEqual({ kind: 'outside' });
      expect(allocator.deallocate(address).kind).toBe('not-an-object');
    }
  });

  test.each(allocatorKinds)(
    '%s: a region is filled to the end without overlap, then requests fail, then it is usable again',
    kind => {
      const heap = { base: 0x6400_0000_0000, size: 2 ** 20 };
      fc.assert(
        fc.property(fc.infiniteStream(fc.nat({ max: 10_000 })), sizes => {
          const created = createAllocator({ kind, regions: { heap }, quarantine: 0 });
          if (created.kind === 'invalid') throw new Error(created.problem);
          const { allocator } = created;
          let refusals = 0;
          while (refusals < 20) {
            if (allocator.allocate(Region.heap, sizes.next().value!).kind === 'failed') refusals++;
          }
          const objects = [...allocator.objects(Region.heap)].sort((a, b) => a.base - b.base);
          let end = heap.base;
          for (const { base, size } of objects) {
            expect(base).toBeGreaterThan(end);
            end = base + size;
          }
          expect(end).toBeLessThan(heap.base + heap.size);
          for (const { base, size } of objects) expect(allocator.deallocate(base, size).kind).toBe('freed');
          expect([...allocator.objects(Region.heap)]).toEqual([]);
          if (kind !== 'bump')
            expect(allocator.allocate(Region.heap, objects[0]!.size).kind).toBe('allocated');
        }),
        { seed: 6, numRuns: 10 },
      );
    },
  );

  test.each(allocatorKinds)('%s: alignment is kept', kind => {
    const created = createAllocator({ kind });
    if (created.kind === 'invalid') throw new Error(created.problem);
    for (let power = 0; power < 30; power++) {
      for (const size of [0, 1, 100, 5000]) {
        const result = created.allocator.allocate(Region.heap, size, 2 ** power);
        if (result.kind !== 'allocated') throw new Error(result.reason);
        expect(result.address % 2 ** power).toBe(0);
        expect(created.allocator.locate(result.address)).toMatchObject({ kind: 'object', size });
      }
    }
  });

  test('a full bin with an unlimited quarantine reuses the oldest freed slot', () => {
    const allocator = create(UNLIMITED, 9 * 2 ** 20);
    // The bin for 8 bytes: 2^20 bytes, 2^17 slots, 65,535 of them usable. Far more frees than the
    // ordered queue holds.
    const addresses = Array.from({ length: 65_535 }, () => addressOf(allocator, 8));
    expect(allocator.allocate(Region.heap, 8)).toEqual({ kind: 'failed', reason: 'exhausted' });
    for (const address of addresses.slice(0, 50_000).reverse()) allocator.deallocate(address);
    allocator.check(3);
    const again = Array.from({ length: 50_000 }, () => addressOf(allocator, 8));
    expect(allocator.allocate(Region.heap, 8).kind).toBe('failed');
    expect(new Set(again)).toEqual(new Set(addresses.slice(0, 50_000)));
    // The 4,096 freed last are reused last, in the order of their deallocation.
    expect(again.slice(-4096)).toEqual(addresses.slice(0, 4096).reverse());
    allocator.check(3);
  });

  test('a request that cannot succeed does not empty the quarantine of large objects', () => {
    const allocator = create(UNLIMITED, 9 * 2 ** 20);
    addressOf(allocator, 5000);
    const stale = addressOf(allocator, 5000);
    allocator.deallocate(stale);
    expect(allocator.allocate(Region.heap, 900_000)).toEqual({ kind: 'failed', reason: 'exhausted' });
    // The one multiple of 2^19 in the bin lies in the object that is live; of 2^20 there is none.
    expect(allocator.allocate(Region.heap, 5000, 2 ** 19)).toEqual({ kind: 'failed', reason: 'exhausted' });
    expect(allocator.allocate(Region.heap, 5000, 2 ** 20)).toEqual({ kind: 'failed', reason: 'too-large' });
    expect(allocator.locate(stale).kind).toBe('freed');
  });

  test('thousands of states share unmodified data and stay independent', () => {
    const root = create();
    const shared = Array.from({ length: 1000 }, (_, i) => addressOf(root, i));
    const states = Array.from({ length: 2000 }, () => root.fork());
    for (const [i, state] of states.entries()) {
      state.deallocate(shared[i % 1000]!);
      addressOf(state, 16);
    }
    for (const [i, state] of states.entries()) {
      expect(state.locate(shared[i % 1000]!).kind).toBe('freed');
      expect(state.locate(shared[(i + 1) % 1000]!).kind).toBe('object');
    }
    for (const address of shared) expect(root.locate(address).kind).toBe('object');
    root.check(3);
    states[7]!.check(3);
  });
});

describe('layout', () => {
  test('the defaults are those of the KDALLOC paper: 64 GiB per bin of the heap and 512 GiB for large objects', () => {
    const planned = planLayout();
    if (planned.kind === 'invalid') throw new Error(planned.problem);
    const heap = planned.layout[Region.heap]!;
    expect(heap.binSize).toBe(2 ** 36);
    expect(heap.largeBlocks * 4096).toBe(2 ** 39);
    for (const { base, binSize } of planned.layout) {
      expect(base % 2 ** 32).toBe(0);
      expect(binSize % 2 ** 32).toBe(0);
    }
  });

  test.each([
    [{ heap: { base: 1, size: 2 ** 30 } }, 'multiple of 4096'],
    [{ heap: { base: 4096, size: 1000 } }, 'at least'],
    [{ heap: { base: 4096, size: Number.NaN } }, 'at least'],
    [{ heap: { base: 4096, size: -1 } }, 'at least'],
    [{ heap: { base: 4096, size: 2 ** 45 } }, 'at most'],
    [{ heap: { base: 2 ** 53 - 4096, size: 2 ** 30 } }, 'below 2^53'],
    [{ heap: { base: 0x6000_0000_0000, size: 2 ** 30 } }, 'overlaps region constants'],
  ])('a wrong layout is explained: %j', (regions, problem) => {
    expect(createAllocator({ regions })).toMatchObject({ kind: 'invalid' });
    expect(JSON.stringify(createAllocator({ regions }))).toContain(problem);
  });

  test.each([-1, 0.5, Number.NaN])('a wrong quarantine is explained: %d', k => {
    expect(createAllocator({ quarantine: k }).kind).toBe('invalid');
  });
});

describe('the allocators that states share', () => {
  test('global reuses at once, so a stale pointer refers to a live object; bump never does', () => {
    for (const kind of ['global', 'bump'] as const) {
      const created = createAllocator({ kind });
      if (created.kind === 'invalid') throw new Error(created.problem);
      const stale = addressOf(created.allocator, 24);
      created.allocator.deallocate(stale);
      addressOf(created.allocator, 24);
      expect(created.allocator.locate(stale).kind).toBe(kind === 'global' ? 'object' : 'freed');
    }
  });

  test('they are not cross-path deterministic, and memory that a fork shares is not reused', () => {
    const created = createAllocator({ kind: 'global' });
    if (created.kind === 'invalid') throw new Error(created.problem);
    const first = created.allocator;
    const shared = addressOf(first, 24);
    const second = first.fork();
    expect(addressOf(first, 8)).not.toBe(addressOf(second, 8));
    first.deallocate(shared);
    expect(addressOf(first, 24)).not.toBe(shared);
    expect(second.locate(shared).kind).toBe('object');
  });
});

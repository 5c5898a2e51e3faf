/**
 * The same properties for every malloc: random calls, compared with a plain list of live blocks.
 *
 * Each block is filled with its own bytes, and every check compares them.
 * So an overlap shows even if both the malloc and its `check` believe that all is well.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMalloc } from './create-malloc.js';
import { LinearMemory } from './linear-memory.js';
import type { Malloc } from './malloc.js';
import { type MallocName, mallocInfo, mallocNames } from './malloc-names.js';

interface Heap {
  readonly malloc: Malloc;
  readonly memory: LinearMemory;
}

function heapOf(name: MallocName, bytes = 1 << 20): Heap {
  const start = 4096;
  const memory = new LinearMemory(
    { buffer: new ArrayBuffer(start + bytes) },
    { start, limit: start + bytes },
  );
  return { malloc: createMalloc(name, { memory, metadataBytes: 4 << 20, arenas: 2 }), memory };
}

/** What the model knows of a live block. */
interface Block {
  readonly address: number;
  readonly bytes: number;
  readonly mark: number;
}

type Step =
  | { readonly kind: 'malloc' | 'calloc'; readonly bytes: number }
  | { readonly kind: 'memalign'; readonly bytes: number; readonly log: number }
  | { readonly kind: 'realloc'; readonly bytes: number; readonly which: number }
  | { readonly kind: 'free'; readonly which: number };

const sizes = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 200 }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 3000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 60_000 }) },
);
const which = fc.nat(1000);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: sizes.map(bytes => ({ kind: 'malloc' as const, bytes })) },
  { weight: 1, arbitrary: sizes.map(bytes => ({ kind: 'calloc' as const, bytes })) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('memalign' as const),
      bytes: sizes,
      log: fc.integer({ min: 0, max: 13 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('realloc' as const), bytes: sizes, which }) },
  { weight: 4, arbitrary: which.map(n => ({ kind: 'free' as const, which: n })) },
);

class Model {
  readonly blocks: Block[] = [];
  /** Every address at which there ever was a block. */
  readonly #known = new Set<number>();
  #marks = 0;

  constructor(
    readonly heap: Heap,
    readonly name: MallocName,
  ) {}

  run(s: Step): void {
    const { malloc } = this.heap;
    switch (s.kind) {
      case 'malloc':
        this.#made(malloc.malloc(s.bytes), s.bytes, 16);
        break;
      case 'calloc': {
        const address = malloc.calloc(1, s.bytes);
        if (address !== 0)
          expect(this.heap.memory.bytes.subarray(address, address + s.bytes).every(b => b === 0)).toBe(true);
        this.#made(address, s.bytes, 16);
        break;
      }
      case 'memalign':
        this.#made(malloc.memalign(1 << s.log, s.bytes), s.bytes, 1 << s.log);
        break;
      case 'realloc': {
        if (this.blocks.length === 0 || s.bytes === 0) return;
        const [old] = this.blocks.splice(s.which % this.blocks.length, 1);
        const address = malloc.realloc(old!.address, s.bytes);
        expect(malloc.problem).toBeUndefined();
        if (address === 0) return void this.blocks.push(old!);
        this.#contentsOf({ ...old!, address, bytes: Math.min(old!.bytes, s.bytes) });
        this.#made(address, s.bytes, 16);
        break;
      }
      case 'free': {
        if (this.blocks.length === 0) return;
        const [block] = this.blocks.splice(s.which % this.blocks.length, 1);
        this.#contentsOf(block!);
        expect(malloc.free(block!.address)).toBe('ok');
      }
    }
  }

  #made(address: number, bytes: number, alignment: number): void {
    const { malloc, memory } = this.heap;
    expect(malloc.problem).toBeUndefined();
    if (address === 0) return;
    expect(address % Math.max(alignment, 16)).toBe(0);
    expect(address).toBeGreaterThanOrEqual(memory.start);
    expect(address + bytes).toBeLessThanOrEqual(memory.limit);
    expect(malloc.usableSize(address)).toBeGreaterThanOrEqual(bytes);
    this.#marks = (this.#marks % 250) + 1;
    const mark = this.#marks;
    // The whole of what may be used is the owner's.
    memory.bytes.fill(mark, address, address + bytes);
    this.#known.add(address);
    this.blocks.push({ address, bytes, mark });
  }

  #contentsOf({ address, bytes, mark }: Block): void {
    const found = this.heap.memory.bytes.subarray(address, address + bytes).findIndex(byte => byte !== mark);
    if (found >= 0) throw new Error(`${this.name}: byte ${found} of the block at ${address} has changed`);
  }

  /** Pieces do not overlap, and the live blocks are among them. */
  look(): void {
    const { malloc, memory } = this.heap;
    expect(malloc.check()).toBeUndefined();
    const pieces: { kind: string; address: number; bytes: number }[] = [];
    malloc.walk((kind, address, bytes) => void pieces.push({ kind, address, bytes }));
    pieces.sort((a, b) => a.address - b.address);
    let end = memory.start;
    for (const { address, bytes } of pieces) {
      if (address < end || bytes < 0) throw new Error(`${this.name}: the pieces overlap at ${address}`);
      end = address + bytes;
    }
    expect(end).toBeLessThanOrEqual(memory.break);
    const live = new Map(pieces.filter(p => p.kind === 'client').map(p => [p.address, p.bytes]));
    for (const { address, bytes } of this.blocks) expect(live.get(address)).toBeGreaterThanOrEqual(bytes);
    for (const block of this.blocks) this.#contentsOf(block);
    expect(live.size).toBe(this.blocks.length);
    // A freed block has no size, whether its memory was reused or not.
    for (const address of this.#known) expect(malloc.usableSize(address)).toBe(live.get(address) ?? 0);
  }
}

/** Blocks of a size, as many as there is room for. */
function filled(malloc: Malloc, bytes: number): number[] {
  const blocks: number[] = [];
  for (let address = malloc.malloc(bytes); address !== 0; address = malloc.malloc(bytes))
    blocks.push(address);
  return blocks;
}

/** What was freed is one block, of nearly all of the memory. */
function intoOne(malloc: Malloc): void {
  expect(malloc.malloc(900_000)).not.toBe(0);
}

/**
 * For mallocs that do not join neighbours, what must be possible in a memory of 1 MiB that was full
 * of blocks of 700 bytes, all of which were freed. The headers of the files say why.
 */
const insteadOfJoining: Readonly<
  Partial<Record<MallocName, (malloc: Malloc, freed: readonly number[]) => void>>
> = {
  elfpa(malloc) {
    // Empty superblocks serve another class, all but the one that is active for the first,
    const others = filled(malloc, 300);
    expect(others.length).toBeGreaterThanOrEqual(filled(heapOf('elfpa').malloc, 300).length - 25);
    // and when these are empty, they are joined for a large block.
    for (const address of others) malloc.free(address);
    intoOne(malloc);
  },
  bibop(malloc) {
    // A page whose blocks are all free goes back to the heap of pages, but for those of the 16
    // blocks whose free is delayed.
    const others = filled(malloc, 300);
    expect(others.length).toBeGreaterThanOrEqual(filled(heapOf('bibop').malloc, 300).length - 16 * 8);
    // There, neighbours are joined.
    for (const address of others) malloc.free(address);
    intoOne(malloc);
  },
  kdalloc(malloc, freed) {
    // A slot serves blocks of its size again. The bin has 15, and 8 are in quarantine; blocks that
    // no slot has room for are large objects, of more bytes.
    const again = filled(malloc, 700);
    const inSlots = again.filter(address => malloc.usableSize(address) === 700);
    expect(inSlots.length).toBe(15 - 8);
    expect(freed.slice(0, 15)).toEqual(expect.arrayContaining(inSlots));
    // Where large objects lay side by side, 8 KiB apart, is room for one of 64 KiB, between those
    // in quarantine.
    for (const address of again) malloc.free(address);
    expect(malloc.malloc(65_536)).not.toBe(0);
  },
};

describe.each(mallocNames)('%s', name => {
  test('keeps blocks apart, aligned and intact', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), steps => {
        const model = new Model(heapOf(name), name);
        for (const s of steps) {
          model.run(s);
          model.look();
        }
      }),
      { seed: 8, numRuns: 6 },
    );
  });

  test('reuses freed memory', () => {
    const { malloc } = heapOf(name);
    let total = 0;
    for (let i = 0; total < 8 << 20; i++) {
      const bytes = 1 + ((i * 7919) % 5000);
      const address = malloc.malloc(bytes);
      if (address === 0 || malloc.free(address) !== 'ok') expect.fail(`after ${total} bytes`);
      total += bytes;
    }
  });

  test('merges neighbouring freed blocks, or has a substitute for it', () => {
    const { malloc } = heapOf(name);
    const blocks = filled(malloc, 700);
    expect(blocks.length).toBeGreaterThan(10);
    for (let i = 0; i < blocks.length; i += 2) expect(malloc.free(blocks[i]!)).toBe('ok');
    for (let i = 1; i < blocks.length; i += 2) expect(malloc.free(blocks[i]!)).toBe('ok');
    expect(malloc.check()).toBeUndefined();
    const what = mallocInfo[name].coalesces ? intoOne : insteadOfJoining[name]!;
    what(malloc, blocks);
    expect(malloc.check()).toBeUndefined();
  });

  test('returns NULL when memory is exhausted, and continues to work', () => {
    const { malloc } = heapOf(name);
    expect(malloc.malloc(2 << 20)).toBe(0);
    expect(malloc.problem).toBeUndefined();
    expect(malloc.malloc(0xffff_ffff)).toBe(0);
    expect(malloc.calloc(0x10000, 0x10001)).toBe(0);
    expect(malloc.memalign(3, 8)).toBe(0);
    expect(malloc.memalign(1 << 30, 8)).toBe(0);
    const kept = malloc.malloc(10_000);
    expect(malloc.realloc(kept, 3 << 20)).toBe(0);
    expect(malloc.usableSize(kept)).toBeGreaterThanOrEqual(10_000);
    const blocks: number[] = [];
    for (let address = malloc.malloc(3000); address !== 0; address = malloc.malloc(3000))
      blocks.push(address);
    expect(malloc.check()).toBeUndefined();
    for (const address of blocks) expect(malloc.free(address)).toBe('ok');
    expect(malloc.malloc(3000)).not.toBe(0);
    expect(malloc.free(0)).toBe('ok');
  });
});

test.each(mallocNames.filter(name => mallocInfo[name].metadata === 'apart'))(
  '%s names invalid and double frees',
  name => {
    const { malloc } = heapOf(name);
    const first = malloc.malloc(100);
    const second = malloc.malloc(5000);
    expect(malloc.free(first + 16)).toBe('invalid-free');
    expect(malloc.free(second + 4096)).toBe('invalid-free');
    expect(malloc.free(64)).toBe('invalid-free');
    expect(malloc.free(first + 4)).toBe('invalid-free');
    expect(malloc.free(first)).toBe('ok');
    expect(malloc.free(first)).toBe('double-free');
    expect(malloc.realloc(first, 10)).toBe(0);
    expect(malloc.problem).toBe('double-free');
    expect(malloc.realloc(second + 16, 10)).toBe(0);
    expect(malloc.problem).toBe('invalid-free');
    expect(malloc.check()).toBeUndefined();
    expect(malloc.free(second)).toBe('ok');
    // It may have been merged with what lies beside it.
    expect(malloc.free(second)).toBe('double-free');
  },
);

/**
 * The program can write anywhere in its own memory, and has no instruction for another: so
 * after any of its stores the metadata that are apart are as they were. Here it overwrites all of
 * it. What psmalloc2 left in line is a number, which is noticed and not followed.
 */
test.each(mallocNames.filter(name => mallocInfo[name].metadata === 'apart'))(
  '%s is intact after the program overwrites all client memory',
  name => {
    for (const garbage of [0, 0x10, 0xff]) {
      const { malloc, memory } = heapOf(name);
      const blocks = Array.from({ length: 200 }, (_, i) => malloc.malloc(1 + ((i * 37) % 1500)));
      const freed = blocks.filter((_, i) => i % 3 === 0);
      const kept = blocks.filter((_, i) => i % 3 !== 0);
      for (const address of freed) malloc.free(address);
      const pieces = (): string[] => {
        const found: string[] = [];
        malloc.walk((kind, address, bytes) => found.push(`${kind} ${address} ${bytes}`));
        return found;
      };
      const before = pieces();
      memory.bytes.fill(garbage);
      expect(pieces()).toEqual(before);
      const isNoticed = name === 'psmalloc2' && garbage !== 0;
      if (!isNoticed) expect(malloc.check()).toBeUndefined();
      for (const address of kept) expect(malloc.free(address)).toBe(isNoticed ? 'corrupted' : 'ok');
      expect(malloc.malloc(100)).not.toBe(0);
      expect(malloc.problem).toBeUndefined();
    }
  },
);

/** As the headers of the files say. */
const smallest: Readonly<Record<MallocName, number>> = {
  ...{ dlmalloc: 24, ptmalloc2: 24, dnmalloc: 16, dsmalloc: 16, psmalloc2: 8, sri: 16 },
  ...{ elfpa: 16, bibop: 16, kdalloc: 1 },
};

test.each(mallocNames)('the smallest block of %s has the stated size', name => {
  const { malloc } = heapOf(name);
  expect(malloc.usableSize(malloc.malloc(0))).toBe(smallest[name]);
});

test('ptmalloc2 returns no size for a block that is in a fast bin twice', () => {
  const { malloc } = heapOf('ptmalloc2');
  const [first, second, third] = [malloc.malloc(24), malloc.malloc(24), malloc.malloc(24)];
  for (const address of [first, second, first]) expect(malloc.free(address)).toBe('ok');
  expect([first, second, third].map(address => malloc.usableSize(address))).toEqual([0, 0, 24]);
});

test.each(mallocNames)('%s returns no size for an address outside the memory', name => {
  const { malloc } = heapOf(name);
  for (const address of [0, 8, 0x7ff0_0000, 0xffff_fff0]) expect(malloc.usableSize(address)).toBe(0);
});

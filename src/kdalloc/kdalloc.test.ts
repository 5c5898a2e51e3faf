/**
 * KDALLOC against a plain model: arrays, linear searches, deep copies on fork, and the order of
 * slots from a walk over a real tree. The model predicts every slot address; for large objects it
 * checks that the place chosen is the middle of a longest gap.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Region } from './allocator.js';
import { Kdalloc } from './kdalloc.js';
import { UNLIMITED } from './quarantine.js';
import { planLayout, SLOT_SIZES } from './region-layout.js';

const BLOCK = 4096;
/**
 * Regions of 256 KiB: bins of 16 KiB (7 usable slots of 2048 bytes, 31 of 256), 32 blocks for large
 * objects.
 */
const tiny = layoutOf({
  constants: { base: 0x1_0000_0000, size: 2 ** 18 },
  globals: { base: 0x2_0000_0000, size: 2 ** 18 },
  stack: { base: 0x3_0000_0000, size: 2 ** 18 },
  heap: { base: 0x4_0000_0000, size: 2 ** 18 },
});
const BIN = 2 ** 14;

function layoutOf(regions: Parameters<typeof planLayout>[0]) {
  const planned = planLayout(regions);
  if (planned.kind === 'invalid') throw new Error(planned.problem);
  return planned.layout;
}

interface ModelObject {
  readonly base: number;
  readonly size: number;
  /** The space that the object takes: a slot, or whole blocks. */
  readonly extent: number;
  freed: boolean;
}

/**
 * One bin: objects that are live or in quarantine, in the order of allocation; the quarantine in
 * order of frees.
 */
class ModelBin {
  constructor(
    readonly base: number,
    readonly end: number,
    readonly slotSize: number | undefined,
    readonly quarantine: number,
    public objects: ModelObject[] = [],
    public waiting: ModelObject[] = [],
  ) {}

  copy(): ModelBin {
    const copies = new Map(this.objects.map(object => [object, { ...object }]));
    return new ModelBin(
      this.base,
      this.end,
      this.slotSize,
      this.quarantine,
      [...copies.values()],
      this.waiting.map(object => copies.get(object)!),
    );
  }

  release(): void {
    const oldest = this.waiting.shift();
    this.objects = this.objects.filter(object => object !== oldest);
  }

  free(object: ModelObject): void {
    object.freed = true;
    this.waiting.push(object);
    if (this.waiting.length > this.quarantine) this.release();
  }

  /** All addresses at which the next object may be put; none if it must be refused. */
  choices(size: number): number[] {
    for (;;) {
      const found = this.slotSize === undefined ? this.middles(size) : this.nextSlot(this.slotSize);
      const short = found.length === 0 && this.quarantine === UNLIMITED && this.waiting.length > 0;
      if (!short || !this.couldFit(size)) return found;
      this.release();
    }
  }

  couldFit(size: number): boolean {
    const live = this.objects.filter(({ freed }) => !freed);
    const emptied = new ModelBin(this.base, this.end, this.slotSize, this.quarantine, live);
    return this.slotSize !== undefined || emptied.middles(size).length > 0;
  }

  /** The first free slot, if there is one. */
  nextSlot(slotSize: number): number[] {
    const taken = new Set(this.objects.map(({ base }) => (base - this.base) / slotSize));
    const position = treeOrders.get(slotSize)!.find(candidate => !taken.has(candidate));
    return position === undefined ? [] : [this.base + position * slotSize];
  }

  middles(size: number): number[] {
    const blocks = Math.ceil(size / BLOCK);
    const sorted = this.objects.toSorted((a, b) => a.base - b.base);
    const starts = [this.base, ...sorted.map(({ base, extent }) => base + extent)];
    const ends = [...sorted.map(({ base }) => base), this.end];
    const gaps = starts.map((start, i) => ({ start, blocks: (ends[i]! - start) / BLOCK }));
    const longest = Math.max(...gaps.map(gap => gap.blocks));
    if (longest < blocks + 2) return [];
    return gaps
      .filter(gap => gap.blocks === longest)
      .map(gap => gap.start + Math.floor((gap.blocks - blocks) / 2) * BLOCK);
  }
}

function treeOrder(slots: number): number[] {
  const order: number[] = [];
  for (let step = slots / 2; step > 1; step /= 2) {
    const level = Array.from({ length: slots / (2 * step) }, (_, i) => step + 2 * step * i);
    while (level.length > 0) order.push(level.shift()!, ...level.splice(-1, 1));
  }
  return order;
}

/** By slot size, the positions of a bin in the order of their use. */
const treeOrders: ReadonlyMap<number, readonly number[]> = new Map(
  SLOT_SIZES.map(slotSize => [slotSize, treeOrder(BIN / slotSize)]),
);

class Model {
  constructor(readonly bins: ModelBin[]) {}

  static create(quarantine: number): Model {
    return new Model(
      tiny.flatMap(({ base, size }) =>
        [...SLOT_SIZES, undefined].map(
          (slotSize, i) =>
            new ModelBin(
              base + i * BIN,
              slotSize === undefined ? base + size : base + (i + 1) * BIN,
              slotSize,
              quarantine,
            ),
        ),
      ),
    );
  }

  copy(): Model {
    return new Model(this.bins.map(bin => bin.copy()));
  }

  binFor(region: Region, size: number): ModelBin {
    return this.bins
      .slice(region * 9, region * 9 + 9)
      .find(({ slotSize }) => slotSize === undefined || size <= slotSize)!;
  }

  binAt(address: number): ModelBin | undefined {
    return this.bins.find(({ base, end }) => address >= base && address < end);
  }

  live(): ModelObject[] {
    return this.bins.flatMap(bin => bin.objects).filter(({ freed }) => !freed);
  }

  locate(address: number): { kind: string; base?: number; size?: number } {
    const bin = this.binAt(address);
    if (bin === undefined) return { kind: 'outside' };
    const object = bin.objects.find(({ base, extent }) => address >= base && address < base + extent);
    if (object === undefined) return { kind: 'redzone' };
    const { base, size, extent, freed } = object;
    if (freed) return { kind: 'freed', base, size: extent };
    return address < base + Math.max(size, 1) ? { kind: 'object', base, size } : { kind: 'redzone' };
  }
}

/** All states of a run; forks add some. */
interface World {
  states: { real: Kdalloc; model: Model }[];
}
type Real = Record<string, never>;

function stateOf(world: World, pick: number): { real: Kdalloc; model: Model } {
  return world.states[pick % world.states.length]!;
}

/**
 * The real allocator and the model say the same of an address. Compared by hand, which is a tenth
 * of the work of `toMatchObject`.
 */
function expectSameAt(address: number, real: Kdalloc, model: Model): void {
  const got = real.locate(address);
  const wanted = model.locate(address);
  const hasPlace = got.kind === 'object' || got.kind === 'freed';
  const isSame =
    got.kind === wanted.kind && (!hasPlace || (got.base === wanted.base && got.size === wanted.size));
  if (!isSame) expect(got).toMatchObject(wanted);
}

class Allocate implements fc.Command<World, Real> {
  constructor(
    readonly pick: number,
    readonly region: Region,
    readonly size: number,
  ) {}
  check = (): boolean => true;
  run(world: World): void {
    const { real, model } = stateOf(world, this.pick);
    const bin = model.binFor(this.region, this.size);
    const choices = bin.choices(this.size);
    const result = real.allocate(this.region, this.size);
    if (choices.length === 0) {
      expect(result.kind).toBe('failed');
      return;
    }
    if (result.kind !== 'allocated') throw new Error(`${result.reason}, but there is room at ${choices}`);
    expect(choices).toContain(result.address);
    expect(real.addressOf(result)).toBe(result.address);
    const extent = bin.slotSize ?? Math.ceil(this.size / BLOCK) * BLOCK;
    bin.objects.push({ base: result.address, size: this.size, extent, freed: false });
    expect(real.locate(result.address)).toMatchObject({ kind: 'object', slot: result.slot, size: this.size });
    for (const offset of [-1, 0, this.size - 1, this.size, extent - 1, extent]) {
      expectSameAt(result.address + offset, real, model);
    }
  }
  toString = (): string => `allocate(#${this.pick}, ${this.region}, ${this.size})`;
}

class Free implements fc.Command<World, Real> {
  constructor(
    readonly pick: number,
    readonly which: number,
    readonly sized: 'sized' | 'unsized' | 'wrong size',
  ) {}
  check = (world: World): boolean => stateOf(world, this.pick).model.live().length > 0;
  run(world: World): void {
    const { real, model } = stateOf(world, this.pick);
    const live = model.live();
    const object = live[this.which % live.length]!;
    if (this.sized === 'wrong size') {
      expect(real.deallocate(object.base, object.size + 1)).toEqual({
        kind: 'size-mismatch',
        size: object.size,
      });
      return;
    }
    const freed = real.deallocate(object.base, this.sized === 'sized' ? object.size : undefined);
    expect(freed).toMatchObject({ kind: 'freed', size: object.size });
    model.binAt(object.base)!.free(object);
    expect(real.deallocate(object.base).kind).toBe('not-an-object');
  }
  toString = (): string => `free(#${this.pick}, ${this.which}, ${this.sized})`;
}

class Fork implements fc.Command<World, Real> {
  constructor(readonly pick: number) {}
  check = (): boolean => true;
  run(world: World): void {
    const { real, model } = stateOf(world, this.pick);
    world.states.push({ real: real.fork(), model: model.copy() });
  }
  toString = (): string => `fork(#${this.pick})`;
}

/** Looks around one object, live or freed, of one state, in another state. */
class Probe implements fc.Command<World, Real> {
  constructor(
    readonly pick: number,
    readonly other: number,
    readonly which: number,
    readonly offset: number,
  ) {}
  check = (): boolean => true;
  run(world: World): void {
    const { real, model } = stateOf(world, this.pick);
    const objects = stateOf(world, this.other).model.bins.flatMap(bin => bin.objects);
    const base = objects[this.which % Math.max(1, objects.length)]?.base ?? tiny[0]!.base;
    expectSameAt(base + this.offset, real, model);
  }
  toString = (): string => `probe(#${this.pick}, #${this.other}.${this.which} + ${this.offset})`;
}

const pick = fc.nat({ max: 5 });
const region = fc.constantFrom(...Object.values(Region));
const size = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(200, 2000, 2048) },
  { weight: 2, arbitrary: fc.integer({ min: 2049, max: 3 * BLOCK }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 2048 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 2 ** 18 }) },
);
const allocate = fc
  .tuple(pick, fc.oneof(fc.constant(Region.heap), region), size)
  .map(([p, r, s]) => new Allocate(p, r, s));
const free = fc
  .tuple(pick, fc.nat({ max: 50 }), fc.constantFrom('sized', 'unsized', 'unsized', 'wrong size'))
  .map(([p, w, s]) => new Free(p, w, s as Free['sized']));
const fork = pick.map(p => new Fork(p));
const probe = fc
  .tuple(pick, pick, fc.nat({ max: 50 }), fc.integer({ min: -5000, max: 5000 }))
  .map(([p, o, w, d]) => new Probe(p, o, w, d));

describe('kdalloc against a plain model', () => {
  test.each([0, 2, 8, UNLIMITED])('quarantine %d', quarantine => {
    const commands = fc.commands([allocate, allocate, allocate, free, free, probe, fork], {
      maxCommands: 120,
      size: 'max',
    });
    fc.assert(
      fc.property(commands, steps => {
        const world: World = {
          states: [{ real: Kdalloc.create(tiny, quarantine), model: Model.create(quarantine) }],
        };
        fc.modelRun(() => ({ model: world, real: {} }), steps);
        for (const { real, model } of world.states) {
          real.check(3);
          const live = model.live().map(({ base, size }) => ({ base, size }));
          const listed = Object.values(Region).flatMap(r => [...real.objects(r)]);
          expect(listed.map(({ base, size }) => ({ base, size })).sort((a, b) => a.base - b.base)).toEqual(
            live.sort((a, b) => a.base - b.base),
          );
        }
      }),
      { seed: 6, numRuns: 60 },
    );
  });
});

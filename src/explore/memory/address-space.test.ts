/**
 * Memory against a plain model: objects of all sizes, written through windows and as objects,
 * freed, in states that fork.
 */
import { expect, test } from 'vitest';
import { Terms } from '../../expr/terms.js';
import { createAllocator, Region, UNLIMITED } from '../../kdalloc/index.js';
import { assert } from '../../support/assert.js';
import { Random } from '../../support/random.js';
import { Memory, Window } from './address-space.js';
import { Origin } from './origin.js';
import { FILLER, Unwritten } from './unwritten.js';

interface Model {
  readonly memory: Memory;
  readonly live: Map<number, Uint8Array>;
  readonly freed: Set<number>;
}

const SIZES = [1, 3, 8, 16, 24, 64, 200, 2000, 5000, 40_000];
const MOST_STATES = 5;

test.each([UNLIMITED, 8, 0])(
  'objects hold the bytes that were written to them, with a quarantine of %s',
  quarantine => {
    const random = new Random(46);
    const terms = new Terms();
    const context = { terms, unwritten: new Unwritten(terms) };
    const created = createAllocator({ quarantine });
    assert(created.kind === 'allocator', 'the defaults are valid');
    const trace = { at: undefined as never, calls: undefined };
    const origins = SIZES.map(
      bytes =>
        new Origin({
          kind: 'heap',
          name: undefined,
          bytes,
          allocated: trace,
          declared: undefined,
          contents: 'zero',
        }),
    );
    const window = new Window();
    const states: Model[] = [{ memory: Memory.create(created.allocator), live: new Map(), freed: new Set() }];
    const anyOf = <T>(items: readonly T[]): T => items[random.below(items.length)]!;

    for (let round = 0; round < 1500; round++) {
      const { memory, live, freed } = anyOf(states);
      const what = random.below(100);
      const address = live.size === 0 ? undefined : anyOf([...live.keys()]);
      if (address === undefined || what < 25) {
        const origin = anyOf(origins);
        const fresh = memory.allocate(Region.heap, 16, origin);
        expect(fresh).toBeGreaterThan(0);
        freed.delete(fresh);
        live.set(fresh, new Uint8Array(origin.bytes));
        continue;
      }
      const bytes = live.get(address)!;
      const offset = random.below(bytes.length);
      const value = random.below(256);
      if (what < 55) {
        expect(memory.open(window, address, address + offset, true)).toBe(true);
        window.view!.setUint8(address + offset - window.base[0]!, value);
        bytes[offset] = value;
      } else if (what < 70) {
        memory.writable(memory.find(address)!).writeByte(offset, value);
        bytes[offset] = value;
      } else if (what < 85) {
        expect(memory.free(address, trace)).toBe(bytes.length);
        live.delete(address);
        freed.add(address);
      } else if (what < 87) {
        const copies = new Map([...live].map(([at, contents]) => [at, contents.slice()]));
        const copy = { memory: memory.fork(), live: copies, freed: new Set(freed) };
        if (states.length < MOST_STATES) states.push(copy);
        else states[random.below(MOST_STATES)] = copy;
      } else {
        expect(memory.find(address + offset)!.read(context, offset, 1)).toBe(bytes[offset]);
        expect(memory.open(window, address + offset, address + offset, false)).toBe(true);
        const [base] = window.base;
        expect([base! + window.low, base! + window.high]).toEqual([address, address + bytes.length]);
        expect(window.view!.getUint8(address + offset - window.base[0]!)).toBe(bytes[offset]);
        const gone = freed.size === 0 ? undefined : anyOf([...freed]);
        if (gone !== undefined && quarantine === UNLIMITED) {
          expect(memory.at(gone)!.life).toBe('freed');
          expect(memory.open(window, gone, gone, false)).toBe(false);
          expect(memory.free(gone, trace)).toBe(-1);
        }
      }
    }
    for (const { memory, live } of states) {
      const objects = [...memory.objects(Region.heap)];
      expect(objects.length).toBe(live.size);
      for (const { info, bytes } of objects) {
        const expected = live.get(info.base)!;
        expect(bytes.every((byte, i) => byte === expected[i])).toBe(true);
      }
    }
  },
);

test('bytes that the program wrote are distinguished from the filler of new memory', () => {
  const random = new Random(61);
  const created = createAllocator();
  assert(created.kind === 'allocator', 'the defaults are valid');
  const origins = (['zero', 'unwritten'] as const).map(
    contents =>
      new Origin({
        kind: 'heap',
        name: undefined,
        bytes: 16,
        allocated: undefined,
        declared: undefined,
        contents,
      }),
  );
  const window = new Window();
  const states = [
    { memory: Memory.create(created.allocator), written: new Map<number, readonly boolean[]>() },
  ];
  for (let round = 0; round < 4000; round++) {
    const state = states[random.below(states.length)]!;
    const { memory, written } = state;
    const addresses = [...written.keys()];
    const [address, other] = [0, 1].map(() => addresses[random.below(addresses.length)]);
    const what = random.below(100);
    if (address === undefined || other === undefined || what < 20) {
      const origin = origins[random.below(2)]!;
      const fresh = memory.allocate(Region.heap, 16, origin);
      written.set(fresh, new Array<boolean>(16).fill(origin.contents === 'zero'));
    } else if (what < 55) {
      const offset = random.below(16);
      expect(memory.open(window, address, address + offset, true)).toBe(true);
      window.view!.setUint8(address + offset - window.base[0]!, random.below(2) === 0 ? FILLER : 7);
      memory.markWritten(address + offset, 1);
      written.set(address, written.get(address)!.with(offset, true));
    } else if (what < 70) {
      if (!memory.copyPlain(other, address, 16))
        memory.writable(memory.find(other)!).copyFrom(memory.find(address)!, 0, 0, 16);
      written.set(other, written.get(address)!);
    } else if (what < 75) {
      memory.deallocate(address, 'freed', undefined);
      written.delete(address);
    } else if (what < 95) {
      const seen = Array.from({ length: 16 }, (_, offset) => !memory.isUnwritten(address + offset, 1));
      expect(seen).toEqual(written.get(address));
      const object = random.below(4) === 0 ? memory.find(address)! : undefined;
      if (object !== undefined) expect(seen.map((_, i) => !object.isUnwritten(i))).toEqual(seen);
    } else if (states.length < 4) {
      states.push({ memory: memory.fork(), written: new Map(written) });
    }
  }
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PersistentMap } from './persistent-map.js';

/** Keys that collide in high digits, in low digits, and not at all. */
const key = fc.oneof(
  fc.integer({ min: 0, max: 70 }),
  fc.integer({ min: 0, max: 0xffffffff }),
  fc.integer({ min: 0, max: 31 }).map(digit => (digit << 27) >>> 0),
  fc.constantFrom(0, 31, 32, 1023, 1024, 0x7fffffff, 0x80000000, 0xffffffff),
);

/** One step on one of the handles; forks add handles. */
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('set' as const), at: fc.nat(), key }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete' as const), at: fc.nat(), key }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fork' as const), at: fc.nat(), key }) },
);

function contents(model: Map<number, number>): [number, number][] {
  return [...model].sort(([a], [b]) => a - b);
}

describe('PersistentMap', () => {
  test('many forked handles behave like as many copied Maps', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120, size: 'max' }), steps => {
        const handles = [{ map: new PersistentMap<number>(), model: new Map<number, number>() }];
        for (const [time, { kind, at, key }] of steps.entries()) {
          const { map, model } = handles[at % handles.length]!;
          if (kind === 'set') {
            map.set(key, time);
            model.set(key, time);
          } else if (kind === 'delete') {
            expect(map.delete(key)).toBe(model.delete(key));
          } else {
            handles.push({ map: map.fork(), model: new Map(model) });
          }
          expect(map.size).toBe(model.size);
          expect(map.get(key)).toBe(model.get(key));
          map.check(1);
        }
        for (const { map, model } of handles) {
          map.check(3);
          expect([...map.entries()]).toEqual(contents(model));
        }
      }),
      { seed: 6, numRuns: 300 },
    );
  });

  test('a deleted key is removed completely, and clear removes all', () => {
    const map = new PersistentMap<string>();
    for (const k of [5, 1 << 20, 0xffffffff]) map.set(k, `${k}`);
    expect([...map.values()]).toEqual(['5', '1048576', '4294967295']);
    const kept = map.fork();
    for (const k of [5, 1 << 20, 0xffffffff]) expect(map.delete(k)).toBe(true);
    expect(map.size).toBe(0);
    map.check(3);
    expect([...kept.keys()]).toEqual([5, 1 << 20, 0xffffffff]);
    kept.clear();
    expect([...kept.keys()]).toEqual([]);
  });

  test('a key that is not an unsigned 32-bit integer is an internal error', () => {
    const map = new PersistentMap<number>();
    for (const k of [-1, 0.5, 2 ** 32, Number.NaN]) expect(() => map.set(k, 0)).toThrow('32-bit');
  });

  test('a million dense keys, and lookups of missing keys', () => {
    const map = new PersistentMap<number>();
    for (let k = 0; k < 1e6; k++) map.set(k, k);
    map.check(2);
    expect(map.size).toBe(1e6);
    expect(map.get(999_999)).toBe(999_999);
    expect(map.has(1e6)).toBe(false);
    expect(map.has(0x80000000)).toBe(false);
  });
});

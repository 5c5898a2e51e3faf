import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Cache } from './cache.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'redzone-cache-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const entry = (text: string, notes = '') => ({ result: new TextEncoder().encode(text), notes });
const textOf = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);

test('a stored entry is found by its key only', () => {
  const cache = new Cache(folder);
  const key = Cache.keyOf(['a', 'b']);
  expect(cache.get(key)).toBeUndefined();
  cache.put(key, entry('result', 'a warning: ü'));
  expect(textOf(cache.get(key)?.result)).toBe('result');
  expect(cache.get(key)?.notes).toBe('a warning: ü');
  expect(cache.get(Cache.keyOf(['ab']))).toBeUndefined();
  expect(cache.get(Cache.keyOf(['a', 'b', '']))).toBeUndefined();
});

test('a missing entry is searched in the cache behind it, and stays there', () => {
  const behind = new Cache(join(folder, 'behind'));
  const cache = new Cache(join(folder, 'own'), undefined, behind);
  behind.put('00', entry('shipped'));
  expect(textOf(cache.get('00')?.result)).toBe('shipped');
  cache.put('01', entry('own'));
  expect(behind.get('01')).toBeUndefined();
  cache.put('00', entry('newer'));
  expect(textOf(cache.get('00')?.result)).toBe('newer');
  expect(textOf(behind.get('00')?.result)).toBe('shipped');
});

test('a damaged entry counts as absent, whichever byte is wrong or missing', () => {
  const cache = new Cache(folder);
  const key = Cache.keyOf(['x']);
  cache.put(key, entry('some result', 'notes'));
  const path = join(folder, key.slice(0, 2), key);
  const good = readFileSync(path);
  for (let i = 0; i < good.length; i++) {
    const bad = Buffer.from(good);
    bad[i]! ^= 1;
    writeFileSync(path, bad);
    expect(cache.get(key)).toBeUndefined();
    writeFileSync(path, good.subarray(0, i));
    expect(cache.get(key)).toBeUndefined();
  }
});

test('an entry under the name of another counts as absent', () => {
  const cache = new Cache(folder);
  cache.put('0a', entry('one'));
  cache.put('0b', entry('two'));
  writeFileSync(join(folder, '0a', '0a'), readFileSync(join(folder, '0b', '0b')));
  expect(cache.get('0a')).toBeUndefined();
});

test('above its limit, the cache evicts the least recently used entries', () => {
  const cache = new Cache(folder, 10_000);
  const keys = Array.from({ length: 20 }, (_, i) => `ff${i}`);
  keys.forEach((key, i) => {
    cache.put(key, entry('x'.repeat(1000)));
    utimesSync(join(folder, 'ff', key), 1000 + i, 1000 + i);
  });
  expect(cache.sweep()).toBeLessThanOrEqual(7_500);
  expect(cache.get(keys[0]!)).toBeUndefined();
  expect(cache.get(keys[19]!)).toBeDefined();
});

test('compilation works with a cache that cannot be written', () => {
  writeFileSync(join(folder, 'file'), '');
  const cache = new Cache(join(folder, 'file'));
  cache.put('00', entry('lost'));
  expect(cache.get('00')).toBeUndefined();
});

import { expect, test } from 'vitest';
import { longestOptimised } from '../support/longest-optimised.js';
import { uleb } from './encoding-testing.js';
import { isCustom, sectionsOf } from './sections.js';
import { addTierHints } from './tier-hints.js';

/**
 * Two functions of type `() -> ()`: the first has a loop, the second the byte of one as a constant.
 */
const module = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 4, 1, 0x60, 0, 0],
  ...[3, 3, 2, 0, 0],
  ...[10, 13, 2],
  ...[5, 0, 0x03, 0x40, 0x0b, 0x0b],
  ...[5, 0, 0x41, 0x03, 0x1a, 0x0b],
]);

function hintsOf(binary: Uint8Array): number[] {
  const section = sectionsOf(binary).find(candidate => isCustom(binary, candidate, 'compilationHints'))!;
  return [...binary.subarray(section.start + 1 + 'compilationHints'.length, section.end)];
}

test('functions with loops are optimised at once, the others when they are called often', () => {
  const hinted = addTierHints(module);
  expect(hintsOf(hinted)).toEqual([2, 0x28, 0]);
  expect(WebAssembly.validate(hinted as BufferSource)).toBe(true);
});

test('functions that are called often are left to the engine', () => {
  const names = [...[0, 12, 4, 0x6e, 0x61, 0x6d, 0x65], ...[1, 5, 1, 0, 2, 0x72, 0x7a]];
  const named = Uint8Array.from([...module, ...names]);
  expect(hintsOf(addTierHints(named, name => name === 'rz'))).toEqual([2, 0, 0]);
  expect(hintsOf(addTierHints(named, name => name !== 'rz'))).toEqual([2, 0x28, 0]);
});

test('beside a very long function, those that are not long are optimised at their first call', () => {
  const noOperation = 0x01;
  const code = [100_000, longestOptimised + 1].map(size => {
    const body = new Uint8Array(size).fill(noOperation, 1, -1);
    body[size - 1] = 0x0b;
    return Buffer.concat([Uint8Array.from(uleb(size)), body]);
  });
  const functions = Buffer.concat([Uint8Array.of(2), ...code]);
  const start = Uint8Array.from([...module.subarray(0, -15), 10, ...uleb(functions.length)]);
  const grown = Buffer.concat([start, functions]);
  expect(hintsOf(addTierHints(grown))).toEqual([2, 0x28, 0]);
});

test('hints replace those that were there', () => {
  const once = addTierHints(module);
  expect(addTierHints(once)).toEqual(once);
});

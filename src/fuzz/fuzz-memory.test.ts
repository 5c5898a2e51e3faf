/** `runtime/fuzz/fuzz.h` and the TypeScript that reads its memory agree on where everything is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as map from './fuzz-memory.js';

const source = readFileSync(join(import.meta.dirname, '../../runtime/fuzz/fuzz.h'), 'utf8');

function defined(name: string): number {
  const match = new RegExp(`^#define ${name} (?:\\(\\(.*?\\))?(0x[0-9a-f]+|\\d+)`, 'm').exec(source);
  return Number(match?.[1]);
}

test.each([
  ['DIRTY', map.dirtyStart],
  ['BLOCK_BITS', map.blockBits],
  ['COUNTERS', map.countersStart],
  ['SEEN', map.seenStart],
  ['FEATURES', map.featuresStart],
  ['STATE', map.stateStart],
  ['COMPARED', map.comparedStart],
  ['TEXTS', map.textsStart],
  ['TEXT_BYTES', map.textBytes],
])('%s', (name, value) => {
  expect(defined(name)).toBe(value);
});

test('the fields of the state have the offsets that TypeScript reads', () => {
  const [, members] = /struct fuzz_state \{([^}]*)\}/.exec(source)!;
  const names = members!.match(/\w+(?=[,;])/g)!;
  for (const [name, at] of Object.entries(map.state)) expect(names[at]).toBe(name);
});

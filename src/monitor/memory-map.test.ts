/** The runtime's C and the TypeScript that reads its memory agree on where everything is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as map from './memory-map.js';

const folder = join(import.meta.dirname, '../../runtime/monitor');
const source = ['shadow.h', 'ring.h', 'calls.h', 'calls.c', 'objects.h', 'labels.h', 'marks.h']
  .map(file => readFileSync(join(folder, file), 'utf8'))
  .join('\n');

function defined(name: string): number {
  const match = new RegExp(`^#define ${name} (?:\\(.*\\))?(0x[0-9a-f]+|\\d+)`, 'm').exec(source);
  return Number(match?.[1]);
}

test.each([
  ['CLIENT_END', map.clientEnd],
  ['NULL_PAGE_END', map.nullPageEnd],
  ['TAGS', map.tagsStart],
  ['SHADOW', map.shadowStart],
  ['INIT', map.initStart],
  ['RING', map.ringStart],
  ['RING_LENGTH', map.ringLength],
  ['LOCAL_RING', map.localRingStart],
  ['LOCAL_RING_LENGTH', map.localRingLength],
  ['KEPT_LOCALS', map.keptLocalsStart],
  ['STACKS', map.stacksStart],
  ['CALLS_START', map.callsStart],
  ['LABEL_NODES', map.labelNodesStart],
  ['LABEL_WORDS', map.labelWordsStart],
  ['CONSTANT_BIT', map.constantBit],
  ['PLAIN', map.plainWords],
  ['NUMBERS_END', map.numbersEnd],
  ['BOXED_NUMBER', map.boxedNumber],
  ['LAST_DYNAMIC_NUMBER', map.lastDynamicNumber],
  ['GLOBAL_REDZONE', map.globalRedzone],
])('%s', (name, value) => {
  expect(defined(name)).toBe(value);
});

test('the count is recovered from a number', () => {
  const last = defined('LAST_DYNAMIC_NUMBER');
  for (const count of [1, 2, 3, 1000, last - 1, last])
    expect(map.countOf(Math.imul(count, defined('SPREAD')) & last)).toBe(count);
  expect(Math.imul(defined('SPREAD_INVERSE'), defined('SPREAD')) & last).toBe(1);
});

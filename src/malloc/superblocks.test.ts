/**
 * The lock-free part of elfpa in all interleavings of two threads, each with one to three calls:
 * what `superblocks-testing.ts` checks holds; and without tags it does not. All programs of two
 * calls are in `superblocks.long.test.ts`.
 */
import { describe, expect, test } from 'vitest';
import { exploreSuperblocks, give, other, type SuperblockScenario, take } from './superblocks-testing.js';

const scenarios: Record<string, SuperblockScenario> = {
  'take, take: both make a superblock, and one is thrown away': {
    before: [take(3)],
    heaps: [1, 1],
    threads: [[take(0)], [take(1)]],
  },
  'take, take: credits of one superblock': {
    before: [take(3)],
    threads: [
      [take(0), take(1)],
      [take(2), give(2)],
    ],
  },
  'take, give: the last credit, and the first free block of a full superblock': {
    before: [take(0), take(1), take(2)],
    threads: [
      [take(3), give(3)],
      [give(0), give(1)],
    ],
  },
  'give, give: a full superblock becomes partial, and empty': {
    before: [take(0), take(1), take(2), take(3)],
    threads: [
      [give(0), give(1)],
      [give(2), give(3)],
    ],
  },
  'take of another class: descriptors of empty superblocks are taken off the list of their class': {
    before: [...[0, 1, 2, 3, 4, 5, 6, 7].map(take), ...[0, 1, 2, 3, 4, 5, 6].map(give)],
    descriptors: 2,
    threads: [[other(8)], [give(7)]],
  },
  'two processor heaps: one takes what is partial, the other gives back': {
    before: [take(0), take(1), take(2), take(3)],
    heaps: [0, 1],
    threads: [
      [give(0), take(0)],
      [give(1), take(1)],
    ],
  },
};

test.each(Object.entries(scenarios))('%s', (_, scenario) => {
  const { violation, outcome } = exploreSuperblocks(scenario);
  expect(violation?.message).toBe(undefined);
  expect(outcome).toBe('exhausted');
});

describe('errors that the tags prevent', () => {
  test.each([
    {
      // A thread reads which block is the first and which the second. Another takes both, the
      // second as the last credit, and gives back the first.
      untagged: 'anchors',
      before: [take(0), give(0)],
      threads: [[take(1)], [take(2), take(3), give(2)]],
      message: /^thread 0 gets|is in use and in the free list|has lost blocks/,
    },
    {
      // The same with two superblocks in the partial list, of which each has one block.
      untagged: 'lists',
      before: [...[0, 1, 2, 3, 4, 5, 6, 7].map(take), give(0), give(4)],
      heaps: [0, 1],
      threads: [[take(8)], [take(9), take(10), give(9)]],
      message: /is in a list and not partial|is partial and in no list/,
    },
  ] as const)('without them in $untagged', ({ untagged, message, ...scenario }) => {
    expect(exploreSuperblocks(scenario)).toMatchObject({ outcome: 'exhausted' });
    expect(exploreSuperblocks({ ...scenario, untagged }).violation?.message).toMatch(message);
  });
});

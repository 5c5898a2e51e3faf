/**
 * Every pair of programs of two calls, from every number of blocks in use at the beginning, with
 * one processor heap and with two; and three threads. The same checks as in `superblocks.test.ts`.
 */
import { expect, test } from 'vitest';
import {
  type CallSequence,
  exploreSuperblocks,
  give,
  type SuperblockScenario,
  take,
} from './superblocks-testing.js';

/** Two calls on the slots `slot` and `slot` + 1, and the slots that must have a block before. */
const programs: readonly ((slot: number) => {
  readonly calls: CallSequence;
  readonly needs: readonly number[];
})[] = [
  slot => ({ calls: [take(slot), take(slot + 1)], needs: [] }),
  slot => ({ calls: [take(slot), give(slot)], needs: [] }),
  slot => ({ calls: [give(slot), take(slot)], needs: [slot] }),
  slot => ({ calls: [give(slot), give(slot + 1)], needs: [slot, slot + 1] }),
];

function* pairs(heaps: readonly number[]): Generator<SuperblockScenario> {
  for (const [i, one] of programs.entries())
    for (const other of programs.slice(i))
      for (let more = 0; more <= 4; more++) {
        const [first, second] = [one(0), other(2)];
        const extra = [4, 5, 6, 7].slice(0, more);
        const before = [...first.needs, ...second.needs, ...extra].map(take);
        // Without a superblock both would share out what the break gives, in many steps on one
        // list.
        if (before.length > 0) yield { before, threads: [first.calls, second.calls], heaps };
      }
}

function exhaust(name: string, scenarios: Iterable<SuperblockScenario>): void {
  const sum = { programs: 0, states: 0, steps: 0, ends: 0 };
  const from = performance.now();
  for (const scenario of scenarios) {
    const { violation, outcome, states, steps, finalStates } = exploreSuperblocks(scenario);
    expect(violation?.message, JSON.stringify(scenario)).toBe(undefined);
    expect(outcome).toBe('exhausted');
    sum.programs++;
    sum.states += states;
    sum.steps += steps;
    sum.ends += finalStates;
  }
  const seconds = ((performance.now() - from) / 1000).toFixed(1);
  console.log(
    `${name}: ${sum.programs} programs, ${sum.states} states, ${sum.steps} steps, ${sum.ends} ends, ${seconds} s`,
  );
}

test('2 × 2, one processor heap', () => exhaust('2 × 2, one processor heap', pairs([0, 0])));

test('2 × 2, two processor heaps', () => exhaust('2 × 2, two processor heaps', pairs([0, 1])));

test('both make a superblock, and one is discarded', () => {
  exhaust('both make a superblock', [
    { before: [take(4)], heaps: [1, 1], threads: [[take(0)], [take(1)]] },
    { before: [take(4)], heaps: [1, 1], threads: [[take(0), give(0)], [take(2)]] },
  ]);
});

test('3 × 1', () => {
  exhaust('3 × 1', [
    { before: [take(4)], threads: [[take(0)], [take(1)], [take(2)]] },
    { before: [take(0), take(4)], threads: [[give(0)], [take(1)], [take(2)]] },
    { before: [take(0), take(1), take(4), take(5)], threads: [[give(0)], [give(1)], [take(2)]] },
    { before: [take(0), take(1), take(2), take(4)], threads: [[give(0)], [give(1)], [give(2)]] },
  ]);
});

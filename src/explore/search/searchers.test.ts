import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { State } from '../state/state.js';
import { type SearcherName, searcherNames } from './searcher-names.js';
import { createSearcher, type Saved, type Searcher } from './searchers.js';

/** The part of a state that searchers use. */
const stateOf = (id: number): State => ({ id, instructions: 0, coveredNew: false }) as unknown as State;

describe('a chain of forks at each of which the older state takes one side', () => {
  /**
   * State 0 has forked off 1, 2, 3, ... in turn: the last ones are the deepest. Only state 5 is
   * close to code that was not run.
   */
  const forked = (name: SearcherName, count: number): Searcher => {
    const states = Array.from({ length: count }, (_, id) => stateOf(id));
    let instructions = 0;
    const searcher = createSearcher(name, {
      seed: 1,
      distance: ({ id }) => (id === 5 ? 1 : 100),
      // Each turn is as long as a batch.
      instructions: () => (instructions += 40_000),
    });
    searcher.add([states[0]!], undefined);
    for (const state of states.slice(1)) searcher.add([state], states[0]);
    return searcher;
  };
  /** How often each of many choices is a state. */
  const shares = (searcher: Searcher): number[] => {
    const counts = new Array<number>(searcher.size).fill(0);
    for (let i = 0; i < 4000; i++) counts[searcher.next().id]! += 1 / 4000;
    return counts;
  };

  test('dfs runs a state until it ends, and returns to the latest fork', () => {
    const searcher = forked('dfs', 4);
    const order: number[] = [];
    while (searcher.size > 0) {
      const state = searcher.next();
      expect(searcher.next()).toBe(state);
      order.push(state.id);
      searcher.remove(state);
    }
    expect(order).toEqual([0, 3, 2, 1]);
  });

  test('bfs runs every state once before any a second time', () => {
    const searcher = forked('bfs', 4);
    const order = Array.from({ length: 8 }, () => searcher.next().id);
    expect(order).toEqual([0, 1, 2, 3, 0, 1, 2, 3]);
  });

  test('random-state chooses all states with the same probability', () => {
    for (const share of shares(forked('random-state', 8))) expect(share).toBeCloseTo(1 / 8, 1);
  });

  test('random-path halves the probability at each fork', () => {
    const counts = shares(forked('random-path', 8));
    for (let id = 1; id < 8; id++) expect(Math.abs(counts[id]! - 2 ** -id)).toBeLessThan(0.03);
  });

  test('coverage prefers states close to uncovered code', () => {
    const counts = shares(forked('coverage', 8));
    expect(Math.max(...counts)).toBe(counts[5]);
    expect(counts[5]).toBeGreaterThan(0.4);
  });

  test('the default alternates between both', () => {
    const counts = shares(forked('default', 64));
    // The first fork has half of the random paths; state 5 has 1 in 32 of them, and wins whenever
    // it is among the 8 of 64 that coverage compares.
    expect(Math.abs(counts[1]! - 1 / 4)).toBeLessThan(0.03);
    expect(Math.abs(counts[5]! - (1 / 64 + 1 / 16))).toBeLessThan(0.03);
  });
});

test('the default replaces the states of a batch by those that the batch left', () => {
  let instructions = 0;
  const [first, ...others] = Array.from({ length: 4 }, (_, id) => stateOf(id));
  const searcher = createSearcher('default', {
    seed: 1,
    distance: () => 1,
    instructions: () => instructions,
  });
  searcher.add([first!], undefined);
  expect(searcher.next()).toBe(first);
  for (const state of others) searcher.add([state], first);
  searcher.remove(first!);
  expect(searcher.size).toBe(3);
  expect(new Set(searcher.states())).toEqual(new Set(others));
  expect(searcher.next()).toBe(others[2]);
  const counts = [0, 0, 0, 0];
  for (let i = 0; i < 4000; i++) {
    instructions += 40_000;
    counts[searcher.next().id]! += 1 / 4000;
  }
  // Half of the choices are random paths, where 1 is nearest to the root; to the others all are the
  // same.
  const expected = [0, 1 / 2 + 1 / 3, 1 / 4 + 1 / 3, 1 / 4 + 1 / 3].map(share => share / 2);
  for (const [id, share] of counts.entries()) expect(Math.abs(share - expected[id]!)).toBeLessThan(0.03);
});

test.each(searcherNames)('%s continues in the same order after it was saved', name => {
  const step = fc.record({ forks: fc.nat(2), ends: fc.boolean(), isNew: fc.boolean(), saves: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), steps => {
      let instructions = 0;
      let nextId = 1;
      const create = () =>
        createSearcher(name, {
          seed: 3,
          distance: ({ id }) => id % 7,
          instructions: () => instructions,
        });
      const first = create();
      let second = create();
      // Two sets of states, so that a restored searcher cannot know the old ones.
      let twins = new Map<number, [State, State]>([[0, [stateOf(0), stateOf(0)]]]);
      first.add([twins.get(0)![0]], undefined);
      second.add([twins.get(0)![1]], undefined);
      for (const { forks, ends, isNew, saves } of steps) {
        if (first.size === 0) break;
        if (saves) {
          const live = [...second.states()].sort((a, b) => a.id - b.id);
          const numbers = new Map(live.map((state, i) => [state, i]));
          const saved = JSON.parse(JSON.stringify(second.save(state => numbers.get(state)!))) as Saved;
          const copies = live.map(state => ({ ...state }) as unknown as State);
          twins = new Map(live.map(({ id }, i) => [id, [twins.get(id)![0], copies[i]!]]));
          second = create();
          second.restore(saved, copies);
        }
        const pair = [first.next(), second.next()] as const;
        expect(pair[1].id).toBe(pair[0].id);
        const added = Array.from({ length: forks }, () => nextId++);
        for (const id of added) twins.set(id, [stateOf(id), stateOf(id)]);
        for (const [i, searcher] of [first, second].entries()) {
          const state = pair[i]!;
          state.coveredNew = isNew;
          state.instructions++;
          if (forks > 0)
            searcher.add(
              added.map(id => twins.get(id)![i]!),
              state,
            );
          if (ends) searcher.remove(state);
        }
        instructions += 12_000;
      }
      expect(second.size).toBe(first.size);
    }),
    { seed: 11, numRuns: 60 },
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSearcher, type Saved, searcherNames } from './searchers.js';
import type { State } from './state.js';

/** As much of a state as searchers look at. */
const stateOf = (id: number): State => ({ id, instructions: 0, coveredNew: false }) as unknown as State;

test.each(searcherNames)('%s goes on in the same order when it was saved', name => {
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
        instructions += 3000;
      }
      expect(second.size).toBe(first.size);
    }),
    { seed: 11, numRuns: 60 },
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Frontier } from './frontier.js';
import { type Answer, History } from './history.js';

/** All answers that a path got, oldest first. */
function answersOf(history: History): Answer[] {
  const answers: Answer[] = [];
  for (let node = history; node.earlier !== undefined; node = node.earlier) answers.push(node.answer);
  return answers.reverse();
}

/** The paths of a tree, by following it as a resumed exploration does. */
function follow(frontier: Frontier, root: History): Answer[][] {
  const found: Answer[][] = [];
  const waiting = [root];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const next = frontier.after(at);
    const state = frontier.stateAt(at);
    expect(state === undefined).toBe(next !== undefined);
    if (state !== undefined) found[state] = answersOf(at);
    const other = frontier.whenFalse(at);
    if (next !== undefined && next !== other) waiting.push(next);
    if (other !== undefined) waiting.push(other);
  }
  return found;
}

const step = fc.record({
  state: fc.nat(),
  what: fc.oneof(
    fc.constant('fork' as const),
    fc.constant('end' as const),
    fc.constantFrom<Answer>('always', 'never', 'yes', 'no', 'unknown'),
    fc.maxSafeNat(),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 128n }),
  ),
});

test('histories are restored from their text, whichever states were alive', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      const root = History.start();
      const states = [root];
      for (const { state, what } of steps) {
        const at = state % states.length;
        const history = states[at]!;
        if (what === 'fork')
          states.splice(at, 1, new History('true', history), new History('false', history));
        else if (what !== 'end') states[at] = new History(what, history);
        else if (states.length > 1) states.splice(at, 1);
      }
      const { text, order } = Frontier.of(root, states).write();
      const start = History.start();
      const again = Frontier.read(start, text);
      expect(again?.states).toBe(states.length);
      expect(follow(again!, start)).toEqual(order.map(i => answersOf(states[i]!)));
      // What was read can be written again, as after a second stop.
      expect(
        Frontier.of(
          root,
          order.map(i => states[i]!),
        ).write().text,
      ).toBe(text);
    }),
    { seed: 7, numRuns: 200 },
  );
});

test('a text that is not a tree is rejected', () => {
  for (const text of ['T)', '(F', 'x', '12', 'T(F)'])
    expect(Frontier.read(History.start(), text)?.states ?? 'refused', text).toBe(
      text === 'T(F)' ? 2 : 'refused',
    );
});

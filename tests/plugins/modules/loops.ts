/** Counts the loads and stores of marked bytes, by phase of the program. */
import { definePlugin, type HookContext } from 'redzone';

interface State {
  phases: number[];
}

const count = (_: unknown, { state }: HookContext<State, 'marks'>): void => {
  state.phases[state.phases.length - 1]!++;
};

export default definePlugin<State, 'marks'>({
  name: 'loops',
  shadow: { marks: { per: 'byte', bits: 2 } },
  state: () => ({ phases: [0] }),
  hooks: {
    call: [
      {
        functions: ['mark', 'unmark'],
        before: ({ function: name, arguments: [address, bytes] }, { shadow }) =>
          shadow('marks').set(address!, bytes!, name === 'mark' ? 2 : 0),
      },
      { functions: 'phase', before: (_, { state }) => void state.phases.push(0) },
    ],
    load: { when: { shadow: 'marks', is: 2 }, run: count },
    store: { when: { shadow: 'marks', has: 2 }, run: count },
    end: (_, { state, report }) => report('sum', state.phases.join(' ')),
  },
});

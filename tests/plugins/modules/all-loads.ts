/** Counts all loads of the program, by phase. */
import { definePlugin } from 'redzone';

export default definePlugin<{ phases: number[] }, never>({
  name: 'all-loads',
  state: () => ({ phases: [0] }),
  hooks: {
    call: { functions: 'phase', before: (_, { state }) => void state.phases.push(0) },
    load: (_, { state }) => {
      state.phases[state.phases.length - 1]!++;
    },
    end: (_, { state, report }) => report('sum', state.phases.join(' ')),
  },
});

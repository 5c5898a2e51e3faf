/**
 * No allocation after start-up: a device that runs for years may allocate while it starts, and
 * never again. Start-up is over when the function `run` is entered.
 */
import { definePlugin, type Place } from 'redzone';

export default definePlugin({
  name: 'no-alloc-after-start',
  state: () => ({ started: undefined as Place | undefined }),
  hooks: {
    enter: {
      functions: 'run',
      run: (_, { state, here }) => {
        state.started ??= here();
      },
    },
    allocate: ({ bytes }, { state, report }) => {
      if (state.started === undefined) return;
      const notes = [{ message: 'start-up is over here', at: state.started }];
      report('allocation', `${bytes} bytes are allocated after start-up`, notes);
    },
  },
});

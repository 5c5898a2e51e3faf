/**
 * File descriptors: opened and never closed, closed twice, used after `close`.
 *
 * A number is tracked from the call that returned it to the one that closes it.
 */
import { definePlugin, type Place } from 'redzone';

interface Descriptor {
  readonly opened: Place;
  closed?: Place;
}

export default definePlugin({
  name: 'file-descriptors',
  state: () => ({ known: {} as Record<number, Descriptor> }),
  hooks: {
    call: [
      {
        functions: ['open', 'openat', 'creat', 'dup', 'socket'],
        after: ({ result = -1 }, { state, here }) => {
          if (result >= 0) state.known[result] = { opened: here() };
        },
      },
      {
        functions: ['read', 'write', 'pread', 'pwrite', 'lseek', 'fstat', 'fsync', 'ftruncate', 'dup'],
        before: ({ function: name, arguments: [descriptor] }, { state, report }) => {
          const known = state.known[descriptor];
          if (known?.closed !== undefined)
            report('used-after-close', `\`${name}\` of descriptor ${descriptor}, which is closed`, [
              { message: 'it is opened here', at: known.opened },
              { message: 'it is closed here', at: known.closed },
            ]);
        },
      },
      {
        functions: 'close',
        before: ({ arguments: [descriptor] }, { state, report, here }) => {
          const known = state.known[descriptor];
          if (known?.closed !== undefined)
            report('closed-twice', `descriptor ${descriptor} is closed again`, [
              { message: 'it is closed here first', at: known.closed },
            ]);
          if (known !== undefined) known.closed = here();
        },
      },
    ],
    end: (_, { state, report }) => {
      for (const [descriptor, { opened, closed }] of Object.entries(state.known))
        if (closed === undefined)
          report('never-closed', `descriptor ${descriptor} is never closed`, [], opened);
    },
  },
});

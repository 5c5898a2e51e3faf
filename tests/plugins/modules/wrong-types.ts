/**
 * Plug-ins that must not compile: `npm run typecheck` fails if one of them does.
 */
import { definePlugin } from 'redzone';

definePlugin({
  name: 'misspelt',
  // @ts-expect-error there is no such hook
  hooks: { stores: () => undefined },
});

definePlugin({
  name: 'no-such-shadow',
  shadow: { seen: { per: 'byte', bits: 8 } },
  // @ts-expect-error the shadow is called `seen`
  hooks: { store: { when: { shadow: 'sene', has: 1 }, run: () => undefined } },
});

definePlugin({
  name: 'no-such-size',
  // @ts-expect-error a cell has 1, 2, 4, 8, 16 or 32 bits
  shadow: { seen: { per: 'byte', bits: 3 } },
  hooks: {},
});

definePlugin({
  name: 'two-questions',
  shadow: { seen: { per: 'byte', bits: 8 } },
  hooks: {
    // @ts-expect-error a condition has a test
    load: { when: { shadow: 'seen' }, run: () => undefined },
  },
});

definePlugin({
  name: 'wrong-event',
  hooks: {
    // @ts-expect-error an allocation has no `value`
    allocate: ({ value }) => void value,
  },
});

definePlugin({
  name: 'wrong-state',
  state: () => ({ count: 0 }),
  hooks: {
    // @ts-expect-error the state has no `counts`
    end: (_, { state }) => void state.counts,
  },
});

definePlugin({
  name: 'names-missing',
  // @ts-expect-error which functions?
  hooks: { enter: { run: () => undefined } },
});

definePlugin({
  name: 'undeclared',
  hooks: {
    // @ts-expect-error the plug-in has no shadows
    free: ({ address }, { shadow }) => shadow('seen').set(address, 1, 0),
  },
});

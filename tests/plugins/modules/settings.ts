/** Compiled code sets the cells of all stores; this module then checks them. */
import { definePlugin, type ShadowKind } from 'redzone';

const kinds = [1, 2, 4, 8, 16, 32].flatMap((bits): [string, ShadowKind][] => [
  [`byte${bits}`, { per: 'byte', bits } as ShadowKind],
  [`granule${bits}`, { per: 'granule', bits } as ShadowKind],
]);

export default definePlugin({
  name: 'settings',
  shadow: Object.fromEntries(kinds),
  state: () => ({ wrong: 0, looked: 0 }),
  hooks: {
    store: kinds.map(([shadow, { bits }]) => ({ set: { shadow, to: 2 ** bits - 1 } })),
    load: kinds.map(([shadow]) => ({ when: { shadow, has: 1 } as const, set: { shadow, to: 0 } })),
    call: {
      functions: 'expect_set',
      before: ({ arguments: [address, bytes, isSet] }, { state, shadow }) => {
        for (const [name, { per, bits }] of kinds) {
          for (let i = 0; i < bytes; i++, state.looked++)
            if (shadow(name).get(address + i) !== (isSet ? 2 ** bits - 1 : 0)) state.wrong++;
          const beside = per === 'byte' ? address + bytes : (Math.floor((address + bytes - 1) / 8) + 1) * 8;
          if (shadow(name).get(beside) !== 0) state.wrong++;
        }
      },
    },
    end: (_, { state, report }) => report('sum', `${state.looked} ${state.wrong}`),
  },
});

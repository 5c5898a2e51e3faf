/**
 * All conditions fail where cells are 0, so the runtime decides whether hooks of ranges are called.
 * The hooks of `fill` compute for which shadows they must be.
 */
import { definePlugin, type ShadowKind } from 'redzone';

const kinds = [1, 2, 4, 8, 16, 32].flatMap((bits): [string, ShadowKind][] => [
  [`byte${bits}`, { per: 'byte', bits } as ShadowKind],
  [`granule${bits}`, { per: 'granule', bits } as ShadowKind],
]);

let random = 1;
const next = (): number => {
  random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0;
  return random >>> 8;
};

export default definePlugin({
  name: 'ranges',
  shadow: Object.fromEntries(kinds),
  state: () => ({ asked: [] as number[], expected: [] as number[], hits: 0, misses: 0, wrong: 0 }),
  hooks: {
    call: [
      {
        functions: 'scramble',
        before: ({ arguments: [at, bytes] }, { shadow }) => {
          for (const [name, { bits }] of kinds)
            for (let i = 0; i < bytes; i++)
              shadow(name).set(at + i, 1, next() % 64 === 0 ? 2 ** (bits - 1) : 0);
        },
      },
      {
        functions: 'fill',
        before: ({ arguments: [at, bytes] }, { state, shadow }) => {
          state.asked = [];
          state.expected = kinds.flatMap(([name], i) =>
            Array.from({ length: bytes }, (_, k) => shadow(name).get(at + k)).some(cell => cell !== 0)
              ? [i]
              : [],
          );
        },
        after: (_, { state }) => {
          state.hits += state.expected.length;
          state.misses += kinds.length - state.expected.length;
          if (state.asked.join() !== state.expected.join()) state.wrong++;
        },
      },
    ],
    store: kinds.map(([shadow, { bits }], i) => ({
      when: { shadow, has: 2 ** (bits - 1) } as const,
      run: (_: unknown, { state }: { state: { asked: number[] } }) => void state.asked.push(i),
    })),
    end: (_, { state, report }) => report('sum', `${state.hits > 100 && state.misses > 100} ${state.wrong}`),
  },
});

/**
 * Evaluates each condition on each kind of shadow twice: compiled into the program, and here. Both
 * must agree on every access.
 */
import { type Condition, definePlugin, type Shadow, type ShadowKind } from 'redzone';

const kinds = [1, 2, 4, 8, 16, 32].flatMap((bits): [string, ShadowKind][] => [
  [`byte${bits}`, { per: 'byte', bits } as ShadowKind],
  [`granule${bits}`, { per: 'granule', bits } as ShadowKind],
]);
const shadow = Object.fromEntries(kinds);

const questions = kinds.flatMap(([name, { bits }]): Condition[] => {
  const high = 2 ** (bits - 1);
  return [
    { shadow: name, has: high },
    { shadow: name, lacks: high },
    { shadow: name, is: 0 },
    { shadow: name, isNot: high },
  ];
});

const passes = (cell: number, asked: Condition): boolean => {
  if ('has' in asked) return (cell & asked.has) !== 0;
  if ('lacks' in asked) return (~cell & asked.lacks) !== 0;
  return 'is' in asked ? cell === asked.is >>> 0 : cell !== asked.isNot >>> 0;
};

const someCell = (cells: Shadow, address: number, bytes: number, asked: Condition): boolean =>
  Array.from({ length: bytes }, (_, i) => cells.get(address + i)).some(cell => passes(cell, asked));

let random = 1;
const next = (): number => {
  random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0;
  return random >>> 8;
};

export default definePlugin({
  name: 'conditions',
  shadow,
  state: () => ({ asked: [] as number[], hits: 0, wrong: 0, random: 1 }),
  hooks: {
    call: {
      functions: 'scramble',
      before: ({ arguments: [at, bytes] }, { shadow: cells }) => {
        for (const [name, { bits }] of kinds)
          for (let i = 0; i < bytes; i++) {
            const choice = next() % 4;
            cells(name).set(
              at + i,
              1,
              choice === 0 ? 2 ** (bits - 1) : choice === 1 ? next() % 2 ** bits : 0,
            );
          }
      },
    },
    store: [
      ...questions.map((when, i) => ({
        when,
        run: (_: unknown, { state }: { state: { asked: number[] } }) => void state.asked.push(i),
      })),
      ({ address, bytes }, { state, shadow: cells }) => {
        const expected = questions.flatMap((asked, i) =>
          someCell(cells(asked.shadow), address, bytes, asked) ? [i] : [],
        );
        state.hits += expected.length;
        if (expected.join() !== state.asked.join()) state.wrong++;
        state.asked.length = 0;
      },
    ],
    end: (_, { state, report }) => report('sum', `${state.hits > 1000} ${state.wrong}`),
  },
});

import { expect, test } from 'vitest';
import { header, nameSection, section, sized, text, vector } from './encoding-testing.js';
import { inlineCalls } from './inline-calls.js';

const [i32, i64, f32, f64] = [0x7f, 0x7e, 0x7d, 0x7c];
const [block, loop, ifBegin, otherwise, end] = [0x02, 0x03, 0x04, 0x05, 0x0b];
const [br, brIf, brTable, back, call] = [0x0c, 0x0d, 0x0e, 0x0f, 0x10];
const none = 0x40;
const get = (index: number): number[] => [0x20, index];
const set = (index: number): number[] => [0x21, index];
const constant = (value: number): number[] => [0x41, value];
const [add, sub, mul, eqz, geU] = [0x6a, 0x6b, 0x6c, 0x45, 0x4f];

interface Function {
  readonly name: string;
  readonly parameters: readonly number[];
  readonly results: readonly number[];
  readonly variables?: readonly number[];
  readonly code: readonly number[];
}

/** Exports every function. Function 0 is an import, whose calls are counted. */
function moduleOf(functions: readonly Function[]): Uint8Array {
  const types = functions.map(({ parameters, results }) => [
    ...[0x60, ...vector(parameters.map(type => [type]))],
    ...vector(results.map(type => [type])),
  ]);
  return new Uint8Array([
    ...header,
    ...section(1, vector([[0x60, 0, 0], ...types])),
    ...section(2, vector([[...text('m'), ...text('count'), 0, 0]])),
    ...section(3, vector(functions.map((_, i) => [i + 1]))),
    ...section(7, vector(functions.map(({ name }, i) => [...text(name), 0, i + 1]))),
    ...section(
      10,
      vector(
        functions.map(({ variables = [], code }) =>
          sized([...vector(variables.map(type => [1, type])), ...code, end]),
        ),
      ),
    ),
    ...nameSection(functions.map(({ name }, i) => [i + 1, name])),
  ]);
}

/** The functions before and after, and how many calls of numbers are left in each one. */
function inlined(functions: readonly Function[], isApart: (name: string) => boolean = () => false) {
  const binary = moduleOf(functions);
  const made = inlineCalls(binary, isApart);
  const exportsOf = (bytes: Uint8Array) => {
    let counted = 0;
    const module = new WebAssembly.Module(new Uint8Array(bytes));
    const { exports } = new WebAssembly.Instance(module, { m: { count: () => counted++ } });
    const run = (name: string, ...args: (number | bigint)[]) => {
      counted = 0;
      const result = (exports[name] as (...args: (number | bigint)[]) => number | bigint)(...args);
      return { result, counted };
    };
    return run;
  };
  return { before: exportsOf(binary), after: exportsOf(made), grown: made.length - binary.length };
}

/** Sums `f(i)` for i from n down to 1, so that calls are in a loop. */
function sumOf(callee: number): Function {
  const code = [
    ...[block, none, loop, none, ...get(0), eqz, brIf, 1],
    ...[...get(1), ...get(0), call, callee, add, ...set(1)],
    ...[...get(0), ...constant(1), sub, ...set(0), br, 0, end, end],
    ...get(1),
  ];
  return { name: 'sum', parameters: [i32], results: [i32], variables: [i32], code };
}

const unary = (name: string, code: readonly number[], variables: readonly number[] = []): Function => ({
  ...{ name, parameters: [i32], results: [i32] },
  ...{ variables, code },
});

const cases: Record<string, readonly Function[]> = {
  'a return in nested blocks': [
    unary('f', [
      ...[block, none, ...get(0), ...constant(3), geU, ifBegin, none, ...constant(7), back, end, end],
      ...[...get(0), ...constant(2), mul],
    ]),
    sumOf(1),
  ],
  'a branch to the end of the function': [
    unary('f', [...constant(5), ...get(0), brIf, 0, 0x1a, ...constant(9)]),
    sumOf(1),
  ],
  'a table of branches': [
    unary('f', [
      ...[block, none, block, none, ...get(0), brTable, 2, 0, 1, 1, end, ...constant(11), back, end],
      ...[...get(0), ...constant(4), add],
    ]),
    sumOf(1),
  ],
  'a variable that must be zero again': [
    unary(
      'f',
      [
        ...get(0),
        ...constant(2),
        geU,
        ifBegin,
        none,
        ...get(1),
        ...constant(1),
        add,
        ...set(1),
        end,
        ...get(1),
      ],
      [i32],
    ),
    sumOf(1),
  ],
  'variables of each type': [
    unary(
      'f',
      [
        ...[...get(0), eqz, ifBegin, none, 0x42, 5, ...set(1), 0x43, 0, 0, 0x80, 0x3f, ...set(2)],
        ...[0x44, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, ...set(3), end],
        ...[...get(1), 0xa7, ...get(2), 0xa8, add, ...get(3), 0xaa, add, ...get(0), add],
      ],
      [i64, f32, f64],
    ),
    sumOf(1),
  ],
  'calls in arguments of calls': [
    unary('f', [...get(0), ...constant(3), mul]),
    sumOf(3),
    unary('g', [...get(0), call, 1, ...constant(1), add, call, 1, ...get(0), call, 1, sub]),
  ],
  'an effect that happens once': [unary('f', [call, 0, ...get(0)]), sumOf(1)],
};

test.each(Object.entries(cases))('%s: same results', (_, functions) => {
  const { before, after, grown } = inlined(functions);
  expect(grown).toBeGreaterThan(0);
  for (const { name } of functions)
    for (let n = 0; n < 6; n++) expect(after(name, n), `${name} of ${n}`).toEqual(before(name, n));
});

test('parameters of several types keep their order', () => {
  const f: Function = {
    ...{ name: 'f', parameters: [i64, i32, f64], results: [i64] },
    code: [...get(0), ...get(1), 0xac, 0x7d, ...get(2), 0xb0, 0x7e],
  };
  const g: Function = { ...f, name: 'g', code: [...get(0), ...get(1), ...get(2), call, 1] };
  const { before, after, grown } = inlined([f, g]);
  expect(grown).toBeGreaterThan(0);
  expect(after('g', 100n, 58, 3)).toEqual(before('g', 100n, 58, 3));
  expect(after('g', 100n, 58, 3).result).toBe(126n);
});

test('functions with loops, recursion, or a name that later passes look for stay calls', () => {
  const spin = unary('f', [loop, none, end, ...get(0)]);
  expect(inlined([spin, sumOf(1)]).grown).toBe(0);
  const recursive = unary('f', [
    ...[...get(0), eqz, ifBegin, i32, ...constant(1), otherwise],
    ...[...get(0), ...constant(1), sub, call, 1, end],
  ]);
  expect(inlined([recursive, sumOf(1)]).grown).toBe(0);
  const small = unary('f', [...get(0)]);
  expect(inlined([small, sumOf(1)], name => name === 'f').grown).toBe(0);
  expect(inlined([small, sumOf(1)]).grown).not.toBe(0);
});

test('functions that call each other are inlined into one another at most once', () => {
  const even = unary('even', [
    ...[...get(0), eqz, ifBegin, i32, ...constant(1), otherwise],
    ...[...get(0), ...constant(1), sub, call, 2, end],
  ]);
  const odd = unary('odd', [
    ...[...get(0), eqz, ifBegin, i32, ...constant(0), otherwise],
    ...[...get(0), ...constant(1), sub, call, 1, end],
  ]);
  const { before, after } = inlined([even, odd, sumOf(1)]);
  for (let n = 0; n < 9; n++)
    for (const name of ['even', 'odd', 'sum']) expect(after(name, n)).toEqual(before(name, n));
});

test('a larger function is inlined only into loops, and a caller grows to a limit', () => {
  const larger = unary('f', [...get(0), ...Array.from({ length: 30 }, () => [...constant(1), add]).flat()]);
  const once = unary('once', [...get(0), call, 1]);
  expect(inlined([larger, once]).grown).toBe(0);
  const calls = Array.from({ length: 200 }, () => [...get(0), call, 1, ...set(0)]).flat();
  const often = unary('often', [loop, none, ...calls, end, ...get(0)]);
  const { before, after, grown } = inlined([larger, often]);
  expect(grown).toBeGreaterThan(1_500);
  expect(grown).toBeLessThan(2_100);
  expect(after('often', 3)).toEqual(before('often', 3));
});

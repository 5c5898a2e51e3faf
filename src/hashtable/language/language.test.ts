/** Both ways to execute a program agree, and errors in a program are reported. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runAlone } from '../interleaving/interpreted-memory.js';
import { SimulatedMemory } from '../interleaving/simulated-memory.js';
import { emitModule } from './emit-wasm.js';
import { Interpreter, Process } from './interpret.js';
import { parseProgram } from './parse.js';

/** Expressions over two parameters, a field and a word of the memory. */
const { expression } = fc.letrec<{ expression: string }>(tie => {
  const pair = fc.tuple(tie('expression'), tie('expression'));
  const operator = fc.constantFrom('+', '-', '*', '&', '|', '^', '<<', '>>', '>>>');
  return {
    expression: fc.oneof(
      { depthSize: 'small' },
      fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(n => `${n}n`),
      fc.constantFrom('a', 'b', 'my.sum', '-1n'),
      fc.tuple(pair, operator).map(([[x, y], sign]) => `(${x} ${sign} ${y})`),
      pair.map(([x, y]) => `join(low(${x}), high(${y}))`),
      pair.map(([x, y]) => `larger(${x}, ${y})`),
      pair.map(([x, y]) => `join(${x} <= ${y} && !(${x} == ${y} || ${y} > 7n), clz(high(~${y})))`),
      tie('expression').map(x => `add64('head.pin', 8, ${x})`),
      pair.map(([x, y]) => `join(cas64('key.claim', 16, ${x}, ${y}), low(load64('key.read', 16)))`),
    ),
  };
});

const word = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

test('WebAssembly and the interpreter agree', () => {
  fc.assert(
    fc.property(expression, fc.array(fc.tuple(word, word), { minLength: 3, maxLength: 3 }), (text, calls) => {
      const program = parseProgram(
        [
          `field sum: i64;
           inline fn larger(x: i64, y: i64): i64 {
             let best = y;
             while (best < x) { best = x; if (x == 3n) break; }
             my.sum = my.sum ^ best;
             return best;
           }
           export fn run(a: i64, b: i64): i64 { own('line.own', 31); return ${text}; }`,
        ],
        {},
      );
      const shared = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
      const instance = new WebAssembly.Instance(new WebAssembly.Module(emitModule(program, 1)), {
        m: { memory: shared },
      });
      const run = instance.exports.run as (handle: number, a: bigint, b: bigint) => bigint;
      const memory = new SimulatedMemory(new Int32Array(8));
      const process = new Process(new Interpreter(program));
      for (const [a, b] of calls) expect(run(1024, a, b)).toBe(runAlone(process, memory, 'run', [a, b]));
      expect([...memory.words]).toEqual([...new Int32Array(shared.buffer, 0, 8)]);
    }),
    { seed: 8, numRuns: 80 },
  );
});

test('a byte that is stored to fetch its cache line must be zero, its word need not be', () => {
  const memory = new SimulatedMemory(new Int32Array([0x00ffffff, 0x01000000]));
  const own = (at: number): boolean =>
    memory.perform({ step: 'line.own', operation: 'own', operands: [at] }).wroteByteCount > 0;
  expect(own(3)).toBe(false);
  expect(() => own(7)).toThrow('is zero');
});

test.each([
  ['fn f(): i32 { return 1n + 1; }', 'i64 + i32'],
  ['fn f() { g(); }', 'g of '],
  ['fn f() { x = 1; }', 'nothing is called x'],
  ["fn f(): i32 { return load32('key.raed', 8); }", 'there is no step key.raed'],
  ['fn f() { let x = 1 }', "; is missing before '}'"],
  ['fn f() { # }', 'what is this'],
])('%s is refused', (text, message) => {
  expect(() => parseProgram([text], {})).toThrow(message);
});

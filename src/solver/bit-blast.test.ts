/**
 * Every circuit against the BigInt reference: exhaustively at 4 bits, at random up to 64, by
 * simulating the gates.
 */
import { describe, expect, test } from 'vitest';
import { Evaluator } from '../expr/evaluate.js';
import { BINARY_OPS, randomConstant, randomTwin, referenceBinary } from '../expr/random-terms-testing.js';
import { Op, type Term } from '../expr/term.js';
import { Terms } from '../expr/terms.js';
import { type BitVectorValue, toValue } from '../expr/value.js';
import { Random } from '../support/random.js';
import { BitBlaster, type Bits } from './bit-blast.js';
import { binaryBits } from './bit-vector-circuits.js';
import { Circuit, Gate, type Lit } from './circuit.js';
import { NO_DEADLINE } from './limits.js';

/** The value of every gate for given inputs, 32 assignments at a time: one per bit of a word. */
function simulate(circuit: Circuit, inputs: ReadonlyMap<number, number>): Int32Array {
  const words = new Int32Array(circuit.gateCount);
  const of = (lit: Lit): number => (lit & 1 ? ~words[lit >> 1]! : words[lit >> 1]!);
  for (let gate = 1; gate < circuit.gateCount; gate++) {
    const a = of(circuit.operands[3 * gate]!);
    const b = of(circuit.operands[3 * gate + 1]!);
    const c = of(circuit.operands[3 * gate + 2]!);
    switch (circuit.kind[gate] as Gate) {
      case Gate.Input:
        words[gate] = inputs.get(gate) ?? 0;
        break;
      case Gate.And:
        words[gate] = a & b;
        break;
      case Gate.Xor:
        words[gate] = a ^ b;
        break;
      case Gate.Ite:
        words[gate] = (a & b) | (~a & c);
        break;
      case Gate.Maj:
        words[gate] = (a & b) | (a & c) | (b & c);
        break;
    }
  }
  return words;
}

function valueAt(words: Int32Array, bits: Bits, lane: number): bigint {
  let value = 0n;
  for (const [i, lit] of bits.entries()) {
    const bit = ((words[lit >> 1]! >>> lane) & 1) ^ (lit & 1);
    value |= BigInt(bit) << BigInt(i);
  }
  return value;
}

/** Inputs or constant bits, and how to feed them a value in each lane. */
function operand(g: Circuit, width: number, constant?: bigint): Bits {
  return Array.from({ length: width }, (_, i) =>
    constant === undefined ? g.input() : Number((constant >> BigInt(i)) & 1n),
  );
}

function feed(inputs: Map<number, number>, bits: Bits, lane: number, value: bigint): void {
  for (const [i, lit] of bits.entries()) {
    const word = inputs.get(lit >> 1) ?? 0;
    inputs.set(lit >> 1, word | (Number((value >> BigInt(i)) & 1n) << lane));
  }
}

describe('circuits', () => {
  test.each(BINARY_OPS.map(op => [Op[op]!, op] as const))(
    '%s, all values at 4 bits, also with a constant operand',
    (_, op) => {
      for (let fixed = -1; fixed < 32; fixed++) {
        const g = new Circuit();
        const a = operand(g, 4, fixed >= 0 && fixed < 16 ? BigInt(fixed) : undefined);
        const b = operand(g, 4, fixed >= 16 ? BigInt(fixed - 16) : undefined);
        const out = binaryBits(g, op, a, b);
        for (let batch = 0; batch < 8; batch++) {
          const inputs = new Map<number, number>();
          for (let lane = 0; lane < 32; lane++) {
            const row = 32 * batch + lane;
            if (fixed < 0 || fixed >= 16) feed(inputs, a, lane, BigInt(row & 15));
            if (fixed < 16) feed(inputs, b, lane, BigInt(row >> 4));
          }
          const words = simulate(g, inputs);
          for (let lane = 0; lane < 32; lane++) {
            const row = 32 * batch + lane;
            const x = fixed >= 0 && fixed < 16 ? BigInt(fixed) : BigInt(row & 15);
            const y = fixed >= 16 ? BigInt(fixed - 16) : BigInt(row >> 4);
            if (valueAt(words, out, lane) !== referenceBinary(op, 4, x, y)) expect.fail(`${x} ${y}`);
          }
        }
      }
    },
  );

  test.each([5, 8, 16, 32, 64])('every operator at %i bits, random values', width => {
    const random = new Random(width);
    for (const op of BINARY_OPS) {
      const g = new Circuit();
      const a = operand(g, width);
      const b = operand(g, width);
      const out = binaryBits(g, op, a, b);
      const inputs = new Map<number, number>();
      const rows = Array.from({ length: 32 }, (_, lane) => {
        const x = randomConstant(random, width);
        const y =
          lane % 4 === 0
            ? BigInt(random.below(width + 2)) % (1n << BigInt(width))
            : randomConstant(random, width);
        feed(inputs, a, lane, x);
        feed(inputs, b, lane, y);
        return [x, y] as const;
      });
      const words = simulate(g, inputs);
      for (const [lane, [x, y]] of rows.entries()) {
        expect(valueAt(words, out, lane)).toBe(referenceBinary(op, width, x, y));
      }
    }
  });

  test('the adder of 32 bits is the lower half of that of 64', () => {
    const t = new Terms();
    const blaster = new BitBlaster(t);
    const x = t.variable('x', 64);
    const y = t.variable('y', 64);
    const bitsOf = (term: Term): Bits => {
      const blasted = blaster.blast(term, NO_DEADLINE);
      if (blasted.kind !== 'done') throw new Error(blasted.reason);
      return blasted.bits;
    };
    const wide = bitsOf(t.add(x, y));
    const gates = blaster.circuit.gateCount;
    expect(bitsOf(t.add(t.extract(x, 0, 32), t.extract(y, 0, 32)))).toEqual(wide.slice(0, 32));
    expect(blaster.circuit.gateCount).toBe(gates);
  });
});

describe('terms', () => {
  test('random terms with arrays: the circuit and the evaluator agree', () => {
    const random = new Random(21);
    for (let round = 0; round < 150; round++) {
      const t = new Terms();
      const blaster = new BitBlaster(t);
      const variables = [1, 4, 8, 8, 32].map((width, i) => ({ term: t.variable(`v${i}`, width), value: 0n }));
      const input = t.symbolicArray('input', 11);
      const table = Uint8Array.from({ length: 16 }, (_, i) => (i * 73) & 255);
      const arrays = [
        { array: input, bytes: new Uint8Array(11) },
        { array: t.constantArray(table), bytes: table },
      ];
      const { term } = randomTwin(t, random, { terms: variables, arrays }, 8, 4);
      const blasted = blaster.blast(term, NO_DEADLINE);
      if (blasted.kind !== 'done') return expect.fail(blasted.reason);
      const inputs = new Map<number, number>();
      const lanes = Array.from({ length: 32 }, (_, lane) => {
        const values = new Map<string, BitVectorValue>();
        for (const { term: variable } of variables) {
          const value = randomConstant(random, variable.width);
          values.set(variable.name, toValue(variable.width, value));
          if (blaster.blast(variable, NO_DEADLINE).kind === 'done')
            feed(inputs, blaster.bitsOf(variable), lane, value);
        }
        const bytes = Uint8Array.from({ length: 11 }, () => random.below(256));
        for (const [i, byte] of bytes.entries()) feed(inputs, blaster.byteOf(input, i), lane, BigInt(byte));
        return new Evaluator({ variables: values, arrays: new Map([['input', bytes]]) });
      });
      const words = simulate(blaster.circuit, inputs);
      for (const [lane, evaluator] of lanes.entries()) {
        expect(valueAt(words, blasted.bits, lane)).toBe(BigInt(evaluator.value(term)));
      }
    }
  });

  test('the circuit of a table of 64 KiB has the size of its structure', () => {
    const t = new Terms();
    const blaster = new BitBlaster(t);
    const index = t.variable('i', 32);
    const runs = t.constantArray(Uint8Array.from({ length: 65536 }, (_, i) => i >> 12));
    blaster.blast(t.read(runs, index), NO_DEADLINE);
    expect(blaster.circuit.gateCount).toBeLessThan(700);
    const random = new Random(1);
    const noise = t.constantArray(Uint8Array.from({ length: 65536 }, () => random.below(256)));
    blaster.blast(t.read(noise, index), NO_DEADLINE);
    expect(blaster.circuit.gateCount).toBeLessThan(140_000);
  });

  test('terms that are too wide are rejected', () => {
    const t = new Terms();
    const x = t.variable('x', 4096);
    const blasted = new BitBlaster(t).blast(t.mul(x, t.add(x, x)), NO_DEADLINE);
    expect(blasted).toEqual({ kind: 'stopped', reason: 'Mul of 4096 bits' });
  });
});

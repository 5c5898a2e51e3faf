/** Arithmetic of float and double, as JavaScript does it, and of long double. A symbolic operand is given one of its values. */
import * as V from '../../expr/value.js';
import type { BinaryInstruction, UnaryInstruction } from '../../ir/model.js';
import { scalarType } from '../../ir/types.js';
import type { Decoder } from '../decode.js';
import { type Handler, Step } from '../decoded.js';
import type { Machine } from '../machine.js';
import { quadOperation } from '../quad.js';
import { undefinedResult } from '../undefined-use.js';
import { asTerm, known, type Scalar } from '../value.js';
import { elementwise } from './elementwise.js';
import { unsupported } from './unsupported.js';

const operations: Record<string, (a: number, b: number) => number> = {
  fadd: (a, b) => a + b,
  fsub: (a, b) => a - b,
  fmul: (a, b) => a * b,
  fdiv: (a, b) => a / b,
  frem: (a, b) => a % b,
  fneg: a => -a,
};

export function decodeFloat(decoder: Decoder, instruction: BinaryInstruction | UnaryInstruction): Step {
  const type = scalarType(instruction.type);
  const isQuad = type.kind === 'float' && type.bits === 128;
  if (type.kind !== 'float' || (type.bits !== 32 && type.bits !== 64 && !isQuad))
    return unsupported(decoder, instruction, 'arithmetic of half');
  const operation = operations[instruction.op]!;
  const compute = type.bits === 32 ? (a: number, b: number) => Math.fround(operation(a, b)) : operation;
  const into = decoder.register(instruction);
  const [left, right] =
    'operand' in instruction
      ? [instruction.operand, instruction.operand]
      : [instruction.left, instruction.right];
  const a = decoder.register(left);
  const b = decoder.register(right);
  if (instruction.op === 'fneg' && instruction.type.kind !== 'vector')
    return new Step(runNegate, into, a, 0, 0, type.bits, undefined, instruction) as Step;
  if (isQuad) return new Step(runQuad, into, a, b, 0, 128, instruction.op, instruction) as Step;
  if (instruction.type.kind === 'vector') {
    const { bits } = type;
    const each = elementwise((machine, x, y) => compute(machine.float(bits, x), machine.float(bits, y)));
    return new Step(each, into, a, b, 0, type.bits, undefined, instruction) as Step;
  }
  return new Step(run, into, a, b, 0, type.bits, compute, instruction) as Step;
}

const run: Handler<(a: number, b: number) => number> = (machine, step, regs) => {
  const [a, b] = [regs[step.a] as Scalar, regs[step.b] as Scalar];
  regs[step.into] =
    ofUndefined(machine, step, a, b) ??
    step.detail(machine.float(step.width, a), machine.float(step.width, b));
  return undefined;
};

/** The result where an operand was never written. */
function ofUndefined(
  machine: Machine,
  { ir, width }: Pick<Step, 'ir' | 'width'>,
  a: Scalar,
  b: Scalar,
): Scalar | undefined {
  return typeof a === 'object' || typeof b === 'object'
    ? undefinedResult(machine, ir.op, [a, b], width)
    : undefined;
}

/** Of a symbolic float only the sign bit changes. */
const runNegate: Handler<undefined> = ({ terms }, step, regs) => {
  const value = regs[step.a] as Scalar;
  if (typeof value === 'number' && step.width < 128) regs[step.into] = -value;
  else {
    const sign = terms.constant(step.width, 1n << BigInt(step.width - 1));
    regs[step.into] = known(terms.xor(asTerm(terms, step.width, value), sign));
  }
  return undefined;
};

/** `long double` is held as its bits. */
const runQuad: Handler<string> = (machine, step, regs) => {
  const [a, b] = [regs[step.a] as Scalar, regs[step.b] as Scalar];
  const bitsOf = (value: Scalar): bigint => BigInt(machine.fewValues(value, 'a symbolic float'));
  regs[step.into] =
    ofUndefined(machine, step, a, b) ?? V.toValue(128, quadOperation(step.detail, bitsOf(a), bitsOf(b)));
  return undefined;
};

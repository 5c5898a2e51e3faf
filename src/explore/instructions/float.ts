/**
 * Arithmetic of float and double, concrete or as terms; and of long double, whose symbolic operands
 * are concretized.
 */

import { floatAdd, floatDivide, floatMultiply, floatSubtract } from '../../expr/float-arithmetic.js';
import { floatNegate } from '../../expr/float-terms.js';
import * as V from '../../expr/value.js';
import type { BinaryInstruction, UnaryInstruction } from '../../ir/model.js';
import { scalarType } from '../../ir/types.js';
import { undefinedResult } from '../access/undefined-use.js';
import type { Decoder } from '../program/decoder.js';
import { type Handler, Step } from '../state/decoded.js';
import type { Decisions } from '../state/running.js';
import { quadOperation } from '../values/quad.js';
import { asTerm, known, type Scalar } from '../values/register-value.js';
import type { FloatCircuits, FloatOperation } from '../values/symbolic-floats.js';
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

const termOperations: Record<string, FloatOperation> = {
  fadd: (terms, format, a, b) => floatAdd(terms, format, a!, b!),
  fsub: (terms, format, a, b) => floatSubtract(terms, format, a!, b!),
  fmul: (terms, format, a, b) => floatMultiply(terms, format, a!, b!),
  fdiv: (terms, format, a, b) => floatDivide(terms, format, a!, b!),
  fneg: (terms, _format, a) => floatNegate(terms, a!),
};

/** Decisions, and the terms of symbolic floats. */
export interface Floats extends Decisions {
  readonly floats: FloatCircuits;
}

type FloatFunction = (machine: Floats, a: Scalar, b: Scalar) => Scalar;

/** Applies an operation to two floats or doubles in registers. */
export function floatArithmetic(op: string, bits: 32 | 64): FloatFunction {
  const operation = operations[op]!;
  const compute = bits === 32 ? (a: number, b: number) => Math.fround(operation(a, b)) : operation;
  const build = termOperations[op];
  return (machine, a, b) => {
    if (typeof a !== 'object' && typeof b !== 'object') return compute(a as number, b as number);
    return (
      undefinedResult(machine, op, [a, b], bits) ??
      (build && machine.floats.result(build, bits, [a, b])) ??
      compute(machine.float(bits, a), machine.float(bits, b))
    );
  };
}

export function decodeFloat(decoder: Decoder, instruction: BinaryInstruction | UnaryInstruction): Step {
  const type = scalarType(instruction.type);
  const bits = type.kind === 'float' ? type.bits : 0;
  if (bits !== 32 && bits !== 64 && bits !== 128)
    return unsupported(decoder, instruction, 'arithmetic of half');
  const into = decoder.register(instruction);
  const [left, right] =
    'operand' in instruction
      ? [instruction.operand, instruction.operand]
      : [instruction.left, instruction.right];
  const a = decoder.register(left);
  const b = decoder.register(right);
  const isVector = instruction.type.kind === 'vector';
  if (instruction.op === 'fneg' && !isVector)
    return Step.of({ run: runNegate, ir: instruction, into, a, width: bits });
  if (bits === 128)
    return Step.of({ run: runQuad, ir: instruction, into, a, b, width: 128, detail: instruction.op });
  const compute = floatArithmetic(instruction.op, bits);
  if (isVector) return Step.of({ run: elementwise(compute), ir: instruction, into, a, b, width: bits });
  return Step.of({ run, ir: instruction, into, a, b, width: bits, detail: compute });
}

const run: Handler<FloatFunction> = (machine, step, regs) => {
  regs[step.into] = step.detail(machine, regs[step.a]!, regs[step.b]!);
  return undefined;
};

/** Only the sign bit of a symbolic float changes. */
const runNegate: Handler<undefined> = ({ terms }, step, regs) => {
  const value = regs[step.a]!;
  if (step.width < 128)
    regs[step.into] = typeof value === 'object' ? floatNegate(terms, value) : -(value as number);
  else regs[step.into] = known(floatNegate(terms, asTerm(terms, 128, value)));
  return undefined;
};

/** `long double` is represented by its bits. */
const runQuad: Handler<string> = (machine, step, regs) => {
  const [a, b] = [regs[step.a]!, regs[step.b]!];
  const bitsOf = (value: Scalar): bigint => BigInt(machine.fewValues(value, 'a symbolic float'));
  regs[step.into] =
    (typeof a === 'object' || typeof b === 'object'
      ? undefinedResult(machine, step.ir.op, [a, b], 128)
      : undefined) ?? V.toValue(128, quadOperation(step.detail, bitsOf(a), bitsOf(b)));
  return undefined;
};

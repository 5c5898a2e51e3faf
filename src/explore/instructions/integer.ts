/**
 * Integer arithmetic. Concrete operands are computed, others become terms. Undefined behaviour is
 * an error of the program: signed overflow (`nsw`), division by zero, shifts by at least the width.
 */

import type { BinaryOp as TermOp } from '../../expr/term.js';
import type { Terms } from '../../expr/terms.js';
import * as V from '../../expr/value.js';
import { type BinaryInstruction, type BinaryOp, Flag } from '../../ir/model.js';
import { scalarType } from '../../ir/types.js';
import { requireDefined } from '../access/undefined-use.js';
import type { Decoder } from '../program/decoder.js';
import { type Handler, Step } from '../state/decoded.js';
import type { Decisions } from '../state/running.js';
import {
  type IntegerOperator,
  integerOperation,
  integerOperator,
  signedOverflows,
} from '../values/integer-operations.js';
import { asTerm, type Known, known, type Scalar } from '../values/register-value.js';
import { failOverflow, failShift, failZeroDivisor } from './arithmetic-errors.js';
import { elementwise } from './elementwise.js';

/** A condition on the operands. */
type Check = (machine: Decisions, width: number, a: Scalar, b: Scalar) => void;

/** Operations that are checked whatever their flags. */
const operandChecks: Partial<Record<BinaryOp, Check>> = {
  udiv: checkDivisor,
  sdiv: checkSignedDivision,
  urem: checkDivisor,
  srem: checkSignedRemainder,
  shl: checkShift,
  lshr: checkShift,
  ashr: checkShift,
};

export function decodeInteger(decoder: Decoder, instruction: BinaryInstruction): Step {
  const operator = integerOperator(instruction.op);
  const type = scalarType(instruction.type);
  const width = type.kind === 'integer' ? type.bits : 64;
  const signedOverflow =
    (instruction.flags & Flag.nsw) !== 0 && instruction.op !== 'shl'
      ? overflowChecks[instruction.op]
      : undefined;
  const check = signedOverflow ?? operandChecks[instruction.op];
  const into = decoder.register(instruction);
  const a = decoder.register(instruction.left);
  const b = decoder.register(instruction.right);
  const detail: IntegerDetail = { operator, check };
  if (instruction.type.kind === 'vector') {
    const each = (machine: Decisions, x: Scalar, y: Scalar): Scalar => {
      check?.(machine, width, x, y);
      return integerOperation(machine.terms, instruction.op, width, x, y);
    };
    return Step.of({ run: elementwise(each), ir: instruction, into, a, b, width });
  }
  return Step.of({
    run: check === undefined ? runUnchecked : runChecked,
    ir: instruction,
    into,
    a,
    b,
    width,
    detail,
  });
}

interface IntegerDetail {
  readonly operator: IntegerOperator;
  /** Undefined if the operation cannot fail. */
  readonly check: Check | undefined;
}

const runUnchecked: Handler<IntegerDetail> = (machine, step, regs) => {
  const a = regs[step.a]!;
  const b = regs[step.b]!;
  const { operator } = step.detail;
  regs[step.into] =
    typeof a !== 'object' && typeof b !== 'object'
      ? operator.compute(step.width, a, b)
      : symbolic(machine.terms, operator.op, step.width, a, b);
  return undefined;
};

const runChecked: Handler<IntegerDetail> = (machine, step, regs) => {
  const a = regs[step.a]!;
  const b = regs[step.b]!;
  const { operator, check } = step.detail;
  check?.(machine, step.width, a, b);
  regs[step.into] =
    typeof a !== 'object' && typeof b !== 'object'
      ? operator.compute(step.width, a, b)
      : symbolic(machine.terms, operator.op, step.width, a, b);
  return undefined;
};

function symbolic(terms: Terms, op: TermOp, width: number, a: Scalar, b: Scalar): Scalar {
  return known(terms.binary(op, asTerm(terms, width, a), asTerm(terms, width, b)));
}

// ------------------------------------------------------------------------------------------ checks

function checkDivisor(machine: Decisions, width: number, a: Scalar, b: Scalar): void {
  if (typeof b === 'object') {
    const { terms } = machine;
    requireDefined(machine, b);
    if (!machine.decide(terms.eq(b, terms.constant(width, 0)))) return;
  } else if (b !== 0) return;
  failZeroDivisor(machine, width, a);
}

function checkSignedDivision(machine: Decisions, width: number, a: Scalar, b: Scalar): void {
  checkDivisor(machine, width, a, b);
  const least = 1n << BigInt(width - 1);
  if (typeof a !== 'object' && typeof b !== 'object') {
    if (BigInt(a) !== least || V.toSigned(width, b) !== -1) return;
  } else {
    const { terms } = machine;
    const isLeast = terms.eq(asTerm(terms, width, a), terms.constant(width, least));
    const isMinusOne = terms.eq(asTerm(terms, width, b), terms.constant(width, -1));
    if (!machine.decide(machine.unwritten.certainly(terms.and(isLeast, isMinusOne)))) return;
  }
  failOverflow(machine, 'div', width, a, b);
}

/** The remainder of the least value by -1 would be 0, but most machines trap on the division. */
function checkSignedRemainder(machine: Decisions, width: number, a: Scalar, b: Scalar): void {
  if (machine.isUnchecked('signed-overflow')) checkDivisor(machine, width, a, b);
  else checkSignedDivision(machine, width, a, b);
}

function checkShift(machine: Decisions, width: number, a: Scalar, b: Scalar): void {
  if (typeof b === 'object') {
    const { terms } = machine;
    requireDefined(machine, b);
    if (machine.decide(terms.ult(b, terms.constant(width, width)))) return;
  } else if (b < width) return;
  failShift(machine, width, a, b);
}

const overflowChecks: Partial<Record<BinaryOp, Check>> = {
  add: (machine, width, a, b) => checkOverflow(machine, 'add', width, a, b),
  sub: (machine, width, a, b) => checkOverflow(machine, 'sub', width, a, b),
  mul: (machine, width, a, b) => checkOverflow(machine, 'mul', width, a, b),
};

/**
 * Fails if the result of a signed operation does not fit. If an operand is uninitialized, that is
 * reported where it matters.
 */
export function checkOverflow(
  machine: Decisions,
  op: 'add' | 'sub' | 'mul',
  width: number,
  a: Scalar,
  b: Scalar,
): void {
  if (typeof a !== 'object' && typeof b !== 'object') {
    if (fits(op, width, V.toSigned(width, a), V.toSigned(width, b))) return;
    failOverflow(machine, op, width, a, b);
  }
  const overflows = signedOverflows(machine.terms, op, width, a, b);
  if (!machine.decide(machine.unwritten.certainly(overflows))) return;
  failOverflow(machine, op, width, a, b);
}

function fits(op: 'add' | 'sub' | 'mul', width: number, x: Known, y: Known): boolean {
  if (typeof x === 'number' && typeof y === 'number') {
    const result = op === 'add' ? x + y : op === 'sub' ? x - y : x * y;
    if (Math.abs(result) <= Number.MAX_SAFE_INTEGER) {
      const limit = 2 ** (width - 1);
      return result < limit && result >= -limit;
    }
  }
  const [m, n] = [BigInt(x), BigInt(y)];
  const result = op === 'add' ? m + n : op === 'sub' ? m - n : m * n;
  return BigInt.asIntN(width, result) === result;
}

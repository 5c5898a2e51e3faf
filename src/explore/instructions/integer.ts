/**
 * Integer arithmetic. Known operands are computed, others become terms; what C leaves undefined is an error of the program:
 * signed overflow (`nsw`), division by zero, shifts by the width or more.
 */
import { Op, type Term } from '../../expr/term.js';
import type { Terms } from '../../expr/terms.js';
import * as V from '../../expr/value.js';
import { type BinaryInstruction, type BinaryOp, Flag } from '../../ir/model.js';
import { scalarType } from '../../ir/types.js';
import { requireDefined } from '../access/undefined-use.js';
import type { Machine } from '../machine/machine.js';
import { type Handler, Step } from '../state/decoded.js';
import { asTerm, type Known, known, type Scalar } from '../values/value.js';
import type { Decoder } from './decode.js';
import { elementwise } from './elementwise.js';

type Compute = (width: number, a: Known, b: Known) => Known;

interface Operator {
  readonly op: Op;
  readonly compute: Compute;
  /** What must hold of the operands; undefined when nothing can go wrong. */
  readonly check?: (machine: Machine, width: number, a: Scalar, b: Scalar) => void;
}

const operators: Partial<Record<BinaryOp, Operator>> = {
  add: { op: Op.Add, compute: V.add },
  sub: { op: Op.Sub, compute: V.sub },
  mul: { op: Op.Mul, compute: V.mul },
  udiv: { op: Op.Udiv, compute: V.udiv, check: checkDivisor },
  sdiv: { op: Op.Sdiv, compute: V.sdiv, check: checkSignedDivision },
  urem: { op: Op.Urem, compute: V.urem, check: checkDivisor },
  srem: { op: Op.Srem, compute: V.srem, check: checkSignedDivision },
  shl: { op: Op.Shl, compute: V.shl, check: checkShift },
  lshr: { op: Op.Lshr, compute: V.lshr, check: checkShift },
  ashr: { op: Op.Ashr, compute: V.ashr, check: checkShift },
  and: { op: Op.And, compute: V.and },
  or: { op: Op.Or, compute: V.or },
  xor: { op: Op.Xor, compute: V.xor },
};

/** The result of an integer operator on scalars, with no checks. */
export function integerOperation(terms: Terms, op: BinaryOp, width: number, a: Scalar, b: Scalar): Scalar {
  const operator = operators[op]!;
  if (typeof a !== 'object' && typeof b !== 'object') return operator.compute(width, a, b);
  return known(terms.binary(operator.op, asTerm(terms, width, a), asTerm(terms, width, b)));
}

export function decodeInteger(decoder: Decoder, instruction: BinaryInstruction): Step {
  const operator = operators[instruction.op]!;
  const type = scalarType(instruction.type);
  const width = type.kind === 'integer' ? type.bits : 64;
  const signedOverflow =
    (instruction.flags & Flag.nsw) !== 0 && instruction.op !== 'shl'
      ? overflowChecks[instruction.op]
      : undefined;
  const check = signedOverflow ?? operator.check;
  const into = decoder.register(instruction);
  const a = decoder.register(instruction.left);
  const b = decoder.register(instruction.right);
  const detail: IntegerDetail = { operator, check };
  if (instruction.type.kind === 'vector') {
    const each = (machine: Machine, x: Scalar, y: Scalar): Scalar => {
      check?.(machine, width, x, y);
      return integerOperation(machine.terms, instruction.op, width, x, y);
    };
    return new Step(elementwise(each), into, a, b, 0, width, undefined, instruction) as Step;
  }
  return new Step(
    check === undefined ? runUnchecked : runChecked,
    into,
    a,
    b,
    0,
    width,
    detail,
    instruction,
  ) as Step;
}

interface IntegerDetail {
  readonly operator: Operator;
  readonly check: Operator['check'];
}

const runUnchecked: Handler<IntegerDetail> = (machine, step, regs) => {
  const a = regs[step.a] as Scalar;
  const b = regs[step.b] as Scalar;
  const { operator } = step.detail;
  regs[step.into] =
    typeof a !== 'object' && typeof b !== 'object'
      ? operator.compute(step.width, a, b)
      : symbolic(machine.terms, operator.op, step.width, a, b);
  return undefined;
};

const runChecked: Handler<IntegerDetail> = (machine, step, regs) => {
  const a = regs[step.a] as Scalar;
  const b = regs[step.b] as Scalar;
  const { operator, check } = step.detail;
  check?.(machine, step.width, a, b);
  regs[step.into] =
    typeof a !== 'object' && typeof b !== 'object'
      ? operator.compute(step.width, a, b)
      : symbolic(machine.terms, operator.op, step.width, a, b);
  return undefined;
};

function symbolic(terms: Terms, op: Op, width: number, a: Scalar, b: Scalar): Scalar {
  return known(terms.binary(op, asTerm(terms, width, a), asTerm(terms, width, b)));
}

// ------------------------------------------------------------------------------------------- checks

function checkDivisor(machine: Machine, width: number, _a: Scalar, b: Scalar): void {
  if (typeof b === 'object') {
    const { terms } = machine;
    requireDefined(machine, b);
    if (!machine.decide(terms.eq(b, terms.constant(width, 0)))) return;
  } else if (b !== 0) return;
  machine.fail('division-by-zero', 'division by zero');
}

function checkSignedDivision(machine: Machine, width: number, a: Scalar, b: Scalar): void {
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
  machine.fail('signed-overflow', 'the quotient of the least value and -1 does not fit its type');
}

function checkShift(machine: Machine, width: number, _a: Scalar, b: Scalar): void {
  if (typeof b === 'object') {
    const { terms } = machine;
    requireDefined(machine, b);
    if (machine.decide(terms.ult(b, terms.constant(width, width)))) return;
  } else if (b < width) return;
  const amount = typeof b === 'object' ? 'the width or more' : `${V.toSigned(width, b)} bits`;
  machine.fail('shift-out-of-bounds', `shift of a ${width}-bit value by ${amount}`);
}

const overflowChecks: Partial<Record<BinaryOp, NonNullable<Operator['check']>>> = {
  add: (machine, width, a, b) => checkOverflow(machine, 'add', width, a, b),
  sub: (machine, width, a, b) => checkOverflow(machine, 'sub', width, a, b),
  mul: (machine, width, a, b) => checkOverflow(machine, 'mul', width, a, b),
};

const signs = { add: '+', sub: '-', mul: '*' } as const;

/** Fails when the result of a signed operation does not fit. That of what was never written may, and is an error where it matters. */
export function checkOverflow(
  machine: Machine,
  op: 'add' | 'sub' | 'mul',
  width: number,
  a: Scalar,
  b: Scalar,
): void {
  if (typeof a !== 'object' && typeof b !== 'object') {
    const x = V.toSigned(width, a);
    const y = V.toSigned(width, b);
    if (fits(op, width, x, y)) return;
    machine.fail('signed-overflow', `signed overflow: ${x} ${signs[op]} ${y} does not fit in ${width} bits`);
  }
  const overflows = signedOverflows(machine.terms, op, width, a, b);
  if (!machine.decide(machine.unwritten.certainly(overflows))) return;
  machine.fail('signed-overflow', `the result of ${signs[op]} does not fit in ${width} bits`);
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

/** Whether the exact result needs more bits than there are. */
export function signedOverflows(
  terms: Terms,
  op: 'add' | 'sub' | 'mul',
  width: number,
  a: Scalar,
  b: Scalar,
): Term {
  const wide = op === 'mul' ? 2 * width : width + 1;
  const x = terms.sext(asTerm(terms, width, a), wide);
  const y = terms.sext(asTerm(terms, width, b), wide);
  const exact = terms[op](x, y);
  return terms.not(terms.eq(exact, terms.sext(terms.extract(exact, 0, width), wide)));
}

export function unsignedOverflows(
  terms: Terms,
  op: 'add' | 'sub' | 'mul',
  width: number,
  a: Scalar,
  b: Scalar,
): Term {
  if (op === 'sub') return terms.ult(asTerm(terms, width, a), asTerm(terms, width, b));
  const wide = op === 'mul' ? 2 * width : width + 1;
  const exact = terms[op](
    terms.zext(asTerm(terms, width, a), wide),
    terms.zext(asTerm(terms, width, b), wide),
  );
  return terms.not(terms.eq(exact, terms.zext(terms.extract(exact, 0, width), wide)));
}

/** Operations on concrete or symbolic integers, without checks. */
import { Op, type Term, type BinaryOp as TermOp } from '../../expr/term.js';
import type { Terms } from '../../expr/terms.js';
import * as V from '../../expr/value.js';
import type { BinaryOp } from '../../ir/model.js';
import { assert } from '../../support/assert.js';
import { asTerm, type Known, known, type Scalar } from './register-value.js';

export interface IntegerOperator {
  readonly op: TermOp;
  readonly compute: (width: number, a: Known, b: Known) => Known;
}

const operators: Partial<Record<BinaryOp, IntegerOperator>> = {
  add: { op: Op.Add, compute: V.add },
  sub: { op: Op.Sub, compute: V.sub },
  mul: { op: Op.Mul, compute: V.mul },
  udiv: { op: Op.Udiv, compute: V.udiv },
  sdiv: { op: Op.Sdiv, compute: V.sdiv },
  urem: { op: Op.Urem, compute: V.urem },
  srem: { op: Op.Srem, compute: V.srem },
  shl: { op: Op.Shl, compute: V.shl },
  lshr: { op: Op.Lshr, compute: V.lshr },
  ashr: { op: Op.Ashr, compute: V.ashr },
  and: { op: Op.And, compute: V.and },
  or: { op: Op.Or, compute: V.or },
  xor: { op: Op.Xor, compute: V.xor },
};

/** Requires an operation on integers. */
export function integerOperator(op: BinaryOp): IntegerOperator {
  const operator = operators[op];
  assert(operator !== undefined, 'the operation is one on integers');
  return operator;
}

/** The result of an operation on scalars. */
export function integerOperation(terms: Terms, op: BinaryOp, width: number, a: Scalar, b: Scalar): Scalar {
  const operator = integerOperator(op);
  if (typeof a !== 'object' && typeof b !== 'object') return operator.compute(width, a, b);
  return known(terms.binary(operator.op, asTerm(terms, width, a), asTerm(terms, width, b)));
}

/** Whether the exact result needs more bits than available. */
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

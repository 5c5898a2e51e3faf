/**
 * Term constructors for both readers: those of `expression.ts` with the checks that a text needs.
 * Every error has a location.
 */
import { closestTo } from '../../support/closest.js';
import {
  type BoolExpr,
  chooseBool,
  div,
  type Expr,
  eq,
  type IntExpr,
  iff,
  ite,
  mod,
  scale,
} from '../expression.js';
import { isBoolean } from '../smt.js';
import { type Position, Problem } from './problem.js';

export function asFormula(expr: Expr, at: Position): BoolExpr {
  if (!isBoolean(expr)) throw new Problem('a formula is expected here, not a number', at);
  return expr;
}

export function asNumber(expr: Expr, at: Position): IntExpr {
  if (expr.kind === 'var' && expr.variable.domain.kind === 'bool')
    throw new Problem(`a number is expected here; ${expr.variable.name} is a boolean`, at);
  if (expr.kind !== 'var' && isBoolean(expr))
    throw new Problem('a number is expected here, not a formula', at);
  return expr as IntExpr;
}

export function requireSameType(a: Expr, b: Expr, at: Position, what = 'the two sides'): void {
  if (isBoolean(a) !== isBoolean(b)) throw new Problem(`${what} are of different types`, at);
}

export function equal(a: Expr, b: Expr, at: Position): BoolExpr {
  requireSameType(a, b, at);
  return isBoolean(a) ? iff(a, b as BoolExpr) : eq(a as IntExpr, b as IntExpr);
}

export function choice(condition: BoolExpr, yes: Expr, no: Expr, at: Position): Expr {
  requireSameType(yes, no, at, 'the two cases');
  return isBoolean(yes)
    ? chooseBool(condition, yes, no as BoolExpr)
    : ite(condition, yes as IntExpr, no as IntExpr);
}

export function product(a: IntExpr, b: IntExpr, at: Position): IntExpr {
  if (a.kind === 'int') return scale(a.value, b);
  if (b.kind === 'int') return scale(b.value, a);
  throw new Problem('one factor of a product has to be a constant', at);
}

/** `at` is where the divisor stands. */
export function quotient(operator: 'div' | 'mod', a: IntExpr, divisor: IntExpr, at: Position): IntExpr {
  if (divisor.kind !== 'int' || divisor.value <= 0)
    throw new Problem('the divisor has to be a positive constant', at);
  return operator === 'div' ? div(a, divisor.value) : mod(a, divisor.value);
}

export function didYouMean(text: string, known: Iterable<string>): string | undefined {
  const guess = closestTo(text, known);
  return guess === undefined ? undefined : `did you mean ${guess}?`;
}

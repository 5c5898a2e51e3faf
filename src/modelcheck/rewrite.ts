/**
 * Walks over expressions: replaces variables, and finds what occurs in one.
 *
 * Expressions share parts, so both cache visited nodes; otherwise a chain of updates composed with
 * itself would be walked exponentially often.
 */
import { unreachable } from '../support/assert.js';
import {
  and,
  type BoolExpr,
  chooseBool,
  count,
  div,
  type Expr,
  eq,
  type IntExpr,
  iff,
  implies,
  ite,
  le,
  mod,
  not,
  or,
  ref,
  scale,
  sum,
  type Variable,
  type VariableRef,
} from './expression.js';

/**
 * Rebuilds expressions with some of their leaves and counts replaced; unchanged parts are shared.
 */
export interface Rewrite {
  bool(expr: BoolExpr): BoolExpr;
  int(expr: IntExpr): IntExpr;
}

export interface Replacements {
  /** The replacement of a variable; undefined keeps it. */
  readonly variable?: (leaf: VariableRef) => Expr | undefined;
  /** The replacement of a number of threads; undefined keeps it. */
  readonly count?: (predicate: BoolExpr) => IntExpr | undefined;
}

export function rewrite(replacements: Replacements): Rewrite {
  const seen = new Map<Expr, Expr>();
  const step = (expr: Expr): Expr => {
    const known = seen.get(expr);
    if (known !== undefined) return known;
    const result = rebuild(expr);
    seen.set(expr, result);
    return result;
  };
  const bool = (expr: BoolExpr): BoolExpr => step(expr) as BoolExpr;
  const int = (expr: IntExpr): IntExpr => step(expr) as IntExpr;

  const rebuild = (expr: Expr): Expr => {
    switch (expr.kind) {
      case 'bool':
      case 'int':
        return expr;
      case 'var':
        return replacements.variable?.(expr) ?? expr;
      case 'not':
        return not(bool(expr.a));
      case 'and':
        return and(...expr.parts.map(bool));
      case 'or':
        return or(...expr.parts.map(bool));
      case 'implies':
        return implies(bool(expr.a), bool(expr.b));
      case 'iff':
        return iff(bool(expr.a), bool(expr.b));
      case 'choose':
        return chooseBool(bool(expr.condition), bool(expr.yes), bool(expr.no));
      case 'eq':
        return eq(int(expr.a), int(expr.b));
      case 'le':
        return le(int(expr.a), int(expr.b));
      case 'sum':
        return sum(...expr.parts.map(int));
      case 'scale':
        return scale(expr.factor, int(expr.a));
      case 'ite':
        return ite(bool(expr.condition), int(expr.yes), int(expr.no));
      case 'div':
        return div(int(expr.a), expr.divisor);
      case 'mod':
        return mod(int(expr.a), expr.divisor);
      case 'count':
        return replacements.count?.(expr.predicate) ?? count(bool(expr.predicate));
      default:
        return unreachable(expr);
    }
  };
  return { bool, int };
}

/** The formula about the state after a step: every variable becomes its next value. */
export function primed(expr: BoolExpr): BoolExpr {
  return rewrite({ variable: ({ variable }) => ref(variable, true) }).bool(expr);
}

/** Visits every part of an expression once. */
export function forEachPart(roots: readonly Expr[], visit: (part: Expr) => void): void {
  const seen = new Set<Expr>();
  const waiting = [...roots];
  for (let expr = waiting.pop(); expr !== undefined; expr = waiting.pop()) {
    if (seen.has(expr)) continue;
    seen.add(expr);
    visit(expr);
    waiting.push(...partsOf(expr));
  }
}

export function partsOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'bool':
    case 'int':
    case 'var':
      return [];
    case 'not':
    case 'scale':
    case 'div':
    case 'mod':
      return [expr.a];
    case 'and':
    case 'or':
    case 'sum':
      return expr.parts;
    case 'implies':
    case 'iff':
    case 'eq':
    case 'le':
      return [expr.a, expr.b];
    case 'choose':
    case 'ite':
      return [expr.condition, expr.yes, expr.no];
    case 'count':
      return [expr.predicate];
    default:
      return unreachable(expr);
  }
}

/** The variables that occur, with `next` those whose next value does. */
export function variablesIn(roots: readonly Expr[], next: boolean): Set<Variable> {
  const found = new Set<Variable>();
  forEachPart(roots, part => {
    if (part.kind === 'var' && part.next === next) found.add(part.variable);
  });
  return found;
}

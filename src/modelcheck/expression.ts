/**
 * Formulas over state variables: the one language in which guards, updates, properties and
 * certificates are written.
 *
 * Everything is a boolean or an integer. An enumeration is an integer with names; arrays and
 * records exist only in the builder (`cells.ts`), which decomposes them into scalars. So an engine
 * must handle only a dozen kinds of nodes:
 *
 *     booleans   bool  var  not  and  or  implies  ite  iff  eq  le
 *     integers   int   var  sum  scale  ite  div  mod  count
 *
 * `x < y` is `x + 1 <= y`. A variable may be *next*: its value after the step. `count` is the
 * number of threads that satisfy a predicate over their own variables; composition (`compose.ts`)
 * replaces it before an engine runs.
 *
 * **Invariants.** Expressions are immutable and may share parts. `div` and `mod` have a positive
 * constant divisor and round towards minus infinity, as in SMT-LIB. Constructors fold constants, so
 * a formula over constants is a constant.
 */
export type Domain =
  | { readonly kind: 'bool' }
  /**
   * Without a bound there is none. `names` makes it an enumeration: the value is a position in the
   * list.
   */
  | {
      readonly kind: 'int';
      readonly min?: number;
      readonly max?: number;
      readonly names?: readonly string[];
    };

export interface Variable {
  readonly name: string;
  readonly domain: Domain;
}

export interface VariableRef {
  readonly kind: 'var';
  readonly variable: Variable;
  readonly next: boolean;
}

export type BoolExpr =
  | { readonly kind: 'bool'; readonly value: boolean }
  | VariableRef
  | { readonly kind: 'not'; readonly a: BoolExpr }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly BoolExpr[] }
  | { readonly kind: 'implies'; readonly a: BoolExpr; readonly b: BoolExpr }
  | { readonly kind: 'iff'; readonly a: BoolExpr; readonly b: BoolExpr }
  | { readonly kind: 'choose'; readonly condition: BoolExpr; readonly yes: BoolExpr; readonly no: BoolExpr }
  | { readonly kind: 'eq' | 'le'; readonly a: IntExpr; readonly b: IntExpr };

export type IntExpr =
  | { readonly kind: 'int'; readonly value: number }
  | VariableRef
  | { readonly kind: 'sum'; readonly parts: readonly IntExpr[] }
  | { readonly kind: 'scale'; readonly factor: number; readonly a: IntExpr }
  | { readonly kind: 'ite'; readonly condition: BoolExpr; readonly yes: IntExpr; readonly no: IntExpr }
  | { readonly kind: 'div' | 'mod'; readonly a: IntExpr; readonly divisor: number }
  | { readonly kind: 'count'; readonly predicate: BoolExpr };

export type Expr = BoolExpr | IntExpr;

export const TRUE: BoolExpr = { kind: 'bool', value: true };
export const FALSE: BoolExpr = { kind: 'bool', value: false };

export function int(value: number): IntExpr {
  return { kind: 'int', value };
}

export function ref(variable: Variable, next = false): VariableRef {
  return { kind: 'var', variable, next };
}

/** The arguments of the builder's functions that are integers. */
export type IntLike = IntExpr | number;

function lift(a: IntLike): IntExpr {
  return typeof a === 'number' ? int(a) : a;
}

export function not(a: BoolExpr): BoolExpr {
  if (a.kind === 'bool') return a.value ? FALSE : TRUE;
  return a.kind === 'not' ? a.a : { kind: 'not', a };
}

export function and(...parts: readonly BoolExpr[]): BoolExpr {
  return junction('and', parts);
}

export function or(...parts: readonly BoolExpr[]): BoolExpr {
  return junction('or', parts);
}

/** Flattened; without the neutral element; constant if it has the other one. */
function junction(kind: 'and' | 'or', parts: readonly BoolExpr[]): BoolExpr {
  const decisive = kind === 'or';
  const kept: BoolExpr[] = [];
  for (const part of parts) {
    if (part.kind === 'bool') {
      if (part.value === decisive) return part;
    } else if (part.kind === kind) kept.push(...part.parts);
    else kept.push(part);
  }
  if (kept.length === 0) return decisive ? FALSE : TRUE;
  return kept.length === 1 ? kept[0]! : { kind, parts: kept };
}

export function implies(a: BoolExpr, b: BoolExpr): BoolExpr {
  if (a.kind === 'bool') return a.value ? b : TRUE;
  if (b.kind === 'bool') return b.value ? TRUE : not(a);
  return { kind: 'implies', a, b };
}

export function iff(a: BoolExpr, b: BoolExpr): BoolExpr {
  if (a.kind === 'bool') return a.value ? b : not(b);
  if (b.kind === 'bool') return b.value ? a : not(a);
  return { kind: 'iff', a, b };
}

export function chooseBool(condition: BoolExpr, yes: BoolExpr, no: BoolExpr): BoolExpr {
  if (condition.kind === 'bool') return condition.value ? yes : no;
  if (yes.kind === 'bool' && no.kind === 'bool' && yes.value === no.value) return yes;
  return yes === no ? yes : { kind: 'choose', condition, yes, no };
}

export function ite(condition: BoolExpr, yes: IntLike, no: IntLike): IntExpr {
  const [a, b] = [lift(yes), lift(no)];
  if (condition.kind === 'bool') return condition.value ? a : b;
  if (a === b || (a.kind === 'int' && b.kind === 'int' && a.value === b.value)) return a;
  return { kind: 'ite', condition, yes: a, no: b };
}

export function eq(a: IntLike, b: IntLike): BoolExpr {
  const [x, y] = [lift(a), lift(b)];
  if (x.kind === 'int' && y.kind === 'int') return x.value === y.value ? TRUE : FALSE;
  return { kind: 'eq', a: x, b: y };
}

export function ne(a: IntLike, b: IntLike): BoolExpr {
  return not(eq(a, b));
}

export function le(a: IntLike, b: IntLike): BoolExpr {
  const [x, y] = [lift(a), lift(b)];
  if (x.kind === 'int' && y.kind === 'int') return x.value <= y.value ? TRUE : FALSE;
  return { kind: 'le', a: x, b: y };
}

export function lt(a: IntLike, b: IntLike): BoolExpr {
  return le(sum(a, 1), b);
}

export function ge(a: IntLike, b: IntLike): BoolExpr {
  return le(b, a);
}

export function gt(a: IntLike, b: IntLike): BoolExpr {
  return lt(b, a);
}

export function sum(...parts: readonly IntLike[]): IntExpr {
  let constant = 0;
  const kept: IntExpr[] = [];
  const take = (part: IntExpr): void => {
    if (part.kind === 'int') constant += part.value;
    else if (part.kind === 'sum') part.parts.forEach(take);
    else kept.push(part);
  };
  for (const part of parts) take(lift(part));
  if (constant !== 0 || kept.length === 0) kept.push(int(constant));
  return kept.length === 1 ? kept[0]! : { kind: 'sum', parts: kept };
}

export function scale(factor: number, a: IntLike): IntExpr {
  const x = lift(a);
  if (x.kind === 'int') return int(factor * x.value);
  if (factor === 0) return int(0);
  if (factor === 1) return x;
  return x.kind === 'scale' ? scale(factor * x.factor, x.a) : { kind: 'scale', factor, a: x };
}

export function sub(a: IntLike, b: IntLike): IntExpr {
  return sum(a, scale(-1, b));
}

export function div(a: IntLike, divisor: number): IntExpr {
  const x = lift(a);
  if (divisor === 1) return x;
  return x.kind === 'int' ? int(Math.floor(x.value / divisor)) : { kind: 'div', a: x, divisor };
}

export function mod(a: IntLike, divisor: number): IntExpr {
  const x = lift(a);
  return x.kind === 'int'
    ? int(x.value - divisor * Math.floor(x.value / divisor))
    : { kind: 'mod', a: x, divisor };
}

export function min(a: IntLike, b: IntLike): IntExpr {
  return ite(le(a, b), a, b);
}

/** How many threads satisfy a predicate over their own variables (and the shared ones). */
export function count(predicate: BoolExpr): IntExpr {
  return { kind: 'count', predicate };
}

/** Equality of two values of the same domain, whichever it is. */
export function same(domain: Domain, a: Expr, b: Expr): BoolExpr {
  return domain.kind === 'bool' ? iff(a as BoolExpr, b as BoolExpr) : eq(a as IntExpr, b as IntExpr);
}

/** The values of a domain in order; undefined if there is no end to them. */
export function valuesOf(domain: Domain): readonly number[] | undefined {
  if (domain.kind === 'bool') return [0, 1];
  const { min: lowest, max: highest } = domain;
  if (lowest === undefined || highest === undefined) return undefined;
  return Array.from({ length: highest - lowest + 1 }, (_, i) => lowest + i);
}

/** A value as a constant of the domain: booleans are 0 and 1 wherever values are numbers. */
export function constantOf(domain: Domain, value: number): Expr {
  return domain.kind === 'bool' ? (value === 0 ? FALSE : TRUE) : int(value);
}

/** A value as text. */
export function showValue(domain: Domain, value: number): string {
  if (domain.kind === 'bool') return value === 0 ? 'false' : 'true';
  return domain.names?.[value] ?? `${value}`;
}

/** The value lies in its domain. */
export function inDomain(domain: Domain, value: IntExpr): BoolExpr {
  if (domain.kind === 'bool') return TRUE;
  return and(
    domain.min === undefined ? TRUE : ge(value, domain.min),
    domain.max === undefined ? TRUE : le(value, domain.max),
  );
}

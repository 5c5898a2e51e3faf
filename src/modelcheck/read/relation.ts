/**
 * Converts a transition relation to guarded commands.
 *
 * A file gives one formula over the states before and after a step. Its disjunctions are multiplied
 * out; in each case the conjuncts `next.x = e` become updates, those without a next value the
 * guard, and the remaining ones a constraint between both states. A variable that no equation
 * determines is free. If there are too many cases, the formula stays whole: one command that
 * constrains everything, which only the explicit engine has to enumerate.
 */
import { unreachable } from '../../support/assert.js';
import { and, type BoolExpr, type Expr, type IntExpr, not, or, TRUE, type Variable } from '../expression.js';
import { variablesIn } from '../rewrite.js';
import type { Command } from '../system.js';

/** One way to make a step. */
interface Case {
  readonly name: string | undefined;
  readonly conjuncts: readonly BoolExpr[];
}

const MOST_CASES = 512;

/** The name of a part of a relation in the file, if it has one. */
export type NameOf = (part: BoolExpr) => string | undefined;

export function commandsOf(relation: BoolExpr, variables: readonly Variable[], nameOf: NameOf): Command[] {
  const cases = casesOf(relation, nameOf) ?? [{ name: undefined, conjuncts: [relation] }];
  return cases.map(({ name, conjuncts }, i) =>
    commandOf(name ?? (cases.length === 1 ? 'step' : `step ${i + 1}`), conjuncts, variables),
  );
}

function hasNext(expr: Expr): boolean {
  return variablesIn([expr], true).size > 0;
}

/** Undefined when there are too many. */
function casesOf(formula: BoolExpr, nameOf: NameOf): Case[] | undefined {
  const name = nameOf(formula);
  const cases = casesOfShape(formula, nameOf);
  return cases?.map(one => ({ ...one, name: one.name ?? name }));
}

function casesOfShape(formula: BoolExpr, nameOf: NameOf): Case[] | undefined {
  if (!hasNext(formula)) return [{ name: undefined, conjuncts: [formula] }];
  switch (formula.kind) {
    case 'or': {
      const found: Case[] = [];
      for (const part of formula.parts) {
        const cases = casesOf(part, nameOf);
        if (cases === undefined || found.length + cases.length > MOST_CASES) return undefined;
        found.push(...cases);
      }
      return found;
    }
    case 'and': {
      let found: Case[] = [{ name: undefined, conjuncts: [] }];
      for (const part of formula.parts) {
        const cases = casesOf(part, nameOf);
        if (cases === undefined || found.length * cases.length > MOST_CASES) return undefined;
        found = found.flatMap(a =>
          cases.map(b => ({ name: a.name ?? b.name, conjuncts: [...a.conjuncts, ...b.conjuncts] })),
        );
      }
      return found;
    }
    case 'implies':
      return casesOf(or(not(formula.a), formula.b), nameOf);
    case 'choose':
      return hasNext(formula.condition)
        ? [{ name: undefined, conjuncts: [formula] }]
        : casesOf(or(and(formula.condition, formula.yes), and(not(formula.condition), formula.no)), nameOf);
    case 'bool':
    case 'var':
    case 'not':
    case 'eq':
    case 'le':
    case 'iff':
      return [{ name: undefined, conjuncts: [formula] }];
    default:
      return unreachable(formula);
  }
}

function commandOf(name: string, conjuncts: readonly BoolExpr[], variables: readonly Variable[]): Command {
  const updates = new Map<Variable, Expr>();
  const guard: BoolExpr[] = [];
  const constraint: BoolExpr[] = [];
  for (const conjunct of conjuncts) {
    const update = updateIn(conjunct);
    if (!hasNext(conjunct)) guard.push(conjunct);
    else if (update !== undefined && !updates.has(update.variable))
      updates.set(update.variable, update.value);
    else constraint.push(conjunct);
  }
  return {
    name,
    guard: and(...guard),
    updates,
    free: variables.filter(variable => !updates.has(variable)),
    constraint: and(...constraint),
  };
}

/** `next.x = e`, where e refers to the state before. */
function updateIn(conjunct: BoolExpr): { readonly variable: Variable; readonly value: Expr } | undefined {
  if (conjunct.kind === 'var' && conjunct.next) return { variable: conjunct.variable, value: TRUE };
  if (conjunct.kind === 'not' && conjunct.a.kind === 'var' && conjunct.a.next)
    return { variable: conjunct.a.variable, value: not(TRUE) };
  if (conjunct.kind !== 'eq' && conjunct.kind !== 'iff') return undefined;
  const sides: readonly (readonly [BoolExpr | IntExpr, BoolExpr | IntExpr])[] = [
    [conjunct.a, conjunct.b],
    [conjunct.b, conjunct.a],
  ];
  for (const [left, right] of sides)
    if (left.kind === 'var' && left.next && !hasNext(right)) return { variable: left.variable, value: right };
  return undefined;
}

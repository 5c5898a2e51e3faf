/**
 * A system whose variables get bounds from lemmas that are already proved.
 *
 * A lemma such as `x <= 96 and y >= 0` is assumed of every state anyway. If such lemmas bound every
 * variable, the bounds can become the domains: then CaDiCaL can decide on bits what Z3 would decide
 * on integers. Long unrollings of counters then take a fraction of the time.
 *
 * **Invariant:** variables keep their order and their names, so a state of one system is a state of
 * the other.
 */
import type { BoolExpr, Domain, Expr, IntExpr, Variable } from './expression.js';
import { ref, valuesOf } from './expression.js';
import type { Property } from './model-builder.js';
import { rewrite } from './rewrite.js';
import { type Command, makeSystem, RANGE, type System } from './system.js';

export interface Narrowed {
  readonly system: System;
  /** The lemmas that the bounds come from. */
  readonly bounding: readonly Property[];
  /** The same property of the narrower variables. */
  readonly translate: (property: Property) => Property;
}

/** Undefined if some variable stays without a bound, or all have theirs already. */
export function narrow(system: System, lemmas: readonly Property[]): Narrowed | undefined {
  if (system.variables.every(({ domain }) => valuesOf(domain) !== undefined)) return undefined;
  const domains = new Map(system.variables.map(variable => [variable, variable.domain]));
  const bounding = lemmas.filter(({ formula }) =>
    (formula.kind === 'and' ? formula.parts : [formula]).map(part => tighten(part, domains)).includes(true),
  );
  if ([...domains.values()].some(domain => valuesOf(domain) === undefined)) return undefined;

  const copies = new Map(
    system.variables.map((variable): [Variable, Variable] => [
      variable,
      { name: variable.name, domain: domains.get(variable)! },
    ]),
  );
  const { bool, int } = rewrite({ variable: ({ variable, next }) => ref(copies.get(variable)!, next) });
  const value = (expr: Expr, { domain }: Variable): Expr =>
    domain.kind === 'bool' ? bool(expr as BoolExpr) : int(expr as IntExpr);
  const translate = (property: Property): Property => ({ ...property, formula: bool(property.formula) });
  const command = (given: Command): Command => ({
    ...given,
    guard: bool(given.guard),
    updates: new Map(
      [...given.updates].map(([variable, expr]) => [copies.get(variable)!, value(expr, variable)]),
    ),
    free: given.free.map(variable => copies.get(variable)!),
    constraint: bool(given.constraint),
  });
  return {
    system: makeSystem({
      ...system,
      variables: [...copies.values()],
      init: bool(system.init),
      commands: system.commands.map(command),
      properties: system.properties.map(translate),
      structural: system.structural.filter(({ name }) => name !== RANGE).map(translate),
    }),
    bounding,
    translate,
  };
}

/** Takes a bound such as `x <= 5` over; says whether it was one that was not known. */
function tighten(part: BoolExpr, domains: Map<Variable, Domain>): boolean {
  if (part.kind !== 'le') return false;
  const { a, b } = part;
  const [bounded, bound] = a.kind === 'var' ? [a, b] : [b, a];
  if (bounded.kind !== 'var' || bound.kind !== 'int') return false;
  const domain = domains.get(bounded.variable);
  if (domain?.kind !== 'int') return false;
  const side = bounded === a ? 'max' : 'min';
  if (domain[side] !== undefined) return false;
  domains.set(bounded.variable, { ...domain, [side]: bound.value });
  return true;
}

/**
 * A system, the input of every engine: scalar variables, initial states, guarded commands and
 * properties; no threads, arrays or records.
 *
 * A *step* chooses a command whose guard holds. Its updates give the next values of some variables,
 * its `free` variables take any value, all others keep theirs, and the step exists only if
 * `constraint` (over both states) holds. Guarded commands of the builder have no free variables;
 * relations read from files may.
 *
 * **Ranges.** A bounded variable never leaves its domain: a step that would is not a step. Whether
 * that ever happens is a property like any other, `RANGE`, added to systems where it could: if no
 * reachable state has a command that would leave a domain, no behaviour was cut off.
 */
import {
  and,
  type BoolExpr,
  type Domain,
  type Expr,
  FALSE,
  type IntExpr,
  implies,
  inDomain,
  or,
  ref,
  same,
  TRUE,
  type Variable,
  valuesOf,
} from './expression.js';
import type { Property } from './model-builder.js';

export interface Command {
  readonly name: string;
  /** In a system of named threads: whose step it is, from 0. */
  readonly thread?: number;
  readonly guard: BoolExpr;
  readonly updates: ReadonlyMap<Variable, Expr>;
  readonly free: readonly Variable[];
  readonly constraint: BoolExpr;
}

export interface System {
  readonly name: string;
  readonly variables: readonly Variable[];
  readonly init: BoolExpr;
  readonly commands: readonly Command[];
  readonly properties: readonly Property[];
  /** Proved first, and then used by every proof: ranges, and that threads do not get lost. */
  readonly structural: readonly Property[];
  /** Runs that are executed before any search, each from an initial state with `start`. */
  readonly runs?: readonly { readonly commands: readonly string[]; readonly start: BoolExpr }[];
  /**
   * Named threads: the variables of each, in the same order. Exchanging two threads changes
   * nothing.
   */
  readonly threads?: readonly (readonly Variable[])[];
}

/** The values of a system's variables, in their order; booleans are 0 and 1. */
export type State = readonly number[];

/** The name of the property that no step leaves a domain. */
export const RANGE = 'in range';

export function commandLabel({ name, thread }: Command): string {
  return thread === undefined ? name : `${name} (thread ${thread + 1})`;
}

/** The formula of one command's steps. */
export function stepFormula(system: System, command: Command): BoolExpr {
  const { guard, updates, free, constraint } = command;
  const parts: BoolExpr[] = [guard, constraint];
  for (const variable of system.variables) {
    if (free.includes(variable)) continue;
    const value = updates.get(variable) ?? ref(variable);
    parts.push(same(variable.domain, ref(variable, true), value));
  }
  return and(...parts);
}

const transitions = new WeakMap<System, BoolExpr>();

/** The same formula at every call, so that solvers recognise it. */
export function transitionFormula(system: System): BoolExpr {
  let transition = transitions.get(system);
  if (transition === undefined) {
    transition = or(...system.commands.map(command => stepFormula(system, command)));
    transitions.set(system, transition);
  }
  return transition;
}

/** No command would leave a domain; TRUE if that is plain from the look of the updates. */
function rangeFormula(commands: readonly Command[]): BoolExpr {
  return and(
    ...commands.flatMap(({ guard, updates }) =>
      [...updates].map(([{ domain }, value]) =>
        domain.kind === 'bool' ? TRUE : implies(guard, staysIn(domain, value as IntExpr)),
      ),
    ),
  );
}

function staysIn(domain: Domain, value: IntExpr): BoolExpr {
  if (value.kind === 'ite') {
    const [yes, no] = [staysIn(domain, value.yes), staysIn(domain, value.no)];
    if (yes.kind === 'bool' && no.kind === 'bool') return yes.value && no.value ? TRUE : FALSE;
    return and(implies(value.condition, yes), or(value.condition, no));
  }
  // A variable of the same or a narrower domain.
  if (value.kind === 'var' && value.variable.domain.kind === 'int' && domain.kind === 'int') {
    const from = value.variable.domain;
    const aboveMin = domain.min === undefined || (from.min !== undefined && from.min >= domain.min);
    const belowMax = domain.max === undefined || (from.max !== undefined && from.max <= domain.max);
    if (aboveMin && belowMax) return TRUE;
  }
  return inDomain(domain, value);
}

/** Puts a system together; adds the property of ranges where it says something. */
export function makeSystem(
  parts: Omit<System, 'structural'> & { readonly structural?: readonly Property[] },
): System {
  const range = rangeFormula(parts.commands);
  const structural: Property[] = [...(parts.structural ?? [])];
  if (range.kind !== 'bool' || !range.value)
    structural.push({
      name: RANGE,
      formula: range,
      role: 'lemma',
      restsOn: structural.map(property => property.name),
      text: 'no step leaves the range of a variable',
    });
  return { ...parts, structural };
}

/** Every variable has finitely many values. */
export function isBounded({ variables }: System): boolean {
  return variables.every(({ domain }) => valuesOf(domain) !== undefined);
}

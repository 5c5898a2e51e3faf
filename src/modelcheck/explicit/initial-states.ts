/**
 * Enumerates all initial states of a system: conjuncts `x = constant` determine values, and every
 * other variable ranges over its domain.
 */

import type { Meaning } from '../evaluate-system.js';
import { type BoolExpr, type Variable, valuesOf } from '../expression.js';
import type { State } from '../system.js';

export type InitialStates =
  | { readonly kind: 'states'; readonly states: readonly State[] }
  | { readonly kind: 'too-many'; readonly reason: string };

const MOST = 1_000_000;

export function initialStates(meaning: Meaning, most: number = MOST): InitialStates {
  const { variables, init } = meaning.system;
  const fixed = new Map<Variable, number>();
  for (const part of init.kind === 'and' ? init.parts : [init]) fix(part, fixed);
  let combinations = 1;
  const choices: (readonly number[])[] = [];
  for (const variable of variables) {
    const value = fixed.get(variable);
    const values = value === undefined ? valuesOf(variable.domain) : [value];
    if (values === undefined)
      return { kind: 'too-many', reason: `${variable.name} may start with infinitely many values` };
    choices.push(values);
    combinations *= values.length;
  }
  if (combinations > most) return { kind: 'too-many', reason: `${combinations} initial states to look at` };
  const states: State[] = [];
  const state = choices.map(values => values[0]!);
  const choose = (at: number): void => {
    if (at === choices.length) {
      if (meaning.isInitial(state)) states.push([...state]);
      return;
    }
    for (const value of choices[at]!) {
      state[at] = value;
      choose(at + 1);
    }
  };
  choose(0);
  return { kind: 'states', states };
}

function fix(part: BoolExpr, fixed: Map<Variable, number>): void {
  if (part.kind === 'var') fixed.set(part.variable, 1);
  else if (part.kind === 'not' && part.a.kind === 'var') fixed.set(part.a.variable, 0);
  else if (part.kind === 'eq') {
    const [a, b] = [part.a, part.b];
    if (a.kind === 'var' && b.kind === 'int') fixed.set(a.variable, b.value);
    else if (b.kind === 'var' && a.kind === 'int') fixed.set(b.variable, a.value);
  }
}

/**
 * Checks proofs again: the formulas of a certificate become plain assertions for a Z3 context that
 * is independent of the search.
 *
 * An engine makes queries under assumptions, sometimes on bits, and learns clauses. Here the
 * queries are generated separately and asserted over integers, in a context of their own, so that
 * no state of an earlier query can influence them. If few states can be reached in k steps, the
 * evaluator checks the base of an induction.
 */

import { assert } from '../support/assert.js';
import { plural } from '../support/plural.js';
import { Meaning } from './evaluate-system.js';
import { initialStates } from './explicit/initial-states.js';
import { and, type BoolExpr, not } from './expression.js';
import type { Property } from './model-builder.js';
import type { Control } from './result.js';
import { type State, type System, stepFormula, transitionFormula } from './system.js';
import type { Z3Bench, Z3Library } from './z3-library.js';

export interface RecheckTools {
  readonly system: System;
  readonly z3: Z3Library;
  readonly control: Control;
}

/**
 * Assertions and queries in a scope of a context that no search has used. Each query must be
 * answered by "unsat".
 */
class Script {
  readonly #bench: Z3Bench;
  readonly #control: Control;
  #isOver = false;

  constructor({ system, z3, control }: RecheckTools, hasStep: boolean) {
    this.#control = control;
    this.#bench = z3.takeBench(system, { purpose: 'checking', hasStep });
    this.#bench.open();
  }

  assert(formula: BoolExpr, step: number): void {
    this.#bench.assert(formula, step);
  }

  /**
   * Checks that no assignment satisfies the assertions so far and this one. An assignment is an
   * internal error.
   */
  expectImpossible(formula: BoolExpr, step: number): void {
    const limit = this.#control.remainingMs();
    const timeout = Number.isFinite(limit) ? Math.max(1, Math.floor(limit)) : 4_294_967_295;
    const text = this.#bench.text(formula, step);
    const answer = this.#isOver
      ? 'unknown'
      : this.#bench.ask(`(push)\n(assert ${text})\n(set-option :timeout ${timeout})\n(check-sat)\n(pop)`);
    if (answer === 'unknown') this.#isOver = true;
    else assert(answer === 'unsat', `a certificate does not hold: Z3 says ${answer}`);
  }

  /** Undefined when there was not time enough. */
  close(): true | undefined {
    this.#bench.close();
    return this.#isOver ? undefined : true;
  }
}

/** The text of the certificate of a k-inductive property, which was checked. */
export function recheckInduction(
  tools: RecheckTools,
  property: Property,
  lemmas: readonly Property[],
  depth: number,
): string | undefined {
  const { system } = tools;
  const transition = transitionFormula(system);
  const invariant = and(...lemmas.map(({ formula }) => formula));
  const violation = not(property.formula);

  if (!holdsAtFirst(system, property, depth)) {
    const base = new Script(tools, false);
    base.assert(system.init, 0);
    for (let i = 0; i < depth; i++) {
      base.assert(invariant, i);
      base.expectImpossible(violation, i);
      base.assert(property.formula, i);
      base.assert(transition, i);
    }
    if (base.close() === undefined) return undefined;
  }
  const step = new Script(tools, true);
  for (let i = 0; i < depth; i++) {
    step.assert(and(invariant, property.formula), i);
    if (i > 0) step.assert(transition, i);
  }
  step.assert(invariant, depth);
  step.expectImpossible(violation, depth);
  if (step.close() === undefined) return undefined;

  const assumed = lemmas.length === 0 ? '' : `, with ${lemmas.map(({ name }) => name).join(', ')}`;
  return `inductive over ${plural(depth, 'step')}${assumed}; checked again by a Z3 apart`;
}

/** How many states the evaluator runs through before the base is left to Z3. */
const MOST_FIRST_STATES = 500;

/**
 * All states of fewer than `depth` steps are few, and satisfy the property. A violation among them
 * is a defect of ours.
 */
function holdsAtFirst(system: System, { formula }: Property, depth: number): boolean {
  const meaning = new Meaning(system);
  const isOpen = system.commands.some(
    ({ free, constraint }) => free.length > 0 || constraint.kind !== 'bool',
  );
  const initial = initialStates(meaning, MOST_FIRST_STATES);
  if (isOpen || initial.kind === 'too-many') return false;
  const seen = new Map(initial.states.map(state => [state.join(), state]));
  let last: readonly State[] = initial.states;
  for (let i = 1; i < depth; i++) {
    const next = new Map<string, State>();
    for (const state of last)
      for (const { isEnabled, apply } of meaning.steps) {
        const after = isEnabled(state) ? apply(state) : undefined;
        if (after !== undefined && !seen.has(after.join())) next.set(after.join(), after);
      }
    for (const [key, state] of next) seen.set(key, state);
    if (seen.size > MOST_FIRST_STATES) return false;
    last = [...next.values()];
  }
  for (const state of seen.values())
    assert(meaning.holds(formula, state), 'the base of an induction does not hold');
  return true;
}

/** The text of the certificate of an inductive invariant, which was checked. */
export function recheckInvariant(
  tools: RecheckTools,
  property: Property,
  lemmas: readonly Property[],
  clauses: readonly BoolExpr[],
): string | undefined {
  const { system } = tools;
  const known = and(...lemmas.map(({ formula }) => formula));
  const invariant = and(...clauses, property.formula);

  const base = new Script(tools, false);
  base.assert(and(system.init, known), 0);
  for (const part of [...clauses, property.formula]) base.expectImpossible(not(part), 0);
  const step = new Script(tools, true);
  step.assert(and(invariant, known), 0);
  step.assert(known, 1);
  step.assert(not(invariant), 1);
  for (const command of system.commands) step.expectImpossible(stepFormula(system, command), 0);

  const [holdsAtStart, isKept] = [base.close(), step.close()];
  if (holdsAtStart === undefined || isKept === undefined) return undefined;
  return `an inductive invariant of ${clauses.length} clauses; checked again by a Z3 apart, command by command`;
}

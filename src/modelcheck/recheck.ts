/**
 * Proofs, checked again: the formulas of a certificate as one plain script for a fresh Z3, with nothing left over from the search.
 *
 * An engine asks under assumptions, perhaps on bits, and learns on the way. Here the questions are written down once, asserted outright, over integers: other
 * text, and no state that an earlier question could have spoilt.
 */
import { assert } from '../support/assert.js';
import { and, type BoolExpr, not } from './expression.js';
import type { Property } from './model.js';
import type { Control } from './result.js';
import { declareState, SmtPrinter } from './smt.js';
import { type System, stepFormula, transitionFormula } from './system.js';
import type { Z3Library } from './z3-decider.js';

export interface RecheckTools {
  readonly system: System;
  readonly z3: Z3Library;
  readonly control: Control;
}

/** Assertions and questions, each of which has to be answered by "unsat". */
class Script {
  readonly #system: System;
  readonly #printer = new SmtPrinter();
  #states = 0;
  #text = '';
  #questions = 0;

  constructor(system: System) {
    this.#system = system;
  }

  assert(formula: BoolExpr, step: number): void {
    const text = this.#printer.formula(formula, step);
    while (this.#states <= step + 1) this.#text += declareState(this.#system.variables, this.#states++);
    this.#text += `${this.#printer.takeDefinitions()}(assert ${text})\n`;
  }

  /** Nothing satisfies what was asserted so far and this. */
  expectImpossible(formula: BoolExpr, step: number): void {
    // Definitions are made outside, where they survive the pop.
    const text = this.#printer.formula(formula, step);
    while (this.#states <= step + 1) this.#text += declareState(this.#system.variables, this.#states++);
    this.#text += `${this.#printer.takeDefinitions()}(push)\n(assert ${text})\n(check-sat)\n(pop)\n`;
    this.#questions++;
  }

  /** Undefined when time is over. Fails, as our defect, if a question has another answer. */
  run({ z3, control }: RecheckTools): true | undefined {
    const limit = control.remainingMs();
    const timeout = Number.isFinite(limit) ? `(set-option :timeout ${Math.max(1, Math.floor(limit))})\n` : '';
    const context = z3.newContext();
    try {
      const answers = z3
        .run(context, timeout + this.#text)
        .trim()
        .split('\n');
      if (answers.includes('unknown')) return undefined;
      assert(
        answers.length === this.#questions && answers.every(answer => answer === 'unsat'),
        `a certificate does not hold: Z3 says ${answers.join(' ')}`,
      );
      return true;
    } finally {
      z3.deleteContext(context);
    }
  }
}

/** What the certificate of a k-inductive property says, and that it was checked. */
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

  const base = new Script(system);
  base.assert(system.init, 0);
  for (let i = 0; i < depth; i++) {
    base.assert(invariant, i);
    base.expectImpossible(violation, i);
    base.assert(property.formula, i);
    base.assert(transition, i);
  }
  const step = new Script(system);
  for (let i = 0; i < depth; i++) {
    step.assert(and(invariant, property.formula), i);
    step.assert(transition, i);
  }
  step.assert(invariant, depth);
  step.expectImpossible(violation, depth);

  if (base.run(tools) === undefined || step.run(tools) === undefined) return undefined;
  const assumed = lemmas.length === 0 ? '' : `, with ${lemmas.map(({ name }) => name).join(', ')}`;
  return `inductive over ${depth} step${depth === 1 ? '' : 's'}${assumed}; checked again by a fresh Z3`;
}

/** What the certificate of an inductive invariant says, and that it was checked. */
export function recheckInvariant(
  tools: RecheckTools,
  property: Property,
  lemmas: readonly Property[],
  clauses: readonly BoolExpr[],
): string | undefined {
  const { system } = tools;
  const known = and(...lemmas.map(({ formula }) => formula));
  const invariant = and(...clauses, property.formula);

  const base = new Script(system);
  base.assert(and(system.init, known), 0);
  for (const part of [...clauses, property.formula]) base.expectImpossible(not(part), 0);
  const step = new Script(system);
  step.assert(and(invariant, known), 0);
  step.assert(known, 1);
  step.assert(not(invariant), 1);
  for (const command of system.commands) step.expectImpossible(stepFormula(system, command), 0);

  if (base.run(tools) === undefined || step.run(tools) === undefined) return undefined;
  return `an inductive invariant of ${clauses.length} clauses; checked again by a fresh Z3, command by command`;
}

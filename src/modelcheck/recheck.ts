/**
 * Proofs, checked again: the formulas of a certificate as one plain script for a fresh Z3, with nothing left over from the search.
 *
 * An engine asks incrementally, under assumptions, perhaps on bits. Here every question is asked once, asserted outright, over integers: other
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

type FormulaAt = readonly [formula: BoolExpr, step: number];

/** Undefined when time is over. Fails, as our defect, if the formulas can hold together. */
function isImpossible(
  { system, z3, control }: RecheckTools,
  formulas: readonly FormulaAt[],
): true | undefined {
  const printer = new SmtPrinter();
  const asserted = formulas
    .map(([formula, step]) => {
      const text = printer.formula(formula, step);
      return `${printer.takeDefinitions()}(assert ${text})\n`;
    })
    .join('');
  const last = Math.max(...formulas.map(([, step]) => step)) + 1;
  const states = Array.from({ length: last + 1 }, (_, step) => declareState(system.variables, step)).join('');
  const limit = control.remainingMs();
  const timeout = Number.isFinite(limit) ? `(set-option :timeout ${Math.max(1, Math.floor(limit))})\n` : '';
  const context = z3.newContext();
  try {
    const reply = z3.run(context, `${timeout}(push)\n${states}${asserted}(check-sat)\n`).trim();
    if (reply === 'unknown') return undefined;
    assert(reply === 'unsat', `a certificate does not hold: Z3 says ${reply}`);
    return true;
  } finally {
    z3.deleteContext(context);
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
  const steps = (count: number): FormulaAt[] => Array.from({ length: count }, (_, i) => [transition, i]);
  const everywhere = (formula: BoolExpr, count: number): FormulaAt[] =>
    Array.from({ length: count }, (_, i) => [formula, i]);
  for (let i = 0; i < depth; i++) {
    const base: FormulaAt[] = [
      [system.init, 0],
      ...steps(i),
      ...everywhere(and(property.formula, invariant), i),
      [invariant, i],
      [not(property.formula), i],
    ];
    if (isImpossible(tools, base) === undefined) return undefined;
  }
  const step: FormulaAt[] = [
    ...everywhere(property.formula, depth),
    ...everywhere(invariant, depth + 1),
    ...steps(depth),
    [not(property.formula), depth],
  ];
  if (isImpossible(tools, step) === undefined) return undefined;
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
  for (const part of [...clauses, property.formula]) {
    const base: FormulaAt[] = [
      [system.init, 0],
      [known, 0],
      [not(part), 0],
    ];
    if (isImpossible(tools, base) === undefined) return undefined;
  }
  for (const command of system.commands) {
    const step: FormulaAt[] = [
      [invariant, 0],
      [known, 0],
      [known, 1],
      [stepFormula(system, command), 0],
      [not(invariant), 1],
    ];
    if (isImpossible(tools, step) === undefined) return undefined;
  }
  return `an inductive invariant of ${clauses.length} clauses; checked again by a fresh Z3, command by command`;
}

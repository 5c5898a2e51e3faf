/**
 * The premise of a lemma. A formula of the shape `a ⇒ b` is vacuous if `a` never holds; one over
 * every element of an array, if no premise of its instances ever holds.
 */
import { type BoolExpr, or } from './expression.js';

/** Undefined for a formula that assumes nothing. */
export function premiseOf(formula: BoolExpr): BoolExpr | undefined {
  if (formula.kind === 'implies') return formula.a;
  if (formula.kind !== 'and') return undefined;
  const premises = formula.parts.map(premiseOf).filter(premise => premise !== undefined);
  return premises.length === formula.parts.length ? or(...premises) : undefined;
}

/** Makes a term again from other operands. */
import { Op, type Term } from './term.js';
import type { Terms } from './terms.js';

/**
 * The same operation on the operands that `rewrite` gives, or the term itself if they are the same.
 * If the condition of an ite becomes a constant, only the arm that it selects is rewritten. Arrays
 * are kept as they are: their writes are shared by many reads.
 */
export function rebuilt(t: Terms, term: Term, rewrite: (operand: Term) => Term): Term {
  if (term.op === Op.Const || term.op === Op.Var) return term;
  const a = rewrite(term.a);
  switch (term.op) {
    case Op.Read:
      return a === term.a ? term : t.read(term.array!, a);
    case Op.Not:
      return a === term.a ? term : t.not(a);
    case Op.Extract:
      return a === term.a ? term : t.extract(a, term.offset, term.width);
    case Op.Zext:
      return a === term.a ? term : t.zext(a, term.width);
    case Op.Sext:
      return a === term.a ? term : t.sext(a, term.width);
    case Op.Ite: {
      if (a.isConst) return rewrite(a.value === 1 ? term.b : term.c);
      const b = rewrite(term.b);
      const c = rewrite(term.c);
      return a === term.a && b === term.b && c === term.c ? term : t.ite(a, b, c);
    }
    default: {
      // `binary` accepts binary operators only, so the compiler checks that no other is left.
      const b = rewrite(term.b);
      return a === term.a && b === term.b ? term : t.binary(term.op, a, b);
    }
  }
}

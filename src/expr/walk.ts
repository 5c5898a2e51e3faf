/**
 * Walking expression graphs without recursion.
 */
import { arity, type ByteArray, Op, type Term } from './term.js';

/** Calls `visit` for the operands of a term, writes of the array that it reads among them. */
export function forEachOperand(term: Term, visit: (operand: Term) => void): void {
  const n = arity(term.op);
  if (n > 0) visit(term.a);
  if (n > 1) visit(term.b);
  if (n > 2) visit(term.c);
  for (let top = term.array; top?.kind === 'written'; top = top.below) {
    visit(top.index);
    visit(top.byte);
  }
}

/**
 * Calls `visit` once for every term below and including the roots, operands first. Writes of arrays
 * count as operands.
 */
export function forEachTerm(roots: Iterable<Term>, visit: (term: Term) => void): void {
  const done = new Set<Term>();
  const entered = new Set<Term>();
  const arraysEntered = new Set<ByteArray>();
  const stack: Term[] = [...roots].reverse();
  while (stack.length > 0) {
    const term = stack[stack.length - 1]!;
    if (done.has(term)) stack.pop();
    else if (entered.has(term)) {
      stack.pop();
      done.add(term);
      visit(term);
    } else {
      entered.add(term);
      const n = arity(term.op);
      if (n > 2) stack.push(term.c);
      if (n > 1) stack.push(term.b);
      if (n > 0) stack.push(term.a);
      for (let top = term.array; top?.kind === 'written' && !arraysEntered.has(top); top = top.below) {
        arraysEntered.add(top);
        stack.push(top.byte, top.index);
      }
    }
  }
}

/**
 * How often each term below the roots is used as an operand (roots count once), to decide which
 * terms get a name when printed. In children-first order.
 */
export function countUses(roots: readonly Term[]): Map<Term, number> {
  const uses = new Map<Term, number>();
  const use = (term: Term): void => {
    uses.set(term, (uses.get(term) ?? 0) + 1);
  };
  const order: Term[] = [];
  const writesSeen = new Set<ByteArray>();
  forEachTerm(roots, term => {
    order.push(term);
    const n = arity(term.op);
    if (n > 0) use(term.a);
    if (n > 1) use(term.b);
    if (n > 2) use(term.c);
    if (term.op !== Op.Read) return;
    for (let top = term.array!; top.kind === 'written' && !writesSeen.has(top); top = top.below) {
      writesSeen.add(top);
      use(top.index);
      use(top.byte);
    }
  });
  for (const root of roots) use(root);
  return new Map(order.map(term => [term, uses.get(term)!]));
}

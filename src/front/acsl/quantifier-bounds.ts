/**
 * Derives the range of a quantifier from its syntax: the condition that bounds it, and the bounds
 * of a variable in a condition.
 *
 *     \forall integer i, j; 0 <= i < n && i <= j < n ==> claim        i from 0 below n, j from i below n
 *
 * This is purely syntactic: the translator handles types and code (`predicates.ts`).
 */
import type { Node, NodeOf } from './syntax.js';

/** `a && b && c` as a list. */
export function conjuncts(node: Node): Node[] {
  return node.kind === 'binary' && node.op === '&&'
    ? [...conjuncts(node.left), ...conjuncts(node.right)]
    : [node];
}

/** The condition that bounds a quantifier, and the claim under it. */
export function split({ every, body }: NodeOf<'quantifier'>): {
  guard: Node | undefined;
  body: Node | undefined;
} {
  if (every) {
    if (body.kind !== 'binary' || body.op !== '==>') return { guard: undefined, body };
    if (body.right.kind === 'binary' && body.right.op === '==>') {
      const guard: Node = {
        kind: 'binary',
        op: '&&',
        left: body.left,
        right: body.right.left,
        span: body.span,
      };
      return split({
        kind: 'quantifier',
        every,
        binders: [],
        body: { ...body.right, left: guard },
        span: body.span,
      });
    }
    return { guard: body.left, body: body.right };
  }
  return { guard: body, body: undefined };
}

/** A bound of the variable in one condition, and the rest of the condition. */
export function boundIn(
  guard: Node,
  name: string,
  side: 'low' | 'high',
): { node: Node; included: boolean; rest: Node[] } | undefined {
  if (guard.kind === 'binary' && guard.op === '\\in' && guard.right.kind === 'range') {
    const { low, high } = guard.right;
    if (guard.left.kind !== 'name' || guard.left.name !== name) return undefined;
    const node = side === 'low' ? low : high;
    if (node === undefined) return undefined;
    // The other side is still needed: the condition stays, and is cheap.
    return { node, included: true, rest: [guard] };
  }
  if (guard.kind !== 'relation') return undefined;
  const links = guard.rest.map(([op, right], i) => ({
    op,
    right,
    left: i === 0 ? guard.first : guard.rest[i - 1]![1],
  }));
  for (const [i, { op, left, right }] of links.entries()) {
    const isLeft = left.kind === 'name' && left.name === name;
    const isRight = right.kind === 'name' && right.name === name;
    if (isLeft === isRight || op === '!=') continue;
    const bound = isLeft ? right : left;
    const isUpper = isLeft ? op.startsWith('<') : op.startsWith('>');
    const isEqual = op === '==';
    if (!isEqual && isUpper !== (side === 'high')) continue;
    const rest = links
      .filter((_, k) => isEqual || k !== i)
      .map(
        link =>
          ({ kind: 'relation', first: link.left, rest: [[link.op, link.right]], span: guard.span }) as Node,
      );
    return { node: bound, included: isEqual || op.endsWith('='), rest };
  }
  return undefined;
}

/**
 * A usable bound of a variable, perhaps through others: in `i <= j <= k < n` that of i above is n.
 */
export function boundBeyond(
  name: string,
  side: 'low' | 'high',
  guards: readonly Node[],
  usable: (node: Node) => boolean,
  passed: ReadonlySet<string> = new Set(),
): { node: Node; included: boolean } | undefined {
  for (const guard of guards) {
    const bound = boundIn(guard, name, side);
    if (bound === undefined) continue;
    const { node, included } = bound;
    if (usable(node)) return { node, included };
    if (node.kind !== 'name' || passed.has(node.name)) continue;
    const further = boundBeyond(node.name, side, guards, usable, new Set([...passed, name]));
    if (further !== undefined) return further;
  }
  return undefined;
}

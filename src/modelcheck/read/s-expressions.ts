/** S-expressions whose every node knows its line and column, for messages about model files. */
import { type Position, Problem } from './problem.js';
import { scan } from './scan.js';

export type Node =
  /** `isQuoted`: between bars, so that it is a name whatever it looks like. */
  | { readonly kind: 'word'; readonly text: string; readonly at: Position; readonly isQuoted: boolean }
  | { readonly kind: 'list'; readonly items: readonly Node[]; readonly at: Position };

/** A word may be quoted in part, `next.|a b|`; the bars are not part of the name. */
const TOKEN = /(\s+|;[^\n]*)|([()])|((?:[^\s()|;]+|\|[^|]*\|)+)/y;

/** Deeper nesting than this is rejected; no real model has it. */
const MAX_NESTING = 1000;

export function readNodes(text: string): Node[] {
  const top: Node[] = [];
  const open: { items: Node[]; at: Position }[] = [];
  for (const { match, at: here } of scan(text, TOKEN, () => 'this bar is never closed')) {
    const [, space, mark, spelling] = match;
    const items = open.at(-1)?.items ?? top;
    if (mark === '(') {
      if (open.length >= MAX_NESTING) throw new Problem('parentheses are nested too deeply', here);
      open.push({ items: [], at: here });
    } else if (mark === ')') {
      const closed = open.pop();
      if (closed === undefined) throw new Problem('this parenthesis closes nothing', here);
      (open.at(-1)?.items ?? top).push({ kind: 'list', ...closed });
    } else if (space === undefined) {
      const isQuoted = spelling!.includes('|');
      items.push({ kind: 'word', text: spelling!.replaceAll('|', ''), at: here, isQuoted });
    }
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined) throw new Problem('this parenthesis is never closed', unclosed.at);
  return top;
}

export function word(node: Node | undefined, what: string, parent: Node): string {
  if (node?.kind !== 'word') throw new Problem(`${what} is expected here`, node?.at ?? parent.at);
  return node.text;
}

export function list(node: Node | undefined, what: string, parent: Node): readonly Node[] {
  if (node?.kind !== 'list') throw new Problem(`${what} is expected here`, node?.at ?? parent.at);
  return node.items;
}

/**
 * Requires this many items, including the keyword: an extra item would be ignored, and a missing
 * one is an error.
 */
export function expectItems(node: Node, items: readonly Node[], least: number, most: number = least): void {
  const surplus = items[most];
  const keyword = items[0]?.kind === 'word' ? `'${items[0].text}'` : 'this';
  if (surplus !== undefined) {
    const count = most === 1 ? 'no operands' : `${most - 1} operand${most === 2 ? '' : 's'}`;
    throw new Problem(`${keyword} takes ${count}: this one would not be read`, surplus.at);
  }
  if (items.length < least)
    throw new Problem(
      `${keyword} needs ${least - 1} operand${least === 2 ? '' : 's'}, not ${items.length - 1}`,
      node.at,
    );
}

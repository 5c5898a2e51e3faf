/** S-expressions whose every node knows its line and column, for messages about model files. */
import { type Position, Problem } from './problem.js';

export type Node =
  | { readonly kind: 'word'; readonly text: string; readonly at: Position }
  | { readonly kind: 'list'; readonly items: readonly Node[]; readonly at: Position };

const TOKEN = /(\s+|;[^\n]*)|\|([^|]*)\||([()])|([^\s()|;]+)/y;

/** Deeper nesting than this is no model that a person or a tool wrote. */
const MAX_NESTING = 1000;

export function readNodes(text: string): Node[] {
  const top: Node[] = [];
  const open: { items: Node[]; at: Position }[] = [];
  let line = 1;
  let lineStart = 0;
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    const here: Position = { line, column: at - lineStart + 1 };
    if (match === null) throw new Problem(`unexpected character '${text[at]}'`, here);
    const [whole, space, quoted, mark, plain] = match;
    const items = open.at(-1)?.items ?? top;
    if (mark === '(') {
      if (open.length >= MAX_NESTING) throw new Problem('parentheses are nested too deeply', here);
      open.push({ items: [], at: here });
    } else if (mark === ')') {
      const closed = open.pop();
      if (closed === undefined) throw new Problem('this parenthesis closes nothing', here);
      (open.at(-1)?.items ?? top).push({ kind: 'list', ...closed });
    } else if (space === undefined) items.push({ kind: 'word', text: quoted ?? plain!, at: here });
    at = TOKEN.lastIndex;
    for (let i = whole.indexOf('\n'); i >= 0; i = whole.indexOf('\n', i + 1)) {
      line++;
      lineStart = at - whole.length + i + 1;
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

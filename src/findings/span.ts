/**
 * Extends a point to a span: the characters of a line that carets underline.
 *
 * Debug information gives one column per instruction: the `=` of an assignment, the member's name
 * in `p->x`, the operator of `a / b`, the callee of a call. A reader wants to see the expression.
 * There is no parser when a finding is printed, and the line may be half of a macro. So this reads
 * the tokens of the line and extends the point to the smallest expression that it belongs to:
 *
 *     point at     in a line          span
 *     a name       a[i] + 1           a[i]           with subscripts and arguments, and what precedes `.` and `->`
 *     assignment   p->x = 1           p->x           for a write; otherwise the whole `p->x = 1`
 *     unary        **p                **p
 *     binary       f(x) / y           f(x) / y
 *     keyword      return x           return
 *
 * The span never leaves the line, and is one character if nothing is recognised. A wrong guess
 * makes a bad underline, never a wrong location.
 */
import type { AccessKind } from './finding.js';

/** Half-open range of string indices. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Token extends Span {
  readonly kind: 'word' | 'literal' | 'operator';
  readonly text: string;
}

export function smallestSpan(line: string, index: number, access?: AccessKind): Span {
  const tokens = tokensOf(line);
  const at = tokenAt(tokens, index);
  if (at === -1) return { start: index, end: index + 1 };
  const [first, last] = extend(tokens, at, access);
  return { start: tokens[first]!.start, end: tokens[last]!.end };
}

/** Only the token at the index, for syntax errors. */
export function tokenSpan(line: string, index: number): Span {
  const tokens = tokensOf(line);
  return tokens[tokenAt(tokens, index)] ?? { start: index, end: index + 1 };
}

function tokenAt(tokens: readonly Token[], index: number): number {
  return tokens.findIndex(token => token.start <= index && index < token.end);
}

type TokenRange = readonly [first: number, last: number];

function extend(tokens: readonly Token[], at: number, access: AccessKind | undefined): TokenRange {
  const token = tokens[at]!;
  if (token.kind !== 'operator')
    return isKeyword(token) ? [at, at] : [chainStart(tokens, at), suffixEnd(tokens, at)];
  if (token.text === '++' || token.text === '--') {
    return endsOperand(tokens, at - 1)
      ? [operandStart(tokens, at - 1), at]
      : [at, operandEnd(tokens, at + 1)];
  }
  if (!binary.has(token.text) && !unary.has(token.text)) return [at, at];
  if (!endsOperand(tokens, at - 1))
    return unary.has(token.text) ? [at, operandEnd(tokens, at + 1)] : [at, at];
  const first = operandStart(tokens, at - 1);
  if (assignment.test(token.text) && access === 'write') return [first, at - 1];
  return [first, operandEnd(tokens, at + 1)];
}

/** First token of the operand whose last token is `at`, with its prefix operators. */
function operandStart(tokens: readonly Token[], at: number): number {
  let first = chainStart(tokens, at);
  while (isUnaryAt(tokens, first - 1)) first--;
  return first;
}

/** First token of the chain `a.b->c[i](x)` that ends at `at`. */
function chainStart(tokens: readonly Token[], at: number): number {
  let first = at;
  for (;;) {
    const text = tokens[first]!.text;
    const before = tokens[first - 1];
    if (text === ')' || text === ']') {
      const open = matching(tokens, first, -1);
      if (open === undefined) return first;
      if (!endsOperand(tokens, open - 1)) return open;
      first = open - 1;
    } else if ((before?.text === '.' || before?.text === '->') && endsOperand(tokens, first - 2)) {
      first -= 2;
    } else {
      return first;
    }
  }
}

/**
 * Last token of the operand whose first token is `at`; when there is none on this line, the token
 * before.
 */
function operandEnd(tokens: readonly Token[], at: number): number {
  let last = at;
  while (tokens[last] !== undefined && unary.has(tokens[last]!.text)) last++;
  const token = tokens[last];
  if (token === undefined) return tokens.length - 1;
  if (token.text === '(') {
    const close = matching(tokens, last, 1);
    if (close === undefined) return last;
    const isCast = tokens[close + 1] !== undefined && tokens[close + 1]!.kind !== 'operator';
    return isCast ? operandEnd(tokens, close + 1) : memberEnd(tokens, close);
  }
  return token.kind === 'operator' ? at - 1 : memberEnd(tokens, last);
}

/** Extends over subscripts and arguments. */
function suffixEnd(tokens: readonly Token[], at: number): number {
  let last = at;
  while (tokens[last + 1]?.text === '[' || tokens[last + 1]?.text === '(') {
    const close = matching(tokens, last + 1, 1);
    if (close === undefined) break;
    last = close;
  }
  return last;
}

/** Extends over subscripts, arguments and members. */
function memberEnd(tokens: readonly Token[], at: number): number {
  let last = suffixEnd(tokens, at);
  while (
    (tokens[last + 1]?.text === '.' || tokens[last + 1]?.text === '->') &&
    tokens[last + 2]?.kind === 'word'
  ) {
    last = suffixEnd(tokens, last + 2);
  }
  return last;
}

/**
 * The bracket that matches the one at `at`, looking in the given direction; undefined when it is on
 * another line.
 */
function matching(tokens: readonly Token[], at: number, direction: 1 | -1): number | undefined {
  let depth = 0;
  for (let i = at; tokens[i] !== undefined; i += direction) {
    const { text, kind } = tokens[i]!;
    if (kind !== 'operator') continue;
    if (text === '(' || text === '[') depth += direction;
    else if (text === ')' || text === ']') depth -= direction;
    if (depth === 0) return i;
  }
  return undefined;
}

/**
 * Whether an operand may end at this token; `)` does not where it closes the condition of an `if`.
 */
function endsOperand(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token === undefined) return false;
  if (token.kind !== 'operator') return !isKeyword(token);
  if (token.text === ']') return true;
  const open = token.text === ')' ? matching(tokens, at, -1) : undefined;
  return open !== undefined && !(tokens[open - 1] !== undefined && isKeyword(tokens[open - 1]!));
}

function isUnaryAt(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  return token !== undefined && unary.has(token.text) && !endsOperand(tokens, at - 1);
}

const unary: ReadonlySet<string> = new Set(['*', '&', '-', '+', '!', '~']);
const binary: ReadonlySet<string> = new Set(
  '* / % + - << >> < > <= >= == != & ^ | && || = += -= *= /= %= <<= >>= &= ^= |='.split(' '),
);
const assignment = /^(?:[-+*/%&^|]|<<|>>)?=$/;

const keywords: ReadonlySet<string> = new Set(
  'break case continue default do else for goto if return sizeof switch while'.split(' '),
);
const isKeyword = (token: Token): boolean => keywords.has(token.text);

const tokenPattern =
  /(?<word>[\p{L}_$][\p{L}\p{N}_$]*)|(?<literal>\.?\d(?:[eEpP][-+]|[\w.])*|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|(?<skip>\s+|\/\/.*|\/\*.*?(?:\*\/|$))|<<=|>>=|->|\+\+|--|[-+*/%&^|<>=!]=|<<|>>|&&|\|\||./gu;

export function tokensOf(line: string): Token[] {
  const tokens: Token[] = [];
  for (const match of line.matchAll(tokenPattern)) {
    if (match.groups?.skip !== undefined) continue;
    const kind =
      match.groups?.word !== undefined
        ? 'word'
        : match.groups?.literal !== undefined
          ? 'literal'
          : 'operator';
    tokens.push({ kind, text: match[0], start: match.index, end: match.index + match[0].length });
  }
  return tokens;
}

/**
 * The built-in functions of ACSL, which are terms: a row each, which the parser uses for the word
 * and the translator for the C code. `builtin-predicates.ts` has the predicates, `sets.ts` the
 * operations on sets of locations.
 */
import { onlyArgument } from './builtin-predicates.js';
import { exactly, join, ofBits, representationOf, resultOf, unbounded } from './integers.js';
import {
  cTerm,
  inRepresentation,
  integerTerm,
  realTerm,
  representation,
  type Term,
  variableType,
} from './logic-types.js';
import type { Translator } from './predicates.js';
import type { Node, NodeOf } from './syntax.js';
import type { Scope } from './term-scope.js';
import { intervalOfTypeName, narrowed } from './translate-term.js';

export type BuiltinFunction = (t: Translator, node: NodeOf<'call'>, scope: Scope) => Term;

const charPointer = {
  kind: 'pointer',
  to: { kind: 'integer', bits: 8, signed: true, spelling: 'char' },
} as const;

/** An offset or a length of the monitor fits into this many bits. */
const offsetBits = ofBits(40, true);

export const builtinFunctions: ReadonlyMap<string, BuiltinFunction> = new Map<string, BuiltinFunction>([
  ['\\base_addr', (t, node, scope) => cTerm(ofPointer(t, node, scope, '__rz_acsl_base_addr'), charPointer)],
  [
    '\\block_length',
    (t, node, scope) => integerTerm(ofPointer(t, node, scope, '__rz_acsl_block_length'), offsetBits),
  ],
  ['\\offset', (t, node, scope) => integerTerm(ofPointer(t, node, scope, '__rz_acsl_offset'), offsetBits)],
  ['\\abs', (t, node, scope) => t.absolute(t.term(onlyArgument(t, node), scope), node)],
  ['\\sqrt', (t, node, scope) => realTerm(`__builtin_sqrt(${real(t, node, scope)})`)],
  ['\\floor', (t, node, scope) => realTerm(`__builtin_floor(${real(t, node, scope)})`)],
  ['\\ceil', (t, node, scope) => realTerm(`__builtin_ceil(${real(t, node, scope)})`)],
  ['\\truncate', (t, node, scope) => t.truncated(realTerm(real(t, node, scope)))],
  ['\\min', (t, node, scope) => (node.args.length === 2 ? extreme(t, node, scope) : fold(t, node, scope))],
  ['\\max', (t, node, scope) => (node.args.length === 2 ? extreme(t, node, scope) : fold(t, node, scope))],
  ['\\sum', fold],
  ['\\product', fold],
  ['\\numof', fold],
]);

function ofPointer(t: Translator, node: NodeOf<'call'>, scope: Scope, question: string): string {
  return `${question}(${t.pointer(onlyArgument(t, node), scope).code})`;
}

function real(t: Translator, node: NodeOf<'call'>, scope: Scope): string {
  return t.asReal(t.term(onlyArgument(t, node), scope), node);
}

function extreme(t: Translator, node: NodeOf<'call'>, scope: Scope): Term {
  const [left, right] = node.args as [Node, Node];
  const [a, b] = t.unified(left, right, scope);
  const [x, y] = [t.program.unique('a'), t.program.unique('b')];
  const op = node.name === '\\min' ? '<' : '>';
  const test = t.compare(op, { ...a, code: x }, left, { ...b, code: y }, right);
  const type = variableType(a);
  return { ...a, code: `({ ${type} ${x} = ${a.code}, ${y} = ${b.code}; ${test} ? ${x} : ${y}; })` };
}

/** `\sum(low, high, \lambda integer k; t)` and its relatives. */
function fold(t: Translator, node: NodeOf<'call'>, scope: Scope): Term {
  const [low, high, step] = node.args;
  if (low === undefined || high === undefined || step?.kind !== 'lambda' || step.binders.length !== 1)
    throw t.error(
      node,
      `${node.name} takes two bounds and a function, as in '${node.name}(0, n-1, \\lambda integer k; t[k])'`,
    );
  const [first, last] = [t.integer(low, scope), t.integer(high, scope)];
  const binder = step.binders[0]!;
  const own = intervalOfTypeName(binder.type, name => t.cTypeOf(name));
  const ofType = own.low === undefined ? {} : { ofType: own };
  const range = { low, lowIncluded: true, high, highIncluded: true, ...ofType };
  const { open, term } = t.integerLoop(t.program.unique(binder.name), range, scope, '1');
  const inner = scope.with(binder.name, { kind: 'binder', term, range });
  const loop = (body: string): string => `${open} ${body} }`;
  const total = t.program.unique('total');
  if (node.name === '\\numof') {
    const count = `({ long ${total} = 0; ${loop(`if (${t.predicate(step.body, inner)}) ${total}++;`)} ${total}; })`;
    return integerTerm(count, { low: 0n, high: 1n << 62n });
  }
  const value = t.term(step.body, inner);
  if (value.type.kind === 'real') return foldReals(t, node, value, total, loop);
  const element = t.asInteger(value, step.body);
  if (node.name === '\\min' || node.name === '\\max') return foldExtreme(t, node, element, loop, total);
  const isSum = node.name === '\\sum';
  const steps = resultOf('+', resultOf('-', last.interval, first.interval), exactly(1n));
  const count = { low: 0n, high: steps.high === undefined ? undefined : steps.high < 0n ? 0n : steps.high };
  const all = isSum ? join(exactly(0n), resultOf('*', count, element.interval)) : unbounded;
  const common = representationOf(all, element.interval);
  const added = inRepresentation(element, common);
  const type = { i64: 'long', i128: '__int128', big: '__rz_big' }[common];
  const one = isSum ? (common === 'big' ? '1' : '0') : '3';
  const next =
    common === 'big' ? `__rz_big_${isSum ? 'add' : 'multiply'}(${total}, ${added})` : `${total} + ${added}`;
  const code = `({ ${type} ${total} = ${one}; ${loop(`${total} = ${next};`)} ${total}; })`;
  return integerTerm(narrowed(code, common, representationOf(all)), all);
}

function foldReals(
  t: Translator,
  node: NodeOf<'call'>,
  value: Term,
  total: string,
  loop: (body: string) => string,
): Term {
  if (node.name === '\\min' || node.name === '\\max')
    throw t.error(node, `${node.name} over a range of reals is not supported`);
  const isSum = node.name === '\\sum';
  const body = loop(`${total} ${isSum ? '+' : '*'}= ${value.code};`);
  return realTerm(`({ double ${total} = ${isSum ? '0' : '1'}; ${body} ${total}; })`);
}

/** The minimum or maximum of an empty set is undefined. */
function foldExtreme(
  t: Translator,
  node: NodeOf<'call'>,
  element: Term,
  loop: (body: string) => string,
  total: string,
): Term {
  const [seen, value] = [t.program.unique('seen'), t.program.unique('value')];
  const type = variableType(element);
  const op = node.name === '\\min' ? '<' : '>';
  const test = t.compare(op, { ...element, code: value }, node, { ...element, code: total }, node);
  const body = loop(
    `${type} ${value} = ${element.code}; if (!${seen} || ${test}) ${total} = ${value}, ${seen} = 1;`,
  );
  const check = `if (!${seen}) __rz_acsl_undefined(${t.program.note(node.span)}, RZ_UNDEFINED_CAPTURE);`;
  const zero = representation(element) === 'big' ? '1' : '0';
  return {
    ...element,
    code: `({ ${type} ${total} = ${zero}; int ${seen} = 0; ${body} ${check} ${total}; })`,
  };
}

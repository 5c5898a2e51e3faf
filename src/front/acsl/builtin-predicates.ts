/**
 * The built-in predicates of ACSL: a row each, which the parser uses for the word and the
 * translator for the C code. `builtin-functions.ts` has the terms.
 *
 * A built-in refers to one state. With a label, as in `\valid{Pre}(p)`, the translator moves the
 * whole call to that state; a built-in that compares two states itself has `isOfTwoStates`.
 */
import { showType } from './c-types.js';
import { inRepresentation } from './logic-types.js';
import type { Translator } from './predicates.js';
import type { Stretch } from './sets.js';
import type { Binder, Node, NodeOf } from './syntax.js';
import type { Scope } from './term-scope.js';

export interface BuiltinPredicate {
  /** An expression of C that is 0 or 1. */
  readonly translate: (t: Translator, node: NodeOf<'call'>, scope: Scope) => string;
  readonly isOfTwoStates?: true;
}

export const builtinPredicates: ReadonlyMap<string, BuiltinPredicate> = new Map<string, BuiltinPredicate>([
  ['\\valid', ofBytes('__rz_acsl_valid', 'all')],
  ['\\valid_read', ofBytes('__rz_acsl_valid_read', 'all')],
  ['\\initialized', ofBytes('__rz_acsl_initialized', 'all')],
  ['\\dangling', ofBytes('__rz_acsl_dangling', 'any')],
  ['\\separated', { translate: separated }],
  ['\\freeable', ofPointer('__rz_acsl_freeable')],
  ['\\allocable', ofPointer('__rz_acsl_allocable')],
  ['\\valid_function', { translate: validFunction }],
  ['\\fresh', { translate: fresh, isOfTwoStates: true }],
  ['\\subset', { translate: subset }],
  ['\\is_finite', ofReal('__builtin_isfinite')],
  ['\\is_NaN', ofReal('__builtin_isnan')],
  ['\\is_infinite', ofReal('__builtin_isinf')],
]);

/** The one argument of a built-in that takes one. */
export function onlyArgument(t: Translator, node: NodeOf<'call'>): Node {
  const [argument, ...more] = node.args;
  if (argument === undefined || more.length > 0) throw t.error(node, `${node.name} takes one argument`);
  return argument;
}

function ofPointer(test: string): BuiltinPredicate {
  return { translate: (t, node, scope) => `${test}(${t.pointer(onlyArgument(t, node), scope).code})` };
}

function ofReal(test: string): BuiltinPredicate {
  const operand = (t: Translator, node: NodeOf<'call'>, scope: Scope): string =>
    t.asReal(t.term(onlyArgument(t, node), scope), node);
  return { translate: (t, node, scope) => `${test}(${operand(t, node, scope)})` };
}

/** Holds if `test` does for all bytes to which the arguments point, or for any stretch of them. */
function ofBytes(test: string, which: 'all' | 'any'): BuiltinPredicate {
  return { translate: (t, node, scope) => testBytes(t, node, scope, test, which === 'any') };
}

function testBytes(t: Translator, node: NodeOf<'call'>, scope: Scope, test: string, isAny: boolean): string {
  const result = t.program.unique('ok');
  if (node.args.length === 0) throw t.error(node, `${node.name} takes a pointer`);
  const visit = ({ pointer, type, count }: Stretch): string => {
    if (type.kind === 'function') throw t.error(node, `${node.name} is about data; use \\valid_function`);
    // An object of an incomplete type, such as FILE, has at least one byte.
    const isIncomplete = type.kind === 'record' && !t.program.tree.isRecord(type.spelling);
    const bytes = isIncomplete ? '1l' : `(long)sizeof(*${pointer})`;
    const call = `${test}(${pointer}, ${count} * ${bytes})`;
    return isAny ? `${result} = ${result} || ${call};` : `${result} = ${result} && ${call};`;
  };
  const body = node.args.map(argument => t.pointers(argument, scope, visit, true)).join(' ');
  const single = /^(\w+) = \1 (?:&&|\|\|) ([^;]*);$/.exec(body)?.[2];
  return single ?? `({ int ${result} = ${isAny ? '0' : '1'}; ${body} ${result}; })`;
}

/** All pairs of different arguments. */
function separated(t: Translator, node: NodeOf<'call'>, scope: Scope): string {
  if (node.args.length < 2) throw t.error(node, '\\separated takes at least two sets of places');
  const result = t.program.unique('ok');
  const bytes = ({ pointer, count }: Stretch): string => `${pointer}, ${count} * (long)sizeof(*${pointer})`;
  const pairs = node.args.flatMap((first, i) =>
    node.args.slice(i + 1).map(second => [first, second] as const),
  );
  const body = pairs.map(([first, second]) =>
    t.pointers(first, scope, one =>
      t.pointers(
        second,
        scope,
        two => `${result} = ${result} && __rz_acsl_separated(${bytes(one)}, ${bytes(two)});`,
      ),
    ),
  );
  return `({ int ${result} = 1; ${body.join(' ')} ${result}; })`;
}

function validFunction(t: Translator, node: NodeOf<'call'>, scope: Scope): string {
  const pointer = t.pointer(onlyArgument(t, node), scope);
  const type = t.target(pointer, node);
  if (type.kind !== 'function')
    throw t.error(node, `expected a pointer to a function, not to '${showType(type)}'`);
  const value = t.program.unique('function');
  const ofType = t.program.unique('type');
  // clang checks the types of functions that are defined elsewhere and called here; other types are
  // compared later.
  const { tree } = t.program;
  const others = tree
    .functionsAsValues()
    .filter(name => tree.functions.every(one => one.name !== name || one.body === undefined))
    .map(
      name =>
        ` && (__builtin_types_compatible_p(__typeof__(&${name}), __typeof__(${value})) || ${value} != (void *)&${name})`,
    );
  return `({ __typeof__(${pointer.code}) ${value} = ${pointer.code}; static __typeof__(${value}) ${ofType}; __rz_acsl_valid_function((void *)${value}, &${ofType})${others.join('')}; })`;
}

function fresh(t: Translator, node: NodeOf<'call'>, scope: Scope): string {
  const [pointer, bytes] = node.args;
  if (pointer === undefined || bytes === undefined)
    throw t.error(node, '\\fresh takes a pointer and a number of bytes');
  if (t.labels.get('Old') === 'Here') throw t.error(node, '\\fresh has a meaning only in a postcondition');
  const since = t.captures.captureNow(node.span.first);
  const size = inRepresentation(t.integer(bytes, scope), 'i128');
  return `__rz_acsl_fresh(${t.pointer(pointer, scope).code}, ${size}, ${since})`;
}

/** Whether each element of the first set, which must be enumerable, is in the second. */
function subset(t: Translator, node: NodeOf<'call'>, scope: Scope): string {
  const [small, large] = node.args;
  if (small === undefined || large === undefined || node.args.length > 2)
    throw t.error(node, '\\subset takes two sets');
  if (small.kind === 'range' && small.low !== undefined && small.high !== undefined) {
    const name = `__subset`;
    const place = node.span.first;
    const binder: Binder = { name, place, type: { specifiers: 'integer', derivations: [], place } };
    const variable: Node = { kind: 'name', name, span: small.span };
    const inside: Node = {
      kind: 'relation',
      first: small.low,
      rest: [
        ['<=', variable],
        ['<=', small.high],
      ],
      span: small.span,
    };
    const result = t.program.unique('ok');
    const body = t.forEach([binder], inside, scope, node, inner => {
      const value = t.term(variable, inner);
      return `if (!${t.member(value, variable, large, inner)}) ${result} = 0;`;
    });
    return `({ int ${result} = 1; ${body} ${result}; })`;
  }
  const elements = small.kind === 'set' ? small.elements : [small];
  const parts = elements.map(element => t.member(t.term(element, scope), element, large, scope));
  return parts.length === 0 ? '1' : `(${parts.join(' && ')})`;
}

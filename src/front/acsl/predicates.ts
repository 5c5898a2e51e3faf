/**
 * Predicates to C: connectives, memory predicates, sums, calls of logic functions. `quantifiers.ts`
 * has the loops.
 */
import { declare, showType } from './c-types.js';
import { exactly, fits, join, ofBits, representationOf, resultOf, unbounded } from './integers.js';
import {
  booleanTerm,
  childNodes,
  cTerm,
  inRepresentation,
  integerTerm,
  realTerm,
  representation,
  showLogicType,
  type Term,
  variableType,
} from './logic-types.js';
import { suggestion } from './parse-term.js';
import { QuantifierTranslator } from './quantifiers.js';
import type { Stretch } from './sets.js';
import type { Binder, LogicDefinition, Node, NodeOf, RelationOperator } from './syntax.js';
import { type Binding, Scope } from './term-scope.js';
import { intervalOfTypeName, logicTypeOf, narrowed } from './translate-term.js';

export class Translator extends QuantifierTranslator {
  /** A condition: an expression of C that is 0 or 1. */
  predicate(node: Node, scope: Scope): string {
    switch (node.kind) {
      case 'binary':
        return this.#connective(node, scope);
      case 'relation':
        return this.#relation(node, scope);
      case 'unary':
        if (node.op === '!') return `(!${this.predicate(node.operand, scope)})`;
        break;
      case 'conditional':
        return `(${this.predicate(node.test, scope)} ? ${this.predicate(node.whenTrue, scope)} : ${this.predicate(node.whenFalse, scope)})`;
      case 'quantifier':
        return this.quantifier(node, scope);
      case 'let': {
        const name = this.program.unique(node.name);
        const value = this.term(node.value, scope);
        const inner = scope.with(node.name, { kind: 'term', term: { ...value, code: name } });
        return `({ ${variableType(value)} ${name} = ${value.code}; ${this.predicate(node.body, inner)}; })`;
      }
      case 'at': {
        const label = this.labels.get(node.label) ?? node.label;
        if (label === 'Here') return this.predicate(node.operand, scope);
        break;
      }
      case 'call': {
        const builtin = this.#memoryPredicate(node, scope);
        if (builtin !== undefined) return builtin;
        break;
      }
    }
    return this.truth(this.term(node, scope), node);
  }

  #connective(node: NodeOf<'binary'>, scope: Scope): string {
    const condition = (child: Node): string => this.predicate(child, scope);
    switch (node.op) {
      case '&&':
      case '||':
        return `(${condition(node.left)} ${node.op} ${condition(node.right)})`;
      case '^^':
        return `(!${condition(node.left)} != !${condition(node.right)})`;
      case '==>':
        return `(!${condition(node.left)} || ${condition(node.right)})`;
      case '<==>':
        return `(!${condition(node.left)} == !${condition(node.right)})`;
      case '\\in':
        return this.member(this.term(node.left, scope), node.left, node.right, scope);
      default:
        return this.truth(this.term(node, scope), node);
    }
  }

  #relation(node: NodeOf<'relation'>, scope: Scope): string {
    const parts: string[] = [];
    let left = node.first;
    for (const [op, right] of node.rest) {
      parts.push(this.#comparison(op, left, right, scope));
      left = right;
    }
    return parts.length === 1 ? parts[0]! : `(${parts.join(' && ')})`;
  }

  #comparison(op: RelationOperator, left: Node, right: Node, scope: Scope): string {
    return this.compare(op, this.term(left, scope), left, this.term(right, scope), right);
  }

  // ------------------------------------------------------------------------------- memory
  // predicates

  #memoryPredicate(node: NodeOf<'call'>, scope: Scope): string | undefined {
    const label = node.labels[0];
    if (
      label !== undefined &&
      node.name.startsWith('\\') &&
      (this.labels.get(label) ?? label) !== 'Here' &&
      node.name !== '\\fresh'
    ) {
      const { labels: _, ...rest } = node;
      const plain: Node = { ...rest, labels: [] };
      return this.truth(this.at({ kind: 'at', operand: plain, label, span: node.span }, scope), node);
    }
    switch (node.name) {
      case '\\valid':
      case '\\valid_read':
      case '\\initialized':
      case '\\dangling':
        return this.#forAllStretches(
          node,
          scope,
          `__rz_acsl_${node.name.slice(1)}`,
          node.name === '\\dangling',
        );
      case '\\separated':
        return this.#separated(node, scope);
      case '\\freeable':
      case '\\allocable':
        return `__rz_acsl_${node.name.slice(1)}(${this.pointer(this.#only(node), scope).code})`;
      case '\\valid_function':
        return this.#validFunction(node, scope);
      case '\\fresh':
        return this.#fresh(node, scope);
      case '\\subset':
        return this.#subset(node, scope);
      case '\\is_finite':
        return `__builtin_isfinite(${this.asReal(this.term(this.#only(node), scope), node)})`;
      case '\\is_NaN':
        return `__builtin_isnan(${this.asReal(this.term(this.#only(node), scope), node)})`;
      case '\\is_infinite':
        return `__builtin_isinf(${this.asReal(this.term(this.#only(node), scope), node)})`;
      default: {
        const definition = this.program.logic.get(node.name);
        return definition !== undefined && definition.result === undefined
          ? this.#applyPredicate(definition, node, scope)
          : undefined;
      }
    }
  }

  #only(node: NodeOf<'call'>): Node {
    const [argument, ...more] = node.args;
    if (argument === undefined || more.length > 0) throw this.error(node, `${node.name} takes one argument`);
    return argument;
  }

  #forAllStretches(node: NodeOf<'call'>, scope: Scope, test: string, isAny: boolean): string {
    const result = this.program.unique('ok');
    if (node.args.length === 0) throw this.error(node, `${node.name} takes a pointer`);
    const visit = ({ pointer, type, count }: Stretch): string => {
      if (type.kind === 'function')
        throw this.error(node, `${node.name} is about data; use \\valid_function`);
      // Of a type that is defined elsewhere, as FILE is in the C library, at least the first byte
      // is there.
      const isIncomplete = type.kind === 'record' && !this.program.tree.isRecord(type.spelling);
      const bytes = isIncomplete ? '1l' : `(long)sizeof(*${pointer})`;
      const call = `${test}(${pointer}, ${count} * ${bytes})`;
      return isAny ? `${result} = ${result} || ${call};` : `${result} = ${result} && ${call};`;
    };
    const body = node.args.map(argument => this.pointers(argument, scope, visit, true)).join(' ');
    const single = /^(\w+) = \1 (?:&&|\|\|) ([^;]*);$/.exec(body)?.[2];
    return single ?? `({ int ${result} = ${isAny ? '0' : '1'}; ${body} ${result}; })`;
  }

  /** All pairs of different arguments. */
  #separated(node: NodeOf<'call'>, scope: Scope): string {
    if (node.args.length < 2) throw this.error(node, '\\separated takes at least two sets of places');
    const result = this.program.unique('ok');
    const bytes = ({ pointer, count }: Stretch): string => `${pointer}, ${count} * (long)sizeof(*${pointer})`;
    const pairs = node.args.flatMap((first, i) =>
      node.args.slice(i + 1).map(second => [first, second] as const),
    );
    const body = pairs.map(([first, second]) =>
      this.pointers(first, scope, one =>
        this.pointers(
          second,
          scope,
          two => `${result} = ${result} && __rz_acsl_separated(${bytes(one)}, ${bytes(two)});`,
        ),
      ),
    );
    return `({ int ${result} = 1; ${body.join(' ')} ${result}; })`;
  }

  #validFunction(node: NodeOf<'call'>, scope: Scope): string {
    const pointer = this.pointer(this.#only(node), scope);
    const type = this.target(pointer, node);
    if (type.kind !== 'function')
      throw this.error(node, `expected a pointer to a function, not to '${showType(type)}'`);
    const value = this.program.unique('function');
    const ofType = this.program.unique('type');
    // The types of functions that are defined elsewhere, and called here, are for clang to say;
    // those of others are compared later.
    const { tree } = this.program;
    const others = tree
      .functionsAsValues()
      .filter(name => tree.functions.every(one => one.name !== name || one.body === undefined))
      .map(
        name =>
          ` && (__builtin_types_compatible_p(__typeof__(&${name}), __typeof__(${value})) || ${value} != (void *)&${name})`,
      );
    return `({ __typeof__(${pointer.code}) ${value} = ${pointer.code}; static __typeof__(${value}) ${ofType}; __rz_acsl_valid_function((void *)${value}, &${ofType})${others.join('')}; })`;
  }

  #fresh(node: NodeOf<'call'>, scope: Scope): string {
    const [pointer, bytes] = node.args;
    if (pointer === undefined || bytes === undefined)
      throw this.error(node, '\\fresh takes a pointer and a number of bytes');
    if (this.labels.get('Old') === 'Here')
      throw this.error(node, '\\fresh has a meaning only in a postcondition');
    const since = this.captures.captureNow(node.span.first);
    const size = inRepresentation(this.integer(bytes, scope), 'i128');
    return `__rz_acsl_fresh(${this.pointer(pointer, scope).code}, ${size}, ${since})`;
  }

  /** Of sets of values that can be listed: each element of the first is in the second. */
  #subset(node: NodeOf<'call'>, scope: Scope): string {
    const [small, large] = node.args;
    if (small === undefined || large === undefined || node.args.length > 2)
      throw this.error(node, '\\subset takes two sets');
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
      const result = this.program.unique('ok');
      const body = this.forEach([binder], inside, scope, node, inner => {
        const value = this.term(variable, inner);
        return `if (!${this.member(value, variable, large, inner)}) ${result} = 0;`;
      });
      return `({ int ${result} = 1; ${body} ${result}; })`;
    }
    const elements = small.kind === 'set' ? small.elements : [small];
    const parts = elements.map(element => this.member(this.term(element, scope), element, large, scope));
    return parts.length === 0 ? '1' : `(${parts.join(' && ')})`;
  }

  // ----------------------------------------------------------------------------------------- calls

  protected callTerm(node: NodeOf<'call'>, scope: Scope): Term {
    switch (node.name) {
      case '\\base_addr':
        return cTerm(`__rz_acsl_base_addr(${this.pointer(this.#only(node), scope).code})`, charPointer);
      case '\\block_length':
      case '\\offset':
        return integerTerm(
          `__rz_acsl_${node.name.slice(1)}(${this.pointer(this.#only(node), scope).code})`,
          ofBits(40, true),
        );
      case '\\abs':
        return this.absolute(this.term(this.#only(node), scope), node);
      case '\\sqrt':
      case '\\floor':
      case '\\ceil':
        return realTerm(
          `__builtin_${node.name.slice(1)}(${this.asReal(this.term(this.#only(node), scope), node)})`,
        );
      case '\\truncate':
        return this.truncated(realTerm(this.asReal(this.term(this.#only(node), scope), node)));
      case '\\min':
      case '\\max':
        return node.args.length === 2 ? this.#extreme(node, scope) : this.#fold(node, scope);
      case '\\sum':
      case '\\product':
      case '\\numof':
        return this.#fold(node, scope);
    }
    const predicate = this.#memoryPredicate(node, scope);
    if (predicate !== undefined) return booleanTerm(predicate);
    const definition = this.program.logic.get(node.name);
    if (definition !== undefined) return this.#applyFunction(definition, node, scope);
    if (node.name.startsWith('\\')) throw this.error(node, `${node.name} is not a function`);
    const isC = this.program.tree.functions.some(target => target.name === node.name);
    if (isC)
      throw this.error(
        node,
        `'${node.name}' is a function of C, which annotations cannot call; define it with 'logic' or 'predicate'`,
      );
    throw this.error(
      node,
      `'${node.name}' is not a logic function or predicate`,
      suggestion(node.name, [...this.program.logic.keys()]),
    );
  }

  #extreme(node: NodeOf<'call'>, scope: Scope): Term {
    const [left, right] = node.args as [Node, Node];
    const [a, b] = this.unified(left, right, scope);
    const [x, y] = [this.program.unique('a'), this.program.unique('b')];
    const op = node.name === '\\min' ? '<' : '>';
    const test = this.compare(op, { ...a, code: x }, left, { ...b, code: y }, right);
    const type = variableType(a);
    return { ...a, code: `({ ${type} ${x} = ${a.code}, ${y} = ${b.code}; ${test} ? ${x} : ${y}; })` };
  }

  /** `\sum(low, high, \lambda integer k; t)` and its relatives. */
  #fold(node: NodeOf<'call'>, scope: Scope): Term {
    const [low, high, step] = node.args;
    if (low === undefined || high === undefined || step?.kind !== 'lambda' || step.binders.length !== 1)
      throw this.error(
        node,
        `${node.name} takes two bounds and a function, as in '${node.name}(0, n-1, \\lambda integer k; t[k])'`,
      );
    const [first, last] = [this.integer(low, scope), this.integer(high, scope)];
    const binder = step.binders[0]!;
    const own = intervalOfTypeName(binder.type, name => this.cTypeOf(name));
    const ofType = own.low === undefined ? {} : { ofType: own };
    const range = { low, lowIncluded: true, high, highIncluded: true, ...ofType };
    const { open, term } = this.integerLoop(this.program.unique(binder.name), range, scope, '1');
    const inner = scope.with(binder.name, { kind: 'binder', term, range });
    const loop = (body: string): string => `${open} ${body} }`;
    const total = this.program.unique('total');
    if (node.name === '\\numof') {
      const count = `({ long ${total} = 0; ${loop(`if (${this.predicate(step.body, inner)}) ${total}++;`)} ${total}; })`;
      return integerTerm(count, { low: 0n, high: 1n << 62n });
    }
    const value = this.term(step.body, inner);
    if (value.type.kind === 'real') return this.#foldReals(node, value, total, loop);
    const element = this.asInteger(value, step.body);
    if (node.name === '\\min' || node.name === '\\max') return this.#foldExtreme(node, element, loop, total);
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

  #foldReals(node: NodeOf<'call'>, value: Term, total: string, loop: (body: string) => string): Term {
    if (node.name === '\\min' || node.name === '\\max')
      throw this.error(node, `${node.name} over a range of reals is not supported`);
    const isSum = node.name === '\\sum';
    const body = loop(`${total} ${isSum ? '+' : '*'}= ${value.code};`);
    return realTerm(`({ double ${total} = ${isSum ? '0' : '1'}; ${body} ${total}; })`);
  }

  /** The extreme of nothing is undefined. */
  #foldExtreme(node: NodeOf<'call'>, element: Term, loop: (body: string) => string, total: string): Term {
    const [seen, value] = [this.program.unique('seen'), this.program.unique('value')];
    const type = variableType(element);
    const op = node.name === '\\min' ? '<' : '>';
    const test = this.compare(op, { ...element, code: value }, node, { ...element, code: total }, node);
    const body = loop(
      `${type} ${value} = ${element.code}; if (!${seen} || ${test}) ${total} = ${value}, ${seen} = 1;`,
    );
    const check = `if (!${seen}) __rz_acsl_undefined(${this.program.note(node.span)}, RZ_UNDEFINED_CAPTURE);`;
    const zero = representation(element) === 'big' ? '1' : '0';
    return {
      ...element,
      code: `({ ${type} ${total} = ${zero}; int ${seen} = 0; ${body} ${check} ${total}; })`,
    };
  }

  // --------------------------------------------------------------------------------- logic
  // functions

  /**
   * The arguments under the names of the parameters: declarations in C, and the scope that knows
   * them.
   */
  #parameters(
    definition: LogicDefinition,
    node: NodeOf<'call'>,
    scope: Scope,
  ): { declarations: string; inner: Scope } {
    const { parameters } = definition;
    if (parameters.length !== node.args.length)
      throw this.error(
        node,
        `'${definition.name}' takes ${parameters.length} arguments, not ${node.args.length}`,
      );
    const bindings = new Map<string, Binding>();
    const declarations = parameters.map((parameter, i) => {
      const argument = this.argument(parameter, node.args[i]!, scope);
      const name = this.program.unique(parameter.name);
      bindings.set(parameter.name, { kind: 'term', term: { ...argument, code: name } });
      return `${variableType(argument)} ${name} = ${argument.code};`;
    });
    return { declarations: declarations.join(' '), inner: new Scope(bindings) };
  }

  /** The argument as the parameter wants it. */
  argument(parameter: Binder, node: Node, scope: Scope): Term {
    const wanted = logicTypeOf(parameter.type, name => this.cTypeOf(name));
    const given = this.term(node, scope);
    if (wanted.kind === 'integer') {
      const integer = this.asInteger(given, node);
      const interval = intervalOfTypeName(parameter.type, name => this.cTypeOf(name));
      const isNarrow = interval.low !== undefined && !fits(integer.interval, interval);
      return isNarrow
        ? this.term({ kind: 'cast', type: parameter.type, operand: node, span: node.span }, scope)
        : integer;
    }
    if (wanted.kind === 'real') return realTerm(this.asReal(given, node));
    if (wanted.kind === 'boolean') return booleanTerm(this.truth(given, node));
    if (wanted.type.kind !== 'pointer') return given;
    const pointer = node.kind === 'integer' ? undefined : this.pointer(node, scope);
    return cTerm(`((${declare(wanted.type, '')})${pointer?.code ?? '0'})`, wanted.type);
  }

  #applyPredicate(definition: LogicDefinition, node: NodeOf<'call'>, scope: Scope): string {
    return this.#expand(definition, node, scope, (translator, body, inner) => ({
      ...booleanTerm(translator.predicate(body, inner)),
    })).code;
  }

  #applyFunction(definition: LogicDefinition, node: NodeOf<'call'>, scope: Scope): Term {
    return this.#expand(definition, node, scope, (translator, body, inner) =>
      translator.asDeclared(definition, translator.term(body, inner), body),
    );
  }

  /** The result as the definition says it is. */
  asDeclared(definition: LogicDefinition, term: Term, node: Node): Term {
    if (definition.result === undefined) return booleanTerm(this.truth(term, node));
    const wanted = logicTypeOf(definition.result, name => this.cTypeOf(name));
    if (wanted.kind === 'integer') return this.asInteger(term, node);
    if (wanted.kind === 'real') return realTerm(this.asReal(term, node));
    if (wanted.kind === 'boolean') return booleanTerm(this.truth(term, node));
    if (term.type.kind === 'c') return term;
    throw this.error(
      node,
      `'${definition.name}' should be of type ${showLogicType(wanted)}, not ${showLogicType(term.type)}`,
    );
  }

  #expand(
    definition: LogicDefinition,
    node: NodeOf<'call'>,
    scope: Scope,
    translate: (translator: Translator, body: Node, inner: Scope) => Term,
  ): Term {
    const { body } = definition;
    if (body === undefined)
      throw this.error(node, `'${definition.name}' has no definition that can be executed`);
    const labels = this.#labelsOf(definition, node);
    const states = new Set([...labels.values()].filter(label => label !== 'Here'));
    if (definition.labels.length <= 1 && states.size === 1) {
      const { labels: _, ...rest } = node;
      return this.at(
        { kind: 'at', operand: { ...rest, labels: [] }, label: [...states][0]!, span: node.span },
        scope,
      );
    }
    const recursive = this.program.recursive(definition);
    if (recursive !== undefined) return this.#callRecursive(recursive, definition, node, scope);
    const translator = new Translator(this.program, this.captures, labels);
    if (states.size > 0) return translate(translator, body, this.#substituted(definition, node, scope));
    const { declarations, inner } = this.#parameters(definition, node, scope);
    const term = translate(translator, body, inner);
    return declarations === '' ? term : { ...term, code: `({ ${declarations} ${term.code}; })` };
  }

  #labelsOf(definition: LogicDefinition, node: NodeOf<'call'>): Map<string, string> {
    const given = node.labels.map(label => this.labels.get(label) ?? label);
    if (given.length > definition.labels.length && given.length > 1)
      throw this.error(
        node,
        `'${definition.name}' takes ${definition.labels.length} labels, not ${given.length}`,
      );
    if (definition.labels.length > 1 && given.length !== definition.labels.length)
      throw this.error(
        node,
        `'${definition.name}' needs its ${definition.labels.length} labels, as in '${definition.name}{Pre, Here}(…)'`,
      );
    const labels = new Map(definition.labels.map((label, i) => [label, given[i] ?? 'Here']));
    if (definition.labels.length === 0 && given[0] !== undefined) labels.set('', given[0]);
    return labels;
  }

  /**
   * For a predicate about several states its arguments stand for the parameters as they are: they
   * must mean the same in all of them.
   */
  #substituted(definition: LogicDefinition, node: NodeOf<'call'>, scope: Scope): Scope {
    const bindings = new Map<string, Binding>();
    for (const [i, parameter] of definition.parameters.entries()) {
      const argument = node.args[i];
      if (argument === undefined || node.args.length !== definition.parameters.length)
        throw this.error(
          node,
          `'${definition.name}' takes ${definition.parameters.length} arguments, not ${node.args.length}`,
        );
      if (readsMemory(argument))
        throw this.error(
          argument,
          `the argument of '${definition.name}', which is about several states, must not read memory`,
        );
      bindings.set(parameter.name, { kind: 'tree', node: argument, scope });
    }
    return new Scope(bindings);
  }

  #callRecursive(
    target: NonNullable<ReturnType<Translator['program']['recursive']>>,
    definition: LogicDefinition,
    node: NodeOf<'call'>,
    scope: Scope,
  ): Term {
    if (definition.parameters.length !== node.args.length)
      throw this.error(
        node,
        `'${definition.name}' takes ${definition.parameters.length} arguments, not ${node.args.length}`,
      );
    const args = definition.parameters.map((parameter, i) => {
      const given = this.argument(parameter, node.args[i]!, scope);
      const wanted = target.parameters[i]!;
      return given.type.kind === 'integer' ? inRepresentation(given, representation(wanted)) : given.code;
    });
    return { ...target.result, code: `${target.code}(${args.join(', ')})` };
  }
}

const charPointer = {
  kind: 'pointer',
  to: { kind: 'integer', bits: 8, signed: true, spelling: 'char' },
} as const;

export function readsMemory(node: Node): boolean {
  if (node.kind === 'index' || (node.kind === 'member' && node.arrow)) return true;
  if (node.kind === 'unary' && node.op === '*') return true;
  if (node.kind === 'unary' && node.op === '&') return false;
  return childNodes(node).some(readsMemory);
}

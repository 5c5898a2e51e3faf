/**
 * Translates predicates to C: connectives and calls of logic functions. `quantifiers.ts` has the
 * loops, `builtin-predicates.ts` and `builtin-functions.ts` the built-in words.
 */
import { builtinFunctions } from './builtin-functions.js';
import { builtinPredicates } from './builtin-predicates.js';
import { declare } from './c-types.js';
import { type ArithmeticOperator, fits } from './integers.js';
import {
  booleanTerm,
  childNodes,
  cTerm,
  inRepresentation,
  realTerm,
  representation,
  showLogicType,
  type Term,
  variableType,
} from './logic-types.js';
import { suggestion } from './parse-term.js';
import { QuantifierTranslator } from './quantifiers.js';
import type { Binder, LogicDefinition, Node, NodeOf, RelationOperator } from './syntax.js';
import { type Binding, Scope } from './term-scope.js';
import { intervalOfTypeName, logicTypeOf } from './translate-term.js';

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
        const predicate = this.#callPredicate(node, scope);
        if (predicate !== undefined) return predicate;
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
        node.op satisfies ArithmeticOperator | '-->' | '<-->';
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

  // ------------------------------------------------------------------------------------ built-ins

  /**
   * Moves the call to the state of its label, unless that is the current one or the built-in
   * compares two states itself.
   */
  #inOtherState(node: NodeOf<'call'>, scope: Scope): Term | undefined {
    const label = node.labels[0];
    if (label === undefined || (this.labels.get(label) ?? label) === 'Here') return undefined;
    if (builtinPredicates.get(node.name)?.isOfTwoStates) return undefined;
    const operand: Node = { ...node, labels: [] };
    return this.at({ kind: 'at', operand, label, span: node.span }, scope);
  }

  /** Undefined if the name is not that of a predicate. */
  #callPredicate(node: NodeOf<'call'>, scope: Scope): string | undefined {
    const builtin = builtinPredicates.get(node.name);
    if (builtin !== undefined) {
      const other = this.#inOtherState(node, scope);
      return other === undefined ? builtin.translate(this, node, scope) : this.truth(other, node);
    }
    const definition = this.program.logic.get(node.name);
    return definition !== undefined && definition.result === undefined
      ? this.#applyPredicate(definition, node, scope)
      : undefined;
  }

  // ----------------------------------------------------------------------------------------- calls

  protected callTerm(node: NodeOf<'call'>, scope: Scope): Term {
    const builtin = builtinFunctions.get(node.name);
    if (builtin !== undefined) return this.#inOtherState(node, scope) ?? builtin(this, node, scope);
    const predicate = this.#callPredicate(node, scope);
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

  // ------------------------------------------------------------------------------- logic functions

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

  /** The argument in the type of the parameter. */
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

  /** The result in the declared type. */
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
   * For a predicate about several states the arguments replace the parameters textually, so they
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

export function readsMemory(node: Node): boolean {
  if (node.kind === 'index' || (node.kind === 'member' && node.arrow)) return true;
  if (node.kind === 'unary' && node.op === '*') return true;
  if (node.kind === 'unary' && node.op === '&') return false;
  return childNodes(node).some(readsMemory);
}

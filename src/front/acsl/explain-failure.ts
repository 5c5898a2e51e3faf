/**
 * Explains a false condition: generates the code that runs when it is false and reports the values
 * of the terms that decided. It evaluates the condition again along the way that it failed: into
 * the false conjunct, to the element that violates a quantifier.
 */

import { AcslError } from './acsl-error.js';
import { cString } from './c-string.js';
import { childNodes, freeNames, inRepresentation, representation, type Term } from './logic-types.js';
import type { Translator } from './predicates.js';
import { split } from './quantifier-bounds.js';
import type { Node } from './syntax.js';
import type { AnnotatedProgram, Scope } from './term-scope.js';

/** Further values would add nothing. */
const mostValues = 10;

export class Explainer {
  constructor(
    private readonly translator: Translator,
    private readonly program: AnnotatedProgram,
  ) {}

  /** Statements for a condition that is false. */
  explain(node: Node, scope: Scope): string {
    switch (node.kind) {
      case 'binary':
        if (node.op === '&&') {
          const test = this.#quiet(`!${this.translator.predicate(node.left, scope)}`);
          return `if (${test}) { ${this.explain(node.left, scope)} } else { ${this.explain(node.right, scope)} }`;
        }
        if (node.op === '==>')
          return `${this.#values([node.left], scope)} ${this.explain(node.right, scope)}`;
        if (node.op === '||') return `${this.explain(node.left, scope)} ${this.explain(node.right, scope)}`;
        return this.#values([node], scope);
      case 'quantifier':
        return node.every ? this.#counterexample(node, scope) : this.#values(childNodes(node), scope);
      case 'let': {
        const name = this.program.unique(node.name);
        const value = this.translator.term(node.value, scope);
        const inner = scope.with(node.name, { kind: 'term', term: { ...value, code: name } });
        return `{ __typeof__(${value.code}) ${name} = ${value.code}; ${this.#tell(node.name, { ...value, code: name })} ${this.explain(node.body, inner)} }`;
      }
      case 'conditional':
        return `${this.#values([node.test], scope)} if (${this.#quiet(this.translator.predicate(node.test, scope))}) { ${this.explain(node.whenTrue, scope)} } else { ${this.explain(node.whenFalse, scope)} }`;
      default:
        // Other conditions are explained by the values of their parts.
        return this.#values([node], scope);
    }
  }

  /** Finds the first element for which the body does not hold. */
  #counterexample(node: Node & { kind: 'quantifier' }, scope: Scope): string {
    const { guard, body } = split(node);
    if (body === undefined) return '';
    const found = this.program.unique('found');
    const loops = this.translator.visit(node.binders, guard, scope, node, `!${found}`, inner => {
      const bound = node.binders.map(({ name }) => {
        const binding = inner.find(name);
        return binding?.kind === 'binder' || binding?.kind === 'term' ? this.#tell(name, binding.term) : '';
      });
      return `if (!${this.translator.predicate(body, inner)}) { ${found} = 1; ${bound.join(' ')} ${this.explain(body, inner)} }`;
    });
    return `{ int ${found} = 0; ${loops} }`;
  }

  #values(nodes: readonly Node[], scope: Scope): string {
    const told = new Map<string, string>();
    /** For sums and similar terms, only the whole is reported, and the variables in it. */
    const visit = (node: Node, isPart: boolean): void => {
      if (
        node.kind === 'quantifier' ||
        node.kind === 'lambda' ||
        node.kind === 'comprehension' ||
        node.kind === 'let'
      )
        return;
      if (!(isPart && isArithmetic(node)) && isTelling(node) && this.#isVariable(node, scope)) {
        const text = this.program.text(node.span);
        const code = told.has(text) || told.size >= mostValues ? undefined : this.#value(node, text, scope);
        if (code !== undefined) told.set(text, code);
      }
      if (node.kind === 'at') return;
      for (const child of childNodes(node)) visit(child, isPart || isArithmetic(node));
    };
    for (const node of nodes) visit(node, false);
    return [...told.values()].join(' ');
  }

  /** Constants and the addresses of arrays are not reported. */
  #isVariable(node: Node, scope: Scope): boolean {
    const names = [...freeNames(node)].filter(name => !this.program.tree.enumConstants.has(name));
    if (names.length === 0) return node.kind === 'binary' || node.kind === 'call';
    if (node.kind !== 'name' && node.kind !== 'index' && node.kind !== 'member') return true;
    try {
      return this.translator.place(node, scope)?.type.kind !== 'array';
    } catch (error) {
      if (error instanceof AcslError) return false;
      throw error;
    }
  }

  #value(node: Node, text: string, scope: Scope): string | undefined {
    try {
      return this.#tell(text, this.translator.term(node, scope));
    } catch (error) {
      // Sets, types and functions have no value to report.
      if (error instanceof AcslError) return undefined;
      throw error;
    }
  }

  #tell(text: string, term: Term): string {
    const call = teller(cString(text), term);
    if (call === undefined) return '';
    const name = this.program.unique('value');
    return `{ __rz_acsl_quiet_begin(); ${call.type} ${name} = ${call.value}; if (!__rz_acsl_quiet_end()) ${call.tell(name)}; }`;
  }

  #quiet(condition: string): string {
    return `({ __rz_acsl_quiet_begin(); int __rz_c = ${condition}; __rz_acsl_quiet_end(); __rz_c; })`;
  }
}

function teller(
  text: string,
  term: Term,
): { type: string; value: string; tell: (name: string) => string } | undefined {
  switch (term.type.kind) {
    case 'integer': {
      const isBig = representation(term) === 'big';
      return {
        type: isBig ? '__rz_big' : '__int128',
        value: isBig ? term.code : inRepresentation(term, 'i128'),
        tell: name => `__rz_raw_value_${isBig ? 'big' : 'integer'}(${text}, ${name})`,
      };
    }
    case 'real':
      return { type: 'double', value: term.code, tell: name => `__rz_raw_value_real(${text}, ${name})` };
    case 'boolean':
      return { type: 'int', value: term.code, tell: name => `__rz_raw_value_boolean(${text}, ${name})` };
    case 'c':
      if (term.type.type.kind !== 'pointer') return undefined;
      return {
        type: 'const volatile void *',
        value: `(const volatile void *)${term.code}`,
        tell: name => `__rz_raw_value_pointer(${text}, ${name})`,
      };
  }
}

/** Whether the value is worth reporting. Constants and conditions are not. */
function isTelling(node: Node): boolean {
  switch (node.kind) {
    case 'name':
      return !/^\\(true|false|null|nothing|empty|pi)$/.test(node.name);
    case 'unary':
      return node.op === '*' || node.op === '-' || node.op === '~';
    case 'binary':
      return ['+', '-', '*', '/', '%', '<<', '>>', '&', '|', '^'].includes(node.op);
    case 'index':
    case 'member':
    case 'at':
    case 'call':
      return true;
    default:
      // Constants and conditions.
      return false;
  }
}

function isArithmetic(node: Node): boolean {
  return (node.kind === 'unary' && node.op !== '*') || (node.kind === 'binary' && isTelling(node));
}

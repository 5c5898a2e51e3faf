/**
 * Formulas as SMT-LIB text over integers, for Z3.
 *
 * Parts that occur more than once become definitions, so that text is no larger than the formula's
 * graph.
 */
import { unreachable } from '../support/assert.js';
import { variableAt } from './decider.js';
import { type BoolExpr, type Expr, type IntExpr, inDomain, ref, type Variable } from './expression.js';

export class SmtPrinter {
  readonly #defined = new Map<string, string>();
  readonly #texts = new Map<number, Map<Expr, string>>();
  #count = 0;
  /** Definitions made since they were last taken. */
  #pending: string[] = [];

  /**
   * The text of a formula about the states `step` and, where it says next, `step + 1`. Take the
   * definitions before using it.
   */
  formula(expr: BoolExpr, step: number): string {
    return this.#text(expr, step);
  }

  takeDefinitions(): string {
    const text = this.#pending.join('');
    this.#pending = [];
    return text;
  }

  #text(expr: Expr, step: number): string {
    let known = this.#texts.get(step);
    if (known === undefined) {
      known = new Map();
      this.#texts.set(step, known);
    }
    let text = known.get(expr);
    if (text === undefined) {
      text = this.#shared(expr, this.#make(expr, step));
      known.set(expr, text);
    }
    return text;
  }

  /** Long texts get a name: they would be repeated wherever the part occurs. */
  #shared(expr: Expr, text: string): string {
    if (text.length < 80) return text;
    const known = this.#defined.get(text);
    if (known !== undefined) return known;
    const name = `d${this.#count++}`;
    this.#pending.push(`(define-fun ${name} () ${isBoolean(expr) ? 'Bool' : 'Int'} ${text})\n`);
    this.#defined.set(text, name);
    return name;
  }

  #make(expr: Expr, step: number): string {
    const text = (part: Expr): string => this.#text(part, step);
    const list = (operator: string, parts: readonly Expr[]): string =>
      `(${operator} ${parts.map(text).join(' ')})`;
    switch (expr.kind) {
      case 'bool':
        return `${expr.value}`;
      case 'int':
        return numeral(expr.value);
      case 'var':
        return variableAt(expr.variable, expr.next ? step + 1 : step);
      case 'not':
        return list('not', [expr.a]);
      case 'and':
      case 'or':
        return list(expr.kind, expr.parts);
      case 'implies':
        return list('=>', [expr.a, expr.b]);
      case 'iff':
      case 'eq':
        return list('=', [expr.a, expr.b]);
      case 'le':
        return list('<=', [expr.a, expr.b]);
      case 'choose':
      case 'ite':
        return list('ite', [expr.condition, expr.yes, expr.no]);
      case 'sum':
        return list('+', expr.parts);
      case 'scale':
        return `(* ${numeral(expr.factor)} ${text(expr.a)})`;
      case 'div':
      case 'mod':
        return `(${expr.kind} ${text(expr.a)} ${numeral(expr.divisor)})`;
      case 'count':
        throw new RangeError('a number of threads is printed after composition only');
      default:
        return unreachable(expr);
    }
  }
}

/** Declares the variables of a state. */
export function declareState(variables: readonly Variable[], step: number): string {
  return variables
    .map(variable => {
      const sort = variable.domain.kind === 'bool' ? 'Bool' : 'Int';
      return `(declare-const ${variableAt(variable, step)} ${sort})\n`;
    })
    .join('');
}

/** Asserts that the variables of a state are in their domains. */
export function boundState(variables: readonly Variable[], step: number): string {
  return variables
    .map(variable => inDomain(variable.domain, ref(variable)))
    .filter(inside => inside.kind !== 'bool')
    .map(inside => `(assert ${new SmtPrinter().formula(inside, step)})\n`)
    .join('');
}

function numeral(value: number): string {
  return value < 0 ? `(- ${-value})` : `${value}`;
}

export function isBoolean(expr: Expr): expr is BoolExpr {
  if (expr.kind === 'var') return expr.variable.domain.kind === 'bool';
  const integers: readonly IntExpr['kind'][] = ['int', 'sum', 'scale', 'ite', 'div', 'mod', 'count'];
  return !integers.includes(expr.kind as IntExpr['kind']);
}

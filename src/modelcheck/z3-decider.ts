/**
 * Z3 as a decider: a scope of a context that knows the system already.
 */
import { readSExpressions, type SExpression } from '../expr/s-expression.js';
import { assert } from '../support/assert.js';
import { type Answer, type Decider, type Literal, variableAt } from './decider.js';
import type { BoolExpr } from './expression.js';
import type { State, System } from './system.js';
import type { Z3Bench, Z3Library } from './z3-library.js';

export class Z3Decider implements Decider {
  readonly name = 'Z3';
  readonly #system: System;
  readonly #bench: Z3Bench;
  queries = 0;

  constructor(z3: Z3Library, system: System, hasStep: boolean) {
    this.#system = system;
    this.#bench = z3.takeBench(system, { purpose: 'searching', hasStep });
    this.#bench.open();
  }

  literal(formula: BoolExpr, step: number): Literal {
    return this.#bench.proxy(formula, step);
  }

  negate(literal: Literal): Literal {
    return -literal;
  }

  assume(formula: BoolExpr, step: number): void {
    this.#bench.assert(formula, step);
  }

  check(literals: readonly Literal[], milliseconds: number): Answer {
    this.queries++;
    const limit = Number.isFinite(milliseconds) ? Math.max(1, Math.floor(milliseconds)) : 4_294_967_295;
    const start = performance.now();
    const reply = this.#bench.ask(
      `(set-option :timeout ${limit})\n(check-sat-assuming (${literals.map(nameOf).join(' ')}))`,
    );
    if (reply === 'sat') return { kind: 'sat' };
    if (reply === 'unsat') return { kind: 'unsat', core: this.#core(literals) };
    assert(reply === 'unknown', `Z3: ${reply}`);
    const isLate = performance.now() - start >= limit;
    return { kind: 'unknown', reason: isLate ? 'the time limit was reached' : 'Z3 gave up' };
  }

  state(step: number): State | undefined {
    const names = this.#system.variables.map(variable => variableAt(variable, step));
    if (names.length === 0) return [];
    const [list] = readSExpressions(this.#bench.ask(`(get-value (${names.join(' ')}))`), 'smtlib');
    assert(list?.kind === 'list', 'Z3 gave no values');
    const state = list.items.map(pair => numberIn(pair.kind === 'list' ? pair.items[1] : undefined));
    return state.every(Number.isSafeInteger) ? state : undefined;
  }

  close(): void {
    this.#bench.close();
  }

  #core(literals: readonly Literal[]): Literal[] {
    const text = this.#bench.ask('(get-unsat-core)');
    const names = new Set(text.match(/(?<![\w])p\d+/g) ?? []);
    return literals.filter(literal => names.has(`p${Math.abs(literal)}`));
  }
}

function nameOf(literal: Literal): string {
  return literal < 0 ? `(not p${-literal})` : `p${literal}`;
}

/** `5`, `(- 5)`, `true`. */
function numberIn(node: SExpression | undefined): number {
  if (node?.kind === 'list') return -numberIn(node.items[1]);
  assert(node?.kind === 'word', 'Z3 gave a value that is none');
  if (node.text === 'true' || node.text === 'false') return node.text === 'true' ? 1 : 0;
  return Number(node.text);
}

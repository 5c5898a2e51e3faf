/**
 * Loads Z3 once, and manages the contexts in which queries are made.
 *
 * Z3 runs in this thread (`solver/z3-module.ts`), which is why `redzone prove` itself runs in a
 * worker that can be terminated. Reading a transition relation into a fresh context takes ten times
 * as long as a query of one step about it, so contexts are kept (`Z3Bench`).
 */
import { type Z3Context, Z3Module } from '../solver/z3-module.js';
import type { BoolExpr } from './expression.js';
import { variablesIn } from './rewrite.js';
import { boundState, declareState, SmtPrinter } from './smt.js';
import { type System, transitionFormula } from './system.js';

/** Z3, loaded, and the benches that were returned. */
export class Z3Library {
  readonly module: Z3Module;
  readonly #idle: Z3Bench[] = [];

  private constructor(module: Z3Module) {
    this.module = module;
  }

  static async load(): Promise<Z3Library> {
    // The older procedure for integers: on long unrollings it takes a third of the time.
    return new Z3Library(await Z3Module.load({ 'smt.arith.solver': '2' }));
  }

  /**
   * Returns a bench for queries about a system. A returned bench is reused: declarations and
   * definitions of earlier queries need not be read again. Proofs are found and checked at
   * different benches, so that a check does not depend on what the search left behind.
   */
  takeBench(system: System, use: BenchUse): Z3Bench {
    const at = this.#idle.findIndex(bench => isSame(bench, system, use));
    return at < 0 ? new Z3Bench(this, system, use) : this.#idle.splice(at, 1)[0]!;
  }

  /** Benches of other systems are not needed again. */
  giveBack(bench: Z3Bench): void {
    for (const other of this.#idle.filter(({ system }) => system !== bench.system)) {
      this.module.deleteContext(other.context);
      this.#idle.splice(this.#idle.indexOf(other), 1);
    }
    this.#idle.push(bench);
  }

  close(): void {
    this.module.close();
  }
}

/**
 * The purpose of a bench: to find or to check a proof; about runs from the start, or about those in
 * which state 1 follows state 0, which is asserted once.
 */
export interface BenchUse {
  readonly purpose: 'searching' | 'checking';
  readonly hasStep: boolean;
}

function isSame(bench: Z3Bench, system: System, { purpose, hasStep }: BenchUse): boolean {
  return bench.system === system && bench.use.purpose === purpose && bench.use.hasStep === hasStep;
}

/**
 * A context for queries about the states of one system, one after another, each in
 * a scope of its own.
 *
 *     open   ... definitions, assertions ...   ask   ... more of both ...   ask   close
 *            └ read outside the scope            └ inside: lost with it
 *
 * Z3 forgets at the end of a scope what was declared in it. So the scope begins with the first
 * query: what is defined until then stays for the next time. Most queries, those of inductions
 * over one step, never need more; a bench that did is thrown away.
 */
export class Z3Bench {
  readonly system: System;
  readonly use: BenchUse;
  readonly context: Z3Context;
  readonly #z3: Z3Library;
  readonly #printer = new SmtPrinter();
  readonly #declared = new Set<number>();
  readonly #proxies = new Map<string, number>();
  readonly #speaksOfNext = new WeakMap<BoolExpr, boolean>();
  /**
   * In this scope: the states that are asserted to be inside their domains, the proxies that are
   * tied to their formulas.
   */
  readonly #inside = new Set<number>();
  readonly #tied = new Set<number>();
  readonly #insideAlways = new Set<number>();
  /** The text that the context has not read yet. */
  #definitions = '(set-option :produce-unsat-cores true)\n';
  #assertions = '';
  #isInScope = false;
  #hasDefinedInScope = false;

  constructor(z3: Z3Library, system: System, use: BenchUse) {
    this.#z3 = z3;
    this.system = system;
    this.use = use;
    this.context = z3.module.newContext();
    if (!use.hasStep) return;
    this.assert(transitionFormula(system), 0);
    this.#definitions += this.#assertions;
    for (const state of this.#inside) this.#insideAlways.add(state);
  }

  open(): void {
    this.#inside.clear();
    for (const state of this.#insideAlways) this.#inside.add(state);
    this.#tied.clear();
    this.#assertions = '';
    this.#isInScope = false;
  }

  close(): void {
    if (this.#isInScope) this.#z3.module.run(this.context, '(pop)');
    if (this.#hasDefinedInScope) this.#z3.module.deleteContext(this.context);
    else this.#z3.giveBack(this);
  }

  /**
   * The text of a formula about the states `step` and, where it says next, `step + 1`, which are
   * declared.
   */
  text(formula: BoolExpr, step: number): string {
    const text = this.#printer.formula(formula, step);
    this.#declare(step);
    if (this.#hasNext(formula)) this.#declare(step + 1);
    this.#define(this.#printer.takeDefinitions());
    return text;
  }

  /**
   * The number n of a constant `pn` that is true exactly if the formula is: assumptions have to be
   * constants or their negations.
   */
  proxy(formula: BoolExpr, step: number): number {
    const text = this.text(formula, step);
    let proxy = this.#proxies.get(text);
    if (proxy === undefined) {
      proxy = this.#proxies.size + 1;
      this.#proxies.set(text, proxy);
      this.#define(`(declare-const p${proxy} Bool)\n`);
    }
    if (!this.#tied.has(proxy)) this.#assertions += `(assert (= p${proxy} ${text}))\n`;
    this.#tied.add(proxy);
    return proxy;
  }

  assert(formula: BoolExpr, step: number): void {
    // The text first, because it may contain assertions.
    const text = this.text(formula, step);
    this.#assertions += `(assert ${text})\n`;
  }

  ask(query: string): string {
    const scope = this.#isInScope ? '' : '(push)\n';
    const script = `${this.#definitions}${scope}${this.#assertions}${query}`;
    this.#definitions = '';
    this.#assertions = '';
    this.#isInScope = true;
    return this.#z3.module.run(this.context, script).trim();
  }

  #define(text: string): void {
    if (text === '') return;
    this.#definitions += text;
    this.#hasDefinedInScope ||= this.#isInScope;
  }

  #hasNext(formula: BoolExpr): boolean {
    let answer = this.#speaksOfNext.get(formula);
    if (answer === undefined) {
      answer = variablesIn([formula], true).size > 0;
      this.#speaksOfNext.set(formula, answer);
    }
    return answer;
  }

  #declare(step: number): void {
    if (this.#inside.has(step)) return;
    this.#inside.add(step);
    const { variables } = this.system;
    if (!this.#declared.has(step)) this.#define(declareState(variables, step));
    this.#declared.add(step);
    this.#assertions += boundState(variables, step);
  }
}

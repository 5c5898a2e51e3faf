/**
 * The circuit inside CaDiCaL: gates become clauses (Tseitin) when a query first needs them, and
 * stay.
 *
 * There is one incremental instance at a time. Only the definitions of gates are asserted, so the
 * clauses, and those learned from them, hold for every query; a query is a set of assumed literals.
 *
 * A SAT solver gives a value to *every* variable before it says "satisfiable", so an instance that
 * has grown for an hour makes small queries slow. As in the ski-rental problem, the cost of the
 * variables outside each query is added up, and a fresh instance is started once the sum exceeds
 * the cost of loading the query anew. Counting is in units of work, not in time, so runs are
 * reproducible. The circuit is kept: nothing is blasted twice.
 */
import type { CadicalModule } from 'cadical-wasm';
import { assert } from '../support/assert.js';
import { Cadical, type SatVerdict } from './cadical.js';
import { type Circuit, type Definition, Gate, type Lit } from './circuit.js';
import type { Deadline } from './limits.js';

/**
 * In units of one idle variable in one query: the cost of a new instance, and of loading one
 * variable into it.
 */
const PRICE_OF_INSTANCE = 2000;
const PRICE_OF_VARIABLE = 10;

export class SatInstance {
  readonly #module: CadicalModule;
  readonly #circuit: Circuit;
  #sat: Cadical;
  /** The SAT variable of each gate, 0 if it has none in this instance. */
  #variableOf = new Int32Array(1024);
  #variables = 0;
  /** The number of variables that each root added. */
  #ownVariables = new Map<number, number>();
  /** The definitions loaded into this instance. */
  #definitions = new Set<Definition>();
  #rent = 0;
  /** Lemmas about open reads: clauses over circuit literals that hold always. */
  readonly #lemmas: (readonly Lit[])[] = [];
  instances = 1;

  constructor(module: CadicalModule, circuit: Circuit) {
    this.#module = module;
    this.#circuit = circuit;
    this.#sat = new Cadical(module);
  }

  get variables(): number {
    return this.#variables;
  }

  /** Requires literals that are not constant. */
  solve(roots: readonly Lit[], conflicts: number, deadline: Deadline): SatVerdict {
    this.#maybeStartAfresh(roots);
    for (const root of roots) this.#load(root);
    if (deadline.passed()) return 'unknown';
    for (const root of roots) this.#sat.assume(this.#literal(root));
    const verdict = this.#sat.solve(conflicts, deadline);
    // A query that was too hard would also slow down every later query in this instance.
    if (verdict === 'unknown') this.#rent = Number.POSITIVE_INFINITY;
    return verdict;
  }

  /** After `sat`: the value of a literal; undefined if it is not part of the query. */
  value(lit: Lit): boolean | undefined {
    const variable = this.#variableOf[lit >> 1] ?? 0;
    return variable === 0 ? undefined : this.#sat.isTrue(lit & 1 ? -variable : variable);
  }

  /** After `unsat`: whether the root was needed. */
  isFailed(root: Lit): boolean {
    return this.#sat.isFailed(this.#literal(root));
  }

  /** Adds a clause that holds in every query. */
  addLemma(clause: readonly Lit[]): void {
    this.#lemmas.push(clause);
    this.#loadLemma(clause);
  }

  dispose(): void {
    this.#sat.dispose();
  }

  #maybeStartAfresh(roots: readonly Lit[]): void {
    let needed = 0;
    for (const root of roots) needed += this.#ownVariables.get(root) ?? 0;
    this.#rent += Math.max(0, this.#variables - needed);
    if (this.#rent < PRICE_OF_INSTANCE + PRICE_OF_VARIABLE * this.#variables) return;
    this.#sat.dispose();
    this.#sat = new Cadical(this.#module);
    this.#variableOf.fill(0);
    this.#variables = 0;
    this.#ownVariables = new Map();
    this.#definitions = new Set();
    this.#rent = 0;
    this.instances++;
    for (const lemma of this.#lemmas) this.#loadLemma(lemma);
  }

  #loadLemma(clause: readonly Lit[]): void {
    for (const lit of clause) this.#load(lit);
    for (const lit of clause) this.#sat.add(this.#literal(lit));
    this.#sat.add(0);
  }

  #load(root: Lit): void {
    if (this.#ownVariables.has(root)) return;
    const before = this.#variables;
    if (this.#variableOf.length < this.#circuit.gateCount) {
      const longer = new Int32Array(2 * this.#circuit.gateCount);
      longer.set(this.#variableOf);
      this.#variableOf = longer;
    }
    const waiting: number[] = [];
    this.#need(root, waiting);
    while (waiting.length > 0) this.#loadGate(waiting.pop()!, waiting);
    this.#ownVariables.set(root, this.#variables - before);
  }

  /** The SAT literal, made if necessary; the clauses of a new gate are still to be loaded. */
  #need(lit: Lit, waiting: number[]): number {
    const gate = lit >> 1;
    let variable = this.#variableOf[gate]!;
    if (variable === 0) {
      variable = ++this.#variables;
      this.#variableOf[gate] = variable;
      waiting.push(gate);
    }
    return lit & 1 ? -variable : variable;
  }

  #literal(lit: Lit): number {
    const variable = this.#variableOf[lit >> 1]!;
    assert(variable !== 0, 'a literal was not loaded');
    return lit & 1 ? -variable : variable;
  }

  #loadGate(gate: number, waiting: number[]): void {
    const { kind, operands } = this.#circuit;
    if (kind[gate] === Gate.Input) {
      this.#loadDefinition(gate, waiting);
      return;
    }
    const z = this.#variableOf[gate]!;
    const a = this.#need(operands[3 * gate]!, waiting);
    const b = this.#need(operands[3 * gate + 1]!, waiting);
    switch (kind[gate] as Gate) {
      case Gate.And:
        this.#clause2(-z, a);
        this.#clause2(-z, b);
        this.#clause3(z, -a, -b);
        break;
      case Gate.Xor:
        this.#clause3(-z, a, b);
        this.#clause3(-z, -a, -b);
        this.#clause3(z, -a, b);
        this.#clause3(z, a, -b);
        break;
      case Gate.Ite: {
        const c = this.#need(operands[3 * gate + 2]!, waiting);
        this.#clause3(-a, -b, z);
        this.#clause3(-a, b, -z);
        this.#clause3(a, -c, z);
        this.#clause3(a, c, -z);
        this.#clause3(-b, -c, z);
        this.#clause3(b, c, -z);
        break;
      }
      case Gate.Maj: {
        const c = this.#need(operands[3 * gate + 2]!, waiting);
        this.#clause3(-a, -b, z);
        this.#clause3(-a, -c, z);
        this.#clause3(-b, -c, z);
        this.#clause3(a, b, -z);
        this.#clause3(a, c, -z);
        this.#clause3(b, c, -z);
        break;
      }
    }
  }

  #loadDefinition(gate: number, waiting: number[]): void {
    const definition = this.#circuit.definitionOf(gate);
    if (definition === undefined || this.#definitions.has(definition)) return;
    this.#definitions.add(definition);
    for (const clause of definition.clauses) {
      for (const lit of clause) this.#sat.add(this.#need(lit, waiting));
      this.#sat.add(0);
    }
  }

  #clause2(x: number, y: number): void {
    const sat = this.#sat;
    sat.add(x);
    sat.add(y);
    sat.add(0);
  }

  #clause3(x: number, y: number, z: number): void {
    const sat = this.#sat;
    sat.add(x);
    sat.add(y);
    sat.add(z);
    sat.add(0);
  }
}

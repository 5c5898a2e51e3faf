/**
 * The interface of the solver, which also assembles its layers.
 *
 *     query about a path    ─▶ implied values, facts ─▶ relevant slices only ─┐
 *     query about a list of constraints    ───────────────────────────────────┤
 *                                                                             ▼
 *        ranges ─▶ simplify ─▶ slices ─▶ ranges ─▶ query cache ─▶ counting ─▶ counterexample cache ─▶ (dump) ─▶ narrow ─▶ CaDiCaL ─▶ (store) ─▶ Z3
 *
 * Everything is synchronous; only loading CaDiCaL, once, is not. Outcomes are unions: *unknown* is
 * never confused with an answer. Limits apply to each query separately, and the solver remains
 * usable after an unknown outcome.
 */
import type { Term } from '../expr/term.js';
import type { Terms } from '../expr/terms.js';
import { type BitVectorValue, toValue } from '../expr/value.js';
import { assert } from '../support/assert.js';
import { type Backend, backends } from './backend-names.js';
import { loadCadicalModule } from './cadical.js';
import { ConstraintSet } from './constraint-set.js';
import { CounterexampleCache } from './counterexample-cache.js';
import { CountingLayer } from './counting-layer.js';
import { DumpLayer, type DumpOptions } from './dump-layer.js';
import { FallbackLayer } from './fallback-layer.js';
import type { Layer } from './layer.js';
import { Deadline, type Limits, NO_LIMITS } from './limits.js';
import { NarrowLayer } from './narrow-layer.js';
import { QueryCache } from './query-cache.js';
import { NO, type Outcome, type Unknown, YES, type YesOrNo } from './query-outcome.js';
import { RangeLayer } from './range-layer.js';
import { SatLayer } from './sat-layer.js';
import { SimplifyLayer } from './simplify-layer.js';
import { SliceLayer } from './slice-layer.js';
import { type AnswerStore, StoredLayer } from './stored-layer.js';
import { Supports } from './support-set.js';
import { tellUnsat } from './unsat-observer.js';
import { WordConditions } from './word-ranges.js';
import { Z3, Z3Layer } from './z3-layer.js';

export interface SolverOptions {
  /** `both` unless given. */
  readonly backend?: Backend;
  /**
   * Whether queries are answered from caches, and by enumeration if values are few. True by
   * default.
   */
  readonly caches?: boolean;
  readonly limits?: Limits;
  /** Receives every query that no cache answers. */
  readonly dump?: DumpOptions;
  /** Z3's answers of other runs. */
  readonly store?: AnswerStore | undefined;
}

/**
 * Which layer answered. Each query is counted once in `queries` and, if it was answered, once per
 * slice below.
 */
export interface SolverStatistics {
  /** The number of queries. */
  readonly queries: number;
  /** Decided by facts and canonical forms: the condition was a constant. */
  readonly constant: number;
  /** Decided by implied values of the path. */
  readonly implied: number;
  /** Decided while conjunctions were split, or bits of inputs replaced by constants. */
  readonly simplified: number;
  /** Decided by the ranges of input words. */
  readonly ranges: number;
  /** Decided by enumerating the values of input words. */
  readonly counting: number;
  readonly queryCache: number;
  readonly counterexampleCache: number;
  readonly sat: number;
  readonly z3: number;
  /** Answers of Z3 (also counted there) that another run has stored. */
  readonly stored: number;
  /** Queries that ended unknown. */
  readonly unknown: number;
  /** Milliseconds inside the solver, all layers. */
  readonly milliseconds: number;
}

export type BranchAnswer =
  | { readonly kind: 'always' }
  | { readonly kind: 'never' }
  | { readonly kind: 'both' }
  | Unknown;

export type ValueAnswer =
  | { readonly kind: 'value'; readonly value: BitVectorValue }
  | { readonly kind: 'unsat' }
  | Unknown;

export type RangeAnswer =
  | { readonly kind: 'range'; readonly min: BitVectorValue; readonly max: BitVectorValue }
  | { readonly kind: 'unsat' }
  | Unknown;

export class Solver {
  readonly #t: Terms;
  readonly #supports = new Supports();
  readonly #chain: Layer;
  #sat: SatLayer | undefined;
  #z3: Z3 | undefined;
  readonly #counts = {
    queries: 0,
    constant: 0,
    implied: 0,
    simplified: 0,
    ranges: 0,
    counting: 0,
    queryCache: 0,
    counterexampleCache: 0,
    sat: 0,
    z3: 0,
    stored: 0,
    unknown: 0,
    milliseconds: 0,
  };
  limits: Limits;
  /** No query continues after this time of `performance.now()`. */
  deadline: number = Number.POSITIVE_INFINITY;

  private constructor(
    t: Terms,
    cadical: Awaited<ReturnType<typeof loadCadicalModule>>,
    options: SolverOptions,
  ) {
    this.#t = t;
    this.limits = options.limits ?? NO_LIMITS;
    this.#chain = this.#putTogether(
      this.#decider(options.backend ?? 'both', cadical, options.store),
      options,
    );
  }

  readonly #countStored = (isDecided: boolean): void => {
    if (isDecided) this.#counts.z3++;
    this.#counts.stored++;
  };

  /** The deciding layer. Throws for an unknown back end. */
  #decider(
    backend: Backend,
    module: Awaited<ReturnType<typeof loadCadicalModule>>,
    store: AnswerStore | undefined,
  ): Layer {
    const cadical = (): Layer => {
      this.#sat = new SatLayer(module, this.#t, this.#supports, () => this.#counts.sat++);
      return this.#sat;
    };
    const z3 = (): Layer => {
      this.#z3 = new Z3();
      const layer = new Z3Layer(this.#t, this.#z3, () => this.#counts.z3++);
      return store === undefined ? layer : new StoredLayer(this.#t, store, layer, this.#countStored);
    };
    const deciders: Readonly<Record<Backend, () => Layer>> = {
      both: () => new FallbackLayer(cadical(), z3()),
      cadical,
      z3,
    };
    // Callers in JavaScript may pass any name.
    if (!Object.hasOwn(deciders, backend))
      throw new TypeError(`there is no solver '${backend}'; the solvers are ${backends.join(', ')}`);
    return deciders[backend]();
  }

  static async create(t: Terms, options: SolverOptions = {}): Promise<Solver> {
    return new Solver(t, await loadCadicalModule(), options);
  }

  #putTogether(decider: Layer, { caches = true, dump }: SolverOptions): Layer {
    const counts = this.#counts;
    const words = new WordConditions();
    let layer: Layer = new NarrowLayer(this.#t, this.#supports, words, decider, () => counts.simplified++);
    if (dump !== undefined) layer = new DumpLayer(this.#t, dump, layer);
    if (caches) {
      layer = new CounterexampleCache(layer, () => counts.counterexampleCache++);
      layer = new CountingLayer(words, this.#supports, layer, () => counts.counting++);
      layer = new QueryCache(layer, () => counts.queryCache++);
    }
    const withRanges = (below: Layer) => new RangeLayer(words, below, () => counts.ranges++);
    layer = new SliceLayer(this.#supports, withRanges(layer));
    // Ranges are also tried first of all: most queries of a loop concern one slice with many
    // constraints.
    return withRanges(new SimplifyLayer(this.#t, layer, () => counts.simplified++));
  }

  get statistics(): SolverStatistics {
    return { ...this.#counts };
  }

  /** The number of queries. */
  get queries(): number {
    return this.#counts.queries;
  }

  /** The set without constraints, from which paths grow by `add`. */
  get emptySet(): ConstraintSet {
    return ConstraintSet.empty(this.#t, this.#supports);
  }

  /** Z3 itself, for queries outside bit-vectors. Requires a back end with Z3. */
  get z3(): Z3 {
    assert(this.#z3, 'this solver has no Z3');
    return this.#z3;
  }

  /** Whether the constraints are satisfiable together. */
  check(constraints: readonly Term[]): Outcome {
    this.#counts.queries++;
    return this.#ask(constraints);
  }

  /** Values for all leaves of the set; unmentioned ones are zero. */
  getModel(set: ConstraintSet): Outcome {
    return this.check(set.isFalse ? [this.#t.false] : set.constraints());
  }

  /**
   * Whether the condition can hold under the set. Requires a satisfiable set, as that of a live
   * path is: slices that the condition does not touch are ignored.
   */
  mayBeTrue(set: ConstraintSet, condition: Term): YesOrNo {
    this.#counts.queries++;
    if (condition.isConst) {
      this.#counts.constant++;
      return condition.isTrue ? YES : NO;
    }
    const simpler = set.simplify(condition);
    if (simpler.isConst) {
      this.#counts.implied++;
      return simpler.isTrue ? YES : NO;
    }
    const outcome = this.#ask([...set.relevantTo(simpler), simpler]);
    return outcome.kind === 'unknown' ? outcome : outcome.kind === 'sat' ? YES : NO;
  }

  /** Whether the condition holds in every solution of the set. Requires a satisfiable set. */
  mustBeTrue(set: ConstraintSet, condition: Term): YesOrNo {
    const opposite = this.mayBeTrue(set, this.#t.not(condition));
    return opposite.kind === 'unknown' ? opposite : opposite.kind === 'yes' ? NO : YES;
  }

  /**
   * The feasible sides of a branch. Requires a satisfiable set, so at least one side is feasible.
   */
  branch(set: ConstraintSet, condition: Term): BranchAnswer {
    const yes = this.mayBeTrue(set, condition);
    if (yes.kind === 'no') return { kind: 'never' };
    const no = this.mayBeTrue(set, this.#t.not(condition));
    if (no.kind === 'no') return { kind: 'always' };
    if (yes.kind === 'unknown') return yes;
    return no.kind === 'unknown' ? no : { kind: 'both' };
  }

  /** A value that the term can have under the set. Requires a satisfiable set. */
  getValue(set: ConstraintSet, term: Term): ValueAnswer {
    const simpler = set.simplify(term);
    if (simpler.isConst) return { kind: 'value', value: simpler.value };
    const outcome = this.check(set.relevantTo(simpler));
    return outcome.kind === 'sat' ? { kind: 'value', value: outcome.model.value(simpler) } : outcome;
  }

  /**
   * The least and the greatest unsigned value of the term under the set. Requires a satisfiable
   * set.
   */
  range(set: ConstraintSet, term: Term): RangeAnswer {
    return this.#range(set, term, this.#t.constant(term.width, 0));
  }

  /** The least and the greatest signed value, as unsigned values. */
  signedRange(set: ConstraintSet, term: Term): RangeAnswer {
    return this.#range(set, term, this.#t.constant(term.width, 1n << BigInt(term.width - 1)));
  }

  dispose(): void {
    this.#sat?.dispose();
    this.#z3?.close();
  }

  /** Adding `bias` turns the required order into the unsigned one. */
  #range(set: ConstraintSet, term: Term, bias: Term): RangeAnswer {
    const t = this.#t;
    const biased = t.add(set.simplify(term), bias);
    const unbias = (value: bigint): BitVectorValue => toValue(term.width, value + BigInt(bias.value));
    const start = this.getValue(set, biased);
    if (start.kind !== 'value') return start;
    const bounds = { min: 0n, max: 0n };
    for (const end of ['min', 'max'] as const) {
      let known = BigInt(start.value);
      let limit = end === 'min' ? 0n : (1n << BigInt(term.width)) - 1n;
      while (known !== limit) {
        // Halfway from the known value to the limit, at least one step.
        const middle = end === 'min' ? (known + limit) / 2n : (known + limit + 1n) / 2n;
        const probe = t.constant(term.width, middle);
        const condition = end === 'min' ? t.ule(biased, probe) : t.uge(biased, probe);
        // Counted as one query, because the number of steps depends on the caches.
        const outcome = this.#ask([...set.relevantTo(biased), condition]);
        if (outcome.kind === 'unknown') return outcome;
        if (outcome.kind === 'sat') known = BigInt(outcome.model.value(biased));
        else limit = end === 'min' ? middle + 1n : middle - 1n;
      }
      bounds[end] = known;
    }
    return { kind: 'range', min: unbias(bounds.min), max: unbias(bounds.max) };
  }

  #ask(constraints: readonly Term[]): Outcome {
    const start = performance.now();
    const limits = this.#limitsAt(start);
    const outcome = this.#chain.check({ constraints, limits, deadline: new Deadline(limits.milliseconds) });
    if (outcome.kind === 'sat') {
      assert(
        outcome.model.satisfiesAll(constraints),
        'a model does not satisfy the constraints it was made for',
      );
    } else if (outcome.kind === 'unsat') tellUnsat(this.#t, outcome.core);
    else this.#counts.unknown++;
    this.#counts.milliseconds += performance.now() - start;
    return outcome;
  }

  /** The remaining time limits every query, so that a hard one does not exceed it. */
  #limitsAt(now: number): Limits {
    const { milliseconds, conflicts } = this.limits;
    if (this.deadline === Number.POSITIVE_INFINITY) return this.limits;
    const left = Math.max(1, this.deadline - now);
    return { conflicts, milliseconds: milliseconds > 0 ? Math.min(milliseconds, left) : left };
  }
}

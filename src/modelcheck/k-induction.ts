/**
 * Bounded model checking and k-induction.
 *
 *     base k    init(0), T(0,1), ..., T(k-1,k), not P(k)                        satisfiable: a trace of k steps
 *     step k    P(0), T(0,1), P(1), ..., P(k-1), T(k-1,k), not P(k)             unsatisfiable: P holds forever
 *
 * T is the transition relation; lemmas that are already proved are assumed of every state. Both
 * queries grow by one state at a time, each in one incremental solver. Bounded model checking is
 * the base alone.
 *
 * The lemmas in the last unsatisfiable core are those that the proof used. The certificate is (P,
 * those lemmas, k): a fresh solver checks it again, from separately generated text, before it is
 * returned (`recheck.ts`).
 */
import { plural } from '../support/plural.js';
import type { Answer, Decider, Literal, MakeDecider } from './decider.js';
import { Meaning } from './evaluate-system.js';
import { type BoolExpr, not } from './expression.js';
import type { Property } from './model-builder.js';
import { recheckInduction } from './recheck.js';
import { replay } from './replay-trace.js';
import type { Control, Outcome, TraceStep } from './result.js';
import { type System, transitionFormula } from './system.js';
import type { Z3Library } from './z3-library.js';

export interface InductionTools {
  readonly system: System;
  readonly makeDecider: MakeDecider;
  readonly z3: Z3Library;
  readonly control: Control;
  /** The length of the longest run that is considered. */
  readonly maxDepth: number;
}

const STOPPED = 'the time limit was reached';

/** Looks for a violation up to `maxDepth` steps; finding none proves nothing. */
export function boundedCheck(
  tools: InductionTools,
  property: Property,
  lemmas: readonly Property[] = [],
): Outcome {
  const base = new Base(tools, property, lemmas);
  try {
    for (let depth = 0; depth <= tools.maxDepth; depth++) {
      tools.control.progress(`${property.name}: no violation in ${depth} steps`);
      const outcome = base.extend();
      if (outcome !== undefined) return outcome;
    }
    const reason = `no violation within ${tools.maxDepth} steps; bounded model checking does not look further`;
    return { status: 'unknown', reason, depth: tools.maxDepth };
  } finally {
    base.close();
  }
}

export function kInduction(tools: InductionTools, property: Property, lemmas: readonly Property[]): Outcome {
  const base = new Base(tools, property, lemmas);
  const step = new Step(tools, property, lemmas);
  try {
    for (let depth = 1; depth <= tools.maxDepth; depth++) {
      tools.control.progress(`${property.name}: induction over ${plural(depth, 'step')}`);
      const violation = base.extend();
      if (violation !== undefined) return violation;
      const answer = step.extend();
      if (answer.kind === 'unknown') return { status: 'unknown', reason: answer.reason, depth: depth - 1 };
      if (answer.kind === 'sat') continue;
      const used = step.lemmasIn(answer.core);
      const certificate = recheckInduction(tools, property, used, depth);
      if (certificate === undefined)
        return { status: 'unknown', reason: 'the time was over while the proof was checked again', depth };
      return { status: 'proved', depth, lemmas: used.map(({ name }) => name), certificate };
    }
    const reason = `not inductive over ${tools.maxDepth} steps`;
    return { status: 'unknown', reason, depth: tools.maxDepth - 1 };
  } finally {
    base.close();
    step.close();
  }
}

/**
 * A run that grows by one step at a time; its steps are assumed for good, the invariants of its
 * states by name.
 */
class Unrolling {
  readonly decider: Decider;
  readonly #transition: BoolExpr;
  readonly #invariants: readonly BoolExpr[];
  /** The invariants of the states so far. */
  readonly invariants: Literal[] = [];
  last = -1;

  constructor(
    { system, makeDecider }: InductionTools,
    lemmas: readonly Property[],
    readonly hasStep: boolean,
  ) {
    this.decider = makeDecider(system, hasStep);
    this.#transition = transitionFormula(system);
    this.#invariants = lemmas.map(({ formula }) => formula);
  }

  /** Adds a state, and the step to it. Returns the assumptions about the new state. */
  grow(): Literal[] {
    const isGiven = this.hasStep && this.last === 0;
    if (this.last >= 0 && !isGiven) this.decider.assume(this.#transition, this.last);
    this.last++;
    const assumed = this.#invariants.map(formula => this.decider.literal(formula, this.last));
    this.invariants.push(...assumed);
    return assumed;
  }
}

class Base {
  readonly #tools: InductionTools;
  readonly #property: Property;
  readonly #unrolling: Unrolling;
  readonly #bad: BoolExpr;

  constructor(tools: InductionTools, property: Property, lemmas: readonly Property[]) {
    this.#tools = tools;
    this.#property = property;
    this.#bad = not(property.formula);
    this.#unrolling = new Unrolling(tools, lemmas, false);
  }

  /** Looks at runs that are one step longer. Undefined: no violation there. */
  extend(): Outcome | undefined {
    const { control, system } = this.#tools;
    const { decider, invariants } = this.#unrolling;
    if (this.#unrolling.last < 0) decider.assume(system.init, 0);
    this.#unrolling.grow();
    const { last } = this.#unrolling;
    if (control.isOver()) return { status: 'unknown', reason: STOPPED, depth: last - 1 };
    const answer = decider.check([...invariants, decider.literal(this.#bad, last)], control.remainingMs());
    if (answer.kind === 'unknown') return { status: 'unknown', reason: answer.reason, depth: last - 1 };
    if (answer.kind === 'unsat') {
      decider.assume(this.#property.formula, last);
      return undefined;
    }
    const trace = this.#trace(last);
    if (trace === undefined)
      return { status: 'unknown', reason: 'a violation with values beyond 2^53', depth: last - 1 };
    return { status: 'refuted', trace: replay(new Meaning(system), trace, this.#property.formula) };
  }

  #trace(last: number): TraceStep[] | undefined {
    const trace: TraceStep[] = [];
    for (let step = 0; step <= last; step++) {
      const state = this.#unrolling.decider.state(step);
      if (state === undefined) return undefined;
      trace.push({ state });
    }
    return trace;
  }

  close(): void {
    this.#unrolling.decider.close();
  }
}

class Step {
  readonly #tools: InductionTools;
  readonly #property: Property;
  readonly #lemmas: readonly Property[];
  readonly #unrolling: Unrolling;
  readonly #bad: BoolExpr;
  /** Which lemma a literal says, at whichever state. */
  readonly #lemmaOf = new Map<Literal, Property>();

  constructor(tools: InductionTools, property: Property, lemmas: readonly Property[]) {
    this.#tools = tools;
    this.#property = property;
    this.#lemmas = lemmas;
    this.#bad = not(property.formula);
    this.#unrolling = new Unrolling(tools, lemmas, true);
    this.#grow();
  }

  #grow(): void {
    const assumed = this.#unrolling.grow();
    for (const [i, literal] of assumed.entries()) this.#lemmaOf.set(literal, this.#lemmas[i]!);
  }

  extend(): Answer {
    const { control } = this.#tools;
    const { decider, invariants, last } = this.#unrolling;
    decider.assume(this.#property.formula, last);
    this.#grow();
    if (control.isOver()) return { kind: 'unknown', reason: STOPPED };
    return decider.check([...invariants, decider.literal(this.#bad, last + 1)], control.remainingMs());
  }

  lemmasIn(core: readonly Literal[]): Property[] {
    const used = new Set(core.map(literal => this.#lemmaOf.get(literal)));
    return this.#lemmas.filter(lemma => used.has(lemma));
  }

  close(): void {
    this.#unrolling.decider.close();
  }
}

/**
 * The explicit engine: enumerates all reachable states, breadth first, for all properties at once.
 *
 * The queue is the store itself: states are expanded in the order in which they were found. When
 * the queue is empty, properties that were never violated are proved; the set of states is the
 * certificate. Separate code checks it (`recheck` below uses the evaluator): it contains the
 * initial states, every step from it stays in it, every state satisfies the properties.
 *
 * The search also records which commands fire and which premises hold, so vacuity is detected at
 * no extra cost.
 */
import { assert } from '../../support/assert.js';
import { Meaning } from '../evaluate-system.js';
import { type BoolExpr, not, valuesOf } from '../expression.js';
import type { Property } from '../model-builder.js';
import { premiseOf } from '../premise.js';
import { replay } from '../replay-trace.js';
import type { Control, Outcome, TraceStep, Vacuity } from '../result.js';
import { commandLabel, type State, type System } from '../system.js';
import { type Compiled, compile } from './compile.js';
import { initialStates } from './initial-states.js';
import { layOut } from './state-layout.js';
import { PackedStateStore } from './state-set.js';
import { Symmetry } from './symmetry.js';

export interface ExplicitOptions {
  /** Stop when all of these are refuted; otherwise all states are visited. */
  readonly untilRefuted?: readonly Property[];
  readonly maxStates?: number;
}

export interface ExplicitReport {
  readonly outcomes: ReadonlyMap<Property, Outcome>;
  /** The vacuous properties; empty unless all states were visited. */
  readonly vacuous: readonly Vacuity[];
  readonly states: number;
  readonly transitions: number;
  /** Steps to the farthest state. */
  readonly depth: number;
  readonly isComplete: boolean;
}

const STATES_BETWEEN_LOOKS = 2048;

export function searchStates(
  system: System,
  properties: readonly Property[],
  control: Control,
  options: ExplicitOptions = {},
): ExplicitReport {
  const meaning = new Meaning(system);
  const unbounded = system.commands.flatMap(({ free }) => free).find(({ domain }) => !valuesOf(domain));
  if (unbounded !== undefined)
    return hopeless(properties, `${unbounded.name} is chosen from infinitely many values`);
  const initial = initialStates(meaning);
  if (initial.kind === 'too-many') return hopeless(properties, initial.reason);
  return (
    new Search(system, meaning, properties, initial.states, 16, control, options).run() ??
    new Search(system, meaning, properties, initial.states, 32, control, options).run() ??
    hopeless(properties, 'a value does not fit into 32 bits')
  );
}

function hopeless(properties: readonly Property[], reason: string): ExplicitReport {
  const outcome: Outcome = { status: 'unknown', reason, depth: 0 };
  return {
    outcomes: new Map(properties.map(property => [property, outcome])),
    vacuous: [],
    states: 0,
    transitions: 0,
    depth: 0,
    isComplete: false,
  };
}

class Search {
  readonly #system: System;
  readonly #meaning: Meaning;
  readonly #properties: readonly Property[];
  readonly #initial: readonly State[];
  readonly #control: Control;
  readonly #options: ExplicitOptions;
  readonly #compiled: Compiled;
  readonly #store: PackedStateStore;
  readonly #symmetry: Symmetry;
  readonly #words: Int32Array;
  /**
   * Which formulas were violated first in which state: those of the properties, then the negated
   * premises.
   */
  readonly #firstSeen: Int32Array;
  readonly #premises: readonly { readonly property: Property; readonly premise: BoolExpr }[];
  readonly #fired: Uint8Array;
  readonly #threadOf: Int32Array;
  #expanding = 0;
  #transitions = 0;
  #isTooLarge = false;
  /** Which properties the search waits for, and how many of them are not refuted yet. */
  readonly #awaited: readonly boolean[];
  #open: number;

  constructor(
    system: System,
    meaning: Meaning,
    properties: readonly Property[],
    initial: readonly State[],
    openBits: 16 | 32,
    control: Control,
    options: ExplicitOptions,
  ) {
    this.#system = system;
    this.#meaning = meaning;
    this.#properties = properties;
    this.#initial = initial;
    this.#control = control;
    this.#options = options;
    this.#premises = properties.flatMap(property => {
      const premise = premiseOf(property.formula);
      return premise === undefined ? [] : [{ property, premise }];
    });
    const layout = layOut(system.variables, openBits);
    const formulas = [
      ...properties.map(property => property.formula),
      ...this.#premises.map(({ premise }) => not(premise)),
    ];
    this.#firstSeen = new Int32Array(formulas.length).fill(-1);
    this.#awaited = properties.map(property => options.untilRefuted?.includes(property) ?? false);
    this.#open = this.#awaited.filter(Boolean).length;
    this.#fired = new Uint8Array(system.commands.length);
    const isSymmetric = system.threads !== undefined;
    this.#threadOf = Int32Array.from(system.commands, ({ thread }) => (isSymmetric ? (thread ?? -1) : -1));
    this.#symmetry = new Symmetry(system);
    this.#words = new Int32Array(layout.words);
    this.#store = new PackedStateStore(layout.words);
    this.#compiled = compile(system, layout, formulas, {
      emit: command => this.#emit(command),
      tooLarge: () => {
        this.#isTooLarge = true;
      },
      violated: formula => {
        if (this.#firstSeen[formula]! >= 0) return;
        this.#firstSeen[formula] = this.#expanding;
        if (this.#awaited[formula]) this.#open--;
      },
    });
  }

  /** Undefined when a value was too large for its field. */
  run(): ExplicitReport | undefined {
    const { unpack, pack, expand, checkProperties, current, next } = this.#compiled;
    const store = this.#store;
    const words = this.#words;
    for (const state of this.#initial) {
      next.set(state);
      this.#symmetry.sort(next);
      pack(next, words);
      store.add(words, -1, 0);
    }
    let depth = 0;
    let endOfLevel = store.count;
    let stopped: string | undefined;
    const maxStates = this.#options.maxStates ?? Number.POSITIVE_INFINITY;
    while (this.#expanding < store.count) {
      if (this.#expanding === endOfLevel) {
        depth++;
        endOfLevel = store.count;
      }
      if (this.#expanding % STATES_BETWEEN_LOOKS === 0) {
        this.#control.progress(`${store.count} states, ${depth} steps deep`);
        if (this.#control.isOver()) stopped = 'the time limit was reached';
        else if (store.count > maxStates) stopped = `more than ${maxStates} states`;
        if (stopped !== undefined) break;
      }
      unpack(store.states, this.#expanding * words.length);
      checkProperties();
      if (this.#options.untilRefuted !== undefined && this.#open === 0) {
        stopped = 'every property is refuted';
        break;
      }
      expand();
      if (this.#isTooLarge) return undefined;
      this.#expanding++;
    }
    return this.#report(depth, stopped, current);
  }

  #emit(command: number): void {
    this.#fired[command] = 1;
    const thread = this.#threadOf[command]!;
    if (thread > 0 && this.#symmetry.isRepetition(this.#compiled.current, thread)) return;
    this.#transitions++;
    const { next, pack } = this.#compiled;
    if (thread >= 0) this.#symmetry.sort(next);
    pack(next, this.#words);
    this.#store.add(this.#words, this.#expanding, command);
  }

  #report(depth: number, stopped: string | undefined, current: Int32Array): ExplicitReport {
    const outcomes = new Map<Property, Outcome>();
    const proved: Property[] = [];
    for (const [i, property] of this.#properties.entries()) {
      const violation = this.#firstSeen[i]!;
      if (violation >= 0) {
        const trace = replay(this.#meaning, this.#canonicalTrace(violation), property.formula, state =>
          this.#sorted(state),
        );
        outcomes.set(property, { status: 'refuted', trace });
      } else if (stopped !== undefined) {
        const reason = `${stopped} after ${this.#store.count} states`;
        outcomes.set(property, { status: 'unknown', reason, depth });
      } else proved.push(property);
    }
    if (proved.length > 0) {
      const certificate = this.#recheck(proved, current);
      if (certificate === undefined) {
        const reason = `the time was over while the certificate was checked; no violation in ${this.#store.count} states`;
        for (const property of proved) outcomes.set(property, { status: 'unknown', reason, depth });
      } else
        for (const property of proved)
          outcomes.set(property, { status: 'proved', depth, lemmas: [], certificate });
    }
    return {
      outcomes,
      vacuous: stopped === undefined ? this.#vacuous() : [],
      states: this.#store.count,
      transitions: this.#transitions,
      depth,
      isComplete: stopped === undefined,
    };
  }

  #vacuous(): Vacuity[] {
    const premises = this.#premises
      .filter((_, i) => this.#firstSeen[this.#properties.length + i] === -1)
      .map(({ property }): Vacuity => ({ kind: 'premise', property: property.name }));
    const names = new Set(this.#system.commands.map(({ name }) => name));
    for (const [i, { name }] of this.#system.commands.entries()) if (this.#fired[i]) names.delete(name);
    return [...premises, ...[...names].map((command): Vacuity => ({ kind: 'guard', command }))];
  }

  #sorted(state: State): State {
    const copy = [...state];
    this.#symmetry.sort(copy);
    return copy;
  }

  #stateAt(index: number): State {
    this.#compiled.unpack(this.#store.states, index * this.#words.length);
    return [...this.#compiled.current];
  }

  #canonicalTrace(last: number): TraceStep[] {
    const trace: TraceStep[] = [];
    for (let at = last; at >= 0; at = this.#store.parent(at)) {
      const isFirst = this.#store.parent(at) < 0;
      const command = this.#system.commands[this.#store.command(at)];
      trace.unshift({
        state: this.#stateAt(at),
        ...(!isFirst && command !== undefined && { command: commandLabel(command) }),
      });
    }
    return trace;
  }

  /**
   * The set of states is closed and good, by the evaluator's account. Undefined when time is over.
   */
  #recheck(properties: readonly Property[], current: Int32Array): string | undefined {
    const { unpack, pack } = this.#compiled;
    const words = this.#words;
    const formulas = properties.map(({ formula }) => this.#meaning.evaluator(formula));
    const contains = (state: State): boolean => {
      const copy = Int32Array.from(state);
      this.#symmetry.sort(copy);
      pack(copy, words);
      return this.#store.has(words);
    };
    for (const state of this.#initial) assert(contains(state), 'an initial state is missing');
    const count = this.#store.count;
    for (let i = 0; i < count; i++) {
      if (i % STATES_BETWEEN_LOOKS === 0) {
        this.#control.progress(`checking the certificate: ${i} of ${count} states`);
        if (this.#control.isOver()) return undefined;
      }
      unpack(this.#store.states, i * words.length);
      const state = [...current];
      for (const formula of formulas)
        assert(formula(state, state) !== 0, 'a state of the certificate violates the property');
      for (const step of this.#meaning.steps) {
        if (!step.isEnabled(state)) continue;
        for (const next of successors(this.#meaning, step, state))
          assert(contains(next), `a step of ${commandLabel(step.command)} leaves the certificate`);
      }
    }
    return `${count} states, closed under every step; each checked again by the evaluator`;
  }
}

/** The states that one command leads to, free variables run through. */
function successors(meaning: Meaning, step: Meaning['steps'][number], state: State): State[] {
  const base = step.apply(state);
  if (base === undefined) return [];
  const { free, constraint } = step.command;
  if (free.length === 0 && constraint.kind === 'bool') return [base];
  let found: number[][] = [[...base]];
  for (const variable of free) {
    const at = meaning.system.variables.indexOf(variable);
    found = found.flatMap(next => (valuesOf(variable.domain) ?? []).map(value => next.with(at, value)));
  }
  return found.filter(next => step.allows(state, next));
}

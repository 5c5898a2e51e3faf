/**
 * Concolic execution for `fuzz`: the path of one input is executed symbolically, and for untaken
 * branches along it the solver computes an input that takes them.
 *
 * ```
 *   seed ──▶ ● ── cond holds for the seed ──▶ ● ──▶ ● ──▶ end
 *             ╲                                ╲
 *              not cond: model, an input        model, an input
 * ```
 *
 * The path forks as in an exploration, but only the side of the seed continues. Bytes on which the
 * negated condition does not depend keep the seed's values. A concretized value (a symbolic size,
 * for example) is the seed's, so the path remains the seed's.
 *
 * Taken branches are recorded by location, including callers, and by the number of visits; `fuzz`
 * runs the new inputs and decides which are worth keeping.
 *
 * **Invariant:** limits count instructions, queries and conflicts, so the same seeds give the same
 * inputs on every machine.
 */
import { Evaluator } from '../../expr/evaluate.js';
import { Op, type SymbolicArray, type Term } from '../../expr/term.js';
import { Terms } from '../../expr/terms.js';
import { forEachTerm } from '../../expr/walk.js';
import { ModelHost, type ModelHostOptions } from '../../host/model-host.js';
import type { Module } from '../../ir/model.js';
import { createAllocator } from '../../kdalloc/index.js';
import { numberBlockAddresses } from '../../passes/number-block-addresses.js';
import { Solver } from '../../solver/solver.js';
import { assert } from '../../support/assert.js';
import { symbolicHost } from '../inputs/symbolic-start.js';
import { decodeFunction } from '../instructions/decode.js';
import { Machine } from '../machine/machine.js';
import { Memory } from '../memory/address-space.js';
import { natives } from '../natives/natives.js';
import { Program } from '../program/program.js';
import type { State } from '../state/state.js';

export interface SeedSettings {
  readonly host: ModelHostOptions;
  /** The kind of input that the bytes of a seed are. */
  readonly input: 'stdin' | 'file';
}

/** The limits per seed of instructions, and of lookups of terms (`Terms.lookups`). */
const mostInstructions = 3_000_000;
const mostLookups = 10_000_000;
const mostQueries = 96;
/** The conflict limit per query. */
const mostConflicts = 20_000;
/** The number of visits of one location that are distinguished. */
const visitsApart = 12;
/** The number of frames that distinguish locations. */
const framesApart = 4;
/** Instructions between two checks whether to continue. */
const checkedEvery = 200_000;

/** The side of a branch that the seed does not take. */
interface Turning {
  readonly key: string;
  readonly state: State;
  readonly condition: Term;
}

export class SeedPaths {
  readonly #machine: Machine;
  readonly #memory: Memory;
  readonly #settings: SeedSettings;
  /** Sides of branches that some seed has taken, or for which a query was made. */
  readonly #known = new Set<string>();
  queries = 0;

  private constructor(machine: Machine, memory: Memory, settings: SeedSettings) {
    this.#machine = machine;
    this.#memory = memory;
    this.#settings = settings;
  }

  /** Takes ownership of the module. */
  static async create(module: Module, settings: SeedSettings): Promise<SeedPaths> {
    const created = createAllocator();
    assert(created.kind === 'allocator', 'the default regions are valid');
    const memory = Memory.create(created.allocator);
    numberBlockAddresses(module);
    const program = new Program(module, memory, { natives, decode: decodeFunction });
    const terms = new Terms();
    const limits = { milliseconds: 0, conflicts: mostConflicts };
    const solver = await Solver.create(terms, { backend: 'cadical', limits });
    const machine = new Machine(program, terms, solver, {});
    // The monitor reports the errors of the inputs.
    machine.unchecked = new Set(['uninitialized-read', 'memory-leak']);
    return new SeedPaths(machine, memory, settings);
  }

  dispose(): void {
    this.#machine.solver.dispose();
  }

  /**
   * Follows a seed; yields from time to time, and at the end returns the inputs that leave its
   * path.
   */
  *follow(seed: Uint8Array): Generator<undefined, readonly Uint8Array[]> {
    if (seed.length === 0) return [];
    const machine = this.#machine;
    const { terms } = machine;
    const start = this.#start(seed.length);
    const { array } = start;
    const evaluator = new Evaluator({ variables: new Map(), arrays: new Map([[array.name, seed]]) });
    let { state } = start;
    const visits = new Map<string, number>();
    const turnings: Turning[] = [];
    let followed: State | undefined;
    machine.onFork = (here, other, condition) => {
      // The rest of the block does not matter for a state that has left the path of the seed.
      if (here !== state || followed !== undefined) return;
      const place = placeOf(here);
      const visit = Math.min(visitsApart, visits.get(place) ?? 0);
      visits.set(place, visit + 1);
      const isTrue = evaluator.isTrue(condition);
      this.#known.add(`${place}#${visit} ${isTrue}`);
      turnings.push(
        isTrue
          ? { key: `${place}#${visit} false`, state: other, condition: terms.not(condition) }
          : { key: `${place}#${visit} true`, state: here, condition },
      );
      if (!isTrue) followed = other;
    };
    machine.queries.seed = evaluator;
    const found: Uint8Array[] = [];
    let queries = 0;
    try {
      const end = machine.instructions + mostInstructions;
      const lastLookup = terms.lookups + mostLookups;
      let isOver = false;
      while (!isOver && machine.instructions < end && terms.lookups < lastLookup && queries < mostQueries) {
        followed = undefined;
        const stopAt = Math.min(end, machine.instructions + checkedEvery);
        const ending = machine.run(state, Number.POSITIVE_INFINITY, stopAt, Number.POSITIVE_INFINITY);
        isOver = ending !== undefined && followed === undefined;
        machine.forked = [];
        for (const turning of turnings.splice(0)) {
          if (this.#known.has(turning.key) || queries >= mostQueries) continue;
          this.#known.add(turning.key);
          queries++;
          const bytes = this.#solve(turning, array, seed);
          if (bytes !== undefined) found.push(bytes);
          // A query of a large program may take seconds, and a time slice may have dozens of them.
          yield;
        }
        state = followed ?? state;
        yield;
      }
    } finally {
      machine.queries.seed = undefined;
      machine.onFork = undefined;
      this.queries += queries;
    }
    return found;
  }

  /** A state at the start of the program, and its input. */
  #start(bytes: number): { state: State; array: SymbolicArray } {
    const { input, host: options } = this.#settings;
    const wanted = input === 'stdin' ? { stdinBytes: bytes } : { files: { count: 1, bytes } };
    const { host, inputs } = symbolicHost(this.#machine.terms, options, wanted);
    const [first] = inputs;
    assert(first !== undefined, 'the seed is an input');
    const state = this.#machine.start('__rz_start', this.#memory.fork(), new ModelHost(host));
    state.inputs = inputs;
    return { state, array: first.array };
  }

  /** The seed with the bytes changed on which the condition depends. */
  #solve({ state, condition }: Turning, array: SymbolicArray, seed: Uint8Array): Uint8Array | undefined {
    const { solver } = this.#machine;
    const relevant = state.constraints.relevantTo(condition);
    const outcome = solver.check(relevant);
    if (outcome.kind !== 'sat') return undefined;
    const model = outcome.model.assignment.arrays.get(array.name);
    if (model === undefined) return undefined;
    const changed = seed.slice();
    for (const index of bytesIn(relevant, array) ?? changed.keys()) changed[index] = model[index] ?? 0;
    return changed;
  }
}

/** The bytes of the array that the terms read; undefined if they depend on others. */
function bytesIn(terms: readonly Term[], array: SymbolicArray): Set<number> | undefined {
  const indices = new Set<number>();
  let isKnown = true;
  forEachTerm(terms, term => {
    if (term.op !== Op.Read) return;
    if (term.a.op === Op.Const && term.array === array) indices.add(Number(term.a.value));
    else isKnown = false;
  });
  return isKnown ? indices : undefined;
}

/** The location of a state, with its innermost callers. */
function placeOf({ frame }: State): string {
  const parts: string[] = [];
  for (
    let at: typeof frame | undefined = frame;
    at !== undefined && parts.length < framesApart;
    at = at.caller
  )
    parts.push(`${at.block.id}.${at.pc}`);
  return parts.join(' ');
}

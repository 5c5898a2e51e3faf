/**
 * A thin binding to CaDiCaL: one wasm call per literal.
 *
 * The package's own wrapper checks and records every literal in JavaScript; for the clauses of a
 * multiplier that costs more than the solver itself. The functions here are the C interface of
 * CaDiCaL with the instance filled in. Variables are positive integers, a literal is a variable or
 * its negative.
 */
import type { CadicalModule } from 'cadical-wasm';
import { type Deadline, NO_DEADLINE } from './limits.js';

export type SatVerdict = 'sat' | 'unsat' | 'unknown';

/**
 * Options for thousands of small queries: no lucky phases and no local search before each. Four
 * inprocessing techniques are off because they do not check the clock: on large instances they
 * overran a time limit by ten seconds. The others stay on; they start only after thousands of
 * conflicts.
 */
const OPTIONS: Readonly<Record<string, number>> = {
  quiet: 1,
  lucky: 0,
  walk: 0,
  congruence: 0,
  sweep: 0,
  factor: 0,
  backbone: 0,
};

let prepared: Promise<CadicalModule> | undefined;

/** Starts loading CaDiCaL for the next caller, because that takes a while. */
export function prepareCadicalModule(): void {
  prepared ??= load();
}

/** The package is a module that a script cannot import otherwise. */
async function load(): Promise<CadicalModule> {
  const { loadCadical } = await import('cadical-wasm');
  return loadCadical();
}

/** A new module, shared with no other solver. */
export async function loadCadicalModule(): Promise<CadicalModule> {
  const module = prepared ?? load();
  prepared = undefined;
  return await module;
}

interface Binding {
  readonly init: () => number;
  readonly release: (solver: number) => void;
  readonly add: (solver: number, lit: number) => void;
  readonly assume: (solver: number, lit: number) => void;
  readonly solve: (solver: number) => number;
  readonly val: (solver: number, lit: number) => number;
  readonly failed: (solver: number, lit: number) => number;
  readonly limit: (solver: number, name: string, value: number) => void;
  readonly setOption: (solver: number, name: string, value: number) => void;
  readonly setTerminate: (solver: number, state: number, callback: number) => void;
}

function bind(module: CadicalModule): Binding {
  const wrap = (name: string, result: string | null, ...types: string[]) =>
    module.cwrap(`ccadical_${name}`, result, types);
  return {
    init: wrap('init', 'number'),
    release: wrap('release', null, 'number'),
    add: wrap('add', null, 'number', 'number'),
    assume: wrap('assume', null, 'number', 'number'),
    solve: wrap('solve', 'number', 'number'),
    val: wrap('val', 'number', 'number', 'number'),
    failed: wrap('failed', 'number', 'number', 'number'),
    limit: wrap('limit', null, 'number', 'string', 'number'),
    setOption: wrap('set_option', null, 'number', 'string', 'number'),
    setTerminate: wrap('set_terminate', null, 'number', 'number', 'number'),
  };
}

export class Cadical {
  readonly #module: CadicalModule;
  readonly #c: Binding;
  readonly #solver: number;
  readonly #callback: number;
  #deadline: Deadline = NO_DEADLINE;

  constructor(module: CadicalModule) {
    this.#module = module;
    this.#c = bind(module);
    this.#solver = this.#c.init();
    for (const [name, value] of Object.entries(OPTIONS)) this.#c.setOption(this.#solver, name, value);
    this.#callback = module.addFunction(() => (this.#deadline.passed() ? 1 : 0), 'ii');
    this.#c.setTerminate(this.#solver, 0, this.#callback);
  }

  /** One literal of a clause; 0 ends it. */
  add(lit: number): void {
    this.#c.add(this.#solver, lit);
  }

  assume(lit: number): void {
    this.#c.assume(this.#solver, lit);
  }

  /**
   * Decides the clauses under the assumptions made since the last call. Zero conflicts means no
   * limit.
   */
  solve(conflicts: number, deadline: Deadline): SatVerdict {
    this.#deadline = deadline;
    this.#c.limit(this.#solver, 'conflicts', conflicts > 0 ? conflicts : -1);
    const verdict = this.#c.solve(this.#solver);
    return verdict === 10 ? 'sat' : verdict === 20 ? 'unsat' : 'unknown';
  }

  /** After `sat`: whether the literal holds. */
  isTrue(lit: number): boolean {
    return this.#c.val(this.#solver, lit) === lit;
  }

  /** After `unsat`: whether this assumption was used. */
  isFailed(lit: number): boolean {
    return this.#c.failed(this.#solver, lit) !== 0;
  }

  dispose(): void {
    this.#c.release(this.#solver);
    this.#module.removeFunction(this.#callback);
  }
}

/** `redzone explore`: run the program on symbolic inputs, all paths, a test for each. */

import type { SearcherName } from '../explore/search/searchers.js';
import type { SymbolicStart } from '../explore/state/state.js';
import type { RunReport } from '../findings/report.js';
import type { AllocatorKind } from '../kdalloc/index.js';
import type { CheckKind } from '../monitor/check-kinds.js';
import type { DumpFormat } from '../solver/dump-layer.js';
import type { Backend } from '../solver/solver.js';
import type { ProgramOptions, RunControl } from './control.js';

export interface ExploreOptions extends ProgramOptions {
  /** `argv` after the program's name. */
  readonly arguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Where tests are written; without it, nowhere. */
  readonly folder?: string;
  /**
   * Goes on with the exploration of the same program and options in `folder`, which a limit or the user has stopped. Limits may differ; those of
   * paths, instructions and time count anew. Requires `folder`.
   */
  readonly resume?: boolean;
  /** Runs the test of each finding under the monitor, and says whether it finds the same. Requires `folder`. */
  readonly confirm?: boolean;
  /** What of the program's start is symbolic, beside what the program itself makes so. */
  readonly symbolic?: SymbolicStart;
  /** Shared libraries of this machine (`libm.so.6`): functions that no file of the program defines are called there, in a process of their own. */
  readonly external?: readonly string[];
  /** How long such a function may take; 10 s unless given. */
  readonly maxExternalMs?: number;
  /** Standard input, where that is not symbolic; empty unless given. */
  readonly stdin?: Uint8Array | string;
  /** What to look for; everything unless given. */
  readonly checks?: readonly CheckKind[];
  /** Files of the modelled machine, by path. */
  readonly files?: Readonly<Record<string, Uint8Array | string>>;
  readonly search?: SearcherName;
  /** Who decides where objects lie: `kdalloc`, the default, or for comparison `global` or `bump`. */
  readonly allocator?: AllocatorKind;
  /** How many freed places of a kind KDALLOC keeps out of use; without it, all as long as there is room. */
  readonly quarantine?: number;
  /** Who decides questions about inputs: `both`, the default, is CaDiCaL with Z3 behind it. */
  readonly solver?: Backend;
  /** How long one question may take, and how many conflicts of the SAT solver. A path with more is left unfinished. */
  readonly maxQuestionMs?: number;
  readonly maxQuestionConflicts?: number;
  /** Writes every question that no cache answered to `queries.smt2` or `queries.kquery`. Requires `folder`. */
  readonly dumpQueries?: DumpFormat;
  /** Interpret everything instead of compiling what is concrete to JavaScript, for comparison. */
  readonly interpretOnly?: boolean;
  readonly seed?: number;
  readonly maxTimeMs?: number;
  readonly maxInstructions?: number;
  readonly maxPaths?: number;
  readonly maxStates?: number;
  readonly maxDepth?: number;
  readonly maxMemoryBytes?: number;
}

/** Throws InputError when the program does not compile or cannot be resumed. An aborted run returns what was found so far. */
export async function explore(options: ExploreOptions, control: RunControl = {}): Promise<RunReport> {
  const start = performance.now();
  const { linkedProgram } = await import('./explore-program.js');
  const program = await linkedProgram(options, control);
  const { runExplore } = await import('./explore-pipeline.js');
  return runExplore(program, options, control, start);
}

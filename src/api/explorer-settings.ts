/** Converts the options of `explore` to the settings of the explorer. */
import type { ExplorerSettings } from '../explore/search/explorer.js';
import { BRIEFLY, OFTEN } from '../explore/state/loop-watch.js';
import type { SymbolicStart } from '../explore/state/state.js';
import { inputError } from '../findings/diagnostic.js';
import { defaultChecks, silenced } from '../monitor/check-kinds.js';
import type { ExploreSettings } from './explore.js';
import { labelOptionsOf, labelRequestOf } from './label-settings.js';
import { storedAnswers } from './stored-answers.js';

/** The options on which the behaviour of a path depends, and the limits that are counts. */
export type EngineOptions = Pick<
  ExploreSettings,
  | 'allocator'
  | 'checks'
  | 'clang'
  | 'detectLoops'
  | 'entryPoint'
  | 'environment'
  | 'external'
  | 'files'
  | 'interpretOnly'
  | 'maxDepth'
  | 'maxExternalMs'
  | 'maxInstructions'
  | 'maxPaths'
  | 'maxQueryConflicts'
  | 'maxQueryMs'
  | 'maxStates'
  | 'quarantine'
  | 'search'
  | 'secret'
  | 'seed'
  | 'sinks'
  | 'solver'
  | 'stdin'
  | 'taint'
  | 'taintRules'
  | 'threads'
  | 'everySchedule'
  | 'watchesLoops'
>;

/** The complete list; the type makes the compiler check it. */
const isEngineOption: Readonly<Record<keyof EngineOptions, true>> = {
  allocator: true,
  checks: true,
  clang: true,
  detectLoops: true,
  entryPoint: true,
  environment: true,
  external: true,
  files: true,
  interpretOnly: true,
  maxDepth: true,
  maxExternalMs: true,
  maxInstructions: true,
  maxPaths: true,
  maxQueryConflicts: true,
  maxQueryMs: true,
  maxStates: true,
  quarantine: true,
  search: true,
  secret: true,
  seed: true,
  sinks: true,
  solver: true,
  stdin: true,
  taint: true,
  taintRules: true,
  threads: true,
  everySchedule: true,
  watchesLoops: true,
};

/** Copies the options to plain data. */
export function engineOptionsIn(settings: ExploreSettings): EngineOptions {
  const keys = Object.keys(isEngineOption) as (keyof EngineOptions)[];
  return Object.fromEntries(keys.map(key => [key, settings[key]] as const)) as unknown as EngineOptions;
}

/** The size of the symbolic input of a fuzz target if no size is given. */
const fuzzBytes = 16;
/** The number of arguments is stored in one byte. */
const mostArguments = 255;
/** The names of symbolic files are letters. */
const mostFiles = 26;

/**
 * The symbolic inputs that the options request, in addition to those that the program makes
 * symbolic.
 */
export function symbolicOf(options: ExploreSettings, isFuzzTarget: boolean): SymbolicStart {
  const { symArgs, symStdin, symFiles, stdin, arguments: args = [] } = options;
  if (symArgs !== undefined && (symArgs.min > symArgs.max || symArgs.max > mostArguments))
    throw inputError('--sym-args needs MIN <= MAX', `and MAX <= ${mostArguments}`);
  if (symFiles !== undefined && symFiles.count > mostFiles)
    throw inputError('--sym-files makes at most 26 files, named A to Z');
  const hasInput = symStdin !== undefined || stdin !== undefined || args.length > 0;
  const stdinBytes = isFuzzTarget && !hasInput ? fuzzBytes : symStdin;
  return { arguments: symArgs, stdinBytes, files: symFiles };
}

/** `args` includes the name of the program. */
export function explorerSettings(
  options: EngineOptions,
  args: readonly string[],
  symbolic: SymbolicStart,
): ExplorerSettings {
  const { checks } = options;
  return {
    host: {
      arguments: args,
      environment: options.environment ?? {},
      files: options.files,
      stdin: options.stdin,
      seed: options.seed,
    },
    symbolic,
    searcher: options.search,
    allocator: {
      kind: options.allocator,
      // A loop that allocates and frees returns to an earlier state only if it gets the same
      // addresses.
      quarantine: options.quarantine ?? (options.detectLoops ? 0 : undefined),
      // A thread that spins is recognized by its state, which includes its locals.
      stackQuarantine: options.quarantine ?? (options.threads ? 0 : undefined),
      seed: options.seed,
    },
    watching: options.watchesLoops ? (options.detectLoops ? OFTEN : BRIEFLY) : undefined,
    solver: {
      backend: options.solver,
      limits: { milliseconds: options.maxQueryMs, conflicts: options.maxQueryConflicts },
      store: storedAnswers(),
    },
    threads: options.threads ? (options.everySchedule ? 'every schedule' : 'reduced') : undefined,
    externalLibraries: options.external,
    externalMilliseconds: options.maxExternalMs,
    unchecked: new Set(silenced(new Set(checks ?? defaultChecks)).map(({ code }) => code)),
    labels: { options: labelOptionsOf(options), request: labelRequestOf(options) },
    interpretOnly: options.interpretOnly ?? false,
    seed: options.seed,
    limits: {
      instructions: options.maxInstructions,
      paths: options.maxPaths,
      states: options.maxStates,
      depth: options.maxDepth,
    },
  };
}

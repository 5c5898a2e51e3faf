/** The options of `explore`. */
import { searcherNames } from '../explore/search/searcher-names.js';
import { allocatorKinds } from '../kdalloc/allocator-names.js';
import { backends, dumpFormats } from '../solver/backend-names.js';
import { modelledProgram } from './check-options.js';
import { queued, type WorkersRow, workersRow } from './queue-options.js';
import { limits, sarif, shown } from './shared.js';

const own = {
  folder: {
    flags: ['-o'],
    kind: 'text',
    value: 'DIR',
    help: 'where to write tests and results (default: redzone-out)',
  },
  resume: {
    flags: ['--resume'],
    kind: 'flag',
    default: false,
    help: 'continue the exploration in the folder of -o that a limit, Ctrl-C or a kill has stopped',
  },
  workers: workersRow(
    'explore with N threads, or one for each processor (auto); the result is the same for every N (default: one search, not divided)',
  ) as WorkersRow,
  tests: {
    flags: ['--tests'],
    kind: 'choice',
    choices: ['new', 'all'],
    default: 'new',
    help: 'tests to write as files: those of findings and of new coverage, or all; the journal has all',
  },
  replayTree: {
    flags: ['--replay-tree'],
    kind: 'text',
    value: 'DIR',
    help: 'reuse solver answers and explored paths of the exploration in DIR',
  },
  reuse: {
    flags: ['--reuse'],
    kind: 'choice',
    choices: ['paths', 'answers', 'nothing'],
    default: 'paths',
    help: 'what to reuse from --replay-tree, or from the folder after an edit of the program',
  },
  keepGoing: {
    flags: ['--keep-going'],
    kind: 'flag',
    default: false,
    help: 'confirm a finding even if check reports another error before it; explore always reports all',
  },
  symArgs: {
    flags: ['--sym-args'],
    kind: 'numbers',
    value: 'MIN MAX LEN',
    fields: ['min', 'max', 'bytes'],
    help: 'give the program MIN to MAX symbolic arguments of up to LEN bytes',
  },
  symStdin: {
    flags: ['--sym-stdin'],
    kind: 'number',
    value: 'N',
    help: 'make standard input N symbolic bytes',
  },
  symFiles: {
    flags: ['--sym-files'],
    kind: 'numbers',
    value: 'K N',
    fields: ['count', 'bytes'],
    help: 'give the program K files named A, B, ... of N symbolic bytes',
  },
  threads: {
    flags: ['--threads'],
    kind: 'flag',
    default: false,
    help: 'explore the schedules of threads as well as inputs; a test then contains its schedule',
  },
  external: {
    flags: ['--external'],
    kind: 'list',
    value: 'LIBRARY',
    default: [],
    help: 'call functions that the program does not define in this shared library; may be repeated',
  },
  search: {
    flags: ['--search'],
    kind: 'choice',
    choices: searcherNames as typeof searcherNames,
    value: 'ORDER',
    default: 'default',
    help: 'the searcher, which selects the next state; default: random-path and coverage alternate',
  },
  maxInstructions: {
    flags: ['--max-instructions'],
    kind: 'number',
    least: 1,
    value: 'N',
    help: 'stop after this many instructions on all paths together',
  },
  maxPaths: {
    flags: ['--max-paths'],
    kind: 'number',
    least: 1,
    value: 'N',
    help: 'stop after this many paths',
  },
  maxFail: {
    flags: ['--max-fail'],
    kind: 'number',
    least: 1,
    value: 'N',
    help: 'stop after this many findings',
  },
  maxStates: {
    flags: ['--max-states'],
    kind: 'number',
    least: 1,
    value: 'N',
    help: 'stop when more than N states are live',
  },
  maxDepth: {
    flags: ['--max-depth'],
    kind: 'number',
    least: 1,
    value: 'N',
    help: 'abandon a path that has forked this often',
  },
  allocator: {
    flags: ['--allocator'],
    kind: 'choice',
    choices: allocatorKinds as typeof allocatorKinds,
    default: 'kdalloc',
    help: 'addresses of objects: deterministic for each state, or from a malloc that all states share',
  },
  quarantine: {
    flags: ['--quarantine'],
    kind: 'number',
    value: 'N',
    help: 'freed slots of a size class that are not reused (default: all while there is room)',
  },
  solver: {
    flags: ['--solver'],
    kind: 'choice',
    choices: backends as typeof backends,
    default: 'both',
    help: 'the solver of queries; both: CaDiCaL, and Z3 if CaDiCaL is slow',
  },
  maxQueryMs: {
    flags: ['--max-solver-time'],
    kind: 'duration',
    value: 'TIME',
    default: 0,
    help: 'abandon a path with a query that takes longer; 0: no limit',
  },
  maxQueryConflicts: {
    flags: ['--max-conflicts'],
    kind: 'number',
    value: 'N',
    default: 0,
    help: 'abandon a path with a query that needs more conflicts; deterministic; 0: no limit',
  },
  dumpQueries: {
    flags: ['--dump-queries'],
    kind: 'choice',
    choices: dumpFormats as typeof dumpFormats,
    help: 'write the queries that no cache answers to queries.smt2 or queries.kquery',
  },
} as const;

export const exploreOptions: typeof limits & typeof own & typeof queued & typeof modelledProgram = {
  ...limits,
  ...own,
  ...queued,
  ...modelledProgram,
};

export const exploreOutput: typeof shown & typeof sarif = { ...shown, ...sarif };

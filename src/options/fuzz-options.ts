/** The options of `fuzz`. */
import { chosenChecks, suppressed } from './check-options.js';
import { queued, type WorkersRow, workersRow } from './queue-options.js';
import { clang, limits, modelledFiles, sarif, seed, shown } from './shared.js';

const own = {
  folder: {
    flags: ['-o'],
    kind: 'text',
    value: 'DIR',
    default: 'redzone-out',
    help: 'where to write findings and, without a corpus folder, the corpus',
  },
  corpus: {
    flags: ['--corpus'],
    kind: 'list',
    value: 'DIR',
    default: [],
    help: 'start with the inputs in this folder; new ones are written to the first folder; may be repeated',
  },
  mode: {
    flags: ['--mode'],
    kind: 'choice',
    choices: ['auto', 'black', 'grey', 'white'],
    default: 'auto',
    help: 'random inputs, coverage-guided, or with the explorer; auto: grey, and white when coverage stalls',
  },
  dictionary: {
    flags: ['--dict'],
    kind: 'text',
    value: 'FILE',
    help: 'use the dictionary in FILE, in the format of libFuzzer and AFL',
  },
  maxRuns: {
    flags: ['--max-runs'],
    kind: 'number',
    value: 'N',
    help: 'stop after this many runs',
  },
  maxLength: {
    flags: ['--max-len'],
    kind: 'bytes',
    value: 'SIZE',
    least: 1,
    help: 'the maximal length of inputs (default: 4096, or the longest of the corpus)',
  },
  maxSteps: {
    flags: ['--max-steps'],
    kind: 'number',
    least: 1,
    value: 'N',
    default: 50_000_000,
    help: 'report an infinite loop for an input that takes more steps (calls and loop iterations)',
  },
  workers: workersRow(
    'run inputs in N workers in parallel, or in one for each processor (auto; default: 1); the result is the same',
  ) as WorkersRow,
  input: {
    flags: ['--input'],
    kind: 'choice',
    choices: ['stdin', 'file', 'argv'],
    help: 'how a program with a main gets its input (default: stdin, or file if ARGS have @@)',
  },
  onlyAscii: {
    flags: ['--only-ascii'],
    kind: 'flag',
    default: false,
    help: 'make only ASCII inputs',
  },
  minimizeCorpus: {
    flags: ['--minimize-corpus'],
    kind: 'text',
    value: 'DIR',
    help: 'instead of fuzzing, write the smallest set of inputs with the same coverage to DIR',
  },
  minimize: {
    flags: ['--minimize'],
    kind: 'text',
    value: 'FILE',
    help: 'instead of fuzzing, minimize this failing input',
  },
  coverage: {
    flags: ['--coverage'],
    kind: 'flag',
    default: false,
    help: 'write the lines that the corpus covers to coverage.info, for lcov',
  },
} as const;

export const fuzzOptions: typeof limits &
  typeof own &
  typeof queued &
  typeof chosenChecks &
  typeof suppressed &
  typeof modelledFiles &
  typeof seed &
  typeof clang = {
  ...limits,
  ...own,
  ...queued,
  ...chosenChecks,
  ...suppressed,
  ...modelledFiles,
  ...seed,
  ...clang,
};

export const fuzzOutput: typeof shown & typeof sarif = { ...shown, ...sarif };

/** The options of the subcommands of `heap`. */
import type { MallocName } from '../malloc/malloc-names.js';
import { mallocNames } from '../malloc/malloc-names.js';
import { clang, folders, maxTime, page, resultFile, sarif, seed, shown, variables } from './shared.js';

const mallocs = {
  mallocs: {
    flags: ['--malloc'],
    kind: 'choices',
    choices: mallocNames as readonly MallocName[],
    value: 'LIST',
    help: 'use only these mallocs',
  },
} as const;

export const attackOptions: typeof mallocs & typeof maxTime & typeof seed & typeof clang = {
  ...mallocs,
  ...maxTime,
  ...seed,
  ...clang,
};

const compared = {
  turns: {
    flags: ['--rounds'],
    kind: 'number',
    value: 'N',
    least: 1,
    default: 3,
    help: 'the number of rounds for each malloc; the fastest counts',
  },
} as const;

export const compareOptions: typeof mallocs & typeof compared & typeof maxTime & typeof seed = {
  ...mallocs,
  ...compared,
  ...maxTime,
  ...seed,
};

export const resultOutput: typeof shown & typeof page & typeof resultFile = {
  ...shown,
  ...page,
  ...resultFile,
};

const unchecked = {
  noChecks: {
    flags: ['--no-checks'],
    kind: 'flag',
    default: false,
    help: 'run the program without the monitor; the trace then has no allocation sites',
  },
} as const;

export const traceOptions: typeof unchecked &
  typeof maxTime &
  typeof folders &
  typeof variables &
  typeof clang = {
  ...unchecked,
  ...maxTime,
  ...folders,
  ...variables,
  ...clang,
};

const traceFile = {
  outFile: {
    flags: ['-o'],
    kind: 'text',
    value: 'FILE',
    default: 'heap.trace',
    help: 'where to write the trace',
  },
} as const;

export const traceOutput: typeof shown & typeof sarif & typeof traceFile = {
  ...shown,
  ...sarif,
  ...traceFile,
};

const drawn = {
  mallocs: {
    flags: ['--malloc'],
    kind: 'choices',
    choices: mallocNames as readonly MallocName[],
    value: 'LIST',
    default: ['ptmalloc2'] as readonly MallocName[],
    help: 'draw the heaps of these mallocs, side by side',
  },
} as const;

export const mapOptions: typeof drawn & typeof seed = { ...drawn, ...seed };

const mapFile = {
  outFile: {
    flags: ['-o'],
    kind: 'text',
    value: 'FILE',
    help: 'where to write the SVG (default: the value of --malloc with .svg)',
  },
} as const;

export const mapOutput: typeof shown & typeof page & typeof mapFile = { ...shown, ...page, ...mapFile };

/** The options of `check` and `replay`. */

import { sinkChoices } from '../labels/flow-rules.js';
import type { MallocName } from '../malloc/malloc-names.js';
import { mallocNames } from '../malloc/malloc-names.js';
import { readBudget, resources } from '../monitor/budget.js';
import { checkKinds, defaultChecks } from '../monitor/check-kinds.js';
import { stores } from '../monitor/stores.js';
import {
  clang,
  entry,
  folders,
  keepGoing,
  limits,
  modelledFiles,
  reportFolder,
  sarif,
  seed,
  shown,
  variables,
} from './shared.js';

/** Options that select the checks, shared with `explore`. */
export const chosenChecks = {
  checks: {
    flags: ['--checks'],
    offWith: 'noChecks',
    kind: 'choices',
    choices: checkKinds as typeof checkKinds,
    excludes: true,
    usual: defaultChecks as typeof defaultChecks,
    value: 'LIST',
    help: 'check only for these errors; -leaks: for all but leaks; +aliasing, +restrict, +null-offset: in addition to the default',
  },
} as const;

/** Options that suppress findings, shared with `fuzz`. */
export const suppressed = {
  suppressions: {
    flags: ['--suppress'],
    kind: 'file',
    value: 'FILE',
    default: '',
    help: 'suppress the findings that FILE lists, one rule a line: CODE, CODE:FILE, CODE:FILE:LINE or CODE:FUNCTION',
  },
} as const;

interface BudgetRow {
  readonly flags: readonly ['--budget'];
  readonly kind: 'parsed';
  readonly offWith: 'noChecks';
  readonly read: typeof readBudget;
  readonly expected: string;
  readonly json: object;
  readonly value: string;
  readonly help: string;
}

/** The limits of a small device. */
const budgets: { readonly budget: BudgetRow } = {
  budget: {
    flags: ['--budget'],
    kind: 'parsed',
    offWith: 'noChecks',
    read: readBudget as typeof readBudget,
    expected: 'limits such as stack=64K,heap=1M,allocations=10000,depth=200',
    json: {
      type: 'object',
      properties: Object.fromEntries(resources.map(name => [name, { type: 'integer', minimum: 0 }])),
      additionalProperties: false,
    },
    value: 'LIMITS',
    help: 'report where the program exceeds a limit: any of stack=64K,heap=1M,allocations=10000,depth=200',
  },
} as const;

/** How the threads of a program are scheduled. */
const threads = {
  schedules: {
    flags: ['--schedules'],
    kind: 'number',
    value: 'N',
    least: 1,
    default: 1,
    help: 'run a program with threads under N schedules, with seeds from --seed on, until one has a finding',
  },
  schedule: {
    flags: ['--schedule'],
    kind: 'file',
    value: 'FILE',
    help: 'replay the schedule in FILE, which `check -o DIR` writes to DIR/schedule',
  },
} as const;

/** Detection of infinite loops, shared with `explore`. */
export const loops = {
  detectLoops: {
    flags: ['--detect-loops'],
    offWith: 'watchesLoops',
    kind: 'flag',
    default: false,
    help: 'detect infinite loops from the start, not only in long runs; explore then reuses freed memory at once',
  },
  watchesLoops: {
    flags: ['--no-detect-loops'],
    kind: 'flag',
    negates: true,
    default: true,
    help: 'do not detect infinite loops',
  },
} as const;

/** The user's own sanitizers: `docs/plugins.md`. */
const userPlugins = {
  plugins: {
    flags: ['--plugin'],
    kind: 'list',
    value: 'MODULE',
    default: [] as readonly string[],
    help: 'run this plug-in: a TypeScript or JavaScript module, or a package; may be repeated',
  },
} as const;

const own = {
  allowRun: {
    flags: ['--allow-run'],
    kind: 'flag',
    default: false,
    help: 'let the program start others (system, popen, posix_spawn, exec); children linked by redzone cc run under the same options',
  },
  allowNet: {
    flags: ['--allow-net'],
    kind: 'flag',
    default: false,
    help: 'let the program have sockets on the loopback (TCP and UDP)',
  },
  acsl: {
    flags: ['--acsl'],
    kind: 'choice',
    choices: ['auto', 'on', 'off'],
    default: 'auto',
    help: 'check ACSL annotations, or treat them as comments; auto: invalid ACSL is a comment, with a warning',
  },
  onlyAcsl: {
    flags: ['--only-acsl'],
    offWith: 'noChecks',
    kind: 'flag',
    default: false,
    help: 'check only annotations; memory is monitored only where an annotation needs it',
  },
  quarantineBytes: {
    flags: ['--quarantine'],
    offWith: 'noChecks',
    kind: 'bytes',
    value: 'SIZE',
    default: 262_144,
    help: 'do not reuse freed blocks until they take this much memory; detection does not depend on it',
  },
  store: {
    flags: ['--store'],
    offWith: 'noChecks',
    kind: 'choice',
    choices: stores as typeof stores,
    default: 'hybrid',
    help: 'where the monitor keeps the records of blocks',
  },
  /** The default is the constant C of the hybrid-monitoring paper. */
  storeLimitBytes: {
    flags: ['--store-limit'],
    offWith: 'noChecks',
    needsValue: ['store', 'hybrid'],
    kind: 'bytes',
    value: 'SIZE',
    default: 16_777_216,
    help: 'with --store hybrid, keep longer blocks in the trie',
  },
  initGlobals: {
    flags: ['--init-globals'],
    offWith: 'noChecks',
    kind: 'flag',
    default: false,
    help: 'track uninitialized values through global variables, too; slower',
  },
  preAnalysis: {
    flags: ['--no-pre-analysis'],
    kind: 'flag',
    negates: true,
    default: true,
    help: 'monitor every local variable, to measure what the analysis saves',
  },
  removesChecks: {
    flags: ['--no-check-removal'],
    kind: 'flag',
    negates: true,
    default: true,
    help: 'keep redundant checks, to measure what removing them saves',
  },
  speed: {
    flags: ['--speed'],
    kind: 'choice',
    choices: ['quick', 'optimised', 'auto'],
    help: 'build quickly or with optimization; auto: quickly, unless the cache has optimized code, which is built while a program runs (default: auto, or REDZONE_SPEED)',
  },
  noChecks: {
    flags: ['--no-checks'],
    kind: 'flag',
    default: false,
    help: 'run the same program without instrumentation, for comparison',
  },
  malloc: {
    flags: ['--malloc'],
    kind: 'choice',
    choices: mallocNames as readonly MallocName[],
    value: 'NAME',
    help: "allocate blocks with this malloc instead of the monitor's",
  },
} as const;

/** Names a program by its build folder instead of its files. */
export const buildFolder = {
  buildFolder: {
    flags: ['-p'],
    kind: 'text',
    value: 'BUILD',
    help: 'check the program that compile_commands.json in this folder builds',
  },
  target: {
    flags: ['--target'],
    needs: 'buildFolder',
    kind: 'text',
    value: 'NAME',
    help: 'with -p, the program of this name',
  },
} as const;

/** Options for taint tracking, shared with `explore`. */
export const flows = {
  taint: {
    flags: ['--taint'],
    offWith: 'noChecks',
    kind: 'parsed',
    value: 'LIST',
    read: names as typeof names,
    expected: 'names separated by commas',
    json: { type: 'array', items: { type: 'string' } },
    help: 'report where bytes of these sources reach a sink (size, index, path, …): stdin, args, files, env, or the name of a label or an input',
  },
  sinks: {
    flags: ['--sinks'],
    offWith: 'noChecks',
    kind: 'choices',
    choices: sinkChoices as typeof sinkChoices,
    excludes: true,
    value: 'LIST',
    help: 'the sinks of --taint; -loop: all but loop bounds',
  },
  taintRules: {
    flags: ['--taint-rules'],
    offWith: 'noChecks',
    kind: 'file',
    value: 'FILE',
    default: '',
    help: 'functions that are sources, sinks or sanitizers, one rule a line: source NAME *1:return',
  },
  secret: {
    flags: ['--secret'],
    offWith: 'noChecks',
    kind: 'parsed',
    value: 'LIST',
    read: names as typeof names,
    expected: 'names separated by commas',
    json: { type: 'array', items: { type: 'string' } },
    help: 'report branches and addresses that depend on bytes of these sources; names as for --taint',
  },
} as const;

function names(text: string): readonly string[] | undefined {
  const list = text.split(',').map(name => name.trim());
  return list.includes('') ? undefined : list;
}

export const checkOptions: typeof limits &
  typeof buildFolder &
  typeof flows &
  typeof keepGoing &
  typeof chosenChecks &
  typeof suppressed &
  typeof loops &
  typeof userPlugins &
  typeof budgets &
  typeof own &
  typeof threads &
  typeof folders &
  typeof entry &
  typeof variables &
  typeof seed &
  typeof clang = {
  ...limits,
  ...buildFolder,
  ...keepGoing,
  ...chosenChecks,
  ...suppressed,
  ...flows,
  ...loops,
  ...userPlugins,
  ...budgets,
  ...own,
  ...threads,
  ...folders,
  ...entry,
  ...variables,
  ...seed,
  ...clang,
};

/** How `check` and `replay` show their results. */
export const checkOutput: typeof shown & typeof sarif & typeof reportFolder = {
  ...shown,
  ...sarif,
  ...reportFolder,
};

/** What is checked in which program: the same for `explore` and for `replay` of its tests. */
export const modelledProgram: typeof chosenChecks &
  typeof loops &
  typeof flows &
  typeof userPlugins &
  typeof modelledFiles &
  typeof entry &
  typeof seed &
  typeof clang = {
  ...chosenChecks,
  ...loops,
  ...flows,
  ...userPlugins,
  ...modelledFiles,
  ...entry,
  ...seed,
  ...clang,
};

export const replayOptions: typeof limits & typeof keepGoing & typeof modelledProgram = {
  ...limits,
  ...keepGoing,
  ...modelledProgram,
};

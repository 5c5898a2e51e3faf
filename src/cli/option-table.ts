/**
 * The one table of options. Parsing, the types of the parsed values, `--help` and `docs/options.md` all come from here.
 *
 * To add an option: a row here, and its name in the command's row of `command-table.ts`.
 */

/** How the text after an option is read, and which type it becomes. */
export type OptionKind =
  | 'flag'
  | 'text'
  | 'list'
  | 'number'
  | 'numbers'
  | 'duration'
  | 'bytes'
  | 'choice'
  | 'clang';

export interface OptionSpec {
  /** All spellings, the one to show first last. */
  readonly flags: readonly string[];
  readonly kind: OptionKind;
  /** What stands for the value in help texts; for `numbers`, one word for each. */
  readonly value?: string;
  /** For `choice`. */
  readonly choices?: readonly string[];
  /** For `bytes`: less makes no sense. */
  readonly least?: number;
  /** For `clang`: the value may be the next argument, as in `-I dir`. */
  readonly separable?: boolean;
  readonly help: string;
}

export const optionTable = {
  json: { flags: ['--json'], kind: 'flag', help: 'print one JSON document on stdout, and nothing else' },
  sarif: { flags: ['--sarif'], kind: 'text', value: 'FILE', help: 'also write the findings as SARIF 2.1.0' },
  outDir: {
    flags: ['-o'],
    kind: 'text',
    value: 'DIR',
    help: 'where to write tests and reports (default: redzone-out)',
  },
  outFile: { flags: ['-o'], kind: 'text', value: 'FILE', help: 'write to FILE instead of stdout' },
  maxTimeMs: {
    flags: ['--max-time'],
    kind: 'duration',
    value: 'TIME',
    help: 'stop after this time: 500ms, 10s, 5min, 2h; a number alone is seconds',
  },
  maxMemoryBytes: {
    flags: ['--max-memory'],
    kind: 'bytes',
    value: 'SIZE',
    least: 65_536,
    help: 'memory for the program or the exploration: 512MB, 2GB; a number alone is bytes',
  },
  seed: { flags: ['--seed'], kind: 'number', value: 'N', help: 'seed of everything random (default: 0)' },
  keepGoing: {
    flags: ['--keep-going'],
    kind: 'flag',
    help: 'report every finding, not only the first; explore always does',
  },
  checks: {
    flags: ['--checks'],
    kind: 'text',
    value: 'LIST',
    help: 'what to look for, of spatial, temporal, init, undefined, leaks; -leaks: all but that',
  },
  external: {
    flags: ['--external'],
    kind: 'list',
    value: 'LIBRARY',
    help: 'call what the program lacks in this shared library; may be repeated',
  },
  acsl: {
    flags: ['--acsl'],
    kind: 'choice',
    choices: ['on', 'off'],
    value: 'WHETHER',
    help: 'on: check ACSL annotations (the default); off: they are comments',
  },
  onlyAcsl: {
    flags: ['--only-acsl'],
    kind: 'flag',
    help: 'check annotations and nothing else; memory is monitored only where one observes it',
  },
  suppress: {
    flags: ['--suppress'],
    kind: 'text',
    value: 'FILE',
    help: 'do not report what FILE lists: CODE, CODE:FILE:LINE or CODE:FUNCTION in a line',
  },
  dirs: {
    flags: ['--dir'],
    kind: 'list',
    value: 'DIR',
    help: 'let the program use this folder besides the current one; may be repeated',
  },
  quarantineBytes: {
    flags: ['--quarantine'],
    kind: 'bytes',
    value: 'SIZE',
    help: 'freed blocks wait until they take this much memory (default: 16MB)',
  },
  quarantinePlaces: {
    flags: ['--quarantine'],
    kind: 'number',
    value: 'N',
    help: 'freed places of a size that are not used again (default: all while there is room)',
  },
  allocator: {
    flags: ['--allocator'],
    kind: 'choice',
    choices: ['kdalloc', 'global', 'bump'],
    value: 'NAME',
    help: 'where objects lie: kdalloc (the default), or as with a malloc that all paths share',
  },
  solver: {
    flags: ['--solver'],
    kind: 'choice',
    choices: ['both', 'cadical', 'z3'],
    value: 'NAME',
    help: 'who answers questions about inputs (default: both, Z3 where CaDiCaL is slow)',
  },
  maxQuestionMs: {
    flags: ['--max-solver-time'],
    kind: 'duration',
    value: 'TIME',
    help: 'give up a path with a question to the solver that takes longer',
  },
  maxConflicts: {
    flags: ['--max-conflicts'],
    kind: 'number',
    value: 'N',
    help: 'give up a path with a question that needs more conflicts; alike on all machines',
  },
  dumpQueries: {
    flags: ['--dump-queries'],
    kind: 'choice',
    choices: ['smt2', 'kquery'],
    value: 'FORMAT',
    help: 'write the questions to the solver to queries.smt2 or queries.kquery',
  },
  noPreAnalysis: {
    flags: ['--no-pre-analysis'],
    kind: 'flag',
    help: 'monitor every local, asked about or not: to measure what the analysis saves',
  },
  noCheckRemoval: {
    flags: ['--no-check-removal'],
    kind: 'flag',
    help: 'check every access, even after a check that vouches for it: to measure what that saves',
  },
  store: {
    flags: ['--store'],
    kind: 'choice',
    choices: ['hybrid', 'shadow', 'trie'],
    value: 'STORE',
    help: 'where the facts about blocks are kept (default: hybrid)',
  },
  storeLimitBytes: {
    flags: ['--store-limit'],
    kind: 'bytes',
    value: 'SIZE',
    help: 'with --store hybrid, longer blocks are kept in the trie (default: 16MB)',
  },
  maxInstructions: {
    flags: ['--max-instructions'],
    kind: 'number',
    least: 1,
    value: 'N',
    help: 'stop after this many instructions, on all paths together',
  },
  resume: {
    flags: ['--resume'],
    kind: 'flag',
    help: 'go on with the exploration in the folder of -o, which a limit or Ctrl-C has stopped',
  },
  maxPaths: {
    flags: ['--max-paths'],
    kind: 'number',
    least: 1,
    value: 'N',
    help: 'stop after this many paths',
  },
  maxStates: {
    flags: ['--max-states'],
    kind: 'number',
    least: 1,
    value: 'N',
    help: 'stop when more paths than this are unfinished',
  },
  maxDepth: {
    flags: ['--max-depth'],
    kind: 'number',
    least: 1,
    value: 'N',
    help: 'give up a path that has forked this often',
  },
  search: {
    flags: ['--search'],
    kind: 'choice',
    choices: ['default', 'dfs', 'bfs', 'random-state', 'random-path', 'coverage'],
    value: 'ORDER',
    help: 'which path goes on (default: random-path and coverage in turn)',
  },
  symArgs: {
    flags: ['--sym-args'],
    kind: 'numbers',
    value: 'MIN MAX LEN',
    help: 'MIN to MAX symbolic arguments of up to LEN bytes',
  },
  symStdin: {
    flags: ['--sym-stdin'],
    kind: 'number',
    value: 'N',
    help: 'N symbolic bytes of standard input',
  },
  symFiles: {
    flags: ['--sym-files'],
    kind: 'numbers',
    value: 'K N',
    help: 'K files named A, B, ... of N symbolic bytes',
  },
  files: {
    flags: ['--file'],
    kind: 'list',
    value: 'FILE',
    help: 'a file of this machine that the program can read, under this name; may be repeated',
  },
  malloc: {
    flags: ['--malloc'],
    kind: 'choice',
    choices: [
      'dlmalloc',
      'ptmalloc2',
      'dnmalloc',
      'dsmalloc',
      'psmalloc2',
      'sri',
      'elfpa',
      'bibop',
      'kdalloc',
    ],
    value: 'NAME',
    help: 'take blocks from this malloc; with --no-checks, nothing lies between it and the program',
  },
  mallocs: {
    flags: ['--malloc'],
    kind: 'text',
    value: 'LIST',
    help: 'only these mallocs, with commas between them (default: all)',
  },
  rounds: {
    flags: ['--rounds'],
    kind: 'number',
    value: 'N',
    help: 'how often each malloc gets its turn, of which the fastest counts (default: 3)',
  },
  noChecks: {
    flags: ['--no-checks'],
    kind: 'flag',
    help: 'run the same program without instrumentation, for comparison',
  },
  engine: {
    flags: ['--engine'],
    kind: 'choice',
    choices: ['auto', 'explicit', 'bmc', 'k-induction', 'ic3'],
    value: 'NAME',
    help: 'how to decide: auto (default), explicit, bmc, k-induction, ic3',
  },
  threads: {
    flags: ['--threads'],
    kind: 'text',
    value: 'P',
    help: 'the number of threads; 1-17 or any: one proof for each of them',
  },
  tax: {
    flags: ['--tax'],
    kind: 'number',
    value: 'M',
    help: 'lfht, hashtable: entries that a thread moves on each visit',
  },
  tables: { flags: ['--tables'], kind: 'number', value: 'N', help: 'lfht: how many headers there may be' },
  threshold: {
    flags: ['--threshold'],
    kind: 'text',
    value: 'T',
    help: 'lfht: a header grows above this part of its size: 0.6 or 3/5',
  },
  firstSize: {
    flags: ['--first-size'],
    kind: 'number',
    value: 'S',
    help: 'lfht, hashtable: the size of the first table',
  },
  variant: {
    flags: ['--variant'],
    kind: 'choice',
    choices: ['report', 'grow-when-assimilated', 'reserve'],
    value: 'NAME',
    help: 'lfht: report (the protocol as published), grow-when-assimilated, reserve',
  },
  runLength: {
    flags: ['--max-depth'],
    kind: 'number',
    least: 1,
    value: 'N',
    help: 'look at runs of at most N steps, or at N frames',
  },
  visitedStates: {
    flags: ['--max-states'],
    kind: 'number',
    least: 1,
    value: 'N',
    help: 'visit at most N states one by one',
  },
  operations: {
    flags: ['--ops'],
    kind: 'text',
    value: 'LIST',
    help: 'hashtable: what each thread does: add, find, remove, reopen, with :KEY',
  },
  entriesBefore: {
    flags: ['--entries'],
    kind: 'number',
    value: 'N',
    help: 'hashtable: entries that the table has before',
  },
  properties: {
    flags: ['--property'],
    kind: 'list',
    value: 'NAME',
    help: 'look at this property only; may be repeated',
  },
  named: { flags: ['--named'], kind: 'flag', help: 'name the threads instead of counting them' },
  quiet: { flags: ['-q', '--quiet'], kind: 'flag', help: 'print findings and nothing else' },
  verbose: {
    flags: ['-v', '--verbose'],
    kind: 'flag',
    help: 'say more about what is done and how long it took',
  },
  color: {
    flags: ['--color'],
    kind: 'choice',
    choices: ['auto', 'always', 'never'],
    value: 'WHEN',
    help: 'colours: auto (on a terminal, unless NO_COLOR is set), always, never',
  },
  clang: {
    flags: ['--clang'],
    kind: 'text',
    value: 'PATH',
    help: 'use this clang (16 or newer) instead of the embedded one',
  },
  instrumented: {
    flags: ['--instrumented'],
    kind: 'flag',
    help: 'show the IR with the checks of the monitor',
  },
  woven: {
    flags: ['--woven'],
    kind: 'flag',
    help: 'show the C that annotations are translated to, instead of IR',
  },
  includeFolder: {
    flags: ['-I'],
    kind: 'clang',
    separable: true,
    value: 'DIR',
    help: 'search DIR for headers',
  },
  define: { flags: ['-D'], kind: 'clang', separable: true, value: 'NAME[=VALUE]', help: 'define a macro' },
  undefine: { flags: ['-U'], kind: 'clang', separable: true, value: 'NAME', help: 'undefine a macro' },
  standard: {
    flags: ['-std='],
    kind: 'clang',
    value: 'STANDARD',
    help: 'language standard: c99, c11, gnu17, …',
  },
  includeFile: {
    flags: ['-include'],
    kind: 'clang',
    separable: true,
    value: 'FILE',
    help: 'include FILE before the source',
  },
  optimise: {
    flags: ['-O'],
    kind: 'clang',
    value: 'LEVEL',
    help: 'optimise: 0, 1, 2, 3, s, z; no effect on explore',
  },
} as const;

export type OptionName = keyof typeof optionTable;

/** The same table, each row as what it has in common with the others. */
export const options: Readonly<Record<OptionName, OptionSpec>> = optionTable;

/** Parsed options; what was not given is absent, and so is what the command does not take. */
export type ParsedOptions = {
  readonly [Name in OptionName]?: ValueOf<(typeof optionTable)[Name]>;
};

type ValueOf<Row> = Row extends { kind: 'choice'; choices: readonly (infer Choice)[] }
  ? Choice
  : Row extends { kind: infer Kind extends keyof ValueOfKind }
    ? ValueOfKind[Kind]
    : never;

interface ValueOfKind {
  flag: true;
  text: string;
  list: readonly string[];
  number: number;
  numbers: readonly number[];
  duration: number;
  bytes: number;
}

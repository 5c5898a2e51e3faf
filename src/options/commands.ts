/**
 * The table of commands: synopsis, purpose and options.
 *
 * It is pure data without imports of engines, so that `--help` loads nothing else. A command is
 * implemented in the file of its name in `src/cli`, which `implementations.ts` finds. `options` are
 * passed to the library unchanged; `output` options are read only by the command line.
 */
import { checkOptions, checkOutput, replayOptions } from './check-options.js';
import { exploreOptions, exploreOutput } from './explore-options.js';
import { fuzzOptions, fuzzOutput } from './fuzz-options.js';
import {
  attackOptions,
  compareOptions,
  mapOptions,
  mapOutput,
  resultOutput,
  traceOptions,
  traceOutput,
} from './heap-options.js';
import { irOptions, irOutput } from './ir-options.js';
import { projectOptions, projectOutput } from './project-options.js';
import { proveOptions, proveOutput } from './prove-options.js';
import { statusOptions, statusOutput, workerOptions, workerOutput } from './queue-options.js';
import type { OptionTable } from './schema.js';
import { serveOptions } from './serve-options.js';
import { compileFlags, shown } from './shared.js';
import { testsOptions, testsOutput } from './tests-options.js';

export type CommandName =
  | 'check'
  | 'explore'
  | 'fuzz'
  | 'replay'
  | 'heap'
  | 'prove'
  | 'explain'
  | 'ir'
  | 'cc'
  | 'run'
  | 'tests'
  | 'worker'
  | 'status'
  | 'lsp'
  | 'serve'
  | 'doctor';

export interface CommandSpec {
  readonly usage: string;
  readonly summary: string;
  readonly examples: readonly string[];
  /** What `--help` says of a command without options. */
  readonly note?: string;
  readonly options: OptionTable;
  readonly output: OptionTable;
  /**
   * Flags that are passed to clang. A command without them compiles nothing and rejects arguments
   * with one dash.
   */
  readonly clangFlags?: OptionTable;
  /**
   * The options that `--help` shows, at most ten; `--help=all` shows the rest. All options unless
   * given.
   */
  readonly usual?: readonly string[];
  /** The subcommands, which have the options. The first operand selects one. */
  readonly subcommands?: Readonly<Record<string, CommandSpec>>;
}

/** The options that `--help` shows for the engines that run a program. */
const usual = ['json', 'html', 'sarif', 'maxTimeMs', 'keepGoing', 'quiet'];
const usualFlags = ['includeFolder', 'define', 'standard', 'optimise'];

const heap: Readonly<Record<string, CommandSpec>> = {
  attack: {
    usage: 'heap attack [ATTACK...]',
    summary: 'run attacks on the heap against mallocs, and show the outcomes',
    examples: ['redzone heap attack', 'redzone heap attack --malloc dlmalloc,sri double-free-fast'],
    options: attackOptions,
    output: resultOutput,
  },
  trace: {
    usage: 'heap trace FILE... [-- ARGS]',
    summary: 'record every call of malloc that a program makes',
    examples: ['redzone heap trace -o run.trace program.c -- input.txt'],
    options: traceOptions,
    output: traceOutput,
    clangFlags: compileFlags,
    usual: ['json', 'outFile', 'quiet', 'noChecks', 'dirs', ...usualFlags],
  },
  replay: {
    usage: 'heap replay TRACE...',
    summary: 'replay traces on mallocs, and measure them',
    examples: ['redzone heap replay run.trace --malloc ptmalloc2,sri'],
    options: compareOptions,
    output: resultOutput,
  },
  compare: {
    usage: 'heap compare [TRACE...]',
    summary: 'measure mallocs on the workloads that come with Redzone',
    examples: ['redzone heap compare'],
    options: compareOptions,
    output: resultOutput,
  },
  map: {
    usage: 'heap map TRACE',
    summary: 'draw the heap of a malloc over time, as SVG',
    examples: ['redzone heap map run.trace --malloc sri -o heap.svg'],
    options: mapOptions,
    output: mapOutput,
  },
};

const few = { json: shown.json, color: shown.color };

export const commands: Readonly<Record<CommandName, CommandSpec>> = {
  check: {
    usage: 'check FILE... [-- ARGS]',
    summary: 'compile, instrument, run once under the monitor',
    examples: ['redzone check hello.c', 'redzone check --keep-going -Iinclude src/a.c src/b.c -- input.txt'],
    options: checkOptions,
    output: checkOutput,
    clangFlags: compileFlags,
    usual: [...usual, ...usualFlags],
  },
  explore: {
    usage: 'explore FILE... [-- ARGS]',
    summary: 'explore paths symbolically, write a test for each',
    examples: [
      'redzone explore --max-time 1min parser.c',
      'redzone explore --sym-args 0 2 4 --sym-stdin 16 tool.c',
    ],
    options: exploreOptions,
    output: exploreOutput,
    clangFlags: compileFlags,
    usual: [
      'json',
      'sarif',
      'folder',
      'maxTimeMs',
      'quiet',
      'resume',
      'symArgs',
      'symStdin',
      'includeFolder',
      'define',
    ],
  },
  fuzz: {
    usage: 'fuzz FILE... [CORPUS...] [-- ARGS]',
    summary: 'search for crashing inputs: random, coverage-guided and concolic',
    examples: [
      'redzone fuzz --max-time 1min target.c corpus',
      'redzone fuzz --dict json.dict --max-runs 100000 parser.c',
      'redzone fuzz tool.c -- -x @@',
    ],
    options: fuzzOptions,
    output: fuzzOutput,
    clangFlags: compileFlags,
    usual: [
      'json',
      'folder',
      'maxTimeMs',
      'maxRuns',
      'quiet',
      'mode',
      'dictionary',
      'workers',
      'includeFolder',
      'define',
    ],
  },
  replay: {
    usage: 'replay TEST FILE...',
    summary: 'run one generated test under the monitor',
    examples: ['redzone replay redzone-out/000001.ktest parser.c', 'redzone replay redzone-out#17 parser.c'],
    options: replayOptions,
    output: checkOutput,
    clangFlags: compileFlags,
    usual: [...usual, ...usualFlags],
  },
  heap: {
    usage: 'heap SUBCOMMAND',
    summary: 'compare mallocs: attack, trace, replay, compare, map',
    examples: Object.values(heap).flatMap(({ examples }) => examples.slice(0, 1)),
    options: {},
    output: {},
    subcommands: heap,
  },
  prove: {
    usage: 'prove MODEL',
    summary: 'model-check a transition system',
    examples: [
      'redzone prove lfht --threads 4',
      'redzone prove --engine ic3 model.mcmt',
      'redzone prove hashtable --threads 2 --ops "add add find"',
    ],
    options: proveOptions,
    output: proveOutput,
    usual: [
      'engine',
      'threads',
      'properties',
      'operations',
      'tax',
      'tables',
      'maxTimeMs',
      'json',
      'quiet',
      'verbose',
    ],
  },
  explain: {
    usage: 'explain [CODE]',
    summary: 'explain a finding: meaning, example, fix',
    examples: ['redzone explain use-after-free', 'redzone explain'],
    options: {},
    output: few,
  },
  ir: {
    usage: 'ir FILE...',
    summary: 'print the IR',
    examples: ['redzone ir hello.c', 'redzone ir -O2 -o all.ll a.c b.c', "echo 'int x;' | redzone ir -"],
    options: irOptions,
    output: irOutput,
    clangFlags: compileFlags,
    usual: ['outFile', 'instrumented', 'woven', ...Object.keys(compileFlags), 'color'],
  },
  cc: {
    usage: 'cc ARGS...',
    summary: 'a C compiler for make, configure and cmake; linked programs run under the monitor',
    examples: ['make CC="redzone cc"', './configure CC=redzone-cc', 'cmake -DCMAKE_C_COMPILER=redzone-cc ..'],
    note: `ARGS are those of gcc. A linked program takes the options of its checks from the variable
REDZONE_OPTIONS, such as keep-going:checks=-leaks (docs/projects.md).`,
    options: {},
    output: {},
  },
  run: {
    usage: 'run [OPTIONS] -- COMMAND',
    summary: 'run a build or a test suite with Redzone as the compiler',
    examples: [
      'redzone run -- make check',
      'redzone run --sarif out.sarif --options checks=-leaks -- make check',
    ],
    options: projectOptions,
    output: projectOutput,
    usual: [
      'json',
      'html',
      'sarif',
      'outDir',
      'maxTimeMs',
      'keepGoing',
      'programOptions',
      'quiet',
      'verbose',
    ],
  },
  tests: {
    usage: 'tests DIR [N...]',
    summary: 'list, filter and export the tests of an exploration',
    examples: [
      'redzone tests redzone-out --code heap-buffer-overflow',
      'redzone tests redzone-out --line parser.c:42',
      'redzone tests redzone-out --new-coverage --format xml -o suite',
    ],
    options: testsOptions,
    output: testsOutput,
  },
  worker: {
    usage: 'worker --queue URL',
    summary: 'process tasks of `explore --queue` and `fuzz --queue`, until Ctrl-C',
    examples: [
      'redzone worker --queue postgres://user@host/database',
      'redzone worker --embedded --workers 2',
    ],
    options: workerOptions,
    output: workerOutput,
  },
  status: {
    usage: 'status --queue URL',
    summary: 'show the runs and workers of a queue; cancel a run',
    examples: [
      'redzone status --queue postgres://user@host/database',
      'redzone status --queue postgres://user@host/database --cancel parser',
    ],
    options: statusOptions,
    output: statusOutput,
  },
  lsp: {
    usage: 'lsp',
    summary: 'language server: checks a source when it is saved',
    examples: ['redzone lsp'],
    note: 'An editor starts it and talks to it on stdin and stdout (docs/ci.md).',
    options: {},
    output: {},
  },
  serve: {
    usage: 'serve',
    summary: 'check, explore, heap and prove in a browser',
    examples: ['redzone serve', 'redzone serve --port 9000 --open no'],
    options: serveOptions,
    output: {},
  },
  doctor: {
    usage: 'doctor',
    summary: 'show versions and optional parts, run a self-test',
    examples: ['redzone doctor'],
    options: {},
    output: few,
  },
};

export function isCommandName(text: string): text is CommandName {
  return Object.hasOwn(commands, text);
}

/**
 * All rows of a command: first those that `--help` shows, then those that only `--help=all` shows.
 */
export function rowsOf({ options, output, clangFlags, usual: shownFirst }: CommandSpec): {
  readonly usual: OptionTable;
  readonly more: OptionTable;
} {
  const all: OptionTable = { ...output, ...options, ...clangFlags };
  const first = shownFirst ?? Object.keys(all);
  const rows = (keys: readonly string[]): OptionTable =>
    Object.fromEntries(keys.map(key => [key, all[key]!] as const));
  return { usual: rows(first), more: rows(Object.keys(all).filter(key => !first.includes(key))) };
}

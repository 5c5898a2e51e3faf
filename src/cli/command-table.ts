/**
 * The commands: how each is called, what it is for, which options it takes.
 *
 * Pure data and light, so that `--help` loads nothing else. What a command does is in the file of its name, found through
 * `implementations.ts`. `more` are the options that only `--help=all` shows; `--help` shows at most ten.
 */
import type { OptionName } from './option-table.js';

export type CommandName =
  | 'check'
  | 'explore'
  | 'fuzz'
  | 'replay'
  | 'heap'
  | 'prove'
  | 'explain'
  | 'ir'
  | 'doctor';

export interface CommandSpec {
  readonly usage: string;
  readonly summary: string;
  readonly examples: readonly string[];
  readonly options: readonly OptionName[];
  readonly more: readonly OptionName[];
}

/** Options of every engine. */
const engine: readonly OptionName[] = ['json', 'sarif', 'outDir', 'maxTimeMs', 'keepGoing', 'quiet'];
const engineMore: readonly OptionName[] = ['maxMemoryBytes', 'seed', 'verbose', 'color', 'clang'];
const compile: readonly OptionName[] = ['includeFolder', 'define', 'standard', 'optimise'];
const compileMore: readonly OptionName[] = ['undefine', 'includeFile'];

export const commands: Readonly<Record<CommandName, CommandSpec>> = {
  check: {
    usage: 'check FILE... [-- ARGS]',
    summary: 'compile, instrument, run once under the monitor',
    examples: ['redzone check hello.c', 'redzone check --keep-going -Iinclude src/a.c src/b.c -- input.txt'],
    options: [...engine, ...compile],
    more: [
      'checks',
      'acsl',
      'onlyAcsl',
      'suppress',
      'dirs',
      'quarantineBytes',
      'store',
      'storeLimitBytes',
      'noPreAnalysis',
      'noCheckRemoval',
      'noChecks',
      'malloc',
      ...engineMore,
      ...compileMore,
    ],
  },
  explore: {
    usage: 'explore FILE... [-- ARGS]',
    summary: 'explore paths symbolically, write a test for each',
    examples: [
      'redzone explore --max-time 1min parser.c',
      'redzone explore --sym-args 0 2 4 --sym-stdin 16 tool.c',
    ],
    options: [
      ...engine.filter(name => name !== 'keepGoing'),
      'resume',
      'symArgs',
      'symStdin',
      'includeFolder',
      'define',
    ],
    more: [
      'symFiles',
      'files',
      'checks',
      'keepGoing',
      'external',
      'search',
      'maxInstructions',
      'maxPaths',
      'maxStates',
      'maxDepth',
      'allocator',
      'quarantinePlaces',
      'solver',
      'maxQuestionMs',
      'maxConflicts',
      'dumpQueries',
      ...engineMore,
      'standard',
      'optimise',
      ...compileMore,
    ],
  },
  fuzz: {
    usage: 'fuzz FILE...',
    summary: 'search inputs, random or guided by coverage',
    examples: ['redzone fuzz --max-time 1min parser.c'],
    options: [...engine, ...compile],
    more: [...engineMore, ...compileMore],
  },
  replay: {
    usage: 'replay TEST FILE...',
    summary: 'run one generated test under the monitor',
    examples: ['redzone replay redzone-out/000001.ktest parser.c'],
    options: [...engine, ...compile],
    more: ['files', 'checks', ...engineMore, ...compileMore],
  },
  heap: {
    usage: 'heap SUBCOMMAND',
    summary: 'the malloc laboratory: attack, trace, replay, compare, map',
    examples: [
      'redzone heap attack',
      'redzone heap trace -o run.trace program.c -- input.txt',
      'redzone heap replay run.trace --malloc ptmalloc2,sri',
      'redzone heap compare',
      'redzone heap map run.trace --malloc sri -o heap.svg',
    ],
    options: ['json', 'mallocs', 'outFile', 'quiet'],
    more: [
      'rounds',
      'noChecks',
      'seed',
      'dirs',
      'verbose',
      'color',
      'sarif',
      'clang',
      ...compile,
      ...compileMore,
    ],
  },
  prove: {
    usage: 'prove MODEL',
    summary: 'check a transition system',
    examples: [
      'redzone prove lfht --threads 4',
      'redzone prove --engine ic3 model.mcmt',
      'redzone prove hashtable --threads 2 --ops "add add find"',
    ],
    options: [
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
    more: [
      'threshold',
      'firstSize',
      'variant',
      'entriesBefore',
      'named',
      'runLength',
      'visitedStates',
      'color',
    ],
  },
  explain: {
    usage: 'explain [CODE]',
    summary: 'what a finding means, an example, how to fix it',
    examples: ['redzone explain use-after-free', 'redzone explain'],
    options: ['json', 'color'],
    more: [],
  },
  ir: {
    usage: 'ir FILE...',
    summary: 'the IR as Redzone reads it',
    examples: ['redzone ir hello.c', 'redzone ir -O2 -o all.ll a.c b.c', "echo 'int x;' | redzone ir -"],
    options: ['outFile', 'instrumented', 'woven', ...compile, ...compileMore, 'color'],
    more: ['clang'],
  },
  doctor: {
    usage: 'doctor',
    summary: 'versions, optional parts found, a self-test',
    examples: ['redzone doctor'],
    options: ['json', 'color'],
    more: [],
  },
};

export function isCommandName(text: string): text is CommandName {
  return Object.hasOwn(commands, text);
}

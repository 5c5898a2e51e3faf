/**
 * How `explore` is put together:
 *
 * ```
 *   C ──front──▶ one IR module ──explore──▶ paths ─┬─ tests in a folder
 *                                                  └─ findings, each place once
 * ```
 */
import {
  type ExploreEvents,
  type ExploreOutcome,
  type ExploreProgress,
  Explorer,
  type FinishedPath,
} from '../explore/explorer.js';
import type { SnippetProgram } from '../explore/output/c-snippet.js';
import { lcov } from '../explore/output/coverage.js';
import { ForkTree } from '../explore/output/fork-tree.js';
import { Statistics } from '../explore/output/statistics.js';
import { type Ending, findingsOf } from '../explore/path-end.js';
import { inputsInWords, TestFolder } from '../explore/test-folder.js';
import { InputError } from '../findings/diagnostic.js';
import type { Finding } from '../findings/finding.js';
import { type RunReport, verdictOf } from '../findings/report.js';
import { valueOrThrow } from '../front/outcome.js';
import { linkProgram } from '../front/program.js';
import type { Module } from '../ir/model.js';
import { checkKinds, silenced } from '../monitor/check-kinds.js';
import { isHeapNearlyFull, mostResidentBytes, residentBytes } from '../platform/memory.js';
import { shellWords } from '../support/shell-words.js';
import type { ProgramInput, RunControl } from './control.js';
import type { ExploreOptions } from './explore.js';
import { readModules } from './program.js';
import { replay } from './replay.js';
import { sharedToolchain } from './shared-toolchain.js';

/** What the explorer supplies itself. */
const providedByExplorer: ReadonlySet<string> = new Set([
  ...['malloc', 'calloc', 'realloc', 'reallocarray', 'free', 'aligned_alloc', 'memalign', 'valloc'],
  ...['posix_memalign', 'malloc_usable_size', 'setjmp', 'longjmp'],
  ...['__ubsan_handle_shift_out_of_bounds_abort', '__ubsan_handle_vla_bound_not_positive_abort'],
]);

/** What the explorer cannot tell from the IR: whether a shift is one of a signed value, whether a length was negative. */
const clangChecks = '-fsanitize=shift-base,vla-bound';

/** How long the exploration keeps the event loop waiting. */
const sliceMs = 40;

export async function runExplore(given: ExploreOptions, control: RunControl): Promise<RunReport> {
  const start = performance.now();
  const { module, shape } = await linkedProgram(given, control);
  const options = shape.entry === 'LLVMFuzzerTestOneInput' ? withFuzzInput(given) : given;
  const compileMs = performance.now() - start;

  control.onEvent?.({ kind: 'phase', text: 'exploring' });
  const args = [programName(options), ...(options.arguments ?? [])];
  const folder =
    options.folder === undefined
      ? undefined
      : new TestFolder(options.folder, {
          ...shape,
          sources: options.inputs.map(nameOf),
          flags: options.clangFlags ?? [],
          arguments: args,
          symbolic: options.symbolic ?? {},
        });
  const forks = new ForkTree();
  const statistics = new Statistics();
  const findings = new Map<string, Finding>();
  const checks = new Set(options.checks ?? checkKinds);
  const unwanted = new Set(silenced(checks).map(({ code }) => code));
  let host: FinishedPath['state']['seenHost'] | undefined;
  const onPath = (path: FinishedPath): void => {
    host = path.state.seenHost;
    const test = folder?.write(path);
    for (const finding of findingsOf(path.ending)) {
      const key = placeOf(finding);
      if (findings.has(key) || unwanted.has(finding.code)) continue;
      const when = inputsInWords(path.inputs ?? []);
      const notes = [
        ...(finding.notes ?? []),
        ...(when === undefined ? [] : [{ message: `happens when ${when}` }]),
      ];
      findings.set(key, { ...finding, notes, ...(test === undefined ? {} : { test }) });
    }
  };
  const events: ExploreEvents = {
    onPath,
    ...(folder === undefined
      ? {}
      : {
          onFork: (state, other) =>
            forks.fork(state.id, other.id, state.frame.block.steps[state.frame.pc]!.ir),
          onTurn: explorer => {
            if (statistics.isDue(explorer.machine.instructions)) statistics.add(explorer.progress());
          },
          onEnd: (state, ending) => forks.end(state.id, () => endInWords(ending, folder.written)),
        }),
  };
  const explorer = await Explorer.create(module, settingsOf(options, args, folder), events);
  const runStart = performance.now();
  while (!explorer.runFor(sliceMs)) {
    const text = progressText(explorer.progress(), performance.now() - runStart);
    control.onEvent?.({ kind: 'progress', text });
    await new Promise(resolve => setImmediate(resolve));
    if (control.signal?.aborted) explorer.stop('interrupted');
    const limit = options.maxMemoryBytes ?? Number.POSITIVE_INFINITY;
    if (residentBytes() > limit || isHeapNearlyFull()) explorer.stop('the limit of memory was reached');
  }
  const outcome = explorer.outcome();
  // A program with one path has done what it would do in a plain run.
  if (outcome.paths.completed === 1 && outcome.paths.error + outcome.paths.partial === 0) {
    const { stdout, stderr } = host!;
    if (stdout.length > 0) control.onEvent?.({ kind: 'output', stream: 'stdout', bytes: stdout });
    if (stderr.length > 0) control.onEvent?.({ kind: 'output', stream: 'stderr', bytes: stderr });
  }
  await folder?.finishTests();
  const runMs = performance.now() - runStart;
  if (folder !== undefined) {
    statistics.add(explorer.progress());
    folder.writeFile('statistics.csv', statistics.counts());
    folder.writeFile('timing.csv', statistics.times());
    folder.writeFile('forks.dot', forks.asGraphviz());
    folder.writeFile('coverage.info', lcov(explorer.machine.program, explorer.machine.covered));
  }
  explorer.dispose();
  if (options.dumpQueries !== undefined) folder?.flushQueries(options.dumpQueries);

  const found = options.confirm
    ? await confirmAll([...findings.values()], options, control)
    : [...findings.values()];
  folder?.writeFile('findings.json', `${JSON.stringify(found, null, 2)}\n`);
  const isComplete =
    outcome.stopped === undefined && outcome.paths.partial === 0 && outcome.notes.length === 0;
  return {
    schema: 1,
    command: 'explore',
    verdict: verdictOf(found, isComplete),
    summary: summaryOf(outcome, isComplete),
    findings: found,
    stats: {
      wallMs: performance.now() - start,
      compileMs,
      runMs,
      instructions: outcome.instructions,
      paths: outcome.paths,
      queries: outcome.queries,
      solverMs: outcome.solverMs,
      allocations: outcome.allocations,
      externalCalls: outcome.externalCalls,
      maxRssBytes: mostResidentBytes(),
      tests: folder?.written ?? 0,
    },
  };
}

/** What a fuzz target gets that nobody gave an input: bytes enough to begin with. */
const fuzzBytes = 16;

function withFuzzInput(options: ExploreOptions): ExploreOptions {
  const { symbolic = {}, stdin, arguments: args = [] } = options;
  const hasInput = symbolic.stdinBytes !== undefined || stdin !== undefined || args.length > 0;
  return hasInput ? options : { ...options, symbolic: { ...symbolic, stdinBytes: fuzzBytes } };
}

/** More findings than this are left unconfirmed: each is a run of its own. */
const mostConfirmed = 20;
const confirmMs = 10_000;

/** The engines check each other: a finding is confirmed if the monitor finds it too, on the input of its test. */
async function confirmAll(
  findings: readonly Finding[],
  options: ExploreOptions,
  control: RunControl,
): Promise<Finding[]> {
  const { inputs, clangFlags = [] } = options;
  const judged: Finding[] = [];
  for (const finding of findings) {
    if (finding.test === undefined || judged.length >= mostConfirmed || control.signal?.aborted) {
      judged.push(finding);
      continue;
    }
    control.onEvent?.({ kind: 'phase', text: `confirming ${judged.length + 1} of ${findings.length}` });
    const confirmed = (await replayed(finding.test, options)).some(
      ({ code, location }) => code === finding.code && location.line === finding.location.line,
    );
    const words = [...clangFlags, finding.test, ...inputs.map(nameOf)];
    const help = `reproduce with \`redzone replay ${shellWords(words)}\``;
    const notes = [
      ...(finding.notes ?? []),
      { message: 'not confirmed: `check` does not find it on this input' },
    ];
    judged.push({ ...finding, confirmed, ...(confirmed ? { help } : { notes }) });
  }
  return judged;
}

/** What the monitor finds on a test; nothing if the program is one that only the explorer can run. */
async function replayed(test: string, options: ExploreOptions): Promise<readonly Finding[]> {
  const { inputs, clangFlags = [], clang, environment } = options;
  try {
    const report = await replay({
      inputs,
      clangFlags,
      ...(clang === undefined ? {} : { clang }),
      ...(environment === undefined ? {} : { environment }),
      test,
      maxTimeMs: confirmMs,
      stdoutToStderr: true,
    });
    return report.findings;
  } catch (error) {
    if (error instanceof InputError) return [];
    throw error;
  }
}

/** One error is reported once, however many paths lead to it. */
function placeOf({ code, location, stack }: Finding): string {
  return JSON.stringify([code, location, stack[0]]);
}

/** What a C program that calls this one has to know. */
type ProgramShape = Pick<SnippetProgram, 'called' | 'entry'>;

/** By the number of parameters of main. */
const entries: Readonly<Record<number, SnippetProgram['entry']>> = {
  0: 'main()',
  2: 'main(argc, argv)',
  3: 'main(argc, argv, environ)',
};

function shapeOf(modules: readonly Module[]): ProgramShape {
  const functions = modules.flatMap(module => module.functions);
  const defined = new Set(functions.filter(({ blocks }) => blocks.length > 0).map(({ name }) => name));
  const called = new Set(functions.map(({ name }) => name).filter(name => !defined.has(name)));
  const main = functions.find(
    ({ name, blocks }) => /^(main|__main_\w+|__original_main)$/.test(name) && blocks.length > 0,
  );
  const entry = main === undefined ? 'LLVMFuzzerTestOneInput' : entries[main.arguments.length];
  return { called, entry: entry ?? 'main()' };
}

/** For a leaf of the tree of forks. */
function endInWords(ending: Ending, test: number): string {
  const number = String(test).padStart(6, '0');
  switch (ending.kind) {
    case 'exit':
      return `${number}: exit ${ending.status}${ending.leaks.length > 0 ? ', memory-leak' : ''}`;
    case 'finding':
      return `${number}: ${ending.finding.code}`;
    case 'partial':
      return `${number}: ${ending.reason}`;
    case 'unwanted':
      return 'an assumption does not hold';
  }
}

async function linkedProgram(
  options: ExploreOptions,
  control: RunControl,
): Promise<{ module: Module; shape: ProgramShape }> {
  const toolchain = await sharedToolchain(options.clang);
  const clangFlags = [...(options.clangFlags ?? []), clangChecks];
  const modules = await readModules({ ...options, clangFlags }, control);
  control.onEvent?.({ kind: 'phase', text: 'linking' });
  const shape = shapeOf(modules);
  const module = valueOrThrow(
    await linkProgram(toolchain, modules, {
      roots: ['__rz_start'],
      library: 'engine',
      provided: providedByExplorer,
      mayMissFunctions: true,
      signal: control.signal,
    }),
  );
  return { module, shape };
}

const nameOf = (input: ProgramInput): string => (typeof input === 'string' ? input : input.name);

function programName({ inputs: [first] }: ExploreOptions): string {
  return nameOf(first ?? 'program').replace(/\.(c|ll)$/, '');
}

function settingsOf(
  options: ExploreOptions,
  args: readonly string[],
  folder: TestFolder | undefined,
): Parameters<typeof Explorer.create>[1] {
  const { maxInstructions, maxPaths, maxStates, maxDepth, maxTimeMs } = options;
  const { allocator, quarantine, solver, maxQuestionMs, maxQuestionConflicts, dumpQueries } = options;
  return {
    host: {
      arguments: args,
      ...(options.environment === undefined ? {} : { environment: options.environment }),
      ...(options.files === undefined ? {} : { files: options.files }),
      ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
      seed: options.seed ?? 0,
    },
    ...(options.symbolic === undefined ? {} : { symbolic: options.symbolic }),
    ...(options.search === undefined ? {} : { searcher: options.search }),
    allocator: {
      ...(allocator === undefined ? {} : { kind: allocator }),
      ...(quarantine === undefined ? {} : { quarantine }),
    },
    solver: {
      ...(solver === undefined ? {} : { backend: solver }),
      limits: { milliseconds: maxQuestionMs ?? 0, conflicts: maxQuestionConflicts ?? 0 },
      ...(dumpQueries !== undefined &&
        folder !== undefined && {
          dump: { format: dumpQueries, write: text => folder.writeQuery(text, dumpQueries) },
        }),
    },
    ...(options.external === undefined ? {} : { externalLibraries: options.external }),
    ...(options.maxExternalMs === undefined ? {} : { externalMilliseconds: options.maxExternalMs }),
    checksInit: options.checks?.includes('init') ?? true,
    checksLeaks: options.checks?.includes('leaks') ?? true,
    interpretOnly: options.interpretOnly ?? false,
    seed: options.seed ?? 0,
    limits: {
      ...(maxInstructions === undefined ? {} : { instructions: maxInstructions }),
      ...(maxPaths === undefined ? {} : { paths: maxPaths }),
      ...(maxStates === undefined ? {} : { states: maxStates }),
      ...(maxDepth === undefined ? {} : { depth: maxDepth }),
      ...(maxTimeMs === undefined ? {} : { milliseconds: maxTimeMs }),
    },
  };
}

/** As `toLocaleString` has it, whose first call takes as long as exploring a small program. */
const inThousands = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',');

function progressText(
  { paths, states, instructions, solverMs, ...blocks }: ExploreProgress,
  ms: number,
): string {
  const finished = paths.completed + paths.error + paths.partial;
  const speed = (instructions / 1000 / Math.max(ms, 1)).toFixed(1);
  const covered = Math.round((100 * blocks.coveredBlocks) / Math.max(1, blocks.knownBlocks));
  const share = Math.round((100 * solverMs) / Math.max(ms, 1));
  return [
    `${inThousands(finished)} paths`,
    `${inThousands(states)} states`,
    `${paths.error} with errors`,
    `${covered}% of blocks`,
    `${speed} M instructions/s`,
    `${share}% solver`,
  ].join(', ');
}

/** What was established. "All" is said only when it is true. */
function summaryOf({ paths, stopped, notes }: ExploreOutcome, isComplete: boolean): string {
  const done = paths.completed + paths.error;
  const count = `${inThousands(done)} path${done === 1 ? '' : 's'}`;
  if (isComplete) return done === 1 ? 'the only path explored' : `all ${count} explored`;
  const left = paths.partial > 0 ? [`${inThousands(paths.partial)} left`] : [];
  return [`${count} explored`, ...left, ...(stopped === undefined ? [] : [stopped]), ...notes].join('; ');
}

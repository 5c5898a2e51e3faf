/**
 * The steps of `check`:
 *
 * ```
 *   program ──kept-programs──▶ wasm and sites, if the cache has them ──▶ run in a worker
 *         └──check-build──▶ wasm and sites ────────────────────────────┘
 * ```
 */

import { type Diagnostic, InputError } from '../findings/diagnostic.js';
import type { Finding } from '../findings/finding.js';
import { type CheckReport, verdictOf } from '../findings/report.js';
import { arithmeticFlags } from '../findings/undefined-arithmetic.js';
import { describeLiveThread } from '../findings/words/thread-words.js';
import { IncludedFiles } from '../front/includes.js';
import { bytesArrived } from '../host/emitted-output.js';
import { createHostLog } from '../host/host-log.js';
import type { InputDifferences } from '../host/inputs.js';
import { type CheckKind, defaultChecks, silenced } from '../monitor/check-kinds.js';
import { clientEnd } from '../monitor/memory-map.js';
import type { ThreadMemory } from '../monitor/run/live-threads.js';
import type { MonitorMode, RunEventMessage, RunRequest, RunResult } from '../monitor/run/run-request.js';
import {
  type IgnoreComments,
  ignoreComments,
  parseSuppressions,
  type Suppression,
} from '../monitor/suppressions.js';
import { checkOptions } from '../options/check-options.js';
import type { Settings } from '../options/schema.js';
import { settingsOf } from '../options/settings.js';
import { innerBoundsFlags } from '../passes/inner-array-handlers.js';
import { readFileIfAny, workingFolder } from '../platform/files.js';
import {
  chosenSpeed,
  keepStdinFromWaiting,
  processEnvironment,
  programEnvironment,
} from '../platform/node.js';
import { mostResidentBytes } from '../platform/process-memory.js';
import { prepareTask } from '../platform/task.js';
import { assert, InternalError } from '../support/assert.js';
import { plural } from '../support/plural.js';
import { apart, isApart } from './apart.js';
import type { CheckOptions } from './check.js';
import type { BuildPlan } from './check-build.js';
import { type BuiltProgram, KeptPrograms } from './kept-programs.js';
import { labelOptionsOf, labelRequestOf } from './label-settings.js';
import { type LoadedPlugins, loadPlugins, pluginsFor } from './load-plugins.js';
import { LoopWatcher } from './loop-watcher.js';
import { keyOfInputs, type ReadOptions } from './read-program.js';
import { isCompiled, type ProgramInput, programIn, type RunControl, type RunEvent } from './run-control.js';
import { programKey, readSchedule, writeSchedule } from './schedule-file.js';
import { resultOf, supervise } from './supervise.js';

/** The options with their defaults. */
type CheckSettings = Settings<typeof checkOptions> & Omit<CheckOptions, keyof typeof checkOptions>;

export async function runCheck(given: CheckOptions, control: RunControl): Promise<CheckReport> {
  const start = performance.now();
  const options = settingsOf(checkOptions, given);
  if (options.noChecks && options.plugins.length > 0) throw withoutChecks();
  const plugins = await loadPlugins(pluginsFor(options.plugins, options.noChecks ? [] : options.checks));
  const plan = { ...planFor(options), ...(plugins?.plan && { hooks: plugins.plan }) };
  let failed: readonly Diagnostic[] | undefined;
  const findings: Finding[] = [];
  const live: { threads?: ThreadMemory; sites?: Uint8Array | undefined } = {};
  const unread = new SharedArrayBuffer(4);
  // The worker starts while the program is looked up or built.
  const task = prepareTask<RunRequest, RunEventMessage, RunResult>('run/run-worker', {
    onEvent: event => {
      if (event.kind === 'finding') findings.push(event.finding);
      else if (event.kind === 'failure') failed = event.diagnostics;
      else if (event.kind === 'threads') live.threads = event;
      else {
        if (!event.isShown) bytesArrived(unread, event.bytes.length);
        control.onEvent?.(event);
      }
    },
    stackMegabytes: 64,
    keepsWorker: true,
  });
  let compileMs: number | undefined;
  let phase = '';
  let schedules = 0;
  const onEvent = (event: RunEvent): void => {
    if (event.kind === 'phase') phase = event.text;
    control.onEvent?.(event);
  };
  const { value: result, stopped } = await supervise(control, options.maxTimeMs, async signal => {
    const { request, built, building } = await requestFor(
      options,
      plan,
      unread,
      { signal, onEvent },
      plugins,
    );
    if (signal.aborted) return undefined;
    compileMs = performance.now() - start;
    onEvent({ kind: 'phase', text: 'running' });
    if (request.stdio !== 'events') keepStdinFromWaiting();
    live.sites = request.sites;
    const loop = new LoopWatcher(options, request, signal);
    task.begin(request);
    const stopOptimising = built.isQuick ? optimiseBeside(building) : undefined;
    let ended = await resultOf(task, loop.signal).finally(stopOptimising);
    const found = await loop.end();
    if (found !== undefined && ended === undefined) findings.push(found);
    assert(
      ended !== undefined || signal.aborted || found !== undefined,
      'the program under test ended without a result',
    );
    const { threads } = request;
    if (threads === undefined && options.schedules > 1) onEvent({ kind: 'warning', diagnostic: noThreads });
    if (threads === undefined || threads.choices !== undefined) return ended;
    schedules = 1;
    while (ended !== undefined && schedules < options.schedules && findings.length === 0 && !signal.aborted) {
      const seed = options.seed + schedules++;
      onEvent({ kind: 'phase', text: `schedule ${schedules} of ${options.schedules}` });
      ended =
        (await runAgain({ ...request, threads: { ...threads, seed } }, findings, live, signal)) ?? ended;
    }
    return ended;
  }).finally(() => {
    if (compileMs === undefined) task.stop();
  });
  if (failed !== undefined) throw new InputError(...failed);
  if (result?.schedule !== undefined) tellSchedule(result.schedule, findings, options, control);
  if (result?.refused !== undefined)
    control.onEvent?.({ kind: 'warning', diagnostic: refusal(result.refused) });
  if (result?.inputs !== undefined) warnOfOtherInputs(result.inputs, findings.length > 0, control);
  if (result?.trace !== undefined) options.onTrace?.(result.trace);
  const unasked =
    result?.inputs !== undefined && findings.length === 0 && showsNothing(result.inputs)
      ? 'the test has no effect: the program reads none of its inputs'
      : undefined;
  const atLimit =
    (stopped !== undefined && compileMs === undefined && phase !== ''
      ? `${stopped} while ${phase}`
      : stopped) ??
    (result?.outOfMemory && findings.every(({ code }) => code === 'out-of-memory')
      ? `the program needs more than ${Math.min(options.maxMemoryBytes ?? clientEnd, clientEnd)} bytes of memory`
      : undefined) ??
    unasked;
  if (stopped !== undefined) await tellThreads(live, control);
  const established =
    atLimit ?? heapProblem(options, result) ?? (options.tellReachable ? stillReachable(result) : undefined);
  const summary = [
    ofSchedules(schedules, options.schedules),
    established,
    repeats(result),
    withoutMemory(result),
    suppressed(result),
  ]
    .filter(part => part !== undefined)
    .join('; ');
  return {
    schema: 1,
    command: 'check',
    verdict: atLimit === undefined ? verdictOf(findings, true) : 'inconclusive',
    ...(summary === '' ? {} : { summary }),
    findings,
    ...(result?.program === undefined ? {} : { program: result.program }),
    ...(result !== undefined && { runProcessorMs: result.runProcessorMs }),
    ...(result?.leavesLineOpen && { leavesLineOpen: true }),
    stats: {
      wallMs: performance.now() - start,
      compileMs: compileMs ?? performance.now() - start,
      ...(result !== undefined && { runMs: result.runMs, allocations: result.allocations }),
      ...(result?.highWater && { highWater: result.highWater }),
      maxRssBytes: mostResidentBytes(),
    },
  };
}

const noThreads: Diagnostic = {
  severity: 'note',
  message: 'the program creates no threads, so that there is one schedule only',
};

function ofSchedules(run: number, wanted: number): string | undefined {
  return wanted > 1 && run > 0 ? plural(run, 'schedule') : undefined;
}

/** Runs another schedule of the same program, whose output has already been shown. */
async function runAgain(
  request: RunRequest,
  findings: Finding[],
  live: { threads?: ThreadMemory },
  signal: AbortSignal,
): Promise<RunResult | undefined> {
  const unread = new SharedArrayBuffer(4);
  const task = prepareTask<RunRequest, RunEventMessage, RunResult>('run/run-worker', {
    onEvent: event => {
      if (event.kind === 'finding') findings.push(event.finding);
      else if (event.kind === 'threads') live.threads = event;
      else if (event.kind === 'output') bytesArrived(unread, event.bytes.length);
    },
    stackMegabytes: 64,
    keepsWorker: true,
  });
  task.begin({ ...request, stdio: 'events', unread });
  return resultOf(task, signal);
}

/**
 * Passes the schedule of a run with findings to the caller, and warns if the given schedule could
 * not be followed.
 */
function tellSchedule(
  { choices, departed }: NonNullable<RunResult['schedule']>,
  findings: readonly Finding[],
  options: CheckSettings,
  { onEvent }: RunControl,
): void {
  if (findings.length > 0) options.onSchedule?.(writeSchedule(choices, programKey(options.inputs)));
  if (departed === undefined) return;
  const message = `the run could not follow the schedule from choice ${departed + 1} on: the thread that it names could not run`;
  onEvent?.({ kind: 'warning', diagnostic: { severity: 'warning', message } });
}

/** The largest number of threads in the notes of a stopped run. */
const mostThreads = 10;

/** Reports where the threads of a stopped run were. */
async function tellThreads(
  { threads, sites }: { readonly threads?: ThreadMemory; readonly sites?: Uint8Array | undefined },
  { onEvent }: RunControl,
): Promise<void> {
  if (threads === undefined || sites === undefined) return;
  const { liveThreads } = await import('../monitor/run/live-threads.js');
  const alive = liveThreads(threads, JSON.parse(new TextDecoder().decode(sites)));
  const notes = alive.slice(0, mostThreads).map(describeLiveThread);
  const left = alive.length - notes.length;
  if (left > 0) notes.push({ severity: 'note', message: `${plural(left, 'thread')} more had not ended` });
  for (const diagnostic of notes) onEvent?.({ kind: 'warning', diagnostic });
}

function withoutChecks(): InputError {
  return new InputError({
    severity: 'error',
    message: 'a plug-in needs the instrumentation that `--no-checks` leaves out',
  });
}

/**
 * Explains refused file accesses: a program that handles EACCES prints nothing, and one that does
 * not blames the file.
 */
function refusal(path: string): Diagnostic {
  const folder = path.slice(0, path.lastIndexOf('/')) || '/';
  return {
    severity: 'note',
    message: `the program was refused '${path}', which lies outside the folders that it may use`,
    ...(path.startsWith('/') && { help: `\`--dir ${folder}\` lets it use that folder` }),
  };
}

/** Arguments, standard input and files are available to the program, but it need not read them. */
const givenInput = /^(arg\d\d+|n_args|stdin|model_version|[A-Z])$/;

/** Describes how the inputs of a test differ from those that the program read. */
function differencesIn(inputs: InputDifferences): string[] {
  const listed = (names: readonly string[]): string => names.map(name => `\`${name}\``).join(', ');
  const { missing, resized } = inputs;
  const unused = inputs.unused.filter(name => !givenInput.test(name));
  return [
    ...(unused.length > 0 ? [`the program does not read ${listed(unused)}, which the test contains`] : []),
    ...(missing.length > 0
      ? [`the program reads ${listed(missing)}, which the test does not contain: it gets zeros`]
      : []),
    ...(resized.length > 0 ? [`${listed(resized)} has another size in the program than in the test`] : []),
  ];
}

/**
 * Whether the test belongs to another program. A run that continues after the end of the test reads
 * more inputs, and a run that ends earlier reads fewer.
 */
function isOfAnother({ missing, unused, resized }: InputDifferences): boolean {
  return resized.length > 0 || (missing.length > 0 && unused.some(name => !givenInput.test(name)));
}

/** Whether the run ended before it read all inputs of its test. */
function showsNothing({ unused, isUsed }: InputDifferences): boolean {
  return !isUsed && unused.some(name => !givenInput.test(name));
}

/**
 * A test of another program, or of another version of this one, proves nothing unless the run has
 * findings.
 */
function warnOfOtherInputs(inputs: InputDifferences, hasFindings: boolean, { onEvent }: RunControl): void {
  const differences = differencesIn(inputs);
  if (!hasFindings && isOfAnother(inputs))
    throw new InputError({
      severity: 'error',
      message: `the test is not one of this program: ${differences.join('; ')}`,
    });
  for (const message of differences)
    onEvent?.({ kind: 'warning', diagnostic: { severity: 'warning', message } });
}

function repeats(result: RunResult | undefined): string | undefined {
  return result?.repeats ? `the same errors occurred ${plural(result.repeats, 'time')} more` : undefined;
}

/** The program received an error code and continued. */
function withoutMemory(result: RunResult | undefined): string | undefined {
  if (result?.withoutMemory === undefined || result.outOfMemory) return undefined;
  return `a request of ${result.withoutMemory} bytes failed for lack of memory and returned null`;
}

/** Why the chosen malloc ended the program. */
function heapProblem({ malloc }: CheckSettings, result: RunResult | undefined): string | undefined {
  const problem = result?.heapProblem;
  if (problem === undefined) return undefined;
  const named = {
    'invalid-free': 'an invalid free',
    'double-free': 'a double free',
    corrupted: 'that its data are corrupted',
    fault: undefined,
  }[problem];
  return named === undefined
    ? `${malloc} accessed an address outside the memory`
    : `${malloc} detected ${named}`;
}

function stillReachable(result: RunResult | undefined): string | undefined {
  const { blocks, bytes } = result?.reachable ?? { blocks: 0, bytes: 0 };
  return blocks === 0
    ? undefined
    : `still reachable at exit: ${plural(blocks, 'block')}, ${plural(bytes, 'byte')}`;
}

function suppressed(result: RunResult | undefined): string | undefined {
  return result?.suppressed ? `${plural(result.suppressed, 'finding')} suppressed` : undefined;
}

/** Derives the build choices from the options. */
interface CheckPlan extends BuildPlan {
  readonly suppressions: readonly Suppression[];
}

function planFor(options: CheckSettings): CheckPlan {
  const { rules, problems } = parseSuppressions(options.suppressions);
  if (problems.length > 0)
    throw new InputError(
      ...problems.map(({ line, message }) => ({
        severity: 'error' as const,
        message: `line ${line} of the suppressions: ${message}`,
      })),
    );
  const nameless = options.env?.find(variable => variable.startsWith('='));
  if (nameless !== undefined)
    throw new InputError({ severity: 'error', message: `'${nameless}' in \`env\` has no name` });
  const { stack, depth } = options.budget ?? {};
  const labels = labelOptionsOf(options);
  const hasComments = options.inputs.some(input =>
    isCompiled(input) ? input.hasIgnoreComments : ignoreComments('', textOf(input)).rules.length > 0,
  );
  return {
    speed: options.speed ?? chosenSpeed(),
    checks: new Set(options.onlyAcsl ? [] : (options.checks ?? defaultChecks)),
    suppressions: rules,
    canGoOn: options.keepGoing || rules.length > 0 || hasComments || options.onlyAcsl,
    removesChecks: options.removesChecks,
    preAnalysis: options.preAnalysis,
    onlyAcsl: options.onlyAcsl,
    entryPoint: options.entryPoint,
    ...((stack !== undefined || depth !== undefined) && {
      budgets: { stack: stack !== undefined, depth: depth !== undefined },
    }),
    ...(labels && { labels }),
    ...(options.initGlobals && { initGlobals: true as const }),
  };
}

/** The suppressions in comments of the program's files, headers included. */
function commentsIn(options: CheckSettings, files: readonly string[]): IgnoreComments[] {
  const inputs = new Map(
    options.inputs.flatMap(input =>
      isCompiled(input) ? [] : [[typeof input === 'string' ? input : input.name, input] as const],
    ),
  );
  return files.map(file => ignoreComments(file, textOf(inputs.get(file) ?? file)));
}

function textOf(input: ProgramInput): string {
  if (typeof input !== 'string' && !isCompiled(input)) return input.text;
  const bytes = readFileIfAny(typeof input === 'string' ? input : input.name);
  return bytes === undefined ? '' : new TextDecoder().decode(bytes);
}

/** An error whose diagnostics have already been reported. */
function withoutWarnings({ onEvent, ...control }: RunControl): RunControl {
  return { ...control, onEvent: event => event.kind !== 'warning' && onEvent?.(event) };
}

/** The options that influence how a program is built. */
type BuildOptions = Pick<ReadOptions, 'inputs' | 'clangFlags' | 'clang' | 'granted'> &
  Pick<CheckSettings, 'acsl' | 'entryPoint' | 'noChecks' | 'malloc'>;

/** The options with which a worker builds a program. */
export interface BuildRequest {
  readonly options: BuildOptions;
  readonly plan: BuildPlan;
}

function buildRequestOf(options: CheckSettings, { suppressions: _, ...plan }: CheckPlan): BuildRequest {
  const { acsl, entryPoint, noChecks, malloc } = options;
  const granted = [...(options.folders ?? []), ...(options.dirs ?? [])];
  return { options: { ...programIn(options), acsl, entryPoint, noChecks, malloc, granted }, plan };
}

/** Returns the program from the cache, or builds it and stores it there. */
export async function buildProgram(request: BuildRequest, control: RunControl): Promise<BuiltProgram> {
  const { options, plan } = request;
  const checks: ReadonlySet<CheckKind> = options.noChecks ? new Set() : plan.checks;
  const { clangFlags = [] } = options;
  const reading: ReadOptions = {
    ...programIn(options),
    entryPoint: options.entryPoint,
    marksUnsequenced: checks.has('undefined'),
    acsl: options.noChecks ? false : acslOf(options, plan.onlyAcsl),
    clangFlags: [
      ...(checks.has('spatial') ? innerBoundsFlags(plan.canGoOn) : []),
      ...(checks.has('undefined') ? arithmeticFlags(plan.canGoOn, clangFlags) : clangFlags),
    ],
    sourceFiles: new IncludedFiles(),
    granted: options.granted ?? [],
  };
  if (options.noChecks) {
    if (isApart()) return buildApart(request, control);
    const { buildUnchecked } = await import('./check-build.js');
    return buildUnchecked(reading, options.malloc !== undefined, control);
  }
  const key = await keyOfInputs(reading);
  if (plan.speed === 'auto') {
    const optimised = new KeptPrograms({ ...plan, speed: 'optimised' }, key).find();
    if (optimised === undefined)
      return {
        ...(await buildProgram({ options, plan: { ...plan, speed: 'quick' } }, control)),
        isQuick: true,
      };
    for (const diagnostic of optimised.warnings) control.onEvent?.({ kind: 'warning', diagnostic });
    return optimised.program;
  }
  const kept = new KeptPrograms(plan, key);
  const known = kept.find();
  for (const diagnostic of known?.warnings ?? []) control.onEvent?.({ kind: 'warning', diagnostic });
  if (known !== undefined) return known.program;
  if (isApart()) return buildApart(request, control);
  const { buildChecked } = await import('./check-build.js');
  return buildChecked(reading, plan, kept, control);
}

/**
 * How long a program runs before its optimised code is made. The quick code is a tenth slower in
 * the mean, so a shorter program would gain less than the build takes.
 */
const waitsMs = 2000;

/**
 * Builds the optimised program for the next run while the quick one runs (docs/decisions/0201).
 * Returns a function that stops the build; the parts that are finished by then stay in the cache.
 */
function optimiseBeside({ options, plan }: BuildRequest): () => void {
  // A program that imports Redzone has not agreed to background work.
  if (!isApart()) return () => undefined;
  const stopping = new AbortController();
  const begin = (): void => {
    const request: BuildRequest = { options, plan: { ...plan, speed: 'optimised' } };
    // The program runs, whether or not this succeeds.
    apart<BuildRequest, BuiltProgram>('build', request, { signal: stopping.signal }).catch(() => undefined);
  };
  const timer = setTimeout(begin, waitsMs);
  return () => {
    clearTimeout(timer);
    stopping.abort();
  };
}

async function buildApart(request: BuildRequest, control: RunControl): Promise<BuiltProgram> {
  const built = await apart<BuildRequest, BuiltProgram>('build', request, control);
  if (built !== undefined) return built;
  control.signal?.throwIfAborted();
  throw new InternalError('the worker that builds the program has ended without a result');
}

/** With `--acsl on`, an annotation that cannot be parsed is an error. */
function acslOf({ acsl }: Pick<CheckSettings, 'acsl'>, onlyAcsl: boolean): boolean | 'lenient' {
  if (acsl === 'auto') return onlyAcsl || 'lenient';
  return acsl === 'on';
}

function modeOf(checks: ReadonlySet<CheckKind>): MonitorMode {
  if (checks.has('init')) return 'tags-and-init';
  return checks.has('temporal') ? 'tags' : 'shadow';
}

/** The request to the worker. */
async function requestFor(
  options: CheckSettings,
  planned: CheckPlan,
  unread: SharedArrayBuffer,
  control: RunControl,
  plugins?: LoadedPlugins,
): Promise<{ readonly request: RunRequest; readonly built: BuiltProgram; readonly building: BuildRequest }> {
  const began = Date.now();
  let plan = planned;
  let building = buildRequestOf(options, plan);
  let built = await buildProgram(building, control);
  const comments = commentsIn(options, built.files);
  for (const diagnostic of comments.flatMap(({ problems }) => problems))
    control.onEvent?.({ kind: 'warning', diagnostic });
  const rules = comments.flatMap(comment => comment.rules);
  // The set of headers is known only now; few of them have such comments.
  if (rules.length > 0 && !plan.canGoOn) {
    plan = { ...plan, canGoOn: true };
    building = buildRequestOf(options, plan);
    built = await buildProgram(building, withoutWarnings(control));
  }
  const [first] = options.inputs;
  const name = typeof first === 'string' ? first : (first?.name ?? 'program');
  const request: RunRequest = {
    binary: built.binary,
    sites: built.sites,
    arguments: [options.programName ?? name.replace(/\.(c|ll)$/, ''), ...(options.arguments ?? [])],
    environment: options.environment ?? programEnvironment(options.env),
    folders: [...(options.folders ?? [workingFolder()]), ...(options.dirs ?? [])],
    children: options.allowRun
      ? {
          environment: { REDZONE_OPTIONS: optionsOfChildren(options) },
          deadline: options.maxTimeMs === undefined ? undefined : began + options.maxTimeMs,
        }
      : undefined,
    allowsNetwork: options.allowNet,
    test: options.test,
    stdio: options.stdio ?? 'events',
    echoes: options.echoes ?? false,
    stdin: typeof options.stdin === 'string' ? new TextEncoder().encode(options.stdin) : options.stdin,
    unread,
    mode: plan.onlyAcsl ? (built.tracksInit ? 'tags-and-init' : 'tags') : modeOf(plan.checks),
    checkLeaks: plan.checks.has('leaks'),
    suppressions: [...plan.suppressions, ...rules],
    unchosen: silenced(plan.checks),
    keepGoing: options.keepGoing,
    quarantineBytes: options.quarantineBytes,
    store: options.store,
    storeLimitBytes: options.storeLimitBytes,
    maximumHeapBytes: options.maxMemoryBytes ?? 1 << 30,
    malloc: options.malloc,
    // The explorer schedules threads in a different order.
    hostLog:
      options.watchesLoops && !options.noChecks && built.threads === undefined ? createHostLog() : undefined,
    budget: options.budget ?? {},
    plugins: plugins && { modules: plugins.modules, plan: plugins.plan, sites: built.hooks ?? [] },
    traceName: options.onTrace && name,
    labels: built.hasLabels ? labelRequestOf(options) : undefined,
    seed: options.seed,
    threads: built.threads && {
      seed: options.seed,
      choices:
        options.test?.schedule ??
        (options.schedule === undefined
          ? undefined
          : readSchedule(options.schedule, programKey(options.inputs))),
      isExplored: options.test?.schedule !== undefined,
      races: built.threads.races,
    },
  };
  return { request, built, building };
}

/** The settings of a fuzzed program and the meaning of its probes. */
export async function requestToFuzz(
  given: CheckOptions,
  control: RunControl,
): Promise<{ readonly request: RunRequest; readonly fuzz: NonNullable<BuiltProgram['fuzz']> }> {
  const options = settingsOf(checkOptions, given);
  const { request, built } = await requestFor(
    options,
    { ...planFor(options), speed: 'optimised', fuzz: true },
    new SharedArrayBuffer(4),
    control,
  );
  assert(built.fuzz !== undefined, 'a program that is built to be fuzzed has probes');
  return { request, fuzz: built.fuzz };
}

/** The options for programs that this one starts, if `redzone cc` has linked them. */
function optionsOfChildren({ checks, keepGoing, dirs, allowNet }: CheckSettings): string {
  const own = processEnvironment().REDZONE_OPTIONS;
  if (own !== undefined) return own;
  return [
    'allow-run',
    ...(allowNet ? ['allow-net'] : []),
    ...(keepGoing ? ['keep-going'] : []),
    ...(checks === undefined ? [] : [`checks='${checks}'`]),
    ...(dirs ?? []).map(dir => `dir='${dir}'`),
  ].join(':');
}

/**
 * The steps of `check`:
 *
 * ```
 *   program ──kept-programs──▶ wasm and sites, if the cache has them ──▶ run in a worker
 *         └──check-build──▶ wasm and sites ────────────────────────────┘
 * ```
 */

import { type Diagnostic, InputError, inputError } from '../findings/diagnostic.js';
import type { LiveThread } from '../findings/facts.js';
import type { Finding } from '../findings/finding.js';
import type { CheckReport } from '../findings/report.js';
import { describeLiveThread } from '../findings/words/thread-words.js';
import { IncludedFiles } from '../front/includes.js';
import { bytesArrived } from '../host/emitted-output.js';
import { createHostLog } from '../host/host-log.js';
import { type CheckKind, defaultChecks, silenced } from '../monitor/check-kinds.js';
import type { ThreadMemory } from '../monitor/run/live-threads.js';
import type { MonitorMode, RunEventMessage, RunRequest, RunResult } from '../monitor/run/run-request.js';
import {
  type IgnoreComments,
  ignoreComments,
  parseSuppressions,
  type Suppression,
} from '../monitor/suppressions.js';
import { checkOptions } from '../options/check-options.js';
import { settingsOf } from '../options/settings.js';
import { readFileIfAny, workingFolder } from '../platform/files.js';
import {
  afterProcessorMs,
  chosenSpeed,
  keepStdinFromWaiting,
  ownsProcess,
  processEnvironment,
  programEnvironment,
} from '../platform/node.js';
import { type PreparedTask, prepareTask } from '../platform/task.js';
import { assert, InternalError } from '../support/assert.js';
import { plural } from '../support/plural.js';
import { apart, isApart } from './apart.js';
import type { CheckOptions, CheckSettings } from './check.js';
import type { BuildPlan } from './check-build.js';
import { checkFlags } from './check-flags.js';
import { checkReport, refusal, warnOfOtherInputs } from './check-report.js';
import { type BuiltProgram, KeptPrograms } from './kept-programs.js';
import { doubtfulNames, labelOptionsOf, labelRequestOf } from './label-settings.js';
import { type LoadedPlugins, loadPlugins, pluginsFor } from './load-plugins.js';
import { LoopWatcher } from './loop-watcher.js';
import { keyOfInputs, type ReadOptions } from './read-program.js';
import {
  isCompiled,
  nameOfInput,
  type ProgramInput,
  programIn,
  type RunControl,
  type RunEvent,
} from './run-control.js';
import { programKey, readSchedule, writeSchedule } from './schedule-file.js';
import { resultOf, supervise } from './supervise.js';

export async function runCheck(given: CheckOptions, control: RunControl): Promise<CheckReport> {
  const start = performance.now();
  const options = settingsOf(checkOptions, given);
  if (options.noChecks && options.plugins.length > 0) throw withoutChecks();
  const plugins = await loadPlugins(pluginsFor(options.plugins, options.noChecks ? [] : options.checks));
  const plan = { ...planFor(options), ...(plugins?.plan && { hooks: plugins.plan }) };
  const seen: Seen = { findings: [], schedules: 0 };
  const unread = new SharedArrayBuffer(4);
  // The worker starts while the program is looked up or built.
  const task = prepareRun(seen, event => {
    if (!event.isShown) bytesArrived(unread, event.bytes.length);
    control.onEvent?.(event);
  });
  let phase = '';
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
    seen.compileMs = performance.now() - start;
    onEvent({ kind: 'phase', text: 'running' });
    const ended = await runOnce(task, options, request, built.isQuick ? building : undefined, seen, signal);
    const { threads } = request;
    if (threads === undefined && options.schedules > 1) onEvent({ kind: 'warning', diagnostic: noThreads });
    if (threads === undefined || threads.choices !== undefined) return ended;
    return (await runSchedules(options, { ...request, threads }, seen, onEvent, ended, signal)) ?? ended;
  })
    .catch(error => {
      phase = '';
      return endAtLimit(error);
    })
    .finally(() => {
      if (seen.compileMs === undefined) task.stop();
    });
  const { failed, findings, schedules, compileMs } = seen;
  if (failed !== undefined) throw new InputError(...failed);
  if (result !== undefined) tellResult(result, findings, options, control);
  if (stopped !== undefined) await tellThreads(seen, control);
  return checkReport(options, result, {
    findings,
    stopped:
      stopped !== undefined && compileMs === undefined && phase !== ''
        ? `${stopped} while ${phase}`
        : stopped,
    schedules,
    compileMs: compileMs ?? performance.now() - start,
    wallMs: performance.now() - start,
  });
}

/** A program that exceeds a limit before it runs has a report without a run. */
function endAtLimit(error: unknown): { readonly value: undefined; readonly stopped: string } {
  const diagnostic = error instanceof InputError ? error.diagnostics.find(each => each.isLimit) : undefined;
  if (diagnostic === undefined) throw error;
  const { message, help } = diagnostic;
  return { value: undefined, stopped: help === undefined ? message : `${message}; ${help}` };
}

type RunOutput = Extract<RunEventMessage, { kind: 'output' }>;
type RunTask = PreparedTask<RunRequest, RunResult>;

/** What is known of a run while it lasts, and when it is stopped. */
interface Seen {
  readonly findings: Finding[];
  /** The failure of a plug-in. */
  failed?: readonly Diagnostic[];
  /** The memory and the sites of a program that has started a thread. */
  threads?: ThreadMemory;
  sites?: Uint8Array | undefined;
  /** Undefined until the program is built. */
  compileMs?: number;
  /** How many schedules were begun. */
  schedules: number;
}

function prepareRun(seen: Seen, onOutput: (output: RunOutput) => void): RunTask {
  return prepareTask<RunRequest, RunEventMessage, RunResult>('run/run-worker', {
    onEvent: event => {
      if (event.kind === 'finding') seen.findings.push(event.finding);
      else if (event.kind === 'failure') seen.failed = event.diagnostics;
      else if (event.kind === 'threads') seen.threads = event;
      else onOutput(event);
    },
    stackMegabytes: 64,
    keepsWorker: true,
  });
}

/** Runs the program, and searches a long run for an infinite loop. */
async function runOnce(
  task: RunTask,
  options: CheckSettings,
  request: RunRequest,
  quick: BuildRequest | undefined,
  seen: Seen,
  signal: AbortSignal,
): Promise<RunResult | undefined> {
  if (request.stdio !== 'events') keepStdinFromWaiting();
  seen.sites = request.sites;
  const loop = new LoopWatcher(options, request, signal, async () => (await threadsLeft(seen)).length <= 1);
  task.begin(request);
  const stopOptimising = quick && optimiseBeside(quick);
  const ended = await resultOf(task, loop.signal).finally(stopOptimising);
  const found = await loop.end();
  if (found !== undefined && ended === undefined) seen.findings.push(found);
  assert(
    ended !== undefined || signal.aborted || found !== undefined,
    'the program under test ended without a result',
  );
  return ended;
}

/**
 * Runs further schedules of the same program until one has findings. Returns the result of the
 * last; the output has been shown by the first run.
 */
async function runSchedules(
  { seed, schedules: wanted }: CheckSettings,
  request: RunRequest & { readonly threads: object },
  seen: Seen,
  onEvent: (event: RunEvent) => void,
  first: RunResult | undefined,
  signal: AbortSignal,
): Promise<RunResult | undefined> {
  seen.schedules = 1;
  let ended = first;
  while (ended !== undefined && seen.schedules < wanted && !isOver(seen, signal)) {
    const threads = { ...request.threads, seed: seed + seen.schedules++ };
    onEvent({ kind: 'phase', text: `schedule ${seen.schedules} of ${wanted}` });
    const unread = new SharedArrayBuffer(4);
    const task = prepareRun(seen, output => bytesArrived(unread, output.bytes.length));
    task.begin({ ...request, threads, stdio: 'events', unread, hostLog: undefined });
    ended = (await resultOf(task, signal)) ?? ended;
  }
  return ended;
}

function isOver({ findings, failed }: Seen, signal: AbortSignal): boolean {
  return findings.length > 0 || failed !== undefined || signal.aborted;
}

const noThreads: Diagnostic = {
  severity: 'note',
  message: 'the program creates no threads, so that there is one schedule only',
};

/** Passes on the schedule, the trace and the notes of a run. */
function tellResult(
  { schedule, refused, inputs, trace }: RunResult,
  findings: readonly Finding[],
  options: CheckSettings,
  control: RunControl,
): void {
  if (schedule !== undefined) tellSchedule(schedule, findings, options, control);
  if (refused !== undefined) control.onEvent?.({ kind: 'warning', diagnostic: refusal(refused) });
  if (inputs !== undefined) warnOfOtherInputs(inputs, findings.length > 0, control);
  if (trace !== undefined) options.onTrace?.(trace);
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

type RunThreads = Pick<Seen, 'threads' | 'sites'>;

/** The threads that have not ended; empty if the run has started none. */
async function threadsLeft({ threads, sites }: RunThreads): Promise<readonly LiveThread[]> {
  if (threads === undefined || sites === undefined) return [];
  const { liveThreads } = await import('../monitor/run/live-threads.js');
  return liveThreads(threads, JSON.parse(new TextDecoder().decode(sites)));
}

/** Reports where the threads of a stopped run were. */
async function tellThreads(seen: RunThreads, { onEvent }: RunControl): Promise<void> {
  const alive = await threadsLeft(seen);
  const notes = alive.slice(0, mostThreads).map(describeLiveThread);
  const left = alive.length - notes.length;
  if (left > 0) notes.push({ severity: 'note', message: `${plural(left, 'thread')} more had not ended` });
  for (const diagnostic of notes) onEvent?.({ kind: 'warning', diagnostic });
}

function withoutChecks(): InputError {
  return inputError('a plug-in needs the instrumentation that `--no-checks` leaves out');
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
  if (options.onlyAcsl && options.acsl === 'off')
    throw inputError('--only-acsl has nothing to check with --acsl=off');
  const nameless = options.env?.find(variable => variable.startsWith('='));
  if (nameless !== undefined) throw inputError(`'${nameless}' in \`env\` has no name`);
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
    options.inputs.flatMap(input => (isCompiled(input) ? [] : [[nameOfInput(input), input] as const])),
  );
  return files.map(file => ignoreComments(file, textOf(inputs.get(file) ?? file)));
}

function textOf(input: ProgramInput): string {
  if (typeof input !== 'string' && !isCompiled(input)) return input.text;
  const bytes = readFileIfAny(nameOfInput(input));
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
    clangFlags: checkFlags(
      { arithmetic: checks.has('undefined'), bounds: checks.has('spatial') },
      clangFlags,
    ),
    sourceFiles: new IncludedFiles(),
    granted: options.granted ?? [],
  };
  const key = await keyOfInputs(reading);
  if (plan.speed === 'auto' && !options.noChecks) {
    const optimised = new KeptPrograms({ ...plan, speed: 'optimised' }, key).find();
    if (optimised === undefined)
      return {
        ...(await buildProgram({ options, plan: { ...plan, speed: 'quick' } }, control)),
        isQuick: true,
      };
    for (const diagnostic of optimised.warnings) control.onEvent?.({ kind: 'warning', diagnostic });
    return optimised.program;
  }
  const isBridged = options.malloc !== undefined;
  const kept = new KeptPrograms(
    options.noChecks ? { ...plan, checks, uninstrumented: { isBridged } } : plan,
    key,
  );
  const known = kept.find();
  for (const diagnostic of known?.warnings ?? []) control.onEvent?.({ kind: 'warning', diagnostic });
  if (known !== undefined) return known.program;
  if (isApart()) return buildApart(request, control);
  const { buildChecked, buildUnchecked } = await import('./check-build.js');
  if (options.noChecks) return buildUnchecked(reading, isBridged, kept, control);
  return buildChecked(reading, plan, kept, control);
}

/**
 * The processor time after which a program's optimised code is made: on a busy machine, a short
 * program has a long wall time. The quick code is a tenth slower in the mean, so a shorter program
 * would gain less than the build takes.
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
  const cancel = afterProcessorMs(waitsMs, begin);
  return () => {
    cancel();
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

interface CommentedBuild {
  readonly plan: CheckPlan;
  readonly building: BuildRequest;
  readonly built: BuiltProgram;
  /** The suppressions in comments. */
  readonly rules: readonly Suppression[];
}

/** Builds the program, and reads the comments of its sources and headers. */
async function buildWithComments(
  options: CheckSettings,
  planned: CheckPlan,
  control: RunControl,
): Promise<CommentedBuild> {
  let plan = planned;
  let building = buildRequestOf(options, plan);
  let built = await buildProgram(building, control);
  const comments = commentsIn(options, built.files);
  for (const diagnostic of [...doubtfulNames(options), ...comments.flatMap(({ problems }) => problems)])
    control.onEvent?.({ kind: 'warning', diagnostic });
  const rules = comments.flatMap(comment => comment.rules);
  // The set of headers is known only now; few of them have such comments.
  if (rules.length > 0 && !plan.canGoOn) {
    plan = { ...plan, canGoOn: true };
    building = buildRequestOf(options, plan);
    built = await buildProgram(building, withoutWarnings(control));
  }
  return { plan, building, built, rules };
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
  const { plan, building, built, rules } = await buildWithComments(options, planned, control);
  const [first] = options.inputs;
  const name = nameOfInput(first ?? 'program');
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
    hostLog: options.watchesLoops && !options.noChecks ? createHostLog() : undefined,
    budget: options.budget ?? {},
    plugins: plugins && { modules: plugins.modules, plan: plugins.plan, sites: built.hooks ?? [] },
    ownsProcess: ownsProcess(),
    traceName: options.onTrace && name,
    labels: built.hasLabels ? labelRequestOf(options) : undefined,
    seed: options.seed,
    threads: built.threads && threadRequest(options, built.threads),
  };
  return { request, built, building };
}

/** The schedule that the threads follow: that of a test or of a file, or one from the seed. */
function threadRequest(
  { seed, schedule, test, inputs }: CheckSettings,
  { races }: NonNullable<BuiltProgram['threads']>,
): NonNullable<RunRequest['threads']> {
  const fromFile = schedule === undefined ? undefined : readSchedule(schedule, programKey(inputs));
  return {
    seed,
    choices: test?.schedule ?? fromFile,
    isExplored: test?.schedule !== undefined,
    races,
  };
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

/**
 * How `check` is put together:
 *
 * ```
 *   C ──front──▶ one IR module ──monitor──▶ instrumented IR ──front──▶ wasm64 ──wasm──▶ wasm ──▶ run in a worker
 * ```
 */
import { type Diagnostic, InputError } from '../findings/diagnostic.js';
import type { Finding } from '../findings/finding.js';
import { type RunReport, verdictOf } from '../findings/report.js';
import { arithmeticFlags, handlerNames } from '../findings/undefined-arithmetic.js';
import { linkObjects } from '../front/build.js';
import { Cache } from '../front/cache.js';
import { librarySymbols } from '../front/library.js';
import { valueOrThrow } from '../front/outcome.js';
import { linkSeparately } from '../front/program.js';
import type { Toolchain } from '../front/toolchain.js';
import { DataLayout } from '../ir/layout.js';
import type { Module } from '../ir/model.js';
import { writeModule } from '../ir/writer.js';
import { acslRuntime, asksForInitialisation, usesAcsl } from '../monitor/acsl-runtime.js';
import { hookLibraryWrites, hookWrites, opensFrames } from '../monitor/assigns-hooks.js';
import { type CheckKind, checkKinds, silenced } from '../monitor/check-kinds.js';
import { functionsToCompare, listOtherFunctions } from '../monitor/function-types.js';
import { instrument } from '../monitor/instrument/instrument.js';
import { isSlowPath } from '../monitor/instrument/runtime.js';
import { clientEnd } from '../monitor/memory-map.js';
import type { MonitorMode, RunEventMessage, RunRequest, RunResult } from '../monitor/run/request.js';
import type { ObjectSites } from '../monitor/sites.js';
import { defaultStoreLimit } from '../monitor/stores.js';
import {
  type IgnoreComments,
  ignoreComments,
  parseSuppressions,
  type Suppression,
} from '../monitor/suppressions.js';
import { checkInnerArrays, innerArrayHandlers } from '../passes/inner-arrays.js';
import { innerBoundsFlags } from '../passes/inner-bounds.js';
import { allowInfiniteHalves } from '../passes/plain-arithmetic.js';
import { cacheFolder, contentHash, readFileIfAny, workingFolder } from '../platform/files.js';
import { installationStamp } from '../platform/installation-stamp.js';
import { mostResidentBytes } from '../platform/memory.js';
import { ownEnvironment } from '../platform/node.js';
import { startTask, type Task } from '../platform/task.js';
import { addBranchHints } from '../wasm/branch-hints.js';
import { lowerMemory64 } from '../wasm/lower.js';
import { addTierHints } from '../wasm/tier-hints.js';
import { buildPlain, memoryBytes, stackBytes } from './build-plain.js';
import type { CheckOptions } from './check.js';
import type { ProgramInput, RunControl } from './control.js';
import { readModules } from './program.js';
import { sharedToolchain } from './shared-toolchain.js';

/** What the program and the C library find in the monitor's runtime instead of in the library. */
const providedByRuntime: ReadonlySet<string> = new Set([
  ...['malloc', 'calloc', 'realloc', 'reallocarray', 'free', 'aligned_alloc', 'memalign', 'valloc'],
  ...['posix_memalign', 'malloc_usable_size'],
  ...['rz_store', 'rz_delete', 'rz_map_origin', 'rz_map_referent', 'rz_copy_referents', 'rz_clear_referents'],
  ...['rz_svalid', 'rz_tvalid', 'rz_tags_valid'],
  ...handlerNames,
  ...innerArrayHandlers,
  ...acslRuntime,
]);

/** Linked only into programs with annotations. */
const acslFiles = ['acsl', 'acsl-big', 'acsl-frames', 'acsl-exits'].map(name => `/redzone/monitor/${name}.c`);

const runtimeFiles = [
  'objects',
  'store',
  'trie',
  'temporal',
  'check',
  'partial',
  'window',
  'range',
  'heap',
  'calls',
  'exit',
].map(name => `/redzone/monitor/${name}.c`);

const runtimeExports = [
  ...['__rz_monitor_start', '__rz_heap_start_at', '__rz_depth', '__rz_heap_start', '__rz_heap_top'],
  ...['__rz_callee', '__rz_flush', '__rz_range_allowed', '__rz_word_at', '__rz_next_count'],
];

/**
 * What clang leaves out for instrumented code (docs/decisions/0060). Unrolled loops take their time to compile and run no faster. Strength reduction
 * makes a variable of its own for each address of a fast loop, and for each that the checked loop would go on with.
 */
const leftOut = ['-fno-unroll-loops', '-mllvm', '-disable-lsr'];

export async function runCheck(options: CheckOptions, control: RunControl): Promise<RunReport> {
  const start = performance.now();
  let plan = planFor(options);
  const toolchain = await sharedToolchain(options.clang);
  let built = await build(toolchain, options, plan, control);
  const comments = commentsIn(options, built.objects ?? []);
  for (const diagnostic of comments.flatMap(({ problems }) => problems))
    control.onEvent?.({ kind: 'warning', diagnostic });
  const rules = comments.flatMap(comment => comment.rules);
  // Which headers there are is known only now; those with comments are few.
  if (rules.length > 0 && !plan.canGoOn) {
    plan = { ...plan, canGoOn: true };
    built = await build(toolchain, options, plan, control);
  }
  const compileMs = performance.now() - start;

  control.onEvent?.({ kind: 'phase', text: 'running' });
  const findings: Finding[] = [];
  const task = startTask<RunRequest, RunEventMessage, RunResult>(
    'monitor/run/run-worker',
    requestFor(options, { ...plan, suppressions: [...plan.suppressions, ...rules] }, built),
    { onEvent: ({ finding }) => findings.push(finding), stackMegabytes: 64 },
  );
  const { result, stopped } = await untilStopped(task, options.maxTimeMs, control.signal);
  if (result?.refused !== undefined)
    control.onEvent?.({ kind: 'warning', diagnostic: refusal(result.refused) });
  for (const diagnostic of otherInputs(result?.inputs)) control.onEvent?.({ kind: 'warning', diagnostic });
  if (result?.trace !== undefined) options.onTrace?.(result.trace);
  const atLimit = stopped ?? (result?.outOfMemory ? memoryLimitReached(options.maxMemoryBytes) : undefined);
  const established =
    atLimit ?? heapProblem(options, result) ?? (options.tellReachable ? stillReachable(result) : undefined);
  const summary = [established, suppressed(result)].filter(part => part !== undefined).join('; ');
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
      compileMs,
      ...(result !== undefined && { runMs: result.runMs, allocations: result.allocations }),
      maxRssBytes: mostResidentBytes(),
    },
  };
}

/** A program that handles EACCES says nothing of it, and one that does not blames the file. */
function refusal(path: string): Diagnostic {
  const folder = path.slice(0, path.lastIndexOf('/')) || '/';
  return {
    severity: 'note',
    message: `the program was refused '${path}', which lies outside of the folders that it may use`,
    ...(path.startsWith('/') && { help: `\`--dir ${folder}\` lets it use that folder` }),
  };
}

/** Arguments, standard input and files are given to the program, which need not look at them. */
const givenInput = /^(arg\d\d+|n_args|stdin|model_version|[A-Z])$/;

/** A test of another program, or of another version of this one, shows nothing. */
function otherInputs({ missing, unused }: RunResult['inputs'] = { missing: [], unused: [] }): Diagnostic[] {
  const listed = (names: readonly string[]): string => names.map(name => `\`${name}\``).join(', ');
  const left = unused.filter(name => !givenInput.test(name));
  return [
    ...(left.length === 0
      ? []
      : [`the program has not asked for ${listed(left)}, which the test has: is it a test of this program?`]),
    ...(missing.length === 0
      ? []
      : [`the program has asked for ${listed(missing)}, which the test does not have: it was given zeros`]),
  ].map(message => ({ severity: 'warning', message }));
}

/** A limit that the caller set was the reason; the limit of the machine is the program's own affair, and a finding. */
function memoryLimitReached(maxMemoryBytes: number | undefined): string | undefined {
  return maxMemoryBytes === undefined
    ? undefined
    : `the program needs more than ${maxMemoryBytes} bytes of memory`;
}

/** Why the malloc that was chosen ended the program. */
function heapProblem({ malloc }: CheckOptions, result: RunResult | undefined): string | undefined {
  const problem = result?.heapProblem;
  if (problem === undefined) return undefined;
  const named = {
    'invalid-free': 'an invalid free',
    'double-free': 'a double free',
    corrupted: 'that its data are corrupted',
    fault: undefined,
  }[problem];
  return named === undefined ? `${malloc} was led out of the memory` : `${malloc} noticed ${named}`;
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

/** What the options come down to. */
interface CheckPlan {
  readonly checks: ReadonlySet<CheckKind>;
  readonly suppressions: readonly Suppression[];
  /** Is the program built so that it can go on after an error? Suppressed findings need it too. */
  readonly canGoOn: boolean;
  readonly removesChecks: boolean;
  readonly preAnalysis: boolean;
  /** Annotations are checked and nothing else: the rest is silenced, and mostly not even looked for. */
  readonly onlyAcsl: boolean;
}

function planFor(options: CheckOptions): CheckPlan {
  const { rules, problems } = parseSuppressions(options.suppressions ?? '');
  if (problems.length > 0)
    throw new InputError(
      ...problems.map(({ line, message }) => ({
        severity: 'error' as const,
        message: `line ${line} of the suppressions: ${message}`,
      })),
    );
  const hasComments = options.inputs.some(input => ignoreComments('', textOf(input)).rules.length > 0);
  return {
    checks: new Set(options.onlyAcsl ? [] : (options.checks ?? checkKinds)),
    suppressions: rules,
    canGoOn: options.keepGoing === true || rules.length > 0 || hasComments || options.onlyAcsl === true,
    removesChecks: options.removesChecks ?? true,
    preAnalysis: options.preAnalysis ?? true,
    onlyAcsl: options.onlyAcsl ?? false,
  };
}

/** What the comments in the files of the program, headers included, want to be left out. */
function commentsIn(options: CheckOptions, objects: readonly ObjectSites[]): IgnoreComments[] {
  const inputs = new Map(
    options.inputs.map(input => [typeof input === 'string' ? input : input.name, input]),
  );
  const files = new Set(
    objects.flatMap(({ sites }) => sites.filter(site => !site.inLibrary).map(site => site.location.file)),
  );
  return [...files].map(file => ignoreComments(file, textOf(inputs.get(file) ?? file)));
}

function textOf(input: ProgramInput): string {
  if (typeof input !== 'string') return input.text;
  const bytes = readFileIfAny(input);
  return bytes === undefined ? '' : new TextDecoder().decode(bytes);
}

interface BuiltProgram {
  readonly binary: Uint8Array;
  /** Absent without instrumentation. */
  readonly objects?: readonly ObjectSites[];
  /** With annotations only: does one of them ask what is initialised? */
  readonly tracksInit?: boolean;
}

async function build(
  toolchain: Toolchain,
  options: CheckOptions,
  plan: CheckPlan,
  control: RunControl,
): Promise<BuiltProgram> {
  const checksArithmetic = !options.noChecks && plan.checks.has('undefined');
  const checksBounds = !options.noChecks && plan.checks.has('spatial');
  const clangFlags = [
    ...(checksBounds ? innerBoundsFlags(plan.canGoOn) : []),
    ...(checksArithmetic ? arithmeticFlags(plan.canGoOn, options.clangFlags) : (options.clangFlags ?? [])),
  ];
  const acsl = options.acsl !== 'off' && !options.noChecks;
  const texts: string[] = [];
  const onIr = (text: string) => texts.push(text);
  const modules = await readModules({ ...options, clangFlags, acsl, onIr }, control);
  if (!options.noChecks) refuseTooLargeGlobals(modules);
  if (checksArithmetic) modules.forEach(allowInfiniteHalves);
  if (checksBounds) modules.forEach(checkInnerArrays);
  control.onEvent?.({ kind: 'phase', text: 'linking' });
  return options.noChecks
    ? { binary: await buildPlain(toolchain, modules, options.malloc !== undefined, control.signal) }
    : cachedOrBuilt(toolchain, modules, texts, plan, control);
}

/** clang would run out of memory, or for minutes. */
function refuseTooLargeGlobals(modules: readonly Module[]): void {
  const bytes = modules
    .flatMap(({ dataLayout, variables }) => {
      const layout = new DataLayout(dataLayout);
      return variables.map(({ initializer, valueType }) => (initializer ? layout.allocBytes(valueType) : 0));
    })
    .reduce((sum, each) => sum + each, 0);
  if (bytes + stackBytes <= clientEnd) return;
  throw new InputError({
    severity: 'error',
    message: `the global variables of the program take ${bytes} bytes`,
    help: `under \`check\` a program has ${clientEnd / 2 ** 30} GiB for globals, stack and heap`,
  });
}

/** A program that was built before, by the same Redzone, is taken from the cache: nothing is linked or instrumented. `texts` are the modules as clang wrote them. */
async function cachedOrBuilt(
  toolchain: Toolchain,
  modules: readonly Module[],
  texts: readonly string[],
  plan: CheckPlan,
  control: RunControl,
): Promise<BuiltProgram> {
  const cache = new Cache(cacheFolder());
  const choices = JSON.stringify([
    [...plan.checks],
    plan.onlyAcsl,
    plan.canGoOn,
    plan.removesChecks,
    plan.preAnalysis,
  ]);
  const names = modules.map(module => module.file);
  const key = Cache.keyOf(['check', installationStamp(), choices, ...names, ...texts]);
  const known = cache.get(key);
  if (known !== undefined) return { binary: known.result, ...JSON.parse(known.notes) };
  const built = await buildInstrumented(toolchain, modules, idOf(texts), plan, control);
  const { binary, ...notes } = built;
  cache.put(key, { result: binary, notes: JSON.stringify(notes) });
  return built;
}

/**
 * The program and the members of the library, each instrumented as an object of its own: the objects of the members do not
 * depend on the program, and are taken from the cache when it changes.
 */
async function buildInstrumented(
  toolchain: Toolchain,
  modules: readonly Module[],
  id: string,
  plan: CheckPlan,
  { signal, onEvent }: RunControl,
): Promise<BuiltProgram> {
  const linked = { roots: ['__rz_start'], library: 'engine', provided: providedByRuntime, signal } as const;
  const { program, members, library } = valueOrThrow(await linkSeparately(toolchain, modules, linked));
  onEvent?.({ kind: 'phase', text: 'instrumenting' });
  const ofRuntime = usesAcsl(program) ? [...runtimeFiles, ...acslFiles] : runtimeFiles;
  const tracksInit = asksForInitialisation(program);
  const compared = functionsToCompare(program).flatMap(name => librarySymbols().get(name) ?? []);
  listOtherFunctions(
    program,
    await library.modules([...new Set(compared)].filter(name => members.includes(name))),
  );
  const hasFrames = opensFrames(program);
  if (hasFrames) hookWrites(program);
  const choices = {
    temporal: plan.checks.has('temporal') || plan.onlyAcsl,
    init: plan.onlyAcsl ? tracksInit : plan.checks.has('init'),
    keepGoing: plan.canGoOn,
    optimise: plan.removesChecks,
    preAnalysis: plan.preAnalysis,
  };
  const recipe = JSON.stringify({ ...choices, hasFrames });
  const instrumentMember = (module: Module, name: string) => {
    if (hasFrames) hookLibraryWrites(module);
    const { code, data, sites } = instrument(module, { ...choices, id: idOf([name]) });
    return { ir: [writeModule(code), writeModule(data)], notes: { ...sites, isLibrary: true } };
  };
  const ofMembers = await library.objects(members, recipe, instrumentMember, leftOut);
  const { code, data, sites } = instrument(program, {
    ...choices,
    id,
    ...(plan.onlyAcsl && { annotationsOnly: true }),
  });
  onEvent?.({ kind: 'phase', text: 'building' });
  const ofProgram = [code, data].map(writeModule);
  const objects = [
    ...(await toolchain.compileIrToObjects(ofProgram, { flags: leftOut, keepsNothing: true, signal })).map(
      valueOrThrow,
    ),
    ...ofMembers.flatMap(member => member.objects),
    ...(await toolchain.compileRuntimeObjects(ofRuntime, { flags: ['-O2'], signal })).map(valueOrThrow),
  ];
  const binary = await linkObjects(toolchain, objects, {
    memory: 'import',
    stackBytes,
    initialMemoryBytes: memoryBytes,
    maximumMemoryBytes: memoryBytes,
    exports: runtimeExports,
    keepsNothing: true,
    signal,
  });
  const hinted = addTierHints(addBranchHints(lowerMemory64(valueOrThrow(binary)), isSlowPath));
  const objectSites = [sites, ...ofMembers.map(member => member.notes)];
  return { binary: hinted, objects: objectSites, tracksInit };
}

/** What tells the hidden symbols of one instrumented object from those of another. */
function idOf(texts: readonly string[]): string {
  return contentHash(texts).slice(0, 16);
}

function modeOf(checks: ReadonlySet<CheckKind>): MonitorMode {
  if (checks.has('init')) return 'tags-and-init';
  return checks.has('temporal') ? 'tags' : 'shadow';
}

function requestFor(options: CheckOptions, plan: CheckPlan, built: BuiltProgram): RunRequest {
  const [first] = options.inputs;
  const name = typeof first === 'string' ? first : (first?.name ?? 'program');
  return {
    binary: built.binary,
    ...(built.objects === undefined ? {} : { objects: built.objects }),
    arguments: [name.replace(/\.(c|ll)$/, ''), ...(options.arguments ?? [])],
    environment: options.environment ?? ownEnvironment(),
    folders: options.folders ?? [workingFolder()],
    ...(options.test === undefined ? {} : { test: options.test }),
    stdoutToStderr: options.stdoutToStderr ?? false,
    mode: plan.onlyAcsl ? (built.tracksInit ? 'tags-and-init' : 'tags') : modeOf(plan.checks),
    checkLeaks: plan.checks.has('leaks'),
    suppressions: plan.suppressions,
    unchosen: silenced(plan.checks),
    keepGoing: options.keepGoing ?? false,
    quarantineBytes: options.quarantineBytes ?? 16 << 20,
    store: options.store ?? 'hybrid',
    storeLimitBytes: options.storeLimitBytes ?? defaultStoreLimit,
    maximumHeapBytes: options.maxMemoryBytes ?? 1 << 30,
    ...(options.malloc === undefined ? {} : { malloc: options.malloc }),
    ...(options.onTrace === undefined ? {} : { traceName: name }),
    ...(options.seed === undefined ? {} : { seed: options.seed }),
  };
}

/** Waits for the task, or ends it at the time limit or when the signal says so. */
async function untilStopped(
  task: Task<RunResult>,
  maxTimeMs: number | undefined,
  signal: AbortSignal | undefined,
): Promise<{ result?: RunResult; stopped?: string }> {
  let stopped: string | undefined;
  const stop = (reason: string) => {
    stopped ??= reason;
    task.stop();
  };
  const onAbort = () => stop('interrupted');
  signal?.addEventListener('abort', onAbort, { once: true });
  const timer =
    maxTimeMs === undefined
      ? undefined
      : setTimeout(() => stop(`stopped after ${maxTimeMs / 1000} s`), maxTimeMs);
  try {
    const result = await task.result;
    return result === undefined ? { stopped: stopped ?? 'the program ended without a word' } : { result };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

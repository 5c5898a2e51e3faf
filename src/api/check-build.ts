/**
 * Builds a program for `check` if the cache does not have it. This module is loaded only then,
 * because it imports most of Redzone.
 *
 * ```
 *   C ──front──▶ one IR module ──monitor──▶ instrumented IR ──front──▶ wasm64 ──wasm──▶ wasm
 * ```
 */

import { emitModule } from '../emit/emit-module.js';
import { type Diagnostic, inputError } from '../findings/diagnostic.js';
import { handlerNames } from '../findings/undefined-arithmetic.js';
import { linkObjects } from '../front/build.js';
import { Cache } from '../front/cache.js';
import { librarySymbols } from '../front/library.js';
import { isDeclaration } from '../front/link.js';
import { linkSeparately, type SeparateProgram } from '../front/link-program.js';
import { type Outcome, success, valueOrThrow } from '../front/step-outcome.js';
import type { Toolchain } from '../front/toolchain.js';
import { fuzzExports, fuzzFiles, isSeldomCalled, remembersWrites } from '../fuzz/fuzz-build.js';
import type { Module } from '../ir/model.js';
import { requireValid, verifyModule } from '../ir/verify.js';
import { writeModule } from '../ir/writer.js';
import type { LabelOptions } from '../labels/flow-rules.js';
import { labelsOfProgram, libraryLabels } from '../labels/sink-points.js';
import { acslRuntime, asksForInitialisation, usesAcsl } from '../monitor/acsl-runtime.js';
import { hookLibraryWrites, hookWrites, opensFrames } from '../monitor/assigns-hooks.js';
import type { CheckKind } from '../monitor/check-kinds.js';
import { functionsToCompare, listOtherFunctions } from '../monitor/function-types.js';
import {
  type InstrumentedModule,
  type InstrumentedPart,
  instrument,
} from '../monitor/instrument/instrument.js';
import type { InstrumentOptions } from '../monitor/instrument/options.js';
import { insertProbes, nameProbes } from '../monitor/instrument/probes.js';
import { isSlowPath } from '../monitor/instrument/runtime.js';
import { hookImport } from '../monitor/instrument/weave-hooks.js';
import { clientEnd } from '../monitor/memory-map.js';
import type { ObjectSites } from '../monitor/sites.js';
import { allocationFunctions } from '../passes/allocation-functions.js';
import { checkAssumedAlignment } from '../passes/assumed-alignment.js';
import { checkFarPointers } from '../passes/far-pointers.js';
import { innerArrayHandlers } from '../passes/inner-array-handlers.js';
import { checkInnerArrays } from '../passes/inner-arrays.js';
import { forgiveUnusedResults } from '../passes/missing-results.js';
import { checkNullOffsets } from '../passes/null-offsets.js';
import { allowInfiniteHalves } from '../passes/plain-arithmetic.js';
import { promiseHandlers } from '../passes/promise-handlers.js';
import { markRestrictLocals } from '../passes/restrict-locals.js';
import { contentHash } from '../platform/files.js';
import { verifiesIr } from '../platform/node.js';
import { Turns } from '../platform/turns.js';
import type { HookPlan } from '../plugins/hook-plan.js';
import { hooksLibrary } from '../plugins/hook-points.js';
import { addBranchHints, mark } from '../wasm/branch-hints.js';
import { inlineCalls } from '../wasm/inline-calls.js';
import { lowerMemory64 } from '../wasm/lower.js';
import { addTierHints } from '../wasm/tier-hints.js';
import { buildPlain, memoryBytes, stackBytes } from './build-plain.js';
import { makeChecksFatal } from './fatal-checks.js';
import type { BuiltProgram, KeptPrograms, TargetNotes } from './kept-programs.js';
import { unknownFunctions } from './label-settings.js';
import { refuseLargeGlobals } from './large-globals.js';
import { type ReadOptions, readModules } from './read-program.js';
import type { RunControl, RunEvent } from './run-control.js';
import { sharedToolchain } from './shared-toolchain.js';

/** `auto` is `optimised` if the cache has it, otherwise `quick`. */
export type BuildSpeed = 'quick' | 'optimised' | 'auto';

/** The choices that influence the binary, derived from the options. */
export interface BuildPlan {
  /**
   * Built quickly by our own emitter for the first run, or by LLVM's optimiser
   * (docs/decisions/0200).
   */
  readonly speed: BuildSpeed;
  readonly checks: ReadonlySet<CheckKind>;
  /** Whether the program can continue after an error. Suppressed findings require this too. */
  readonly canGoOn: boolean;
  readonly removesChecks: boolean;
  readonly preAnalysis: boolean;
  /**
   * Only annotations are checked; the other checks are left out where possible, and their findings
   * are dropped.
   */
  readonly onlyAcsl: boolean;
  /** The function that is called instead of `main`. */
  readonly entryPoint: string | undefined;
  /** Values carry labels even if the program does not label anything itself. */
  readonly labels?: LabelOptions;
  /** The parts of the stack that are measured for a memory budget. */
  readonly budgets?: { readonly stack: boolean; readonly depth: boolean };
  /** Hooks of plug-ins. */
  readonly hooks?: HookPlan;
  /** Uninitialized values are tracked through globals. */
  readonly initGlobals?: true;
  /** The program is not instrumented; `isBridged` as in `buildPlain`. */
  readonly uninstrumented?: { readonly isBridged: boolean };
  /** The program is run many times: it has coverage probes and records which memory it writes. */
  readonly fuzz?: true;
}

/** Linked only into programs that create threads. Such programs call one of these functions. */
const threadFiles = ['threads', 'races', 'lock-order'].map(name => `/redzone/monitor/${name}.c`);
const threadCreators: ReadonlySet<string> = new Set(['pthread_create', 'thrd_create']);

const threadExports = [
  ...['__rz_thread_begin', '__rz_threads', '__rz_thread', '__rz_thread_count', '__rz_schedule'],
  ...['__rz_races_on', '__rz_races_stopped', '__rz_race_writer'],
];

/**
 * Functions that the program and the C library take from the monitor's runtime instead of the
 * library.
 */
const providedByRuntime: ReadonlySet<string> = new Set([
  ...allocationFunctions,
  ...['rz_store', 'rz_delete', 'rz_map_origin', 'rz_map_referent', 'rz_copy_referents', 'rz_clear_referents'],
  ...['rz_svalid', 'rz_tvalid', 'rz_tags_valid'],
  ...handlerNames,
  ...innerArrayHandlers,
  ...promiseHandlers,
  ...acslRuntime,
]);

/** Linked only into programs with annotations. */
const acslFiles = ['acsl', 'acsl-big', 'acsl-frames', 'acsl-exits'].map(name => `/redzone/monitor/${name}.c`);

const runtimeFiles = [
  'objects',
  'origins',
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

const labelFile = '/redzone/monitor/labels.c';

const labelExports = ['__rz_labels_start', '__rz_label_input', '__rz_label_clear'];

const runtimeExports = [
  ...['__rz_monitor_start', '__rz_heap_start_at', '__rz_depth', '__rz_heap_start', '__rz_heap_top'],
  ...['__rz_callee', '__rz_flush', '__rz_range_allowed', '__rz_word_at', '__rz_next_count'],
  '__rz_without_memory',
  ...['__rz_marking', '__rz_watched', '__rz_cut_marked', '__rz_library_settings'],
  '__rz_calls_start',
  ...['__rz_stack_mark', '__rz_stack_limit', '__rz_heap_mark', '__rz_heap_allowed'],
  ...['__rz_allocations_allowed', '__rz_depth_limit'],
];

/**
 * Passes that are turned off for instrumented code (docs/decisions/0060). Unrolled loops cost
 * compile time and run no faster. Strength reduction introduces a variable for each address of the
 * fast loop, and another one for each address at which the checked loop would continue.
 */
const leftOut = ['-fno-unroll-loops', '-mllvm', '-disable-lsr'];

/**
 * In instructions before instrumentation. clang takes one or two seconds for a part of this size.
 */
export const largestPart = 3000;

/** Builds a program without instrumentation; `isBridged` is passed to `buildPlain`. */
export function buildUnchecked(
  reading: ReadOptions,
  isBridged: boolean,
  kept: KeptPrograms,
  control: RunControl,
): Promise<BuiltProgram> {
  return buildKept(reading, kept, control, async modules => {
    control.onEvent?.({ kind: 'phase', text: 'linking' });
    const toolchain = await sharedToolchain(reading.clang);
    return { binary: await buildPlain(toolchain, modules, isBridged, control.signal), files: [] };
  });
}

/** Builds an instrumented program. */
export function buildChecked(
  reading: ReadOptions,
  plan: BuildPlan,
  kept: KeptPrograms,
  control: RunControl,
): Promise<BuiltProgram> {
  const warningsOf = (modules: readonly Module[]): Diagnostic[] =>
    unknownFunctions(plan.labels?.rules ?? [], modules);
  const build = (modules: readonly Module[]): Promise<BuiltProgram> =>
    instrumentedProgram(modules, reading.clang, plan, control);
  return buildKept(reading, kept, control, build, warningsOf);
}

/** Builds a program and stores it in the cache. */
async function buildKept(
  reading: ReadOptions,
  kept: KeptPrograms,
  control: RunControl,
  build: (modules: readonly Module[]) => Promise<BuiltProgram>,
  warningsOf: (modules: readonly Module[]) => Diagnostic[] = () => [],
): Promise<BuiltProgram> {
  const texts: string[] = [];
  const warnings: Diagnostic[] = [];
  let isForeseen = true;
  const onIr = (text: string): void => void texts.push(text);
  const onUnforeseen = (): void => {
    isForeseen = false;
  };
  const onEvent = (event: RunEvent): void => {
    if (event.kind === 'warning') warnings.push(event.diagnostic);
    control.onEvent?.(event);
  };
  const modules = await readModules({ ...reading, onIr, onUnforeseen }, { ...control, onEvent });
  for (const diagnostic of warningsOf(modules)) onEvent({ kind: 'warning', diagnostic });
  const names = modules.map(module => module.file);
  const key = kept.keyOfProgram(names, texts);
  const known = kept.get(key);
  const program = known ?? (await build(modules));
  if (known === undefined) kept.put(key, program);
  if (isForeseen) kept.remember(key, warnings);
  return program;
}

/**
 * Instruments the program and each member of the library as separate objects. The objects of
 * library members do not depend on the program, so they come from the cache when the program
 * changes. So do the parts of a large program that a change does not affect.
 */
async function instrumentedProgram(
  modules: readonly Module[],
  clang: string | undefined,
  plan: BuildPlan,
  control: RunControl,
): Promise<BuiltProgram> {
  const { signal, onEvent } = control;
  insertChecks(modules, plan);
  onEvent?.({ kind: 'phase', text: 'linking' });
  const toolchain = await sharedToolchain(clang);
  const calledByFuzzer = plan.fuzz ? takeFuzzHooks(modules) : [];
  const { program, members, library } = await linkForChecks(toolchain, modules, calledByFuzzer, signal);
  onEvent?.({ kind: 'phase', text: 'instrumenting' });
  forgiveUnusedResults(program);
  const needs = needsOf(program, plan);
  const runtime = runtimeFilesFor(program, plan, needs, calledByFuzzer);
  const compared = functionsToCompare(program).flatMap(name => librarySymbols().get(name) ?? []);
  const comparedMembers = [...new Set(compared)].filter(name => members.includes(name));
  listOtherFunctions(program, await library.modules(comparedMembers));
  if (needs.hasFrames) hookWrites(program);
  const { recipe, instrumentMember } = memberInstrumentation(plan, needs);
  // clang compiles them while the program is instrumented.
  const compilingMembers = library.objects(members, recipe, instrumentMember, leftOut);
  const probes = plan.fuzz && insertProbes(program);
  const id = idOf(['program', ...modules.map(module => module.file)]);
  const instrumentation = programInstrumentation(plan, needs, id);
  const kept = plan.speed === 'quick' && !plan.fuzz ? Cache.ofUser() : undefined;
  const instrumented = instrument(program, instrumentation, kept);
  const { sites, hooks } = instrumented;
  if (probes) instrumented.code.forEach(nameProbes);
  const [ofMembers, ofProgram, ofRuntime] = await Promise.all([
    compilingMembers,
    compiledParts(toolchain, instrumented, plan.speed, control),
    toolchain.compileRuntimeObjects(runtime, { flags: ['-O2'], signal }),
  ]);
  onEvent?.({ kind: 'phase', text: 'linking objects' });
  const objects = [
    ...ofProgram.map(valueOrThrow),
    ...ofMembers.flatMap(member => member.objects),
    ...ofRuntime.map(valueOrThrow),
  ];
  const objectSites: ObjectSites[] = [...sites, ...ofMembers.map(member => member.notes)];
  const named = objectSites.flatMap(object => object.sites.filter(site => !site.inLibrary));
  const { threads, races, labels, tracksInit } = needs;
  return {
    binary: await linkedBinary(toolchain, objects, plan, needs, signal),
    sites: new TextEncoder().encode(JSON.stringify(objectSites)),
    files: [...new Set(named.map(site => site.location.file))],
    tracksInit,
    ...(threads && { threads: { races } }),
    ...(labels && { hasLabels: true }),
    ...(plan.hooks && { hooks }),
    ...(probes && { fuzz: { ...targetNotes(program, calledByFuzzer), probes } }),
  };
}

function targetNotes(program: Module, calledByFuzzer: readonly string[]): TargetNotes {
  const hasStart = calledByFuzzer.includes('LLVMFuzzerInitialize');
  return { isTarget: calledByFuzzer.length > 0, hasStart, hasThreads: createsThreads(program) };
}

function createsThreads(program: Module): boolean {
  return program.functions.some(({ name }) => threadCreators.has(name));
}

/** The checks that are passes over the modules before they are linked. */
function insertChecks(modules: readonly Module[], { checks, canGoOn: continues }: BuildPlan): void {
  // Beyond this size clang would run out of memory or take minutes.
  const available = `under \`check\` a program has ${clientEnd / 2 ** 30} GiB for globals, stack and heap`;
  refuseLargeGlobals(modules, clientEnd - stackBytes, available);
  if (!continues) makeChecksFatal(modules);
  if (checks.has('undefined')) modules.forEach(allowInfiniteHalves);
  if (checks.has('spatial')) modules.forEach(checkInnerArrays);
  if (checks.has('undefined')) modules.forEach(checkFarPointers);
  if (checks.has('alignment')) modules.forEach(checkAssumedAlignment);
  if (checks.has('restrict')) modules.forEach(markRestrictLocals);
  if (checks.has('null-offset')) modules.forEach(checkNullOffsets);
}

async function linkForChecks(
  toolchain: Toolchain,
  modules: readonly Module[],
  hooks: readonly string[],
  signal: AbortSignal | undefined,
): Promise<SeparateProgram> {
  const linked = {
    roots: ['__rz_start', ...hooks],
    library: 'engine',
    provided: hooks.length === 0 ? providedByRuntime : new Set([...providedByRuntime, mainWithoutParameters]),
    signal,
  } as const;
  return valueOrThrow(await linkSeparately(toolchain, modules, linked));
}

/** The parts of the runtime and of the instrumentation that a program needs by what it does. */
interface ProgramNeeds {
  readonly threads: boolean;
  readonly races: boolean;
  readonly labels: LabelOptions | undefined;
  readonly tracksInit: boolean;
  /** Functions have contracts that say what they may write. */
  readonly hasFrames: boolean;
}

function needsOf(program: Module, plan: BuildPlan): ProgramNeeds {
  const threads = plan.fuzz === undefined && createsThreads(program);
  const labels = labelsOfProgram(program, plan.labels);
  if (threads && labels !== undefined) refuseThreads();
  // The library of <redzone/temporal.h> has its table at the address of the race shadow.
  const isTemporal = program.functions.some(({ name }) => /^rz_(map|copy|clear|tvalid)/.test(name));
  return {
    threads,
    races: plan.checks.has('races') && !isTemporal,
    labels,
    tracksInit: asksForInitialisation(program),
    hasFrames: opensFrames(program),
  };
}

function runtimeFilesFor(
  program: Module,
  plan: BuildPlan,
  { threads, labels }: ProgramNeeds,
  calledByFuzzer: readonly string[],
): string[] {
  return [
    ...runtimeFiles,
    ...(threads ? threadFiles : []),
    ...(labels === undefined ? [] : [labelFile]),
    ...(usesAcsl(program) ? acslFiles : []),
    ...(plan.fuzz ? fuzzFiles(calledByFuzzer.length > 0) : []),
  ];
}

/** The options of the instrumentation that the program and the library have in common. */
function commonInstrumentation(plan: BuildPlan, { tracksInit }: ProgramNeeds) {
  return {
    temporal: plan.checks.has('temporal') || plan.onlyAcsl,
    init: plan.onlyAcsl ? tracksInit : plan.checks.has('init'),
    keepGoing: plan.canGoOn,
    optimise: plan.removesChecks,
    preAnalysis: plan.preAnalysis,
  };
}

function programInstrumentation(plan: BuildPlan, needs: ProgramNeeds, id: string): InstrumentOptions {
  const { threads, races, labels } = needs;
  return {
    ...commonInstrumentation(plan, needs),
    ...(plan.checks.has('alignment') && { alignment: true }),
    ...(plan.hooks && { hooks: { plan: plan.hooks, isLibrary: false } }),
    ...(plan.budgets?.stack && { watchesStack: true }),
    ...(plan.budgets?.depth && { watchesDepth: true }),
    id,
    largestPart,
    ...(plan.onlyAcsl && { annotationsOnly: true }),
    ...(threads && { threads, races }),
    ...(labels && { labels }),
    ...(plan.initGlobals && { initGlobals: true }),
  };
}

/** The instrumentation of library members, and a text that is equal where the objects are. */
function memberInstrumentation(plan: BuildPlan, needs: ProgramNeeds) {
  const { labels, hasFrames } = needs;
  const options = { ...commonInstrumentation(plan, needs), ...(labels && { labels: libraryLabels }) };
  // For the library only the existence of hooks for loads and stores matters, not which plug-in has
  // them.
  const hooks = plan.hooks && hooksLibrary(plan.hooks) ? libraryHooks(plan.hooks) : undefined;
  const recipe = JSON.stringify({
    ...options,
    hasFrames,
    ...(hooks && { hooks: [hooks.plan.load.length > 0, hooks.plan.store.length > 0] }),
  });
  const instrumentMember = (module: Module, name: string) => {
    if (hasFrames) hookLibraryWrites(module);
    giveWay(module);
    const { code, data, sites } = instrument(module, {
      ...options,
      id: idOf([name]),
      isLibrary: true,
      ...(hooks && { hooks }),
    });
    const parts = [...code, data].map(verified);
    return { ir: parts.map(writeModule), notes: { ...sites[0]!, isLibrary: true } };
  };
  return { recipe, instrumentMember };
}

/** Links the objects and lowers the result to what engines run. */
async function linkedBinary(
  toolchain: Toolchain,
  objects: readonly Uint8Array[],
  plan: BuildPlan,
  { threads, labels }: ProgramNeeds,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const binary = await linkObjects(toolchain, objects, {
    memory: 'import',
    stackBytes,
    initialMemoryBytes: memoryBytes,
    maximumMemoryBytes: memoryBytes,
    exports: [
      ...runtimeExports,
      ...(labels === undefined ? [] : labelExports),
      ...(plan.fuzz ? fuzzExports : []),
      ...(threads ? threadExports : []),
    ],
    keepsNothing: true,
    signal,
  });
  const lowered = lowerMemory64(valueOrThrow(binary));
  const isCold = (name: string): boolean =>
    isSlowPath(name) || hookImport(name)?.isAsked === true || (plan.fuzz === true && isSeldomCalled(name));
  // Inlined, the request for a window makes the loop after it half as fast (record 0254).
  const isApart = (name: string): boolean => name === mark || name === '__rz_first_window' || isCold(name);
  const inlined = plan.fuzz ? remembersWrites(lowered) : inlineCalls(lowered, isApart);
  // The monitor's own functions are called for each access, block or line of output.
  return addTierHints(addBranchHints(inlined, isCold), name => name.startsWith('__rz_'));
}

/** Compiles the parts of a program, each while the next one is written or emitted. */
async function compiledParts(
  toolchain: Toolchain,
  { code, parts, data }: InstrumentedModule,
  speed: BuildSpeed,
  { signal, onEvent }: RunControl,
): Promise<Outcome<Uint8Array>[]> {
  onEvent?.({ kind: 'phase', text: speed === 'quick' ? 'emitting' : 'optimising' });
  const turns = new Turns(signal);
  await turns.next();
  // For a program with a single part only the linked program is cached.
  const compiling = { flags: leftOut, keepsNothing: parts.length === 1, signal };
  const compile = (module: Module) => toolchain.compileIrToObject(writeModule(verified(module)), compiling);
  return speed === 'quick'
    ? emitParts(parts, data, compile, turns, onEvent)
    : Promise.all([...code, data].map(compile));
}

/**
 * Compiles objects with our own emitter; parts with unsupported constructs are compiled by LLVM.
 */
async function emitParts(
  parts: readonly InstrumentedPart[],
  data: Module,
  compile: (module: Module) => Promise<Outcome<Uint8Array>>,
  turns: Turns,
  onEvent: RunControl['onEvent'],
): Promise<Outcome<Uint8Array>[]> {
  const outcomes: (Outcome<Uint8Array> | Promise<Outcome<Uint8Array>>)[] = [];
  let left = 0;
  for (const part of [...parts, { kind: 'made', module: data, keep: () => undefined } as const]) {
    if (part.kind === 'kept') {
      outcomes.push(success(part.object));
      continue;
    }
    const emitted = emitModule(verified(part.module));
    await turns.next();
    if (emitted.kind === 'left to LLVM') left++;
    else part.keep(emitted.object);
    outcomes.push(emitted.kind === 'object' ? success(emitted.object) : compile(part.module));
  }
  if (left > 0)
    onEvent?.({
      kind: 'phase',
      text: `optimising ${left} of ${parts.length + 1} parts that are not emitted`,
    });
  return Promise.all(outcomes);
}

/** The labels of granules use the address range of the race shadow. */
function refuseThreads(): never {
  throw inputError(
    'labels are not followed in programs that create threads',
    'leave out --taint and --secret, or the threads',
  );
}

/** One rule of each kind is enough, because all rules of a kind call the same function. */
function libraryHooks(plan: HookPlan): NonNullable<InstrumentOptions['hooks']> {
  const none = { enter: [], return: [], before: [], after: [], branch: [], arithmetic: [] };
  return { isLibrary: true, plan: { ...none, shadows: [], load: plan.load, store: plan.store } };
}

/** The program's own definition of a C library function takes precedence over the library's. */
function giveWay(member: Module): void {
  for (const global of [...member.functions, ...member.variables])
    if (global.linkage === 'external' && !isDeclaration(global)) global.linkage = 'weak_odr';
}

/** The functions of a target that libFuzzer calls. */
const fuzzHooks = [
  'LLVMFuzzerTestOneInput',
  'LLVMFuzzerInitialize',
  'LLVMFuzzerCustomMutator',
  'LLVMFuzzerCustomCrossOver',
];

/** The name that clang gives to `int main(void)`. */
const mainWithoutParameters = '__main_void';

/**
 * The libFuzzer functions that the program defines; none if it is an ordinary program with a
 * `main`. The `main` of a fuzz target is removed.
 */
function takeFuzzHooks(modules: readonly Module[]): string[] {
  const defined = new Set(
    modules.flatMap(({ functions }) =>
      functions.flatMap(({ name, blocks }) => (blocks.length > 0 ? [name] : [])),
    ),
  );
  const hooks = fuzzHooks.filter(name => defined.has(name));
  if (hooks[0] !== fuzzHooks[0]) return [];
  for (const module of modules)
    module.functions = module.functions.filter(({ name }) => name !== mainWithoutParameters);
  return hooks;
}

/** A prefix that keeps the hidden symbols of instrumented objects distinct. */
function idOf(texts: readonly string[]): string {
  return contentHash(texts).slice(0, 16);
}

/** Returns the same module after passing it to the observer, if there is one. */
function verified(module: Module): Module {
  if (verifiesIr()) requireValid(verifyModule(module));
  return module;
}

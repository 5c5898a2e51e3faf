/**
 * How `check` is put together:
 *
 * ```
 *   C ──front──▶ one IR module ──monitor──▶ instrumented IR ──front──▶ wasm64 ──wasm──▶ wasm ──▶ run in a worker
 * ```
 */
import type { Finding } from '../findings/finding.js';
import { type RunReport, verdictOf } from '../findings/report.js';
import { linkObjects } from '../front/build.js';
import { valueOrThrow } from '../front/outcome.js';
import { linkSeparately } from '../front/program.js';
import type { Toolchain } from '../front/toolchain.js';
import type { Module } from '../ir/model.js';
import { writeModule } from '../ir/writer.js';
import { instrument } from '../monitor/instrument/instrument.js';
import { isSlowPath } from '../monitor/instrument/runtime.js';
import type { RunEventMessage, RunRequest, RunResult } from '../monitor/run/run.js';
import type { ObjectSites } from '../monitor/sites.js';
import { arithmeticFlags, handlerNames } from '../monitor/undefined-arithmetic.js';
import { contentHash, workingFolder } from '../platform/files.js';
import { ownEnvironment } from '../platform/node.js';
import { startTask, type Task } from '../platform/task.js';
import { addBranchHints } from '../wasm/branch-hints.js';
import { lowerMemory64 } from '../wasm/lower.js';
import type { CheckOptions } from './check.js';
import type { RunControl } from './control.js';
import { readModules } from './program.js';
import { sharedToolchain } from './shared-toolchain.js';

/** What the program and the C library find in the monitor's runtime instead of in the library. */
const providedByRuntime: ReadonlySet<string> = new Set([
  ...['malloc', 'calloc', 'realloc', 'reallocarray', 'free', 'aligned_alloc', 'memalign', 'valloc'],
  ...['posix_memalign', 'malloc_usable_size'],
  ...handlerNames,
]);

const runtimeFiles = ['objects', 'check', 'range', 'heap', 'calls'].map(name => `/redzone/monitor/${name}.c`);

const runtimeExports = [
  ...['__rz_monitor_start', '__rz_heap_start_at', '__rz_depth', '__rz_heap_start', '__rz_heap_top'],
  '__rz_allocations',
];

const stackBytes = 8 << 20;
const memoryBytes = 2 ** 32;

export async function runCheck(options: CheckOptions, control: RunControl): Promise<RunReport> {
  const start = performance.now();
  const toolchain = await sharedToolchain(options.clang);
  const built = await build(toolchain, options, control);
  const compileMs = performance.now() - start;

  control.onEvent?.({ kind: 'phase', text: 'running' });
  const findings: Finding[] = [];
  const task = startTask<RunRequest, RunEventMessage, RunResult>(
    'monitor/run/run-worker',
    requestFor(options, built),
    { onEvent: ({ finding }) => findings.push(finding), stackMegabytes: 256 },
  );
  const { result, stopped } = await untilStopped(task, options.maxTimeMs, control.signal);
  const stats = {
    wallMs: performance.now() - start,
    compileMs,
    ...(result === undefined ? {} : { runMs: result.runMs, allocations: result.allocations }),
  };
  return {
    schema: 1,
    command: 'check',
    verdict: verdictOf(findings, stopped === undefined),
    ...(stopped === undefined ? {} : { summary: stopped }),
    findings,
    ...(result?.program === undefined ? {} : { program: result.program }),
    stats,
  };
}

interface BuiltProgram {
  readonly binary: Uint8Array;
  /** Absent without instrumentation. */
  readonly objects?: readonly ObjectSites[];
}

async function build(
  toolchain: Toolchain,
  options: CheckOptions,
  control: RunControl,
): Promise<BuiltProgram> {
  const flags = options.noChecks ? [] : arithmeticFlags(options.keepGoing ?? false);
  const clangFlags = [...(options.clangFlags ?? []), ...flags];
  const modules = await readModules({ ...options, clangFlags }, control);
  control.onEvent?.({ kind: 'phase', text: 'linking' });
  return options.noChecks
    ? buildPlain(toolchain, modules, control.signal)
    : buildInstrumented(toolchain, modules, options, control);
}

/** The program as it is, on the library without an engine. */
async function buildPlain(
  toolchain: Toolchain,
  modules: readonly Module[],
  signal: AbortSignal | undefined,
): Promise<BuiltProgram> {
  const linked = { roots: ['__rz_start'], library: 'plain', signal } as const;
  const { program, members } = valueOrThrow(await linkSeparately(toolchain, modules, linked));
  const parts = [program, ...members].map(writeModule);
  const objects = await toolchain.compileIrToObjects(parts, { signal });
  const binary = await linkObjects(toolchain, objects.map(valueOrThrow), {
    memory: 'import',
    stackBytes,
    maximumMemoryBytes: memoryBytes,
    signal,
  });
  return { binary: lowerMemory64(valueOrThrow(binary)) };
}

/**
 * The program and the members of the library, each instrumented as an object of its own, so that the objects of the
 * library are found in the cache when the program changes.
 */
async function buildInstrumented(
  toolchain: Toolchain,
  modules: readonly Module[],
  options: CheckOptions,
  { signal, onEvent }: RunControl,
): Promise<BuiltProgram> {
  const linked = { roots: ['__rz_start'], library: 'engine', provided: providedByRuntime, signal } as const;
  const { program, members } = valueOrThrow(await linkSeparately(toolchain, modules, linked));
  onEvent?.({ kind: 'phase', text: 'instrumenting' });
  const instrumented = [program, ...members].map(module =>
    instrument(module, {
      id: contentHash([writeModule(module)]).slice(0, 16),
      temporal: true,
      init: true,
      keepGoing: options.keepGoing ?? false,
      optimise: true,
    }),
  );
  onEvent?.({ kind: 'phase', text: 'building' });
  const parts = instrumented.flatMap(({ code, data }) => [writeModule(code), writeModule(data)]);
  const objects = [
    ...(await toolchain.compileIrToObjects(parts, { signal })),
    ...(await toolchain.compileRuntimeObjects(runtimeFiles, { flags: ['-O2'], signal })),
  ].map(valueOrThrow);
  const binary = await linkObjects(toolchain, objects, {
    memory: 'import',
    stackBytes,
    initialMemoryBytes: memoryBytes,
    maximumMemoryBytes: memoryBytes,
    exports: runtimeExports,
    signal,
  });
  const lowered = lowerMemory64(valueOrThrow(binary));
  return { binary: addBranchHints(lowered, isSlowPath), objects: instrumented.map(({ sites }) => sites) };
}

function requestFor(options: CheckOptions, built: BuiltProgram): RunRequest {
  const [first] = options.inputs;
  const name = typeof first === 'string' ? first : (first?.name ?? 'program');
  return {
    binary: built.binary,
    ...(built.objects === undefined ? {} : { objects: built.objects }),
    arguments: [name.replace(/\.(c|ll)$/, ''), ...(options.arguments ?? [])],
    environment: options.environment ?? ownEnvironment(),
    folders: options.folders ?? [workingFolder()],
    stdoutToStderr: options.stdoutToStderr ?? false,
    trackInit: true,
    keepGoing: options.keepGoing ?? false,
    quarantineBytes: options.quarantineBytes ?? 16 << 20,
    maximumHeapBytes: options.maxMemoryBytes ?? 1 << 30,
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

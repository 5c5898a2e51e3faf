/**
 * How `check` is put together:
 *
 * ```
 *   C ──front──▶ one IR module ──monitor──▶ instrumented IR ──front──▶ wasm64 ──wasm──▶ wasm ──▶ run in a worker
 * ```
 */
import type { Finding } from '../findings/finding.js';
import { type RunReport, verdictOf } from '../findings/report.js';
import { buildWasm, linkObjects } from '../front/build.js';
import { valueOrThrow } from '../front/outcome.js';
import { linkProgram } from '../front/program.js';
import type { Toolchain } from '../front/toolchain.js';
import type { Module } from '../ir/model.js';
import { writeModule } from '../ir/writer.js';
import { instrument } from '../monitor/instrument/instrument.js';
import { isSlowPath } from '../monitor/instrument/runtime.js';
import type { RunEventMessage, RunRequest, RunResult } from '../monitor/run/run.js';
import type { ObjectSites } from '../monitor/sites.js';
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
]);

const runtimeFiles = ['objects', 'check', 'range', 'heap', 'calls'].map(name => `/redzone/monitor/${name}.c`);

const runtimeExports = [
  ...['__rz_monitor_start', '__rz_heap_start_at', '__rz_depth', '__rz_heap_start', '__rz_heap_top'],
  '__rz_allocations',
];

/** Code generated for setjmp: docs/decisions/0007. */
const objectFlags = ['-mllvm', '-wasm-enable-sjlj', '-exception-model=wasm'];

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
  const { signal } = control;
  const module = await linkedProgram(toolchain, options, control, options.noChecks ? 'plain' : 'engine');
  if (options.noChecks) {
    control.onEvent?.({ kind: 'phase', text: 'building' });
    const binary = valueOrThrow(
      await buildWasm(toolchain, writeModule(module), {
        memory: 'import',
        stackBytes,
        maximumMemoryBytes: memoryBytes,
        signal,
      }),
    );
    return { binary: lowerMemory64(binary) };
  }
  control.onEvent?.({ kind: 'phase', text: 'instrumenting' });
  const { code, data, sites } = instrument(module, {
    id: contentHash([writeModule(module)]).slice(0, 16),
    temporal: true,
    init: false,
    keepGoing: options.keepGoing ?? false,
    optimise: true,
  });
  control.onEvent?.({ kind: 'phase', text: 'building' });
  const objects: Uint8Array[] = [];
  for (const part of [code, data])
    objects.push(
      valueOrThrow(await toolchain.compileIrToObject(writeModule(part), { flags: objectFlags, signal })),
    );
  for (const outcome of await toolchain.compileRuntimeObjects(runtimeFiles, { flags: ['-O2'], signal }))
    objects.push(valueOrThrow(outcome));
  const binary = valueOrThrow(
    await linkObjects(toolchain, objects, {
      memory: 'import',
      stackBytes,
      initialMemoryBytes: memoryBytes,
      maximumMemoryBytes: memoryBytes,
      exports: runtimeExports,
      signal,
    }),
  );
  return { binary: addBranchHints(lowerMemory64(binary), isSlowPath), objects: [sites] };
}

/** The user's files and what they need of the library, in one module. */
async function linkedProgram(
  toolchain: Toolchain,
  options: CheckOptions,
  control: RunControl,
  library: 'engine' | 'plain',
): Promise<Module> {
  const modules = await readModules(options, control);
  const provided = library === 'engine' ? { provided: providedByRuntime } : {};
  return valueOrThrow(
    await linkProgram(toolchain, modules, {
      roots: ['__rz_start'],
      library,
      ...provided,
      signal: control.signal,
    }),
  );
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
    trackInit: false,
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

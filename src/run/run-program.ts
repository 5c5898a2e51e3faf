/**
 * Runs a program: its wasm code runs in this thread, on a host. A program without instrumentation
 * runs directly; an instrumented one runs under the monitor (`monitored-run.ts`).
 *
 * Every end of the program is returned as data: its exit status, a finding, or both. Any other
 * exception is an internal error and is rethrown.
 */
import { InputError } from '../findings/diagnostic.js';
import { EmittedOutput } from '../host/emitted-output.js';
import type { Host } from '../host/host.js';
import { recordedHost } from '../host/host-log.js';
import { ModelHost } from '../host/model-host.js';
import { RealHost } from '../host/real-host.js';
import { bytesInput, InheritedOutput, type InputStream } from '../host/standard-streams.js';
import { type MakeHeap, MonitoredRun } from '../monitor/run/monitored-run.js';
import type { RunEventMessage, RunRequest, RunResult } from '../monitor/run/run-request.js';
import type { ObjectSites } from '../monitor/sites.js';
import { type CompiledProgram, compileProgram } from '../platform/compiled-program.js';
import { importDefault } from '../platform/load-module.js';
import { builtIn } from '../plugins/built-in.js';
import type { LoadedPlugin } from '../plugins/hook-plan.js';
import type { Plugin } from '../plugins/plugin.js';
import { importedMemoryPages, longestFunction } from '../wasm/sections.js';
import { type Segment, shareMemory } from '../wasm/share-memory.js';

export async function runProgram(
  request: RunRequest,
  emit: (event: RunEventMessage) => void,
  afterwards: (action: () => void) => void,
): Promise<RunResult> {
  const shared = request.threads === undefined ? undefined : shareMemory(request.binary);
  const binary = shared?.binary ?? request.binary;
  const compiled = compileProgram(binary, longestFunction(binary));
  const compiling = compiled.then(({ module }) => module);
  const streams = streamsOf(request, emit);
  const { stdout } = streams;
  const { test } = request;
  const host = hostFor(request, streams);
  let result: RunResult;
  try {
    const { sites, hostLog } = request;
    const answering = hostLog === undefined ? host : recordedHost(host, hostLog);
    result = await (sites === undefined
      ? runUnchecked(request, answering, compiling)
      : runChecked(request, sites, answering, emit, compiling, shared?.segments));
  } finally {
    if (test !== undefined && host instanceof ModelHost && !test.isSilent) passOn(host, streams);
  }
  keepCode(await compiled, request, result, afterwards);
  const refused = host instanceof RealHost ? host.refused : undefined;
  return {
    ...result,
    ...(refused === undefined ? {} : { refused }),
    ...(test !== undefined && host instanceof ModelHost && { inputs: host.inputDifferences }),
    ...(stdout.isLineOpen && request.stdio !== 'inherit-stderr' ? { leavesLineOpen: true } : {}),
  };
}

/** Shorter runs gain little: a test suite has hundreds of them. */
const shortestKeptMs = 50;

/** A bound in case a thread of something else runs on. */
const mostWaitedMs = 60_000;

/** Saves the code of the program when its result has been told. */
function keepCode(
  compiled: CompiledProgram,
  { ownsProcess }: RunRequest,
  { runProcessorMs }: RunResult,
  afterwards: (action: () => void) => void,
): void {
  if (runProcessorMs < shortestKeptMs) return;
  afterwards(() => compiled.keep(ownsProcess ? mostWaitedMs : 0));
}

async function runChecked(
  request: RunRequest,
  sites: Uint8Array,
  host: Host,
  emit: (event: RunEventMessage) => void,
  compiling: Promise<WebAssembly.Module>,
  segments: readonly Segment[] | undefined,
): Promise<RunResult> {
  const makeHeap = await outsideHeap(request);
  const objects = JSON.parse(new TextDecoder().decode(sites)) as ObjectSites[];
  const plugins = request.plugins && {
    ...request.plugins,
    plugins: await Promise.all(request.plugins.modules.map(loaded)),
  };
  try {
    return new MonitoredRun(request, objects, host, emit, makeHeap, segments, plugins).run(await compiling);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    emit({ kind: 'failure', diagnostics: error.diagnostics });
    return { suppressed: 0, repeats: 0, outOfMemory: false, allocations: 0, runMs: 0, runProcessorMs: 0 };
  }
}

/** The main thread has already validated the plug-in. */
async function loaded({ specifier, url }: { specifier: string; url: string }): Promise<LoadedPlugin> {
  return { specifier, plugin: (await builtIn(specifier)) ?? ((await importDefault(url)) as Plugin) };
}

/** The mallocs in TypeScript are large and rarely used, so they are loaded on demand. */
async function outsideHeap({ malloc, seed }: RunRequest): Promise<MakeHeap | undefined> {
  if (malloc === undefined) return undefined;
  const { OutsideHeap } = await import('../monitor/run/outside-heap.js');
  return (memory, range) => new OutsideHeap(memory, range, malloc, seed);
}

async function runUnchecked(
  request: RunRequest,
  host: Host,
  compiling: Promise<WebAssembly.Module>,
): Promise<RunResult> {
  const { runRaw } = await import('./raw-run.js');
  return runRaw(await compiling, host, { ...request, pages: importedMemoryPages(request.binary) });
}

/** What the program wrote on the modelled host becomes visible when it has ended. */
function passOn(host: ModelHost, { stdout, stderr }: Streams): void {
  stdout.write(host.stdout, 0, host.stdout.length);
  stderr.write(host.stderr, 0, host.stderr.length);
}

/** Standard streams. Without an input, the program reads that of this process. */
interface Streams {
  readonly stdin?: InputStream;
  readonly stdout: InheritedOutput | EmittedOutput;
  readonly stderr: InheritedOutput | EmittedOutput;
}

function streamsOf(
  { stdio, stdin = new Uint8Array(), unread, echoes }: RunRequest,
  emit: (event: RunEventMessage) => void,
): Streams {
  if (stdio === 'events') {
    const emitted = (stream: 'stdout' | 'stderr'): EmittedOutput =>
      new EmittedOutput(unread, bytes => emit({ kind: 'output', stream, bytes }));
    return { stdin: bytesInput(stdin), stdout: emitted('stdout'), stderr: emitted('stderr') };
  }
  const echo = (stream: 'stdout' | 'stderr'): ((bytes: Uint8Array) => void) | undefined =>
    echoes ? firstBytes(bytes => emit({ kind: 'output', stream, bytes, isShown: true })) : undefined;
  const stdout =
    stdio === 'inherit'
      ? new InheritedOutput(1, undefined, echo('stdout'))
      : new InheritedOutput(2, false, echo('stdout'));
  return { stdout, stderr: new InheritedOutput(2, undefined, echo('stderr')) };
}

/** The largest number of bytes that are repeated as events. */
const mostEchoed = 64 << 10;

function firstBytes(tell: (bytes: Uint8Array) => void): (bytes: Uint8Array) => void {
  let left = mostEchoed;
  return bytes => {
    if (left > 0) tell(bytes.subarray(0, left).slice());
    left -= bytes.length;
  };
}

/**
 * The real machine, confined to some folders; for a test, the model for which the test was made.
 */
function hostFor(request: RunRequest, streams: Streams): RealHost | ModelHost {
  const { folders, environment, children, allowsNetwork, test } = request;
  if (test !== undefined)
    return new ModelHost({ arguments: request.arguments, environment, seed: request.seed, ...test });
  return new RealHost({
    arguments: request.arguments,
    environment,
    folders,
    children,
    allowsNetwork,
    ...streams,
  });
}

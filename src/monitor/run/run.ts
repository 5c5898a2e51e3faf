/**
 * Runs a program: wasm in this thread, the host below it. A program that is not instrumented runs as it is; one
 * that is, under the monitor (`monitored-run.ts`).
 *
 * Whatever the program does ends here as data: its exit status, a finding, or both. An exception that is not one of
 * the expected ends is a defect of ours and leaves as such.
 */
import { bindHost } from '../../host/bind.js';
import { ProgramEnd, plainEngine } from '../../host/plain-engine.js';
import { RealHost } from '../../host/real-host.js';
import { inheritedOutput } from '../../host/standard-streams.js';
import { enableBranchHints } from '../../platform/node.js';
import { memoryPages } from '../memory-map.js';
import { MonitoredRun } from './monitored-run.js';
import type { RunEventMessage, RunRequest, RunResult } from './request.js';

export async function runProgram(
  request: RunRequest,
  emit: (event: RunEventMessage) => void,
): Promise<RunResult> {
  enableBranchHints();
  const module = await WebAssembly.compile(request.binary as BufferSource);
  return request.objects === undefined
    ? new PlainRun(request).run(module)
    : new MonitoredRun(request, request.objects, hostFor(request), emit).run(module);
}

function hostFor(request: RunRequest): RealHost {
  const { folders, environment } = request;
  return new RealHost({
    arguments: request.arguments,
    environment,
    folders,
    ...(request.stdoutToStderr ? { stdout: inheritedOutput(2, false) } : {}),
  });
}

/** `--no-checks`: the same program, nothing watched. */
class PlainRun {
  constructor(private readonly request: RunRequest) {}

  run(module: WebAssembly.Module): RunResult {
    const memory = new WebAssembly.Memory({ initial: 256, maximum: memoryPages });
    const imports = { ...bindHost(hostFor(this.request), memory), ...plainEngine(memory) };
    const instance = new WebAssembly.Instance(module, {
      redzone: imports as WebAssembly.ModuleImports,
      env: { memory },
    });
    const program = instance.exports.__rz_start as () => void;
    const start = performance.now();
    const end = endOf(program);
    const runMs = performance.now() - start;
    return {
      program: {
        exit: end?.kind === 'exit' ? end.status : null,
        signal: end?.kind === 'abort' ? 'SIGABRT' : null,
      },
      outOfMemory: false,
      allocations: 0,
      runMs,
    };
  }
}

function endOf(run: () => void): ProgramEnd['end'] | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof ProgramEnd) return error.end;
    throw error;
  }
}

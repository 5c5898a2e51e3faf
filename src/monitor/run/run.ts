/**
 * Runs a program: wasm in this thread, the host below it. A program that is not instrumented runs as it is; one
 * that is, under the monitor (`monitored-run.ts`).
 *
 * Whatever the program does ends here as data: its exit status, a finding, or both. An exception that is not one of
 * the expected ends is a defect of ours and leaves as such.
 */
import { ModelHost } from '../../host/model-host.js';
import { RealHost } from '../../host/real-host.js';
import { inheritedOutput } from '../../host/standard-streams.js';
import { enableWasmHints } from '../../platform/node.js';
import { importedMemoryPages } from '../../wasm/sections.js';
import { MonitoredRun } from './monitored-run.js';
import { runRaw } from './raw-run.js';
import type { RunEventMessage, RunRequest, RunResult } from './request.js';

export async function runProgram(
  request: RunRequest,
  emit: (event: RunEventMessage) => void,
): Promise<RunResult> {
  enableWasmHints();
  const module = await WebAssembly.compile(request.binary as BufferSource);
  const host = hostFor(request);
  try {
    const result =
      request.objects === undefined
        ? runRaw(module, host, { ...request, pages: importedMemoryPages(request.binary) })
        : new MonitoredRun(request, request.objects, host, emit).run(module);
    const refused = host instanceof RealHost ? host.refused : undefined;
    return refused === undefined ? result : { ...result, refused };
  } finally {
    if (host instanceof ModelHost) passOn(host, request);
  }
}

/** What the program wrote on the model becomes visible when it has ended. */
function passOn({ stdout, stderr }: ModelHost, { stdoutToStderr }: RunRequest): void {
  inheritedOutput(stdoutToStderr ? 2 : 1, false).write(stdout, 0, stdout.length);
  inheritedOutput(2, false).write(stderr, 0, stderr.length);
}

/** The machine, confined; for a test, the model that the test was made on. */
function hostFor(request: RunRequest): RealHost | ModelHost {
  const { folders, environment, test } = request;
  if (test !== undefined) return new ModelHost({ arguments: request.arguments, environment, ...test });
  return new RealHost({
    arguments: request.arguments,
    environment,
    folders,
    ...(request.stdoutToStderr ? { stdout: inheritedOutput(2, false) } : {}),
  });
}

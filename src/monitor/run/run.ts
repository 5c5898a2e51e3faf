/**
 * Runs a program: wasm in this thread, the host below it. A program that is not instrumented runs as it is; one
 * that is, under the monitor (`monitored-run.ts`).
 *
 * Whatever the program does ends here as data: its exit status, a finding, or both. An exception that is not one of
 * the expected ends is a defect of ours and leaves as such.
 */
import { ModelHost } from '../../host/model-host.js';
import { RealHost } from '../../host/real-host.js';
import { InheritedOutput } from '../../host/standard-streams.js';
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
  const { stdoutToStderr } = request;
  const stdout = stdoutToStderr ? new InheritedOutput(2, false) : new InheritedOutput(1);
  const host = hostFor(request, stdout);
  let result: RunResult;
  try {
    result =
      request.objects === undefined
        ? runRaw(module, host, { ...request, pages: importedMemoryPages(request.binary) })
        : new MonitoredRun(request, request.objects, host, emit).run(module);
  } finally {
    if (host instanceof ModelHost && !request.test?.isSilent) passOn(host, stdout);
  }
  const refused = host instanceof RealHost ? host.refused : undefined;
  return {
    ...result,
    ...(refused === undefined ? {} : { refused }),
    ...(host instanceof ModelHost && { inputs: host.inputDifferences }),
    ...(stdout.isLineOpen && !stdoutToStderr ? { leavesLineOpen: true } : {}),
  };
}

/** What the program wrote on the model becomes visible when it has ended. */
function passOn(host: ModelHost, stdout: InheritedOutput): void {
  stdout.write(host.stdout, 0, host.stdout.length);
  new InheritedOutput(2).write(host.stderr, 0, host.stderr.length);
}

/** The machine, confined; for a test, the model that the test was made on. */
function hostFor(request: RunRequest, stdout: InheritedOutput): RealHost | ModelHost {
  const { folders, environment, test } = request;
  if (test !== undefined) return new ModelHost({ arguments: request.arguments, environment, ...test });
  return new RealHost({ arguments: request.arguments, environment, folders, stdout });
}

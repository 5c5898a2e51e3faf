/**
 * `redzone heap trace FILE... [-- ARGS]`: runs the program under the monitor and records every call
 * of malloc.
 */
import { check, describeTrace } from '../index.js';
import { type traceOptions, traceOutput } from '../options/heap-options.js';
import type { Invocation } from './invocation.js';
import { writeTo } from './print.js';
import { programOf, stdioOf } from './program-options.js';
import { runEngine } from './run-engine.js';

export async function run(invocation: Invocation<typeof traceOptions, typeof traceOutput>): Promise<number> {
  const { options, output, programArgs, io } = invocation;
  const program = await programOf(invocation);
  const file = output.outFile ?? traceOutput.outFile.default;
  let line = '';
  const onTrace = (trace: Uint8Array): void => {
    writeTo(file, trace);
    line = `${describeTrace(trace)}, written to ${file}\n`;
  };
  const exitCode = await runEngine(invocation, async control => {
    const report = await check(
      {
        ...options,
        ...program,
        arguments: programArgs,
        checks: options.noChecks ? undefined : ['spatial', 'temporal', 'init', 'undefined'],
        onTrace,
        // Without the monitor the trace has no source positions, and a malloc must be named so that
        // its calls can be recorded.
        malloc: options.noChecks ? 'ptmalloc2' : undefined,
        stdio: stdioOf(output),
        echoes: output.html !== undefined,
      },
      control,
    );
    return { ...report, command: 'heap' as const };
  });
  (output.json || output.quiet ? io.stderr : io.stdout).write(line);
  return exitCode;
}

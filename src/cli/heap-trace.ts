/** `redzone heap trace FILE... [-- ARGS]`: runs the program under the monitor and writes down every call of malloc. */
import { check, describeTrace } from '../index.js';
import { workingFolder } from '../platform/files.js';
import type { Invocation } from './invocation.js';
import { writeTo } from './print.js';
import { programOf } from './program-options.js';
import { runEngine } from './run-engine.js';

const defaultFile = 'heap.trace';

export async function run(invocation: Invocation): Promise<number> {
  const { options, programArgs, io } = invocation;
  const program = await programOf(invocation);
  const file = options.outFile ?? defaultFile;
  let line = '';
  const onTrace = (trace: Uint8Array): void => {
    writeTo(file, trace);
    line = `${describeTrace(trace)}, written to ${file}\n`;
  };
  const exitCode = await runEngine(invocation, async control => {
    const report = await check(
      {
        ...program,
        arguments: programArgs,
        folders: [workingFolder(), ...(options.dirs ?? [])],
        checks: ['spatial', 'temporal', 'init', 'undefined'],
        onTrace,
        // Without the monitor there are no places, and a malloc must be named for its calls to be seen.
        ...(options.noChecks && { noChecks: true, malloc: 'ptmalloc2' }),
        ...(options.json && { stdoutToStderr: true }),
      },
      control,
    );
    return { ...report, command: 'heap' };
  });
  (options.json || options.quiet ? io.stderr : io.stdout).write(line);
  return exitCode;
}

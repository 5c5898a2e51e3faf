/** `redzone run -- COMMAND` */
import { run as runProject } from '../index.js';
import type { projectOptions, projectOutput } from '../options/project-options.js';
import type { Invocation } from './invocation.js';
import { runEngine } from './run-engine.js';
import { UsageError } from './usage-error.js';

export async function run(
  invocation: Invocation<typeof projectOptions, typeof projectOutput>,
): Promise<number> {
  const { options, output, programArgs, operands } = invocation;
  if (programArgs.length === 0)
    throw new UsageError(
      'no command given',
      `write it after \`--\`: redzone run -- ${operands.length > 0 ? operands.join(' ') : 'make check'}`,
    );
  if (operands.length > 0) throw new UsageError(`'${operands[0]}' stands before \`--\``);
  return runEngine(invocation, control =>
    runProject({ ...options, command: programArgs, writesToStderr: output.json === true }, control),
  );
}

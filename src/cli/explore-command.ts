/** `redzone explore FILE... [-- ARGS]` */
import { explore } from '../index.js';
import type { exploreOptions, exploreOutput } from '../options/explore-options.js';
import type { Invocation } from './invocation.js';
import { programOf } from './program-options.js';
import { runEngine } from './run-engine.js';

const defaultFolder = 'redzone-out';

export async function run(
  invocation: Invocation<typeof exploreOptions, typeof exploreOutput>,
): Promise<number> {
  const { options, output, programArgs } = invocation;
  const details = output.html !== undefined;
  const program = await programOf(invocation);
  return runEngine(invocation, control =>
    explore(
      { folder: defaultFolder, ...options, ...program, arguments: programArgs, confirm: true, details },
      control,
    ),
  );
}

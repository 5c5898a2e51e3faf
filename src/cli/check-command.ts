/** `redzone check FILE... [-- ARGS]` */
import { check } from '../index.js';
import type { checkOptions, checkOutput } from '../options/check-options.js';
import type { Invocation } from './invocation.js';
import { writeTo } from './print.js';
import { programOf, stdioOf } from './program-options.js';
import { runEngine } from './run-engine.js';
import { UsageError } from './usage-error.js';

export async function run(invocation: Invocation<typeof checkOptions, typeof checkOutput>): Promise<number> {
  const { options, output, programArgs } = invocation;
  // With a build folder, `compile_commands.json` names the sources.
  const program =
    options.buildFolder === undefined || invocation.operands.length > 0
      ? await programOf(invocation)
      : { inputs: [] };
  if (options.buildFolder !== undefined && program.inputs.length > 0)
    throw new UsageError('-p cannot be combined with files');
  const stdio = stdioOf(output);
  const echoes = output.html !== undefined;
  const tellReachable = output.verbose === true;
  const { outDir } = output;
  const onSchedule = (text: string): void => {
    if (outDir !== undefined) writeTo(`${outDir}/schedule`, text, outDir);
  };
  return runEngine(invocation, control =>
    check(
      { ...options, ...program, arguments: programArgs, stdio, echoes, tellReachable, onSchedule },
      control,
    ),
  );
}

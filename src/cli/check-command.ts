/** `redzone check FILE... [-- ARGS]` */
import { check } from '../index.js';
import type { checkOptions, checkOutput } from '../options/check-options.js';
import type { Invocation } from './invocation.js';
import { writeTo } from './print.js';
import { programOf, stdioOf } from './program-options.js';
import { runEngine } from './run-engine.js';

export async function run(invocation: Invocation<typeof checkOptions, typeof checkOutput>): Promise<number> {
  const { options, output, programArgs } = invocation;
  const program = await programOf(invocation);
  const stdio = stdioOf(output);
  const tellReachable = output.verbose === true;
  const { outDir } = output;
  const onSchedule = (text: string): void => {
    if (outDir !== undefined) writeTo(`${outDir}/schedule`, text, outDir);
  };
  return runEngine(invocation, control =>
    check({ ...options, ...program, arguments: programArgs, stdio, tellReachable, onSchedule }, control),
  );
}

/** `redzone replay TEST FILE...` */
import { replay } from '../index.js';
import type { checkOutput, replayOptions } from '../options/check-options.js';
import type { Invocation } from './invocation.js';
import { programOf, stdioOf } from './program-options.js';
import { runEngine } from './run-engine.js';
import { UsageError } from './usage-error.js';

export async function run(invocation: Invocation<typeof replayOptions, typeof checkOutput>): Promise<number> {
  const { options, output } = invocation;
  const [test, ...files] = invocation.operands;
  if (test === undefined) throw new UsageError('no test given', 'name a .ktest file, then the program');
  const program = await programOf({ ...invocation, operands: files });
  const stdio = stdioOf(output);
  return runEngine(invocation, control => replay({ ...options, ...program, test, stdio }, control));
}

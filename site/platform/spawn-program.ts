/** `src/platform/spawn-program.ts` for a page, which starts no programs. */
import type { InheritedResult, ProgramOptions, ProgramResult } from '../../src/platform/spawn-program.js';

export type { InheritedResult, ProgramOptions, ProgramResult };

const reason = 'a page cannot start programs';

export async function runProgram(
  _path: string,
  _args: readonly string[],
  _options: ProgramOptions = {},
): Promise<ProgramResult> {
  return { kind: 'not-started', reason };
}

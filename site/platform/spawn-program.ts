/** `src/platform/spawn-program.ts` for a page, which starts no programs. */
import type { InheritedResult, ProgramResult, SpawnOptions } from '../../src/platform/spawn-program.js';

export type { InheritedResult, ProgramResult, SpawnOptions };

const reason = 'a page cannot start programs';

export async function runProgram(
  _path: string,
  _args: readonly string[],
  _options: SpawnOptions = {},
): Promise<ProgramResult> {
  return { kind: 'not-started', reason };
}

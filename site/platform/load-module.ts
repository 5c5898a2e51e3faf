/** `src/platform/load-module.ts` for a page, which has no plug-ins. */
import type { FoundModule, ModuleProblem } from '../../src/platform/load-module.js';

export type { FoundModule, ModuleProblem };

export async function findModule(_specifier: string, _folder: string): Promise<FoundModule> {
  return { kind: 'missing' };
}

export async function importDefault(url: string): Promise<unknown> {
  throw new Error(`a page loads no plug-ins: ${url}`);
}

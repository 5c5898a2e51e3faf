/** Runs the cases of `schedules.c`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ExploreReport, explore } from '../../src/index.js';

const source = join(import.meta.dirname, 'schedules.c');
const golden = join(import.meta.dirname, '../golden');

/** In the order of their numbers. */
export const cases: readonly string[] = /CASES\(([\s\S]*?)\)/
  .exec(readFileSync(source, 'utf8'))![1]!
  .split(',')
  .map(name => name.trim());

export const program: { readonly inputs: string[]; readonly clangFlags: string[] } = {
  inputs: [source],
  clangFlags: [`-I${golden}`],
};

interface Given {
  readonly isFixed?: boolean;
  readonly threads?: boolean;
  readonly folder?: string;
  readonly confirm?: boolean;
  readonly everySchedule?: boolean;
}

export function exploreCase(name: string, { isFixed = false, ...more }: Given = {}): Promise<ExploreReport> {
  return explore({
    ...program,
    clangFlags: [...program.clangFlags, ...(isFixed ? ['-DFIXED'] : [])],
    arguments: [String(cases.indexOf(name) + 1)],
    threads: true,
    ...more,
  });
}

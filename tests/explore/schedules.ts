/** Runs the cases of `schedules.c`. */
import { dirname } from 'node:path';
import { type ExploreReport, explore } from '../../src/index.js';
import { casesOf, golden, schedules } from '../check/textbook.js';

export const program: { readonly inputs: string[]; readonly clangFlags: string[] } = {
  inputs: [schedules],
  clangFlags: [`-I${dirname(golden)}`],
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
    arguments: [String(casesOf(schedules).indexOf(name) + 1)],
    threads: true,
    ...more,
  });
}

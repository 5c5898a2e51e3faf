/** What the subcommands of `heap` have in common. */
import { isMallocName, type MallocName, mallocNames } from '../index.js';
import { closestTo } from '../support/closest.js';
import { UsageError } from './arguments.js';
import type { ParsedOptions } from './option-table.js';

/** The mallocs that `--mallocs` lists; undefined without it. */
export function mallocsOf({ mallocs }: ParsedOptions): readonly MallocName[] | undefined {
  return mallocs?.split(',').map(name => {
    if (isMallocName(name)) return name;
    const guess = closestTo(name, mallocNames);
    throw new UsageError(
      `there is no malloc '${name}'`,
      guess === undefined ? `the mallocs are ${mallocNames.join(', ')}` : `did you mean ${guess}?`,
    );
  });
}

/**
 * Decides which explorations continue in rounds (`explore/search/rounds.ts`), and rejects options
 * that rounds do not support.
 */
import { inputError } from '../findings/diagnostic.js';
import { builtInChecks } from '../plugins/hook-plan.js';
import type { ExploreSettings } from './explore.js';

/**
 * The work after which a search continues in rounds, about one second. Shorter searches are not
 * divided.
 */
export const FIRST_WORK = 1_000_000;

export function isInRounds({ workers, queue }: Pick<ExploreSettings, 'workers' | 'queue'>): boolean {
  return workers !== undefined || queue !== undefined;
}

/** Throws InputError if an option is supported only by a single search. */
export function requireRounds(options: ExploreSettings): void {
  const refuse = (option: string, why: string): never => {
    const divided = options.queue === undefined ? '--workers' : '--queue';
    const message = `\`${option}\` cannot be combined with \`${divided}\`: ${why}`;
    throw inputError(message, 'leave one of the two out');
  };
  const { search, replayTree, threads, checks, external, plugins, dumpQueries, allocator } = options;
  if (search !== 'default' && search !== 'dfs')
    refuse(`--search ${search}`, 'it chooses among all live states, and a worker has only its own');
  if (replayTree !== undefined)
    refuse('--replay-tree', 'workers do not share the results of the earlier exploration');
  if (threads) refuse('--threads', 'the reduction of schedules works only in a single search');
  if (external.length > 0)
    refuse('--external', 'a native function may return different results to each worker');
  if (plugins.length > 0) refuse('--plugin', 'a plug-in must see all paths in one process');
  for (const check of builtInChecks)
    if (checks?.includes(check))
      refuse(`--checks ${check}`, 'it is a plug-in, which must see all paths in one process');
  if (dumpQueries !== undefined) refuse('--dump-queries', 'queries are made in several processes');
  if (allocator !== 'kdalloc')
    refuse(`--allocator ${allocator}`, 'addresses depend on what other paths allocate');
}

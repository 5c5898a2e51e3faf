/**
 * `src/platform/sync-service.ts` for a page. A worker of a page cannot start while the one that
 * starts it sleeps, so that there are no synchronous services: Z3 is not asked while exploring
 * (docs/decisions/0151).
 */
import type { SyncReply, SyncService } from '../../src/platform/sync-service.js';

export type { SyncReply, SyncService };

export const START_MILLISECONDS = 60_000;

export function startSyncService<Request, Reply>(module: string): SyncService<Request, Reply> {
  return {
    launch: () => undefined,
    isReadyWithin: () => false,
    call: () => {
      throw new Error(`${module} does not run in a page`);
    },
    close: () => undefined,
  };
}

export async function serveSync<Request, Reply>(
  _prepare: () => Promise<(request: Request) => Promise<Reply>>,
): Promise<void> {
  throw new Error('a page has no synchronous services');
}

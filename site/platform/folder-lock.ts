/** `src/platform/folder-lock.ts` for a page: no other process has its files. */
import type { FolderLock, LockResult } from '../../src/platform/folder-lock.js';

export type { FolderLock, LockResult };

export const lockFile = 'lock';

export function lockFolder(_folder: string): LockResult {
  return { kind: 'locked', lock: { release: () => undefined } };
}

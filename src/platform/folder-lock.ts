/**
 * A lock that gives a folder to one process: the file `lock` in it holds the process id.
 *
 *     lock    1234 81726354 myhost       process, when it was started (if known), machine
 *
 * A process that was killed leaves its lock behind. It is taken over if no process with that id
 * runs on this machine, or one that was started at another time. The state of a process on another
 * machine is unknown, so its lock stays until the user removes it.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';

export const lockFile = 'lock';

export interface FolderLock {
  release(): void;
}

export type LockResult =
  | { readonly kind: 'locked'; readonly lock: FolderLock }
  /** Another process owns the folder; `machine` if it is not this one. */
  | { readonly kind: 'owned'; readonly pid: number; readonly machine?: string };

/** Folders that this thread owns, for systems that do not report when a process was started. */
const ownFolders = new Set<string>();

/** Throws the system's error if the lock cannot be written. */
export function lockFolder(folder: string): LockResult {
  const path = `${folder}/${lockFile}`;
  const own = resolve(folder);
  const { pid } = process;
  const text = `${pid} ${startOf(pid) ?? '?'} ${hostname()}\n`;
  for (;;) {
    if (makeWhole(path, text)) break;
    const found = readIfAny(path);
    if (found === undefined) continue;
    const owner = ownerOf(found, ownFolders.has(own));
    if (owner !== undefined) return owner;
    takeAway(path, found);
  }
  ownFolders.add(own);
  let isReleased = false;
  return {
    kind: 'locked',
    lock: {
      release: () => {
        if (isReleased) return;
        isReleased = true;
        ownFolders.delete(own);
        if (readIfAny(path) === text) rmSync(path, { force: true });
      },
    },
  };
}

/** Creates a file atomically. Returns false if it exists. */
function makeWhole(path: string, text: string): boolean {
  const aside = `${path}.${process.pid}`;
  try {
    writeFileSync(aside, text);
    linkSync(aside, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!withoutLinks.has(code)) throw error;
    return makeInPlace(path, text);
  } finally {
    rmSync(aside, { force: true });
  }
}

/** The errors of file systems without hard links. */
const withoutLinks: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP']);

function makeInPlace(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The owner of the lock; undefined if its process has ended. */
function ownerOf(text: string, isOwn: boolean): Extract<LockResult, { kind: 'owned' }> | undefined {
  const [, number, start, machine] = /^(\d+) (\S+) (.*)\n$/.exec(text) ?? [];
  // A truncated lock belongs to a process that was killed while writing it.
  if (number === undefined) return undefined;
  const pid = Number(number);
  if (machine !== hostname()) return { kind: 'owned', pid, ...(machine !== undefined && { machine }) };
  if (!isRunning(pid)) return undefined;
  const now = startOf(pid);
  // An earlier process may have had the id of this one.
  const isSame = now === undefined ? pid !== process.pid || isOwn : now === start;
  return isSame ? { kind: 'owned', pid } : undefined;
}

/**
 * Removes the lock of a process that has ended. If another process has replaced it meanwhile, that
 * lock is restored.
 */
function takeAway(path: string, text: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (readIfAny(aside) !== text) linkSync(aside, path);
  } catch {
    // Another process was faster: the next attempt sees its lock.
  }
  rmSync(aside, { force: true });
}

function readIfAny(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * The start time of a process, in the system's own units; undefined if the system does not report
 * it.
 */
function startOf(pid: number): string | undefined {
  const fields = fieldsOf(pid);
  // A zombie does nothing more.
  return fields?.[0] === 'Z' ? 'ended' : fields?.[19];
}

/** Linux's fields about a process, after its name in parentheses, which may contain anything. */
function fieldsOf(pid: number): string[] | undefined {
  return readIfAny(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ');
}

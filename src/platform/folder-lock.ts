/**
 * One process owns a folder: it has made the file `lock` in it, which holds its number.
 *
 *     lock    1234 81726354 myhost       process, when it was started (if known), machine
 *
 * A process that was killed leaves its lock behind. It is taken over if no process of that number
 * runs on this machine, or one that was started at another time. Of a process of another machine
 * nothing can be known, so its lock stays until a person removes it.
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

/** Folders that this thread owns, where the system does not say when a process was started. */
const ownFolders = new Set<string>();

/** Throws what the system says if the lock cannot be written. */
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

/**
 * Makes a file of which no reader ever sees a half. Returns false if there is one of that name.
 */
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

/** What file systems answer that have no hard links. */
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

/** Whose lock this is; undefined if its process has ended. */
function ownerOf(text: string, isOwn: boolean): Extract<LockResult, { kind: 'owned' }> | undefined {
  const [, number, start, machine] = /^(\d+) (\S+) (.*)\n$/.exec(text) ?? [];
  // A lock that was cut while it was written is that of a process that was killed then.
  if (number === undefined) return undefined;
  const pid = Number(number);
  if (machine !== hostname()) return { kind: 'owned', pid, ...(machine !== undefined && { machine }) };
  if (!isRunning(pid)) return undefined;
  const now = startOf(pid);
  // An earlier process may have had the number of this one.
  const isSame = now === undefined ? pid !== process.pid || isOwn : now === start;
  return isSame ? { kind: 'owned', pid } : undefined;
}

/**
 * Removes the lock of a process that has ended. If another process has replaced it meanwhile, that
 * lock is put back.
 */
function takeAway(path: string, text: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (readIfAny(aside) !== text) linkSync(aside, path);
  } catch {
    // Another process was faster: the next attempt shows what it has left.
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

/** When a process was started, in the system's own units; undefined where it does not say. */
function startOf(pid: number): string | undefined {
  const fields = fieldsOf(pid);
  // One that has ended and that its parent has not asked for yet does nothing more.
  return fields?.[0] === 'Z' ? 'ended' : fields?.[19];
}

/** What Linux says of a process, behind its name in parentheses, which may hold anything. */
function fieldsOf(pid: number): string[] | undefined {
  return readIfAny(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ');
}

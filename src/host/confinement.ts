/**
 * The confinement of the real host: turns a path of the program into a path of the machine, or
 * refuses it.
 *
 * The folders that the user gave are *grants*. A path is walked component by component from `/` or
 * from the current folder, links are read and walked the same way, and the walk may only stand
 *
 *      on an ancestor of a grant   (known to be a plain folder: no system call is made there)
 *      inside a grant              (each component is looked at with lstat)
 *
 * Any other step is refused with EACCES before a system call is made for it, so a program cannot
 * even learn which names exist outside. The result is free of links, `.` and `..`.
 *
 *      /home/me/project        granted
 *      src/../../x        ──▶  /home/me/x            refused
 *      link -> /etc       ──▶  /etc                  refused (also when it dangles, and when it would be created)
 *      /home/me/project/a ──▶  /home/me/project/a    allowed
 *
 * A grant has two names: the real one, and the one that the program uses for it (`/tmp` may be
 * given as a private folder; `/var/x` may be a link to `/private/var/x`). Paths enter by the second
 * and are shown by it again.
 *
 * Invariants
 *   - Real names of grants are absolute, resolved by the machine's own realpath when the host is
 *     made.
 *   - `resolve` never returns a path outside every grant.
 *
 * Another process may swap a folder for a link between the walk and the use. Opening therefore
 * never follows a link in the last component and is checked again afterwards (`real-file.ts`); the
 * other calls are single operations on a resolved path. A prefix test on `path.resolve` would not
 * do: it knows nothing of links.
 */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { resolve as resolveLexically } from 'node:path';
import { attempt, errno, type Failure } from './errno.js';

export interface Grant {
  /** The program's name of the folder. */
  name: string;
  /** Its path on the machine. */
  real: string;
}

const mostLinks = 40;

export function grantFolder(folder: string): Grant {
  return { name: resolveLexically(folder), real: realpathSync(folder) };
}

/**
 * Whether a link in the last component is followed; a name that is to be created need not exist.
 */
export interface ResolveOptions {
  followLast: boolean;
}

export class Confinement {
  readonly #grants: Grant[];
  #current: string;

  /** Requires at least one grant; the first is the current folder. */
  constructor(grants: readonly Grant[]) {
    this.#grants = [...grants];
    this.#current = grants[0]!.real;
  }

  /** The current folder, as the program calls it. */
  get current(): string {
    return this.#shown(this.#current);
  }

  /** Requires a resolved path of a folder. */
  enter(real: string): void {
    this.#current = real;
  }

  add(grant: Grant): void {
    this.#grants.push(grant);
  }

  isGrant(real: string): boolean {
    return this.#grants.some(grant => grant.real === real);
  }

  contains(real: string): boolean {
    return this.#grants.some(grant => isWithin(real, grant.real));
  }

  /**
   * The real path that `path` means. Its last component may not exist, all the others are folders;
   * a path with a trailing slash follows its last link and must be a folder if it exists.
   */
  resolve(path: string, options: ResolveOptions): string | Failure {
    if (path === '') return -errno.ENOENT;
    if (path.includes('\0')) return -errno.EINVAL;
    const mustBeFolder = /\/\.?$/.test(path);
    const start = path.startsWith('/') ? '/' : this.#current;
    return this.#walk(start, path, options.followLast || mustBeFolder, mustBeFolder);
  }

  /** The target of a link with this text in the folder `real`. */
  resolveLink(text: string, folder: string): string | Failure {
    return this.#walk(text.startsWith('/') ? '/' : folder, text, true, false);
  }

  #walk(start: string, path: string, followLast: boolean, mustBeFolder: boolean): string | Failure {
    const pending = components(this.#entered(path)).reverse();
    let at = start;
    let links = 0;
    while (pending.length > 0) {
      const component = pending.pop()!;
      if (component === '..') {
        at = parentOf(at);
        continue;
      }
      const next = at === '/' ? `/${component}` : `${at}/${component}`;
      if (this.#isAboveGrant(next)) {
        at = next;
        continue;
      }
      if (!this.contains(next)) return -errno.EACCES;
      const isLast = pending.length === 0;
      const kind = kindOf(next);
      if (typeof kind === 'number') {
        if (kind === -errno.ENOENT && isLast) return next;
        return kind;
      }
      if (kind === 'link' && (!isLast || followLast)) {
        if (++links > mostLinks) return -errno.ELOOP;
        const target = attempt(() => readlinkSync(next));
        if (typeof target === 'number') return target;
        const text = this.#entered(target);
        pending.push(...components(text).reverse());
        if (text.startsWith('/')) at = '/';
        continue;
      }
      if (kind === 'other' && (!isLast || mustBeFolder)) return -errno.ENOTDIR;
      at = next;
    }
    return this.contains(at) ? at : -errno.EACCES;
  }

  /**
   * Replaces the name of a grant at the start of an absolute path by its real place; the longest
   * name counts.
   */
  #entered(path: string): string {
    let best: Grant | undefined;
    for (const grant of this.#grants) {
      if (isWithin(path, grant.name) && grant.name.length > (best?.name.length ?? 0)) best = grant;
    }
    return best ? best.real + path.slice(best.name.length) : path;
  }

  #shown(real: string): string {
    for (const grant of this.#grants) {
      if (isWithin(real, grant.real)) return grant.name + real.slice(grant.real.length);
    }
    return real;
  }

  /** The ancestor of a grant that the path names, lexically; undefined if it names none. */
  ancestorAt(path: string): string | undefined {
    const named = resolveLexically(this.#current, path);
    return this.#isAboveGrant(named) ? named : undefined;
  }

  #isAboveGrant(path: string): boolean {
    return this.#grants.some(grant => path !== grant.real && isWithin(grant.real, path));
  }
}

function components(path: string): string[] {
  return path.split('/').filter(component => component !== '' && component !== '.');
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

/** Both are absolute and free of `..`. */
function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

function kindOf(path: string): 'folder' | 'link' | 'other' | Failure {
  return attempt(() => {
    const stat = lstatSync(path);
    return stat.isSymbolicLink() ? 'link' : stat.isDirectory() ? 'folder' : 'other';
  });
}

/**
 * Programs that a program under test starts (`--allow-run`): `system`, `popen` and `posix_spawn`
 * wait for the end of the child, so this thread does.
 *
 * What the child writes is taken as bytes and written to the handle that the program chose, so a
 * child can write to files in memory, and to streams that are captured.
 */
import { spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { errno, failureOf } from './errno.js';

/** The additional environment variables of started programs. */
export interface Children {
  readonly environment: Readonly<Record<string, string>>;
  /** They are killed at this time of `Date.now()`. */
  readonly deadline: number | undefined;
}

export interface ChildOptions {
  readonly deadline: number | undefined;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin: Uint8Array | 'inherit';
}

export interface EndedChild {
  /** As `wait` has it. */
  readonly status: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

/** The largest size of the output. */
const most = 1 << 30;

/** `program` is the path, the name and the arguments. A failure is a negative errno. */
export function runToEnd(
  [path = '', name = path, ...args]: readonly string[],
  { folder, environment, stdin, deadline }: ChildOptions,
): EndedChild | number {
  const child = spawnSync(path, args, {
    argv0: name,
    cwd: folder,
    env: environment,
    maxBuffer: most,
    ...(deadline !== undefined && { timeout: Math.max(1, deadline - Date.now()), killSignal: 'SIGKILL' }),
    ...(stdin === 'inherit' ? { stdio: ['inherit', 'pipe', 'pipe'] } : { input: stdin }),
  });
  if (child.error !== undefined && child.status === null && child.signal === null)
    // EPERM means that no program may be started.
    return failureOf(child.error) === -errno.EPERM ? -errno.EACCES : failureOf(child.error);
  const signal = child.signal === null ? 0 : constants.signals[child.signal];
  return { status: ((child.status ?? 0) << 8) | signal, stdout: child.stdout, stderr: child.stderr };
}

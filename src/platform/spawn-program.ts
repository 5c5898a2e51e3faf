/** Runs a program of the machine (a system clang), its input and output as byte arrays. */
import { spawn } from 'node:child_process';
import { concatenate } from '../support/concatenate.js';
import { endProcesses } from './end-processes.js';

export interface SpawnOptions {
  readonly folder?: string;
  readonly stdin?: Uint8Array;
  /** Variables of the environment that it does not get. */
  readonly unset?: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

export type ProgramResult =
  | {
      readonly kind: 'exited';
      readonly exitCode: number;
      readonly stdout: Uint8Array;
      readonly stderr: string;
    }
  | { readonly kind: 'not-started'; readonly reason: string };

/** Rejects only when the signal aborts. A program that a signal ended counts as exit code 128. */
export function runProgram(
  path: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<ProgramResult> {
  const { folder, stdin, unset = [], signal } = options;
  return new Promise((resolve, reject) => {
    const stdout: Uint8Array[] = [];
    const stderr: Uint8Array[] = [];
    const child = spawn(path, args, {
      stdio: 'pipe',
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !unset.includes(name))),
      ...(folder === undefined ? {} : { cwd: folder }),
      ...(signal === undefined ? {} : { signal }),
    });
    child.stdout.on('data', (chunk: Uint8Array) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Uint8Array) => stderr.push(chunk));
    // A program may exit before it has read all its input; its exit code says what happened.
    child.stdin.on('error', () => {});
    child.stdin.end(stdin);
    child.on('error', error => {
      if (signal?.aborted) reject(signal.reason);
      else resolve({ kind: 'not-started', reason: whyNotStarted(error) });
    });
    child.on('close', code => {
      resolve({
        kind: 'exited',
        exitCode: code ?? 128,
        stdout: concatenate(stdout),
        stderr: new TextDecoder().decode(concatenate(stderr)),
      });
    });
  });
}

function whyNotStarted(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return 'no such program';
  return error.code === 'EACCES' ? 'it is not executable' : error.message;
}

export type InheritedResult =
  | { readonly kind: 'exited'; readonly exit: number | null; readonly signal: string | null }
  | { readonly kind: 'not-started'; readonly reason: string };

/**
 * Runs a command on our own streams. When the signal aborts, it ends the command with all that it
 * has started, and rejects.
 */
export function runInherited(
  [path = '', ...args]: readonly string[],
  options: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly writesToStderr: boolean;
    readonly signal: AbortSignal;
  },
): Promise<InheritedResult> {
  const { env, writesToStderr, signal } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, {
      stdio: ['inherit', writesToStderr ? 2 : 'inherit', 'inherit'],
      env,
    });
    const end = (): void => {
      if (child.pid !== undefined) endProcesses(child.pid);
      reject(signal.reason);
    };
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    child.on('error', error => resolve({ kind: 'not-started', reason: whyNotStarted(error) }));
    child.on('exit', (exit, killedBy) => {
      signal.removeEventListener('abort', end);
      resolve({ kind: 'exited', exit, signal: killedBy });
    });
  });
}

/**
 * The parts of its process that the command line uses: two outputs, standard input, the
 * environment, Ctrl-C.
 *
 * Commands never use `process` directly, so that tests can run them in the same process with their
 * own Io.
 */
import { writeSync } from 'node:fs';
import { addAbortSignal } from 'node:stream';

export interface Output {
  write(text: string | Uint8Array): void;
  readonly isTerminal: boolean;
  /** Columns of a line; 100 when the output is not a terminal. */
  readonly columns: number;
}

export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Sources that are in no file, by the names that findings use for them. */
  readonly sources: Map<string, string>;
  /** The value of `--color`; `auto` until the command line is parsed. */
  color: 'auto' | 'always' | 'never';
  /** The time at which the command was started, on the clock of `performance`. */
  readonly startedAt: number;
  /** Rejects when the signal aborts. */
  readStdin(signal: AbortSignal): Promise<string>;
  /**
   * Calls the listener at each Ctrl-C, and when `timeout` or a CI system terminates the process,
   * until the returned function is called.
   */
  onInterrupt(listener: () => void): () => void;
  /** Ends the process at once. */
  kill(exitCode: number): void;
}

const interrupts = ['SIGINT', 'SIGTERM'] as const;

export function processIo(): Io {
  return {
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    env: process.env,
    sources: new Map(),
    startedAt: 0,
    color: 'auto',
    readStdin,
    onInterrupt(listener) {
      for (const signal of interrupts) process.on(signal, listener);
      return () => {
        for (const signal of interrupts) process.off(signal, listener);
      };
    },
    kill() {
      // `process.exit` would wait for threads. The shell sees status 130, as for every program that
      // Ctrl-C ends.
      for (const signal of interrupts) process.removeAllListeners(signal);
      process.kill(process.pid, 'SIGINT');
    },
  };
}

async function readStdin(signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of addAbortSignal(signal, process.stdin)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/**
 * The status for bad input. `exit-codes.ts` is not imported here because `--version` must load as
 * little as possible.
 */
const cannotWrite = 2;

function outputOf(stream: NodeJS.WriteStream): Output {
  // The reader may close the pipe early (`redzone ir a.c | head`). The rest of the text is lost but
  // the exit code is kept.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    // The disk is full, for example, so the results cannot be written.
    writeSync(2, `redzone: error: cannot write the output: ${error.message}\n`);
    process.exit(cannotWrite);
  });
  return {
    write: bytes => void stream.write(bytes),
    isTerminal: stream.isTTY === true,
    // Some terminals report a width of 0.
    columns: stream.columns || 100,
  };
}

/** Whether text for this output is coloured. */
export function wantsColor(output: Output, { env, color }: Pick<Io, 'env' | 'color'>): boolean {
  if (color !== 'auto') return color === 'always';
  return output.isTerminal && !env.NO_COLOR && env.TERM !== 'dumb';
}

/**
 * What the command line needs of its process: two outputs, standard input, the environment, Ctrl-C.
 *
 * Commands never touch `process`: the tests run them with an Io of their own, in the same process.
 */
import { writeSync } from 'node:fs';
import { addAbortSignal } from 'node:stream';

export interface Output {
  write(text: string | Uint8Array): void;
  readonly isTerminal: boolean;
  /** Cells of a line; 100 when it is no terminal. */
  readonly columns: number;
}

export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Texts that are in no file, under the names that findings give them. */
  readonly sources: Map<string, string>;
  /** What `--color` says; `auto` until the command line is read. */
  color: 'auto' | 'always' | 'never';
  /** When the command was started, on the clock of `performance`. */
  readonly startedAt: number;
  /** Rejects when the signal aborts. */
  readStdin(signal: AbortSignal): Promise<string>;
  /**
   * Calls the listener at each Ctrl-C, and when `timeout` or a CI system asks the process to end,
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
      // Not by `process.exit`, which waits for threads. The shell sees 130, as of every program
      // that Ctrl-C ends.
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
 * As for bad input (`exit-codes.ts`, which is not loaded here: `--version` loads as little as it
 * can).
 */
const cannotWrite = 2;

function outputOf(stream: NodeJS.WriteStream): Output {
  // Whoever reads us may stop early (`redzone ir a.c | head`). The rest of the text is lost, the
  // exit code is not.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    // A full disk: the results cannot be written.
    writeSync(2, `redzone: error: cannot write the output: ${error.message}\n`);
    process.exit(cannotWrite);
  });
  return {
    write: bytes => void stream.write(bytes),
    isTerminal: stream.isTTY === true,
    // Some terminals say 0.
    columns: stream.columns || 100,
  };
}

/** Whether to colour what goes to this output. */
export function wantsColor(output: Output, { env, color }: Pick<Io, 'env' | 'color'>): boolean {
  if (color !== 'auto') return color === 'always';
  return output.isTerminal && !env.NO_COLOR && env.TERM !== 'dumb';
}

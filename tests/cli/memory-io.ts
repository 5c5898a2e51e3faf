/**
 * The command line's Io in memory: tests run commands in their own process and look at what they
 * wrote.
 */
import type { Io, Output } from '../../src/cli/io.js';
import { main } from '../../src/cli/main.js';

export interface MemoryIo extends Io {
  readonly written: { stdout: string; stderr: string };
  /** As if Ctrl-C were pressed. */
  interrupt(): void;
  readonly killed: number[];
}

export interface MemoryIoOptions {
  readonly env?: Record<string, string>;
  readonly stdin?: string;
  readonly terminal?: boolean;
}

export function memoryIo({ env = {}, stdin = '', terminal = false }: MemoryIoOptions = {}): MemoryIo {
  const written = { stdout: '', stderr: '' };
  const killed: number[] = [];
  const listeners = new Set<() => void>();
  const output = (stream: 'stdout' | 'stderr'): Output => ({
    write(text) {
      written[stream] += typeof text === 'string' ? text : new TextDecoder().decode(text);
    },
    isTerminal: terminal,
    columns: 100,
  });
  return {
    stdout: output('stdout'),
    stderr: output('stderr'),
    env,
    sources: new Map(),
    startedAt: performance.now(),
    color: 'auto',
    readStdin: async () => stdin,
    onInterrupt(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    kill: exitCode => void killed.push(exitCode),
    written,
    killed,
    interrupt() {
      for (const listener of listeners) listener();
    },
  };
}

export interface RunResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `redzone ARGS` in this process. */
export async function redzone(args: readonly string[], options?: MemoryIoOptions): Promise<RunResult> {
  const io = memoryIo(options);
  const exitCode = await main(args, io);
  return { exitCode, ...io.written };
}

/**
 * Where a program's standard streams lead on the real host: to this process's own, or into memory.
 */
import { constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { errno, failureOf } from './errno.js';

const newline = 10;

export interface InputStream {
  readonly isTerminal: boolean;
  read(memory: Uint8Array, start: number, length: number): number;
}

export interface OutputStream {
  readonly isTerminal: boolean;
  write(memory: Uint8Array, start: number, length: number): number;
}

/**
 * A descriptor of this process as input; a closed end reads as the end of the file. It never blocks
 * in a system call, because a blocked thread, and its process, cannot be ended.
 */
export function inheritedInput(inherited: number, isTerminal: boolean): InputStream {
  const fd = withoutWaiting(inherited);
  return {
    isTerminal,
    read(memory, start, length) {
      for (;;) {
        try {
          return readSync(fd, memory, start, length, null);
        } catch (error) {
          const failure = failureOf(error);
          if (failure === -errno.EAGAIN) waitForDescriptor();
          else if (error instanceof Error && 'code' in error && error.code === 'EOF') return 0;
          else return failure;
        }
      }
    },
  };
}

/** A descriptor of this process as output. All bytes are written before a call returns. */
export class InheritedOutput implements OutputStream {
  readonly isTerminal: boolean;
  readonly #fd: number;
  readonly #onWrite: ((bytes: Uint8Array) => void) | undefined;
  #isLineOpen = false;

  /** `onWrite` receives a copy of the output. */
  constructor(fd: number, isTerminal: boolean = isatty(fd), onWrite?: (bytes: Uint8Array) => void) {
    this.#fd = fd;
    this.isTerminal = isTerminal;
    this.#onWrite = onWrite;
  }

  /** Whether something was written after the last newline. */
  get isLineOpen(): boolean {
    return this.#isLineOpen;
  }

  write(memory: Uint8Array, start: number, length: number): number {
    for (let done = 0; done < length; ) {
      try {
        done += writeSync(this.#fd, memory, start + done, length - done, null);
      } catch (error) {
        const failure = failureOf(error);
        if (failure !== -errno.EAGAIN) return failure;
        waitForDescriptor();
      }
    }
    if (length > 0) {
      this.#isLineOpen = memory[start + length - 1] !== newline;
      this.#onWrite?.(memory.slice(start, start + length));
    }
    return length;
  }
}

export function bytesInput(bytes: Uint8Array): InputStream {
  let position = 0;
  return {
    isTerminal: false,
    read(memory, start, length) {
      const piece = bytes.subarray(position, position + length);
      memory.set(piece, start);
      position += piece.length;
      return piece.length;
    },
  };
}

export class CapturedOutput implements OutputStream {
  readonly isTerminal = false;
  readonly #pieces: Uint8Array[] = [];
  #size = 0;

  write(memory: Uint8Array, start: number, length: number): number {
    this.#pieces.push(memory.slice(start, start + length));
    this.#size += length;
    return length;
  }

  bytes(): Uint8Array {
    const bytes = new Uint8Array(this.#size);
    let at = 0;
    for (const piece of this.#pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }

  text(): string {
    return new TextDecoder().decode(this.bytes());
  }
}

/**
 * Opens the same pipe or terminal again for non-blocking reads: a flag of the inherited descriptor
 * would affect all processes that share it. This works on Linux; `keepStdinFromWaiting` handles
 * sockets.
 */
function withoutWaiting(fd: number): number {
  if (process.platform !== 'linux') return fd;
  try {
    const stat = fstatSync(fd);
    const mayWait = stat.isFIFO() || stat.isCharacterDevice();
    return mayWait
      ? openSync(`/proc/self/fd/${fd}`, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
      : fd;
  } catch {
    return fd;
  }
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/**
 * A non-blocking descriptor is full or empty: waits a moment, in a way that lets the thread be
 * ended.
 */
export function waitForDescriptor(): void {
  Atomics.wait(sleeper, 0, 0, 1);
}

/**
 * Output of a program in a worker, passed to the main thread in messages.
 *
 *     worker: write ──▶ emit(bytes), unread += length ──▶ message ──▶ main thread: unread -= length
 *
 * Messages wait in memory until they are read, so a program that writes faster than its reader
 * reads would take all of it. The counter of unread bytes is shared: above a limit `write` waits,
 * as with a pipe that is full.
 */
import type { OutputStream } from './standard-streams.js';

/** Below this limit, writers do not wait. */
const mostUnread = 1 << 20;

const newline = 10;

export class EmittedOutput implements OutputStream {
  readonly isTerminal = false;
  readonly #unread: Int32Array;
  readonly #emit: (bytes: Uint8Array) => void;
  #isLineOpen = false;

  constructor(unread: SharedArrayBuffer, emit: (bytes: Uint8Array) => void) {
    this.#unread = new Int32Array(unread);
    this.#emit = emit;
  }

  /** Whether something was written after the last newline. */
  get isLineOpen(): boolean {
    return this.#isLineOpen;
  }

  write(memory: Uint8Array, start: number, length: number): number {
    for (let done = 0; done < length; ) {
      const size = Math.min(length - done, mostUnread);
      const unread = Atomics.load(this.#unread, 0);
      if (unread > mostUnread) {
        Atomics.wait(this.#unread, 0, unread);
        continue;
      }
      Atomics.add(this.#unread, 0, size);
      this.#emit(memory.slice(start + done, start + done + size));
      done += size;
    }
    if (length > 0) this.#isLineOpen = memory[start + length - 1] !== newline;
    return length;
  }
}

/** The reader's half: this many bytes have arrived. */
export function bytesArrived(unread: SharedArrayBuffer, length: number): void {
  const count = new Int32Array(unread);
  Atomics.sub(count, 0, length);
  Atomics.notify(count, 0);
}

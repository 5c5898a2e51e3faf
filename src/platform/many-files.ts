/**
 * Writes many small files while the caller goes on: `const files = new ManyFiles(); files.write(path, bytes); await files.finish();`
 *
 * Making a file costs the kernel more time than an exploration needs for a path, so beyond the first few a worker does it:
 *
 *     write ─▶ batch of files ──postMessage──▶ many-files-worker: writes them, adds to `written`
 *       ▲                                              │
 *       └───── sleeps while too many bytes wait ◀──────┘
 *
 * The first files are written at once: most explorations have few, and a worker costs as much as hundreds of them.
 *
 * **Invariant:** after `finish`, everything is written, or it has thrown why not.
 */
import type { Worker } from 'node:worker_threads';
import { concatenate } from '../support/bytes.js';
import { writeNewFile } from './files.js';
import { startWorker } from './node.js';

/** Written by the caller itself. */
const FIRST_FILES = 300;
const BATCH_FILES = 128;
/** The caller waits while the worker is this far behind. */
const MOST_BATCHES_WAITING = 500;

/** Files one behind the other, with where each ends in `bytes`. */
export interface FileBatch {
  readonly paths: readonly string[];
  readonly ends: readonly number[];
  readonly bytes: Uint8Array;
}

/** What the worker is given at its start: how many batches it has done, shared with the caller. */
export interface FileWorkerData {
  readonly done: Int32Array;
}

export class ManyFiles {
  #count = 0;
  #paths: string[] = [];
  #chunks: Uint8Array[] = [];
  #worker: Worker | undefined;
  #posted = 0;
  #failure: Error | undefined;
  readonly #done = new Int32Array(new SharedArrayBuffer(4));

  write(path: string, bytes: Uint8Array): void {
    if (this.#count++ < FIRST_FILES) {
      writeNewFile(path, bytes);
      return;
    }
    this.#paths.push(path);
    this.#chunks.push(bytes);
    if (this.#paths.length >= BATCH_FILES) this.#post();
  }

  /** Waits until all is written. Throws what went wrong; later files may have been written nevertheless. */
  async finish(): Promise<void> {
    if (this.#paths.length > 0) this.#post();
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker === undefined) return;
    const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()));
    worker.ref();
    worker.postMessage('end');
    await ended;
    if (this.#failure !== undefined) throw this.#failure;
  }

  #post(): void {
    this.#worker ??= this.#start();
    let end = 0;
    const ends = this.#chunks.map(chunk => {
      end += chunk.length;
      return end;
    });
    const batch: FileBatch = { paths: this.#paths, ends, bytes: concatenate(this.#chunks) };
    this.#worker.postMessage(batch);
    this.#posted++;
    this.#paths = [];
    this.#chunks = [];
    for (;;) {
      const done = Atomics.load(this.#done, 0);
      if (this.#posted - done <= MOST_BATCHES_WAITING) return;
      Atomics.wait(this.#done, 0, done, 1000);
    }
  }

  #start(): Worker {
    const workerData: FileWorkerData = { done: this.#done };
    const worker = startWorker('platform/many-files-worker', { workerData });
    worker.unref();
    worker.on('error', error => {
      this.#failure ??= error;
      // Nobody counts any more: whoever waits must not.
      this.#posted = Number.NEGATIVE_INFINITY;
    });
    return worker;
  }
}

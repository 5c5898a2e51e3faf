/**
 * Writes many small files in the background: `const files = new ManyFiles(); files.write(path,
 * contents); await files.finish();`
 *
 * Making a file costs the kernel more time than an exploration needs for a path, so beyond the
 * first few a worker does it. Files travel in pages of memory that both share, so that passing one
 * only costs copying its bytes:
 *
 *     pages   [ read ][ read ][ waiting ][ waiting ][ being filled ]      used in a circle
 *                        done ─┘                       └─ published
 *     a file in a page:   bytes of path | bytes of contents | is there already | path | contents
 *
 * The caller sleeps while no page is free. The first files are written at once: most explorations
 * have few, and a worker costs as much as hundreds of them. Files that do not fit into a page are
 * written at once too.
 *
 * A file that cannot be written (a full disk) is removed and ends the writing; the caller continues
 * and finds `failure`. Later files are not written, and existing ones are removed, because they are
 * outdated.
 *
 * **Invariants.** A page is written by the caller only until it is published, and not again before
 * the worker has counted it as done. After `finish`, everything is written, or `failure` says why
 * not.
 */
import type { Worker } from 'node:worker_threads';
import { assert } from '../support/assert.js';
import { overwriteFile, removeFile, writeNewFile } from './files.js';
import { startWorker } from './node.js';

/** Written by the caller itself. */
const FIRST_FILES = 300;

const PAGES = 64;
const PAGE_BYTES = 1 << 16;
const HEADER_BYTES = 12;

/** Indices of `counters`: pages that the caller has filled, pages that the worker has written. */
export const PUBLISHED = 0;
export const DONE = 1;

/** Used instead of the number of bytes: there are no more pages. */
export const END = -1;

/** What caller and worker share. */
export interface SharedPages {
  readonly counters: Int32Array;
  /** By page, how many of its bytes are files. */
  readonly used: Int32Array;
  readonly bytes: Uint8Array;
}

export class ManyFiles {
  #count = 0;
  #worker: Worker | undefined;
  /** Why a file could not be written. Later ones are then skipped. */
  failure: Error | undefined;
  readonly #shared: SharedPages = {
    counters: new Int32Array(new SharedArrayBuffer(8)),
    used: new Int32Array(new SharedArrayBuffer(4 * PAGES)),
    bytes: new Uint8Array(new SharedArrayBuffer(PAGES * PAGE_BYTES)),
  };
  readonly #bytes = Buffer.from(this.#shared.bytes.buffer);
  /** Pages that were published; the one after them is being filled. */
  #published = 0;
  #used = 0;

  /** Writes a file; `isThere` if it exists and is replaced. */
  write(path: string, contents: string | Uint8Array, isThere = false): void {
    if (this.failure !== undefined) {
      if (isThere) removeIfPossible(path);
      return;
    }
    const most = HEADER_BYTES + 3 * path.length + (typeof contents === 'string' ? 3 : 1) * contents.length;
    if (this.#count++ < FIRST_FILES || most > PAGE_BYTES) {
      const bytes = typeof contents === 'string' ? Buffer.from(contents) : contents;
      this.failure = tryToWrite(path, bytes, isThere);
      return;
    }
    if (this.#used + most > PAGE_BYTES) this.#publish();
    this.#append(path, contents, isThere);
  }

  /** Waits until everything is written. */
  async finish(): Promise<void> {
    if (this.#used > 0) this.#publish();
    const worker = this.#worker;
    if (worker === undefined) return;
    const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()));
    worker.ref();
    this.#used = END;
    this.#publish();
    await ended;
    this.#worker = undefined;
  }

  #append(path: string, contents: string | Uint8Array, isThere: boolean): void {
    const bytes = this.#bytes;
    const header = (this.#published % PAGES) * PAGE_BYTES + this.#used;
    let at = header + HEADER_BYTES;
    const pathBytes = bytes.write(path, at);
    at += pathBytes;
    let contentBytes = contents.length;
    if (typeof contents === 'string') contentBytes = bytes.write(contents, at);
    else bytes.set(contents, at);
    bytes.writeUInt32LE(pathBytes, header);
    bytes.writeUInt32LE(contentBytes, header + 4);
    bytes.writeUInt32LE(isThere ? 1 : 0, header + 8);
    this.#used += HEADER_BYTES + pathBytes + contentBytes;
  }

  /** Passes the page to the worker, and waits for a free one. */
  #publish(): void {
    this.#worker ??= this.#start();
    const { counters, used } = this.#shared;
    used[this.#published % PAGES] = this.#used;
    this.#published++;
    this.#used = 0;
    Atomics.store(counters, PUBLISHED, this.#published);
    Atomics.notify(counters, PUBLISHED);
    for (;;) {
      const done = Atomics.load(counters, DONE);
      if (this.#published - done < PAGES) return;
      Atomics.wait(counters, DONE, done);
    }
  }

  #start(): Worker {
    const worker = startWorker('platform/many-files-worker', { workerData: this.#shared });
    worker.unref();
    const fail = (error: Error): void => {
      this.failure ??= error;
    };
    return worker.on('message', fail).on('error', fail);
  }
}

/**
 * Writes the files of a page, up to the first that cannot be written; after an earlier failure,
 * none. Returns the failure.
 */
export function writePage(
  { bytes, used }: SharedPages,
  page: number,
  earlier: Error | undefined,
): Error | undefined {
  let failure = earlier;
  const start = (page % PAGES) * PAGE_BYTES;
  const view = Buffer.from(bytes.buffer, start, used[page % PAGES]);
  let at = 0;
  while (at < view.length) {
    const contentStart = at + HEADER_BYTES + view.readUInt32LE(at);
    const end = contentStart + view.readUInt32LE(at + 4);
    assert(end <= view.length, 'a page holds whole files');
    const path = view.toString('utf8', at + HEADER_BYTES, contentStart);
    const isThere = view.readUInt32LE(at + 8) === 1;
    if (failure === undefined) failure = tryToWrite(path, view.subarray(contentStart, end), isThere);
    else if (isThere) removeIfPossible(path);
    at = end;
  }
  return failure;
}

/** Whether this page marks the end. */
export function isEnd({ used }: SharedPages, page: number): boolean {
  return used[page % PAGES] === END;
}

function tryToWrite(path: string, bytes: Uint8Array, isThere: boolean): Error | undefined {
  try {
    if (isThere) overwriteFile(path, bytes);
    else writeNewFile(path, bytes);
    return undefined;
  } catch (error) {
    removeIfPossible(path);
    return error as Error;
  }
}

function removeIfPossible(path: string): void {
  try {
    removeFile(path);
  } catch {
    // There is none: its folder cannot be written.
  }
}

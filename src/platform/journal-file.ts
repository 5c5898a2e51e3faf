/**
 * An append-only file of records, so that an interruption loses only the record that was being
 * written.
 *
 *     "redzone journal 3\n" | record | record | ...
 *     record   bytes of the payload (u32) | kind (u8) | check (u32) | payload | sum (u32)
 *              check = CRC-32 of the five bytes before it, after the sum of the record before
 *              sum   = CRC-32 of the payload, after `check`
 *
 * Each sum depends on all records before it, so a record that was moved, repeated or removed is
 * detected like one that was changed. The length has a separate check: a file that ends inside a
 * record with a valid length was *cut*, by `kill -9` or a full disk; any other mismatch is
 * *damage*. In both cases the records before it are used, and everything after it is ignored.
 *
 * **Invariant.** A record is written by one call, after whole records. After a failure nothing
 * more is written.
 */
import { checksum } from './compression.js';
import { closeSync, fdatasyncSync, ftruncateSync, openSync, writeSync } from './file-handle.js';
import { readFileIfAny } from './files.js';

/** Incremented when records, or what `explore` writes into them, change. */
export const JOURNAL_FORMAT = 3;
const MAGIC = new TextEncoder().encode(`redzone journal ${JOURNAL_FORMAT}\n`);
const HEAD_BYTES = 9;
const TAIL_BYTES = 4;

export interface JournalRecord {
  readonly kind: number;
  readonly payload: Uint8Array;
  /** Where in the file it begins. */
  readonly offset: number;
}

/** The valid part of a journal, and where a writer continues. */
export interface JournalPosition {
  /** All bytes up to here are whole records. */
  readonly bytes: number;
  readonly sum: number;
}

export interface JournalContents extends JournalPosition {
  readonly records: readonly JournalRecord[];
  /** The state after the last complete record. */
  readonly end: 'whole' | 'cut' | 'damaged';
}

/** Undefined if there is no such file, or it is no journal. */
export function readJournal(path: string): JournalContents | undefined {
  const file = readFileIfAny(path);
  return file && parseJournal(file);
}

/** The format of a journal, which may be another one; undefined if it is none. */
export function journalFormat(file: Uint8Array): number | undefined {
  const text = new TextDecoder().decode(file.subarray(0, 2 * MAGIC.length));
  const digits = /^redzone journal (\d+)\n/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

export function parseJournal(file: Uint8Array): JournalContents | undefined {
  if (file.length < MAGIC.length || !MAGIC.every((byte, i) => file[i] === byte)) return undefined;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const records: JournalRecord[] = [];
  let at = MAGIC.length;
  let sum = checksum(MAGIC);
  for (;;) {
    const stop = (end: JournalContents['end']): JournalContents => ({ records, end, bytes: at, sum });
    if (at === file.length) return stop('whole');
    if (file.length - at < HEAD_BYTES) return stop('cut');
    const check = checksum(file.subarray(at, at + 5), sum);
    if (view.getUint32(at + 5, true) !== check) return stop('damaged');
    const start = at + HEAD_BYTES;
    const end = start + view.getUint32(at, true);
    if (end + TAIL_BYTES > file.length) return stop('cut');
    const payload = file.subarray(start, end);
    const payloadSum = checksum(payload, check);
    if (view.getUint32(end, true) !== payloadSum) return stop('damaged');
    records.push({ kind: file[at + 4]!, payload, offset: at });
    sum = payloadSum;
    at = end + TAIL_BYTES;
  }
}

/** Appends records; an error is recorded in `failure`. */
export class JournalWriter {
  readonly #handle: number;
  /** The record that is written; records of the same size need no memory of their own. */
  #record = new Uint8Array(0);
  #sum: number;
  #bytes: number;
  #isOpen = true;
  /** Why a record could not be written. */
  failure: Error | undefined;

  private constructor(handle: number, bytes: number, sum: number) {
    this.#handle = handle;
    this.#bytes = bytes;
    this.#sum = sum;
  }

  /** Replaces the file by an empty journal. Throws if it cannot be opened. */
  static begin(path: string): JournalWriter {
    const writer = new JournalWriter(openSync(path, 'w'), 0, checksum(MAGIC));
    writer.#write(MAGIC);
    return writer;
  }

  /** Continues after the complete records of a journal; the rest is truncated. */
  static goOn(path: string, { bytes, sum }: JournalPosition): JournalWriter {
    const handle = openSync(path, 'r+');
    ftruncateSync(handle, bytes);
    return new JournalWriter(handle, bytes, sum);
  }

  append(kind: number, payload: Uint8Array): void {
    const length = HEAD_BYTES + payload.length + TAIL_BYTES;
    if (this.#record.length < length) this.#record = new Uint8Array(2 * length);
    const record = this.#record.subarray(0, length);
    const view = new DataView(record.buffer);
    view.setUint32(0, payload.length, true);
    record[4] = kind;
    const check = checksum(record.subarray(0, 5), this.#sum);
    view.setUint32(5, check, true);
    record.set(payload, HEAD_BYTES);
    const sum = checksum(payload, check);
    view.setUint32(HEAD_BYTES + payload.length, sum, true);
    if (this.#write(record)) this.#sum = sum;
  }

  /** Waits until the disk has all records. */
  sync(): void {
    this.#try(() => fdatasyncSync(this.#handle));
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#handle);
    this.#isOpen = false;
  }

  /** Returns whether it was written. */
  #write(bytes: Uint8Array): boolean {
    if (this.failure !== undefined || !this.#isOpen) return false;
    this.#try(() => {
      for (let done = 0; done < bytes.length; )
        done += writeSync(this.#handle, bytes, done, bytes.length - done, this.#bytes + done);
    });
    if (this.failure === undefined) this.#bytes += bytes.length;
    // An incomplete record is ignored by readers; removing it makes the file valid.
    else this.#try(() => ftruncateSync(this.#handle, this.#bytes));
    return this.failure === undefined;
  }

  #try(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.failure ??= error as Error;
    }
  }
}

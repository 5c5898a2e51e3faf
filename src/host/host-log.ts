/**
 * Records the results of a host, call by call, so that another engine can run the same program with
 * the same results while the first run is still active.
 *
 *     worker   program ──▶ recordedHost ──▶ RealHost        one record for each answer
 *                               │
 *                        SharedArrayBuffer                  | length | overflow | record | record | …
 *                               │
 *     main     program ──▶ LoggedHost                       the same answers in the same order
 *
 *     record   | method 1 | kind 1 | bytes of the value 4 | bytes for memory 4 | value | memory |
 *
 * A read that finds the end of its input is recorded once, however often it is repeated, and a
 * logged host stays at that record: reads after the end always return the end. Every other result
 * advances the log, so a program that makes another call is not in the same state.
 *
 * **Invariants.** `length` counts whole records only and grows only. A log that overflows has no
 * more records.
 */

import type { Failure } from './errno.js';
import type { FileStat, FolderEntry, ForkableHost, Host } from './host.js';
import { storedBySocket } from './wire.js';

/** How much a log can hold; pages that are never written take no memory. */
const LOG_BYTES = 32 * 2 ** 20;
const HEADER_BYTES = 8;
const RECORD_BYTES = 10;
const LENGTH = 0;
const OVERFLOW = 1;

/** A record identifies a method by its index here. The start of the program is not recorded. */
const methods = [
  ...['open', 'close', 'read', 'write', 'seek', 'truncate', 'fchmod', 'futimes', 'sync', 'isatty'],
  ...['stat', 'fstat', 'list', 'unlink', 'rmdir', 'mkdir', 'rename', 'link', 'symlink', 'chmod'],
  ...['utimes', 'readlink', 'getcwd', 'chdir', 'clock', 'sleep', 'random', 'input', 'run', 'socket'],
] as readonly (keyof Host)[];

const END_OF_INPUT = 255;

/** How a value is written. */
const Kind = { none: 0, number: 1, json: 2 } as const;

export function createHostLog(): SharedArrayBuffer {
  return new SharedArrayBuffer(LOG_BYTES);
}

class LogWriter {
  readonly #header: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #length = 0;
  /** The handle whose end of input the last record is about; -1 otherwise. */
  #atEndOf = -1;

  constructor(log: SharedArrayBuffer) {
    this.#header = new Int32Array(log, 0, 2);
    this.#bytes = new Uint8Array(log, HEADER_BYTES);
    this.#view = new DataView(log, HEADER_BYTES);
  }

  endOfInput(handle: number): void {
    if (this.#atEndOf === handle) return;
    this.#append(END_OF_INPUT, Kind.number, number(handle), NOTHING);
    this.#atEndOf = handle;
  }

  answer(method: keyof Host, value: unknown, memory: Uint8Array = NOTHING): void {
    const written = encode(value);
    this.#append(methods.indexOf(method), written.kind, written.bytes, memory);
    this.#atEndOf = -1;
  }

  #append(method: number, kind: number, value: Uint8Array, memory: Uint8Array): void {
    const start = this.#length;
    const end = start + RECORD_BYTES + value.length + memory.length;
    if (end > this.#bytes.length) Atomics.store(this.#header, OVERFLOW, 1);
    if (this.#header[OVERFLOW] !== 0) return;
    this.#view.setUint8(start, method);
    this.#view.setUint8(start + 1, kind);
    this.#view.setUint32(start + 2, value.length);
    this.#view.setUint32(start + 6, memory.length);
    this.#bytes.set(value, start + RECORD_BYTES);
    this.#bytes.set(memory, start + RECORD_BYTES + value.length);
    this.#length = end;
    Atomics.store(this.#header, LENGTH, end);
  }
}

const NOTHING = new Uint8Array(0);
const scratch = new DataView(new ArrayBuffer(8));

/** Valid until the next call. */
function number(value: number): Uint8Array {
  scratch.setFloat64(0, value);
  return new Uint8Array(scratch.buffer);
}

function encode(value: unknown): { readonly kind: number; readonly bytes: Uint8Array } {
  if (value === undefined) return { kind: Kind.none, bytes: NOTHING };
  if (typeof value === 'number') return { kind: Kind.number, bytes: number(value) };
  const text = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part));
  return { kind: Kind.json, bytes: new TextEncoder().encode(text) };
}

function decodeText(text: string): unknown {
  return JSON.parse(text, (_, part) =>
    typeof part === 'string' && /^-?\d+n$/.test(part) ? BigInt(part.slice(0, -1)) : part,
  );
}

/** A host that records all its results in the log. */
export function recordedHost(host: Host, log: SharedArrayBuffer): Host {
  const writer = new LogWriter(log);
  const recorded: Partial<Record<keyof Host, unknown>> = {
    arguments: () => host.arguments(),
    environment: () => host.environment(),
  };
  for (const method of methods) {
    const call = host[method].bind(host) as unknown as (...args: unknown[]) => unknown;
    recorded[method] = (...args: unknown[]): unknown => {
      const value = call(...args);
      writer.answer(method, value);
      return value;
    };
  }
  const own: Pick<Host, 'read' | 'random' | 'input' | 'socket'> = {
    read: (handle, memory, start, length, offset) => {
      const count = host.read(handle, memory, start, length, offset);
      if (count === 0 && length > 0) writer.endOfInput(handle);
      else writer.answer('read', count, memory.subarray(start, start + Math.max(0, count)));
      return count;
    },
    random: (memory, start, length) => {
      host.random(memory, start, length);
      writer.answer('random', undefined, memory.subarray(start, start + length));
    },
    input: (name, memory, start, length) => {
      host.input(name, memory, start, length);
      writer.answer('input', undefined, memory.subarray(start, start + length));
    },
    socket: (call, handle, memory, start, length) => {
      const value = host.socket(call, handle, memory, start, length);
      const stored = storedBySocket(call, value, length);
      writer.answer('socket', value, memory.subarray(start, start + stored));
      return value;
    },
  };
  // Each method of the interface is in the list, or was set by name.
  return { ...recorded, ...own } as Host;
}

/** Thrown by a logged host for a call that is not recorded, or not yet. */
export class BeyondLog {
  /** @param isFinal No later record can be the result. */
  constructor(readonly isFinal: boolean) {}
}

export class LoggedHost implements ForkableHost {
  readonly #log: SharedArrayBuffer;
  readonly #start: { readonly arguments: readonly string[]; readonly environment: readonly string[] };
  #at = 0;
  /** The program has seen the end of input that is recorded here. */
  #isAtEnd = false;

  constructor(
    log: SharedArrayBuffer,
    start: { readonly arguments: readonly string[]; readonly environment: readonly string[] },
  ) {
    this.#log = log;
    this.#start = start;
  }

  fork(): LoggedHost {
    const copy = new LoggedHost(this.#log, this.#start);
    copy.#at = this.#at;
    copy.#isAtEnd = this.#isAtEnd;
    return copy;
  }

  /** Whether both will always return the same results. */
  isLike(other: ForkableHost): boolean {
    return other instanceof LoggedHost && this.#at === other.#at && this.#isAtEnd === other.#isAtEnd;
  }

  /** The output has already been shown. */
  get stdout(): Uint8Array {
    return NOTHING;
  }

  get stderr(): Uint8Array {
    return NOTHING;
  }

  isOutput(handle: number): boolean {
    return handle === 1 || handle === 2;
  }

  #record(): {
    readonly method: number;
    readonly value: unknown;
    readonly memory: Uint8Array;
    readonly end: number;
  } {
    const header = new Int32Array(this.#log, 0, 2);
    // Read before the length: a log that had overflowed by then does not grow any more.
    const isFull = Atomics.load(header, OVERFLOW) !== 0;
    if (this.#at >= Atomics.load(header, LENGTH)) throw new BeyondLog(isFull);
    const view = new DataView(this.#log, HEADER_BYTES + this.#at);
    const kind = view.getUint8(1);
    const valueBytes = view.getUint32(2);
    const memoryBytes = view.getUint32(6);
    const bytes = new Uint8Array(this.#log, HEADER_BYTES + this.#at + RECORD_BYTES);
    const text = (): string => new TextDecoder().decode(bytes.slice(0, valueBytes));
    return {
      method: view.getUint8(0),
      value:
        kind === Kind.number
          ? view.getFloat64(RECORD_BYTES)
          : kind === Kind.json
            ? decodeText(text())
            : undefined,
      memory: bytes.subarray(valueBytes, valueBytes + memoryBytes),
      end: this.#at + RECORD_BYTES + valueBytes + memoryBytes,
    };
  }

  /** The result of a call of this method, which must be the next in the log. */
  #answer(method: keyof Host, memory?: Uint8Array, start = 0): unknown {
    let record = this.#record();
    if (record.method === END_OF_INPUT && this.#isAtEnd) {
      this.#at = record.end;
      this.#isAtEnd = false;
      record = this.#record();
    }
    if (record.method !== methods.indexOf(method)) throw new BeyondLog(true);
    this.#at = record.end;
    memory?.set(record.memory, start);
    return record.value;
  }

  #number(method: keyof Host): number {
    return this.#answer(method) as number;
  }

  read(handle: number, memory: Uint8Array, start: number, length: number): number {
    const record = this.#record();
    if (record.method === END_OF_INPUT && record.value === handle && length > 0) {
      this.#isAtEnd = true;
      return 0;
    }
    return this.#answer('read', memory, start) as number;
  }

  random(memory: Uint8Array, start: number): void {
    this.#answer('random', memory, start);
  }

  input(_name: string, memory: Uint8Array, start: number): void {
    this.#answer('input', memory, start);
  }

  arguments(): readonly string[] {
    return this.#start.arguments;
  }

  environment(): readonly string[] {
    return this.#start.environment;
  }

  open = (): number => this.#number('open');
  close = (): number => this.#number('close');
  write = (): number => this.#number('write');
  seek = (): number => this.#number('seek');
  truncate = (): number => this.#number('truncate');
  fchmod = (): number => this.#number('fchmod');
  futimes = (): number => this.#number('futimes');
  sync = (): number => this.#number('sync');
  isatty = (): number => this.#number('isatty');
  stat = (): FileStat | Failure => this.#answer('stat') as FileStat | Failure;
  fstat = (): FileStat | Failure => this.#answer('fstat') as FileStat | Failure;
  list = (): FolderEntry | Failure => this.#answer('list') as FolderEntry | Failure;
  unlink = (): number => this.#number('unlink');
  rmdir = (): number => this.#number('rmdir');
  mkdir = (): number => this.#number('mkdir');
  rename = (): number => this.#number('rename');
  link = (): number => this.#number('link');
  symlink = (): number => this.#number('symlink');
  chmod = (): number => this.#number('chmod');
  utimes = (): number => this.#number('utimes');
  readlink = (): string | Failure => this.#answer('readlink') as string | Failure;
  getcwd = (): string => this.#answer('getcwd') as string;
  chdir = (): number => this.#number('chdir');
  clock = (): bigint => this.#answer('clock') as bigint;
  sleep = (): number => this.#number('sleep');
  run = (): number => this.#number('run');

  socket(_call: number, _handle: number, memory: Uint8Array, start: number): number {
    return this.#answer('socket', memory, start) as number;
  }
}

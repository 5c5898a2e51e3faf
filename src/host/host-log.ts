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
 *     record   | method 1 | kind 1 | arguments 4 | bytes of the value 4 | bytes for memory 4 | value | memory |
 *
 * A record has a hash of the call's arguments, without the addresses of memory. A logged host gives
 * its result only to a call of the same method with the same arguments. So a program that reaches
 * these calls in the same order is a possible run of the recorded program, even if its threads took
 * turns in another way.
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
const RECORD_BYTES = 14;
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
    this.#append(END_OF_INPUT, { hash: 0, kind: Kind.number, bytes: number(handle) }, NOTHING);
    this.#atEndOf = handle;
  }

  answer(method: keyof Host, args: readonly unknown[], value: unknown, memory: Uint8Array = NOTHING): void {
    this.#append(methods.indexOf(method), { hash: hashOf(args), ...encode(value) }, memory);
    this.#atEndOf = -1;
  }

  #append(
    method: number,
    { hash, kind, bytes }: { readonly hash: number; readonly kind: number; readonly bytes: Uint8Array },
    memory: Uint8Array,
  ): void {
    const start = this.#length;
    const end = start + RECORD_BYTES + bytes.length + memory.length;
    if (end > this.#bytes.length) Atomics.store(this.#header, OVERFLOW, 1);
    if (this.#header[OVERFLOW] !== 0) return;
    this.#view.setUint8(start, method);
    this.#view.setUint8(start + 1, kind);
    this.#view.setUint32(start + 2, hash);
    this.#view.setUint32(start + 6, bytes.length);
    this.#view.setUint32(start + 10, memory.length);
    this.#bytes.set(bytes, start + RECORD_BYTES);
    this.#bytes.set(memory, start + RECORD_BYTES + bytes.length);
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

/**
 * A hash of the arguments of a call, which both engines pass alike except for memory and the
 * address that follows it.
 */
function hashOf(args: readonly unknown[]): number {
  let hash = 0x811c_9dc5;
  for (let i = 0; i < args.length; i++) {
    if (args[i] instanceof Uint8Array) i++;
    else for (const unit of `${args[i]}\0`) hash = Math.imul(hash ^ unit.codePointAt(0)!, 0x0100_0193);
  }
  return hash >>> 0;
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
      writer.answer(method, args, value);
      return value;
    };
  }
  const own: Pick<Host, 'read' | 'random' | 'input' | 'run' | 'socket'> = {
    read: (handle, memory, start, length, offset) => {
      const count = host.read(handle, memory, start, length, offset);
      if (count === 0 && length > 0) writer.endOfInput(handle);
      else {
        const stored = memory.subarray(start, start + Math.max(0, count));
        writer.answer('read', [handle, length, offset], count, stored);
      }
      return count;
    },
    random: (memory, start, length) => {
      host.random(memory, start, length);
      writer.answer('random', [length], undefined, memory.subarray(start, start + length));
    },
    input: (name, memory, start, length) => {
      host.input(name, memory, start, length);
      writer.answer('input', [name, length], undefined, memory.subarray(start, start + length));
    },
    // The explorer does not read what a program is started with.
    run: (program, environment, streams) => {
      const value = host.run(program, environment, streams);
      writer.answer('run', [], value);
      return value;
    },
    socket: (call, handle, memory, start, length) => {
      const value = host.socket(call, handle, memory, start, length);
      const stored = storedBySocket(call, value, length);
      writer.answer('socket', [call, handle], value, memory.subarray(start, start + stored));
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
    readonly hash: number;
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
    const valueBytes = view.getUint32(6);
    const memoryBytes = view.getUint32(10);
    const bytes = new Uint8Array(this.#log, HEADER_BYTES + this.#at + RECORD_BYTES);
    const text = (): string => new TextDecoder().decode(bytes.slice(0, valueBytes));
    return {
      method: view.getUint8(0),
      hash: view.getUint32(2),
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

  /** The result of this call, which must be the next in the log. */
  #answer(method: keyof Host, args: readonly unknown[], memory?: Uint8Array, start = 0): unknown {
    let record = this.#record();
    if (record.method === END_OF_INPUT && this.#isAtEnd) {
      this.#at = record.end;
      this.#isAtEnd = false;
      record = this.#record();
    }
    if (record.method !== methods.indexOf(method) || record.hash !== hashOf(args)) throw new BeyondLog(true);
    this.#at = record.end;
    memory?.set(record.memory, start);
    return record.value;
  }

  #number(method: keyof Host, args: readonly unknown[]): number {
    return this.#answer(method, args) as number;
  }

  read(handle: number, memory: Uint8Array, start: number, length: number, offset: number): number {
    const record = this.#record();
    if (record.method === END_OF_INPUT && record.value === handle && length > 0) {
      this.#isAtEnd = true;
      return 0;
    }
    return this.#answer('read', [handle, length, offset], memory, start) as number;
  }

  random(memory: Uint8Array, start: number, length: number): void {
    this.#answer('random', [length], memory, start);
  }

  input(name: string, memory: Uint8Array, start: number, length: number): void {
    this.#answer('input', [name, length], memory, start);
  }

  arguments(): readonly string[] {
    return this.#start.arguments;
  }

  environment(): readonly string[] {
    return this.#start.environment;
  }

  open = (...args: unknown[]): number => this.#number('open', args);
  close = (...args: unknown[]): number => this.#number('close', args);
  write = (...args: unknown[]): number => this.#number('write', args);
  seek = (...args: unknown[]): number => this.#number('seek', args);
  truncate = (...args: unknown[]): number => this.#number('truncate', args);
  fchmod = (...args: unknown[]): number => this.#number('fchmod', args);
  futimes = (...args: unknown[]): number => this.#number('futimes', args);
  sync = (...args: unknown[]): number => this.#number('sync', args);
  isatty = (...args: unknown[]): number => this.#number('isatty', args);
  stat = (...args: unknown[]): FileStat | Failure => this.#answer('stat', args) as FileStat | Failure;
  fstat = (...args: unknown[]): FileStat | Failure => this.#answer('fstat', args) as FileStat | Failure;
  list = (...args: unknown[]): FolderEntry | Failure => this.#answer('list', args) as FolderEntry | Failure;
  unlink = (...args: unknown[]): number => this.#number('unlink', args);
  rmdir = (...args: unknown[]): number => this.#number('rmdir', args);
  mkdir = (...args: unknown[]): number => this.#number('mkdir', args);
  rename = (...args: unknown[]): number => this.#number('rename', args);
  link = (...args: unknown[]): number => this.#number('link', args);
  symlink = (...args: unknown[]): number => this.#number('symlink', args);
  chmod = (...args: unknown[]): number => this.#number('chmod', args);
  utimes = (...args: unknown[]): number => this.#number('utimes', args);
  readlink = (...args: unknown[]): string | Failure => this.#answer('readlink', args) as string | Failure;
  getcwd = (...args: unknown[]): string => this.#answer('getcwd', args) as string;
  chdir = (...args: unknown[]): number => this.#number('chdir', args);
  clock = (...args: unknown[]): bigint => this.#answer('clock', args) as bigint;
  sleep = (...args: unknown[]): number => this.#number('sleep', args);
  run = (): number => this.#number('run', []);

  socket(call: number, handle: number, memory: Uint8Array, start: number): number {
    return this.#answer('socket', [call, handle], memory, start) as number;
  }
}

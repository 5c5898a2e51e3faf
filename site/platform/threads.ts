/**
 * `src/platform/threads.ts` for a page: Web Workers with the interface of Node's.
 *
 * A worker is started by `boot-worker.ts`, which waits for its first message, the `Start`, and then
 * loads the module. Messages that arrive meanwhile are buffered, because they would be lost without
 * a listener.
 *
 * A worker that runs a program blocks while the program's threads run, so it cannot start their
 * workers. It asks the worker that started it to do so:
 *
 *     engine ── Worker ──▶ run-worker ── startBeside ──▶ engine ── new Worker ──▶ thread-worker
 *                            sleeps ◀──────────── shared memory ───────────────────┘
 */
import type { MemoryFile } from './memory-files.js';

/** The first message to a worker. */
export interface Start {
  readonly module: string;
  readonly workerData: unknown;
  readonly session: string;
  /** Files of the cache, for workers that use it. */
  readonly files: readonly [path: string, file: MemoryFile][];
}

type Listener = (value: never) => void;

/** Listeners by event, as Node's emitters have them. */
class Events {
  readonly #listeners = new Map<string, { listener: Listener; once: boolean }[]>();

  add(event: string, listener: Listener, once: boolean): void {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), { listener, once }]);
  }

  remove(event: string): void {
    this.#listeners.delete(event);
  }

  has(event: string): boolean {
    return (this.#listeners.get(event)?.length ?? 0) > 0;
  }

  emit(event: string, value?: unknown): void {
    const all = this.#listeners.get(event) ?? [];
    this.#listeners.set(
      event,
      all.filter(({ once }) => !once),
    );
    for (const { listener } of all) listener(value as never);
  }
}

/** Sent by a worker that cannot be loaded, instead of its first message. */
export interface BootFailure {
  readonly bootFailure: string;
}

/** The requests of a worker to the one that started it. */
type BesideRequest = { readonly startBeside: number; readonly start: Start } | { readonly endBeside: number };

export class Worker {
  readonly #worker: globalThis.Worker;
  readonly #events = new Events();
  /** The workers that this one has requested, by its numbers. */
  readonly #beside = new Map<number, Worker>();
  #isEnded = false;

  constructor(url: URL, start: Start) {
    this.#worker = new globalThis.Worker(url, { type: 'module', name: start.module });
    this.#worker.onmessage = ({ data }) => {
      const request = data as Partial<{ startBeside: number; start: Start; endBeside: number }> | undefined;
      if (request?.startBeside !== undefined)
        return void this.#beside.set(request.startBeside, new Worker(url, request.start!));
      if (request?.endBeside !== undefined) return void this.#beside.get(request.endBeside)?.terminate();
      const failure = (data as Partial<BootFailure> | undefined)?.bootFailure;
      if (failure === undefined) this.#events.emit('message', data);
      else this.#events.emit('error', new Error(failure));
    };
    this.#worker.onerror = event => {
      event.preventDefault();
      this.#events.emit('error', new Error(event.message ?? 'the worker cannot be loaded'));
    };
    this.#worker.postMessage(start);
  }

  on(event: string, listener: Listener): this {
    this.#events.add(event, listener, false);
    return this;
  }

  once(event: string, listener: Listener): this {
    this.#events.add(event, listener, true);
    return this;
  }

  removeAllListeners(event: string): void {
    this.#events.remove(event);
  }

  postMessage(message: unknown): void {
    this.#worker.postMessage(message);
  }

  async terminate(): Promise<void> {
    this.#worker.terminate();
    for (const other of this.#beside.values()) void other.terminate();
    if (this.#isEnded) return;
    this.#isEnded = true;
    queueMicrotask(() => this.#events.emit('exit'));
  }

  /** Workers do not keep a page alive. */
  ref(): void {}
  unref(): void {}
}

let requested = 0;

/** In a worker: has another one started by the worker that started this one. */
export function startBeside(start: Start): { terminate(): void } {
  const number = ++requested;
  self.postMessage({ startBeside: number, start } satisfies BesideRequest);
  return { terminate: () => self.postMessage({ endBeside: number } satisfies BesideRequest) };
}

const events = new Events();
const early: unknown[] = [];

export const parentPort = {
  on(event: string, listener: Listener): void {
    events.add(event, listener, false);
    deliver();
  },
  once(event: string, listener: Listener): void {
    events.add(event, listener, true);
    deliver();
  },
  postMessage(message: unknown): void {
    self.postMessage(message);
  },
};

function deliver(): void {
  while (early.length > 0 && events.has('message')) events.emit('message', early.shift());
}

export let workerData: unknown;

/**
 * In a worker: resolves with the first message; from then on messages are those of `parentPort`.
 */
export function receiveStart(): Promise<Start> {
  return new Promise(resolve => {
    self.onmessage = ({ data }: MessageEvent<Start>) => {
      workerData = data.workerData;
      self.onmessage = ({ data: message }: MessageEvent) => {
        early.push(message);
        deliver();
      };
      resolve(data);
    };
  });
}

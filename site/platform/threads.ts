/**
 * `src/platform/threads.ts` for a page: Web Workers with the interface of Node's.
 *
 * A worker is started by `boot-worker.ts`, which waits for its first message, the `Start`, and then
 * loads the module. Messages that arrive meanwhile are buffered, because they would be lost without
 * a listener.
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

/** What a worker says instead of its first message when it cannot be loaded. */
export interface BootFailure {
  readonly bootFailure: string;
}

export class Worker {
  readonly #worker: globalThis.Worker;
  readonly #events = new Events();
  #isEnded = false;

  constructor(url: URL, start: Start) {
    this.#worker = new globalThis.Worker(url, { type: 'module', name: start.module });
    this.#worker.onmessage = ({ data }) => {
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
    if (this.#isEnded) return;
    this.#isEnded = true;
    queueMicrotask(() => this.#events.emit('exit'));
  }

  /** Workers do not keep a page alive. */
  ref(): void {}
  unref(): void {}
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

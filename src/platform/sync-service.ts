/**
 * A service that is called synchronously: the caller blocks until the worker has replied or the
 * time is over.
 *
 *     const z3 = startSyncService<string, string>('solver/z3-worker');    // caller
 *     const result = z3.call(script, 1000);
 *     serveSync<string, string>(async script => …);                      // in src/solver/z3-worker.ts
 *
 * The worker posts its answer on a port and then raises a shared flag, on which the caller waits
 * (Atomics.wait). Time limits are real: a worker that is late is ended, whatever it is doing, and
 * the next call starts a fresh one. Starting has its own allowance, so the first call of a worker
 * is not charged for loading it.
 */
import {
  MessageChannel,
  type MessagePort,
  parentPort,
  receiveMessageOnPort,
  type Worker,
  workerData,
} from 'node:worker_threads';
import { InternalError } from '../support/assert.js';
import { isStopRaised } from '../support/stop-flag.js';
import { startWorker } from './node.js';

/** A worker that is not ready after this time has failed. */
export const START_MILLISECONDS = 60_000;

export type SyncReply<Reply> = { readonly kind: 'reply'; readonly reply: Reply } | { readonly kind: 'late' };

export interface SyncService<Request, Reply> {
  /**
   * Starts the worker unless it is running, without waiting for it; otherwise the first call does
   * both.
   */
  launch(): void;
  /**
   * Whether the worker, which is started unless it is running, is ready for a call within this
   * time.
   */
  isReadyWithin(milliseconds: number): boolean;
  /** Requires `milliseconds` > 0; Infinity waits forever. */
  call(request: Request, milliseconds: number): SyncReply<Reply>;
  close(): void;
}

type Answer<Reply> = { readonly reply: Reply } | { readonly error: string };

interface Running {
  readonly worker: Worker;
  readonly port: MessagePort;
  readonly flag: Int32Array;
  isReady: boolean;
}

/** How often a blocked caller polls the stop flag (`support/stop-flag.ts`). */
const lookMs = 50;

/** Raised by the worker: once when it is ready, then for every answer. */
const RAISED = 1;

export function startSyncService<Request, Reply>(module: string): SyncService<Request, Reply> {
  return new WorkerService(module);
}

class WorkerService<Request, Reply> implements SyncService<Request, Reply> {
  #running: Running | undefined;

  constructor(private readonly module: string) {}

  launch(): void {
    this.#running ??= launched(this.module);
  }

  isReadyWithin(milliseconds: number): boolean {
    this.#running ??= launched(this.module);
    this.#running.isReady ||= isRaisedWithin(this.#running.flag, milliseconds);
    return this.#running.isReady;
  }

  call(request: Request, milliseconds: number): SyncReply<Reply> {
    if (!this.isReadyWithin(START_MILLISECONDS) || this.#running === undefined) {
      this.close();
      if (isStopRaised()) return { kind: 'late' };
      throw new InternalError(`the worker ${this.module} did not start`);
    }
    const { worker, port, flag } = this.#running;
    worker.postMessage(request);
    if (!isRaisedWithin(flag, milliseconds)) {
      this.close();
      return { kind: 'late' };
    }
    const answer = receiveMessageOnPort(port)?.message as Answer<Reply> | undefined;
    if (answer === undefined || 'error' in answer) {
      this.close();
      throw new InternalError(`the worker ${this.module} failed: ${answer?.error ?? 'no answer'}`);
    }
    return { kind: 'reply', reply: answer.reply };
  }

  close(): void {
    void this.#running?.worker.terminate();
    this.#running?.port.close();
    this.#running = undefined;
  }
}

function launched(module: string): Running {
  const { port1, port2 } = new MessageChannel();
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const worker = startWorker(module, { workerData: { port: port2, flag }, transferList: [port2] });
  worker.unref();
  port1.unref();
  // A failure to load is noticed as lateness; the error event must not end the process.
  worker.on('error', () => {});
  return { worker, port: port1, flag, isReady: false };
}

/** Blocks until the worker raises the flag, the time is over, or a stop is requested. */
function isRaisedWithin(flag: Int32Array, milliseconds: number): boolean {
  const end = performance.now() + milliseconds;
  let isLate = true;
  while (isLate) {
    const left = Math.max(0, end - performance.now());
    isLate = Atomics.wait(flag, 0, 0, Math.min(left, lookMs)) === 'timed-out';
    if (left === 0 || isStopRaised()) break;
  }
  Atomics.store(flag, 0, 0);
  return !isLate;
}

/**
 * The worker's half. `prepare` loads what the handler needs; the caller's clock starts after it.
 */
export async function serveSync<Request, Reply>(
  prepare: () => Promise<(request: Request) => Promise<Reply>>,
): Promise<void> {
  const { port, flag } = workerData as { port: MessagePort; flag: Int32Array };
  const raise = (): void => {
    Atomics.store(flag, 0, RAISED);
    Atomics.notify(flag, 0);
  };
  const answer = (message: Answer<Reply>): void => {
    port.postMessage(message);
    raise();
  };
  const handle = await prepare();
  parentPort?.on('message', (request: Request) => {
    handle(request).then(
      reply => answer({ reply }),
      error => answer({ error: String(error?.stack ?? error) }),
    );
  });
  raise();
}

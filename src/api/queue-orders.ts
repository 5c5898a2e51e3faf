/**
 * The tasks of a run that this process leads: they are sent to a queue, and `redzone worker`
 * processes on any machine do them.
 *
 *     do(task) ──▶ orders, in the order of the calls ──sent together──▶ jobs
 *                     │
 *     results of the first orders only are fetched: later ones wait in the database
 */
import type { TaskBound } from '../explore/search/task-bound.js';
import { InputError } from '../findings/diagnostic.js';
import { contentHash } from '../platform/files.js';
import { bytesOf } from '../platform/plain-bytes.js';
import { processPlace } from '../platform/process-place.js';
import { type QueueConnection, soon } from '../queue/connection.js';
import { QueuedRun, type RunCounts, type RunView } from '../queue/leader.js';
import { InternalError } from '../support/assert.js';
import { CannotGoOn } from './cannot-go-on.js';
import { engineVersion } from './engine-version.js';
import type { RunControl } from './run-control.js';
import { type WorkerOptions, work } from './worker.js';

/** The number of results that are fetched before they are needed. */
const ahead = 8;
/** The largest number of tasks that are sent at once. */
const mostSent = 256;
/** How often the leader polls. */
const lookMs = 1000;
/** The shortest time between two messages about the bound of the first order. */
const boundMs = 200;
/** Paths per second are averaged over this time. */
const speedMs = 10_000;

interface Order {
  readonly key: string;
  /** Called when the order is sent: a round may have many large tasks. */
  readonly task: () => Uint8Array;
  readonly bound: TaskBound | undefined;
  isFetching: boolean;
  readonly resolve: (result: Uint8Array | undefined) => void;
  readonly reject: (reason: Error) => void;
}

export interface QueueUse {
  /** The name of the run. */
  readonly name: string;
  readonly isResumed: boolean;
  /** With `workers`, this process executes tasks as well. */
  readonly localWorker: WorkerOptions;
  readonly onEvent: RunControl['onEvent'];
}

export type Counted = Omit<RunCounts, 'speed'>;

export class QueueOrders {
  readonly #connection: QueueConnection;
  readonly #use: QueueUse;
  /** The hash of the program, which is part of the keys of tasks. */
  readonly program: string;
  #orders: Order[] = [];
  #unsent: Order[] = [];
  readonly #done = new Set<string>();
  readonly #localStop = new AbortController();
  #localWork: Promise<unknown> | undefined;
  #run!: QueuedRun;
  #isSending = false;
  #isStopped = false;
  #stopReason: string | undefined;
  #lookedMs = 0;
  #toldBoundMs = 0;
  #isLooking = false;
  #hadWorkers = true;
  #counts: { readonly ms: number; readonly paths: number }[] = [];

  private constructor(connection: QueueConnection, program: string, use: QueueUse) {
    this.#connection = connection;
    this.program = program;
    this.#use = use;
  }

  /**
   * `program` is what workers need besides the tasks. Throws InputError if the queue cannot be used
   * for this run.
   */
  static async lead(connection: QueueConnection, program: unknown, use: QueueUse): Promise<QueueOrders> {
    const bytes = bytesOf(program);
    const hash = contentHash([bytes]);
    const orders = new QueueOrders(connection, hash, use);
    const { name, isResumed } = use;
    orders.#run = await QueuedRun.lead(
      connection,
      { name, version: engineVersion(), leader: processPlace(), program: { hash, bytes: () => bytes } },
      isResumed,
      {
        onDone: keys => {
          for (const key of keys) orders.#done.add(key);
          orders.#fetch();
        },
        onTrouble: message => orders.#note(message, 'warning'),
      },
    );
    const { localWorker } = use;
    if (localWorker.workers !== undefined)
      orders.#localWork = work(localWorker, { signal: orders.#localStop.signal }).catch((error: Error) =>
        orders.#fail(error),
      );
    return orders;
  }

  #note(message: string, severity: 'note' | 'warning', help?: string): void {
    this.#use.onEvent?.({
      kind: 'warning',
      diagnostic: { severity, message, ...(help !== undefined && { help }) },
    });
  }

  /**
   * Equal tasks have equal keys. Resolves with undefined if the orders are stopped or the bound is
   * 0; rejects with CannotGoOn if the run cannot continue.
   */
  do(key: string, task: () => Uint8Array, bound?: TaskBound): Promise<Uint8Array | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#isStopped) {
        resolve(undefined);
        return;
      }
      const order = { key, task, bound, isFetching: false, resolve, reject };
      this.#orders.push(order);
      this.#unsent.push(order);
      if (this.#unsent.length === 1) queueMicrotask(() => void this.#send());
    });
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#unsent.length > 0 && !this.#isStopped) {
      const orders = this.#unsent.slice(0, mostSent);
      try {
        await this.#run.send(orders.map(({ key, task }) => ({ key, task: task() })));
        const sent = new Set(orders);
        this.#unsent = this.#unsent.filter(order => !sent.has(order));
      } catch (error) {
        this.#unsent.length = 0;
        this.#fail(error as Error);
      }
    }
    this.#isSending = false;
  }

  #fetch(): void {
    for (const order of this.#orders.slice(0, ahead))
      if (this.#done.has(order.key) && !order.isFetching) void this.#fetchResult(order);
  }

  async #fetchResult(order: Order): Promise<void> {
    order.isFetching = true;
    try {
      const bytes = await this.#run.result(order.key);
      const place = this.#orders.indexOf(order);
      if (place < 0) return;
      if (bytes === undefined) {
        // The job was cancelled or removed by hand, so it is sent again.
        this.#done.delete(order.key);
        order.isFetching = false;
        this.#unsent.push(order);
        void this.#send();
        return;
      }
      this.#orders.splice(place, 1);
      order.resolve(bytes);
      this.#fetch();
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  /** Stores bytes that several tasks name by their key. */
  keep(key: string, bytes: Uint8Array): Promise<void> {
    return this.#run.keep(key, bytes);
  }

  /** Deletes results, and bytes that were kept. */
  forget(keys: readonly string[]): void {
    for (const key of keys) this.#done.delete(key);
    this.#run.forget(keys).catch(() => undefined);
  }

  /** Called often while tasks run. Returns a reason to stop, if there is one. */
  look(counted: () => Counted): string | undefined {
    const now = performance.now();
    if (!this.#isLooking && now - this.#lookedMs > lookMs) {
      this.#lookedMs = now;
      this.#isLooking = true;
      this.#run
        .look(this.#withSpeed(counted(), now))
        .then(
          view => this.#see(view),
          (error: Error) => this.#fail(error),
        )
        .finally(() => {
          this.#isLooking = false;
        });
    }
    return this.#stopReason;
  }

  /**
   * Drops orders whose bound is 0. Tells the worker of the first order its bound if that is near:
   * all orders before it are done, so it is the limit.
   */
  lowerBounds(isNear: (bound: TaskBound) => boolean): void {
    const dropped = this.#orders.filter(({ bound }) => bound?.isZero);
    if (dropped.length > 0) {
      this.#orders = this.#orders.filter(({ bound }) => !bound?.isZero);
      this.#unsent = this.#unsent.filter(({ bound }) => !bound?.isZero);
      this.#run.drop(dropped.map(({ key }) => key)).catch(() => undefined);
      for (const { resolve } of dropped) resolve(undefined);
    }
    const now = performance.now();
    const [first] = this.#orders;
    if (first?.bound === undefined || now - this.#toldBoundMs < boundMs || !isNear(first.bound)) return;
    this.#toldBoundMs = now;
    this.#run.tellBound(first.key, first.bound.paths, first.bound.instructions).catch(() => undefined);
  }

  #withSpeed(counted: Counted, now: number): RunCounts {
    const { paths } = counted;
    this.#counts = [...this.#counts.filter(({ ms }) => now - ms < speedMs), { ms: now, paths }];
    const [first] = this.#counts;
    const speed = (1000 * (paths - first!.paths)) / Math.max(1, now - first!.ms);
    return { ...counted, speed };
  }

  #see({ isCancelled, workers, hopeless }: RunView): void {
    if (isCancelled) this.#stopReason = 'cancelled in the queue';
    if (hopeless?.kind === 'defect') this.#fail(new InternalError(hopeless.why));
    else if (hopeless !== undefined) this.#fail(new CannotGoOn(hopeless.why));
    if (workers === 0 && this.#hadWorkers)
      this.#note(
        'no worker does the tasks of this run',
        'note',
        `start some with \`redzone worker --queue\`, of version ${engineVersion()}, on this or other machines`,
      );
    this.#hadWorkers = workers > 0;
  }

  #fail(error: Error): void {
    if (this.#isStopped) return;
    const reason = error instanceof InputError ? new CannotGoOn(error.diagnostics[0]!.message) : error;
    for (const { reject } of this.#orders.splice(0)) reject(reason);
    if (reason instanceof CannotGoOn) this.#stopReason = reason.message;
  }

  /** Unfinished tasks have no result. */
  stop(): void {
    this.#isStopped = true;
    this.#unsent.length = 0;
    for (const { resolve } of this.#orders.splice(0)) resolve(undefined);
  }

  async close(state: 'done' | 'stopped', counted: Counted): Promise<void> {
    this.stop();
    // If the server is unreachable, the run stays as it is and can be resumed.
    await soon(this.#run.end(state, { ...counted, speed: 0 }));
    this.#localStop.abort();
    await this.#localWork;
    await this.#connection.close();
  }
}

/**
 * Threads that do tasks, each the next one when it is free. A thread that ends, because its memory
 * is full for example, is replaced, and its task is done again.
 */
import type { SubtreeResult, SubtreeTask } from '../explore/search/subtree.js';
import { DedicatedWorker } from '../platform/dedicated-worker.js';
import type { SharedProgram } from './shared-program.js';
import type { SubtreeReply, SubtreeRequest } from './subtree-worker.js';

/** Node's own, which is what the thread of a single search has. */
const stackMegabytes = 4;

/** A task that has ended so many threads would end the next one, too. */
const mostTries = 3;

interface Order {
  readonly task: SubtreeTask;
  tries: number;
  readonly resolve: (result: SubtreeResult | undefined) => void;
  readonly reject: (reason: Error) => void;
}

type Thread = DedicatedWorker<SubtreeRequest, SubtreeReply>;

export class SubtreeThreads {
  readonly #most: number;
  readonly #shared: SharedProgram;
  readonly #stop = new SharedArrayBuffer(4);
  readonly #free: Thread[] = [];
  readonly #threads = new Set<Thread>();
  readonly #orders: Order[] = [];
  #isStopped = false;

  constructor(most: number, shared: SharedProgram) {
    this.#most = most;
    this.#shared = shared;
  }

  /** Rejects if the task ends every thread that tries it. */
  do(task: SubtreeTask): Promise<SubtreeResult | undefined> {
    return new Promise((resolve, reject) => {
      this.#orders.push({ task, tries: 0, resolve, reject });
      this.#next();
    });
  }

  /** How many threads are at work. */
  get busy(): number {
    return this.#threads.size - this.#free.length;
  }

  /** Tasks that are not done yet have no result. */
  stop(): void {
    this.#isStopped = true;
    Atomics.store(new Int32Array(this.#stop), 0, 1);
    for (const { resolve } of this.#orders.splice(0)) resolve(undefined);
  }

  async close(): Promise<void> {
    this.stop();
    await Promise.all([...this.#threads].map(thread => thread.close()));
  }

  #next(): void {
    while (this.#orders.length > 0) {
      const thread = this.#free.pop() ?? this.#another();
      if (thread === undefined) return;
      void this.#work(thread, this.#orders.shift()!);
    }
  }

  #another(): Thread | undefined {
    if (this.#threads.size >= this.#most) return undefined;
    const thread: Thread = new DedicatedWorker('api/subtree-worker', stackMegabytes);
    this.#threads.add(thread);
    thread.call({ kind: 'start', shared: this.#shared, stop: this.#stop }).catch(() => undefined);
    return thread;
  }

  async #work(thread: Thread, order: Order): Promise<void> {
    try {
      order.resolve(await thread.call({ kind: 'task', task: order.task }));
      this.#free.push(thread);
    } catch (error) {
      this.#threads.delete(thread);
      void thread.close();
      if (this.#isStopped) order.resolve(undefined);
      else if (++order.tries < mostTries) this.#orders.unshift(order);
      else order.reject(error as Error);
    }
    this.#next();
  }
}

/**
 * Threads that execute tasks. A thread that dies, for example because its memory is full, is
 * replaced, and its task is executed again.
 */
import type { SubtreeResult, SubtreeTask } from '../explore/search/subtree.js';
import { DedicatedWorker } from '../platform/dedicated-worker.js';
import { CannotGoOn } from './cannot-go-on.js';
import type { SharedProgram } from './shared-program.js';
import type { SubtreeReply, SubtreeRequest } from './subtree-worker.js';

/** Node's default, which the thread of a single search has as well. */
const stackMegabytes = 4;

/** After this many threads have died from the same task, the task is given up. */
const mostTries = 3;

interface Order {
  readonly task: SubtreeTask;
  readonly shared: SharedProgram;
  tries: number;
  readonly resolve: (result: SubtreeResult | undefined) => void;
  readonly reject: (reason: Error) => void;
}

interface Thread {
  readonly worker: DedicatedWorker<SubtreeRequest, SubtreeReply>;
  /** The program that the thread has loaded. */
  shared: SharedProgram | undefined;
}

export class SubtreeThreads {
  readonly #most: number;
  readonly #heapMegabytes: number | undefined;
  readonly #stop = new SharedArrayBuffer(4);
  readonly #free: Thread[] = [];
  readonly #threads = new Set<Thread>();
  readonly #orders: Order[] = [];
  #isStopped = false;

  /** `heapMegabytes` limits the memory of each thread. */
  constructor(most: number, heapMegabytes?: number) {
    this.#most = most;
    this.#heapMegabytes = heapMegabytes;
  }

  /**
   * Rejects if the task kills every thread that tries it; with CannotGoOn if they run out of
   * memory.
   */
  do(task: SubtreeTask, shared: SharedProgram): Promise<SubtreeResult | undefined> {
    return new Promise((resolve, reject) => {
      this.#orders.push({ task, shared, tries: 0, resolve, reject });
      this.#next();
    });
  }

  /** The number of busy threads. */
  get busy(): number {
    return this.#threads.size - this.#free.length;
  }

  /** Stops all threads. Unfinished tasks have no result. */
  stop(): void {
    this.#isStopped = true;
    Atomics.store(new Int32Array(this.#stop), 0, 1);
    for (const { resolve } of this.#orders.splice(0)) resolve(undefined);
  }

  async close(): Promise<void> {
    this.stop();
    await Promise.all([...this.#threads].map(({ worker }) => worker.close()));
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
    const worker = new DedicatedWorker<SubtreeRequest, SubtreeReply>(
      'api/subtree-worker',
      stackMegabytes,
      this.#heapMegabytes,
    );
    const thread: Thread = { worker, shared: undefined };
    this.#threads.add(thread);
    return thread;
  }

  async #work(thread: Thread, order: Order): Promise<void> {
    const { worker } = thread;
    try {
      if (thread.shared !== order.shared)
        await worker.call({ kind: 'start', shared: order.shared, stop: this.#stop });
      thread.shared = order.shared;
      order.resolve(await worker.call({ kind: 'task', task: order.task }));
      this.#free.push(thread);
    } catch (error) {
      this.#threads.delete(thread);
      void worker.close();
      if (this.#isStopped) order.resolve(undefined);
      else if (++order.tries < mostTries) this.#orders.unshift(order);
      else if (isOutOfMemory(error as Error))
        order.reject(new CannotGoOn('a worker did not have the memory for its task'));
      else order.reject(error as Error);
    }
    this.#next();
  }
}

function isOutOfMemory({ message }: Error): boolean {
  return /ERR_WORKER_OUT_OF_MEMORY|memory limit/i.test(message);
}

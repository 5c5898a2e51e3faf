/**
 * Threads that execute tasks. A thread that dies, for example because its memory is full, is
 * replaced, and its task is executed again.
 */
import { DedicatedWorker } from '../platform/dedicated-worker.js';
import { CannotGoOn } from './cannot-go-on.js';

/** After this many threads have died from the same task, the task is given up. */
const mostTries = 3;

/** The requests to a thread: `start` is answered with undefined, and so is a stopped task. */
export type TaskRequest<Shared, Task> =
  | { readonly kind: 'start'; readonly shared: Shared; readonly stop: SharedArrayBuffer }
  | { readonly kind: 'task'; readonly task: Task };

/** The module of the threads, and their stack. */
export interface ThreadKind {
  readonly module: string;
  readonly stackMegabytes: number;
}

/** Threads of `explore` have Node's default stack, as the thread of a single search has. */
export const subtreeThread: ThreadKind = { module: 'api/subtree-worker', stackMegabytes: 4 };

/** Threads of `fuzz` run programs, which may be deeply recursive. */
export const searchThread: ThreadKind = { module: 'api/search-worker', stackMegabytes: 64 };

interface Order<Shared, Task, Result> {
  readonly task: Task;
  readonly shared: Shared;
  readonly isDropped: () => boolean;
  tries: number;
  readonly resolve: (result: Result | undefined) => void;
  readonly reject: (reason: Error) => void;
}

interface Thread<Shared, Task, Result> {
  readonly worker: DedicatedWorker<TaskRequest<Shared, Task>, Result | undefined>;
  /** The program that the thread has loaded. */
  shared: Shared | undefined;
}

export class TaskThreads<Shared, Task, Result> {
  readonly #kind: ThreadKind;
  readonly #most: number;
  readonly #heapMegabytes: number | undefined;
  readonly #stop = new SharedArrayBuffer(4);
  readonly #free: Thread<Shared, Task, Result>[] = [];
  readonly #threads = new Set<Thread<Shared, Task, Result>>();
  readonly #orders: Order<Shared, Task, Result>[] = [];
  #isStopped = false;

  /** `heapMegabytes` limits the memory of each thread. */
  constructor(kind: ThreadKind, most: number, heapMegabytes?: number) {
    this.#kind = kind;
    this.#most = most;
    this.#heapMegabytes = heapMegabytes;
  }

  /**
   * A task that is dropped before it begins has no result. Rejects if the task kills every thread
   * that tries it; with CannotGoOn if they run out of memory.
   */
  do(task: Task, shared: Shared, isDropped = (): boolean => false): Promise<Result | undefined> {
    return new Promise((resolve, reject) => {
      this.#orders.push({ task, shared, isDropped, tries: 0, resolve, reject });
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
      if (this.#orders[0]!.isDropped()) {
        this.#orders.shift()!.resolve(undefined);
        continue;
      }
      const thread = this.#free.pop() ?? this.#another();
      if (thread === undefined) return;
      void this.#work(thread, this.#orders.shift()!);
    }
  }

  #another(): Thread<Shared, Task, Result> | undefined {
    if (this.#threads.size >= this.#most) return undefined;
    const { module, stackMegabytes } = this.#kind;
    const thread: Thread<Shared, Task, Result> = {
      worker: new DedicatedWorker(module, stackMegabytes, this.#heapMegabytes),
      shared: undefined,
    };
    this.#threads.add(thread);
    return thread;
  }

  async #work(thread: Thread<Shared, Task, Result>, order: Order<Shared, Task, Result>): Promise<void> {
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
        order.reject(new CannotGoOn('a worker did not have enough memory for its task'));
      else order.reject(error as Error);
    }
    this.#next();
  }
}

function isOutOfMemory({ message }: Error): boolean {
  return /ERR_WORKER_OUT_OF_MEMORY|memory limit/i.test(message);
}

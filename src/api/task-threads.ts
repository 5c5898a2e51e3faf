/**
 * Threads that execute tasks. A thread that dies, for example because its memory is full, is
 * replaced, and its task is executed again.
 *
 * The thread that has them may be one of them (`TaskHere`), so that one thread less has to load the
 * engine and to wait until V8 has optimized it.
 */
import { DedicatedWorker } from '../platform/dedicated-worker.js';
import { nextTurn } from '../platform/next-turn.js';
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

/** The task is for another thread, because it would block this one. */
export const LEFT_TO_OTHERS: unique symbol = Symbol('left to others');

/**
 * Executes a task in this thread, and lets other events be handled every few milliseconds, because
 * other threads wait for their next task. Resolves with undefined once `isStopped`.
 */
export type TaskHere<Shared, Task, Result> = (
  task: Task,
  shared: Shared,
  isStopped: () => boolean,
) => Promise<Result | typeof LEFT_TO_OTHERS | undefined>;

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
  #most: number;
  readonly #heapMegabytes: number | undefined;
  /** Undefined if this thread executes no tasks, or no more tasks. */
  #here: TaskHere<Shared, Task, Result> | undefined;
  readonly #stop = new SharedArrayBuffer(4);
  readonly #free: Thread<Shared, Task, Result>[] = [];
  readonly #threads = new Set<Thread<Shared, Task, Result>>();
  readonly #orders: Order<Shared, Task, Result>[] = [];
  #isBusyHere = false;
  /** The end of the task of this thread. */
  #endHere: Promise<void> = Promise.resolve();
  #isStopped = false;

  /**
   * At most `most` tasks are executed at the same time, one of them by `here`, if it is given.
   * `heapMegabytes` limits the memory of each other thread.
   */
  constructor(
    kind: ThreadKind,
    most: number,
    { heapMegabytes, here }: { heapMegabytes?: number | undefined; here?: TaskHere<Shared, Task, Result> },
  ) {
    this.#kind = kind;
    this.#most = here === undefined ? most : most - 1;
    this.#heapMegabytes = heapMegabytes;
    this.#here = here;
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

  /**
   * Starts the threads, which load the program and execute this task, so that V8 has optimized the
   * engine when their first real task comes. Its results are dropped; its bound ends it.
   */
  warmUp(task: Task, shared: Shared): void {
    const ignored = { isDropped: () => true, tries: mostTries, resolve: () => {}, reject: () => {} };
    for (let thread = this.#another(); thread !== undefined; thread = this.#another())
      void this.#work(thread, { task, shared, ...ignored });
  }

  /** Stops all threads. Unfinished tasks have no result. */
  stop(): void {
    this.#isStopped = true;
    Atomics.store(new Int32Array(this.#stop), 0, 1);
    for (const { resolve } of this.#orders.splice(0)) resolve(undefined);
  }

  async close(): Promise<void> {
    this.stop();
    await Promise.all([this.#endHere, ...[...this.#threads].map(({ worker }) => worker.close())]);
  }

  #next(): void {
    while (this.#orders.length > 0) {
      if (this.#orders[0]!.isDropped()) {
        this.#orders.shift()!.resolve(undefined);
        continue;
      }
      if (this.#here !== undefined && !this.#isBusyHere) {
        this.#endHere = this.#workHere(this.#here, this.#orders.shift()!);
        continue;
      }
      const thread = this.#free.pop() ?? this.#another();
      if (thread === undefined) return;
      void this.#work(thread, this.#orders.shift()!);
    }
  }

  async #workHere(here: TaskHere<Shared, Task, Result>, order: Order<Shared, Task, Result>): Promise<void> {
    this.#isBusyHere = true;
    // The other threads begin first.
    await nextTurn();
    try {
      const result = await here(order.task, order.shared, () => this.#isStopped);
      if (result !== LEFT_TO_OTHERS) order.resolve(result);
      else {
        this.#here = undefined;
        this.#most++;
        this.#orders.unshift(order);
      }
    } catch (error) {
      order.reject(error as Error);
    }
    this.#isBusyHere = false;
    this.#next();
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

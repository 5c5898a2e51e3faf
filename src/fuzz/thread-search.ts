/** Executes the tasks of rounds in threads of this process. */
import type { DedicatedWorker } from '../platform/dedicated-worker.js';
import type { FuzzReply, FuzzRequest, News, SearchForce, Task, TaskResult } from './protocol.js';

export type FuzzWorker = DedicatedWorker<FuzzRequest, FuzzReply>;

export class ThreadSearch implements SearchForce {
  readonly #workers: readonly FuzzWorker[];
  /** The news that each worker has not received yet. */
  readonly #news: News[][];

  constructor(workers: readonly FuzzWorker[]) {
    this.#workers = workers;
    this.#news = workers.map(() => []);
  }

  /** A single worker gets all tasks at once, because short ones take as long as a message. */
  async search(tasks: readonly Task[], news: News): Promise<readonly TaskResult[]> {
    for (const waiting of this.#news) waiting.push(news);
    const atOnce = this.#workers.length === 1 ? tasks.length : 1;
    const results = new Array<TaskResult>(tasks.length);
    let next = 0;
    await Promise.all(
      this.#workers.map(async (worker, number) => {
        while (next < tasks.length) {
          const start = next;
          next += atOnce;
          const some = tasks.slice(start, next);
          const request = { kind: 'search', news: this.#news[number]!.splice(0), tasks: some } as const;
          const found = (await worker.call(request)) as readonly TaskResult[];
          for (const [i, result] of found.entries()) results[start + i] = result;
        }
      }),
    );
    return results;
  }
}

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

  async search(tasks: readonly Task[], news: News): Promise<readonly TaskResult[]> {
    for (const waiting of this.#news) waiting.push(news);
    const results = new Array<TaskResult>(tasks.length);
    let next = 0;
    await Promise.all(
      this.#workers.map(async (worker, number) => {
        for (let i = next++; i < tasks.length; i = next++) {
          const request = { kind: 'search', news: this.#news[number]!.splice(0), task: tasks[i]! } as const;
          results[i] = (await worker.call(request)) as TaskResult;
        }
      }),
    );
    return results;
  }
}

/**
 * Executes the tasks of a fuzzing campaign through a queue.
 *
 * A task contains the news since a *base*, which is everything that the campaign knew at some time,
 * and which the queue holds once. When the news get longer than half of the base, there is a new
 * base, so a worker that joins late has little to read, and the others little with each task.
 */
import type { News, SearchForce, Task, TaskResult } from '../fuzz/protocol.js';
import { contentHash } from '../platform/files.js';
import { bytesOf, dataOf } from '../platform/plain-bytes.js';
import { uniqueName } from '../platform/process-place.js';
import { CannotGoOn } from './cannot-go-on.js';
import type { Counted, QueueOrders } from './queue-orders.js';
import type { QueuedSearch } from './shared-target.js';

/** How often the clock, the signal and the queue are checked. */
const lookMs = 50;
/** Fewer bytes of news are not worth a base. */
const fewestBytes = 4 << 10;

export class QueueSearch implements SearchForce {
  readonly #orders: QueueOrders;
  readonly #isOver: () => boolean;
  readonly #counted: () => Counted;
  readonly #known = new Known();
  readonly #name = uniqueName();
  #base = { name: `${this.#name} 0`, number: 0, bytes: 0 };
  #steps: News[] = [];
  /** Why the campaign stops: the queue is unusable, or the run was cancelled. */
  stopped: string | undefined;

  constructor(orders: QueueOrders, isOver: () => boolean, counted: () => Counted) {
    this.#orders = orders;
    this.#isOver = isOver;
    this.#counted = counted;
  }

  async search(tasks: readonly Task[], news: News): Promise<readonly TaskResult[] | undefined> {
    const look = setInterval(() => {
      this.stopped ??= this.#orders.look(this.#counted);
      if (this.stopped !== undefined || this.#isOver()) this.#orders.stop();
    }, lookMs);
    try {
      const steps = await this.#learn(news);
      return await this.#results(tasks, steps);
    } catch (error) {
      if (!(error instanceof CannotGoOn)) throw error;
      this.stopped ??= error.message;
      return undefined;
    } finally {
      clearInterval(look);
    }
  }

  async #results(tasks: readonly Task[], steps: Uint8Array): Promise<readonly TaskResult[] | undefined> {
    const { name: base, number } = this.#base;
    const jobs = tasks.map(task => {
      const job: QueuedSearch = { base, hasBase: number > 0, steps, task };
      const key = contentHash([this.#orders.program, base, steps, JSON.stringify(task)]);
      return { key, job };
    });
    const results = await Promise.all(jobs.map(({ key, job }) => this.#orders.do(key, () => bytesOf(job))));
    this.#orders.forget(jobs.map(({ key }) => key));
    const found = results.flatMap(bytes => (bytes === undefined ? [] : [dataOf(bytes) as TaskResult]));
    return found.length === tasks.length ? found : undefined;
  }

  /** Returns the bytes of the news since the base. */
  async #learn(news: News): Promise<Uint8Array> {
    this.#known.learn(news);
    this.#steps.push(news);
    const steps = bytesOf(this.#steps);
    if (steps.length < fewestBytes + this.#base.bytes / 2) return steps;
    const bytes = bytesOf(this.#known.all());
    const number = this.#base.number + 1;
    const name = `${this.#name} ${number}`;
    await this.#orders.keep(name, bytes);
    // All tasks of the last round are done, and they are the last that need the old base.
    this.#orders.forget([this.#base.name]);
    this.#base = { name, number, bytes: bytes.length };
    this.#steps = [];
    return bytesOf([]);
  }

  async close(): Promise<void> {
    await this.#orders.close(this.stopped === undefined ? 'done' : 'stopped', this.#counted());
  }
}

/** What the campaign knows: the sum of all news. */
class Known {
  readonly #entries = new Map<number, News['added'][number]>();
  readonly #seen: number[] = [];
  readonly #errors: string[] = [];
  readonly #words: Uint8Array[] = [];

  learn({ added, removed, seen, errors, words }: News): void {
    for (const entry of added) this.#entries.set(entry.id, entry);
    for (const id of removed) this.#entries.delete(id);
    for (const feature of seen) this.#seen.push(feature);
    this.#errors.push(...errors);
    this.#words.push(...words);
  }

  all(): News {
    const added = [...this.#entries.values()];
    return { added, removed: [], seen: this.#seen, errors: this.#errors, words: this.#words };
  }
}

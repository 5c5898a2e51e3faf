/**
 * A fuzzed program in the form in which workers of a queue receive it, and the tasks of a campaign.
 *
 *     base, steps   what the campaign knows: a whole, and the news since
 *     task          which entry to change, with which seed
 *
 * A thread that knows the base and some of the steps learns the others only.
 */
import { Target, type TargetRequest } from '../fuzz/fuzz-target.js';
import type { News, SearchOptions, Task, TaskResult } from '../fuzz/protocol.js';
import { Searcher } from '../fuzz/searcher.js';
import type { RunRequest } from '../monitor/run/run-request.js';
import { dataOf } from '../platform/plain-bytes.js';

export interface SharedTarget {
  readonly kind: 'fuzz';
  /** Without the memory that threads of one process share. */
  readonly target: Omit<TargetRequest, 'run'> & { readonly run: Omit<RunRequest, 'unread' | 'hostLog'> };
  readonly options: SearchOptions;
}

export function sharedTarget(target: TargetRequest, options: SearchOptions): SharedTarget {
  const { unread: _, hostLog: __, ...run } = target.run;
  return { kind: 'fuzz', target: { ...target, run }, options };
}

/** A task as a job of the queue. */
export interface QueuedSearch {
  /** The name of what the campaign knew at some time: no other campaign uses it. */
  readonly base: string;
  /** Whether the queue holds the bytes of that, under this name; otherwise it knew nothing. */
  readonly hasBase: boolean;
  /** The bytes of a list of News. */
  readonly steps: Uint8Array;
  readonly task: Task;
}

/** A task for a thread, with the bytes of its base in memory that all threads share. */
export interface SearchOrder extends QueuedSearch {
  readonly baseBytes: SharedArrayBuffer | undefined;
}

/** A target, with the part of the campaign that it knows. */
export class TargetThread {
  readonly #request: TargetRequest;
  readonly #options: SearchOptions;
  readonly #target: Target;
  #searcher: Searcher;
  #base = '';
  #steps = 0;

  private constructor(request: TargetRequest, options: SearchOptions, target: Target) {
    this.#request = request;
    this.#options = options;
    this.#target = target;
    this.#searcher = new Searcher(target, request, options);
  }

  static async create({ target, options }: SharedTarget): Promise<TargetThread> {
    const run = { ...target.run, unread: new SharedArrayBuffer(4), hostLog: undefined };
    const request = { ...target, run };
    return new TargetThread(request, options, await Target.create(request));
  }

  search({ base, baseBytes, steps, task }: SearchOrder): TaskResult {
    const news = dataOf(steps) as readonly News[];
    if (base !== this.#base) {
      this.#target.unseeAll();
      this.#searcher = new Searcher(this.#target, this.#request, this.#options);
      if (baseBytes !== undefined) this.#searcher.learn(dataOf(new Uint8Array(baseBytes).slice()) as News);
      this.#base = base;
      this.#steps = 0;
    }
    for (const one of news.slice(this.#steps)) this.#searcher.learn(one);
    this.#steps = news.length;
    return this.#searcher.search(task);
  }
}

/** Searches a long run of `check` for an infinite loop, and ends the run if there is one. */
import type { Finding } from '../findings/finding.js';
import type { RunRequest } from '../monitor/run/run-request.js';
import { isSuppressed } from '../monitor/suppressions.js';
import { startTask } from '../platform/task.js';
import type { CheckOptions } from './check.js';
import type { LoopSearchRequest, LoopSearchResult } from './loop-search.js';
import { resultOf } from './supervise.js';

/** A run that lasts longer than this is searched. */
const patienceMs = 2000;

/** The time between two looks at the threads of the run. */
const pauseMs = 100;

export class LoopWatcher {
  readonly #stop = new AbortController();
  readonly #over = new AbortController();
  readonly #search: Promise<Finding | undefined>;

  /**
   * Called when the run begins; `signal` stops it. `isAlone` tells whether at most one thread of
   * the run has not ended.
   */
  constructor(
    options: CheckOptions,
    request: RunRequest,
    signal: AbortSignal,
    private readonly isAlone: () => Promise<boolean>,
  ) {
    if (signal.aborted) this.#stop.abort();
    signal.addEventListener('abort', () => this.#stop.abort(), { once: true, signal: this.#over.signal });
    this.#search = this.#run(options, request);
    // Prevents an unhandled rejection; the promise is awaited later.
    this.#search.catch(() => undefined);
  }

  /** Aborts with the signal of the run, and when a loop was found. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Ends the search when the run is over. Returns the loop for which the run was ended. */
  async end(): Promise<Finding | undefined> {
    this.#over.abort();
    return this.#search;
  }

  async #run(options: CheckOptions, request: RunRequest): Promise<Finding | undefined> {
    const { hostLog } = request;
    if (hostLog === undefined) return undefined;
    const {
      inputs,
      clangFlags = [],
      checks,
      entryPoint,
      clang,
      maxTimeMs = Number.POSITIVE_INFINITY,
    } = options;
    await this.#wait(options.detectLoops ? 0 : Math.min(patienceMs, maxTimeMs / 4));
    if (this.#over.signal.aborted) return undefined;
    const task = startTask<LoopSearchRequest, never, LoopSearchResult>('api/loop-search-worker', {
      program: { inputs, clangFlags, checks, entryPoint, clang },
      arguments: request.arguments,
      environment: request.environment,
      hostLog,
      rests: options.detectLoops !== true,
    });
    const result = await resultOf(task, this.#over.signal);
    const found = result?.found;
    if (found === undefined || isSuppressed(found, request.suppressions)) return undefined;
    // The search has run each thread to its end; in the run another may still end the loop.
    while (!this.#over.signal.aborted && !(await this.isAlone())) await this.#wait(pauseMs);
    if (this.#over.signal.aborted) return undefined;
    this.#stop.abort();
    return found;
  }

  /** Waits for this time, or until the run is over. */
  async #wait(milliseconds: number): Promise<void> {
    const { signal } = this.#over;
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, milliseconds);
      const stop = (): void => {
        clearTimeout(timer);
        resolve();
      };
      signal.addEventListener('abort', stop, { once: true });
    });
  }
}

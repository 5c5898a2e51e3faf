/** Searches a long run of `check` for an infinite loop, and ends the run if there is one. */
import type { Finding } from '../findings/finding.js';
import type { RunRequest } from '../monitor/run/run-request.js';
import { isSuppressed } from '../monitor/suppressions.js';
import { afterProcessorMs } from '../platform/node.js';
import { startTask } from '../platform/task.js';
import type { CheckOptions } from './check.js';
import type { LoopSearchRequest, LoopSearchResult } from './loop-search.js';
import { resultOf } from './supervise.js';

/** A run that takes more processor time than this is searched. */
const patienceMs = 2000;

/** Timers cannot be set to more. */
const longestTimerMs = 2 ** 31 - 1;

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
    if (options.detectLoops !== true) await this.#wait(maxTimeMs / 4, patienceMs);
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

  /** Waits for this time, or until the run is over or has used so much processor time. */
  async #wait(milliseconds: number, processorMs = Number.POSITIVE_INFINITY): Promise<void> {
    const { signal } = this.#over;
    await new Promise<void>(resolve => {
      const timer = setTimeout(() => stop(), Math.min(milliseconds, longestTimerMs));
      const cancel = afterProcessorMs(Math.min(processorMs, longestTimerMs), () => stop());
      const stop = (): void => {
        clearTimeout(timer);
        cancel();
        resolve();
      };
      signal.addEventListener('abort', stop, { once: true });
    });
  }
}

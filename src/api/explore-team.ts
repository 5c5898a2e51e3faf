/**
 * The threads that execute the tasks of a divided exploration, which start early, or a queue.
 *
 *     single search, about a second   ──▶   tasks
 *            └─ other threads load the program and warm up ─┘
 */
import type { SymbolicStart } from '../explore/state/state.js';
import type { Module } from '../ir/model.js';
import { threadsFor } from '../platform/process-memory.js';
import type { QueueConnection } from '../queue/connection.js';
import type { ExploreSettings } from './explore.js';
import type { LinkedProgram } from './explore-program.js';
import type { ExploreResults } from './explore-results.js';
import type { TaskForce } from './explore-rounds.js';
import { nameOfRun } from './led-queue.js';
import type { RunControl } from './run-control.js';
import type { SharedProgram } from './shared-program.js';
import type { ThreadForce } from './thread-force.js';

/** What other threads and machines need besides the options. */
export interface SharedParts extends Pick<LinkedProgram, 'irTexts' | 'unsequenced'> {
  readonly args: readonly string[];
  readonly symbolic: SymbolicStart;
}

/** A program that runs for this long is probably worth the start of threads. */
const warmUpMs = 200;

export class Team {
  readonly #queue: QueueConnection | undefined;
  readonly #options: ExploreSettings;
  readonly #control: RunControl;
  readonly #makeShared: () => Promise<SharedProgram>;
  #shared: Promise<SharedProgram> | undefined;
  #threads: ThreadForce | undefined;

  constructor(
    queue: QueueConnection | undefined,
    options: ExploreSettings,
    control: RunControl,
    module: Module,
    { args, symbolic, ...program }: SharedParts,
  ) {
    this.#queue = queue;
    this.#options = options;
    this.#control = control;
    this.#makeShared = async () => {
      const { shareModule, sharedProgram } = await import('./shared-program.js');
      const shared = sharedProgram(options, program, args, symbolic);
      shareModule(shared, module);
      return shared;
    };
  }

  shared(): Promise<SharedProgram> {
    this.#shared ??= this.#makeShared();
    return this.#shared;
  }

  /** Called while the part that is not divided is explored: the other threads start meanwhile. */
  async warmUp(runMs: number): Promise<void> {
    if (runMs > warmUpMs && this.#queue === undefined && this.#count() > 1) await this.#ofThreads();
  }

  async dismiss(): Promise<void> {
    await this.#threads?.dismiss();
  }

  async force(results: ExploreResults): Promise<TaskForce> {
    const { onEvent } = this.#control;
    const { workers, resume } = this.#options;
    if (this.#queue === undefined) return this.#ofThreads();
    const [{ QueueForce }, { QueueOrders }] = await Promise.all([
      import('./queue-force.js'),
      import('./queue-orders.js'),
    ]);
    const localWorker = { queue: this.#options.queue, workers };
    const use = { name: nameOfRun(this.#options), isResumed: resume, onEvent, localWorker };
    const orders = await QueueOrders.lead(this.#queue, await this.shared(), use);
    return new QueueForce(orders, () => results.findings.length);
  }

  #count(): number {
    return threadsFor(this.#options.workers ?? 1);
  }

  async #ofThreads(): Promise<ThreadForce> {
    if (this.#threads === undefined) {
      const [{ threadForce }, shared] = await Promise.all([import('./thread-force.js'), this.shared()]);
      this.#threads = threadForce(this.#count(), shared);
    }
    return this.#threads;
  }
}

/**
 * Executes the tasks of an exploration through a queue: `redzone worker` processes on any machine
 * do them.
 *
 *     do(task) ──▶ orders, in the order of the calls ──sent together──▶ jobs
 *                     │
 *     results of the first orders only are fetched: those behind wait in the database
 *
 * Results stay in the database until a checkpoint of this process has them, so that a leader that
 * is killed finds them again.
 */
import type { Rounds } from '../explore/search/rounds.js';
import type { SubtreeResult, SubtreeTask } from '../explore/search/subtree.js';
import { InputError } from '../findings/diagnostic.js';
import { contentHash } from '../platform/files.js';
import { bytesOf, dataOf } from '../platform/plain-bytes.js';
import { processPlace } from '../platform/process-place.js';
import { type QueueConnection, soon } from '../queue/connection.js';
import { QueuedRun, type RunCounts, type RunView } from '../queue/leader.js';
import { InternalError } from '../support/assert.js';
import { CannotGoOn } from './cannot-go-on.js';
import { engineVersion } from './engine-version.js';
import type { TaskForce } from './explore-rounds.js';
import type { RunControl } from './run-control.js';
import type { SharedProgram } from './shared-program.js';
import { type WorkerOptions, work } from './worker.js';

/** The number of results that are fetched before they are needed. */
const ahead = 8;
/** The largest number of tasks that are sent at once. */
const mostSent = 256;
/** How often the leader polls. */
const lookMs = 1000;
/** Paths per second are averaged over this time. */
const speedMs = 10_000;

interface Order {
  readonly key: string;
  readonly task: SubtreeTask;
  isFetching: boolean;
  readonly resolve: (result: SubtreeResult | undefined) => void;
  readonly reject: (reason: Error) => void;
}

export interface QueueUse {
  /** The name of the run. */
  readonly name: string;
  readonly isResumed: boolean;
  readonly findings: () => number;
  /** With `workers`, this process executes tasks as well. */
  readonly localWorker: WorkerOptions;
  readonly onEvent: RunControl['onEvent'];
}

export class QueueForce implements TaskForce {
  readonly #connection: QueueConnection;
  readonly #use: QueueUse;
  readonly #program: string;
  readonly #orders: Order[] = [];
  readonly #unsent: Order[] = [];
  readonly #done = new Set<string>();
  readonly #keys = new WeakMap<SubtreeResult, string>();
  readonly #localStop = new AbortController();
  #localWork: Promise<unknown> | undefined;
  #run!: QueuedRun;
  #taken: string[] = [];
  #isSending = false;
  #isStopped = false;
  #stopReason: string | undefined;
  #lookedMs = 0;
  #isLooking = false;
  #hadWorkers = true;
  #counts: { readonly ms: number; readonly paths: number }[] = [];

  private constructor(connection: QueueConnection, program: string, use: QueueUse) {
    this.#connection = connection;
    this.#program = program;
    this.#use = use;
  }

  /** Throws InputError if the queue cannot be used for this run. */
  static async lead(connection: QueueConnection, shared: SharedProgram, use: QueueUse): Promise<QueueForce> {
    const bytes = bytesOf(shared);
    const hash = contentHash([bytes]);
    const force = new QueueForce(connection, hash, use);
    const { name, isResumed } = use;
    force.#run = await QueuedRun.lead(
      connection,
      { name, version: engineVersion(), leader: processPlace(), program: { hash, bytes: () => bytes } },
      isResumed,
      {
        onDone: keys => {
          for (const key of keys) force.#done.add(key);
          force.#fetch();
        },
        onTrouble: message => force.#note(message, 'warning'),
      },
    );
    const { localWorker } = use;
    if (localWorker.workers !== undefined)
      force.#localWork = work(localWorker, { signal: force.#localStop.signal }).catch((error: Error) =>
        force.#fail(error),
      );
    return force;
  }

  #note(message: string, severity: 'note' | 'warning', help?: string): void {
    this.#use.onEvent?.({
      kind: 'warning',
      diagnostic: { severity, message, ...(help !== undefined && { help }) },
    });
  }

  do(task: SubtreeTask): Promise<SubtreeResult | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#isStopped) {
        resolve(undefined);
        return;
      }
      const order = { key: this.#keyOf(task), task, isFetching: false, resolve, reject };
      this.#orders.push(order);
      this.#unsent.push(order);
      if (this.#unsent.length === 1) queueMicrotask(() => void this.#send());
    });
  }

  /** The same for equal tasks, also in a process that resumes this exploration. */
  #keyOf({ states, known, limits }: SubtreeTask): string {
    const { work, instructions, paths, states: most } = limits;
    const parts = [
      states.map(state => [state.history, state.instructions, state.news]),
      [known.functions, known.covered, known.told],
      [work, instructions, paths, most],
    ];
    return contentHash([this.#program, JSON.stringify(parts)]);
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#unsent.length > 0 && !this.#isStopped) {
      const orders = this.#unsent.slice(0, mostSent);
      try {
        await this.#run.send(orders.map(({ key, task }) => ({ key, task: bytesOf(task) })));
        this.#unsent.splice(0, orders.length);
      } catch (error) {
        this.#unsent.length = 0;
        this.#fail(error as Error);
      }
    }
    this.#isSending = false;
  }

  #fetch(): void {
    for (const order of this.#orders.slice(0, ahead))
      if (this.#done.has(order.key) && !order.isFetching) void this.#fetchResult(order);
  }

  async #fetchResult(order: Order): Promise<void> {
    order.isFetching = true;
    try {
      const bytes = await this.#run.result(order.key);
      const place = this.#orders.indexOf(order);
      if (place < 0) return;
      if (bytes === undefined) {
        // The job was cancelled or removed by hand, so it is sent again.
        this.#done.delete(order.key);
        order.isFetching = false;
        this.#unsent.push(order);
        void this.#send();
        return;
      }
      this.#orders.splice(place, 1);
      const result = dataOf(bytes) as SubtreeResult;
      this.#keys.set(result, order.key);
      order.resolve(result);
      this.#fetch();
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  taken(result: SubtreeResult): void {
    const key = this.#keys.get(result);
    if (key !== undefined) this.#taken.push(key);
  }

  saved(): void {
    const keys = this.#taken;
    this.#taken = [];
    for (const key of keys) this.#done.delete(key);
    this.#run.forget(keys).catch(() => undefined);
  }

  look(rounds: Rounds): string | undefined {
    const now = performance.now();
    if (!this.#isLooking && now - this.#lookedMs > lookMs) {
      this.#lookedMs = now;
      this.#isLooking = true;
      this.#run
        .look(this.#countsOf(rounds, now))
        .then(
          view => this.#see(view),
          (error: Error) => this.#fail(error),
        )
        .finally(() => {
          this.#isLooking = false;
        });
    }
    return this.#stopReason;
  }

  #countsOf(rounds: Rounds, now: number): RunCounts {
    const { paths, states } = rounds.progress();
    const finished = paths.completed + paths.error + paths.partial;
    this.#counts = [...this.#counts.filter(({ ms }) => now - ms < speedMs), { ms: now, paths: finished }];
    const [first] = this.#counts;
    const speed = (1000 * (finished - first!.paths)) / Math.max(1, now - first!.ms);
    return { paths: finished, speed, states, findings: this.#use.findings() };
  }

  #see({ isCancelled, workers, hopeless }: RunView): void {
    if (isCancelled) this.#stopReason = 'cancelled in the queue';
    if (hopeless?.kind === 'defect') this.#fail(new InternalError(hopeless.why));
    else if (hopeless !== undefined) this.#fail(new CannotGoOn(hopeless.why));
    if (workers === 0 && this.#hadWorkers)
      this.#note(
        'no worker does the tasks of this run',
        'note',
        `start some with \`redzone worker --queue\`, of version ${engineVersion()}, on this or other machines`,
      );
    this.#hadWorkers = workers > 0;
  }

  #fail(error: Error): void {
    if (this.#isStopped) return;
    const reason = error instanceof InputError ? new CannotGoOn(error.diagnostics[0]!.message) : error;
    for (const { reject } of this.#orders.splice(0)) reject(reason);
    if (reason instanceof CannotGoOn) this.#stopReason = reason.message;
  }

  stop(): void {
    this.#isStopped = true;
    this.#unsent.length = 0;
    for (const { resolve } of this.#orders.splice(0)) resolve(undefined);
  }

  async close(rounds: Rounds): Promise<void> {
    this.stop();
    const state = rounds.outcome().stopped === undefined ? 'done' : 'stopped';
    // If the server is unreachable, the run stays as it is and can be resumed.
    await soon(this.#run.end(state, this.#countsOf(rounds, performance.now())));
    this.#localStop.abort();
    await this.#localWork;
    await this.#connection.close();
  }
}

/**
 * The main loop of a worker of a queue.
 *
 *     notification, or a thread is free ──▶ take jobs ──▶ threads ──▶ pack and send results
 *
 * A thread gets its next job before the result of the last one is packed and stored, but not before
 * the one before that: a slow server does not let results pile up.
 *
 * A worker receives only the program and the task, and results do not depend on its clock.
 */

import type { SubtreeResult, SubtreeTask } from '../explore/search/subtree.js';
import { TaskBound } from '../explore/search/task-bound.js';
import type { TaskResult } from '../fuzz/protocol.js';
import { bytesApart, dataOf } from '../platform/plain-bytes.js';
import { processPlace } from '../platform/process-place.js';
import { Claims, type Job } from '../queue/claims.js';
import { type QueueConnection, soon } from '../queue/connection.js';
import { plural } from '../support/plural.js';
import { CannotGoOn } from './cannot-go-on.js';
import { engineVersion } from './engine-version.js';
import type { RunControl, RunEvent } from './run-control.js';
import type { BoundedTask, SharedProgram } from './shared-program.js';
import type { QueuedSearch, SearchOrder, SharedTarget } from './shared-target.js';
import { searchThread, subtreeThread, TaskThreads } from './task-threads.js';

/** The polling interval, which makes up for missed notifications and lost connections. */
const longestWaitMs = 15_000;
/** The number of programs, and of bases of campaigns, that are kept loaded. */
const mostKept = 4;

type Shared = SharedProgram | SharedTarget;

/** The result of a task, and the number of its paths or runs. */
interface Completed {
  readonly result: SubtreeResult | TaskResult;
  readonly paths: number;
}

/** Works until the signal aborts, and counts completed tasks. */
export async function workOn(
  connection: QueueConnection,
  { threads, heap }: { readonly threads: number; readonly heap: number | undefined },
  control: RunControl,
  done: { jobs: number; paths: number },
): Promise<void> {
  const { signal } = control;
  const worker = new Worker(threads, heap, control, done);
  const claims = await Claims.begin(
    connection,
    { place: processPlace(), version: engineVersion(), threads },
    {
      onNews: () => worker.wake(),
      onBound: (job, paths, instructions) => worker.lower(job, paths, instructions),
      onTrouble: message => {
        // Ctrl-C stops an embedded server as well.
        if (signal?.aborted !== true)
          control.onEvent?.({ kind: 'warning', diagnostic: { severity: 'warning', message } });
      },
    },
  );
  await worker.run(claims);
  await soon(claims.leave());
}

class Worker {
  readonly #explore: TaskThreads<SharedProgram, BoundedTask, SubtreeResult>;
  readonly #fuzz: TaskThreads<SharedTarget, SearchOrder, TaskResult>;
  readonly #most: number;
  readonly #control: RunControl;
  readonly #done: { jobs: number; paths: number };
  readonly #programs = new Kept<Shared>();
  readonly #bases = new Kept<SharedArrayBuffer>();
  /** The jobs in threads, with their runs. */
  readonly #busy = new Map<Job, string>();
  /** The number of results that are packed and sent, while their threads do other jobs. */
  #delivered = 0;
  /** Indexed by the number of a running job. */
  readonly #bounds = new Map<string, TaskBound>();
  readonly #named = new Set<string>();
  #wake: () => void = () => undefined;
  #isAwake = false;
  #failure: Error | undefined;

  constructor(
    most: number,
    heap: number | undefined,
    control: RunControl,
    done: { jobs: number; paths: number },
  ) {
    this.#explore = new TaskThreads(subtreeThread, most, { heapMegabytes: heap });
    this.#fuzz = new TaskThreads(searchThread, most, { heapMegabytes: heap });
    this.#most = most;
    this.#control = control;
    this.#done = done;
  }

  wake(): void {
    this.#isAwake = true;
    this.#wake();
  }

  lower(job: string, paths: number, instructions: number): void {
    this.#bounds.get(job)?.lower(paths, instructions);
  }

  async run(claims: Claims): Promise<void> {
    const { signal } = this.#control;
    try {
      await Promise.race([this.#work(claims), aborted(signal)]);
      if (this.#failure !== undefined && signal?.aborted !== true) throw this.#failure;
    } finally {
      this.wake();
      await Promise.all([this.#explore.close(), this.#fuzz.close()]);
    }
  }

  async #work(claims: Claims): Promise<void> {
    while (this.#control.signal?.aborted !== true && this.#failure === undefined) {
      this.#isAwake = false;
      const free = jobsToTake(this.#most, this.#busy.size, this.#delivered);
      const jobs = free === 0 ? [] : await claims.take(free);
      for (const job of jobs) void this.#do(claims, job);
      if (jobs.length === 0 && free > 0) await this.#refuseOthers(claims);
      this.#tell();
      if (jobs.length === 0) await this.#sleep();
    }
  }

  async #sleep(): Promise<void> {
    if (this.#isAwake) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>(resolve => {
      this.#wake = resolve;
      timer = setTimeout(resolve, longestWaitMs);
    });
    clearTimeout(timer);
    this.#wake = () => undefined;
  }

  async #do(claims: Claims, job: Job): Promise<void> {
    this.#busy.set(job, job.run);
    const bound = new TaskBound();
    this.#bounds.set(job.id, bound);
    try {
      const shared = await this.#programs.get(job.program, async () => {
        const bytes = await claims.program(job.program);
        return bytes && (dataOf(bytes) as Shared);
      });
      if (shared === undefined) return;
      const outcome = await this.#attempt(claims, job, shared, bound);
      if (bound.isZero) claims.forget(job);
      else if (outcome !== undefined) await this.#deliver(claims, job, outcome);
    } catch (error) {
      this.#failure ??= error as Error;
    } finally {
      this.#release(job);
    }
  }

  /** The thread of this job is free. */
  #release(job: Job): void {
    this.#bounds.delete(job.id);
    this.#busy.delete(job);
    this.wake();
  }

  async #deliver(claims: Claims, job: Job, { result, paths }: Completed): Promise<void> {
    this.#delivered++;
    this.#release(job);
    try {
      await claims.finish(job, await bytesApart(result), paths);
      this.#done.jobs++;
      this.#done.paths += paths;
    } finally {
      this.#delivered--;
    }
  }

  async #attempt(
    claims: Claims,
    job: Job,
    shared: Shared,
    { cells: bound }: TaskBound,
  ): Promise<Completed | undefined> {
    try {
      if (shared.kind === 'fuzz') return await this.#search(claims, job, shared);
      const result = await this.#explore.do({ ...(dataOf(job.task) as SubtreeTask), bound }, shared);
      return result && { result, paths: result.finished };
    } catch (error) {
      if (error instanceof CannotGoOn) {
        const message = `this machine does not have enough memory for a task of '${job.run}', which is left to other workers`;
        this.#control.onEvent?.({ kind: 'warning', diagnostic: { severity: 'warning', message } });
        await claims.refuse(job);
      } else await claims.report(job, String((error as Error).stack));
      return undefined;
    }
  }

  /** Undefined if its run no longer exists. */
  async #search(claims: Claims, job: Job, shared: SharedTarget): Promise<Completed | undefined> {
    const task = dataOf(job.task) as QueuedSearch;
    const { base, hasBase } = task;
    const baseBytes = hasBase
      ? await this.#bases.get(base, async () => {
          const bytes = await claims.kept(job, base);
          return bytes && inSharedMemory(bytes);
        })
      : undefined;
    if (hasBase && baseBytes === undefined) return undefined;
    const result = await this.#fuzz.do({ ...task, baseBytes }, shared);
    return result && { result, paths: result.runs };
  }

  /** Reports once per run why the worker skips it. */
  async #refuseOthers(claims: Claims): Promise<void> {
    for (const { name, version } of await claims.otherVersions()) {
      if (this.#named.has(name)) continue;
      this.#named.add(name);
      this.#control.onEvent?.(
        note(`run '${name}' is left to workers of Redzone ${version}; this one is ${engineVersion()}`),
      );
    }
  }

  #tell(): void {
    const { jobs, paths } = this.#done;
    const runs = [...new Set(this.#busy.values())].map(run => `'${run}'`).join(', ');
    const doing =
      this.#busy.size === 0 ? 'waiting for tasks' : `${plural(this.#busy.size, 'task')} of ${runs}`;
    const text = `${doing}; ${plural(jobs, 'task')} and ${plural(paths, 'path')} done`;
    this.#control.onEvent?.({ kind: 'progress', text, counts: { done: jobs, paths } });
  }
}

/**
 * How many jobs are taken while some threads are busy and some results are delivered. Each running
 * job may become a result before another one has been stored.
 */
export function jobsToTake(threads: number, busy: number, delivered: number): number {
  return Math.min(threads - busy, 2 * threads - busy - delivered);
}

/** The last values by name; those that do not exist are not kept. */
class Kept<Value> {
  readonly #values = new Map<string, Promise<Value | undefined>>();

  async get(name: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    let value = this.#values.get(name);
    if (value === undefined) {
      value = read();
      this.#values.set(name, value);
      if (this.#values.size > mostKept) this.#values.delete([...this.#values.keys()][0]!);
    }
    try {
      const read = await value;
      if (read === undefined) this.#values.delete(name);
      return read;
    } catch (error) {
      this.#values.delete(name);
      throw error;
    }
  }
}

/** All threads read the same bytes. */
function inSharedMemory(bytes: Uint8Array): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return shared;
}

/**
 * Resolves when the signal aborts. Raced against queries, which block while the server is
 * unreachable.
 */
function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise(resolve => {
    if (signal?.aborted) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}

function note(message: string): RunEvent {
  return { kind: 'warning', diagnostic: { severity: 'note', message } };
}

/**
 * The main loop of a worker of a queue.
 *
 *     notification, or a thread is free ──▶ take jobs ──▶ threads ──▶ result
 *
 * A worker receives only the program and the task, and results do not depend on its clock.
 */
import { bytesOf, dataOf } from '../platform/plain-bytes.js';
import { processPlace } from '../platform/process-place.js';
import { Claims, type Job } from '../queue/claims.js';
import { type QueueConnection, soon } from '../queue/connection.js';
import { plural } from '../support/plural.js';
import { CannotGoOn } from './cannot-go-on.js';
import { engineVersion } from './engine-version.js';
import type { RunControl, RunEvent } from './run-control.js';
import type { SharedProgram } from './shared-program.js';
import { SubtreeThreads } from './subtree-threads.js';

/** The polling interval, which makes up for missed notifications and lost connections. */
const longestWaitMs = 15_000;
/** The number of programs that are kept loaded. */
const mostPrograms = 4;

/** Works until the signal aborts, and counts completed tasks. */
export async function workOn(
  connection: QueueConnection,
  { threads, heap }: { readonly threads: number; readonly heap: number | undefined },
  control: RunControl,
  done: { jobs: number; paths: number },
): Promise<void> {
  const { signal } = control;
  const worker = new Worker(new SubtreeThreads(threads, heap), threads, control, done);
  const claims = await Claims.begin(
    connection,
    { place: processPlace(), version: engineVersion(), threads },
    {
      onNews: () => worker.wake(),
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
  readonly #threads: SubtreeThreads;
  readonly #most: number;
  readonly #control: RunControl;
  readonly #done: { jobs: number; paths: number };
  readonly #programs = new Map<string, SharedProgram>();
  /** The running jobs, with their runs. */
  readonly #busy = new Map<Job, string>();
  readonly #named = new Set<string>();
  #wake: () => void = () => undefined;
  #isAwake = false;
  #failure: Error | undefined;

  constructor(
    threads: SubtreeThreads,
    most: number,
    control: RunControl,
    done: { jobs: number; paths: number },
  ) {
    this.#threads = threads;
    this.#most = most;
    this.#control = control;
    this.#done = done;
  }

  wake(): void {
    this.#isAwake = true;
    this.#wake();
  }

  async run(claims: Claims): Promise<void> {
    const { signal } = this.#control;
    try {
      await Promise.race([this.#work(claims), aborted(signal)]);
      if (this.#failure !== undefined && signal?.aborted !== true) throw this.#failure;
    } finally {
      this.wake();
      await this.#threads.close();
    }
  }

  async #work(claims: Claims): Promise<void> {
    while (this.#control.signal?.aborted !== true && this.#failure === undefined) {
      this.#isAwake = false;
      const free = this.#most - this.#busy.size;
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
    try {
      const shared = await this.#program(claims, job);
      if (shared === undefined) return;
      const result = await this.#attempt(claims, job, shared);
      if (result !== undefined) {
        await claims.finish(job, bytesOf(result), result.finished);
        this.#done.jobs++;
        this.#done.paths += result.finished;
      }
    } catch (error) {
      this.#failure ??= error as Error;
    } finally {
      this.#busy.delete(job);
      this.wake();
    }
  }

  async #attempt(claims: Claims, job: Job, shared: SharedProgram) {
    const task = dataOf(job.task) as Parameters<SubtreeThreads['do']>[0];
    try {
      return await this.#threads.do(task, shared);
    } catch (error) {
      if (error instanceof CannotGoOn) {
        const message = `there is not the memory here for a task of '${job.run}', which is left to other workers`;
        this.#control.onEvent?.({ kind: 'warning', diagnostic: { severity: 'warning', message } });
        await claims.refuse(job);
      } else await claims.report(job, String((error as Error).stack));
      return undefined;
    }
  }

  /** Undefined if its run no longer exists. */
  async #program(claims: Claims, { program }: Job): Promise<SharedProgram | undefined> {
    const known = this.#programs.get(program);
    if (known !== undefined) return known;
    const bytes = await claims.program(program);
    if (bytes === undefined) return undefined;
    const shared = this.#programs.get(program) ?? (dataOf(bytes) as SharedProgram);
    if (this.#programs.size >= mostPrograms) this.#programs.delete([...this.#programs.keys()][0]!);
    this.#programs.set(program, shared);
    return shared;
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

/**
 * A task: one run of a function in a worker of its own, which tells what happens while it lasts.
 *
 *     const task = startTask<Request, Event, Result>('monitor/run/run-worker', request, { onEvent });
 *     const result = await task.result;                       // main thread
 *     task.stop();                                            // ends the worker, whatever it is doing
 *     runTask<Request, Event, Result>((request, emit) => …);  // in src/monitor/run/run-worker.ts
 *
 * The events that a worker has emitted before it is stopped have arrived.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { InternalError } from '../support/assert.js';
import { startWorker } from './node.js';

export interface Task<Result> {
  /** Undefined when the task was stopped. */
  readonly result: Promise<Result | undefined>;
  stop(): void;
}

export interface TaskOptions<Event> {
  readonly onEvent?: (event: Event) => void;
  readonly stackMegabytes?: number;
}

type Message<Event, Result> = { event: Event } | { result: Result } | { error: string };

export function startTask<Request, Event, Result>(
  module: string,
  request: Request,
  { onEvent, stackMegabytes }: TaskOptions<Event> = {},
): Task<Result> {
  const worker = startWorker(module, {
    workerData: request,
    ...(stackMegabytes === undefined ? {} : { resourceLimits: { stackSizeMb: stackMegabytes } }),
  });
  const result = new Promise<Result | undefined>((resolve, reject) => {
    worker.on('message', (message: Message<Event, Result>) => {
      if ('event' in message) onEvent?.(message.event);
      else if ('result' in message) resolve(message.result);
      else reject(new InternalError(message.error));
    });
    worker.on('error', error => reject(new InternalError(`the worker ${module} failed: ${error.stack}`)));
    worker.on('exit', () => resolve(undefined));
  });
  return { result, stop: () => void worker.terminate() };
}

export function runTask<Request, Event, Result>(
  work: (request: Request, emit: (event: Event) => void) => Result | Promise<Result>,
): void {
  const post = (message: Message<Event, Result>) => parentPort?.postMessage(message);
  Promise.resolve()
    .then(() => work(workerData as Request, event => post({ event })))
    .then(
      result => post({ result }),
      (error: unknown) =>
        post({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
}

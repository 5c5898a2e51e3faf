/**
 * A task: one run of a function in a worker of its own, which tells what happens while it lasts.
 *
 *     const worker = prepareTask<Request, Event, Result>('monitor/run/run-worker', { onEvent });   // main thread
 *     worker.begin(request);                                  // the worker has been loading meanwhile
 *     const result = await worker.result;
 *     worker.stop();                                          // ends the worker, whatever it is doing
 *     runTask<Request, Event, Result>((request, emit) => …);  // in src/monitor/run/run-worker.ts
 *
 * Whoever prepares a task begins or stops it: a worker that waits keeps the process alive. The events that a worker has emitted
 * before it is stopped have arrived.
 */
import { parentPort } from 'node:worker_threads';
import { InternalError } from '../support/assert.js';
import { startWorker } from './node.js';

export interface Task<Result> {
  /** Undefined when the task was stopped. */
  readonly result: Promise<Result | undefined>;
  stop(): void;
}

export interface PreparedTask<Request, Result> extends Task<Result> {
  /** To be called once. */
  begin(request: Request): void;
}

export interface TaskOptions<Event> {
  readonly onEvent?: (event: Event) => void;
  readonly stackMegabytes?: number;
}

type Message<Event, Result> = { event: Event } | { result: Result } | { error: string };

export function startTask<Request, Event, Result>(
  module: string,
  request: Request,
  options: TaskOptions<Event> = {},
): Task<Result> {
  const task = prepareTask<Request, Event, Result>(module, options);
  task.begin(request);
  return task;
}

/** Starts the worker of a task whose request is not there yet. */
export function prepareTask<Request, Event, Result>(
  module: string,
  { onEvent, stackMegabytes }: TaskOptions<Event> = {},
): PreparedTask<Request, Result> {
  const worker = startWorker(module, {
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
  // Until the task begins, nobody waits for its result.
  result.catch(() => undefined);
  return {
    result,
    begin: request => worker.postMessage(request),
    stop: () => void worker.terminate(),
  };
}

export function runTask<Request, Event, Result>(
  work: (request: Request, emit: (event: Event) => void) => Result | Promise<Result>,
): void {
  const post = (message: Message<Event, Result>) => parentPort?.postMessage(message);
  parentPort?.once('message', (request: Request) => {
    Promise.resolve()
      .then(() => work(request, event => post({ event })))
      .then(
        result => post({ result }),
        (error: unknown) =>
          post({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
      );
  });
}

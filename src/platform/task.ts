/**
 * A task: one run of a function in a worker of its own, which reports events while it runs.
 *
 *     const task = prepareTask<Request, Event, Result>('run/run-worker', { onEvent });   // main thread
 *     task.begin(request);                                    // the worker has been loading meanwhile
 *     const result = await task.result;
 *     task.stop();                                            // ends the task, whatever it is doing
 *     runTask<Request, Event, Result>((request, emit) => …);  // in src/run/run-worker.ts
 *
 * The code that prepares a task begins or stops it: a worker that waits keeps the process alive.
 * The events that a worker has emitted before it is stopped have arrived.
 *
 * With `keepsWorker` the next task of the same module gets the worker, when this one has ended
 * well: loading takes longer than many a task.
 */
import { InternalError } from '../support/assert.js';
import { startWorker } from './node.js';
import { parentPort, type Worker, workerData } from './threads.js';

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
  /** Requires that tasks of this module leave nothing behind, and have the same stack. */
  readonly keepsWorker?: boolean;
}

type Message<Event, Result> =
  | { event: Event }
  /** With `isBusy`, another message follows when the worker is free. */
  | { result: Result; isBusy: boolean }
  | { free: true }
  | { error: string };

interface Order<Request> {
  readonly request: Request;
  /** No other will follow: the worker may end. */
  readonly isLast: boolean;
}

export function startTask<Request, Event, Result>(
  module: string,
  request: Request,
  options: TaskOptions<Event> = {},
): Task<Result> {
  const task = prepareTask<Request, Event, Result>(module, options);
  task.begin(request);
  return task;
}

/** For each module, a worker that waits for a task without keeping the process alive. */
const kept = new Map<string, Worker>();

/** Starts the worker of a task whose request is not there yet. */
export function prepareTask<Request, Event, Result>(
  module: string,
  { onEvent, stackMegabytes, keepsWorker = false }: TaskOptions<Event> = {},
): PreparedTask<Request, Result> {
  const worker =
    kept.get(module) ??
    startWorker(
      module,
      stackMegabytes === undefined ? {} : { resourceLimits: { stackSizeMb: stackMegabytes } },
    );
  kept.delete(module);
  worker.ref();
  // An ended task has sent its result; its worker still does what the task left for later.
  let state: 'waiting' | 'running' | 'ended' | 'over' = 'waiting';
  let stop!: () => void;
  const result = new Promise<Result | undefined>((resolve, reject) => {
    /** The worker is left to the next task. */
    const release = (): void => {
      state = 'over';
      // Not all listeners: some are Node's own.
      for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
      worker.unref();
      if (kept.has(module)) void worker.terminate();
      else kept.set(module, worker);
    };
    stop = () => {
      if (state === 'ended' || state === 'over') return;
      if (state === 'running' || !keepsWorker) return void worker.terminate();
      release();
      resolve(undefined);
    };
    worker.on('message', (message: Message<Event, Result>) => {
      if ('event' in message) {
        onEvent?.(message.event);
      } else if ('result' in message) {
        if (message.isBusy) state = 'ended';
        else if (keepsWorker) release();
        resolve(message.result);
      } else if ('free' in message) {
        if (keepsWorker) release();
      } else {
        reject(new InternalError(message.error));
        void worker.terminate();
      }
    });
    worker.on('error', error => reject(new InternalError(`the worker ${module} failed: ${error.stack}`)));
    worker.on('exit', () => resolve(undefined));
  });
  // Until the task begins, its result has no listener.
  result.catch(() => undefined);
  return {
    result,
    stop,
    begin: request => {
      state = 'running';
      worker.postMessage({ request, isLast: !keepsWorker } satisfies Order<Request>);
    },
  };
}

/** In a worker that `startWorkerWith` started. */
export function workerInput<Input>(): Input {
  return workerData as Input;
}

/**
 * `work` may leave actions for the time after its result has been sent. The process does not end
 * before they are done, unless the task is stopped.
 */
export function runTask<Request, Event, Result>(
  work: (
    request: Request,
    emit: (event: Event) => void,
    afterwards: (action: () => void) => void,
  ) => Result | Promise<Result>,
): void {
  const post = (message: Message<Event, Result>) => parentPort?.postMessage(message);
  const listen = (): void => {
    parentPort?.once('message', ({ request, isLast }: Order<Request>) => {
      if (!isLast) listen();
      const left: (() => void)[] = [];
      Promise.resolve()
        .then(() =>
          work(
            request,
            event => post({ event }),
            action => left.push(action),
          ),
        )
        .then(
          result => {
            post({ result, isBusy: left.length > 0 });
            for (const action of left) action();
            if (left.length > 0) post({ free: true });
          },
          (error: unknown) =>
            post({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
        );
    });
  };
  listen();
}

/**
 * A service: a function that runs in a worker of its own, called like any asynchronous function.
 *
 *     const clang = startService<Request, Reply>('front/clang-worker');   // main thread
 *     const reply = await clang.call(request, signal);
 *     serve<Request, Reply>(async request => …);                          // in src/front/clang-worker.ts
 *
 * The worker starts at the first call and stays warm. Calls are answered one after another. An AbortSignal ends
 * the worker at once, since what runs inside (clang, a solver) cannot be interrupted otherwise; the call that was
 * aborted rejects with the signal's reason and the calls queued behind it go to a fresh worker.
 *
 * Invariant: at most one request is inside the worker; `queue[0]` is that one while `isBusy`.
 */
import { parentPort, type Worker } from 'node:worker_threads';
import { InternalError } from '../support/assert.js';
import { startWorker } from './node.js';

export interface Service<Request, Reply> {
  call(request: Request, signal?: AbortSignal): Promise<Reply>;
  /** Ends the worker and goes on in a fresh one; a call that has no answer yet is made again. */
  restart(): Promise<void>;
  /** Ends the worker. Calls that have no answer yet reject. */
  close(): Promise<void>;
}

type Answer<Reply> = { readonly reply: Reply } | { readonly error: string };

interface Call<Request, Reply> {
  readonly request: Request;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (reason: unknown) => void;
}

export function startService<Request, Reply>(module: string): Service<Request, Reply> {
  const queue: Call<Request, Reply>[] = [];
  let worker: Worker | undefined;
  let isBusy = false;

  const next = (): void => {
    const call = queue[0];
    if (isBusy || call === undefined) return;
    isBusy = true;
    if (worker === undefined) {
      const started = startWorker(module);
      worker = started;
      started.on('message', (answer: Answer<Reply>) => {
        if (started === worker) settle(answer);
      });
      started.on('error', error => {
        if (started !== worker) return;
        worker = undefined;
        settle({ error: `the worker ${module} failed: ${error.stack ?? error.message}` });
      });
    }
    // A warm worker must not keep the process alive, a working one must.
    worker.ref();
    worker.postMessage(call.request);
  };

  const settle = (answer: Answer<Reply>): void => {
    const call = queue.shift();
    isBusy = false;
    worker?.unref();
    if ('reply' in answer) call?.resolve(answer.reply);
    else call?.reject(new InternalError(answer.error));
    next();
  };

  const stop = async (): Promise<void> => {
    const stopped = worker;
    worker = undefined;
    isBusy = false;
    await stopped?.terminate();
  };

  return {
    call(request, signal) {
      return new Promise<Reply>((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason);
          return;
        }
        const onAbort = (): void => {
          const position = queue.indexOf(call);
          if (position < 0) return;
          queue.splice(position, 1);
          reject(signal?.reason);
          if (position === 0 && isBusy) void stop().then(next);
        };
        const call: Call<Request, Reply> = {
          request,
          resolve: reply => {
            signal?.removeEventListener('abort', onAbort);
            resolve(reply);
          },
          reject: reason => {
            signal?.removeEventListener('abort', onAbort);
            reject(reason);
          },
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        queue.push(call);
        next();
      });
    },
    async restart() {
      await stop();
      next();
    },
    async close() {
      for (const call of queue.splice(0)) call.reject(new InternalError(`${module} was closed`));
      await stop();
    },
  };
}

/** The worker's half: answers each request with what `handle` returns. */
export function serve<Request, Reply>(handle: (request: Request) => Promise<Reply>): void {
  const port = parentPort;
  if (port === null) throw new InternalError('serve() runs only in a worker');
  port.on('message', (request: Request) => {
    handle(request).then(
      reply => port.postMessage({ reply } satisfies Answer<Reply>),
      error => port.postMessage({ error: String(error?.stack ?? error) } satisfies Answer<Reply>),
    );
  });
}

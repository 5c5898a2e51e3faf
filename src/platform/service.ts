/**
 * A service: a function that runs in a worker, called like any asynchronous function.
 *
 *     const clang = startService<Request, Reply>('front/clang-worker');   // main thread
 *     const reply = await clang.call(request, signal);
 *     serve<Request, Reply>(async request => …);                          // in src/front/clang-worker.ts
 *
 * The worker starts at the first call and stays warm. Calls are begun in the order in which they
 * come, each by the first worker that is free. When all are busy another is started, up to
 * `mostWorkers`, but not before the first has shared what it has loaded (`share`): two that load
 * the same at the same time would hinder each other. An AbortSignal ends the worker at once, since
 * what runs inside (clang, a solver) cannot be interrupted otherwise; the call that was aborted
 * rejects with the signal's reason and the calls queued after it go to other workers.
 *
 * Invariant: at most one request is inside a worker; a call is either queued, or the call of
 * exactly one worker, or settled.
 */
import { InternalError } from '../support/assert.js';
import { allowManyListeners, startWorker } from './node.js';
import { parentPort, type Worker, workerData } from './threads.js';

export interface Service<Request, Reply> {
  /**
   * Rejects with an InternalError when the worker fails. That worker is then gone, and so are
   * queued calls: another try gets a fresh one.
   */
  call(request: Request, signal?: AbortSignal): Promise<Reply>;
  /** Ends the workers. Calls that have no answer yet reject. */
  close(): Promise<void>;
}

type Answer<Reply> = { readonly reply: Reply } | { readonly error: string } | { readonly shared: unknown };

interface Call<Request, Reply> {
  readonly request: Request;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (reason: unknown) => void;
}

/** A worker and the call that it is working on. */
interface Hand<Request, Reply> {
  readonly worker: Worker;
  call: Call<Request, Reply> | undefined;
}

/** `mostWorkers` is called whenever another worker would be useful. */
export function startService<Request, Reply>(
  module: string,
  mostWorkers: () => number = () => 1,
): Service<Request, Reply> {
  return new Hands(module, mostWorkers);
}

class Hands<Request, Reply> implements Service<Request, Reply> {
  readonly #queue: Call<Request, Reply>[] = [];
  readonly #hands = new Set<Hand<Request, Reply>>();
  #shared: unknown;

  constructor(
    private readonly module: string,
    private readonly mostWorkers: () => number,
  ) {}

  call(request: Request, signal?: AbortSignal): Promise<Reply> {
    return new Promise<Reply>((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const onAbort = (): void => this.#abort(call, signal?.reason);
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
      if (signal !== undefined) {
        allowManyListeners(signal);
        signal.addEventListener('abort', onAbort, { once: true });
      }
      this.#queue.push(call);
      this.#next();
    });
  }

  async close(): Promise<void> {
    const hands = [...this.#hands];
    const calls = [...this.#queue.splice(0), ...hands.flatMap(({ call }) => call ?? [])];
    for (const call of calls) call.reject(new InternalError(`${this.module} was closed`));
    await Promise.all(hands.map(hand => this.#end(hand)));
  }

  #next(): void {
    while (this.#queue.length > 0) {
      const hand = [...this.#hands].find(({ call }) => call === undefined) ?? this.#startAnother();
      if (hand === undefined) return;
      hand.call = this.#queue.shift()!;
      // A warm worker must not keep the process alive, a working one must.
      hand.worker.ref();
      hand.worker.postMessage(hand.call.request);
    }
  }

  #startAnother(): Hand<Request, Reply> | undefined {
    const started = this.#hands.size;
    if (started > 0 && (this.#shared === undefined || started >= this.mostWorkers())) return undefined;
    const worker = startWorker(this.module, { workerData: this.#shared });
    const hand: Hand<Request, Reply> = { worker, call: undefined };
    this.#hands.add(hand);
    worker.on('message', (answer: Answer<Reply>) => this.#receive(hand, answer));
    worker.on('error', error =>
      this.#receive(hand, { error: `the worker ${this.module} failed: ${error.stack ?? error.message}` }),
    );
    return hand;
  }

  #receive(hand: Hand<Request, Reply>, answer: Answer<Reply>): void {
    if (!this.#hands.has(hand)) return;
    if ('shared' in answer) this.#shared = answer.shared;
    else this.#settle(hand, answer);
    this.#next();
  }

  #settle(hand: Hand<Request, Reply>, answer: Exclude<Answer<Reply>, { shared: unknown }>): void {
    const { call } = hand;
    hand.call = undefined;
    hand.worker.unref();
    if ('reply' in answer) {
      call?.resolve(answer.reply);
      return;
    }
    for (const other of this.#hands) if (other.call === undefined) void this.#end(other);
    call?.reject(new InternalError(answer.error));
  }

  #abort(call: Call<Request, Reply>, reason: unknown): void {
    const position = this.#queue.indexOf(call);
    if (position >= 0) this.#queue.splice(position, 1);
    for (const hand of this.#hands) if (hand.call === call) void this.#end(hand);
    call.reject(reason);
    this.#next();
  }

  async #end(hand: Hand<Request, Reply>): Promise<void> {
    this.#hands.delete(hand);
    await hand.worker.terminate();
  }
}

/** In a worker: shares what it has loaded with all workers of the service that start later. */
export function share(value: unknown): void {
  parentPort?.postMessage({ shared: value } satisfies Answer<never>);
}

/** In a worker: the value that another one has shared. */
export function sharedByAnother<Value>(): Value | undefined {
  return workerData ?? undefined;
}

/** The worker's half: replies to each request with the result of `handle`. */
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

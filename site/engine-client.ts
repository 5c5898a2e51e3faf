/**
 * The page's half of the engine worker: one call at a time, with events while it runs, and a
 * reliable stop.
 *
 * A call is first aborted, so that partial results are shown and the compiler stays loaded. A
 * worker that does not respond is terminated, with all workers that it started, and the next call
 * uses a new one.
 */
import type { InputError } from '../src/findings/diagnostic.js';
import type { CallName, Calls } from './engine-calls.js';
import type { CallEvent, EngineAnswer, EngineMessage } from './engine-protocol.js';
import { PageWorkers, type WorkerRequest } from './platform/page-workers.js';

export type Result<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'bad input'; readonly diagnostics: InputError['diagnostics'] }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'defect'; readonly message: string };

interface Running {
  readonly id: number;
  readonly onEvent: (event: CallEvent) => void;
  readonly resolve: (result: Result<never>) => void;
  timer?: ReturnType<typeof setTimeout>;
}

/** How long a call may take to stop by itself. */
const patienceMs = 1500;

export class EngineClient {
  readonly session: string = crypto.randomUUID?.() ?? String(Math.random());
  readonly #onChange: (isRunning: boolean) => void;
  readonly #services = new PageWorkers();
  #worker: Worker | undefined;
  #running: Running | undefined;
  #calls = 0;

  constructor(onChange: (isRunning: boolean) => void) {
    this.#onChange = onChange;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Ends the running call. */
  call<Name extends CallName>(
    name: Name,
    options: Parameters<Calls[Name]>[0],
    onEvent: (event: CallEvent) => void = () => {},
  ): Promise<Result<Awaited<ReturnType<Calls[Name]>>>> {
    if (this.#running !== undefined) this.#end();
    const worker = this.#started();
    const id = ++this.#calls;
    return new Promise(resolve => {
      this.#running = { id, onEvent, resolve: resolve as Running['resolve'] };
      this.#onChange(true);
      worker.postMessage({ kind: 'call', id, session: this.session, name, options } as EngineMessage);
    });
  }

  stop(): void {
    const running = this.#running;
    if (running === undefined || running.timer !== undefined) return;
    this.#worker?.postMessage({ kind: 'stop' } satisfies EngineMessage);
    running.timer = setTimeout(() => this.#end(), patienceMs);
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(new URL('./engine.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data, ports }: MessageEvent<EngineAnswer | WorkerRequest>) => {
      if ('worker' in data) this.#services.take(data, ports);
      else this.#take(data);
    };
    worker.onerror = ({ message }) => {
      this.#settle({ kind: 'defect', message: message ?? 'the engine cannot be loaded' });
      this.#worker = undefined;
      this.#services.endAll();
    };
    this.#worker = worker;
    return worker;
  }

  #take(answer: EngineAnswer): void {
    if (answer.id !== this.#running?.id) return;
    if (answer.kind === 'event') this.#running.onEvent(answer.event);
    else this.#settle(answer as Result<never>);
  }

  /** Ends the worker, whatever it is doing. */
  #end(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#services.endAll();
    this.#settle({ kind: 'stopped' });
  }

  #settle(result: Result<never>): void {
    const running = this.#running;
    if (running === undefined) return;
    clearTimeout(running.timer);
    this.#running = undefined;
    this.#onChange(false);
    running.resolve(result);
  }
}

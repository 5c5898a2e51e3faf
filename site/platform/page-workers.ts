/**
 * Workers that the page starts for its engine: the engine may block until they reply, and a blocked
 * worker cannot start another.
 *
 *     engine worker ── 'start worker' ──▶ page ── new Worker ──▶ service
 *        sleeps ◀───────────── shared memory ─────────────────────┘
 */
import { session } from './node.js';
import type { Start } from './threads.js';

/** The requests of the engine's worker to the page, besides its replies. */
export type WorkerRequest =
  | { readonly kind: 'start worker'; readonly worker: number; readonly start: Start }
  | { readonly kind: 'end worker'; readonly worker: number };

let started = 0;

/** Only the engine's own worker can make requests; `transfer` belongs to `workerData`. */
export function startOnPage(module: string, workerData: unknown, transfer: Transferable[]): number {
  const worker = ++started;
  const name = module.slice(module.lastIndexOf('/') + 1);
  const start: Start = { module: name, workerData, session: session(), files: [] };
  self.postMessage({ kind: 'start worker', worker, start } satisfies WorkerRequest, { transfer });
  return worker;
}

export function endOnPage(worker: number): void {
  self.postMessage({ kind: 'end worker', worker } satisfies WorkerRequest);
}

/** The page's half. */
export class PageWorkers {
  readonly #workers = new Map<number, Worker>();

  /** `ports` are those of the request's message. */
  take(request: WorkerRequest, ports: readonly MessagePort[]): void {
    if (request.kind === 'end worker') {
      this.#workers.get(request.worker)?.terminate();
      this.#workers.delete(request.worker);
      return;
    }
    const { start } = request;
    const worker = new Worker(new URL('./boot-worker.js', import.meta.url), {
      type: 'module',
      name: start.module,
    });
    // The caller notices a worker that cannot be loaded by its time limit.
    worker.onerror = event => event.preventDefault();
    worker.postMessage(start, [...ports]);
    this.#workers.set(request.worker, worker);
  }

  endAll(): void {
    for (const worker of this.#workers.values()) worker.terminate();
    this.#workers.clear();
  }
}

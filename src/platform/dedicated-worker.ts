/**
 * A worker with a state that is kept from call to call. For stateless work, see `service.ts`.
 *
 *     const worker = new DedicatedWorker<Request, Reply>('fuzz/fuzz-worker', 64);
 *     const reply = await worker.call(request);
 *
 * The module answers with `serve` of `service.ts`. Calls are answered in the order in which they
 * were made.
 */
import { InternalError } from '../support/assert.js';
import { startWorker } from './node.js';
import type { Worker } from './threads.js';

type Answer<Reply> = { readonly reply: Reply } | { readonly error: string };

interface Waiting<Reply> {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (reason: Error) => void;
}

export class DedicatedWorker<Request, Reply> {
  readonly #worker: Worker;
  readonly #waiting: Waiting<Reply>[] = [];
  #failure: Error | undefined;

  /** `heapMegabytes` is V8's default unless given. */
  constructor(module: string, stackMegabytes: number, heapMegabytes?: number) {
    const heap = heapMegabytes === undefined ? {} : { maxOldGenerationSizeMb: heapMegabytes };
    this.#worker = startWorker(module, { resourceLimits: { stackSizeMb: stackMegabytes, ...heap } });
    this.#worker.on('message', (answer: Answer<Reply>) => {
      const waiting = this.#waiting.shift();
      if ('reply' in answer) waiting?.resolve(answer.reply);
      else waiting?.reject(new InternalError(answer.error));
    });
    this.#worker.on('error', error => this.#fail(`the worker ${module} failed: ${error.stack}`));
    this.#worker.on('exit', () => this.#fail(`the worker ${module} has ended`));
  }

  /** Rejects with an InternalError when the worker fails or is closed. */
  call(request: Request): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure);
        return;
      }
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(request);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(message: string): void {
    this.#failure ??= new InternalError(message);
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}

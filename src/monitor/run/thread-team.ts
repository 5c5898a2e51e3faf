/**
 * The workers that run the threads of a program, from the view of the home worker, in which the
 * main thread runs: it starts them, waits while one of them has the baton, and makes the calls that
 * they request.
 */
import { startWorkerWith } from '../../platform/node.js';
import { InternalError } from '../../support/assert.js';
import { Baton, importNames, Signal, type ThreadStart, type WasmValue } from './baton.js';

type ImportFunction = (...values: WasmValue[]) => unknown;

/** The size of each thread's native stack. */
const stackMegabytes = 4;

export class ThreadTeam {
  readonly #baton = new Baton();
  readonly #workers = new Map<number, { terminate(): unknown }>();
  readonly #functions: ImportFunction[] = [];

  constructor(
    private readonly module: WebAssembly.Module,
    private readonly memory: WebAssembly.Memory,
    /** Called before the first thread starts. */
    private readonly onFirst: () => void,
  ) {}

  /** The imports of the program that the team implements; `all` has all imports. */
  imports(): Record<string, (...values: never[]) => unknown> {
    return {
      __rz_baton_prepare: (slot: number) => this.#prepare(slot),
      __rz_baton_pass: (slot: number) => {
        this.#baton.wake(slot, Signal.go);
        this.#wait();
      },
      __rz_baton_leave: () => {
        throw new InternalError('main is not a thread that ends');
      },
    };
  }

  /** Called before the program runs, with the functions that threads may request. */
  serves(imports: Record<string, (...values: never[]) => unknown>): void {
    for (const name of importNames(this.module)) this.#functions.push(imports[name] as ImportFunction);
  }

  /** Terminates all threads. */
  close(): void {
    for (const worker of this.#workers.values()) void worker.terminate();
    this.#workers.clear();
  }

  #prepare(slot: number): void {
    if (this.#workers.has(slot)) return;
    if (this.#workers.size === 0) this.onFirst();
    const start: ThreadStart = {
      module: this.module,
      memory: this.memory,
      baton: this.#baton.buffer,
      slot,
    };
    this.#workers.set(slot, startWorkerWith('monitor/run/thread-worker', start, stackMegabytes));
  }

  /** Waits until the main thread has the baton again. */
  #wait(): void {
    for (;;) {
      const signal = this.#baton.wait(0);
      if (signal === Signal.go) return;
      if (signal === Signal.serve) this.#baton.serve(this.#functions);
      else throw errorOf(this.#baton.failure);
    }
  }
}

/** The error of a thread, in the form of an error of the main thread. */
function errorOf(failure: string): Error {
  const [kind] = failure.split(' ', 1) as [string];
  const message = failure.slice(kind.length + 1);
  if (kind === 'RangeError') return new RangeError(message);
  if (kind === 'RuntimeError') return new WebAssembly.RuntimeError(message);
  if (kind === 'Exception') return new LostJump();
  return new InternalError(`a thread of the program failed: ${message}`);
}

/** A `longjmp` of a thread without a matching `setjmp`. */
export class LostJump extends Error {}

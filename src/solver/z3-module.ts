/**
 * Z3 in this thread: contexts, and SMT-LIB scripts that are evaluated in them. Calls block; with a
 * time limit they are made in a worker (`z3-worker.ts`, or that of `redzone prove`).
 *
 * The package's own `eval_smtlib2_string` hands the script to another thread by a pointer into the
 * stack, which may be overwritten before that thread reads it: scripts came back with syntax errors
 * now and then. We call the blocking function of the C interface, on a copy of the script in the
 * heap.
 */
import { init } from 'z3-solver';

type Library = Awaited<ReturnType<typeof init>>;

export type Z3Context = ReturnType<Library['Z3']['mk_context']>;

/** Emscripten's threads, as far as we use them. */
interface ThreadPool {
  readonly unusedWorkers: readonly { onmessage: unknown }[];
  readonly runningWorkers: readonly { onmessage: unknown }[];
  terminateAllThreads(): void;
}

export class Z3Module {
  readonly #library: Library;
  readonly #encoder = new TextEncoder();

  private constructor(library: Library) {
    this.#library = library;
  }

  /** Loads Z3 and sets parameters for all of its contexts. */
  static async load(parameters: Readonly<Record<string, string>> = {}): Promise<Z3Module> {
    const library = await init();
    for (const [name, value] of Object.entries(parameters)) library.Z3.global_param_set(name, value);
    return new Z3Module(library);
  }

  newContext(): Z3Context {
    const { Z3 } = this.#library;
    const config = Z3.mk_config();
    const context = Z3.mk_context(config);
    Z3.del_config(config);
    return context;
  }

  deleteContext(context: Z3Context): void {
    this.#library.Z3.del_context(context);
  }

  /** What Z3 prints for a script in a context. */
  run(context: Z3Context, script: string): string {
    const { em } = this.#library;
    const bytes = this.#encoder.encode(script);
    const text = em._malloc(bytes.length + 1);
    em.HEAPU8.set(bytes, text);
    em.HEAPU8[text + bytes.length] = 0;
    try {
      return em.UTF8ToString(em._Z3_eval_smtlib2_string(context, text));
    } finally {
      em._free(text);
    }
  }

  /** Z3's threads keep the process alive until they are ended. */
  close(): void {
    const threads: ThreadPool = this.#library.em.PThread;
    const workers = [...threads.unusedWorkers, ...threads.runningWorkers];
    threads.terminateAllThreads();
    // A thread that is still loading would be complained about on stderr.
    for (const worker of workers) worker.onmessage = () => {};
  }
}

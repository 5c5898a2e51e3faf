/**
 * The package `z3-solver` in a page: its own browser build needs a script tag, which a worker does
 * not have. `z3-built.js` is loaded as a module instead, and Emscripten gets the code and the
 * address from which its threads load themselves.
 */
import { init as initLowLevel, type Z3LowLevel } from 'z3-solver/build/low-level/index.js';
import { loadAsset } from './assets.js';

/** Set by the code that `scripts/build-site.mjs` appends to the file. */
declare const initZ3: unknown;

/** Emscripten's threads, as far as we use them. */
interface ThreadPool {
  readonly unusedWorkers: readonly Worker[];
  allocateUnusedWorker(): void;
  loadWasmModuleToWorker(worker: Worker): Promise<unknown>;
}

/** Z3 uses one thread for the timeout of a query, and reuses it for the next query. */
const threads = 2;

export async function init(): Promise<Z3LowLevel> {
  const script = new URL('./z3-built.js', import.meta.url).href;
  const [wasmBinary] = await Promise.all([loadAsset('z3'), import(script)]);
  const library = await initLowLevel(initZ3, { wasmBinary, mainScriptUrlOrBlob: script });
  // The threads must exist before Z3 is called: a busy worker cannot start others.
  const pool = (library.em as { readonly PThread: ThreadPool }).PThread;
  while (pool.unusedWorkers.length < threads) pool.allocateUnusedWorker();
  await Promise.all(pool.unusedWorkers.map(worker => pool.loadWasmModuleToWorker(worker)));
  return library;
}

/**
 * Compiles the program under test, with the code that V8 has optimised in earlier runs of it.
 *
 *     first run    | baseline code, optimised while it runs | save what was optimised ─▶ <cache>/machine-code/<key>
 *     later runs   | load the code | the rest is compiled as before, and saved if there is much of it
 *
 * V8 spends more processor time on compiling a large program than the program runs if it ends
 * within a second (docs/decisions/0252).
 *
 * Invariant: whether code is found changes nothing but the time.
 */
import { readCode, writeCode } from './code-file.js';
import { cacheFolder, contentHash } from './files.js';
import {
  enableWasmHints,
  loadWasmCode,
  nodeVersion,
  processEnvironment,
  processor,
  runningThreads,
  saveWasmCode,
} from './node.js';

export interface CompiledProgram {
  readonly module: WebAssembly.Module;
  /** Whether code of an earlier run was found. */
  readonly hasCode: boolean;
  /**
   * Saves the code after a run. With `waitsMs`, functions that V8 is still compiling are included
   * if that takes no longer.
   */
  keep(waitsMs: number): void;
}

/** Code is saved again if it has grown to this multiple. */
const worthwhileGrowth = 1.1;

/** `longestFunction` is in bytes: see `enableWasmHints`. */
export async function compileProgram(binary: Uint8Array, longestFunction: number): Promise<CompiledProgram> {
  enableWasmHints(longestFunction);
  // V8 compares its flags, too, but those of the command line are the same for all runs.
  const flags = processEnvironment().NODE_OPTIONS ?? '';
  const key = contentHash(['machine code', nodeVersion, processor, flags, binary]);
  const path = `${cacheFolder()}/machine-code/${key}`;
  const code = readCode(path);
  const loaded = code && loadWasmCode(code, binary);
  const module = loaded ?? (await WebAssembly.compile(binary as BufferSource));
  const bytesBefore = loaded === undefined ? 0 : code!.length;
  return {
    module,
    hasCode: loaded !== undefined,
    keep: waitsMs => {
      if (longestFunction > slowlyCompiled) waitForCompiler(waitsMs);
      const now = saveWasmCode(module);
      if (now !== undefined && now.length > bytesBefore * worthwhileGrowth) writeCode(path, now);
    },
  };
}

/** In bytes of wasm. A function of this length takes V8 at least a tenth of a second. */
const slowlyCompiled = 20_000;

const sliceMs = 10;

/**
 * Waits until V8's other threads have nothing to compile. V8 does not tell, so this thread sleeps
 * and looks whether they run. The process cannot end sooner anyway, as Node waits for these threads
 * (docs/decisions/0246).
 */
function waitForCompiler(mostMs: number): void {
  const never = new Int32Array(new SharedArrayBuffer(4));
  const start = performance.now();
  while (performance.now() - start < mostMs && runningThreads() > 1) Atomics.wait(never, 0, 0, sliceMs);
}

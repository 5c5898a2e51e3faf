/**
 * Redzone's interface to Node: paths of the package's own files, and workers.
 *
 * The command line and the library run from `dist/bundle/` (see `scripts/bundle.mjs`), benches from
 * `dist/`, and unit tests from `src/`. This module is two levels below the package's root in all
 * three, so other files (`runtime/`, `docs/`) are found in the same way. A worker is always started
 * from the bundle.
 */
import { setMaxListeners } from 'node:events';
import { fstatSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { isMainThread, Worker, type WorkerOptions } from 'node:worker_threads';
import { assert } from '../support/assert.js';
import { longestOptimised } from '../support/longest-optimised.js';

export const packageRoot: string = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Variables that a program may need to find its files, to use the user's language and time zone,
 * and to know its terminal.
 */
const usualVariables =
  /^(PATH|HOME|USER|LOGNAME|SHELL|PWD|TMPDIR|TZ|LANG|LANGUAGE|LC_\w+|TERM|COLUMNS|LINES)$/;

/**
 * The environment of a program under test: the usual variables of this machine, and those in
 * `more`, as `NAME` with the value that it has here or as `NAME=VALUE`. Other variables are not
 * passed on: they may hold keys and passwords, and would make runs differ.
 */
export function programEnvironment(more: readonly string[] = []): Record<string, string> {
  const own = Object.entries(processEnvironment());
  const given = more.flatMap((text): [string, string][] => {
    const at = text.indexOf('=');
    if (at >= 0) return [[text.slice(0, at), text.slice(at + 1)]];
    const value = process.env[text];
    return value === undefined ? [] : [[text, value]];
  });
  return Object.fromEntries([...own.filter(([name]) => usualVariables.test(name)), ...given]);
}

/** All variables of this process. */
export function processEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/**
 * A program under test that reads from a socket must not block in a system call, where its thread
 * cannot be ended. Node makes the socket non-blocking when the stream is first used, and restores
 * it when the process exits.
 */
export function keepStdinFromWaiting(): void {
  try {
    if (isMainThread && fstatSync(0).isSocket()) process.stdin.unref();
  } catch {
    // There is no standard input.
  }
}

/** The processor time of this process, all threads together. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Calls the function when this process has used that much more processor time. Returns a function
 * that cancels it.
 */
export function afterProcessorMs(milliseconds: number, action: () => void): () => void {
  const end = processorMs() + milliseconds;
  let timer: NodeJS.Timeout;
  const look = (): void => {
    const left = end - processorMs();
    if (left <= 0) action();
    else timer = setTimeout(look, Math.max(left, shortestLookMs));
  };
  timer = setTimeout(look, milliseconds);
  return () => clearTimeout(timer);
}

const shortestLookMs = 100;

/** How many threads of this process want to run, this one included; 1 where Linux does not tell. */
export function runningThreads(): number {
  try {
    const states = readdirSync('/proc/self/task').map(thread =>
      // The name of the thread, in parentheses, may contain anything.
      readFileSync(`/proc/self/task/${thread}/stat`, 'latin1').replace(/^.*\) /s, ''),
    );
    return states.filter(state => /^[RD]/.test(state)).length;
  } catch {
    return 1;
  }
}

export const nodeVersion: string = process.version;
/** The path of the running Node. */
export const nodePath: string = process.execPath;
/** Node's name for the processor, `x64` for example. */
export const processor: string = process.arch;
/** Operating system and processor, e.g. `linux x64`. */
export const machine: string = `${process.platform} ${process.arch}`;

/*
 * V8's flags apply to the whole process and all threads. So they are set only in a process of the
 * command line, or if its owner allows it. A worker inherits the permission as an argument.
 */
const permission = '--redzone-may-set-v8-flags';
let maySetFlags = process.argv.includes(permission);

/**
 * Lets Redzone set flags of V8 in this process: WebAssembly that comes with Redzone is then
 * validated lazily and optimised later, and hints for branches are read. clang starts in a fraction
 * of the time, and programs under `check` run faster. The flags also hold for WebAssembly that the
 * rest of the process compiles, and `--wasm-tiering-budget` gets its default value again.
 */
export function allowV8Flags(): void {
  maySetFlags = true;
}

export function maySetV8Flags(): boolean {
  return maySetFlags;
}

export function setV8Flags(...flags: readonly string[]): void {
  for (const flag of flags) setFlagsFromString(flag);
}

let isOwnProcess = false;

export const v8Version: number = Number.parseInt(process.versions.v8, 10);

/** Declares that this process makes one call of the library and ends, as the command line does. */
export function declareOwnProcess(): void {
  isOwnProcess = true;
  optimizeLater();
}

/**
 * Makes V8 optimize functions after four times the usual number of executed bytecodes, and gives
 * new threads a young generation that is not collected while Redzone loads. Most commands end
 * before optimized code has paid for its compilation (docs/decisions/0259).
 */
export function optimizeLater(): void {
  // Newer versions have another compiler between the two, and other budgets.
  if (v8Version >= 12) return;
  setFlagsFromString('--interrupt-budget=540000');
  setFlagsFromString('--min-semi-space-size=16');
}

/** False in workers. */
export function ownsProcess(): boolean {
  return isOwnProcess;
}

/** In bytes of wasm. */
const longestThreaded = 64_000;

/** The only function that V8 may optimise when it is called often is one that is imported. */
const onlyHintedAreOptimised = '--wasm-tier-up-filter=0';

/**
 * Makes V8 read the hints that `src/wasm/*-hints.ts` write, and inline small functions
 * (docs/decisions/0196); must be called before the module is compiled.
 *
 * V8's jump threading takes quadratic time, so it is switched off for a program with a function of
 * `longestFunction` bytes that is long: one of 170 KB took 6.2 s with it, and 0.6 s without
 * (docs/decisions/0246). If it is very long, no function is optimised without a hint.
 */
export function enableWasmHints(longestFunction = 0): void {
  if (!maySetFlags) return;
  setFlagsFromString('--experimental-wasm-branch-hinting');
  setFlagsFromString('--experimental-wasm-compilation-hints');
  // Newer versions have other flags for it, and warn about unknown names.
  if (v8Version < 12) setFlagsFromString('--wasm-inlining');
  if (v8Version < 12 && longestFunction > longestThreaded) setFlagsFromString('--no-turbo-jt');
  if (v8Version < 12 && longestFunction > longestOptimised) setFlagsFromString(onlyHintedAreOptimised);
}

/** Undoes `enableWasmHints`, in all threads. */
export function resetV8Flags(): void {
  setFlagsFromString('--no-experimental-wasm-branch-hinting');
  setFlagsFromString('--no-experimental-wasm-compilation-hints');
  if (v8Version < 12) setFlagsFromString('--no-wasm-inlining');
  if (v8Version < 12) setFlagsFromString('--turbo-jt');
  if (v8Version < 12) setFlagsFromString('--wasm-tier-up-filter=-1');
}

/**
 * Calls a function of V8's runtime that scripts cannot name otherwise; undefined if flags may not
 * be set, or if this V8 is not one whose functions are known.
 */
function callV8(name: string, ...values: readonly object[]): unknown {
  if (!maySetFlags || v8Version >= 12) return undefined;
  setFlagsFromString('--allow-natives-syntax');
  try {
    return new Function('a', 'b', `return %${name}(${['a', 'b'].slice(0, values.length)})`)(...values);
  } catch {
    return undefined;
  } finally {
    setFlagsFromString('--no-allow-natives-syntax');
  }
}

/**
 * The code of the module's functions that V8 has optimised so far, for `loadWasmCode` in another
 * process; undefined if V8 cannot save it.
 */
export function saveWasmCode(module: WebAssembly.Module): Uint8Array | undefined {
  const code = callV8('SerializeWasmModule', module);
  return code instanceof ArrayBuffer ? new Uint8Array(code) : undefined;
}

/**
 * The module of this binary with code that `saveWasmCode` returned; undefined if V8 refuses the
 * code, as it does if the version, the processor or a flag differs. Other functions are compiled as
 * usual.
 */
export function loadWasmCode(code: Uint8Array, binary: Uint8Array): WebAssembly.Module | undefined {
  // A copy, since a `Buffer` may be a part of a larger one.
  const module = callV8('DeserializeWasmModule', new Uint8Array(code).buffer, binary);
  return module instanceof WebAssembly.Module ? module : undefined;
}

/** A listener for each waiting call is not a leak, although Node warns about many. */
export function allowManyListeners(signal: AbortSignal): void {
  setMaxListeners(0, signal);
}

/** Starts the worker whose source is `src/<module>.ts`, e.g. `front/clang-worker`. */
export function startWorker(module: string, options?: WorkerOptions): Worker {
  // Flags of the main program such as `--eval` are not for a worker.
  const file = module.slice(module.lastIndexOf('/') + 1);
  const argv = maySetFlags ? [permission] : [];
  // The worker with most modules loads them from one script (`load-script.ts`).
  const usesScript = isOwnProcess && file === 'apart-worker';
  if (usesScript) argv.push(process.argv[2] ?? '');
  const url = new URL(`../../dist/bundle/${usesScript ? 'script-worker' : file}.js`, import.meta.url);
  return new Worker(url, { execArgv: [], argv, ...options });
}

/**
 * The same for a worker that is given its input at once, and is waited for by other means than
 * messages: `workerInput` of `task.ts` reads it.
 */
export function startWorkerWith(module: string, input: unknown, stackMegabytes: number): Worker {
  return startWorker(module, { workerData: input, resourceLimits: { stackSizeMb: stackMegabytes } });
}

/**
 * The folder of an installed package and its version, without loading it; undefined when it is not
 * installed.
 */
function findPackage(name: string): { folder: string; version: string } | undefined {
  for (const parent of createRequire(import.meta.url).resolve.paths(name) ?? []) {
    const folder = `${parent}/${name}`;
    try {
      return { folder, version: JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')).version };
    } catch {
      // Not here: the next folder up may have it.
    }
  }
  return undefined;
}

/** The version of an installed package; undefined when it is not installed. */
export function installedVersion(name: string): string | undefined {
  return findPackage(name)?.version;
}

/** The path of a file inside a required package. */
export function dependencyFile(name: string, file: string): string {
  const found = findPackage(name);
  assert(found !== undefined, `the package ${name} is not installed`);
  return `${found.folder}/${file}`;
}

/** The version of a required package. */
export function dependencyVersion(name: string): string {
  const version = installedVersion(name);
  assert(version !== undefined, `the package ${name} is not installed`);
  return version;
}

/** Whether the IR of our passes is verified (`ir/verify.ts`). */
export function verifiesIr(): boolean {
  return process.env.REDZONE_VERIFY === '1';
}

/**
 * How programs are built (docs/decisions/0200): `auto` builds quickly first, and makes optimised
 * code while a program runs.
 */
export function chosenSpeed(): 'quick' | 'optimised' | 'auto' {
  const { REDZONE_SPEED: speed } = process.env;
  return speed === 'quick' || speed === 'optimised' ? speed : 'auto';
}

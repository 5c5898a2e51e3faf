/** `src/platform/node.ts` for a page: where the mounted files are, and workers. */
import { build } from './build-facts.js';
import { below, cachePath } from './memory-files.js';
import { type Start, startBeside, Worker } from './threads.js';

export const packageRoot = '/redzone-package/';

/** Where the compiler's files are mounted. */
export const clangFolder = '/clang';

export function programEnvironment(more: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    more.flatMap((text): [string, string][] => {
      const at = text.indexOf('=');
      return at < 0 ? [] : [[text.slice(0, at), text.slice(at + 1)]];
    }),
  );
}

export function processEnvironment(): Record<string, string> {
  return {};
}

export function keepStdinFromWaiting(): void {
  // A page has no standard input.
}

/** A page cannot measure processor time, so the clock is used. */
export function processorMs(): number {
  return performance.now();
}

export function afterProcessorMs(milliseconds: number, action: () => void): () => void {
  const timer = setTimeout(action, milliseconds);
  return () => clearTimeout(timer);
}

export const nodeVersion: string = navigator.userAgent;
export const nodePath = '';
export const processor = 'page';
export const machine = 'page';

export function allowV8Flags(): void {
  // A page cannot set flags.
}

export function declareOwnProcess(): void {
  // The process belongs to the browser.
}

export function ownsProcess(): boolean {
  return false;
}

export function enableWasmHints(): void {
  // A page cannot set flags.
}

export function runningThreads(): number {
  // Unknown.
  return 1;
}

export function saveWasmCode(): undefined {
  // Only the browser can, when it has downloaded a module.
}

export function loadWasmCode(): undefined {
  // Nothing was saved.
}

export function allowManyListeners(_signal: AbortSignal): void {
  // Only Node warns about this.
}

let pageName = '';

/** The progress of all workers' downloads is sent to the page of this name. */
export function setSession(name: string): void {
  pageName = name;
}

export function session(): string {
  return pageName;
}

/** Workers that compile, or use compiled results. */
const usesCache = new Set(['loop-search-worker', 'apart-worker']);

export function startWorker(module: string, options: { readonly workerData?: unknown } = {}): Worker {
  const name = module.slice(module.lastIndexOf('/') + 1);
  const start: Start = {
    module: name,
    workerData: options.workerData,
    session: pageName,
    files: usesCache.has(name) ? below(cachePath) : [],
  };
  return new Worker(new URL('./boot-worker.js', import.meta.url), start);
}

export function startWorkerWith(
  module: string,
  input: unknown,
  _stackMegabytes: number,
): { terminate(): unknown } {
  const name = module.slice(module.lastIndexOf('/') + 1);
  return startBeside({ module: name, workerData: input, session: pageName, files: [] });
}

export function installedVersion(name: string): string | undefined {
  return name === '@yowasp/clang' ? build.clangVersion : undefined;
}

export function dependencyFile(name: string, file: string): string {
  return name === '@yowasp/clang' ? `${clangFolder}/${file}` : `/${name}/${file}`;
}

export function dependencyVersion(name: string): string {
  return installedVersion(name) ?? '';
}

export function chosenSpeed(): 'quick' | 'optimised' | 'auto' {
  return 'quick';
}

export function verifiesIr(): boolean {
  return false;
}

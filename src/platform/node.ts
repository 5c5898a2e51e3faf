/**
 * Where Redzone touches Node: paths of the package's own files, and workers.
 *
 * The package runs from `dist/`; the unit tests run from `src/`. Both lie one level below the package's root,
 * so files beside them (`runtime/`, `docs/`) are found alike, and a worker is always started from `dist/`.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

export const packageRoot: string = fileURLToPath(new URL('../../', import.meta.url));

export const nodeVersion: string = process.version;
/** Operating system and processor, e.g. `linux x64`. */
export const machine: string = `${process.platform} ${process.arch}`;

/** Starts the worker whose source is `src/<module>.ts`, e.g. `front/clang-worker`. */
export function startWorker(module: string, options?: WorkerOptions): Worker {
  return new Worker(new URL(`../../dist/${module}.js`, import.meta.url), options);
}

/** The version of an installed dependency, without loading it. */
export function dependencyVersion(name: string): string {
  const entry = createRequire(import.meta.url)
    .resolve(name)
    .replaceAll('\\', '/');
  const folder = `node_modules/${name}/`;
  const root = entry.slice(0, entry.lastIndexOf(folder) + folder.length);
  return JSON.parse(readFileSync(`${root}package.json`, 'utf8')).version;
}

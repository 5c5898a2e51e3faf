/**
 * The script with which all workers of the page begin: it mounts the files that a module needs and
 * loads it. `modules` comes from the bundler: every worker of `src`, by its name.
 */
import { modules } from 'worker-modules';
import { tellDownloads } from './assets.js';
import { mountFile } from './memory-files.js';
import { mountClang, mountPackage } from './mount.js';
import { setSession } from './node.js';
import { type BootFailure, receiveStart } from './threads.js';

const { module, workerData, session, files } = await receiveStart();
try {
  setSession(session);
  tellDownloads(session);
  if (module === 'clang-worker') await mountClang(workerData !== undefined);
  if (module === 'loop-search-worker' || module === 'apart-worker') await mountPackage();
  for (const [path, { bytes }] of files) mountFile(path, bytes);
  const load = modules[module];
  if (load === undefined) throw new Error(`there is no worker ${module}`);
  await load();
} catch (error) {
  self.postMessage({ bootFailure: (error as Error).message } satisfies BootFailure);
}

/**
 * Stores compiled results in Cache Storage for the next visit. The engines read their cache
 * synchronously, so all of it is loaded into memory first; writes go to the storage in the
 * background.
 */
import { cachePath, mountFile, watchCache } from './memory-files.js';

const name = 'redzone-compiled';
/** An address that is never fetched. */
const origin = 'https://compiled.invalid';
const mostBytes = 64 << 20;

export async function openKeptCache(stamp: string): Promise<void> {
  let storage: Cache;
  try {
    for (const other of await caches.keys())
      if (other.startsWith(name) && other !== `${name} ${stamp}`) await caches.delete(other);
    storage = await caches.open(`${name} ${stamp}`);
  } catch {
    return;
  }
  let total = 0;
  for (const request of [...(await storage.keys())].reverse()) {
    const response = await storage.match(request);
    const bytes = new Uint8Array((await response?.arrayBuffer()) ?? []);
    total += bytes.length;
    if (total > mostBytes) await storage.delete(request);
    else mountFile(cachePath + new URL(request.url).pathname, bytes);
  }
  watchCache((path, bytes) => {
    const response = new Response(bytes.slice() as BodyInit);
    void storage.put(origin + path.slice(cachePath.length), response).catch(() => undefined);
  });
}

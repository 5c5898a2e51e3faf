/**
 * Downloads of the page besides its own code, cached for the next visit: the compiler, its headers,
 * the C library.
 *
 *     Cache Storage ──▶ bytes, if they are there
 *     network ──▶ bytes ──▶ is the hash of the content right? ──▶ Cache Storage
 *
 * An incomplete download, or one with other bytes than were built, is an error and is not cached.
 * Progress is sent to the page over a separate channel, whichever worker downloads.
 */
import { type Asset, type AssetName, build } from './build-facts.js';

export const cacheName = 'redzone-assets';

export interface DownloadEvent {
  readonly name: AssetName;
  readonly title: string;
  readonly state: 'begun' | 'going on' | 'done' | 'failed';
  readonly bytes: number;
  readonly totalBytes: number;
  /** The reason of a failure. */
  readonly message?: string;
}

/** The channel for the progress of downloads; each page has one. */
export const channelOf = (session: string): BroadcastChannel => new BroadcastChannel(`redzone ${session}`);

let channel: BroadcastChannel | undefined;

export function tellDownloads(session: string): void {
  channel = channelOf(session);
}

/** How often progress is reported. */
const tellMs = 100;

/** The decompressed content of an asset. */
export async function loadAsset(name: AssetName): Promise<Uint8Array> {
  const asset = build.assets[name];
  const url = new URL(asset.path, import.meta.url).href;
  const tell = (state: DownloadEvent['state'], bytes: number, message?: string): void =>
    channel?.postMessage({
      name,
      title: asset.title,
      state,
      bytes,
      totalBytes: asset.bytes,
      ...(message !== undefined && { message }),
    } satisfies DownloadEvent);
  const storage = await openStorage();
  const kept = await storage?.match(url);
  if (kept?.body) return decompressed(kept.body);
  try {
    const packed = await download(asset, url, done => tell(done === 0 ? 'begun' : 'going on', done));
    const content = await decompressed(packed.stream()).catch(() => {
      throw brokeOff(asset, packed.size);
    });
    if (globalThis.crypto?.subtle && (await hashOf(content)) !== asset.hash) throw damaged(asset);
    await storage?.put(url, new Response(packed)).catch(() => undefined);
    tell('done', asset.bytes);
    return content;
  } catch (error) {
    tell('failed', 0, (error as Error).message);
    throw error;
  }
}

/** A page without storage works, and downloads everything each time. */
async function openStorage(): Promise<Cache | undefined> {
  try {
    return await caches.open(cacheName);
  } catch {
    return undefined;
  }
}

async function download(asset: Asset, url: string, onBytes: (done: number) => void): Promise<Blob> {
  onBytes(0);
  let response: Response;
  try {
    response = await fetch(url);
  } catch {
    throw new Error(`${asset.title} cannot be downloaded: there is no connection to ${new URL(url).host}`);
  }
  if (!response.ok || !response.body)
    throw new Error(`${asset.title} cannot be downloaded: the server answers ${response.status}`);
  const pieces: Uint8Array[] = [];
  let done = 0;
  let toldMs = 0;
  const reader = response.body.getReader();
  for (;;) {
    const piece = await reader.read().catch(() => {
      throw brokeOff(asset, done);
    });
    if (piece.done) break;
    pieces.push(piece.value);
    done += piece.value.length;
    if (performance.now() - toldMs < tellMs) continue;
    toldMs = performance.now();
    onBytes(done);
  }
  return new Blob(pieces as BlobPart[]);
}

function brokeOff({ title, bytes }: Asset, done: number): Error {
  return new Error(`the download of ${title} broke off after ${inMegabytes(done)} of ${inMegabytes(bytes)}`);
}

function damaged({ title }: Asset): Error {
  return new Error(`the download of ${title} is damaged: it is not the file that this page was built with`);
}

async function hashOf(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as BufferSource));
  return Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('');
}

export function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

async function decompressed(stream: ReadableStream): Promise<Uint8Array> {
  const plain = stream.pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

/**
 * The files of an archive that `scripts/build-site.mjs` made:
 *
 *     bytes of the list (u32) | list as JSON: [path, bytes][] | contents, one after the other
 */
export function filesOf(archive: Uint8Array): [path: string, bytes: Uint8Array][] {
  const length = new DataView(archive.buffer, archive.byteOffset).getUint32(0, true);
  const list = JSON.parse(new TextDecoder().decode(archive.subarray(4, 4 + length))) as [string, number][];
  let at = 4 + length;
  return list.map(([path, bytes]) => {
    const start = at;
    at += bytes;
    return [path, archive.subarray(start, at)];
  });
}

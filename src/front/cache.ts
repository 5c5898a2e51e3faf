/**
 * The cache of results on disk, keyed by the hash of everything on which they depend.
 *
 * One file per result, named by its key, in 256 folders:
 *
 *     <cache>/3f/3fa9…   =   SHA-256 of key and rest (32 bytes) │ length of the notes (u32) │ notes │ result
 *
 * `notes` are the tool's warnings, which are shown again. A file that is cut short or damaged does
 * not match its hash and counts as absent; so does a cache that cannot be written.
 *
 * Eviction: storing one key in 64 (chosen by its first byte, so without a counter) scans the folder
 * and removes the least recently used results, until a quarter of the limit is free.
 *
 * A second, read-only cache of the same form comes with the package: the parts of the C library
 * that most programs need, built when Redzone was installed (`scripts/common-library.mjs`).
 *
 * Invariant: an entry is written once, whole, and never changed; the same key always has the same
 * content.
 */
import {
  cacheFolder,
  contentHash,
  fileStatus,
  filesBelow,
  readFileIfAny,
  removeFile,
  touchFile,
  writeFileAtomically,
} from '../platform/files.js';
import { packageRoot } from '../platform/node.js';
import { concatenate } from '../support/concatenate.js';

export interface CacheEntry {
  readonly result: Uint8Array;
  readonly notes: string;
}

const hashBytes = 32;
const headerBytes = hashBytes + 4;
const dayMs = 24 * 60 * 60 * 1000;
/** Entries of an older format hash differently and are never found. */
const format = 'redzone cache 2';

export class Cache {
  readonly #folder: string;
  readonly #limitBytes: number;
  readonly #behind: Cache | undefined;

  /** Missing entries are looked up in the cache `behind`. */
  constructor(folder: string, limitBytes: number = 1 << 30, behind?: Cache) {
    this.#folder = folder;
    this.#limitBytes = limitBytes;
    this.#behind = behind;
  }

  /** The user's cache, with the package's behind it. */
  static ofUser(): Cache {
    return new Cache(cacheFolder(), undefined, new Cache(`${packageRoot}dist/library`));
  }

  static keyOf(parts: Iterable<string | Uint8Array>): string {
    return contentHash([format, ...parts]);
  }

  get(key: string): CacheEntry | undefined {
    const path = this.#pathOf(key);
    const entry = readEntry(path, key);
    if (entry === undefined) return this.#behind && readEntry(this.#behind.#pathOf(key), key);
    const lastUsed = fileStatus(path)?.modifiedMs ?? 0;
    if (Date.now() - lastUsed > dayMs) touchFile(path);
    return entry;
  }

  put(key: string, { result, notes }: CacheEntry): void {
    const encoded = new TextEncoder().encode(notes);
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, encoded.length, true);
    const body = concatenate([length, encoded, result]);
    try {
      writeFileAtomically(this.#pathOf(key), concatenate([bytesOf(contentHash([key, body])), body]));
      if (key < '04') this.sweep();
    } catch {
      // The disk is full or the folder cannot be written: the result is computed again next time.
    }
  }

  /**
   * Shrinks the cache below three quarters of its limit if it is above it. Returns the remaining
   * bytes.
   */
  sweep(): number {
    const entries = filesBelow(this.#folder).flatMap(name => {
      const path = `${this.#folder}/${name}`;
      const status = fileStatus(path);
      return status === undefined ? [] : [{ path, ...status }];
    });
    let total = entries.reduce((sum, entry) => sum + entry.bytes, 0);
    if (total <= this.#limitBytes) return total;
    entries.sort((a, b) => a.modifiedMs - b.modifiedMs);
    for (const entry of entries) {
      if (total <= this.#limitBytes * 0.75) break;
      removeFile(entry.path);
      total -= entry.bytes;
    }
    return total;
  }

  #pathOf(key: string): string {
    return `${this.#folder}/${key.slice(0, 2)}/${key}`;
  }
}

/** Undefined if there is no complete entry with this key. */
function readEntry(path: string, key: string): CacheEntry | undefined {
  const bytes = readFileIfAny(path);
  if (bytes === undefined || bytes.length < headerBytes) return undefined;
  const body = bytes.subarray(hashBytes);
  if (hexOf(bytes.subarray(0, hashBytes)) !== contentHash([key, body])) return undefined;
  const notesEnd = 4 + new DataView(body.buffer, body.byteOffset).getUint32(0, true);
  return { notes: new TextDecoder().decode(body.subarray(4, notesEnd)), result: body.subarray(notesEnd) };
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], pair => Number.parseInt(pair, 16));
}

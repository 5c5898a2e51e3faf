/**
 * Files of the cache with code that V8 has compiled: a hash, so that damage is noticed, and the
 * code. V8 compares version, processor and flags before it accepts code, and trusts the rest.
 */
import { contentHash, fileStatus, readFileIfAny, touchFile, writeFileAtomically } from './files.js';

/** The size of a hash that is written as hexadecimal digits. */
const hashBytes = 64;
const dayMs = 24 * 60 * 60 * 1000;

export function readCode(path: string): Uint8Array | undefined {
  const bytes = readFileIfAny(path);
  if (bytes === undefined) return undefined;
  const code = bytes.subarray(hashBytes);
  if (contentHash([code]) !== new TextDecoder().decode(bytes.subarray(0, hashBytes))) return undefined;
  // The least recently used files of the cache are removed first.
  if (Date.now() - (fileStatus(path)?.modifiedMs ?? 0) > dayMs) touchFile(path);
  return code;
}

/** A cache that cannot be written is no reason to fail. */
export function writeCode(path: string, code: Uint8Array): void {
  const bytes = new Uint8Array(hashBytes + code.length);
  bytes.set(new TextEncoder().encode(contentHash([code])));
  bytes.set(code, hashBytes);
  try {
    writeFileAtomically(path, bytes);
  } catch {
    // The code is compiled again next time.
  }
}

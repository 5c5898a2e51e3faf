/** Deflate, quick rather than small. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

export function deflated(bytes: Uint8Array): Uint8Array {
  return deflateRawSync(bytes, { level: 1 });
}

/** Throws when the bytes are damaged. */
export function inflated(bytes: Uint8Array): Uint8Array {
  return inflateRawSync(bytes);
}

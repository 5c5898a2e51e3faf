/**
 * `src/platform/compression.ts` for a page: the format of deflate without compression, because a
 * page's data stays in memory. Compressed bytes are not supported.
 *
 *     a block   is last (1 byte) | length (u16) | ~length (u16) | bytes
 */
export { crc32 as checksum } from '../../src/support/crc32.js';

const mostBytes = 0xffff;
const headBytes = 5;

export function deflated(bytes: Uint8Array): Uint8Array {
  const blocks = Math.max(1, Math.ceil(bytes.length / mostBytes));
  const result = new Uint8Array(bytes.length + blocks * headBytes);
  const view = new DataView(result.buffer);
  for (let block = 0; block < blocks; block++) {
    const piece = bytes.subarray(block * mostBytes, (block + 1) * mostBytes);
    const at = block * (mostBytes + headBytes);
    view.setUint8(at, block === blocks - 1 ? 1 : 0);
    view.setUint16(at + 1, piece.length, true);
    view.setUint16(at + 3, ~piece.length & 0xffff, true);
    result.set(piece, at + headBytes);
  }
  return result;
}

/** Throws when the bytes are damaged, or compressed. */
export function inflated(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const pieces: Uint8Array[] = [];
  let total = 0;
  for (let at = 0, isLast = false; !isLast; ) {
    const kind = view.getUint8(at);
    const length = view.getUint16(at + 1, true);
    if (kind > 1 || (view.getUint16(at + 3, true) ^ length) !== 0xffff)
      throw new Error('a page cannot read compressed data');
    pieces.push(bytes.subarray(at + headBytes, at + headBytes + length));
    total += length;
    isLast = kind === 1;
    at += headBytes + length;
  }
  const result = new Uint8Array(total);
  let at = 0;
  for (const piece of pieces) {
    result.set(piece, at);
    at += piece.length;
  }
  return result;
}

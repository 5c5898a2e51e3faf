/** `src/host/standard-streams.ts` for a page, whose process has no streams. */
import type { InputStream, OutputStream } from '../../src/host/standard-streams.js';

export type { InputStream, OutputStream };

/** Nothing reads what a page would write there. */
export class InheritedOutput implements OutputStream {
  readonly isTerminal = false;
  readonly isLineOpen = false;

  write(_memory: Uint8Array, _start: number, length: number): number {
    return length;
  }
}

export function bytesInput(bytes: Uint8Array): InputStream {
  let position = 0;
  return {
    isTerminal: false,
    read(memory, start, length) {
      const piece = bytes.subarray(position, position + length);
      memory.set(piece, start);
      position += piece.length;
      return piece.length;
    },
  };
}

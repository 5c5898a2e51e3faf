/** `src/platform/many-files.ts` for a page: writing into memory costs nothing. */
import { writeNewFile } from './files.js';

const encoder = new TextEncoder();

export class ManyFiles {
  failure: Error | undefined;

  write(path: string, contents: string | Uint8Array, _isThere = false): void {
    writeNewFile(path, typeof contents === 'string' ? encoder.encode(contents) : contents);
  }

  async finish(): Promise<void> {
    // Everything is already written.
  }
}

/**
 * `src/host/real-host.ts` for a page: the modelled host, without files of the machine, with the
 * page's clock and randomness, and with output that is shown while the program runs.
 */
import { ModelHost } from '../../src/host/model-host.js';
import type { RealHostOptions } from '../../src/host/real-host.js';
import type { InputStream, OutputStream } from '../../src/host/standard-streams.js';
import { clock } from '../../src/host/wire.js';

export type { RealHostOptions };

const stdoutHandle = 1;
const nsPerMs = 1e6;

export class RealHost extends ModelHost {
  readonly #outputs: readonly [OutputStream | undefined, OutputStream | undefined];

  constructor(options: RealHostOptions) {
    const { stdin, stdout, stderr, folders: _, ...start } = options;
    super({ ...start, ...(stdin && { stdin: allOf(stdin) }) });
    this.#outputs = [stdout, stderr];
  }

  /** There are no files of the machine to refuse. */
  get refused(): string | undefined {
    return undefined;
  }

  dispose(): void {
    // It is all memory.
  }

  override write(handle: number, memory: Uint8Array, start: number, length: number, offset: number): number {
    if (!this.isOutput(handle)) return super.write(handle, memory, start, length, offset);
    const output = this.#outputs[handle === stdoutHandle ? 0 : 1];
    return output?.write(memory, start, length) ?? length;
  }

  override clock(which: number): bigint {
    const ms = which === clock.__HOST_CLOCK_REALTIME ? Date.now() : performance.now();
    return BigInt(Math.round(ms * nsPerMs));
  }

  override random(memory: Uint8Array, start: number, length: number): void {
    // Shared memory cannot be filled, and no more than 64 KiB at once.
    for (let done = 0; done < length; done += 65_536) {
      const piece = crypto.getRandomValues(new Uint8Array(Math.min(65_536, length - done)));
      memory.set(piece, start + done);
    }
  }
}

function allOf(stream: InputStream): Uint8Array {
  const pieces: number[] = [];
  const piece = new Uint8Array(65_536);
  for (
    let count = stream.read(piece, 0, piece.length);
    count > 0;
    count = stream.read(piece, 0, piece.length)
  )
    for (const byte of piece.subarray(0, count)) pieces.push(byte);
  return Uint8Array.from(pieces);
}

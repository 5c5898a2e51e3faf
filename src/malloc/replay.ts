/**
 * Replays a trace on a malloc: the same calls with the same sizes, and a program's usual work on the blocks.
 *
 * That work matters: the report timed whole programs. Here each block is written once when it is made (every 64th byte: each line
 * of the cache), and read before it is freed, as a program does that makes blocks in order to use them. `touch: false` leaves that out, and
 * times the malloc alone.
 */
import type { LinearMemory } from './linear-memory.js';
import type { Malloc } from './malloc.js';
import { blockCount, type Trace, TraceCall } from './trace.js';

export interface ReplayResult {
  /** Calls that the malloc could not serve. */
  readonly failures: number;
  /** Sums what was read: two mallocs that did the same work agree. */
  readonly checksum: number;
}

export interface ReplayOptions {
  readonly touch?: boolean;
  /** Called before event i, for each multiple of `every`. */
  readonly every?: number;
  readonly onEvent?: (event: number) => void;
}

export function replay(
  trace: Trace,
  malloc: Malloc,
  memory: LinearMemory,
  options: ReplayOptions = {},
): ReplayResult {
  const { touch = true, every = Number.POSITIVE_INFINITY, onEvent } = options;
  const { calls, olds, sizes, alignments } = trace;
  const addresses = new Int32Array(blockCount(trace) + 1);
  const lengths = new Int32Array(addresses.length);
  let made = 0;
  let failures = 0;
  let checksum = 0;
  let next = every;
  for (let i = 0; i < calls.length; i++) {
    if (i === next) {
      onEvent?.(i);
      next += every;
    }
    const call = calls[i]!;
    const old = olds[i]!;
    const bytes = sizes[i]!;
    if (touch && old !== 0)
      checksum = (checksum + readBlock(memory.bytes, addresses[old]!, lengths[old]!)) | 0;
    if (call === TraceCall.free) {
      malloc.free(addresses[old]!);
      continue;
    }
    made++;
    const address = request(malloc, call, addresses[old]!, bytes, alignments[i]!);
    if (address === 0 && (call !== TraceCall.realloc || bytes > 0)) {
      failures++;
      // As a program would, the owner of a block that could not be resized keeps it.
      addresses[made] = addresses[old]!;
      lengths[made] = lengths[old]!;
      continue;
    }
    addresses[made] = address;
    lengths[made] = bytes;
    if (touch) writeBlock(memory.bytes, address, bytes, made);
  }
  return { failures, checksum };
}

function request(malloc: Malloc, call: number, old: number, bytes: number, alignment: number): number {
  switch (call) {
    case TraceCall.malloc:
      return malloc.malloc(bytes);
    case TraceCall.calloc:
      return malloc.calloc(1, bytes);
    case TraceCall.realloc:
      return malloc.realloc(old, bytes);
    default:
      return malloc.memalign(alignment, bytes);
  }
}

function writeBlock(memory: Uint8Array, address: number, bytes: number, mark: number): void {
  for (let at = 0; at < bytes; at += 64) memory[address + at] = mark;
}

function readBlock(memory: Uint8Array, address: number, bytes: number): number {
  let sum = 0;
  for (let at = 0; at < bytes; at += 64) sum += memory[address + at]!;
  return sum;
}

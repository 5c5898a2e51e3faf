/**
 * Replays a trace on a malloc: the same calls with the same sizes, and a program's usual work on
 * the blocks.
 *
 * That work matters: the SRI report timed whole programs. Here each block is written once when it
 * is allocated (every 64th byte: each cache line), and read before it is freed, as in a real
 * program. `touch: false` omits this and times the malloc alone.
 */

import { blockCount, type Trace, TraceCall } from '../malloc/heap-trace-format.js';
import type { LinearMemory } from '../malloc/linear-memory.js';
import type { Malloc } from '../malloc/malloc.js';

export interface ReplayResult {
  /** Calls that the malloc could not serve. */
  readonly failures: number;
  /** The sum of all bytes read: two mallocs that did the same work agree. */
  readonly checksum: number;
}

export interface TraceReplayOptions {
  readonly touch?: boolean;
  /** The number of passes; between passes, live blocks are freed. */
  readonly passes?: number;
  /**
   * Called before event i for each multiple i of `every`, including 0, and after the last event,
   * with the addresses of the blocks.
   */
  readonly every?: number;
  readonly onEvent?: (event: number, blocks: BlockPlaces) => void;
}

export function replayTrace(
  trace: Trace,
  malloc: Malloc,
  memory: LinearMemory,
  options: TraceReplayOptions = {},
): ReplayResult {
  const { passes = 1 } = options;
  const blocks = blockCount(trace);
  const addresses = new Int32Array(blocks + 1);
  const lengths = new Int32Array(blocks + 1);
  let failures = 0;
  let checksum = 0;
  for (let pass = 0; pass < passes; pass++) {
    const result = replayOnce(trace, malloc, memory, { addresses, lengths }, options);
    failures += result.failures;
    checksum = (checksum + result.checksum) | 0;
    if (pass + 1 === passes) break;
    for (let block = 1; block <= blocks; block++) {
      if (addresses[block] !== 0) malloc.free(addresses[block]!);
      addresses[block] = 0;
    }
  }
  return { failures, checksum };
}

/** The address of each block, by its number: 0 before it is allocated and after it is freed. */
export interface BlockPlaces {
  readonly addresses: Int32Array;
}

/** And how long it is. */
interface Blocks extends BlockPlaces {
  readonly lengths: Int32Array;
}

function replayOnce(
  { calls, olds, sizes, alignments }: Trace,
  malloc: Malloc,
  memory: LinearMemory,
  { addresses, lengths }: Blocks,
  { touch = true, every = Number.POSITIVE_INFINITY, onEvent }: TraceReplayOptions,
): ReplayResult {
  let made = 0;
  let failures = 0;
  let checksum = 0;
  let next = onEvent === undefined ? Number.POSITIVE_INFINITY : 0;
  for (let i = 0; i < calls.length; i++) {
    if (i === next) {
      onEvent?.(i, { addresses });
      next += every;
    }
    const call = calls[i]!;
    const old = olds[i]!;
    const bytes = sizes[i]!;
    const oldAddress = addresses[old]!;
    if (touch && old !== 0) checksum = (checksum + readBlock(memory.bytes, oldAddress, lengths[old]!)) | 0;
    addresses[old] = 0;
    if (call === TraceCall.free) {
      malloc.free(oldAddress);
      continue;
    }
    made++;
    const address = request(malloc, call, oldAddress, bytes, alignments[i]!);
    if (address === 0 && (call !== TraceCall.realloc || bytes > 0)) {
      failures++;
      // A block that could not be resized stays with its owner, as in a program.
      addresses[made] = oldAddress;
      lengths[made] = lengths[old]!;
      continue;
    }
    addresses[made] = address;
    lengths[made] = bytes;
    if (touch) writeBlock(memory.bytes, address, bytes, made);
  }
  if (next !== Number.POSITIVE_INFINITY) onEvent?.(calls.length, { addresses });
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
      // The caller handles `free`, so that `memalign` remains.
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

/**
 * Measures one trace on one malloc, in a separate worker, so that V8's optimisations for one malloc
 * do not affect the next.
 */
import { createMalloc } from '../malloc/create-malloc.js';
import { decodeTrace, LONG_TRACE, type Trace } from '../malloc/heap-trace-format.js';
import { firstAddress, LinearMemory } from '../malloc/linear-memory.js';
import type { Malloc } from '../malloc/malloc.js';
import type { MallocName } from '../malloc/malloc-names.js';
import { assert } from '../support/assert.js';
import { measureFootprint } from './footprint.js';
import { replayTrace } from './replay-calls.js';
import { isWorkloadName } from './workload-names.js';
import { makeWorkload } from './workloads.js';

export interface MeasureRequest {
  /** A trace as in a file, or the name of a generated workload. */
  readonly trace: Uint8Array | string;
  readonly malloc: MallocName;
  readonly rounds: number;
  readonly seed: number;
}

export interface Measurement {
  readonly workload: string;
  readonly malloc: MallocName;
  readonly calls: number;
  /** The fastest round, including the work on the blocks. */
  readonly nsPerCall: number;
  /** The fastest round without the work on the blocks. */
  readonly nsPerCallAlone: number;
  /** The pages that ever held a block, and the separate metadata. */
  readonly peakBytes: number;
  readonly metadataBytesApart: number;
  /** The unrequested part of those pages at the peak, in percent. */
  readonly fragmentationPercent: number;
  readonly failures: number;
}

const limit = 512 << 20;
/** Short traces are replayed several times per round. */
const callsInRound = 200_000;
/** Calls that are timed together: about 50 microseconds. */
const callsInPiece = 500;
/** This many bytes of work on blocks count as a call, so that traces with large blocks end. */
const bytesLikeCall = 4096;
/** Rounds that only warm up. */
const warmUps = 2;
/** Rounds of a long trace, which all count. */
const roundsOfLong = 2;

export function measure({ trace: source, malloc: name, rounds, seed }: MeasureRequest): Measurement {
  const trace = traceOf(source);
  const whole = timeOf(trace, true, rounds, () => fresh(name, seed));
  const alone = timeOf(trace, false, rounds, () => fresh(name, seed));
  const { malloc, memory } = fresh(name, seed);
  const { pages, peakLive } = measureFootprint(trace, malloc, memory);
  const metadataBytesApart = malloc.bytesApart;
  return {
    workload: trace.name,
    malloc: name,
    calls: trace.calls.length,
    nsPerCall: whole.nsPerCall,
    nsPerCallAlone: alone.nsPerCall,
    peakBytes: pages + metadataBytesApart,
    metadataBytesApart,
    fragmentationPercent: pages === 0 ? 0 : 100 * (1 - peakLive / pages),
    failures: whole.failures,
  };
}

/**
 * Other programs interrupt a round, but rarely at the same piece each time: the result is the sum,
 * over all pieces of the trace, of the fastest time of the piece in any round. The first pass of a
 * round is not timed: it brings the heap into a used state. A long trace does that, and warms up
 * V8, in its first part, so it has one pass and few rounds.
 */
export function timeOf(
  trace: Trace,
  touch: boolean,
  rounds: number,
  make: () => Heap,
): { nsPerCall: number; failures: number } {
  const calls = trace.calls.length;
  const isLong = calls >= LONG_TRACE;
  const untimed = isLong ? 0 : 1;
  const work =
    calls + (touch ? trace.sizes.reduce((sum, bytes) => sum + (bytes >>> 0), 0) / bytesLikeCall : 0);
  const passes = untimed + Math.max(1, Math.ceil(callsInRound / Math.max(work, 1)));
  const warming = isLong ? 0 : warmUps;
  const allRounds = isLong ? roundsOfLong : warmUps + rounds;
  const every = Math.min(callsInPiece, Math.max(1, calls));
  const stamps = new Float64Array(passes * Math.ceil(calls / every) + 1);
  const best = new Float64Array(stamps.length).fill(Number.POSITIVE_INFINITY);
  let failures = 0;
  for (let round = 0; round < allRounds; round++) {
    const { malloc, memory } = make();
    let at = 0;
    const onEvent = (): void => {
      stamps[at++] = performance.now();
    };
    failures = replayTrace(trace, malloc, memory, { touch, passes, every, onEvent }).failures;
    onEvent();
    if (round < warming) continue;
    for (let i = 0; i + 1 < at; i++) best[i] = Math.min(best[i]!, stamps[i + 1]! - stamps[i]!);
  }
  const timed = best.subarray(untimed * Math.ceil(calls / every), -1);
  const ms = timed.reduce((sum, piece) => sum + piece, 0);
  return { nsPerCall: (ms * 1e6) / (calls * (passes - untimed)), failures };
}

export interface Heap {
  readonly malloc: Malloc;
  readonly memory: LinearMemory;
}

function fresh(name: MallocName, seed: number): Heap {
  const memory = new LinearMemory({ buffer: new ArrayBuffer(limit) }, { start: firstAddress, limit });
  return { memory, malloc: createMalloc(name, { memory, metadataBytes: limit, seed }) };
}

function traceOf(source: Uint8Array | string): Trace {
  if (typeof source === 'string') {
    assert(isWorkloadName(source), `there is no workload ${source}`);
    return makeWorkload(source);
  }
  const trace = decodeTrace(source);
  assert(!('problem' in trace), 'the trace was read before');
  return trace;
}

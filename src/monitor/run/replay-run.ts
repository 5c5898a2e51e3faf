/**
 * Measures one trace on one malloc: in a worker of its own, so that what V8 has learned about one malloc does not slow
 * down the next one.
 */
import { createMalloc } from '../../malloc/create-malloc.js';
import { measureFootprint } from '../../malloc/footprint.js';
import { LinearMemory } from '../../malloc/linear-memory.js';
import type { Malloc } from '../../malloc/malloc.js';
import type { MallocName } from '../../malloc/names.js';
import { replay } from '../../malloc/replay.js';
import { decodeTrace, type Trace } from '../../malloc/trace.js';
import { isWorkloadName, makeWorkload } from '../../malloc/workloads.js';
import { assert } from '../../support/assert.js';

export interface ReplayRequest {
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
  /** The fastest round, with the work on the blocks. */
  readonly nsPerCall: number;
  /** The same without it. */
  readonly nsPerCallAlone: number;
  /** The program's pages that ever held a block, and the metadata apart. */
  readonly peakBytes: number;
  readonly metadataBytesApart: number;
  /** How much of those pages was not asked for when most was alive, in percent. */
  readonly fragmentationPercent: number;
  readonly failures: number;
}

const start = 65_536;
const limit = 512 << 20;
/** Short traces are replayed several times in a round. */
const callsInRound = 200_000;
/** Rounds that only warm up. */
const warmUps = 2;

export function measure({ trace: source, malloc: name, rounds, seed }: ReplayRequest): Measurement {
  const trace = traceOf(source);
  const calls = trace.calls.length;
  const passes = Math.max(1, Math.ceil(callsInRound / Math.max(calls, 1)));
  const run = (touch: boolean): { ns: number; failures: number } => {
    const { malloc, memory } = fresh(name, seed);
    const begin = performance.now();
    const { failures } = replay(trace, malloc, memory, { touch, passes });
    return { ns: ((performance.now() - begin) * 1e6) / (calls * passes), failures };
  };
  const best = (touch: boolean): { ns: number; failures: number } => {
    const results = Array.from({ length: warmUps + rounds }, () => run(touch)).slice(warmUps);
    return results.reduce((a, b) => (a.ns <= b.ns ? a : b));
  };
  const whole = best(true);
  const alone = best(false);
  const { malloc, memory } = fresh(name, seed);
  const { pages, peakLive } = measureFootprint(trace, malloc, memory);
  const metadataBytesApart = malloc.bytesApart;
  return {
    workload: trace.name,
    malloc: name,
    calls,
    nsPerCall: whole.ns,
    nsPerCallAlone: alone.ns,
    peakBytes: pages + metadataBytesApart,
    metadataBytesApart,
    fragmentationPercent: pages === 0 ? 0 : 100 * (1 - peakLive / pages),
    failures: whole.failures,
  };
}

function fresh(name: MallocName, seed: number): { malloc: Malloc; memory: LinearMemory } {
  const memory = new LinearMemory({ buffer: new ArrayBuffer(limit) }, { start, limit });
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

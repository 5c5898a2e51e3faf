/**
 * Runs a program repeatedly in one instance, each time from the same snapshot of memory.
 *
 * ```
 *   instantiate ── start ──▶ snapshot ──▶ deliver the input ── run ── judge ──┐
 *                               ▲                                             │
 *                               └──────────── put back what was written ◀─────┘
 * ```
 *
 * The snapshot of a target with LLVMFuzzerTestOneInput is taken after constructors and
 * LLVMFuzzerInitialize; that of a program with a `main` is taken before anything is executed,
 * because its arguments belong to the input.
 *
 * **Invariant:** a run begins with the memory, the stack pointer and the modelled host of the
 * snapshot, however the previous one ended: by `exit`, by a finding, by an exhausted stack. Only
 * the data that `runtime/fuzz/fuzz.h` lists outlives a run.
 */
import type { Finding } from '../findings/finding.js';
import { errorKey } from '../findings/same-error.js';
import type { ImportFunctions } from '../host/bind.js';
import { ModelHost } from '../host/model-host.js';
import { isMathImport } from '../host/wire.js';
import type { ProbeTable } from '../monitor/instrument/probes.js';
import { MonitoredRun } from '../monitor/run/monitored-run.js';
import type { RunRequest, RunResult } from '../monitor/run/run-request.js';
import type { ObjectSites } from '../monitor/sites.js';
import { enableWasmHints } from '../platform/node.js';
import { assert } from '../support/assert.js';
import { longestFunction } from '../wasm/sections.js';
import {
  comparedStart,
  countersStart,
  featuresStart,
  mostEdges,
  seenStart,
  state,
  stateStart,
  textBytes,
  textsStart,
} from './fuzz-memory.js';

/** How the program receives an input; a `target` is called with it. */
export type Delivery = 'target' | 'stdin' | 'file' | 'arguments';

/** The name of the input file, the same as for `--sym-files`, so that tests can be replayed. */
export const inputFile = 'A';

export interface TargetRequest {
  /** The request that `check` would run; `test` has the files. */
  readonly run: RunRequest;
  readonly probes: ProbeTable;
  readonly delivery: Delivery;
  /** A run with more steps (back edges and calls) counts as a hang. */
  readonly maxSteps: number;
}

export interface Outcome {
  /** Each error once. */
  readonly findings: readonly Finding[];
  /** How the program ended; absent when a finding ended it. */
  readonly program: RunResult['program'];
  /** The target has rejected the input for the corpus. */
  readonly isUnwanted: boolean;
}

/** An edge and a bucket of its hit count, as `edge << 8 | bit`. */
export type Feature = number;

export interface Comparison {
  readonly site: number;
  readonly left: bigint;
  readonly right: bigint;
}

export interface TextComparison {
  readonly site: number;
  readonly left: Uint8Array;
  readonly right: Uint8Array;
}

interface Exports {
  readonly __rz_start: () => void;
  readonly __stack_pointer: WebAssembly.Global;
  readonly __rz_live_blocks: WebAssembly.Global;
  readonly __rz_fuzz_mark_range: (address: number, bytes: number) => void;
  readonly __rz_fuzz_snapshot: () => void;
  readonly __rz_fuzz_restore: () => number;
  readonly __rz_fuzz_new_features: (edges: number) => number;
  readonly __rz_fuzz_all_features: (edges: number) => number;
  readonly __rz_fuzz_begin_run: (edges: number, fuel: number, isRecording: number, sites: number) => void;
  readonly __rz_target_room: (bytes: bigint) => bigint;
  readonly __rz_fuzz_room: (bytes: number) => number;
  readonly __rz_fuzz_one: (bytes: number) => number;
  readonly __rz_target_mutators: () => number;
  readonly __rz_target_mutate: (data: bigint, bytes: bigint, most: bigint, seed: number) => bigint;
  readonly __rz_target_cross_over: (
    first: bigint,
    firstBytes: bigint,
    second: bigint,
    secondBytes: bigint,
    out: bigint,
    most: bigint,
    seed: number,
  ) => bigint;
}

/** Thrown at the point where `main` would begin. */
class Ready extends Error {}

/**
 * Host functions that write memory: the index of the pointer argument, and of the size argument or
 * the largest size.
 */
const hostWrites: Readonly<
  Record<string, { readonly to: number; readonly count?: number; readonly most?: number }>
> = {
  __host_read: { to: 1, count: 2 },
  __host_stat: { to: 3, most: 256 },
  __host_fstat: { to: 1, most: 256 },
  __host_list: { to: 2, most: 1024 },
  __host_readlink: { to: 2, count: 3 },
  __host_getcwd: { to: 0, count: 1 },
  __host_strings: { to: 1, count: 2 },
  __host_random: { to: 0, count: 1 },
  __host_input: { to: 0, count: 1 },
};

const noFeatures = new Uint32Array(0);

const shortCopy = 64;

/** A run that wrote too much to be undone; the instance is created anew. */
const tooMuchWritten = 0xffff_ffff;

export class Target {
  readonly #module: WebAssembly.Module;
  readonly #objects: readonly ObjectSites[];
  readonly #request: TargetRequest;
  readonly #edges: number;
  #run!: MonitoredRun;
  #exports!: Exports;
  #host!: ModelHost;
  #hostBefore!: ModelHost;
  #isHostUsed = false;
  #bytes!: Uint8Array;
  #words!: Uint32Array;
  #stackPointer: unknown;
  /** The address of the number of heap blocks, and the number at the snapshot. */
  #liveAt = 0;
  #liveBlocks = 0;
  /** Whether the last run left its frames by returning. */
  #hasReturned = false;
  #leaksBefore: ReadonlySet<string> = new Set();
  #found: Finding[] = [];
  #needsReset = false;
  /** Findings of constructors and LLVMFuzzerInitialize, which do not depend on the input. */
  startFindings: readonly Finding[] = [];

  private constructor(module: WebAssembly.Module, request: TargetRequest) {
    this.#module = module;
    this.#request = request;
    assert(request.run.sites !== undefined, 'a program that is fuzzed is instrumented');
    this.#objects = JSON.parse(new TextDecoder().decode(request.run.sites)) as ObjectSites[];
    this.#edges = Math.min(request.probes.edges.length, mostEdges);
    this.#instantiate();
  }

  static async create(request: TargetRequest): Promise<Target> {
    enableWasmHints(longestFunction(request.run.binary));
    return new Target(await WebAssembly.compile(request.run.binary as BufferSource), request);
  }

  #instantiate(): void {
    const { run: request, delivery } = this.#request;
    this.#host = new ModelHost({
      arguments: request.arguments,
      environment: request.environment,
      files: request.test?.files ?? {},
    });
    this.#found = [];
    this.#run = new MonitoredRun(
      request,
      this.#objects,
      this.#host,
      event => {
        if (event.kind === 'finding') this.#found.push(event.finding);
      },
      undefined,
    );
    const exports = this.#run.start(this.#module, imports => this.#adapt(imports));
    // The engine's own object is a hash table, and each call would be a lookup in it.
    this.#exports = Object.fromEntries(Object.entries(exports)) as unknown as Exports;
    this.#bytes = new Uint8Array(this.#run.memory.buffer);
    this.#words = new Uint32Array(this.#run.memory.buffer);
    if (delivery === 'target') this.#startTarget();
    this.#stackPointer = this.#exports.__stack_pointer.value;
    this.#liveAt = Number(this.#exports.__rz_live_blocks.value) / 4;
    this.#liveBlocks = this.#live();
    this.#hostBefore = this.#host.fork();
    this.#isHostUsed = false;
    this.#exports.__rz_fuzz_snapshot();
    this.#needsReset = false;
  }

  /** Runs constructors and LLVMFuzzerInitialize, whose leaks are not reported. */
  #startTarget(): void {
    const { maxSteps } = this.#request;
    this.#exports.__rz_fuzz_begin_run(this.#edges, maxSteps, 0, 0);
    let isReady = false;
    this.#run.call(() => {
      try {
        this.#exports.__rz_start();
      } catch (error) {
        if (!(error instanceof Ready)) throw error;
        isReady = true;
      }
    });
    if (isReady) {
      const before = this.#found.length;
      this.#run.reportLeaks();
      this.#leaksBefore = new Set(this.#found.slice(before).map(errorKey));
    }
    const bits = this.#exports.__rz_target_mutators();
    this.mutators = { mutates: (bits & 1) !== 0, crosses: (bits & 2) !== 0 };
    this.startFindings = this.#found;
    this.isStarted = isReady;
    this.#run.forgetReports();
  }

  /** False if the program ended before its first input. */
  isStarted = true;

  #adapt(imports: ImportFunctions): ImportFunctions {
    const adapted: Record<string, (...values: never[]) => unknown> = { ...imports };
    for (const [name, call] of Object.entries(imports)) {
      if (!name.startsWith('__host_') || isMathImport(name)) continue;
      const general = call as (...values: unknown[]) => unknown;
      const writes = hostWrites[name];
      adapted[name] = (...values: unknown[]) => {
        this.#isHostUsed = true;
        if (writes !== undefined) {
          const address = Number(BigInt.asUintN(32, values[writes.to] as bigint));
          const bytes = writes.count === undefined ? writes.most! : Number(values[writes.count] as bigint);
          this.#exports.__rz_fuzz_mark_range(address, Math.min(bytes, 2 ** 32 - 1 - address) | 0);
        }
        return general(...values);
      };
    }
    adapted.__rz_fuzz_ready = () => {
      throw new Ready();
    };
    adapted.__rz_fuzz_endless = (edge: number) => {
      const { maxSteps, probes } = this.#request;
      this.#run.endless(probes.edges[edge]!.location, maxSteps);
    };
    return adapted;
  }

  // ------------------------------------------------------------------------------------------ runs

  /** Runs the program on an input. Its counters can be read until the next run. */
  run(input: Uint8Array, isRecording = false): Outcome {
    this.reset();
    const { delivery, maxSteps, probes } = this.#request;
    this.#needsReset = true;
    this.#hasReturned = false;
    this.#found = [];
    let result = 0;
    this.#exports.__rz_fuzz_begin_run(this.#edges, maxSteps, isRecording ? 1 : 0, probes.comparisons.length);
    let program: RunResult['program'];
    if (delivery === 'target') {
      program = this.#run.call(() => {
        const room = this.#exports.__rz_fuzz_room(input.length) >>> 0;
        // There was no memory left for it, which is a finding.
        if (room === 0) return;
        this.#copyTo(room, input);
        this.#run.inputNumber = this.#words[stateStart / 4 + state.owner]!;
        result = this.#exports.__rz_fuzz_one(input.length);
        this.#hasReturned = true;
      });
    } else {
      this.#deliver(input);
      program = this.#run.call(this.#exports.__rz_start);
    }
    if (program?.exit != null && (delivery !== 'target' || this.#live() !== this.#liveBlocks)) {
      this.#run.reportLeaks();
      if (this.#leaksBefore.size > 0)
        this.#found = this.#found.filter(found => !this.#leaksBefore.has(errorKey(found)));
    }
    return { findings: this.#found, program, isUnwanted: result === -1 };
  }

  /** Restores the snapshot. */
  reset(): void {
    if (!this.#needsReset) return;
    if (this.#exports.__rz_fuzz_restore() >>> 0 === tooMuchWritten) {
      const seen = this.#bytes.slice(seenStart, seenStart + this.#edges);
      this.#instantiate();
      this.#bytes.set(seen, seenStart);
      return;
    }
    if (!this.#hasReturned) this.#exports.__stack_pointer.value = this.#stackPointer;
    if (this.#isHostUsed) {
      this.#host.returnTo(this.#hostBefore);
      this.#isHostUsed = false;
    }
    this.#run.forgetReports();
    this.#needsReset = false;
  }

  /** The loop is faster than `set` if there are few bytes. */
  #copyTo(address: number, input: Uint8Array): void {
    const bytes = this.#bytes;
    if (input.length > shortCopy) bytes.set(input, address);
    else for (let i = 0; i < input.length; i++) bytes[address + i] = input[i]!;
  }

  #roomFor(bytes: Uint8Array, most: number = bytes.length): bigint {
    const room = this.#exports.__rz_target_room(BigInt(most));
    this.#bytes.set(bytes, Number(BigInt.asUintN(32, room)));
    return room;
  }

  #deliver(input: Uint8Array): void {
    const { delivery } = this.#request;
    this.#isHostUsed = true;
    if (delivery === 'stdin') this.#host.setStdin(input);
    else if (delivery === 'file') this.#host.addFile(inputFile, input);
    else this.#host.setMoreArguments(argumentsIn(input));
  }

  // -------------------------------------------------------------------------------------- coverage

  /**
   * The features of the last run that are new to the corpus; a view that is valid until the next
   * call.
   */
  newFeatures(): Uint32Array {
    return this.#features(this.#exports.__rz_fuzz_new_features(this.#edges));
  }

  /** All features of the last run; a view as well. */
  features(): Uint32Array {
    return this.#features(this.#exports.__rz_fuzz_all_features(this.#edges));
  }

  /** Whether the last run had exactly these features. */
  hasFeatures(features: Uint32Array): boolean {
    if (this.#exports.__rz_fuzz_all_features(this.#edges) !== features.length) return false;
    const words = this.#words;
    for (let i = 0; i < features.length; i++) if (words[featuresStart / 4 + i] !== features[i]) return false;
    return true;
  }

  #features(count: number): Uint32Array {
    if (count === 0) return noFeatures;
    return this.#words.subarray(featuresStart / 4, featuresStart / 4 + count);
  }

  /** Marks features as known. */
  see(features: Iterable<Feature>): void {
    for (const feature of features) this.#bytes[seenStart + (feature >>> 8)]! |= feature & 0xff;
  }

  /** Marks features as new again. */
  unsee(features: Iterable<Feature>): void {
    for (const feature of features) this.#bytes[seenStart + (feature >>> 8)]! &= ~(feature & 0xff);
  }

  /** Marks all features as new. */
  unseeAll(): void {
    this.#bytes.fill(0, seenStart, seenStart + this.#edges);
  }

  /** The hit count of an edge in the last run, modulo 256. */
  count(edge: number): number {
    return this.#bytes[countersStart + edge]!;
  }

  /** The number of steps of the last run. */
  get stepsTaken(): number {
    return this.#request.maxSteps - this.#words[stateStart / 4 + state.fuel]!;
  }

  // ----------------------------------------------------------------------------------- comparisons

  /** The comparisons of a recorded run whose operands differ, in order. */
  comparisons(): Comparison[] {
    const count = this.#words[stateStart / 4 + state.compared]!;
    const view = new DataView(this.#run.memory.buffer, comparedStart, count * 24);
    return Array.from({ length: count }, (_, i) => ({
      site: view.getUint32(i * 24, true),
      left: view.getBigUint64(i * 24 + 8, true),
      right: view.getBigUint64(i * 24 + 16, true),
    }));
  }

  /** The first recorded comparison of one of these sites whose operands differ. */
  firstThatDiffers(sites: ReadonlySet<number>): Comparison | undefined {
    const words = this.#words;
    const end = comparedStart / 4 + words[stateStart / 4 + state.compared]! * 6;
    for (let at = comparedStart / 4; at < end; at += 6) {
      const isEqual = words[at + 2] === words[at + 4] && words[at + 3] === words[at + 5];
      if (isEqual || !sites.has(words[at]!)) continue;
      const value = (low: number): bigint => (BigInt(words[low + 1]!) << 32n) | BigInt(words[low]!);
      return { site: words[at]!, left: value(at + 2), right: value(at + 4) };
    }
    return undefined;
  }

  textComparisons(): TextComparison[] {
    const count = this.#words[stateStart / 4 + state.texts]!;
    const each = 8 + 2 * textBytes;
    return Array.from({ length: count }, (_, i) => {
      const at = textsStart + i * each;
      const bytes = this.#words[at / 4 + 1]!;
      return {
        site: this.#words[at / 4]!,
        left: this.#bytes.slice(at + 8, at + 8 + bytes),
        right: this.#bytes.slice(at + 8 + textBytes, at + 8 + textBytes + bytes),
      };
    });
  }

  // -------------------------------------------------------------------------------------- mutators

  /** Whether the program defines a mutator or a cross-over. */
  mutators: { readonly mutates: boolean; readonly crosses: boolean } = { mutates: false, crosses: false };

  /** LLVMFuzzerCustomMutator; undefined if it did not return, which the findings explain. */
  mutate(
    input: Uint8Array,
    most: number,
    seed: number,
  ): { bytes?: Uint8Array; findings: readonly Finding[] } {
    return this.#transform(most, room => {
      const data = this.#roomFor(input, Math.max(most, input.length));
      room.address = Number(BigInt.asUintN(32, data));
      return this.#exports.__rz_target_mutate(data, BigInt(input.length), BigInt(most), seed | 0);
    });
  }

  /** LLVMFuzzerCustomCrossOver. */
  crossOver(
    first: Uint8Array,
    second: Uint8Array,
    most: number,
    seed: number,
  ): { bytes?: Uint8Array; findings: readonly Finding[] } {
    return this.#transform(most, room => {
      const [a, b] = [this.#roomFor(first), this.#roomFor(second)];
      const out = this.#roomFor(new Uint8Array(0), most);
      room.address = Number(BigInt.asUintN(32, out));
      const sizes = [BigInt(first.length), BigInt(second.length)] as const;
      return this.#exports.__rz_target_cross_over(a, sizes[0], b, sizes[1], out, BigInt(most), seed | 0);
    });
  }

  #transform(
    most: number,
    transform: (room: { address: number }) => bigint,
  ): { bytes?: Uint8Array; findings: readonly Finding[] } {
    this.reset();
    this.#needsReset = true;
    this.#hasReturned = false;
    this.#found = [];
    this.#exports.__rz_fuzz_begin_run(this.#edges, this.#request.maxSteps, 0, 0);
    const room = { address: 0 };
    let made: number | undefined;
    this.#run.call(() => {
      made = Number(transform(room));
    });
    if (made === undefined || this.#found.length > 0) return { findings: this.#found };
    const bytes = this.#bytes.slice(room.address, room.address + Math.min(made, most));
    return { bytes, findings: [] };
  }

  #live(): number {
    return this.#words[this.#liveAt]!;
  }
}

/** The arguments of an input, which zeros separate. */
export function argumentsIn(input: Uint8Array): string[] {
  const decoder = new TextDecoder();
  const found: string[] = [];
  for (let start = 0; start < input.length; ) {
    const zero = input.indexOf(0, start);
    const end = zero < 0 ? input.length : zero;
    found.push(decoder.decode(input.subarray(start, end)));
    start = end + 1;
  }
  return found;
}

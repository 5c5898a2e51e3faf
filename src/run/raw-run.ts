/**
 * `--no-checks`: runs the program without instrumentation, on the library's own malloc or on one of
 * the mallocs in `src/malloc`.
 *
 * Such a malloc manages the program's memory from `__heap_base` on. If it detects an invalid free
 * or corruption, the program ends, as with glibc's messages; if corrupted metadata leads it to an
 * invalid address, the program ends as with a segmentation fault.
 */
import { bindHost, type ImportFunctions } from '../host/bind.js';
import type { Host } from '../host/host.js';
import { ProgramEnd, plainEngine, signalOf } from '../host/plain-engine.js';
import { createMalloc } from '../malloc/create-malloc.js';
import { encodeTrace, PLACE_UNKNOWN, TraceCall, TraceRecorder } from '../malloc/heap-trace-format.js';
import { LinearMemory } from '../malloc/linear-memory.js';
import { bytesOf, type Malloc, type Problem } from '../malloc/malloc.js';
import type { MallocName } from '../malloc/malloc-names.js';
import { memoryPages } from '../monitor/memory-map.js';
import type { RunResult } from '../monitor/run/run-request.js';
import { processorMs } from '../platform/node.js';

/** Thrown through the program's frames when its malloc aborts. */
class HeapEnd extends Error {
  constructor(readonly problem: Problem) {
    super(problem);
  }
}

/** How a raw run ended. */
export type RawEnd = Pick<RunResult, 'program' | 'heapProblem'>;

export interface RawOptions {
  /** The size of the memory that the program expects. */
  readonly pages: number;
  readonly malloc: MallocName | undefined;
  readonly maximumHeapBytes: number;
  readonly seed: number;
  /** Records the calls, without call stacks, which raw runs do not have. */
  readonly traceName?: string | undefined;
}

export function runRaw(module: WebAssembly.Module, host: Host, options: RawOptions): RunResult {
  const memory = new WebAssembly.Memory({ initial: options.pages, maximum: memoryPages });
  const heap = options.malloc === undefined ? undefined : new RawHeap(memory, options.malloc, options);
  const imports = { ...bindHost(host, memory), ...plainEngine(memory), ...heap?.imports };
  const instance = new WebAssembly.Instance(module, {
    redzone: imports as WebAssembly.ModuleImports,
    env: { memory },
  });
  heap?.start(Number((instance.exports.__heap_base as WebAssembly.Global).value));
  const [start, processorStart] = [performance.now(), processorMs()];
  const end = endOf(instance.exports.__rz_start as () => void);
  const [runMs, runProcessorMs] = [performance.now() - start, processorMs() - processorStart];
  const trace = heap?.trace();
  return {
    ...end,
    ...(trace === undefined ? {} : { trace }),
    suppressed: 0,
    repeats: 0,
    outOfMemory: false,
    allocations: heap?.allocations ?? 0,
    runMs,
    runProcessorMs,
  };
}

/** The malloc of a raw run, as the functions that `runtime/malloc/bridge.c` imports. */
class RawHeap {
  allocations = 0;
  readonly #recorder: TraceRecorder | undefined;
  #linear!: LinearMemory;
  #malloc!: Malloc;

  constructor(
    private readonly memory: WebAssembly.Memory,
    private readonly name: MallocName,
    private readonly options: RawOptions,
  ) {
    this.#recorder = options.traceName === undefined ? undefined : new TraceRecorder();
  }

  /** Called before the program runs. */
  start(heapBase: number): void {
    const limit = heapBase + Math.min(this.options.maximumHeapBytes, largestHeap);
    this.#linear = new LinearMemory(this.memory, { start: heapBase, limit });
    this.#malloc = createMalloc(this.name, { memory: this.#linear, seed: this.options.seed ?? 0 });
  }

  readonly imports: ImportFunctions = {
    __rz_malloc: (bytes: number) =>
      this.#made(TraceCall.malloc, 0, this.#malloc.malloc(bytes >>> 0), bytes, 0),
    __rz_calloc: (count: number, each: number) => {
      const bytes = bytesOf(count >>> 0, each >>> 0);
      return this.#made(TraceCall.calloc, 0, this.#malloc.calloc(count >>> 0, each >>> 0), bytes, 0);
    },
    __rz_realloc: (address: number, bytes: number) => {
      const made = this.#malloc.realloc(address >>> 0, bytes >>> 0);
      return this.#made(TraceCall.realloc, address, made, bytes, 0);
    },
    __rz_memalign: (alignment: number, bytes: number) => {
      const made = this.#malloc.memalign(alignment >>> 0, bytes >>> 0);
      return this.#made(TraceCall.memalign, 0, made, bytes, alignment);
    },
    __rz_usable_size: (address: number) => this.#malloc.usableSize(address >>> 0),
    __rz_free: (address: number) => {
      const outcome = this.#malloc.free(address >>> 0);
      if (outcome !== 'ok') throw new HeapEnd(outcome);
      this.#recorder?.record(TraceCall.free, address >>> 0, 0, 0, 0, 0);
    },
  };

  #made(call: TraceCall, old: number, made: number, bytes: number, alignment: number): number {
    if (this.#malloc.problem !== undefined) throw new HeapEnd(this.#malloc.problem);
    if (made !== 0) this.allocations++;
    this.#recorder?.record(call, old >>> 0, made, bytes >>> 0, alignment >>> 0, 0);
    return made;
  }

  trace(): Uint8Array | undefined {
    const { traceName = '' } = this.options;
    return this.#recorder && encodeTrace(this.#recorder.finish(traceName, () => PLACE_UNKNOWN));
  }
}

/** Every malloc uses addresses below 2 GiB. */
const largestHeap = 1 << 30;

function endOf(run: () => void): RawEnd {
  try {
    run();
    return { program: { exit: 0, signal: null } };
  } catch (error) {
    if (error instanceof ProgramEnd) {
      const { end } = error;
      return {
        program: {
          exit: end.kind === 'exit' ? end.status : null,
          signal: end.kind === 'abort' ? signalOf(end) : null,
        },
      };
    }
    if (error instanceof HeapEnd) {
      const signal = error.problem === 'fault' ? 'SIGSEGV' : 'SIGABRT';
      return { program: { exit: null, signal }, heapProblem: error.problem };
    }
    if (error instanceof WebAssembly.RuntimeError) {
      const signal = error.message.includes('divide') ? 'SIGFPE' : 'SIGSEGV';
      return { program: { exit: null, signal } };
    }
    // A longjmp whose setjmp is gone.
    if (error instanceof WebAssembly.Exception) return { program: { exit: null, signal: 'SIGABRT' } };
    if (error instanceof RangeError) return { program: { exit: null, signal: 'SIGSEGV' } };
    throw error;
  }
}

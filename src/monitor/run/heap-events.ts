/**
 * The heap of a monitored run: its blocks if one of the mallocs in TypeScript provides them, the
 * trace of its calls, and the hooks of plug-ins for allocations.
 */
import { formatLocation } from '../../findings/diagnostic.js';
import type { ImportFunctions } from '../../host/bind.js';
import { encodeTrace, type TraceCall, TraceRecorder } from '../../malloc/heap-trace-format.js';
import type { OutsideHeap } from './outside-heap.js';
import type { PluginRun } from './plugin-run.js';
import type { ProgramMemory } from './program-memory.js';
import { type ProgramSites, userStack } from './program-sites.js';
import type { RuntimeExports } from './runtime-exports.js';

/** The number of callers of malloc in a trace. */
const tracedFrames = 8;

/** The address that was freed or resized, the new address, size, alignment, and stack. */
type HeapEvent = [old: number, made: number, bytes: number, alignment: number, stack: number];

export class HeapEvents {
  readonly #recorder: TraceRecorder | undefined;
  readonly #stacksOfProgram = new Map<number, boolean>();
  /** Set if one of the mallocs in TypeScript provides the blocks. */
  outside: OutsideHeap | undefined;

  constructor(
    private readonly program: ProgramMemory,
    private readonly sites: ProgramSites,
    private readonly traceName: string | undefined,
    private readonly plugins: PluginRun | undefined,
    private readonly exports: () => RuntimeExports,
  ) {
    this.#recorder = traceName === undefined ? undefined : new TraceRecorder();
  }

  /** Whether the runtime must report each call of malloc and its family. */
  get areObserved(): boolean {
    return this.#recorder !== undefined || this.plugins?.watchesHeap === true;
  }

  imports(): ImportFunctions {
    return {
      __rz_block_take: (bytes: number, alignment: number) => {
        const header = this.outside?.take(bytes >>> 0, alignment >>> 0) ?? 0;
        this.program.setWord(Number(this.exports().__rz_heap_top.value), this.outside?.top ?? 0);
        return header;
      },
      __rz_block_give: (header: number) => this.outside?.give(header >>> 0),
      __rz_heap_event: (call: TraceCall, ...event: HeapEvent) => {
        const [old, made, bytes, alignment, stack] = event.map(word => word >>> 0) as HeapEvent;
        if (this.#recorder !== undefined)
          this.#record(this.#recorder, call, old, made, bytes, alignment, stack);
        if (this.plugins === undefined || !this.#isOfProgram(this.program.stack(stack))) return;
        // A failed `realloc` has freed nothing.
        if (old !== 0 && (made !== 0 || bytes === 0)) this.plugins.freed(old, this.program.blockBytes(old));
        if (made !== 0) this.plugins.allocated(made, bytes);
      },
    };
  }

  /** The number of allocations of the program. */
  count(): number {
    let total = 0;
    for (const { sites, count } of this.program.allocations()) if (this.#isOfProgram(sites)) total += count;
    return total;
  }

  /** The encoded trace; undefined unless one was requested. */
  trace(): Uint8Array | undefined {
    const nameOf = (stack: number): string =>
      userStack(this.sites.stack(this.program.stack(stack)))
        .slice(0, tracedFrames)
        .map(place => `${place.function ?? ''} ${formatLocation(place)}`.trim())
        .join(' < ') || '(the library)';
    return this.#recorder && encodeTrace(this.#recorder.finish(this.traceName ?? '', nameOf));
  }

  /**
   * Accesses that the library makes for itself are ignored, except that it frees the program's
   * blocks.
   */
  #record(
    recorder: TraceRecorder,
    call: TraceCall,
    ...[old, made, bytes, alignment, stack]: HeapEvent
  ): void {
    let isOfProgram = this.#stacksOfProgram.get(stack);
    if (isOfProgram === undefined) {
      isOfProgram = this.#isOfProgram(this.program.stack(stack));
      this.#stacksOfProgram.set(stack, isOfProgram);
    }
    if (isOfProgram || recorder.knows(old)) recorder.record(call, old, made, bytes, alignment, stack);
  }

  /**
   * Whether the program, or a function that it called, makes the request. Arguments and environment
   * are allocated before it starts.
   */
  #isOfProgram(sites: readonly number[]): boolean {
    return sites.length === 0 || this.sites.stack(sites).some(site => !site.inLibrary);
  }
}

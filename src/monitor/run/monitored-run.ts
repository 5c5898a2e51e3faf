/**
 * A run under the monitor: the reports of the runtime become Findings, and so do the ends that are
 * none of the program's choice (a trap, an exhausted stack). At the end, what is still allocated is
 * looked at.
 *
 * When a finding ends the run, an exception unwinds the program's frames; what it has printed is
 * then flushed from the buffers of the C library, by calling into the program once more. Nothing
 * that happens there is reported.
 *
 * The file has more than 800 lines: a third of it is one table, a handler for each report of the
 * runtime. The reports of threads and of labels are the ones to move out next.
 */
import { describe } from '../../findings/describe.js';
import { formatLocation } from '../../findings/diagnostic.js';
import type { FindingFacts, LeakFacts, RequestFacts } from '../../findings/facts.js';
import { type Finding, isInLibrary, type SourceLocation } from '../../findings/finding.js';
import { errorKey } from '../../findings/same-error.js';
import { arithmeticFacts, arrayName, canGoOn, handlerNames } from '../../findings/undefined-arithmetic.js';
import { bindHost, type ImportFunctions } from '../../host/bind.js';
import type { Host } from '../../host/host.js';
import { ProgramEnd, plainEngine, signalOf } from '../../host/plain-engine.js';
import { encodeTrace, type TraceCall, TraceRecorder } from '../../malloc/heap-trace-format.js';
import {
  elementUses,
  innerBoundsHandlers,
  innerRangeHandler,
  innerTextHandler,
} from '../../passes/inner-array-handlers.js';
import { farPointerHandler, unsequencedHandler } from '../../passes/promise-handlers.js';
import { processorMs } from '../../platform/node.js';
import type { Segment } from '../../wasm/share-memory.js';
import {
  accessKinds,
  callsStart,
  clientEnd,
  memoryPages,
  nullPageEnd,
  someBits,
  threadStackBytes,
  threadStacksStart,
} from '../memory-map.js';
import type { ObjectSites, Site } from '../sites.js';
import { stores } from '../stores.js';
import { isSuppressed } from '../suppressions.js';
import { AnnotationReports } from './annotations.js';
import { type BudgetExports, BudgetWatch } from './budget-watch.js';
import { type AccessReport, Explainer, occurrenceAt } from './explain-report.js';
import { type LabelExports, LabelReports } from './label-reports.js';
import { findLeaks, type LostBlocks } from './leaks.js';
import type { OutsideHeap } from './outside-heap.js';
import { type PluginRequest, PluginRun } from './plugin-run.js';
import { ProgramMemory } from './program-memory.js';
import { ProgramSites, userStack } from './program-sites.js';
import { Repeats } from './repeats.js';
import { monitorModes, type RunEventMessage, type RunRequest, type RunResult } from './run-request.js';
import { plan, scheduleOf } from './schedule.js';
import { ThreadReports } from './thread-reports.js';
import { ThreadTables } from './thread-tables.js';
import { LostJump, ThreadTeam } from './thread-team.js';

/** Thrown through the program's frames when a finding ends the run. */
class StoppedByFinding extends Error {}

interface Exports extends LabelExports, BudgetExports {
  readonly __rz_start: () => void;
  readonly __rz_monitor_start: (
    stackEnd: number,
    mode: number,
    store: number,
    longestShadowed: number,
    asksForBlocks: number,
  ) => void;
  readonly __rz_word_at: (address: number) => number;
  readonly __rz_heap_start_at: (
    start: number,
    limit: number,
    quarantine: number,
    isOutside: number,
    isTraced: number,
  ) => void;
  readonly __rz_flush: () => void;
  readonly __rz_range_allowed: (pointer: bigint, bytes: bigint) => bigint;
  readonly __heap_base: WebAssembly.Global;
  readonly __rz_depth: WebAssembly.Global;
  readonly __rz_callee: WebAssembly.Global;
  readonly __rz_heap_start: WebAssembly.Global;
  readonly __rz_heap_top: WebAssembly.Global;
  readonly __rz_next_count: WebAssembly.Global;
  readonly __rz_calls_start: WebAssembly.Global;
  readonly __rz_without_memory: WebAssembly.Global;
  readonly __stack_pointer: WebAssembly.Global;
  readonly __indirect_function_table: WebAssembly.Table;
  /** Set for programs with threads only. */
  readonly __rz_threads: WebAssembly.Global;
  readonly __rz_thread: WebAssembly.Global;
  readonly __rz_thread_count: WebAssembly.Global;
  readonly __rz_schedule: WebAssembly.Global;
  readonly __rz_races_on: WebAssembly.Global;
  readonly __rz_race_writer: (address: number) => number;
}

/**
 * The largest number of blocks of one origin that the variables of active functions are assumed to
 * hold.
 */
const heldByVariables = 4;

/** Used in place of the number of a block. */
const isNull = -1;

/** The largest read into a buffer that is too small, in bytes. */
const largestRead = 1 << 24;

/** The number of callers of malloc in a trace. */
const tracedFrames = 8;

/** The address that was freed or resized, the new address, size, alignment, and stack. */
type HeapEvent = [old: number, made: number, bytes: number, alignment: number, stack: number];

/** The end of client memory. */
const heapEnd = 0x3fff_0000;

/** Creates the malloc of a program that runs on one of the mallocs in TypeScript. */
export type MakeHeap = (memory: WebAssembly.Memory, range: { start: number; limit: number }) => OutsideHeap;

export class MonitoredRun {
  readonly #memory: WebAssembly.Memory;
  readonly #sites: ProgramSites;
  readonly #program: ProgramMemory;
  readonly #explainer: Explainer;
  readonly #annotations: AnnotationReports;
  readonly #reported = new Set<string>();
  readonly #suppressed = new Set<string>();
  #repeats = new Repeats();
  readonly #recorder: TraceRecorder | undefined;
  readonly #labels: LabelReports | undefined;
  readonly #stacksOfProgram = new Map<number, boolean>();
  #outside: OutsideHeap | undefined;
  readonly #plugins: PluginRun | undefined;
  readonly #budget: BudgetWatch;
  /** The last failed request for memory. */
  #withoutMemory: RequestFacts | undefined;
  #outOfMemory = false;
  #isClosing = false;
  #stackTop: unknown;
  #exports!: Exports;
  #team: ThreadTeam | undefined;
  #threads: ThreadReports | undefined;
  /** The address of the current report. */
  #address: number | undefined;

  constructor(
    private readonly request: RunRequest,
    objects: readonly ObjectSites[],
    private readonly host: Host,
    private readonly emit: (event: RunEventMessage) => void,
    private readonly makeHeap: MakeHeap | undefined,
    /** The initial memory of a program with threads. */
    segments: readonly Segment[] = [],
    plugins?: PluginRequest,
  ) {
    const shared = request.threads !== undefined;
    this.#memory = new WebAssembly.Memory({ initial: memoryPages, maximum: memoryPages, shared });
    for (const { address, bytes } of segments) new Uint8Array(this.#memory.buffer).set(bytes, address);
    this.#sites = new ProgramSites(objects);
    this.#program = new ProgramMemory(this.#memory, {
      heap: () => ({
        start: this.#cell(this.#exports.__rz_heap_start),
        top: this.#cell(this.#exports.__rz_heap_top),
      }),
      headers: () => this.#outside?.headers(),
      tag: address => this.#exports.__rz_word_at(address) >>> 0,
      nextCount: () => this.#cell(this.#exports.__rz_next_count),
    });
    this.#explainer = new Explainer(this.#program, this.#sites);
    this.#annotations = new AnnotationReports({
      memory: this.#program,
      sites: this.#sites,
      sitesFrom: site => this.#sitesFrom(site),
      describe: (number, address) => this.#explainer.describe(number, address),
      isFunction: index => this.#isFunction(index),
      found: (facts, at) => this.#foundAt(describe(facts, at)),
    });
    this.#recorder = request.traceName === undefined ? undefined : new TraceRecorder();
    this.#labels =
      request.labels &&
      new LabelReports(request.labels, {
        memory: this.#program,
        host,
        location: () => userStack(this.#callers())[0],
        siteLocation: site => this.#sites.site(site)?.location,
        found: (facts, site) => {
          const key = `${facts.sink} ${facts.isSecret} ${facts.source?.what} ${facts.source?.name}`;
          this.#meet(key, site, 0, 0, () => this.#found(facts, this.#sitesFrom(site)));
        },
      });
    this.#budget = new BudgetWatch(request.budget, {
      words: new Uint32Array(this.#memory.buffer),
      stackTop: () => Number(this.#stackTop),
      sitesFrom: site => this.#sitesFrom(site),
      found: (facts, sites) => this.#found(facts, sites),
    });
    this.#plugins =
      plugins &&
      new PluginRun(plugins, this.#memory, {
        here: site => occurrenceAt(this.#sitesFrom(site)),
        report: (facts, at) => this.#foundAt(describe(facts, at)),
        depth: () => this.#callSites().length,
        isInProgram: () => this.#callSites().some(site => !this.#isLibrarys(site)),
        isOver: () => this.#isClosing,
      });
  }

  run(module: WebAssembly.Module): RunResult {
    this.start(module);
    const [start, processorStart] = [performance.now(), processorMs()];
    const program = this.call(() => {
      this.#plugins?.start();
      this.#exports.__rz_start();
    });
    this.#team?.close();
    const [runMs, runProcessorMs] = [performance.now() - start, processorMs() - processorStart];
    const exit = program?.exit;
    if (exit != null && this.#plugins !== undefined) this.call(() => this.#plugins?.end(exit));
    const reachable = program?.exit == null ? undefined : this.reportLeaks();
    if (program?.exit == null) this.#flush(this.#stackTop);
    return {
      ...(program === undefined ? {} : { program }),
      ...(reachable === undefined ? {} : { reachable }),
      ...(this.#recorder === undefined ? {} : { trace: this.#trace(this.#recorder) }),
      suppressed: this.#suppressed.size,
      repeats: this.#repeats.count,
      outOfMemory: this.#outOfMemory,
      ...(this.#withoutMemory && { withoutMemory: this.#withoutMemory.bytes }),
      allocations: this.#allocations(),
      highWater: this.#budget.highWater(this.#exports),
      ...(this.request.threads && {
        schedule: scheduleOf(this.#memory, Number(this.#exports.__rz_schedule.value)),
      }),
      runMs,
      runProcessorMs,
    };
  }

  /**
   * Instantiates the program, with imports that the caller may adapt, and prepares the monitor. No
   * code of the program is run.
   */
  start(
    module: WebAssembly.Module,
    adapt: (imports: ImportFunctions) => ImportFunctions = imports => imports,
  ): WebAssembly.Exports {
    const { request } = this;
    const own = {
      ...this.#imports(),
      ...this.#plugins?.imports(module),
      ...this.#threadImports(module),
    };
    const imports = adapt(this.#labels?.imports(own) ?? own);
    this.#team?.serves(imports);
    const instance = new WebAssembly.Instance(module, {
      redzone: imports as WebAssembly.ModuleImports,
      env: { memory: this.#memory },
    });
    this.#exports = instance.exports as unknown as Exports;
    const heapBase = Number(this.#exports.__heap_base.value);
    this.#stackTop = this.#exports.__stack_pointer.value;
    this.#exports.__rz_monitor_start(
      Number(this.#stackTop),
      monitorModes.indexOf(request.mode),
      stores.indexOf(request.store),
      Math.min(request.storeLimitBytes, clientEnd),
      0,
    );
    this.#labels?.start(this.#exports);
    if (request.threads !== undefined) {
      plan(this.#memory, Number(this.#exports.__rz_schedule.value), request.threads);
      this.#program.setWord(Number(this.#exports.__rz_races_on.value), request.threads.races ? 1 : 0);
    }
    const end = request.threads === undefined ? heapEnd : threadStacksStart;
    this.#budget.start(this.#exports);
    const limit = Math.min(heapBase + request.maximumHeapBytes, end);
    this.#outside = this.makeHeap?.(this.#memory, { start: heapBase, limit });
    this.#exports.__rz_heap_start_at(
      heapBase,
      limit,
      request.quarantineBytes,
      this.#outside === undefined ? 0 : 1,
      this.#recorder === undefined && !this.#plugins?.watchesHeap ? 0 : 1,
    );
    return instance.exports;
  }

  get memory(): WebAssembly.Memory {
    return this.#memory;
  }

  /** Sets the number of the block that is the input of a fuzz target. */
  set inputNumber(number: number) {
    this.#explainer.inputNumber = number;
  }

  /** Called before the program is run again: the same errors may be reported again. */
  forgetReports(): void {
    this.#reported.clear();
    this.#repeats = new Repeats();
    this.#outOfMemory = false;
    this.#withoutMemory = undefined;
  }

  /** Ends the run, which has executed this location too often. */
  endless(location: SourceLocation, steps: number): never {
    const site: Site = { location, hasFrame: true, inLibrary: false };
    this.#fatal({ kind: 'endless', steps }, [site, ...this.#callers().slice(1)]);
  }

  // -------------------------------------------------------------------------------------- the ends

  /**
   * Calls a function of the program. Returns how the program ended; undefined if a finding ended
   * it.
   */
  call(entry: () => void): RunResult['program'] {
    try {
      entry();
      return { exit: 0, signal: null };
    } catch (error) {
      if (error instanceof StoppedByFinding) return undefined;
      if (error instanceof ProgramEnd) return this.#ended(error);
      if (error instanceof RangeError) {
        this.#last({ kind: 'calls', depth: this.#callSites().length });
        return { exit: null, signal: 'SIGSEGV' };
      }
      if (error instanceof WebAssembly.RuntimeError) return this.#trapped(error.message);
      if (error instanceof WebAssembly.Exception || error instanceof LostJump) {
        this.#last({ kind: 'stale-jump' });
        return { exit: null, signal: 'SIGABRT' };
      }
      throw error;
    }
  }

  #ended({ end }: ProgramEnd): RunResult['program'] {
    if (end.kind === 'exit') return { exit: end.status, signal: null };
    this.#last(end);
    return { exit: null, signal: signalOf(end) };
  }

  /** Handles a trap of WebAssembly. Most causes were reported before the trap. */
  #trapped(message: string): RunResult['program'] {
    // The message "unrepresentable" contains "table" but is about a quotient.
    if (/\btable|signature|null function/.test(message)) {
      this.#last(this.#badCall());
      return { exit: null, signal: 'SIGSEGV' };
    }
    if (this.#reported.size === 0) {
      if (message.includes('divide by zero')) this.#last({ kind: 'zero-divisor', dividend: 'an integer' });
      else if (message.includes('divide result')) this.#last({ kind: 'quotient' });
      else if (message.includes('out of bounds')) this.#last({ kind: 'outside-memory' });
      else this.#last({ kind: 'abort', code: 'abort', message: `the program stopped itself: ${message}` });
    }
    return { exit: null, signal: message.includes('divide') ? 'SIGFPE' : 'SIGILL' };
  }

  #badCall(): FindingFacts {
    const callee = Number(this.#exports.__rz_callee.value);
    const [index, number] = [this.#program.word(callee), this.#program.word(callee + 4)];
    const isFunction = number === 0 && index < this.#exports.__indirect_function_table.length;
    return { kind: 'call', target: isFunction ? 'mismatch' : BigInt(index) };
  }

  /** Reports a finding after which the program cannot continue. */
  #last(facts: FindingFacts): void {
    this.#report(describe(facts, occurrenceAt(this.#callers())));
  }

  /** Flushes the program's output. No code of the program runs afterwards. */
  #flush(stackTop: unknown): void {
    this.#isClosing = true;
    try {
      this.#exports.__stack_pointer.value = stackTop;
      this.#program.setWord(Number(this.#exports.__rz_depth.value), callsStart);
      this.#exports.__rz_flush();
    } catch (error) {
      const isExpected =
        error instanceof StoppedByFinding ||
        error instanceof ProgramEnd ||
        error instanceof WebAssembly.RuntimeError ||
        error instanceof RangeError;
      if (!isExpected) throw error;
    }
  }

  // ---------------------------------------------------------------------------------------- leaks

  /**
   * After `main` has returned, only globals can hold blocks. After a call of `exit`, the variables
   * of active functions can too, and most of those are in registers, which cannot be scanned: the
   * newest blocks of each origin are not reported.
   */
  reportLeaks(): RunResult['reachable'] {
    const stackTop = Number(this.#stackTop);
    if (!this.request.checkLeaks) return undefined;
    const isLibrarys = (id: number) =>
      this.#sites.stack(this.#program.stack(id)).every(site => site.inLibrary);
    const exited = this.#callers().some(site => !site.inLibrary);
    const address = Number(this.#exports.__stack_pointer.value);
    const stack = exited || this.#team !== undefined ? [{ address, bytes: stackTop - address }] : [];
    // Threads that are still running hold blocks, too.
    for (const { slot, isEnded } of this.#team === undefined ? [] : this.#tables().threads())
      if (slot > 0 && !isEnded)
        stack.push({ address: threadStacksStart + slot * threadStackBytes, bytes: threadStackBytes });
    const leaks = findLeaks(this.#program, [...this.#sites.globals(), ...stack], isLibrarys);
    for (const lost of leaks.lost) {
      const sizes = exited ? lost.sizes.slice(0, -heldByVariables) : lost.sizes;
      if (sizes.length > 0) this.#reportLeak({ ...lost, sizes });
    }
    return leaks.reachable;
  }

  #reportLeak({ allocated, sizes, behind }: LostBlocks): void {
    const sites = this.#sites.stack(this.#program.stack(allocated));
    const object: LeakFacts['object'] = {
      kind: 'heap',
      bytes: sizes[0]!,
      life: 'live',
      allocated: userStack(sites),
      ...(this.#program.isCut(allocated) && { omitsFrames: true }),
    };
    this.#report(describe({ kind: 'leak', object, sizes, behind }, occurrenceAt(sites)));
  }

  // ------------------------------------------------------------------------------------- the heap

  /**
   * Whether the program, or a function that it called, makes the request. Arguments and environment
   * are allocated before it starts.
   */
  #isOfProgram(sites: readonly number[]): boolean {
    return sites.length === 0 || this.#sites.stack(sites).some(site => !site.inLibrary);
  }

  #allocations(): number {
    let total = 0;
    for (const { sites, count } of this.#program.allocations()) if (this.#isOfProgram(sites)) total += count;
    return total;
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
      isOfProgram = this.#isOfProgram(this.#program.stack(stack));
      this.#stacksOfProgram.set(stack, isOfProgram);
    }
    if (isOfProgram || recorder.knows(old)) recorder.record(call, old, made, bytes, alignment, stack);
  }

  #heapImports(): ImportFunctions {
    return {
      __rz_block_take: (bytes: number, alignment: number) => {
        const header = this.#outside?.take(bytes >>> 0, alignment >>> 0) ?? 0;
        this.#program.setWord(Number(this.#exports.__rz_heap_top.value), this.#outside?.top ?? 0);
        return header;
      },
      __rz_block_give: (header: number) => this.#outside?.give(header >>> 0),
      __rz_heap_event: (call: TraceCall, ...event: HeapEvent) => {
        const [old, made, bytes, alignment, stack] = event.map(word => word >>> 0) as HeapEvent;
        if (this.#recorder !== undefined)
          this.#record(this.#recorder, call, old, made, bytes, alignment, stack);
        if (this.#plugins === undefined || !this.#isOfProgram(this.#program.stack(stack))) return;
        // A failed `realloc` has freed nothing.
        if (old !== 0 && (made !== 0 || bytes === 0)) this.#plugins.freed(old, this.#program.blockBytes(old));
        if (made !== 0) this.#plugins.allocated(made, bytes);
      },
    };
  }

  #trace(recorder: TraceRecorder): Uint8Array {
    const nameOf = (stack: number): string =>
      userStack(this.#sites.stack(this.#program.stack(stack)))
        .slice(0, tracedFrames)
        .map(place => `${place.function ?? ''} ${formatLocation(place)}`.trim())
        .join(' < ') || '(the library)';
    return encodeTrace(recorder.finish(this.request.traceName ?? '', nameOf));
  }

  // -------------------------------------------------------------------------------------- reports

  #imports(): ImportFunctions {
    return {
      ...bindHost(this.host, this.#memory),
      ...plainEngine(this.#memory),
      ...this.#heapImports(),
      __host_read: (handle: number, to: bigint, n: bigint, offset: bigint) =>
        BigInt(this.#hostRead(handle, to, n, Number(offset))),
      ...Object.fromEntries(handlerNames.map(name => [name, this.#arithmetic(name)])),
      ...Object.fromEntries(innerBoundsHandlers.map(name => [name, this.#innerBounds(name)])),
      [innerTextHandler]: (to: bigint, room: bigint, limit: bigint) => {
        if (BigInt.asUintN(64, limit) <= room) return;
        const written = this.#program.textLength(Number(BigInt.asUintN(32, to))) + 1;
        if (written > room) this.#leftArray(to, room, BigInt(written), true);
      },
      [innerRangeHandler]: (to: bigint, room: bigint, bytes: bigint) => {
        if (BigInt.asUintN(64, bytes) > room) this.#leftArray(to, room, bytes, false);
      },
      [farPointerHandler]: (base: bigint, step: bigint, isUnsigned: number) =>
        this.#farPointer(base, step, isUnsigned !== 0),
      [unsequencedHandler]: (name: bigint, areBothWrites: number) => {
        const at = Number(BigInt.asUintN(32, name));
        this.#meet('unsequenced', 0, at, 0, () =>
          this.#found(
            {
              kind: 'unsequenced',
              variable: this.#program.cString(at),
              areBothWrites: areBothWrites !== 0,
            },
            this.#callers(),
          ),
        );
      },
      ...this.#budget.imports(),
      ...this.#annotations.imports(),
      __rz_report_access: (address: number, number: number, bytes: bigint, access: number, site: number) =>
        this.#meet(access, site, number, address, () => {
          const report = {
            address: address >>> 0,
            number: number >>> 0,
            bytes: Number(BigInt.asUintN(64, bytes)),
            operation: accessKinds[access] ?? 'read',
            ...this.#surroundings(site),
          };
          this.#address = report.address;
          this.#found(this.#accessFacts(report), report.sites);
        }),
      __rz_report_misaligned: (
        address: number,
        number: number,
        bytes: number,
        access: number,
        site: number,
      ) =>
        this.#meet('misaligned', site, number, address, () => {
          const report = {
            address: address >>> 0,
            number: number >>> 0,
            bytes,
            operation: accessKinds[access] ?? 'read',
            ...this.#surroundings(site),
          };
          this.#found(this.#explainer.misaligned(report), report.sites);
        }),
      __rz_report_uninitialized: (
        address: number,
        number: number,
        bytes: number,
        site: number,
        value: number,
        valueBytes: number,
      ) =>
        this.#meet('unwritten', site, number, address, () => {
          const report = {
            address: address >>> 0,
            number: number >>> 0,
            bytes: bytes & ~someBits,
            isPartial: (bytes & someBits) !== 0,
            value: { address: value >>> 0, bytes: valueBytes >>> 0 },
            ...this.#surroundings(site),
          };
          this.#found(this.#explainer.uninitialized(report), report.sites);
        }),
      __rz_report_overlap: (to: number, from: number, bytes: number, site: number) => {
        const distance = Math.abs((to >>> 0) - (from >>> 0));
        this.#meet('overlap', site, 0, 0, () =>
          this.#found({ kind: 'overlap', bytes: bytes >>> 0, distance }, this.#sitesFrom(site)),
        );
      },
      __rz_report_null_call: (site: number) =>
        this.#meet('null call', site, 0, 0, () =>
          this.#found({ kind: 'call', target: 0n }, this.#sitesFrom(site)),
        ),
      __rz_report_mismatched_call: (site: number) =>
        this.#meet('mismatched call', site, 0, 0, () =>
          this.#found({ kind: 'call', target: 'mismatch' }, this.#sitesFrom(site)),
        ),
      __rz_report_lost_goto: (site: number) => this.#fatal({ kind: 'lost-goto' }, this.#sitesFrom(site)),
      __rz_report_trap: (site: number) => this.#fatal({ kind: 'trap' }, this.#sitesFrom(site)),
      __rz_report_unsupported_assembly: (site: number) =>
        this.#fatal({ kind: 'unsupported', what: 'inline assembly' }, this.#sitesFrom(site)),
      __rz_report_stack_exhausted: (site: number) =>
        this.#fatal({ kind: 'calls', depth: this.#callSites().length }, this.#sitesFrom(site)),
      __rz_report_out_of_memory: (bytes: bigint, site: number) => {
        const [location] = userStack(this.#sitesFrom(site));
        this.#withoutMemory = { bytes: Number(bytes), ...(location && { location }) };
      },
      __rz_module_loaded: (low: number, high: number, sites: number, globals: number) =>
        this.#sites.loaded(hex(high) + hex(low), sites >>> 0, globals >>> 0, this.#program),
    };
  }

  /**
   * A null pointer right after a failed request is attributed to that request, whatever the offset.
   */
  #accessFacts(report: AccessReport): FindingFacts {
    const facts = this.#explainer.access(report);
    const request = this.#withoutMemory;
    if (facts.kind !== 'access' || request === undefined) return facts;
    const isNull =
      facts.address < nullPageEnd || (facts.stray === 'integer' && facts.address < request.bytes);
    if (!isNull || this.#cell(this.#exports.__rz_without_memory) === 0) return facts;
    this.#outOfMemory = true;
    return { ...facts, withoutMemory: request };
  }

  /**
   * Distinguishes errors of one location: the block, and whether it is out of bounds or has ended,
   * which the shadow at the address tells. A pointer without a number is identified by the owner of
   * its address.
   */
  #blockAndState(number: number, address: number): number {
    if (address < nullPageEnd) return isNull;
    if (address >= clientEnd) return number * 256;
    return (number || this.#program.ownerAt(address)) * 256 + this.#program.shadowAt(address);
  }

  /** Explains a report unless it repeats an earlier one. */
  #meet(kind: string | number, site: number, number: number, address: number, explain: () => void): void {
    if (this.#isClosing) throw new StoppedByFinding();
    this.#repeats.meet(
      `${kind} ${this.#lineFrom(site)}`,
      this.#blockAndState(number >>> 0, address >>> 0),
      () => {
        const before = this.#reported.size + this.#suppressed.size;
        explain();
        return this.#reported.size + this.#suppressed.size > before;
      },
    );
  }

  /**
   * The site and the sites of its callers up to the first one in the program's own code, which
   * determine the line of the finding.
   */
  #lineFrom(site: number): string {
    if (site !== 0 && !this.#isLibrarys(site)) return `${site}`;
    let line = `${site}`;
    const start = this.#cell(this.#exports.__rz_calls_start);
    for (let at = this.#cell(this.#exports.__rz_depth) - 4; at >= start; at -= 4) {
      const caller = this.#program.word(at);
      line += ` ${caller}`;
      if (!this.#isLibrarys(caller)) break;
    }
    return line;
  }

  #isLibrarys(site: number): boolean {
    return this.#sites.site(site >>> 0)?.inLibrary === true;
  }

  #isFunction(index: number): boolean {
    const table = this.#exports.__indirect_function_table;
    return index > 0 && index < table.length && table.get(index) !== null;
  }

  /**
   * The C library learns the number of bytes read only afterwards, so no more than fits is written
   * before the check.
   */
  #hostRead(handle: number, to: bigint, n: bigint, offset: number): number {
    const start = Number(BigInt.asUintN(32, to));
    const bytes = new Uint8Array(this.#memory.buffer);
    const allowed = this.#exports.__rz_range_allowed(to, n);
    if (allowed === n) return this.host.read(handle, bytes, start, Number(n), offset);
    const apart = new Uint8Array(Math.min(Number(n), largestRead));
    const count = this.host.read(handle, apart, 0, apart.length, offset);
    bytes.set(apart.subarray(0, Math.min(Math.max(count, 0), Number(allowed))), start);
    return count;
  }

  #arithmetic(name: string): (data: bigint, ...args: bigint[]) => void {
    return (data, ...args) => {
      const description = Number(BigInt.asUintN(32, data));
      const facts = () => arithmeticFacts(name, description, args, this.#program);
      if (!canGoOn(name)) this.#fatal(facts(), this.#callers());
      this.#meet(name, 0, description, 0, () => this.#found(facts(), this.#callers()));
    };
  }

  #innerBounds(name: string) {
    return (
      data: bigint,
      index: bigint,
      array: bigint,
      elementBytes: bigint,
      use: number,
      bytes: bigint,
    ): void => {
      const address = Number(BigInt.asUintN(32, array + index * elementBytes));
      const number = Number(BigInt.asUintN(32, array >> 32n));
      const description = Number(BigInt.asUintN(32, data));
      const explain = (): void => {
        const report: AccessReport = {
          address,
          number,
          bytes: Number(bytes),
          operation: use === elementUses.indexOf('write') ? 'write' : 'read',
          ...this.#surroundings(),
        };
        const facts = this.#explainer.innerElement(report, {
          index,
          array: arrayName(description, this.#program),
          isAddress: use === elementUses.indexOf('address'),
        });
        if (!canGoOn(name)) this.#fatal(facts ?? this.#explainer.access(report), report.sites);
        if (facts !== undefined) this.#found(facts, report.sites);
      };
      if (canGoOn(name)) this.#meet(`element ${description} ${use}`, 0, number, address, explain);
      else explain();
    };
  }

  /** If an unsigned offset leads back into its object, the result is valid. */
  #farPointer(base: bigint, step: bigint, isUnsigned: boolean): void {
    const address = Number(BigInt.asUintN(32, base));
    const number = Number(BigInt.asUintN(32, base >> 32n));
    const found = this.#explainer.objectOf(number, address);
    const to = BigInt(address) + step;
    if (isUnsigned && found !== undefined && step < 0n) {
      const start = BigInt(found.address);
      if (to >= start && to <= start + BigInt(found.object.bytes)) return;
    }
    this.#meet('far pointer', 0, number, address, () =>
      this.#found(
        {
          kind: 'far-pointer',
          step: isUnsigned ? BigInt.asUintN(64, step) : step,
          ...(found && { object: found.object }),
        },
        this.#callers(),
      ),
    );
  }

  /** A function wrote more to an array than fits into it. */
  #leftArray(to: bigint, room: bigint, bytes: bigint, isText: boolean): void {
    const report: AccessReport = {
      address: Number(BigInt.asUintN(32, to)),
      number: Number(BigInt.asUintN(32, to >> 32n)),
      bytes: Number(bytes),
      operation: 'write',
      ...this.#surroundings(),
    };
    const facts = this.#explainer.innerRange(report, Number(room), isText);
    if (facts !== undefined) this.#found(facts, report.sites);
  }

  /** Reports a finding and ends the run, unless it continues after errors. */
  #found(facts: FindingFacts, sites: readonly Site[]): void {
    this.#foundAt(describe(facts, occurrenceAt(sites)));
  }

  #foundAt(found: Finding): void {
    if (this.#report(found) && !this.request.keepGoing) throw new StoppedByFinding();
  }

  /** Reports a finding after which the run cannot continue. */
  #fatal(facts: FindingFacts, sites: readonly Site[]): never {
    this.#report(describe(facts, occurrenceAt(sites)));
    throw new StoppedByFinding();
  }

  // ----------------------------------------------------------------------------------- threads

  #threadImports(module: WebAssembly.Module): ImportFunctions {
    const { threads } = this.request;
    if (threads === undefined) return {};
    this.#team = new ThreadTeam(module, this.#memory);
    const callersOf = (slot: number, depth: number): readonly Site[] => {
      if (slot === this.#current()) return this.#callers();
      const sites: number[] = [];
      // There is a zero below the first frame of a thread, and nothing below that of main.
      for (let at = depth - 4; at >= callsStart && this.#program.word(at) !== 0; at -= 4)
        sites.push(this.#program.word(at));
      return this.#sites.stack(sites);
    };
    const reports = new ThreadReports({
      tables: this.#tables(),
      seed: threads.choices === undefined ? threads.seed : undefined,
      current: () => this.#current(),
      stackOf: id => this.#sites.stack(this.#program.stack(id)),
      site: address => this.#sites.site(address),
      callersOf,
      objectAt: address => this.#explainer.objectAt(address),
      isLibrarysVariable: address => this.#sites.isLibraryGlobal(this.#program.ownerAt(address)),
      isLibrarysBlock: address => this.#isLibrarysBlock(address),
      writerAt: address => this.#exports.__rz_race_writer(address) >>> 0,
      found: (facts, sites) => this.#found(facts, sites),
      warns: (facts, sites) => void this.#report(describe(facts, occurrenceAt(sites))),
      ends: (facts, sites) => this.#fatal(facts, sites),
    });
    this.#threads = reports;
    return { ...this.#team.imports(), ...reports.imports() };
  }

  #tables(): ThreadTables {
    return new ThreadTables(address => this.#program.word(address), {
      threads: () => Number(this.#exports.__rz_threads.value),
      count: () => this.#cell(this.#exports.__rz_thread_count),
    });
  }

  /** Whether the library allocated the block that contains the address. */
  #isLibrarysBlock(address: number): boolean {
    for (const { address: start, bytes, allocated } of this.#program.heapBlocks())
      if (address >= start && address < start + bytes)
        return this.#sites.stack(this.#program.stack(allocated))[0]?.inLibrary !== false;
    return false;
  }

  #current(): number {
    return this.#cell(this.#exports.__rz_thread);
  }

  /** Emits the finding, once per error; false if it is suppressed. */
  #report(given: Finding): boolean {
    if (this.#isClosing) throw new StoppedByFinding();
    if (isSuppressed(given, this.request.unchosen)) return false;
    const isOfThreads = given.code === 'data-race' || given.code === 'deadlock';
    const found = isOfThreads ? given : (this.#threads?.annotate(given, this.#address) ?? given);
    const key = errorKey(found);
    if (isSuppressed(found, this.request.suppressions)) {
      this.#suppressed.add(key);
      return false;
    }
    // Leaks have already been grouped, each with its count.
    if (found.code === 'memory-leak' || !this.#reported.has(key)) {
      this.#reported.add(key);
      this.#reported.add(keyOfStore(found));
      this.emit({ kind: 'finding', finding: found });
    }
    return true;
  }

  // ------------------------------------------------------------------------------------ the stack

  /**
   * The sites of the current stack, innermost first; `site` is the location in the innermost
   * function, 0 if it is in a call.
   */
  #sitesFrom(site: number): Site[] {
    const callers = this.#callSites();
    const here = site === 0 ? undefined : this.#sites.site(site >>> 0);
    if (here === undefined) return this.#sites.stack(callers);
    return [here, ...this.#sites.stack(here.hasFrame ? callers.slice(1) : callers)];
  }

  /** The context of a report about an access. */
  #surroundings(site = 0): Pick<AccessReport, 'sites' | 'depth'> {
    return { sites: this.#sitesFrom(site), depth: this.#cell(this.#exports.__rz_depth) };
  }

  #callers(): Site[] {
    return this.#sites.stack(this.#callSites());
  }

  #callSites(): number[] {
    const sites: number[] = [];
    const start = this.#cell(this.#exports.__rz_calls_start);
    for (let at = this.#cell(this.#exports.__rz_depth) - 4; at >= start; at -= 4)
      sites.push(this.#program.word(at));
    return sites;
  }

  /** The u32 variable of the runtime at an exported address. */
  #cell(address: WebAssembly.Global): number {
    return this.#program.word(Number(address.value));
  }
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}

/**
 * Recognizes the store that follows a load, as in `a[i]++`, which is one error. A library function
 * reads and writes its arguments separately.
 */
function keyOfStore(found: Finding): string {
  const { access, stack } = found;
  const isOwn = stack[0] !== undefined && !isInLibrary(stack[0]);
  return errorKey(
    access?.kind === 'read' && isOwn ? { ...found, access: { ...access, kind: 'write' } } : found,
  );
}

/**
 * A run under the monitor. Its parts are the call stack (`call-stack.ts`), the reports of the
 * runtime (`report-imports.ts`), the heap (`heap-events.ts`), threads (`thread-surroundings.ts`)
 * and the findings (`finding-log.ts`). This file puts them together, starts the program, and turns
 * every way in which it can end into a result: an exit, a trap, an exhausted stack, a finding. At
 * the end it looks for leaks.
 *
 * When a finding ends the run, an exception unwinds the program's frames. The output in the buffers
 * of the C library is then flushed by calling into the program once more; nothing is reported
 * during that call.
 */
import { describe } from '../../findings/describe.js';
import type { FindingFacts, LeakFacts } from '../../findings/facts.js';
import type { SourceLocation } from '../../findings/finding.js';
import { leakKey } from '../../findings/same-error.js';
import { bindHost, type ImportFunctions } from '../../host/bind.js';
import type { Host } from '../../host/host.js';
import { ProgramEnd, plainEngine, signalOf } from '../../host/plain-engine.js';
import { processorMs } from '../../platform/node.js';
import type { Segment } from '../../wasm/share-memory.js';
import { callsStart, clientEnd, memoryPages, threadStackBytes, threadStacksStart } from '../memory-map.js';
import type { CodeSite, ObjectSites } from '../sites.js';
import { stores } from '../stores.js';
import { AnnotationReports } from './annotations.js';
import { BudgetWatch } from './budget-watch.js';
import { CallStack } from './call-stack.js';
import { Explainer, occurrenceAt } from './explain-report.js';
import { FindingLog, StoppedByFinding } from './finding-log.js';
import { HeapEvents } from './heap-events.js';
import { LabelReports } from './label-reports.js';
import { type AllocationStacks, findLeaks, type LostBlocks } from './leaks.js';
import type { OutsideHeap } from './outside-heap.js';
import { type PluginRequest, PluginRun } from './plugin-run.js';
import { ProgramMemory } from './program-memory.js';
import { ProgramSites, userStack, wholeStack } from './program-sites.js';
import { ReportImports } from './report-imports.js';
import { monitorModes, type RunEventMessage, type RunRequest, type RunResult } from './run-request.js';
import type { RuntimeExports } from './runtime-exports.js';
import { plan, scheduleOf } from './schedule.js';
import { ThreadReports } from './thread-reports.js';
import { threadSurroundings, threadTables } from './thread-surroundings.js';
import { LostJump, ThreadTeam } from './thread-team.js';

/**
 * The largest number of blocks of one origin that the variables of active functions are assumed to
 * hold.
 */
const heldByVariables = 4;

/** The largest read into a buffer that is too small, in bytes. */
const largestRead = 1 << 24;

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
  readonly #stack: CallStack;
  readonly #log: FindingLog;
  readonly #reports: ReportImports;
  readonly #heap: HeapEvents;
  readonly #labels: LabelReports | undefined;
  readonly #plugins: PluginRun | undefined;
  readonly #budget: BudgetWatch;
  #stackTop: unknown;
  #exports!: RuntimeExports;
  #team: ThreadTeam | undefined;
  /** The arguments of `ProgramSites.loaded`. */
  readonly #loaded: [id: string, sites: number, globalTable: number][] = [];

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
        start: this.#program.variable(this.#exports.__rz_heap_start),
        top: this.#program.variable(this.#exports.__rz_heap_top),
      }),
      headers: () => this.#heap.outside?.headers(),
      tag: address => this.#exports.__rz_word_at(address) >>> 0,
      nextCount: () => this.#program.variable(this.#exports.__rz_next_count),
    });
    this.#explainer = new Explainer(this.#program, this.#sites);
    const exports = () => this.#exports;
    this.#stack = new CallStack(this.#program, this.#sites, exports);
    this.#log = new FindingLog(request, emit);
    this.#reports = new ReportImports(this.#program, this.#stack, this.#explainer, this.#log, exports);
    this.#annotations = this.#annotationReports();
    this.#labels = request.labels && this.#labelReports(request.labels);
    this.#budget = new BudgetWatch(request.budget, {
      words: new Uint32Array(this.#memory.buffer),
      stackTop: () => Number(this.#stackTop),
      sitesFrom: site => this.#stack.sitesFrom(site),
      found: (facts, sites) => this.#log.found(facts, sites),
    });
    this.#plugins = plugins && this.#pluginRun(plugins);
    this.#heap = new HeapEvents(this.#program, this.#sites, request.traceName, this.#plugins, exports);
  }

  #annotationReports(): AnnotationReports {
    return new AnnotationReports({
      memory: this.#program,
      sites: this.#sites,
      sitesFrom: site => this.#stack.sitesFrom(site),
      describe: (number, address) => this.#explainer.describe(number, address),
      isFunction: index => this.#isFunction(index),
      found: (facts, at) => this.#log.foundAt(describe(facts, at)),
    });
  }

  #labelReports(options: NonNullable<RunRequest['labels']>): LabelReports {
    return new LabelReports(options, {
      memory: this.#program,
      host: this.host,
      location: () => userStack(this.#stack.callers())[0],
      siteLocation: site => this.#sites.site(site)?.location,
      found: (facts, site) => {
        const key = `${facts.sink} ${facts.isSecret} ${facts.source?.what} ${facts.source?.name}`;
        this.#reports.meet(key, site, 0, 0, () => this.#log.found(facts, this.#stack.sitesFrom(site)));
      },
    });
  }

  #pluginRun(plugins: PluginRequest): PluginRun {
    return new PluginRun(plugins, this.#memory, {
      here: site => occurrenceAt(this.#stack.sitesFrom(site)),
      report: (facts, at) => this.#log.foundAt(describe(facts, at)),
      depth: () => this.#stack.callSites().length,
      programSlot: () => this.#stack.programSlot(),
      isOver: () => this.#log.isClosed,
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
    const trace = this.#heap.trace();
    const { withoutMemory } = this.#reports;
    return {
      ...(program === undefined ? {} : { program }),
      ...(reachable === undefined ? {} : { reachable }),
      ...(trace === undefined ? {} : { trace }),
      suppressed: this.#log.suppressed,
      repeats: this.#log.repeats,
      outOfMemory: this.#reports.isOutOfMemory,
      ...(withoutMemory && { withoutMemory: withoutMemory.bytes }),
      allocations: this.#heap.count(),
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
    this.#exports = instance.exports as unknown as RuntimeExports;
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
    this.#plugins?.connect(this.#exports);
    if (request.threads !== undefined) {
      plan(this.#memory, Number(this.#exports.__rz_schedule.value), request.threads);
      this.#program.setWord(Number(this.#exports.__rz_races_on.value), request.threads.races ? 1 : 0);
    }
    const end = request.threads === undefined ? heapEnd : threadStacksStart;
    this.#budget.start(this.#exports);
    const limit = Math.min(heapBase + request.maximumHeapBytes, end);
    this.#heap.outside = this.makeHeap?.(this.#memory, { start: heapBase, limit });
    this.#exports.__rz_heap_start_at(
      heapBase,
      limit,
      request.quarantineBytes,
      this.#heap.outside === undefined ? 0 : 1,
      this.#heap.areObserved ? 1 : 0,
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
    this.#log.forget();
    this.#reports.forget();
  }

  /** Ends the run, which has executed this location too often. */
  endless(location: SourceLocation, steps: number): never {
    const site: CodeSite = { location, hasFrame: true, inLibrary: false };
    this.#log.fatal({ kind: 'endless', steps }, [site, ...this.#stack.callers().slice(1)]);
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
        this.#last({ kind: 'exhaustion', depth: this.#stack.callSites().length });
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
    if (this.#log.isEmpty) {
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
    this.#log.warn(facts, this.#stack.callers());
  }

  /** Flushes the program's output. No code of the program runs afterwards. */
  #flush(stackTop: unknown): void {
    this.#log.close();
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
    const sitesOf = (id: number) => this.#sites.stack(this.#program.stack(id));
    const stacks: AllocationStacks = {
      isLibrarys: id => sitesOf(id).every(site => site.inLibrary),
      keyOf: id => leakKey(wholeStack(sitesOf(id)).stack),
    };
    const exited = this.#stack.callers().some(site => !site.inLibrary);
    const address = Number(this.#exports.__stack_pointer.value);
    const stack = exited || this.#team !== undefined ? [{ address, bytes: stackTop - address }] : [];
    // Threads that are still running hold blocks, too.
    for (const { slot, isEnded } of this.#team === undefined
      ? []
      : threadTables(this.#program, () => this.#exports).threads())
      if (slot > 0 && !isEnded)
        stack.push({ address: threadStacksStart + slot * threadStackBytes, bytes: threadStackBytes });
    const leaks = findLeaks(this.#program, [...this.#sites.globals(), ...stack], stacks);
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
      allocated: wholeStack(sites).stack,
      ...(this.#program.isCut(allocated) && { omitsFrames: true }),
    };
    this.#log.warn({ kind: 'leak', object, sizes, behind }, sites);
  }

  // -------------------------------------------------------------------------------------- reports

  #imports(): ImportFunctions {
    return {
      ...bindHost(this.host, this.#memory),
      ...plainEngine(this.#memory),
      ...this.#heap.imports(),
      __host_read: (handle: number, to: bigint, n: bigint, offset: bigint) =>
        BigInt(this.#hostRead(handle, to, n, Number(offset))),
      ...this.#reports.imports(),
      ...this.#budget.imports(),
      ...this.#annotations.imports(),
      __rz_module_loaded: (low: number, high: number, sites: number, globals: number) => {
        this.#loaded.push([hex(high) + hex(low), sites >>> 0, globals >>> 0]);
        this.#sites.loaded(...this.#loaded.at(-1)!, this.#program);
      },
    };
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

  // ----------------------------------------------------------------------------------- threads

  #threadImports(module: WebAssembly.Module): ImportFunctions {
    const { threads } = this.request;
    if (threads === undefined) return {};
    this.#team = new ThreadTeam(module, this.#memory, () => this.#tellThreads());
    const run = {
      program: this.#program,
      sites: this.#sites,
      stack: this.#stack,
      explainer: this.#explainer,
      log: this.#log,
      exports: () => this.#exports,
    };
    const reports = new ThreadReports(threadSurroundings(run, threads));
    this.#log.threads = reports;
    return { ...this.#team.imports(), ...reports.imports() };
  }

  /** Sends the memory, from which the places of threads can be read if the run is stopped. */
  #tellThreads(): void {
    const { __rz_threads, __rz_thread_count, __rz_thread, __rz_depth } = this.#exports;
    this.emit({
      kind: 'threads',
      memory: this.#memory.buffer,
      objects: this.#loaded,
      threads: Number(__rz_threads.value),
      count: Number(__rz_thread_count.value),
      running: Number(__rz_thread.value),
      depth: Number(__rz_depth.value),
    });
  }
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}

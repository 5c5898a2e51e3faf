/**
 * Runs an instrumented program: wasm in this thread, the host below it, the runtime's reports turned into Findings.
 *
 * Whatever the program does ends here as data: its exit status, a finding, or both. An exception that is not one of
 * the expected ends is a defect of ours and leaves as such.
 */
import type { Finding } from '../../findings/finding.js';
import { bindHost, type ImportFunctions } from '../../host/bind.js';
import { ProgramEnd, plainEngine } from '../../host/plain-engine.js';
import { RealHost } from '../../host/real-host.js';
import { inheritedOutput } from '../../host/standard-streams.js';
import { enableBranchHints } from '../../platform/node.js';
import { accessKinds, callsStart, memoryPages } from '../memory-map.js';
import type { ObjectSites, Site } from '../sites.js';
import { explainArithmetic, handlerNames } from '../undefined-arithmetic.js';
import { Explainer, finding, plural } from './explain.js';
import { ProgramMemory } from './program-memory.js';
import { ProgramSites } from './program-sites.js';

export interface RunRequest {
  /** Lowered, with an imported memory. */
  readonly binary: Uint8Array;
  /** Absent when the program is not instrumented. */
  readonly objects?: readonly ObjectSites[];
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly folders: readonly string[];
  /** With `--json`, standard output is not the program's. */
  readonly stdoutToStderr: boolean;
  readonly trackInit: boolean;
  readonly keepGoing: boolean;
  readonly quarantineBytes: number;
  readonly maximumHeapBytes: number;
}

export type RunEventMessage = { readonly kind: 'finding'; readonly finding: Finding };

export interface RunResult {
  /** How the program ended; absent when a finding ended it. */
  readonly program?: { readonly exit: number | null; readonly signal: string | null };
  readonly allocations: number;
  readonly runMs: number;
}

/** Thrown through the program's frames when a finding ends the run. */
class StoppedByFinding extends Error {}

interface Exports {
  readonly __rz_start: () => void;
  readonly __rz_monitor_start: (stackEnd: number, trackInit: number) => void;
  readonly __rz_heap_start_at: (start: number, limit: number, quarantine: number) => void;
  readonly __heap_base: WebAssembly.Global;
  readonly __rz_depth: WebAssembly.Global;
  readonly __rz_heap_start: WebAssembly.Global;
  readonly __rz_heap_top: WebAssembly.Global;
  readonly __rz_allocations: WebAssembly.Global;
  readonly __stack_pointer: WebAssembly.Global;
}

export async function runProgram(
  request: RunRequest,
  emit: (event: RunEventMessage) => void,
): Promise<RunResult> {
  enableBranchHints();
  const module = await WebAssembly.compile(request.binary as BufferSource);
  return request.objects === undefined
    ? new PlainRun(request).run(module)
    : new MonitoredRun(request, request.objects, emit).run(module);
}

function hostFor(request: RunRequest): RealHost {
  const { folders, environment } = request;
  return new RealHost({
    arguments: request.arguments,
    environment,
    folders,
    ...(request.stdoutToStderr ? { stdout: inheritedOutput(2, false) } : {}),
  });
}

/** `--no-checks`: the same program, nothing watched. */
class PlainRun {
  constructor(private readonly request: RunRequest) {}

  run(module: WebAssembly.Module): RunResult {
    const memory = new WebAssembly.Memory({ initial: 256, maximum: memoryPages });
    const imports = { ...bindHost(hostFor(this.request), memory), ...plainEngine(memory) };
    const instance = new WebAssembly.Instance(module, {
      redzone: imports as WebAssembly.ModuleImports,
      env: { memory },
    });
    const exports = instance.exports as unknown as Exports;
    const start = performance.now();
    const end = endOf(() => exports.__rz_start());
    const runMs = performance.now() - start;
    return {
      program: {
        exit: end?.kind === 'exit' ? end.status : null,
        signal: end?.kind === 'abort' ? 'SIGABRT' : null,
      },
      allocations: 0,
      runMs,
    };
  }
}

function endOf(run: () => void): ProgramEnd['end'] | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof ProgramEnd) return error.end;
    throw error;
  }
}

class MonitoredRun {
  readonly #memory = new WebAssembly.Memory({ initial: memoryPages, maximum: memoryPages });
  readonly #sites: ProgramSites;
  readonly #program: ProgramMemory;
  readonly #explainer: Explainer;
  readonly #reported = new Set<string>();
  #exports!: Exports;

  constructor(
    private readonly request: RunRequest,
    objects: readonly ObjectSites[],
    private readonly emit: (event: RunEventMessage) => void,
  ) {
    this.#sites = new ProgramSites(objects);
    this.#program = new ProgramMemory(this.#memory, () => ({
      start: this.#cell(this.#exports.__rz_heap_start),
      top: this.#cell(this.#exports.__rz_heap_top),
    }));
    this.#explainer = new Explainer(this.#program, this.#sites);
  }

  run(module: WebAssembly.Module): RunResult {
    const { request } = this;
    const imports = {
      ...bindHost(hostFor(request), this.#memory),
      ...plainEngine(this.#memory),
      ...this.#reports(),
    };
    const instance = new WebAssembly.Instance(module, {
      redzone: imports as WebAssembly.ModuleImports,
      env: { memory: this.#memory },
    });
    this.#exports = instance.exports as unknown as Exports;
    const heapBase = Number(this.#exports.__heap_base.value);
    this.#exports.__rz_monitor_start(Number(this.#exports.__stack_pointer.value), request.trackInit ? 1 : 0);
    this.#exports.__rz_heap_start_at(
      heapBase,
      Math.min(heapBase + request.maximumHeapBytes, 0x3fff_0000),
      request.quarantineBytes,
    );
    const start = performance.now();
    const program = this.#runToEnd();
    const runMs = performance.now() - start;
    const allocations = this.#cell(this.#exports.__rz_allocations);
    return { ...(program === undefined ? {} : { program }), allocations, runMs };
  }

  #runToEnd(): RunResult['program'] {
    try {
      this.#exports.__rz_start();
    } catch (error) {
      if (error instanceof StoppedByFinding) return undefined;
      if (error instanceof ProgramEnd) {
        if (error.end.kind === 'exit') return { exit: error.end.status, signal: null };
        const code = error.end.code === 'assertion-failure' ? 'assertion-failure' : 'abort';
        this.#found(finding(code, { sites: this.#callers() }, error.end.message), false);
        return { exit: null, signal: 'SIGABRT' };
      }
      if (error instanceof RangeError) {
        this.#found(
          finding(
            'stack-exhausted',
            { sites: this.#callers() },
            `the stack is exhausted after ${plural(this.#callSites().length, 'call')}`,
          ),
          false,
        );
        return { exit: null, signal: 'SIGSEGV' };
      }
      if (error instanceof WebAssembly.RuntimeError) {
        this.#found(finding(trapCode(error.message), { sites: this.#callers() }, error.message), false);
        return { exit: null, signal: 'SIGILL' };
      }
      throw error;
    }
    return { exit: 0, signal: null };
  }

  #reports(): ImportFunctions {
    return {
      __rz_report_access: (address: number, number: number, bytes: number, access: number, site: number) => {
        this.#found(
          this.#explainer.access({
            address: address >>> 0,
            number: number >>> 0,
            bytes: bytes >>> 0,
            access: accessKinds[access] ?? 'read',
            sites: this.#sitesFrom(site),
            depth: this.#cell(this.#exports.__rz_depth),
          }),
        );
      },
      __rz_report_uninitialized: (
        _address: number,
        _number: number,
        bytes: number,
        _mask: number,
        site: number,
      ) => {
        const at = { sites: this.#sitesFrom(site) };
        this.#found(
          finding('uninitialized-read', at, `use of ${plural(bytes, 'byte')} that were never written`),
        );
      },
      __rz_report_overlap: (to: number, from: number, bytes: number, site: number) => {
        const distance = Math.abs((to >>> 0) - (from >>> 0));
        const at = { sites: this.#sitesFrom(site) };
        this.#found(
          finding(
            'overlapping-copy',
            at,
            `copy of ${plural(bytes >>> 0, 'byte')} between ranges that are ${plural(distance, 'byte')} apart`,
          ),
        );
      },
      __rz_report_stack_exhausted: (site: number) => {
        this.#found(
          finding('stack-exhausted', { sites: this.#sitesFrom(site) }, 'the stack is exhausted'),
          false,
        );
        throw new StoppedByFinding();
      },
      __rz_report_out_of_memory: (bytes: number, site: number) => {
        this.#found(
          finding(
            'out-of-memory',
            { sites: this.#sitesFrom(site) },
            `no memory for ${plural(bytes >>> 0, 'byte')}`,
          ),
        );
      },
      ...Object.fromEntries(handlerNames.map(name => [name, this.#arithmetic(name)])),
      __rz_module_loaded: (low: number, high: number, sites: number, globals: number) => {
        const id = hex(high) + hex(low);
        this.#sites.loaded(id, sites >>> 0, globals >>> 0, this.#program);
      },
    };
  }

  #arithmetic(name: string): (data: bigint, ...args: bigint[]) => void {
    return (data, ...args) => {
      const { code, message } = explainArithmetic(
        name,
        Number(BigInt.asUintN(32, data)),
        args,
        this.#program,
      );
      this.#found(finding(code, { sites: this.#callers() }, message));
    };
  }

  /** Says what was found, once for each place, and ends the run unless it is to go on. */
  #found(found: Finding, mayStop = true): void {
    const { file, line, column } = found.location;
    const key = [found.code, file, line, column].join('\0');
    if (!this.#reported.has(key)) {
      this.#reported.add(key);
      this.emit({ kind: 'finding', finding: found });
    }
    if (mayStop && !this.request.keepGoing) throw new StoppedByFinding();
  }

  /** Sites of the current stack, innermost first; `site` is where the innermost function is, 0 when it is in a call. */
  #sitesFrom(site: number): Site[] {
    const callers = this.#callSites();
    const here = site === 0 ? undefined : this.#sites.site(site >>> 0);
    if (here === undefined) return this.#sites.stack(callers);
    return [here, ...this.#sites.stack(here.hasFrame ? callers.slice(1) : callers)];
  }

  #callers(): Site[] {
    return this.#sites.stack(this.#callSites());
  }

  #callSites(): number[] {
    const sites: number[] = [];
    for (let at = this.#cell(this.#exports.__rz_depth) - 4; at >= callsStart; at -= 4)
      sites.push(this.#program.word(at));
    return sites;
  }

  /** The u32 variable of the runtime that an exported address names. */
  #cell(address: WebAssembly.Global): number {
    return this.#program.word(Number(address.value));
  }
}

function trapCode(
  message: string,
): 'division-by-zero' | 'signed-overflow' | 'float-cast-overflow' | 'wild-pointer' | 'abort' {
  if (message.includes('divide by zero')) return 'division-by-zero';
  if (message.includes('divide result')) return 'signed-overflow';
  if (message.includes('float')) return 'float-cast-overflow';
  if (message.includes('table') || message.includes('signature') || message.includes('null function'))
    return 'wild-pointer';
  return 'abort';
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}

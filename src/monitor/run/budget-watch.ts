/**
 * Budgets in a run: the runtime receives the limits, reports when one is exceeded, and keeps
 * high-water marks (`runtime/monitor/objects.c`, `heap.c`). The depth of calls is read from the
 * call stack, where the sites of calls that have returned remain.
 */
import type { BudgetFacts } from '../../findings/facts.js';
import type { ImportFunctions } from '../../host/bind.js';
import { type Budget, type HighWater, resources } from '../budget.js';
import { nullPageEnd } from '../memory-map.js';
import type { CodeSite } from '../sites.js';

export interface BudgetExports {
  readonly __rz_stack_mark: WebAssembly.Global;
  readonly __rz_stack_limit: WebAssembly.Global;
  readonly __rz_heap_mark: WebAssembly.Global;
  readonly __rz_heap_allowed: WebAssembly.Global;
  readonly __rz_allocations_allowed: WebAssembly.Global;
  readonly __rz_depth_limit: WebAssembly.Global;
  readonly __rz_calls_start: WebAssembly.Global;
}

/** The operations of the run that budgets use. */
export interface RunWithBudget {
  readonly words: Uint32Array;
  stackTop(): number;
  /** The sites from here on, innermost first; 0 for the current call. */
  sitesFrom(site: number): CodeSite[];
  found(facts: BudgetFacts, sites: readonly CodeSite[]): void;
}

const mostU32 = 0xffff_ffff;
const pageBytes = 4096;
/** The largest number of consecutive frames without a site. */
const longestGap = 64;

export class BudgetWatch {
  readonly #over = new Set<number>();

  constructor(
    private readonly budget: Budget,
    private readonly run: RunWithBudget,
  ) {}

  /** Called before the program begins. */
  start(exports: BudgetExports): void {
    const { stack, heap, allocations, depth } = this.budget;
    const set = (at: WebAssembly.Global, value: number): void => {
      this.run.words[Number(at.value) >>> 2] = Math.min(value, mostU32);
    };
    if (stack !== undefined) set(exports.__rz_stack_limit, Math.max(0, this.run.stackTop() - stack));
    if (heap !== undefined) set(exports.__rz_heap_allowed, heap);
    if (allocations !== undefined) set(exports.__rz_allocations_allowed, allocations);
    // The library has frames below main, which are not counted.
    const start = this.#word(exports.__rz_calls_start);
    if (depth !== undefined) set(exports.__rz_depth_limit, start + 4 * depth);
  }

  imports(): ImportFunctions {
    return {
      __rz_report_budget: (kind: number, used: number, site: number) => this.#passed(kind, used >>> 0, site),
    };
  }

  /** Each budget is reported once. */
  #passed(kind: number, reported: number, site: number): void {
    const resource = resources[kind]!;
    if (this.#over.has(kind)) return;
    const sites = this.run.sitesFrom(site);
    const used = resource === 'depth' ? framesOf(sites) : reported;
    const limit = this.budget[resource] ?? 0;
    if (used <= limit) return;
    this.#over.add(kind);
    this.run.found({ kind: 'budget', resource, used, limit }, sites);
  }

  highWater(exports: BudgetExports): HighWater {
    const stackTop = this.run.stackTop();
    const lowest = Math.min(this.#word(exports.__rz_stack_mark), stackTop);
    return {
      stackBytes: stackTop - this.#lowestWritten(lowest),
      heapBytes: this.#word(exports.__rz_heap_mark),
      depth: this.#deepest(this.#word(exports.__rz_calls_start)),
    };
  }

  /** Unmonitored locals may have left bytes on the stack; a page of zeros ends the search. */
  #lowestWritten(from: number): number {
    const { words } = this.run;
    let lowest = from;
    for (let page = from & -pageBytes; page >= nullPageEnd; page -= pageBytes) {
      const end = Math.min(page + pageBytes, from) >>> 2;
      const first = words.subarray(page >>> 2, end).findIndex(word => word !== 0);
      if (first < 0 && end << 2 !== from) break;
      if (first >= 0) lowest = page + 4 * first;
    }
    return lowest;
  }

  /**
   * Every frame that made a call has left a site; below them are the sites of the library's
   * start-up. Code that runs after main overwrites the lowest sites, so the program's outermost one
   * is not reliable, and a function without calls leaves a gap.
   */
  #deepest(start: number): number {
    const { words } = this.run;
    const from = start >>> 2;
    let last = from - 1;
    for (let at = from; at <= last + longestGap; at++) if (words[at] !== 0) last = at;
    // The function of the last site's call counts, too; the first frame is the start-up code.
    return Math.max(1, last - from + 1);
  }

  #word(address: WebAssembly.Global): number {
    return this.run.words[Number(address.value) >>> 2]!;
  }
}

/** From main on, which is the program's first function; frames below it are the library's. */
function framesOf(sites: readonly CodeSite[]): number {
  return sites.findLastIndex(site => !site.inLibrary) + 1;
}

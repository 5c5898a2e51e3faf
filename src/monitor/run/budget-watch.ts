/**
 * Budgets in a run: the runtime receives its limits, reports when one is exceeded, and keeps the
 * marks of the most that was used (`runtime/monitor/objects.c`, `heap.c`). How deep calls were
 * nested is read from the call stack, in which sites of calls that have returned are left.
 */
import type { BudgetFacts } from '../../findings/facts.js';
import type { ImportFunctions } from '../../host/bind.js';
import { type Budget, type HighWater, resources } from '../budget.js';
import { nullPageEnd } from '../memory-map.js';
import type { Site } from '../sites.js';

export interface BudgetExports {
  readonly __rz_stack_mark: WebAssembly.Global;
  readonly __rz_stack_limit: WebAssembly.Global;
  readonly __rz_heap_mark: WebAssembly.Global;
  readonly __rz_heap_allowed: WebAssembly.Global;
  readonly __rz_allocations_allowed: WebAssembly.Global;
  readonly __rz_depth_limit: WebAssembly.Global;
  readonly __rz_calls_start: WebAssembly.Global;
}

/** What the run does for its budget. */
export interface RunWithBudget {
  readonly words: Uint32Array;
  stackTop(): number;
  /** Sites from here on, innermost first; 0 for the call that is being made. */
  sitesFrom(site: number): Site[];
  found(facts: BudgetFacts, sites: readonly Site[]): void;
}

const mostU32 = 0xffff_ffff;
const pageBytes = 4096;
/** How many frames without a site may follow each other. */
const longestGap = 64;

export class BudgetWatch {
  readonly #over = new Set<number>();

  constructor(
    private readonly budget: Budget,
    private readonly run: RunWithBudget,
  ) {}

  /** Before the program begins. */
  start(exports: BudgetExports): void {
    const { stack, heap, allocations, depth } = this.budget;
    const set = (at: WebAssembly.Global, value: number): void => {
      this.run.words[Number(at.value) >>> 2] = Math.min(value, mostU32);
    };
    if (stack !== undefined) set(exports.__rz_stack_limit, Math.max(0, this.run.stackTop() - stack));
    if (heap !== undefined) set(exports.__rz_heap_allowed, heap);
    if (allocations !== undefined) set(exports.__rz_allocations_allowed, allocations);
    // The library has frames below main: whoever is over this is counted.
    const start = this.#word(exports.__rz_calls_start);
    if (depth !== undefined) set(exports.__rz_depth_limit, start + 4 * depth);
  }

  imports(): ImportFunctions {
    return {
      __rz_report_budget: (kind: number, used: number, site: number) => this.#passed(kind, used >>> 0, site),
    };
  }

  /** Each budget is passed once. */
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

  /** Locals that the monitor does not watch have left bytes behind; a page of zeros ends them. */
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
   * Every frame that has called another has left a site, below which the library has its start-up.
   * What runs after main overwrites the lowest sites, so the outermost one of the program tells
   * nothing; and a function that calls none leaves a gap.
   */
  #deepest(start: number): number {
    const { words } = this.run;
    const from = start >>> 2;
    let last = from - 1;
    for (let at = from; at <= last + longestGap; at++) if (words[at] !== 0) last = at;
    // The last site is of a call, whose function counts, too; the first frame is the start-up.
    return Math.max(1, last - from + 1);
  }

  #word(address: WebAssembly.Global): number {
    return this.run.words[Number(address.value) >>> 2]!;
  }
}

/** From main on, which is the first function of the program; what lies below is the library's. */
function framesOf(sites: readonly Site[]): number {
  return sites.findLastIndex(site => !site.inLibrary) + 1;
}

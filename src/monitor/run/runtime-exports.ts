/** The exports of an instrumented program that a monitored run uses. */
import type { BudgetExports } from './budget-watch.js';
import type { LabelExports } from './label-reports.js';
import type { MarkExports } from './plugin-run.js';

export interface RuntimeExports extends LabelExports, BudgetExports, MarkExports {
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

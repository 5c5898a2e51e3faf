/**
 * The lock-free hash table, as other rooms see it. `docs/hashtable.md` is the guide.
 */

export { AtomicWords } from './atomic-words.js';
export { checkTable } from './check-table.js';
export type {
  Execution,
  InterleavingReport,
  Violation,
} from './interleaving/explore-interleavings.js';
export type { Mistake } from './interleaving/mistakes.js';
export type { StepKind } from './interleaving/simulated-memory.js';
export type { StepEvent } from './interleaving/simulated-thread.js';
export type { TableOperation, TableResult, TableScenario } from './interleaving/table-scenario.js';
export { exploreTable, SCENARIO_DESCRIPTOR } from './interleaving/table-scenario.js';
export type { PoolBlock } from './pool.js';
export { POOL_BYTES, Pool } from './pool.js';
export type { Memory, StepName, TableCode } from './shared-memory.js';
export { steps } from './shared-memory.js';
export type { TableOptions } from './table.js';
export { createHashTable } from './table.js';
export type { AddOutcome } from './table-handle.js';
export { ABSENT, TableHandle } from './table-handle.js';
export type { StateName } from './table-layout.js';
export { MAX_HANDLES, State } from './table-layout.js';
export { createSharedMemory, POOL_AT, WasmMemory } from './wasm-memory.js';

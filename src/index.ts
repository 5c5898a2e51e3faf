/**
 * Redzone as a library: a typed function for each command.
 *
 *     import { check } from 'redzone';
 *
 * Functions take plain options and a `RunControl` (events out, an AbortSignal in) and return plain
 * data. Wrong input is thrown as `InputError`, which carries Diagnostics; a defect of Redzone is an
 * `InternalError`.
 *
 * Importing this loads no engine: each function loads what it needs when it is called.
 */
export { cc, type DriverIo } from './api/cc.js';
export { type CheckOptions, check, type ProgramTest } from './api/check.js';
export { type DoctorReport, doctor, type Part } from './api/doctor.js';
export {
  cacheOfProgram,
  type ExecuteOptions,
  execute,
  isLinkedProgram,
  linkedInputs,
} from './api/execute.js';
export { type Explanation, explain } from './api/explain.js';
export { type ExploreOptions, explore } from './api/explore.js';
export { type FuzzOptions, fuzz } from './api/fuzz.js';
export {
  type Attack,
  type AttackOptions,
  type AttackReport,
  heapAttack,
  listAttacks,
} from './api/heap-attack.js';
export {
  baseline,
  type CompareOptions,
  type Comparison,
  heapCompare,
  listWorkloads,
  overheadOf,
} from './api/heap-compare.js';
export { type HeapPicture, heapMap, type MapOptions } from './api/heap-map.js';
export { describeTrace, peakOf, readTrace } from './api/heap-trace.js';
export { compileToIr, type IrOptions, type IrResult } from './api/ir.js';
export { type ProveModel, type ProveOptions, prove } from './api/prove.js';
export { type HtmlOptions, renderHtml } from './api/render-html.js';
export { type ReplayOptions, replay } from './api/replay.js';
export { type RunOptions, run } from './api/run.js';
export {
  type CompiledInput,
  type ProgramInput,
  type ProgramOptions,
  type ProgressCounts,
  type RunControl,
  type RunEvent,
  TimeLimit,
} from './api/run-control.js';
export { type StatusOptions, type StatusReport, status } from './api/status.js';
export { type ListedTest, type TestsOptions, type TestsReport, tests } from './api/tests.js';
export { type WorkerOptions, type WorkerReport, work } from './api/worker.js';
export { type SearcherName, searcherNames } from './explore/search/searcher-names.js';
export {
  type AnyCode,
  type CodeInfo,
  codes,
  type FindingCode,
  isFindingCode,
  type PluginCode,
} from './findings/codes.js';
export { type Diagnostic, formatDiagnostic, formatLocation, InputError } from './findings/diagnostic.js';
export type * from './findings/finding.js';
export { renderGcc } from './findings/render-gcc.js';
export { renderJson } from './findings/render-json.js';
export { renderSarif, type SarifOptions } from './findings/render-sarif.js';
export { renderDiagnostic, renderFinding, type TextOptions } from './findings/render-text.js';
export {
  type AttackMatrix,
  type AttackOutcome,
  type BoxStats,
  type CheckReport,
  type CheckStats,
  type CommonReport,
  type ExploreReport,
  type ExploreStats,
  type FuzzReport,
  type HeapReport,
  type LeftPaths,
  type ProgramOutcome,
  type ProjectReport,
  type ProofResult,
  type ProofStep,
  type ProveReport,
  type RunReport,
  type RunStats,
  type Verdict,
  verdictOf,
} from './findings/report.js';
export type { ReadSource } from './findings/source-text.js';
export type { Measurement } from './heap/measure-trace.js';
export { type AllocatorKind, allocatorKinds } from './kdalloc/allocator-names.js';
export type { Trace } from './malloc/heap-trace-format.js';
export {
  isMallocName,
  type MallocInfo,
  type MallocName,
  mallocInfo,
  mallocNames,
} from './malloc/malloc-names.js';
export { type EngineName, engineChoices, type LfhtVariant, lfhtVariants } from './modelcheck/engine-names.js';
export { type CheckKind, checkKinds, defaultChecks } from './monitor/check-kinds.js';
export type { Stdio } from './monitor/run/run-request.js';
export { type Store, stores } from './monitor/stores.js';
export type { Fraction, ThreadCount } from './options/prove-options.js';
export { allowV8Flags } from './platform/node.js';
export { ownVersion as version } from './platform/own-version.js';
export type * from './plugins/plugin.js';
export { definePlugin } from './plugins/plugin.js';
export type { ListedRun, ListedWorker, QueueOverview, RunState } from './queue/overview.js';
export { type Backend, backends, type DumpFormat, dumpFormats } from './solver/backend-names.js';
export { InternalError } from './support/assert.js';

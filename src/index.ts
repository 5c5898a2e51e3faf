/**
 * Redzone as a library: what the commands do, as typed functions over plain data.
 *
 *     import { explain } from 'redzone';
 *
 * Functions take plain options and a `RunControl` (events out, an AbortSignal in) and return plain data. Wrong input is
 * thrown as `InputError`, which carries Diagnostics; a defect of Redzone is an `InternalError`.
 *
 * Importing this loads no engine: each function loads what it needs when it is called.
 */
export { type CheckOptions, check, type ProgramTest } from './api/check.js';
export {
  type ProgramInput,
  type ProgramOptions,
  type RunControl,
  type RunEvent,
  TimeLimit,
} from './api/control.js';
export { type DoctorReport, doctor, type Part } from './api/doctor.js';
export { type Explanation, explain } from './api/explain.js';
export { type ExploreOptions, explore } from './api/explore.js';
export { type FuzzOptions, fuzz } from './api/fuzz.js';
export { type Attack, type AttackOptions, heapAttack, listAttacks } from './api/heap-attack.js';
export {
  baseline,
  type CompareOptions,
  type Comparison,
  heapCompare,
  listWorkloads,
  overheadOf,
} from './api/heap-compare.js';
export { heapMap, type MapOptions } from './api/heap-map.js';
export { describeTrace, peakOf, readTrace } from './api/heap-trace.js';
export { compileToIr, type IrOptions, type IrResult } from './api/ir.js';
export { type ProveModel, type ProveOptions, prove } from './api/prove.js';
export { type ReplayOptions, replay } from './api/replay.js';
export { type CodeInfo, codes, type FindingCode, isFindingCode } from './findings/codes.js';
export { type Diagnostic, formatDiagnostic, formatLocation, InputError } from './findings/diagnostic.js';
export type * from './findings/finding.js';
export { renderJson } from './findings/render-json.js';
export { renderSarif, type SarifOptions } from './findings/render-sarif.js';
export { renderDiagnostic, renderFinding, type TextOptions } from './findings/render-text.js';
export {
  type AttackOutcome,
  type BoxStats,
  type LeftPaths,
  type ProgramOutcome,
  type ProofResult,
  type RunReport,
  type RunStats,
  type Verdict,
  verdictOf,
} from './findings/report.js';
export type { ReadSource } from './findings/source-text.js';
export type { Measurement } from './heap/measure-trace.js';
export { isMallocName, type MallocInfo, type MallocName, mallocInfo, mallocNames } from './malloc/names.js';
export { type CheckKind, parseChecks } from './monitor/check-kinds.js';
export { ownVersion as version } from './platform/own-version.js';
export { InternalError } from './support/assert.js';

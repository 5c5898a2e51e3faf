/**
 * A report: all results of a command, as plain data. `--json` prints it, the library returns it.
 * `command` distinguishes the reports of the commands.
 *
 * The shape is a contract with scripts: fields that do not apply to a command are absent, never
 * null or zero.
 */
import type { ExplorationDetails } from './exploration.js';
import type { Finding, SourceLocation } from './finding.js';
import type { FileCoverage } from './line-coverage.js';

export type Verdict = 'clean' | 'findings' | 'inconclusive';

/** How the program under test ended: its exit status, which is not the exit status of Redzone. */
export interface ProgramOutcome {
  readonly exit: number | null;
  readonly signal: string | null;
}

/** Each statistic is defined once, here. */
export interface RunStats {
  /** From start to report. */
  readonly wallMs?: number;
  /** clang and our passes. */
  readonly compileMs?: number;
  /** The program, or the exploration itself. */
  readonly runMs?: number;
  /** IR instructions executed. */
  readonly instructions?: number;
  readonly paths?: { readonly completed: number; readonly error: number; readonly partial: number };
  /** Queries to the solver chain, including cached answers. */
  readonly queries?: number;
  readonly solverMs?: number;
  /** Calls of malloc and its family that succeeded. */
  readonly allocations?: number;
  /**
   * `check`: the largest stack and heap use of the program, in bytes, and its deepest call stack.
   * Variables in registers use no stack.
   */
  readonly highWater?: { readonly stackBytes: number; readonly heapBytes: number; readonly depth: number };
  readonly externalCalls?: number;
  readonly maxRssBytes?: number;
  /** Tests written. */
  readonly tests?: number;
  /** States visited explicitly. */
  readonly states?: number;
  /**
   * `fuzz`: the executions of the search, and executions per second; `run`: processes under the
   * monitor.
   */
  readonly runs?: number;
  readonly runsPerSecond?: number;
  /** `fuzz`: edges that the corpus covers, edges of the program, and inputs in the corpus. */
  readonly edges?: number;
  readonly knownEdges?: number;
  readonly corpus?: number;
  /** `fuzz`: the contribution of each way to generate inputs. */
  readonly boxes?: Readonly<Record<'black' | 'grey' | 'white', BoxStats>>;
}

export interface BoxStats {
  readonly runs: number;
  /** Inputs that were added to the corpus. */
  readonly inputs: number;
  /** Edges that no earlier input covered. */
  readonly edges: number;
  readonly findings: number;
}

/** `prove`: one step of a run that violates a property. */
export interface ProofStep {
  /** The command that was executed; absent for the first state. */
  readonly command?: string;
  /** All variables in the state after it. */
  readonly state: Readonly<Record<string, string>>;
}

/** `prove`: the result for one property. */
export interface ProofResult {
  readonly property: string;
  readonly status: 'proved' | 'refuted' | 'unknown';
  readonly engine: string;
  readonly depth?: number;
  readonly lemmas?: readonly string[];
  /** The steps to a violation. */
  readonly trace?: readonly ProofStep[];
  readonly reason?: string;
  /** The form of the proof, and how it was checked independently. */
  readonly certificate?: string;
  /** The property only constrains states that are unreachable. */
  readonly vacuous?: true;
  /** The name of the system, in a file with several. */
  readonly system?: string;
  readonly text?: string;
  readonly ms?: number;
}

/** `explore`: a line at which paths were abandoned or values were concretized. */
export interface LeftPaths {
  readonly location: SourceLocation;
  readonly paths: number;
}

/** `explore`: results reused from an earlier exploration. */
export interface ReusedWork {
  /** Paths that were not executed again. */
  readonly paths: number;
  /** Queries whose answers were reused. */
  readonly answers: number;
  /** Where paths diverged from that exploration. */
  readonly divergences: readonly LeftPaths[];
}

export type AttackOutcome = 'exploited' | 'crashed' | 'detected' | 'harmless';

/** The fields of all reports. */
export interface CommonReport {
  readonly schema: 1;
  readonly verdict: Verdict;
  /** The result in one sentence: "all 12 paths explored", "stopped after 60 s; 12 paths left". */
  readonly summary?: string;
  /** A suggestion what to do next; not part of the JSON document. */
  readonly next?: string;
  readonly findings: readonly Finding[];
  readonly stats: RunStats;
}

type Known<Stats extends keyof RunStats> = { readonly [Name in Stats]-?: NonNullable<RunStats[Name]> };

/** `runMs` and `allocations` are absent if the run did not end. */
export type CheckStats = Known<'wallMs' | 'compileMs' | 'maxRssBytes'> &
  Pick<RunStats, 'runMs' | 'allocations' | 'highWater'>;

export interface CheckReport extends CommonReport {
  readonly command: 'check' | 'replay';
  /** Absent when a finding or a limit ended the program. */
  readonly program?: ProgramOutcome;
  readonly stats: CheckStats;
  /**
   * The processor time of the run, for benchmarks on busy machines; not part of the JSON document.
   */
  readonly runProcessorMs?: number;
  /** The program's output does not end with a newline; not part of the JSON document. */
  readonly leavesLineOpen?: boolean;
}

export type ExploreStats = Known<
  | 'wallMs'
  | 'compileMs'
  | 'runMs'
  | 'instructions'
  | 'paths'
  | 'queries'
  | 'solverMs'
  | 'allocations'
  | 'externalCalls'
  | 'maxRssBytes'
  | 'tests'
>;

export interface ExploreReport extends CommonReport {
  readonly command: 'explore';
  readonly stats: ExploreStats;
  /** The lines at which paths were abandoned, most frequent first. */
  readonly left?: readonly LeftPaths[];
  /** The lines at which values were concretized, most frequent first. */
  readonly chosen?: readonly LeftPaths[];
  /**
   * Present with `--replay-tree`, or if the program was edited since the folder was last explored.
   */
  readonly reused?: ReusedWork;
  /** Present if requested; not part of the JSON document. */
  readonly details?: ExplorationDetails;
}

export interface FuzzReport extends CommonReport {
  readonly command: 'fuzz';
  /**
   * The number of corpus inputs that reach each line, if requested; not part of the JSON document.
   */
  readonly coverage?: readonly FileCoverage[];
}

export interface ProveReport extends CommonReport {
  readonly command: 'prove';
  readonly stats: Known<'wallMs'> & Pick<RunStats, 'states'>;
  readonly results: readonly ProofResult[];
  /** Commands whose guard never holds. */
  readonly neverFires?: readonly string[];
}

export type AttackMatrix = Readonly<Record<string, Readonly<Record<string, AttackOutcome>>>>;

/** The report of `heap attack`, and of `heap trace`, which has no matrix and runs a program. */
export interface HeapReport extends CommonReport {
  readonly command: 'heap';
  /** The outcomes by attack and malloc. */
  readonly matrix?: AttackMatrix;
  readonly program?: ProgramOutcome;
  readonly leavesLineOpen?: boolean;
}

/** The report of `run`: the findings of all processes of a command. */
export interface ProjectReport extends CommonReport {
  readonly command: 'run';
  /** How the command itself ended. */
  readonly program?: ProgramOutcome;
}

export type RunReport = CheckReport | ExploreReport | FuzzReport | ProveReport | HeapReport | ProjectReport;

/**
 * The verdict of a run. `complete` means that no limit stopped it. Something unsupported is no
 * error of the program, but the code after it was not checked.
 */
export function verdictOf(findings: readonly Finding[], complete: boolean): Verdict {
  if (findings.some(finding => finding.code !== 'unsupported')) return 'findings';
  return complete && findings.length === 0 ? 'clean' : 'inconclusive';
}

/**
 * A report: everything one command found out, as plain data. `--json` prints it, the library
 * returns it. `command` tells the reports of the commands apart.
 *
 * The shape is a contract with scripts: fields that do not apply to a command are absent, never
 * null or zero.
 */
import type { ExplorationDetails } from './exploration.js';
import type { Finding, SourceLocation } from './finding.js';
import type { FileCoverage } from './line-coverage.js';

export type Verdict = 'clean' | 'findings' | 'inconclusive';

/** How the program under test ended: its own exit status, never confused with ours. */
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
  /** Questions asked of the solver chain, cached answers included. */
  readonly queries?: number;
  readonly solverMs?: number;
  /** Calls of malloc and its family that succeeded. */
  readonly allocations?: number;
  /**
   * `check`: the most stack and heap that the program has used at once, in bytes, and how many of
   * its calls were active. Variables that live in registers take no stack.
   */
  readonly highWater?: { readonly stackBytes: number; readonly heapBytes: number; readonly depth: number };
  readonly externalCalls?: number;
  readonly maxRssBytes?: number;
  /** Tests written. */
  readonly tests?: number;
  /** States visited one by one. */
  readonly states?: number;
  /**
   * `fuzz`: inputs that were run in the search, and how many in a second; `run`: processes under
   * the monitor.
   */
  readonly runs?: number;
  readonly runsPerSecond?: number;
  /**
   * `fuzz`: edges that an input of the corpus takes, of so many that the program has; inputs in the
   * corpus.
   */
  readonly edges?: number;
  readonly knownEdges?: number;
  readonly corpus?: number;
  /** `fuzz`: what each way to make inputs has contributed. */
  readonly boxes?: Readonly<Record<'black' | 'grey' | 'white', BoxStats>>;
}

export interface BoxStats {
  readonly runs: number;
  /** That joined the corpus. */
  readonly inputs: number;
  /** That no input before took. */
  readonly edges: number;
  readonly findings: number;
}

/** `prove`: one step of a run that violates a property. */
export interface ProofStep {
  /** What was done; absent for the first. */
  readonly command?: string;
  /** The whole state after it, by variable. */
  readonly state: Readonly<Record<string, string>>;
}

/** `prove`: what is known about one property. */
export interface ProofResult {
  readonly property: string;
  readonly status: 'proved' | 'refuted' | 'unknown';
  readonly engine: string;
  readonly depth?: number;
  readonly lemmas?: readonly string[];
  /** The steps that lead to a violation. */
  readonly trace?: readonly ProofStep[];
  readonly reason?: string;
  /** What a proof consists of, and how it was checked again. */
  readonly certificate?: string;
  /** The property says something only about states that are never reached. */
  readonly vacuous?: true;
  /** The system, in a file with several. */
  readonly system?: string;
  readonly text?: string;
  readonly ms?: number;
}

/**
 * `explore`: a line of the program where paths were left, or where something was given one of
 * several values.
 */
export interface LeftPaths {
  readonly location: SourceLocation;
  readonly paths: number;
}

/** `explore`: what was taken over from an earlier exploration. */
export interface ReusedWork {
  /** Paths that were not run again. */
  readonly paths: number;
  /** Questions that the solver was not asked again. */
  readonly answers: number;
  /** Where paths took another way than in that exploration. */
  readonly divergences: readonly LeftPaths[];
}

export type AttackOutcome = 'exploited' | 'crashed' | 'detected' | 'harmless';

/** What the reports of all commands have. */
export interface CommonReport {
  readonly schema: 1;
  readonly verdict: Verdict;
  /**
   * What was established, in one sentence: "all 12 paths explored", "stopped after 60 s; 12 paths
   * left".
   */
  readonly summary?: string;
  /** What to do next, for people; not part of the JSON document. */
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
   * What the processor spent on the run. For benchmarks on busy machines; not part of the JSON
   * document.
   */
  readonly runProcessorMs?: number;
  /** The program's output ends within a line; not part of the JSON document. */
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
  /** Where the paths are that were not run to their end, the most frequent lines first. */
  readonly left?: readonly LeftPaths[];
  /** Where something was given one of several values, the most frequent lines first. */
  readonly chosen?: readonly LeftPaths[];
  /** With `--replay-tree`, or where the program was edited since the folder was last explored. */
  readonly reused?: ReusedWork;
  /** Where it was asked for; not part of the JSON document. */
  readonly details?: ExplorationDetails;
}

export interface FuzzReport extends CommonReport {
  readonly command: 'fuzz';
  /** How many inputs of the corpus come to each line, where asked for; not part of the document. */
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
  /** Attack, then malloc, then what happened. */
  readonly matrix?: AttackMatrix;
  readonly program?: ProgramOutcome;
  readonly leavesLineOpen?: boolean;
}

/** The report of `run`: what all processes of a command have found. */
export interface ProjectReport extends CommonReport {
  readonly command: 'run';
  /** How the command itself ended. */
  readonly program?: ProgramOutcome;
}

export type RunReport = CheckReport | ExploreReport | FuzzReport | ProveReport | HeapReport | ProjectReport;

/**
 * The verdict of a run. `complete` says that no limit stopped it. Something unsupported is no error
 * of the program, but what lies behind it was not looked at.
 */
export function verdictOf(findings: readonly Finding[], complete: boolean): Verdict {
  if (findings.some(finding => finding.code !== 'unsupported')) return 'findings';
  return complete && findings.length === 0 ? 'clean' : 'inconclusive';
}

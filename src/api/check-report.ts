/** The report of a run of `check`: its verdict, and the sentences of its summary. */
import { type Diagnostic, inputError } from '../findings/diagnostic.js';
import type { Finding } from '../findings/finding.js';
import { type CheckReport, verdictOf } from '../findings/report.js';
import type { InputDifferences } from '../host/inputs.js';
import { clientEnd } from '../monitor/memory-map.js';
import type { RunResult } from '../monitor/run/run-request.js';
import { mostResidentBytes } from '../platform/process-memory.js';
import { plural } from '../support/plural.js';
import type { CheckSettings } from './check.js';
import type { RunControl } from './run-control.js';

/** What a report says of a run besides its result. */
interface RunSeen {
  readonly findings: readonly Finding[];
  /** Why the run was stopped before it ended. */
  readonly stopped: string | undefined;
  /** How many schedules were run; 0 for a program without threads. */
  readonly schedules: number;
  readonly compileMs: number;
  readonly wallMs: number;
}

/** Without a result the run was stopped, or a finding of the explorer ended it. */
export function checkReport(
  options: CheckSettings,
  result: RunResult | undefined,
  { findings, stopped, schedules, compileMs, wallMs }: RunSeen,
): CheckReport {
  const limit = stopped ?? lacksMemory(options, result, findings) ?? hasNoEffect(result, findings);
  const summary = [
    ofSchedules(schedules, options.schedules),
    limit ?? heapProblem(options, result) ?? (options.tellReachable ? stillReachable(result) : undefined),
    repeats(result),
    limit === withoutMemory(result) ? undefined : withoutMemory(result),
    suppressed(result),
  ]
    .filter(part => part !== undefined)
    .join('; ');
  return {
    schema: 1,
    command: 'check',
    verdict: limit === undefined ? verdictOf(findings, true) : 'inconclusive',
    ...(summary === '' ? {} : { summary }),
    findings,
    ...(result?.program === undefined ? {} : { program: result.program }),
    ...(result !== undefined && { runProcessorMs: result.runProcessorMs }),
    ...(result?.leavesLineOpen && { leavesLineOpen: true }),
    stats: {
      wallMs,
      compileMs,
      ...(result !== undefined && { runMs: result.runMs, allocations: result.allocations }),
      ...(result?.highWater && { highWater: result.highWater }),
      maxRssBytes: mostResidentBytes(),
    },
  };
}

function ofSchedules(run: number, wanted: number): string | undefined {
  return wanted > 1 && run > 0 ? plural(run, 'schedule') : undefined;
}

/**
 * The limit of memory, if it ended the run and is all that was found, or if the program did without
 * a block that a machine would have given it.
 */
function lacksMemory(
  { maxMemoryBytes = clientEnd }: CheckSettings,
  result: RunResult | undefined,
  findings: readonly Finding[],
): string | undefined {
  if (findings.some(({ code }) => code !== 'out-of-memory')) return undefined;
  if (result?.outOfMemory)
    return `the program needs more than ${Math.min(maxMemoryBytes, clientEnd)} bytes of memory`;
  // A limit that the user has chosen is there to see how the program behaves without memory.
  return maxMemoryBytes < clientEnd ? undefined : withoutMemory(result);
}

/** A test that the program does not read shows nothing, unless the run has findings. */
function hasNoEffect(result: RunResult | undefined, findings: readonly Finding[]): string | undefined {
  return result?.inputs !== undefined && findings.length === 0 && showsNothing(result.inputs)
    ? 'the test has no effect: the program reads none of its inputs'
    : undefined;
}

/**
 * Explains refused file accesses: a program that handles EACCES prints nothing, and one that does
 * not blames the file.
 */
export function refusal(path: string): Diagnostic {
  const folder = path.slice(0, path.lastIndexOf('/')) || '/';
  return {
    severity: 'note',
    message: `the program was refused '${path}', which lies outside the folders that it may use`,
    ...(path.startsWith('/') && { help: `\`--dir ${folder}\` lets it use that folder` }),
  };
}

/** Arguments, standard input and files are available to the program, but it need not read them. */
const givenInput = /^(arg\d\d+|n_args|stdin|model_version|[A-Z])$/;

/** Describes how the inputs of a test differ from those that the program read. */
function differencesIn(inputs: InputDifferences): string[] {
  const listed = (names: readonly string[]): string => names.map(name => `\`${name}\``).join(', ');
  const { missing, resized } = inputs;
  const unused = inputs.unused.filter(name => !givenInput.test(name));
  return [
    ...(unused.length > 0 ? [`the program does not read ${listed(unused)}, which the test contains`] : []),
    ...(missing.length > 0
      ? [`the program reads ${listed(missing)}, which the test does not contain: it gets zeros`]
      : []),
    ...(resized.length > 0 ? [`${listed(resized)} has another size in the program than in the test`] : []),
  ];
}

/**
 * Whether the test belongs to another program. A run that continues after the end of the test reads
 * more inputs, and a run that ends earlier reads fewer.
 */
function isOfAnother({ missing, unused, resized }: InputDifferences): boolean {
  return resized.length > 0 || (missing.length > 0 && unused.some(name => !givenInput.test(name)));
}

/** Whether the run ended before it read all inputs of its test. */
function showsNothing({ unused, isUsed }: InputDifferences): boolean {
  return !isUsed && unused.some(name => !givenInput.test(name));
}

/**
 * A test of another program, or of another version of this one, proves nothing unless the run has
 * findings.
 */
export function warnOfOtherInputs(
  inputs: InputDifferences,
  hasFindings: boolean,
  { onEvent }: RunControl,
): void {
  const differences = differencesIn(inputs);
  if (!hasFindings && isOfAnother(inputs))
    throw inputError(`the test is not one of this program: ${differences.join('; ')}`);
  for (const message of differences)
    onEvent?.({ kind: 'warning', diagnostic: { severity: 'warning', message } });
}

function repeats(result: RunResult | undefined): string | undefined {
  return result?.repeats ? `the same errors occurred ${plural(result.repeats, 'time')} more` : undefined;
}

/** The program received an error code and continued. */
function withoutMemory(result: RunResult | undefined): string | undefined {
  if (result?.withoutMemory === undefined || result.outOfMemory) return undefined;
  return `a request of ${result.withoutMemory} bytes failed for lack of memory and returned null`;
}

/** Why the chosen malloc ended the program. */
function heapProblem({ malloc }: CheckSettings, result: RunResult | undefined): string | undefined {
  const problem = result?.heapProblem;
  if (problem === undefined) return undefined;
  const named = {
    'invalid-free': 'an invalid free',
    'double-free': 'a double free',
    corrupted: 'that its data are corrupted',
    fault: undefined,
  }[problem];
  return named === undefined
    ? `${malloc} accessed an address outside the memory`
    : `${malloc} detected ${named}`;
}

function stillReachable(result: RunResult | undefined): string | undefined {
  const { blocks, bytes } = result?.reachable ?? { blocks: 0, bytes: 0 };
  return blocks === 0
    ? undefined
    : `still reachable at exit: ${plural(blocks, 'block')}, ${plural(bytes, 'byte')}`;
}

function suppressed(result: RunResult | undefined): string | undefined {
  return result?.suppressed ? `${plural(result.suppressed, 'finding')} suppressed` : undefined;
}

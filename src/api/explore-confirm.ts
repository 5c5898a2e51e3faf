/**
 * The confirmation of findings: the engines check each other, so each test with a finding is run
 * under the monitor, which must report the same error.
 */
import { isFlowCode } from '../findings/codes.js';
import { InputError } from '../findings/diagnostic.js';
import type { Finding } from '../findings/finding.js';
import { assignedHere } from '../findings/words/flow-words.js';
import { shellWords } from '../support/shell-words.js';
import type { ExploreSettings } from './explore.js';
import { replay } from './replay.js';
import { nameOfInput, programIn, type RunControl } from './run-control.js';

/** The largest number of findings that are confirmed, because each needs a run. */
const mostConfirmed = 20;
/** The time limit of a confirming run; building the program is not included. */
const confirmMs = 10_000;
/** Confirming the first test includes building the program for the monitor. */
const firstConfirmMs = 2000;
const nextConfirmMs = 200;

/** The time limit includes the confirmation of findings, so some of it is reserved. */
export function isTimeToConfirm(
  { confirm, maxTimeMs }: Pick<ExploreSettings, 'confirm' | 'maxTimeMs'>,
  findings: number,
  ms: number,
): boolean {
  if (!confirm || maxTimeMs === undefined || findings === 0) return false;
  const needed = firstConfirmMs + nextConfirmMs * Math.min(findings, mostConfirmed);
  return ms > maxTimeMs - Math.min(needed, maxTimeMs / 4);
}

/** Returns the findings with the command that reproduces each, and whether it was confirmed. */
export async function confirmAll(
  findings: readonly Finding[],
  options: ExploreSettings,
  control: RunControl,
): Promise<Finding[]> {
  const judged: Finding[] = [];
  for (const finding of findings) {
    const { test, code } = finding;
    if (test === undefined || finding.confirmed === false || code === 'unsupported') {
      judged.push(finding);
      continue;
    }
    // A repeated state is a proof, and the run of the test would not end.
    const isDecided = finding.confirmed || code === 'infinite-loop' || judged.length >= mostConfirmed;
    if (!isDecided && !control.signal?.aborted)
      control.onEvent?.({ kind: 'phase', text: `confirming ${judged.length + 1} of ${findings.length}` });
    const confirmation =
      isDecided || control.signal?.aborted ? undefined : await confirm(finding, test, options, control);
    judged.push(
      confirmation ?? { ...finding, notes: [...notesOf(finding), reproduceBy(finding, test, options)] },
    );
  }
  return judged;
}

/** Runs the test under the monitor. Returns undefined if the run was stopped. */
async function confirm(
  finding: Finding,
  test: string,
  options: ExploreSettings,
  control: RunControl,
): Promise<Finding | undefined> {
  const isFlow = isFlowCode(finding.code);
  const { findings, isOver } = await replayed(test, options, control, isFlow || options.keepGoing);
  if (control.signal?.aborted) return undefined;
  const same = findings.find(each => isSame(finding, each));
  const notConfirmed = isOver
    ? 'not confirmed: `check` does not find it on this input'
    : `not confirmed: \`check\` did not end within ${confirmMs / 1000} s on this input`;
  const notes = notesOf(finding);
  // The run knows the assignments along the flow; a term does not.
  const way = isFlow ? (same?.notes ?? []).filter(({ message }) => message === assignedHere) : [];
  const at = notes.findLastIndex(({ location }) => location !== undefined) + 1;
  const last = same === undefined ? { message: notConfirmed } : reproduceBy(finding, test, options);
  return { ...finding, notes: [...notes.toSpliced(at, 0, ...way), last], confirmed: same !== undefined };
}

const reproduceWords = 'reproduce with ';

/** A resumed run has already noted the command, perhaps with another folder. */
function notesOf({ notes = [] }: Finding): NonNullable<Finding['notes']> {
  return notes.filter(({ message }) => !message.startsWith(reproduceWords));
}

/** The command that runs the test under the monitor. */
function reproduceBy(
  { code }: Finding,
  test: string,
  options: ExploreSettings,
): { readonly message: string } {
  const { inputs, clangFlags = [], files = {}, checks, entryPoint } = options;
  const { taint, sinks, taintRules, secret } = options;
  const words = [
    ...clangFlags,
    // A path continues after a sink, and so does the run that reaches the next sink.
    ...(isFlowCode(code) ? ['--keep-going'] : []),
    ...Object.keys(files).flatMap(name => ['--file', name]),
    ...(checks === undefined ? [] : ['--checks', checks.join(',')]),
    ...options.plugins.flatMap(plugin => ['--plugin', plugin]),
    ...(taint === undefined ? [] : ['--taint', taint.join(',')]),
    ...(sinks === undefined ? [] : ['--sinks', sinks.join(',')]),
    ...(taintRules === '' ? [] : ['--taint-rules', 'FILE']),
    ...(secret === undefined ? [] : ['--secret', secret.join(',')]),
    ...(entryPoint === undefined ? [] : ['--entry-point', entryPoint]),
    test,
    ...inputs.map(nameOfInput),
  ];
  return { message: `${reproduceWords}\`redzone replay ${shellWords(words)}\`` };
}

/**
 * For an uninitialized value the monitor may blame the load: the findings are the same if their
 * objects are.
 */
function isSame({ code, location, object }: Finding, other: Finding): boolean {
  if (code !== other.code) return false;
  const isSameObject =
    object !== undefined && object.kind === other.object?.kind && object.name === other.object.name;
  return location.line === other.location.line || (code === 'uninitialized-read' && isSameObject);
}

/** The findings of the monitor on a test; none if only the explorer can run the program. */
async function replayed(
  test: string,
  options: ExploreSettings,
  control: RunControl,
  keepGoing: boolean,
): Promise<{ readonly findings: readonly Finding[]; readonly isOver: boolean }> {
  const { environment, files, stdin, seed, checks, entryPoint } = options;
  const { taint, sinks, taintRules, secret } = options;
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  let timer: NodeJS.Timeout | undefined;
  let isOver = true;
  if (control.signal?.aborted) abort();
  control.signal?.addEventListener('abort', abort);
  try {
    const report = await replay(
      {
        ...programIn(options),
        environment,
        files,
        stdin,
        seed,
        keepGoing,
        checks,
        plugins: options.plugins,
        taint,
        sinks,
        taintRules,
        secret,
        entryPoint,
        test,
        isSilent: true,
      },
      {
        signal: stop.signal,
        onEvent: event => {
          if (event.kind !== 'phase' || event.text !== 'running') return;
          timer ??= setTimeout(() => {
            isOver = false;
            abort();
          }, confirmMs);
        },
      },
    );
    return { findings: report.findings, isOver };
  } catch (error) {
    if (error instanceof InputError) return { findings: [], isOver: true };
    throw error;
  } finally {
    clearTimeout(timer);
    control.signal?.removeEventListener('abort', abort);
  }
}

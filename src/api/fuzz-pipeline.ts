/**
 * The steps of `fuzz`:
 *
 * ```
 *   C ──check-build──▶ wasm with probes ──▶ workers ◀──▶ campaign ─┬─ corpus folder
 *                                              explorer ◀──┘       └─ findings: bytes, tests
 * ```
 */

import { requireWritable } from '../explore/output/require-writable.js';
import { InputError, inputError } from '../findings/diagnostic.js';
import type { Finding } from '../findings/finding.js';
import type { FileCoverage } from '../findings/line-coverage.js';
import { type FuzzReport, type RunStats, verdictOf } from '../findings/report.js';
import { errorKey } from '../findings/same-error.js';
import { Campaign, type CampaignEvents } from '../fuzz/campaign.js';
import { fewestInputs } from '../fuzz/corpus.js';
import { CorpusFolder, type GivenInputs, readInputs } from '../fuzz/corpus-folder.js';
import { parseDictionary } from '../fuzz/dictionary.js';
import { inputFile, type TargetRequest } from '../fuzz/fuzz-target.js';
import { isAscii } from '../fuzz/mutate.js';
import type {
  FuzzReply,
  FuzzRequest,
  Measured,
  Minimized,
  SearchOptions,
  Started,
} from '../fuzz/protocol.js';
import { isCrash } from '../fuzz/searcher.js';
import { whyNothingNew } from '../fuzz/stall.js';
import { type FuzzWorker, ThreadSearch } from '../fuzz/thread-search.js';
import { exploreOptions } from '../options/explore-options.js';
import { settingsOf } from '../options/settings.js';
import { DedicatedWorker } from '../platform/dedicated-worker.js';
import { kindOf, readFileIfAny, whyUnreadable } from '../platform/files.js';
import { mostResidentBytes, threadsFor } from '../platform/process-memory.js';
import type { QueueConnection } from '../queue/connection.js';
import { inThousands, pluralInThousands } from '../support/plural.js';
import { requestToFuzz } from './check-pipeline.js';
import type { FuzzOptions, FuzzSettings } from './fuzz.js';
import type { WhiteBox } from './fuzz-explorer.js';
import { type FuzzSession, findingFolder, ownCorpus, SearchOutput, written } from './fuzz-output.js';
import { optionsWithoutEffect } from './fuzz-unused.js';
import { nameOfRun } from './led-queue.js';
import type { Counted } from './queue-orders.js';
import type { QueueSearch } from './queue-search.js';
import { programIn, type RunControl, TimeLimit } from './run-control.js';
import { sharedTarget } from './shared-target.js';
import { whyStopped } from './supervise.js';

const usualHeapBytes = 512 << 20;
const stackMegabytes = 64;

/**
 * A hint is printed if the last runs found nothing new: at least this fraction of all runs, and at
 * least this many.
 */
const quietPart = 0.3;
const quietRuns = 2000;

export async function runFuzz(
  options: FuzzSettings,
  asked: FuzzOptions,
  control: RunControl,
  queue: QueueConnection | undefined,
): Promise<FuzzReport> {
  const start = performance.now();
  const words = wordsOf(options);
  const given = givenInputs(options);
  for (const diagnostic of given.warnings) control.onEvent?.({ kind: 'warning', diagnostic });
  const { folder } = options;
  requireWritable(folder);
  const target = await targetFor(options, asked, control);
  const compileMs = performance.now() - start;
  const search = { maxLength: given.maxLength, onlyAscii: options.onlyAscii };
  // With a queue, one worker measures and minimizes inputs; others search.
  const workers = Array.from(
    { length: queue === undefined ? threadsFor(options.workers ?? 1) : 1 },
    () => new DedicatedWorker<FuzzRequest, FuzzReply>('fuzz/fuzz-worker', stackMegabytes),
  );
  const session = {
    options,
    control,
    target,
    search,
    workers,
    queue,
    given,
    words,
    folder,
    start,
    compileMs,
  };
  try {
    const replies = await Promise.all(
      workers.map(worker => worker.call({ kind: 'start', target, options: search })),
    );
    const { isStarted, findings } = replies[0] as Started;
    if (!isStarted) return endedEarly(session, findings);
    if (options.minimize !== undefined) return await minimizeInput(session, options.minimize);
    if (options.minimizeCorpus !== undefined || options.merge) return await minimizeCorpus(session);
    return await searchInputs(session, findings);
  } finally {
    await Promise.all(workers.map(worker => worker.close()));
  }
}

// ------------------------------------------------------------------------------- inputs and corpus

function wordsOf({ dictionary }: FuzzSettings): readonly Uint8Array[] {
  if (dictionary === undefined) return [];
  const file = readFileIfAny(dictionary);
  if (file === undefined) throw inputError(`the dictionary: ${whyUnreadable(dictionary, dictionary)}`);
  const result = parseDictionary(new TextDecoder().decode(file));
  if (result.kind === 'words') return result.words;
  throw inputError(`line ${result.line} of the dictionary '${dictionary}': ${result.problem}`);
}

/** The first folder is created if it does not exist; the others must exist. */
function givenInputs({ corpus, folder, minimizeCorpus, maxLength }: FuzzSettings): GivenInputs {
  const own = corpus.length > 0 ? [] : [minimizeCorpus ?? `${folder}/corpus`];
  const paths = [...corpus, ...own].filter((path, i) => {
    if (kindOf(path) !== undefined) return true;
    if (i > 0) throw inputError(`there is no folder '${path}'`);
    return false;
  });
  return readInputs(paths, maxLength);
}

async function targetFor(
  options: FuzzSettings,
  asked: FuzzOptions,
  control: RunControl,
): Promise<TargetRequest> {
  const { checks, suppressions } = options;
  const given = options.arguments ?? [];
  const { request, fuzz } = await requestToFuzz(
    {
      ...programIn(options),
      environment: options.environment ?? {},
      arguments: given.map(argument => argument.replaceAll('@@', inputFile)),
      maxMemoryBytes: options.maxMemoryBytes ?? usualHeapBytes,
      test: { inputs: [], files: bytesOfFiles(options.files ?? {}) },
      checks,
      suppressions,
    },
    control,
  );
  for (const sentence of optionsWithoutEffect(asked, fuzz)) note(control, sentence);
  if (fuzz.hasThreads)
    note(control, 'each thread runs to its end where it is created, so races are not found: see `check`');
  const usual = given.some(argument => argument.includes('@@')) ? 'file' : 'stdin';
  const ofMain = options.input === 'argv' ? 'arguments' : (options.input ?? usual);
  return {
    run: request,
    probes: fuzz.probes,
    delivery: fuzz.isTarget ? 'target' : ofMain,
    maxSteps: options.maxSteps,
  };
}

function bytesOfFiles(files: Readonly<Record<string, Uint8Array | string>>): Record<string, Uint8Array> {
  const encoder = new TextEncoder();
  return Object.fromEntries(
    Object.entries(files).map(([name, contents]) => [
      name,
      typeof contents === 'string' ? encoder.encode(contents) : contents,
    ]),
  );
}

// -------------------------------------------------------------------------------------- the search

async function searchInputs(session: FuzzSession, startFindings: readonly Finding[]): Promise<FuzzReport> {
  const { options, control, given } = session;
  const runStart = performance.now();
  const deadline = session.start + (options.maxTimeMs ?? Number.POSITIVE_INFINITY);
  const isOver = (): boolean => control.signal?.aborted === true || performance.now() >= deadline;
  const output = new SearchOutput(session, startFindings);
  const whiteBox = await whiteBoxFor(session, isOver);
  const queued = await queueSearchFor(session, isOver, () => ({
    paths: campaign.runs,
    states: campaign.corpus.size,
    findings: campaign.errors.length,
  }));
  const progress = (more: string): void => {
    const counts = { runs: campaign.runs, edges: campaign.corpus.edges, errors: campaign.errors.length };
    control.onEvent?.({ kind: 'progress', text: progressText(campaign, runStart) + more, counts });
  };
  const events: CampaignEvents = {
    onEntry: change => output.keepEntry(change),
    onError: error => output.keepError(error),
    onRound: () => progress(''),
    ...(whiteBox && {
      onStall: async entry => {
        // The explorer takes seconds, in which the counts do not change.
        progress('; exploring');
        const found = await askedSafely(whiteBox, entry?.bytes, control);
        return found.filter(bytes => !options.onlyAscii || isAscii(bytes));
      },
    }),
  };
  const campaign: Campaign = createCampaign(session, queued, isOver, events);
  control.onEvent?.({ kind: 'phase', text: 'fuzzing' });
  // The default folder may have inputs of an earlier search, or even of another program.
  if (options.corpus.length === 0 && given.inputs.length > 0)
    note(
      control,
      `the search begins with ${pluralInThousands(given.inputs.length, 'input')} of '${session.folder}/corpus'`,
    );
  try {
    await campaign.take(given.inputs, 'given');
    output.startsSearch();
    // If there are no inputs, or all of them lead to errors, the search needs something to mutate.
    const first = firstInputs(session.search);
    if (campaign.corpus.size === 0) await campaign.take(first, 'given');
    await campaign.run(first.at(-1)!);
  } finally {
    await queued?.close();
  }
  const runMs = performance.now() - runStart;
  whiteBox?.dispose();
  const coverage = options.coverage || options.details ? await coverageOf(session, campaign) : undefined;
  if (options.coverage && coverage !== undefined) output.keepCoverage(coverage);
  tell(session, campaign);
  // A time limit sets how long the search takes; reaching it does not make the result incomplete.
  const isInterrupted = control.signal?.aborted === true && !(control.signal.reason instanceof TimeLimit);
  const stopped = isInterrupted ? 'interrupted' : queued?.stopped;
  return fuzzReport(session, campaign, { findings: output.findings, stopped, coverage, runMs });
}

function createCampaign(
  { options, workers, words }: FuzzSession,
  queued: QueueSearch | undefined,
  isOver: () => boolean,
  events: CampaignEvents,
): Campaign {
  const { mode, seed, maxRuns = Number.POSITIVE_INFINITY } = options;
  const search = queued ?? new ThreadSearch(workers);
  return new Campaign(workers[0]!, search, { mode, seed, maxRuns, isOver, words }, events);
}

interface EndedSearch {
  readonly findings: readonly Finding[];
  /** Why it ended too early. */
  readonly stopped: string | undefined;
  readonly coverage: FuzzReport['coverage'];
  readonly runMs: number;
}

function fuzzReport(
  session: FuzzSession,
  campaign: Campaign,
  { findings, stopped, coverage, runMs }: EndedSearch,
): FuzzReport {
  const { options, control, target } = session;
  const hasRun = campaign.runs > 0;
  const why = hasRun || control.signal === undefined ? undefined : whyStopped(control.signal);
  return {
    schema: 1,
    command: 'fuzz',
    verdict: verdictOf(findings, stopped === undefined && hasRun),
    summary: why ?? summaryOf(campaign, stopped, target.probes.edges.length),
    findings,
    ...(options.details && coverage !== undefined && { coverage }),
    stats: {
      ...baseStats(session, runMs),
      runs: campaign.runs,
      runsPerSecond: Math.round((campaign.runs / Math.max(runMs, 1)) * 1000),
      edges: campaign.corpus.edges,
      knownEdges: target.probes.edges.length,
      corpus: campaign.corpus.size,
      boxes: campaign.boxes,
    },
  };
}

/** Undefined without a queue. */
async function queueSearchFor(
  { queue, options, control, target, search }: FuzzSession,
  isOver: () => boolean,
  counted: () => Counted,
): Promise<QueueSearch | undefined> {
  if (queue === undefined) return undefined;
  const [{ QueueOrders }, { QueueSearch: Search }] = await Promise.all([
    import('./queue-orders.js'),
    import('./queue-search.js'),
  ]);
  const orders = await QueueOrders.lead(queue, sharedTarget(target, search), {
    name: nameOfRun(options),
    isResumed: false,
    onEvent: control.onEvent,
    localWorker: { queue: options.queue, workers: options.workers },
  });
  return new Search(orders, isOver, counted);
}

/** The initial corpus if none is given: an empty input, a line, and distinct bytes. */
function firstInputs({ maxLength, onlyAscii }: SearchOptions): Uint8Array[] {
  const different = Uint8Array.from({ length: 32 }, (_, i) => (i * 37 + 101) & 0xff);
  const text = new TextEncoder().encode('0123456789abcdefABCDEF');
  const inputs = [new Uint8Array(0), Uint8Array.of(10), text, ...(onlyAscii ? [] : [different])];
  return inputs.map(bytes => bytes.slice(0, maxLength));
}

function progressText(campaign: Campaign, runStart: number): string {
  const now = performance.now();
  const { runs, corpus, errors, lastNew } = campaign;
  const rate = Math.round((runs / Math.max(now - runStart, 1)) * 1000);
  return [
    pluralInThousands(runs, 'run'),
    `${inThousands(rate)}/s`,
    pluralInThousands(corpus.edges, 'edge'),
    pluralInThousands(corpus.size, 'input'),
    pluralInThousands(errors.length, 'finding'),
    `last new ${Math.round((now - lastNew.time) / 1000)} s ago (${lastNew.box})`,
  ].join(', ');
}

function summaryOf(campaign: Campaign, stopped: string | undefined, knownEdges: number): string {
  const { runs, corpus, boxes } = campaign;
  const by = (['black', 'grey', 'white'] as const)
    .filter(box => boxes[box].inputs + boxes[box].findings > 0)
    .map(
      box =>
        `${box} ${pluralInThousands(boxes[box].inputs, 'input')}, ${pluralInThousands(boxes[box].findings, 'finding')}`,
    );
  const all = `${pluralInThousands(runs, 'run')}, ${corpus.edges} of ${pluralInThousands(knownEdges, 'edge')}, ${pluralInThousands(corpus.size, 'input')} in the corpus`;
  return [...(stopped === undefined ? [] : [stopped]), all, ...by].join('; ');
}

/**
 * Explains what the numbers do not show: why nothing is new, and what the program does that a fuzz
 * target should not do.
 */
function tell({ control, target }: FuzzSession, campaign: Campaign): void {
  const { runs, lastNew, corpus, exits, edgesOfErrors } = campaign;
  const quiet = runs - lastNew.run;
  if (corpus.size === 0 && runs >= quietRuns)
    note(control, `the corpus is empty: each input led to a finding, or the target returned -1 for it`);
  else if (quiet >= quietRuns && quiet >= runs * quietPart)
    note(
      control,
      whyNothingNew(target.probes, edge => corpus.hasEdge(edge) || edgesOfErrors.has(edge), quiet),
    );
  if (exits > 0 && target.delivery === 'target')
    note(
      control,
      `the target called \`exit\` in ${pluralInThousands(exits, 'run')}: that was taken as the end of the input`,
    );
}

function note({ onEvent }: RunControl, message: string): void {
  onEvent?.({ kind: 'warning', diagnostic: { severity: 'note', message } });
}

/** Creates the explorer if the options allow it. */
async function whiteBoxFor(session: FuzzSession, isOver: () => boolean): Promise<WhiteBox | undefined> {
  const { options, control, target, given } = session;
  const { mode } = options;
  if (mode === 'black' || mode === 'grey') return undefined;
  const { WhiteBox } = await import('./fuzz-explorer.js');
  const { inputs, clangFlags = [], clang } = options;
  return new WhiteBox(
    {
      program: settingsOf(exploreOptions, { inputs, clangFlags, clang }),
      host: {
        arguments: target.run.arguments,
        environment: options.environment ?? {},
        files: options.files ?? {},
      },
      input: target.delivery === 'target' ? 'stdin' : target.delivery,
      maxLength: given.maxLength,
      isOver,
    },
    control,
  );
}

/**
 * Asks the explorer for inputs. An internal error of the explorer is reported as a warning, so that
 * it does not end a search of hours.
 */
export async function askedSafely(
  whiteBox: Pick<WhiteBox, 'everywhere' | 'alongside'>,
  bytes: Uint8Array | undefined,
  { signal, onEvent }: RunControl,
): Promise<readonly Uint8Array[]> {
  try {
    return await (bytes === undefined ? whiteBox.everywhere() : whiteBox.alongside(bytes));
  } catch (error) {
    if (signal?.aborted) return [];
    const about = error instanceof InputError ? error.diagnostics[0]!.message : String(error);
    const message = `the explorer has failed, and the search continues without it: ${about}`;
    const help = error instanceof InputError ? undefined : 'please report this as a defect of Redzone';
    onEvent?.({
      kind: 'warning',
      diagnostic: { severity: 'warning', message, ...(help !== undefined && { help }) },
    });
    return [];
  }
}

// ------------------------------------------------------------------------------------- other modes

/** The program ended before its first input: in a constructor, or in LLVMFuzzerInitialize. */
function endedEarly(session: FuzzSession, findings: readonly Finding[]): FuzzReport {
  return {
    schema: 1,
    command: 'fuzz',
    verdict: verdictOf(findings, false),
    summary: 'the program ended before it got an input',
    findings,
    stats: baseStats(session, 0),
  };
}

async function minimizeInput(session: FuzzSession, path: string): Promise<FuzzReport> {
  const { workers, folder } = session;
  const runStart = performance.now();
  const input = readFileIfAny(path);
  if (input === undefined) throw inputError(whyUnreadable(path, path));
  const [worker] = workers as readonly [FuzzWorker];
  const [measured] = (await worker.call({ kind: 'measure', inputs: [input] })) as readonly Measured[];
  const found = measured!.findings[0];
  if (found === undefined)
    throw inputError(`the input '${path}' causes no error: there is nothing to minimize`);
  const error = errorKey(found);
  const runs = session.options.maxRuns ?? mostRunsToMinimize;
  const small = (await worker.call({ kind: 'minimize', input, error, runs })) as Minimized;
  const again = (await worker.call({ kind: 'confirm', input: small.bytes })) as readonly Finding[];
  const isConfirmed = again.some(other => errorKey(other) === error);
  const kept = { ...small, box: 'given', run: 0, isConfirmed, isOfMutator: false } as const;
  const finding = written(kept, findingFolder(session), session);
  return {
    schema: 1,
    command: 'fuzz',
    verdict: 'findings',
    summary: `from ${pluralInThousands(input.length, 'byte')} to ${small.bytes.length}, in ${pluralInThousands(small.runs, 'run')}`,
    next: `the smallest input is in ${finding.input ?? folder}`,
    findings: [finding],
    stats: { ...baseStats(session, performance.now() - runStart), runs: small.runs },
  };
}

const mostRunsToMinimize = 100_000;

/**
 * Keeps a smallest set of inputs with the same coverage. With `merge`, the inputs of the first
 * folder stay, and only inputs that add coverage are copied to it.
 */
async function minimizeCorpus(session: FuzzSession): Promise<FuzzReport> {
  const { options, workers, given, folder } = session;
  const runStart = performance.now();
  const { corpus, merge = false, maxLength } = options;
  const to = options.minimizeCorpus ?? ownCorpus(options, folder);
  if (!merge && given.inputs.length === 0)
    throw inputError(`there are no inputs in '${corpus[0] ?? to}': there is nothing to minimize`);
  const measure = async (inputs: readonly Uint8Array[]) => {
    const measured = (await workers[0]!.call({ kind: 'measure', inputs })) as readonly Measured[];
    return inputs.map((bytes, i) => ({ bytes, ...measured[i]! }));
  };
  const all = await measure(given.inputs);
  const useful = all.filter(input => !input.isUnwanted && !isCrash(input));
  const target = new CorpusFolder(to);
  const kept = merge
    ? missingIn(await measure(readInputs([to], maxLength).inputs), useful)
    : fewestInputs(useful);
  const isInPlace = !merge && (corpus.length === 0 || corpus.includes(to));
  // An input that crashes is kept, because it may be the only one that reproduces an error.
  if (isInPlace)
    for (const input of all)
      if (!isCrash(input) && !kept.some(({ bytes }) => bytes === input.bytes)) target.remove(input.bytes);
  for (const { bytes } of kept) target.write(bytes);
  const findings = oncePerError(all.flatMap(({ findings }) => findings));
  return {
    schema: 1,
    command: 'fuzz',
    verdict: verdictOf(findings, true),
    summary: merge
      ? `${pluralInThousands(kept.length, 'input')} added to '${to}'`
      : `${kept.length} of ${pluralInThousands(all.length, 'input')} cover as much, in '${to}'`,
    findings,
    stats: { ...baseStats(session, performance.now() - runStart), runs: all.length, corpus: kept.length },
  };
}

type WithFeatures = { readonly bytes: Uint8Array; readonly features: Uint32Array };

function missingIn<Input extends WithFeatures>(there: readonly Input[], others: readonly Input[]): Input[] {
  const known = new Set(there.flatMap(({ features }) => [...features]));
  const lacking = others.map(input => ({
    ...input,
    features: input.features.filter(feature => !known.has(feature)),
  }));
  return fewestInputs(lacking.filter(({ features }) => features.length > 0));
}

function oncePerError(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map(finding => [errorKey(finding), finding])).values()];
}

async function coverageOf({ workers }: FuzzSession, { corpus }: Campaign): Promise<FileCoverage[]> {
  const inputs = corpus.entries.map(({ bytes }) => bytes);
  return (await workers[0]!.call({ kind: 'coverage', inputs })) as FileCoverage[];
}

// ------------------------------------------------------------------------------------------- texts

function baseStats({ start, compileMs }: FuzzSession, runMs: number): RunStats {
  return { wallMs: performance.now() - start, compileMs, runMs, maxRssBytes: mostResidentBytes() };
}

/**
 * The files that a fuzzing search writes: the corpus, the input and the test of each finding, and
 * the coverage. If a file cannot be written, on a full disk for example, the search warns once and
 * continues.
 */
import type { Finding } from '../findings/finding.js';
import { type FileCoverage, lcovText } from '../findings/line-coverage.js';
import type { FuzzError } from '../fuzz/campaign.js';
import type { CorpusChange } from '../fuzz/corpus.js';
import { CorpusFolder, type GivenInputs } from '../fuzz/corpus-folder.js';
import { FindingFolder } from '../fuzz/finding-folder.js';
import type { TargetRequest } from '../fuzz/fuzz-target.js';
import type { SearchOptions } from '../fuzz/protocol.js';
import type { FuzzWorker } from '../fuzz/thread-search.js';
import { isSystemError, kindOf, reasonOf, writeNewFile } from '../platform/files.js';
import type { QueueConnection } from '../queue/connection.js';
import { inThousands } from '../support/plural.js';
import { shellWords } from '../support/shell-words.js';
import type { FuzzSettings } from './fuzz.js';
import { nameOfInput, type RunControl } from './run-control.js';

export interface FuzzSession {
  readonly options: FuzzSettings;
  readonly control: RunControl;
  readonly target: TargetRequest;
  readonly search: SearchOptions;
  readonly workers: readonly FuzzWorker[];
  readonly queue: QueueConnection | undefined;
  readonly given: GivenInputs;
  readonly words: readonly Uint8Array[];
  readonly folder: string;
  readonly start: number;
  readonly compileMs: number;
}

export class SearchOutput {
  readonly findings: Finding[];
  readonly #corpus: CorpusFolder;
  readonly #files: FindingFolder;
  /** What could not be written, by the names of warnings. */
  readonly #unwritten = new Set<string>();
  /** True while the inputs are the user's own files. */
  #isReading: boolean;

  constructor(
    private readonly session: FuzzSession,
    startFindings: readonly Finding[],
  ) {
    this.findings = [...startFindings];
    this.#corpus = new CorpusFolder(ownCorpus(session.options, session.folder));
    this.#files = findingFolder(session);
    this.#isReading = session.given.inputs.length > 0;
  }

  /** The inputs that follow are not the user's files. */
  startsSearch(): void {
    this.#isReading = false;
  }

  keepEntry({ added, removed }: CorpusChange): void {
    if (!this.#isReading) this.#keep('the corpus', () => this.#corpus.write(added.bytes));
    this.#keep('the corpus', () => {
      for (const entry of removed) this.#corpus.remove(entry.bytes);
    });
  }

  keepError(error: FuzzError): void {
    const isWritten = this.#keep('a finding', () =>
      this.findings.push(written(error, this.#files, this.session)),
    );
    if (!isWritten) this.findings.push(error.finding);
  }

  keepCoverage(coverage: readonly FileCoverage[]): void {
    const text = new TextEncoder().encode(lcovText(coverage));
    this.#keep('coverage.info', () => writeNewFile(`${this.session.folder}/coverage.info`, text));
  }

  /** Returns whether something was written. */
  #keep(what: string, write: () => void): boolean {
    try {
      write();
      return true;
    } catch (error) {
      if (!isSystemError(error)) throw error;
      if (!this.#unwritten.has(what)) {
        const message = `${what} cannot be written: ${reasonOf(error)}`;
        this.session.control.onEvent?.({ kind: 'warning', diagnostic: { severity: 'warning', message } });
      }
      this.#unwritten.add(what);
      return false;
    }
  }
}

export function ownCorpus({ corpus }: FuzzSettings, folder: string): string {
  return corpus.find(path => kindOf(path) !== 'file') ?? `${folder}/corpus`;
}

export function findingFolder({ options, folder, target }: FuzzSession): FindingFolder {
  const prefix = options.artifactPrefix ?? `${folder}/`;
  return new FindingFolder(prefix, target.delivery, target.run.arguments);
}

/** The finding with its files and the command that reproduces it. */
export function written(error: FuzzError, files: FindingFolder, session: FuzzSession): Finding {
  const { finding, bytes, isConfirmed, isOfMutator } = error;
  const { options } = session;
  const { input, test } = files.write(finding, bytes);
  const notes = [...(finding.notes ?? []), ...howFound(error, session)];
  // `replay` runs the target and calls no mutator.
  if (isOfMutator) return { ...finding, notes, input, confirmed: isConfirmed };
  const given = Object.keys(options.files ?? {}).flatMap(name => ['--file', name]);
  const limit = finding.code === 'infinite-loop' ? ['--max-time', '10s'] : [];
  const words = [
    ...(options.clangFlags ?? []),
    ...given,
    ...(options.checks === undefined ? [] : ['--checks', options.checks.join(',')]),
    ...limit,
    test,
    ...options.inputs.map(nameOfInput),
  ];
  return {
    ...finding,
    notes,
    help: `reproduce with \`redzone replay ${shellWords(words)}\``,
    input,
    test,
    confirmed: isConfirmed,
  };
}

/** Nothing was searched for an input that is only minimized. */
function howFound({ box, run, isOfMutator }: FuzzError, { options }: FuzzSession): { message: string }[] {
  if (options.minimize !== undefined) return [];
  // These inputs are the user's, or those of `firstInputs` if the user has none.
  const how =
    box === 'given'
      ? 'found by an input that was there before the search'
      : `found by ${box} in run ${inThousands(run)}`;
  return [{ message: isOfMutator ? `${how}, when the program's own mutator changed the input` : how }];
}

/**
 * The output folder of an exploration.
 *
 *     journal                all that was learned, and every test (`output/journal.ts`)
 *     lock                   while a process owns the folder (`platform/folder-lock.ts`)
 *     NNNNNN.ktest, .json    tests that are worth a file, each with a readable form
 *     NNNNNN.c               for a path with an error, as a C program (`output/c-snippet.ts`)
 *     findings.json          what was found, as `--json` has it
 *     coverage.info          which lines were run, for lcov
 *     forks.dot              the tree of forks, for Graphviz
 *     statistics.csv         periodic counts; timing.csv has the times of the same rows
 *     queries.smt2, .kquery  with `--dump-queries`, all queries to the solver
 *
 * The files of an earlier run in the same folder are removed unless it is resumed: its tests are
 * overwritten, and those without a new one are removed at the end. Removing them first would cost a
 * file system much more than overwriting (`overwriteFile`).
 *
 * An unwritable folder is an input error, which is reported before the exploration. A later error,
 * such as a full disk, is recorded in `problem`; the results remain valid.
 */
import {
  appendToFile,
  fileStatus,
  filesBelow,
  reasonOf,
  removeFile,
  writeNewFile,
} from '../../platform/files.js';
import { ManyFiles } from '../../platform/many-files.js';
import type { DumpFormat } from '../../solver/backend-names.js';
import type { EndedPath } from '../search/path-memo.js';
import { findingsOf } from '../state/path-end.js';
import type { SnippetProgram } from './c-snippet.js';
import { nameOfTest, type Test, testAsC, testAsJson, testAsKTest } from './test-files.js';

const testFile = /^\d{6,}\.(ktest|json|c)$/;
const otherFile =
  /^(queries\.(smt2|kquery)|(findings|frontier)\.json|coverage\.info|forks\.dot|(statistics|timing)\.csv)$/;
const encoder = new TextEncoder();

/** The limit of buffered query texts, in UTF-16 units. */
const mostWaiting = 1 << 20;

export class TestFolder {
  readonly #folder: string;
  readonly #program: SnippetProgram;
  readonly #writesAll: boolean;
  readonly #tests = new ManyFiles();
  /** Tests of an earlier run that have not been overwritten yet. */
  readonly #old: Set<string>;
  #queries = '';
  #failure: Error | undefined;

  /**
   * With `stays`, the files of tests up to this number are kept, and other files until there are
   * new ones: the run that wrote them is resumed.
   */
  constructor(folder: string, program: SnippetProgram, writesAll: boolean, stays: number | undefined) {
    this.#folder = folder;
    this.#program = program;
    this.#writesAll = writesAll;
    const files = filesBelow(folder);
    if (stays === undefined)
      for (const file of files) if (otherFile.test(file)) removeFile(`${folder}/${file}`);
    this.#old = new Set(
      files.filter(file => testFile.test(file) && Number.parseInt(file, 10) > (stays ?? 0)),
    );
  }

  /** Why files are missing; undefined if none are. */
  get failure(): Error | undefined {
    return this.#tests.failure ?? this.#failure;
  }

  /** Whether the file of a test exists whose path `write` has returned. Requires `finishTests`. */
  has(test: string): boolean {
    return this.failure === undefined || fileStatus(test) !== undefined;
  }

  /**
   * Writes a test, if it gets a file. Returns the path of the `.ktest` file, which exists after
   * `finishTests`.
   */
  write(end: EndedPath): string | undefined {
    const test = this.#writesAll || end.isNotable ? asTest(end) : undefined;
    if (test === undefined) return undefined;
    const name = nameOfTest(test.number);
    const path = this.#write(`${name}.ktest`, testAsKTest(test, this.#program));
    this.#write(`${name}.json`, testAsJson(test));
    const c = findingsOf(test.ending).length > 0 ? testAsC(test, this.#program) : undefined;
    if (c !== undefined) this.#write(`${name}.c`, c);
    return path;
  }

  /** Returns the path. */
  #write(name: string, contents: string | Uint8Array): string {
    const path = `${this.#folder}/${name}`;
    this.#tests.write(path, contents, this.#old.delete(name));
    return path;
  }

  /** Waits until all tests are written. */
  finishTests(): Promise<void> {
    return this.#tests.finish();
  }

  /** The number of remaining files of an earlier run. */
  get old(): number {
    return this.#old.size;
  }

  removeOld(): void {
    for (const file of this.#old) removeFile(`${this.#folder}/${file}`);
    this.#old.clear();
  }

  /** One of the files about the whole exploration. */
  writeFile(name: string, text: string): void {
    this.#try(() => writeNewFile(`${this.#folder}/${name}`, encoder.encode(text)));
  }

  /** Appends a query to `queries.EXTENSION`. */
  writeQuery(text: string, extension: DumpFormat): void {
    this.#queries += text;
    if (this.#queries.length >= mostWaiting) this.flushQueries(extension);
  }

  flushQueries(extension: DumpFormat): void {
    this.#try(() => appendToFile(`${this.#folder}/queries.${extension}`, encoder.encode(this.#queries)));
    this.#queries = '';
  }

  #try(write: () => void): void {
    if (this.failure !== undefined) return;
    try {
      write();
    } catch (error) {
      this.#failure = error as Error;
    }
  }
}

export function asTest(end: EndedPath): Test | undefined {
  const { inputs, number } = end;
  return inputs === undefined || number === 0 ? undefined : { ...end, inputs };
}

/** The system's description of what is wrong with a folder. */
export function folderProblem(folder: string, failure: Error): string {
  return `'${folder}' is not complete: ${reasonOf(failure)}`;
}

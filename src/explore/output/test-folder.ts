/**
 * The folder that an exploration writes.
 *
 *     journal                all that was learned, and every test (`output/journal.ts`)
 *     lock                   while a process owns the folder (`platform/folder-lock.ts`)
 *     NNNNNN.ktest, .json    tests that are worth a file, and beside each the same for people
 *     NNNNNN.c               for a path with an error, as a C program (`output/c-snippet.ts`)
 *     findings.json          what was found, as `--json` has it
 *     coverage.info          which lines were run, for lcov
 *     forks.dot              the tree of forks, for Graphviz
 *     statistics.csv         counts as the exploration went on; timing.csv what the clock said meanwhile
 *     queries.smt2, .kquery  with `--dump-queries`, all questions to the solver
 *
 * What an earlier run left in the same folder does not stay, unless it is resumed: its tests are
 * overwritten, and those for which there is no new one are removed at the end. Removing them first
 * would cost a file system much more than overwriting (`overwriteFile`).
 *
 * A folder that cannot be written is an input error, which is reported before the exploration. What
 * goes wrong later, such as a full disk, is `problem`: what was explored and found is still true.
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

/** Text of queries that waits to be written, in UTF-16 units. */
const mostWaiting = 1 << 20;

export class TestFolder {
  readonly #folder: string;
  readonly #program: SnippetProgram;
  readonly #writesAll: boolean;
  readonly #tests = new ManyFiles();
  /** Tests of an earlier run that were not overwritten yet. */
  readonly #old: Set<string>;
  #queries = '';
  #failure: Error | undefined;

  /**
   * With `stays`, files of tests up to this number stay, and other files until there are new ones:
   * the run that has written them is resumed.
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

  /** Is the test there that `write` has returned the path of? Requires `finishTests`. */
  has(test: string): boolean {
    return this.failure === undefined || fileStatus(test) !== undefined;
  }

  /**
   * Writes a test, if it is one of those that are files. Returns the path of the `.ktest` file,
   * which is there after `finishTests`.
   */
  write(end: EndedPath): string | undefined {
    const test = asTest(end);
    if (test === undefined || !(this.#writesAll || test.isNotable)) return undefined;
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

  /** How many files of an earlier run are left. */
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

  /** One more question in `queries.EXTENSION`. */
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

/** What the system says is wrong with a folder. */
export function folderProblem(folder: string, failure: Error): string {
  return `'${folder}' is not complete: ${reasonOf(failure)}`;
}

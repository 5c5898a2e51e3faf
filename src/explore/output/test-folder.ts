/**
 * The folder that an exploration writes.
 *
 *     NNNNNN.ktest, .json    a test for each path, and beside it the same for people
 *     NNNNNN.c               for a path with an error, as a C program (`output/c-snippet.ts`)
 *     findings.json          what was found, as `--json` has it
 *     coverage.info          which lines were run, for lcov
 *     forks.dot              the tree of forks, for Graphviz
 *     statistics.csv         counts as the exploration went on; timing.csv what the clock said meanwhile
 *     queries.smt2, .kquery  with `--dump-queries`, all questions to the solver
 *     frontier.json          what `--resume` needs to go on
 *
 * What an earlier run left in the same folder does not stay, unless it is resumed: its tests are
 * overwritten, and those for which there is no new one are removed at the end. Removing them first
 * would cost a file system much more than overwriting (`overwriteFile`).
 *
 * A folder that cannot be written is an input error, which is reported before the exploration. What
 * goes wrong later, such as a full disk, is `problem`: what was explored and found is still true.
 */
import type { Finding } from '../../findings/finding.js';
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
import { plural } from '../../support/plural.js';
import { writeKTest } from '../inputs/ktest.js';
import { isText, type TestInput } from '../inputs/test-input.js';
import type { Meaning } from '../memory/origin.js';
import type { FinishedPath } from '../search/explorer.js';
import { type Ending, findingsOf } from '../state/path-end.js';
import type { State } from '../state/state.js';
import { cSnippet, type SnippetProgram } from './c-snippet.js';
import { requireWritable } from './require-writable.js';

const testFile = /^\d{6,}\.(ktest|json|c)$/;
const otherFile =
  /^(queries\.(smt2|kquery)|(findings|frontier)\.json|coverage\.info|forks\.dot|(statistics|timing)\.csv)$/;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Text of queries that waits to be written, in UTF-16 units. */
const mostWaiting = 1 << 20;

export class TestFolder {
  readonly #folder: string;
  readonly #program: SnippetProgram;
  readonly #tests = new ManyFiles();
  /** Tests of an earlier run that were not overwritten yet. */
  readonly #old: Set<string>;
  #queries = '';
  #failure: Error | undefined;
  /** How many tests there are, or would be if all could be written. */
  written: number;

  /**
   * `written` tests of a run that is resumed stay, and its other files until there are new ones.
   * Throws InputError if nothing can be written.
   */
  constructor(folder: string, program: SnippetProgram, written: number | undefined) {
    this.#folder = folder;
    this.#program = program;
    requireWritable(folder);
    const files = filesBelow(folder);
    if (written === undefined)
      for (const file of files) if (otherFile.test(file)) removeFile(`${folder}/${file}`);
    this.written = written ?? 0;
    this.#old = new Set(
      files.filter(file => testFile.test(file) && Number.parseInt(file, 10) > this.written),
    );
  }

  /** Why files are missing; undefined if none are. */
  get problem(): string | undefined {
    const failure = this.#tests.failure ?? this.#failure;
    return failure && `'${this.#folder}' is not complete: ${reasonOf(failure)}`;
  }

  /** How many tests there are. Requires `finishTests`. */
  get tests(): number {
    if (this.problem === undefined) return this.written;
    return filesBelow(this.#folder).filter(
      file => /^\d{6,}\.ktest$/.test(file) && Number.parseInt(file, 10) <= this.written,
    ).length;
  }

  /** Is the test there that `write` has returned the path of? Requires `finishTests`. */
  has(test: string): boolean {
    return this.problem === undefined || fileStatus(test) !== undefined;
  }

  /**
   * Returns the path of the `.ktest` file, which is there after `finishTests`; undefined if no
   * input is known.
   */
  write({ ending, inputs, state }: FinishedPath): string | undefined {
    if (inputs === undefined) return undefined;
    const name = String(++this.written).padStart(6, '0');
    const test = this.#write(
      `${name}.ktest`,
      writeKTest({ arguments: this.#program.arguments, objects: inputs }),
    );
    const description = {
      end: describeEnding(ending),
      inputs: inputs.map(describeInput),
      instructions: state.instructions,
      forks: state.depth,
      ...(state.notes.length > 0 ? { notes: state.notes } : {}),
      ...outputOf(state),
    };
    this.#write(`${name}.json`, `${JSON.stringify(description, null, 2)}\n`);
    const [finding] = findingsOf(ending);
    if (finding !== undefined) {
      const { code, message, location } = finding;
      const title = `${code} at ${location.file}:${location.line}: ${message}`;
      if (this.#program.entry !== undefined) this.#write(`${name}.c`, cSnippet(this.#program, inputs, title));
    }
    return test;
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
    if (this.problem !== undefined) return;
    try {
      write();
    } catch (error) {
      this.#failure = error as Error;
    }
  }
}

/** Longer output is cut. */
const mostOutput = 2000;

/** What the program has written on this path. */
function outputOf({ seenHost: host }: State): object {
  const text = (bytes: Uint8Array): string => decoder.decode(bytes.subarray(0, mostOutput));
  const { stdout, stderr } = host;
  return {
    ...(stdout.length === 0 ? {} : { stdout: text(stdout) }),
    ...(stderr.length === 0 ? {} : { stderr: text(stderr) }),
  };
}

function describeEnding(ending: Ending): object {
  switch (ending.kind) {
    case 'exit':
      return {
        kind: 'exit',
        status: ending.status,
        ...(ending.leaks.length > 0 ? { leaks: ending.leaks.map(brief) } : {}),
      };
    case 'finding':
      return { kind: 'finding', ...brief(ending.finding) };
    case 'partial':
      return { kind: 'partial', reason: ending.reason };
    case 'unwanted':
      return { kind: 'unwanted' };
  }
}

function brief({ code, message, location }: Finding): object {
  return { code, message, location };
}

/** Of each byte: in hexadecimal, and as a character that every terminal shows. */
const hexadecimal = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const characters = Array.from({ length: 256 }, (_, byte) =>
  byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.',
);

/** Bytes in hexadecimal, and as what they may mean: numbers, or a text. */
function describeInput(input: TestInput): object {
  const { name, bytes, meaning } = input;
  let hex = '';
  let text = '';
  for (const byte of bytes) {
    hex += hex === '' ? hexadecimal[byte] : ` ${hexadecimal[byte]}`;
    text += characters[byte];
  }
  const numbers = numbersIn(input);
  return { name, bytes: hex, ...(numbers === undefined ? {} : { [meaning.as]: numbers }), text };
}

type InputNumber = number | string;

/** Longer arrays are shown as bytes alone. */
const MOST_NUMBERS = 64;

/** What an input means that is no text: a number, or those of an array. */
function numbersIn(input: TestInput): InputNumber | readonly InputNumber[] | undefined {
  const { bytes, meaning } = input;
  const { as, elementBytes = bytes.length } = meaning;
  const sizes = as === 'float' ? [4, 8] : [1, 2, 4, 8];
  if (as === 'text' || isText(input) || !sizes.includes(elementBytes)) return undefined;
  if (elementBytes === bytes.length) return numberIn(bytes, as);
  const count = bytes.length / elementBytes;
  if (!Number.isInteger(count) || count > MOST_NUMBERS) return undefined;
  return Array.from({ length: count }, (_, i) =>
    numberIn(bytes.subarray(i * elementBytes, (i + 1) * elementBytes), as),
  );
}

/** What 1, 2, 4 or 8 bytes mean; a string where JSON has no such number, or none that is exact. */
function numberIn(bytes: Uint8Array, meaning: Exclude<Meaning['as'], 'text'>): InputNumber {
  const isSigned = meaning === 'signed';
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (meaning === 'float') {
    const value = bytes.length === 4 ? view.getFloat32(0, true) : view.getFloat64(0, true);
    if (Object.is(value, -0)) return '-0';
    return Number.isFinite(value) ? value : String(value);
  }
  switch (bytes.length) {
    case 1:
      return isSigned ? view.getInt8(0) : view.getUint8(0);
    case 2:
      return isSigned ? view.getInt16(0, true) : view.getUint16(0, true);
    case 4:
      return isSigned ? view.getInt32(0, true) : view.getUint32(0, true);
    default: {
      const value = isSigned ? view.getBigInt64(0, true) : view.getBigUint64(0, true);
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    }
  }
}

/** As a string of C. */
function quoted(bytes: Uint8Array): string {
  const characters = Array.from(bytes, byte => {
    if (byte === 34 || byte === 92) return `\\${String.fromCharCode(byte)}`;
    return byte >= 32 && byte < 127 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
  });
  return `"${characters.join('')}"`;
}

/** Characters of a message about inputs, and the fewest that one of several inputs gets. */
const MOST_CHARACTERS = 80;
const FEWEST_CHARACTERS = 16;

/**
 * For a message: `n` = 3, `a` = {1, 2}, `name` = "x.." (8 bytes). What would take more than a line
 * is shortened: long inputs at their end, and the last inputs are only counted.
 */
export function inputsInWords(inputs: readonly TestInput[]): string | undefined {
  if (inputs.length === 0) return undefined;
  const share = Math.max(FEWEST_CHARACTERS, Math.floor(MOST_CHARACTERS / inputs.length));
  const whole = inputs.map(input => inputInWords(input, Number.POSITIVE_INFINITY));
  const isShort = whole.join(', ').length <= MOST_CHARACTERS;
  const words = isShort ? whole : inputs.map(input => inputInWords(input, share));
  let shown = 1;
  let length = words[0]!.length;
  while (shown < words.length && length + 2 + words[shown]!.length <= MOST_CHARACTERS)
    length += 2 + words[shown++]!.length;
  const left = words.length - shown;
  return [...words.slice(0, shown), ...(left === 0 ? [] : [`and ${plural(left, 'other input')}`])].join(', ');
}

/** The value in about this many characters: with its first bytes or numbers, but at least one. */
function inputInWords(input: TestInput, most: number): string {
  const { name, bytes } = input;
  const numbers = numbersIn(input);
  if (numbers !== undefined && typeof numbers !== 'object') return `\`${name}\` = ${numbers}`;
  const count = numbers?.length ?? bytes.length;
  const textOf = (first: number): string => {
    const isWhole = first === count;
    if (numbers !== undefined) return `{${numbers.slice(0, first).join(', ')}${isWhole ? '' : ', …'}}`;
    return `${quoted(bytes.subarray(0, first))}${isWhole ? '' : `… (${plural(count, 'byte')})`}`;
  };
  let first = count;
  while (first > 1 && textOf(first).length > most) first--;
  return `\`${name}\` = ${textOf(first)}`;
}

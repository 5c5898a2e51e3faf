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
 *
 * What an earlier run left in the same folder is removed first, so that what is there belongs together.
 */
import type { Finding } from '../findings/finding.js';
import { appendToFile, filesBelow, removeFile, writeNewFile } from '../platform/files.js';
import { ManyFiles } from '../platform/many-files.js';
import type { DumpFormat } from '../solver/dump-layer.js';
import type { FinishedPath } from './explorer.js';
import { writeKTest } from './ktest.js';
import { cSnippet, type SnippetProgram } from './output/c-snippet.js';
import { type Ending, findingsOf } from './path-end.js';
import type { State } from './state.js';
import type { TestInput } from './test-input.js';

const ours =
  /^(\d{6,}\.(ktest|json|c)|queries\.(smt2|kquery)|findings\.json|coverage\.info|forks\.dot|(statistics|timing)\.csv)$/;
const encoder = new TextEncoder();

/** Text of queries that waits to be written, in UTF-16 units. */
const mostWaiting = 1 << 20;

export class TestFolder {
  readonly #folder: string;
  readonly #program: SnippetProgram;
  readonly #tests = new ManyFiles();
  #queries = '';
  written = 0;

  constructor(folder: string, program: SnippetProgram) {
    this.#folder = folder;
    this.#program = program;
    for (const file of filesBelow(folder)) if (ours.test(file)) removeFile(`${folder}/${file}`);
  }

  /** Returns the path of the `.ktest` file, which is there after `finishTests`; undefined if no input is known. */
  write({ ending, inputs, state }: FinishedPath): string | undefined {
    if (inputs === undefined) return undefined;
    const name = `${this.#folder}/${String(++this.written).padStart(6, '0')}`;
    this.#tests.write(`${name}.ktest`, writeKTest({ arguments: this.#program.arguments, objects: inputs }));
    const description = {
      end: describeEnding(ending),
      inputs: inputs.map(describeInput),
      instructions: state.instructions,
      forks: state.depth,
      ...(state.notes.length > 0 ? { notes: state.notes } : {}),
      ...outputOf(state),
    };
    this.#tests.write(`${name}.json`, encoder.encode(`${JSON.stringify(description, null, 2)}\n`));
    const [finding] = findingsOf(ending);
    if (finding !== undefined) {
      const { code, message, location } = finding;
      const title = `${code} at ${location.file}:${location.line}: ${message}`;
      this.#tests.write(`${name}.c`, encoder.encode(cSnippet(this.#program, inputs, title)));
    }
    return `${name}.ktest`;
  }

  /** Waits until all tests are on the disk. */
  async finishTests(): Promise<void> {
    await this.#tests.finish();
  }

  /** One of the files about the whole exploration. */
  writeFile(name: string, text: string): void {
    writeNewFile(`${this.#folder}/${name}`, encoder.encode(text));
  }

  /** One more question in `queries.EXTENSION`. */
  writeQuery(text: string, extension: DumpFormat): void {
    this.#queries += text;
    if (this.#queries.length >= mostWaiting) this.flushQueries(extension);
  }

  flushQueries(extension: DumpFormat): void {
    appendToFile(`${this.#folder}/queries.${extension}`, encoder.encode(this.#queries));
    this.#queries = '';
  }
}

/** Longer output is cut. */
const mostOutput = 2000;

/** What the program has written on this path. */
function outputOf({ seenHost: host }: State): object {
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes.subarray(0, mostOutput));
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

/** Bytes in hexadecimal, and as what they may mean: a number, or a text. */
function describeInput({ name, bytes }: TestInput): object {
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join(' ');
  const signed = signedValue(bytes);
  return { name, bytes: hex, ...(signed === undefined ? {} : { signed }), text: printable(bytes) };
}

function printable(bytes: Uint8Array): string {
  return Array.from(bytes, byte => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
}

/** What bytes mean that have the size of an integer; a string where a number would not be exact. */
function signedValue(bytes: Uint8Array): number | string | undefined {
  if (![1, 2, 4, 8].includes(bytes.length)) return undefined;
  let value = 0n;
  for (const byte of bytes.toReversed()) value = (value << 8n) | BigInt(byte);
  const signed = BigInt.asIntN(8 * bytes.length, value);
  const isExact = signed >= Number.MIN_SAFE_INTEGER && signed <= Number.MAX_SAFE_INTEGER;
  return isExact ? Number(signed) : String(signed);
}

/** Arguments, standard input and files are text, whatever their length. */
function isText(name: string): boolean {
  return /^(arg\d\d|stdin|[A-Z])$/.test(name);
}

/** As a string of C. */
function quoted(bytes: Uint8Array): string {
  const characters = Array.from(bytes, byte => {
    if (byte === 34 || byte === 92) return `\\${String.fromCharCode(byte)}`;
    return byte >= 32 && byte < 127 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
  });
  return `"${characters.join('')}"`;
}

/** For a message: `n` = 3, `name` = "x..". Nothing for what would take more than a line. */
export function inputsInWords(inputs: readonly TestInput[]): string | undefined {
  const words = inputs.map(
    ({ name, bytes }) => `\`${name}\` = ${(isText(name) ? undefined : signedValue(bytes)) ?? quoted(bytes)}`,
  );
  const text = words.join(', ');
  return inputs.length === 0 || text.length > 80 ? undefined : text;
}

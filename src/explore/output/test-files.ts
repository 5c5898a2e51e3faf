/** A test in each of its formats: KLEE's, readable JSON, C, and Test-Comp's XML. */
import type { Finding } from '../../findings/finding.js';
import { plural } from '../../support/plural.js';
import { writeKTest } from '../inputs/ktest.js';
import { isText, scheduleObject, type TestInput } from '../inputs/test-input.js';
import type { Meaning } from '../memory/origin.js';
import type { EndedPath } from '../search/path-memo.js';
import { type Ending, findingsOf } from '../state/path-end.js';
import { cSnippet, type SnippetProgram } from './c-snippet.js';

/** The end of a path with a known input. */
export type Test = EndedPath & { readonly inputs: readonly TestInput[] };

/** Whether the path was the first to execute a line of the program. */
export function coversNew(news: EndedPath['news']): boolean {
  return news.some(({ lines }) => lines.length > 0);
}

export function nameOfTest(number: number): string {
  return String(number).padStart(6, '0');
}

export function testAsKTest({ inputs }: Test, program: SnippetProgram): Uint8Array {
  return writeKTest({ arguments: program.arguments, objects: inputs });
}

export function testAsJson(test: Test): string {
  const { ending, inputs, instructions, forks, notes } = test;
  const description = {
    end: describeEnding(ending),
    inputs: inputs.map(describeInput),
    instructions,
    forks,
    ...(notes.length > 0 ? { notes } : {}),
    ...outputOf(test),
  };
  return `${JSON.stringify(description, null, 2)}\n`;
}

/** Undefined if another function replaces `main`: then no C program is written. */
export function testAsC({ ending, inputs, number }: Test, program: SnippetProgram): string | undefined {
  if (program.entry === undefined) return undefined;
  const [finding] = findingsOf(ending);
  const title =
    finding === undefined
      ? `test ${number}: ${endInWords(ending)}`
      : `${finding.code} at ${finding.location.file}:${finding.location.line}: ${finding.message}`;
  return cSnippet(program, inputs, title);
}

/**
 * One number for each call of a `__VERIFIER_nondet` function; an array is its elements, a text its
 * bytes.
 */
export function testAsXml({ inputs }: Test): string {
  const values = inputs
    .filter(({ name }) => name !== scheduleObject)
    .flatMap(input => numbersIn(input) ?? [...input.bytes]);
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
    '<!DOCTYPE testcase PUBLIC "+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN" "https://sosy-lab.org/test-format/testcase-1.1.dtd">',
    '<testcase>',
    ...values.map(value => `  <input>${value}</input>`),
    '</testcase>\n',
  ].join('\n');
}

/** How a path ended, in a few words. */
export function endInWords(ending: Ending): string {
  switch (ending.kind) {
    case 'exit':
      return `exit ${ending.status}${ending.leaks.length > 0 ? ', memory-leak' : ''}`;
    case 'finding':
      return ending.finding.code;
    case 'partial':
      return ending.reason;
    case 'unwanted':
      return 'an assumption does not hold';
  }
}

const decoder = new TextDecoder();

/** The output of the program on this path. */
function outputOf({ stdout, stderr }: Test): object {
  return {
    ...(stdout.length === 0 ? {} : { stdout: decoder.decode(stdout) }),
    ...(stderr.length === 0 ? {} : { stderr: decoder.decode(stderr) }),
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

/** Each byte in hexadecimal, and as an ASCII character. */
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

/** The value of an input that is not text: a number, or the numbers of an array. */
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

/** The value of 1, 2, 4 or 8 bytes; a string if JSON has no exact number for it. */
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

/** The length of a message about inputs, and the fewest characters for one of several inputs. */
const MOST_CHARACTERS = 80;
const FEWEST_CHARACTERS = 16;

/**
 * For a message: `n` = 3, `a` = {1, 2}, `name` = "x.." (8 bytes). Texts longer than a line are
 * shortened: long inputs at their end, and the last inputs are only counted. Inputs of zeroes are
 * the last ones then, because bytes on which the path does not depend are zero.
 */
export function inputsInWords(inputs: readonly TestInput[]): string | undefined {
  if (inputs.length === 0) return undefined;
  const share = Math.max(FEWEST_CHARACTERS, Math.floor(MOST_CHARACTERS / inputs.length));
  const whole = inputs.map(input => inputInWords(input, Number.POSITIVE_INFINITY));
  const isShort = whole.join(', ').length <= MOST_CHARACTERS;
  const isZero = ({ bytes }: TestInput): boolean => bytes.every(byte => byte === 0);
  const order = [...inputs.filter(input => !isZero(input)), ...inputs.filter(isZero)];
  const words = isShort ? whole : order.map(input => inputInWords(input, share));
  let shown = 1;
  let length = words[0]!.length;
  while (shown < words.length && length + 2 + words[shown]!.length <= MOST_CHARACTERS)
    length += 2 + words[shown++]!.length;
  const left = words.length - shown;
  return [...words.slice(0, shown), ...(left === 0 ? [] : [`and ${plural(left, 'other input')}`])].join(', ');
}

/** The value in about this many characters: its first bytes or numbers, but at least one. */
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

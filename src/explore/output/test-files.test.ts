/** Inputs as text. */
import { describe, expect, test } from 'vitest';
import type { TestInput } from '../inputs/test-input.js';
import { meaningOf } from '../memory/origin.js';
import { inputsInWords } from './test-files.js';

const bytesOf = (numbers: Float64Array | Float32Array | Int32Array): Uint8Array =>
  new Uint8Array(numbers.buffer);

test.each([
  ['double', bytesOf(new Float64Array([2.5])), '2.5'],
  ['double', bytesOf(new Float64Array([Number.NaN])), 'NaN'],
  ['float', bytesOf(new Float32Array([-0])), '-0'],
  ['int', bytesOf(new Int32Array([-3])), '-3'],
  ['unsigned int', bytesOf(new Int32Array([-3])), '4294967293'],
  ['char[2]', new Uint8Array([65, 10]), '"A\\x0a"'],
  ['char[2]', new Uint8Array([0, 0]), '"\\x00\\x00"'],
  ['unsigned char[2]', new Uint8Array([200, 3]), '{200, 3}'],
  ['int8_t[2]', new Uint8Array([200, 3]), '{-56, 3}'],
  ['uint8_t[4]', new Uint8Array([71, 69, 84, 0]), '"GET\\x00"'],
  ['int[2]', bytesOf(new Int32Array([7, -1])), '{7, -1}'],
  ['int[2][1]', bytesOf(new Int32Array([7, -1])), '{7, -1}'],
  ['double[1]', bytesOf(new Float64Array([2.5])), '2.5'],
  ['struct pair[1]', new Uint8Array([1, 2, 3]), '"\\x01\\x02\\x03"'],
  ['float', new Uint8Array([65]), '"A"'],
])('%s', (type, bytes, text) => {
  const location = { file: 'a.c', line: 1, column: 1 };
  const variable = {
    name: 'x',
    type,
    bytes: bytes.length,
    isParameter: false,
    isOfWholeFunction: true,
    location,
  };
  const meaning = meaningOf(variable);
  expect(inputsInWords([{ name: 'x', bytes, meaning }])).toBe(`\`x\` = ${text}`);
});

describe('inputs that take more than a line are shortened', () => {
  const input = (name: string, bytes: Uint8Array, type = 'char[]'): TestInput => ({
    name,
    bytes,
    meaning: meaningOf({
      name,
      type,
      bytes: bytes.length,
      isParameter: false,
      isOfWholeFunction: true,
      location: { file: 'a.c', line: 1, column: 1 },
    }),
  });

  test('a long text is shown by its beginning and its size', () => {
    const bytes = new Uint8Array(100).fill(97);
    const words = inputsInWords([input('stdin', bytes)]);
    expect(words).toMatch(/^`stdin` = "a{50,}"… \(100 bytes\)$/);
    expect(inputsInWords([input('stdin', bytes.subarray(0, 60))])).toBe(`\`stdin\` = "${'a'.repeat(60)}"`);
  });

  test('a long array is shown by its first numbers', () => {
    const numbers = bytesOf(Int32Array.from({ length: 40 }, (_, i) => 1000 + i));
    expect(inputsInWords([input('a', numbers, 'int[40]')])).toMatch(/^`a` = \{1000, 1001, [\d, ]*, …\}$/);
  });

  test('only the number of the last of many inputs is shown', () => {
    const many = Array.from({ length: 30 }, (_, i) =>
      input(`x${i}`, bytesOf(new Int32Array([100_000 + i])), 'int'),
    );
    expect(inputsInWords(many)).toMatch(/^`x0` = 100000, `x1` = 100001, .*, and 2\d other inputs$/);
    expect(inputsInWords(many)!.length).toBeLessThan(110);
  });

  test('inputs of zeroes are shown last if there is no room for all', () => {
    const zeroes = [input('stdin', new Uint8Array(12)), input('A', new Uint8Array(12))];
    const argument = input('arg00', new Uint8Array([120, 121, 0]));
    expect(inputsInWords([...zeroes, argument])).toMatch(/^`arg00` = "xy\\x00", .*, and \d other inputs?$/);
    expect(inputsInWords([zeroes[0]!, argument])).toMatch(/^`stdin` = .*, `arg00` = "xy\\x00"$/);
  });

  test('no inputs are shown as nothing', () => {
    expect(inputsInWords([])).toBeUndefined();
  });
});

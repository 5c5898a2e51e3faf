/** Inputs as people read them. */
import { expect, test } from 'vitest';
import { meaningOf } from '../memory/origin.js';
import { inputsInWords } from './test-folder.js';

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

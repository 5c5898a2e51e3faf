/** Inputs as people read them. */
import { expect, test } from 'vitest';
import { meaningOf } from './origin.js';
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

/** Programs of the library's differential suites print under `explore` what they print natively. */
import { expect, test } from 'vitest';
import { expectedOutput, exploredOutput } from './explored-output.js';

const names = ['core/random', 'standard/errno', 'standard/stdarg', 'standard/setjmp'];

test.each(names)('%s under explore', async name => {
  expect(await exploredOutput(name)).toBe(expectedOutput(name).replace(/\n$/, ''));
});

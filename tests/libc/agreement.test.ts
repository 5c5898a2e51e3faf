/**
 * Programs of the library's differential suites print under both engines what they print natively.
 * All of them are in `agreement.long.test.ts`; these are quick.
 */

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Engine, expectedOutput, outputUnder, sourceOf } from './engine-output.js';
import { hasGcc, nativeRun } from './harness.js';

const names = ['core/long-double', 'core/random', 'standard/errno', 'standard/stdarg', 'standard/setjmp'];
const engines: readonly Engine[] = ['check', 'explore'];

describe.each(engines)('under %s', engine => {
  test.each(names)('%s', async name => {
    const { stdout, findings } = await outputUnder(engine, name);
    expect({ stdout, findings }).toEqual({ stdout: expectedOutput(name), findings: [] });
  });
});

test('modes of descriptors and reasons of failures are the same in a real folder, a modelled one and natively', async () => {
  const [real, modelled] = [await outputUnder('check', 'modes'), await outputUnder('explore', 'modes')];
  expect(real.findings).toEqual([]);
  expect(modelled.findings).toEqual([]);
  expect(real.stdout).toMatch(/^open\("missing", O_RDONLY\) +ENOENT\n/);
  expect(modelled.stdout).toBe(real.stdout);
  if (hasGcc) expect(nativeRun(readFileSync(sourceOf('modes'), 'utf8')).stdout).toBe(real.stdout);
});

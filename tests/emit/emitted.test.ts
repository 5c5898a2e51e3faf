/**
 * The emitter against LLVM: programs without checks, of unoptimised and of optimised IR, print the
 * same whichever of them has compiled them, and gcc's print it too.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { build, hasGcc, nativeRun, run } from '../libc/harness.js';
import { randomProgram } from '../random-programs/generate.js';

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');

test.each([
  ['values.c', ['-w']],
  ['control.c', ['-w']],
  ['control.c', ['-w', '-O2']],
  ['../libc/programs/standard/setjmp.c', ['-w']],
])('%s with %j', async (name, flags) => {
  const source = read(name);
  const emitted = run(await build(source, { flags, emits: true, optimise: flags.includes('-O2') }));
  const compiled = run(await build(source, { flags }));
  expect([emitted.reason, emitted.stdout, emitted.status]).toEqual(['', compiled.stdout, compiled.status]);
  if (hasGcc) expect(emitted.stdout).toBe(nativeRun(source).stdout);
});

describe('random programs', () => {
  test.each([1, 2, 3, 4, 5, 6])('seed %i', async seed => {
    const { text } = randomProgram(seed);
    const optimise = seed % 2 === 0;
    const flags = ['-w', '-DEXPECTED=0', ...(optimise ? ['-O2'] : [])];
    const emitted = run(await build(text, { flags, emits: true, optimise }));
    const compiled = run(await build(text, { flags }));
    expect([emitted.reason, emitted.stdout, emitted.status]).toEqual([
      compiled.reason,
      compiled.stdout,
      compiled.status,
    ]);
  });
});

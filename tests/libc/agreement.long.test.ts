/**
 * Both engines and the machine agree on what the C library answers: every program of the
 * differential suites, under `check` and under `explore` with nothing symbolic, prints what it
 * prints natively, and nothing is found in it or in the library.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Engine, expectedOutput, outputUnder, sourceOf } from './engine-output.js';
import { hasGcc, nativeRun } from './harness.js';

/** Under `explore`. Nearly all take a few seconds. */
const BUDGET_MS = 240_000;

/** What is not run, and why. */
const leftOut: Record<Engine, Readonly<Record<string, string>>> = {
  check: {},
  explore: {
    'core/numbers': 'it reads 100000 random texts as numbers, which takes minutes',
    'core/string': 'it makes 20000 rounds of all functions on random texts, which takes minutes',
  },
};

/** Without `programs/*-driver.c`, which separate long tests run on generated cases. */
const programs = readdirSync(join(import.meta.dirname, 'programs'), { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.c') && !file.endsWith('-driver.c'))
  .map(file => file.slice(0, -2));
const withExpectation = programs.filter(name => name.includes('/'));
/** Compared with what gcc makes of them. */
const withoutExpectation = programs.filter(name => !name.includes('/'));
const stdin = 'word next\nsecond line\n';

describe.each(['check', 'explore'] as const)('under %s', engine => {
  const isRun = (name: string): boolean => leftOut[engine][name] === undefined;
  for (const [name, why] of Object.entries(leftOut[engine]))
    process.stdout.write(`left out under ${engine}: ${name}: ${why}\n`);

  test.each(withExpectation.filter(isRun))('%s', async name => {
    const { stdout, findings, summary } = await outputUnder(engine, name, undefined, {
      maxTimeMs: BUDGET_MS,
    });
    expect({ stdout, findings }, summary).toEqual({ stdout: expectedOutput(name), findings: [] });
  });

  test.runIf(hasGcc).each(withoutExpectation.filter(isRun))('%s', async name => {
    const native = nativeRun(readFileSync(sourceOf(name), 'utf8'), { stdin });
    const { stdout, stderr } = await outputUnder(engine, name, stdin, { maxTimeMs: BUDGET_MS });
    // The program is called by its path here, and `program` natively.
    const named = stderr.replaceAll(sourceOf(name).slice(0, -2), name).replaceAll(`${name}:`, 'program:');
    expect({ stdout, stderr: named }).toEqual({ stdout: native.stdout, stderr: native.stderr });
  });
});

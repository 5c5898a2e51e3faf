/**
 * The races of `tests/golden/threads.c` beside ThreadSanitizer, where gcc has it: what it reports
 * we report, and in the fixed twins neither reports anything.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { check } from '../../src/index.js';
import { hasGcc } from '../libc/harness.js';

const source = join(import.meta.dirname, '../golden/threads.c');
/** Case 14 is a thread that is never joined, which ThreadSanitizer calls a leak. */
const cases = Array.from({ length: 15 }, (_, i) => i + 1);

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'redzone-tsan-'));
});
afterAll(() => rmSync(scratch, { recursive: true }));

/** What ThreadSanitizer says of a run; undefined when it cannot run here. */
function sanitized(flags: readonly string[], number?: number): string | undefined {
  const program = join(scratch, `program${flags.join('')}`);
  const built = spawnSync('gcc', [
    '-g',
    '-O1',
    '-fsanitize=thread',
    '-pthread',
    ...flags,
    source,
    '-o',
    program,
  ]);
  if (built.status !== 0) return undefined;
  const { stderr } = spawnSync(program, number === undefined ? [] : [String(number)], { encoding: 'utf8' });
  return stderr.includes('unexpected memory mapping') ? undefined : stderr;
}

test.runIf(hasGcc)('what ThreadSanitizer reports is reported here', async () => {
  const missed: number[] = [];
  for (const number of cases) {
    const theirs = sanitized([], number);
    if (theirs === undefined) return;
    const { findings } = await check({ inputs: [source], arguments: [String(number)] });
    if (theirs.includes('data race') && !findings.some(({ code }) => code === 'data-race'))
      missed.push(number);
  }
  expect(missed).toEqual([]);
  expect(sanitized(['-DFIXED']) ?? '').not.toContain('data race');
});

test('the fixed twins are silent under fifty schedules', async () => {
  const report = await check({ inputs: [source], clangFlags: ['-DFIXED'], schedules: 50 });
  expect(report.findings).toEqual([]);
  expect(report.summary).toContain('50 schedules');
});

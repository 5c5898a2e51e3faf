/**
 * Random programs, four ways: gcc without and with optimisation, `check` with all checks, and
 * `explore` without symbolic inputs. All must compute the same, and find nothing; with one loop
 * broken, both engines must find that, and where.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { check, explore, type Finding } from '../src/index.js';
import { randomProgram } from './random-programs/generate.js';

const firstSeed = Number(process.env.REDZONE_SEED ?? 1);
const count = Number(process.env.REDZONE_COUNT ?? 60);
const folder = mkdtempSync(join(tmpdir(), 'redzone-random-'));
afterAll(() => rmSync(folder, { recursive: true }));

function native(text: string, level: string): string {
  const [source, program] = [join(folder, 'a.c'), join(folder, 'a.out')];
  writeFileSync(source, text);
  execFileSync('gcc', [level, '-w', '-o', program, source]);
  return execFileSync(program, { encoding: 'utf8', timeout: 60_000 }).trim();
}

const brief = ({ code, location, message }: Finding): string => `${location?.line} ${code}: ${message}`;

describe.each(Array.from({ length: count }, (_, i) => firstSeed + i))('seed %i', seed => {
  const { text, bugs } = randomProgram(seed);
  const inputs = [{ name: 'a.c', text }];

  test('all engines compute the same', async () => {
    const expected = native(text, '-O0');
    expect(native(text, '-O2')).toBe(expected);
    const clangFlags = [`-DEXPECTED=${expected}`, '-w'];
    const level = ['-O0', '-O2'][seed % 2]!;
    const checked = await check({ inputs, clangFlags: [...clangFlags, level], maxTimeMs: 120_000 });
    expect(checked.findings.map(brief)).toEqual([]);
    expect(checked.program).toEqual({ exit: 0, signal: null });
    const explored = await explore({ inputs, clangFlags });
    expect(explored.findings.map(brief)).toEqual([]);
    expect(explored.stats.paths).toEqual({ completed: 1, error: 0, partial: 0 });
  });

  test('a broken loop is found at its line', async () => {
    if (bugs.length === 0) return;
    const n = seed % bugs.length;
    const { code, line } = bugs[n]!;
    const clangFlags = [`-DBUG=${n + 1}`, '-w'];
    const { findings } = await check({ inputs, clangFlags, maxTimeMs: 120_000 });
    // The loop may be guarded by a condition that never holds.
    if (findings.length === 0) {
      expect(native(text.replace('#define BUG 0', `#define BUG ${n + 1}`), '-O0')).toBe(native(text, '-O0'));
      return;
    }
    expect(findings.map(one => [one.code, one.location?.line])).toEqual([[code, line]]);
    const explored = await explore({ inputs, clangFlags });
    expect(explored.findings.map(one => [one.code, one.location?.line])).toEqual([[code, line]]);
  });
});

/**
 * The verdicts of `check` against those of clang's own sanitizers (Address-, Leak-, Undefined-
 * Behavior- and MemorySanitizer) on the pairs of `clang-programs.ts`, where a system clang is
 * found. Errors that only one of them finds are listed there, with the reason; neither may report a
 * fixed program.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { check } from '../src/index.js';
import { comparedPairs } from './clang-programs.js';
import { hasTool, noteLeftOut } from './optional-tools.js';

const leftOut = "the verdicts of clang's sanitizers";
const folder = mkdtempSync(join(tmpdir(), 'redzone-clang-'));
afterAll(() => rmSync(folder, { recursive: true }));

const builds = [
  '-fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all',
  '-fsanitize=memory',
];
const environment = { ...process.env, ASAN_OPTIONS: 'detect_stack_use_after_return=1' };

/** Undefined if the compiler lacks the sanitizer. */
function clangReports(name: string, text: string, flags: string): boolean | undefined {
  const source = join(folder, `${name}.c`);
  const program = join(folder, name);
  writeFileSync(source, text);
  const { status } = spawnSync('clang', ['-w', '-g', ...flags.split(' '), source, '-o', program]);
  return status === 0 ? spawnSync(program, { env: environment }).status !== 0 : undefined;
}

function canCompare(): boolean {
  if (!hasTool('clang', leftOut)) return false;
  const isComplete = builds.every(
    flags => clangReports('none', 'int main(void) { return 0; }', flags) === false,
  );
  if (!isComplete) noteLeftOut('clang with sanitizers', leftOut);
  return isComplete;
}

const isComparing = canCompare();

describe.each(comparedPairs)('$name', ({ name, text, only }) => {
  const both = [
    ['with the error', '#define BUG(x, y) x', true],
    ['without it', '#define BUG(x, y) y', false],
  ] as const;

  test.each(both)('%s', async (_, define, isWrong) => {
    const whole = `${define}\n${text}`;
    const { findings } = await check({ inputs: [{ name: `${name}.c`, text: whole }] });
    expect(findings.length > 0).toBe(isWrong && (only ?? 'redzone') === 'redzone');
    if (!isComparing) return;
    const isReported = builds.some(flags => clangReports(name, whole, flags) === true);
    expect(isReported).toBe(isWrong && (only ?? 'clang') === 'clang');
  });
});

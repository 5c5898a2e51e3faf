/**
 * The cases of the golden programs, each in a run of its own that ends with its finding: what the
 * normal run meets one after the other with `--keep-going`. Where gcc with its sanitizers is on the
 * machine, the verdicts are compared: what it finds in a case has the code that we give it, and in
 * the fixed twins it finds nothing either.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { check, type Finding, type FindingCode } from '../src/index.js';
import { filesBelow } from '../src/platform/files.js';
import { differences, parseGolden } from './golden-runner/annotations.js';
import { hasGcc } from './libc/harness.js';

const folder = join(import.meta.dirname, 'golden');
const sourceOf = (file: string) => readFileSync(join(folder, file), 'utf8');
const files = filesBelow(folder).filter(file => file.endsWith('.c') && /^\/\/ cases:/m.test(sourceOf(file)));

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'redzone-asan-'));
});
afterAll(() => rmSync(scratch, { recursive: true }));

describe.each(files)('%s', file => {
  const program = parseGolden(sourceOf(file));
  const { cases = 0 } = program;
  const found: Finding[] = [];

  test('has an error in each case', async () => {
    for (let number = 1; number <= cases; number++) {
      const { findings } = await check({
        inputs: [join(folder, file)],
        arguments: [String(number)],
        ...(program.checks && { checks: program.checks }),
        maxTimeMs: 60_000,
      });
      expect(findings, `case ${number}`).toHaveLength(1);
      found.push(...findings);
    }
    expect(differences(program, 'check', found)).toEqual([]);
  });

  test.runIf(hasGcc)("has the same error with gcc's sanitizers, where they detect it", () => {
    const run = sanitized(file);
    const differing = found.flatMap(({ code }, i) => {
      const words = run([String(i + 1)]);
      const theirs = knownWords.find(([pattern]) => pattern.test(words))?.[1];
      // The consequence of a race depends on the timing: gcc may report a use after return.
      if (code === 'data-race') return [];
      return theirs === undefined || theirs === code ? [] : [`case ${i + 1}: ${code} is to gcc: ${words}`];
    });
    expect(differing).toEqual([]);
    expect(sanitized(file.replace(/\.c$/, '.fixed.c'))([])).toBe('');
  });
});

/** The names that gcc's sanitizers give to errors, where they are as specific as our codes. */
const knownWords: readonly (readonly [RegExp, FindingCode])[] = [
  [/heap-buffer-overflow/, 'heap-buffer-overflow'],
  [/stack-buffer-overflow/, 'stack-buffer-overflow'],
  [/global-buffer-overflow/, 'global-buffer-overflow'],
  [/heap-use-after-free/, 'use-after-free'],
  [/stack-use-after-scope/, 'use-after-scope'],
  [/stack-use-after-return/, 'use-after-return'],
  [/double-free/, 'double-free'],
  [/not malloc\(\)-ed/, 'invalid-free'],
  [/param-overlap/, 'overlapping-copy'],
  [/signed integer overflow|negation of|division of -/, 'signed-overflow'],
  [/division by zero/, 'division-by-zero'],
  [/^(left )?shift/, 'shift-out-of-bounds'],
  [/outside the range of representable/, 'float-cast-overflow'],
  [/unreachable program point/, 'unreachable-reached'],
];

/**
 * Builds a program with AddressSanitizer and UndefinedBehaviorSanitizer; a run says what was found,
 * '' for nothing.
 */
function sanitized(file: string): (args: string[]) => string {
  const executable = join(scratch, file.replace(/\W/g, '-'));
  const kinds = '-fsanitize=address,undefined,float-cast-overflow';
  const source = join(folder, file);
  const flags = ['-O0', '-g', '-w', kinds, '-fno-sanitize-recover=all'];
  // Atomics of more than 16 bytes are functions of a library.
  execFileSync('gcc', [...flags, source, '-o', executable, '-latomic']);
  const env = { ...process.env, ASAN_OPTIONS: 'detect_stack_use_after_return=1' };
  return args => {
    const { stderr } = spawnSync(executable, args, { encoding: 'utf8', env });
    return /(?<=AddressSanitizer: |runtime error: )[^\n]*/.exec(stderr)?.[0] ?? '';
  };
}

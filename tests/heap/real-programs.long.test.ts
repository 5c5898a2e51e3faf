/**
 * Real programs run on every malloc, with nothing in between, and under the monitor: SQLite, LMDB
 * and tree-sitter.
 *
 * Which malloc a program runs on does not change its binary: the first run of each kind compiles,
 * for minutes, and the other eight find it in the cache. So these follow each other, while two
 * kinds are run at once (`maxConcurrency`), the longest first.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mallocNames } from '../../src/index.js';
import { folder, installSources, type RealProgram, realPrograms } from '../real-programs/programs.js';

const redzone = join(import.meta.dirname, '../../bin/redzone.js');
let home: string;

beforeAll(() => {
  installSources();
  home = realpathSync(mkdtempSync('/var/tmp/redzone-heap-'));
});
afterAll(() => rmSync(home, { recursive: true }));

/**
 * The output of `redzone check`, in a separate folder: LMDB continues an existing database.
 */
async function checked({ sources, flags, stdin, argument }: RealProgram, options: string[]): Promise<string> {
  const cwd = mkdtempSync(join(home, 'run-'));
  mkdirSync(join(cwd, 'data'));
  const args = [redzone, 'check', ...options, ...sources, ...flags, '--', argument];
  const child = spawn(process.execPath, args, { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(readFileSync(join(folder, stdin)));
  return text(child.stdout);
}

const kinds = realPrograms.toReversed().flatMap(program => [
  { program, name: program.name, how: 'under the monitor', options: [] },
  { program, name: program.name, how: 'raw', options: ['--no-checks'] },
]);

test.concurrent.each(kinds)('$name, $how, on every malloc', async ({ program, options }) => {
  for (const malloc of mallocNames) {
    const stdout = await checked(program, [...options, '--malloc', malloc]);
    expect(stdout, malloc).toContain(program.says);
    expect(stdout, malloc).toContain('nothing found; the program exited with status 0');
  }
});

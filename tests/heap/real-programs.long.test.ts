/** Real programs run on every malloc, with nothing in between, and under the monitor: SQLite, LMDB and tree-sitter. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mallocNames } from '../../src/index.js';
import { folder, installSources, type RealProgram, realPrograms } from '../real-programs/programs.js';

const redzone = join(import.meta.dirname, '../../bin/redzone.js');
let home: string;

beforeAll(() => {
  installSources();
  home = realpathSync(mkdtempSync('/var/tmp/redzone-heap-'));
});
afterAll(() => rmSync(home, { recursive: true }));

function run({ sources, flags, stdin, argument }: RealProgram, ...options: string[]): string {
  // LMDB goes on with the database that it finds: each run begins without one.
  rmSync(join(home, 'data'), { recursive: true, force: true });
  mkdirSync(join(home, 'data'));
  const args = [redzone, 'check', ...options, ...sources, ...flags, '--', argument];
  const input = readFileSync(join(folder, stdin));
  return spawnSync(process.execPath, args, { cwd: home, input, encoding: 'utf8', maxBuffer: 1 << 26 }).stdout;
}

describe.each(realPrograms)('$name', program => {
  test.each(mallocNames)('raw on %s', malloc => {
    const stdout = run(program, '--no-checks', '--malloc', malloc);
    expect(stdout).toContain(program.says);
    expect(stdout).toContain('the program exited with status 0');
  });

  test.each(mallocNames)('checked, on the blocks of %s', malloc => {
    const stdout = run(program, '--malloc', malloc);
    expect(stdout).toContain(program.says);
    expect(stdout).toContain('nothing found; the program exited with status 0');
  });
});

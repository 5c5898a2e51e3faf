/**
 * Real programs stay silent: SQLite, LMDB and tree-sitter under `check` with all checks, doing
 * their work. Every finding there was treated as a defect of Redzone until shown otherwise.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  folder,
  installSources,
  type RealProgram,
  realPrograms,
  threadedLmdb,
  threadedSqlite,
} from '../real-programs/programs.js';

const redzone = join(import.meta.dirname, '../../bin/redzone.js');
let home: string;

beforeAll(() => {
  installSources();
  // Not below /tmp, which the host replaces by a folder of its own.
  home = realpathSync(mkdtempSync('/var/tmp/redzone-real-'));
  mkdirSync(join(home, 'data'));
});
afterAll(() => rmSync(home, { recursive: true }));

function checked({ sources, flags, stdin }: RealProgram, ...args: string[]) {
  const { stdout, status } = spawnSync(
    process.execPath,
    [redzone, 'check', ...sources, ...flags, '--', ...args],
    {
      cwd: home,
      input: readFileSync(join(folder, stdin)),
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    },
  );
  return { status, stdout };
}

test.each([...realPrograms, threadedSqlite, threadedLmdb])('$name', program => {
  const { status, stdout } = checked(program, program.argument);
  expect(stdout).toContain(program.says);
  expect(stdout).toMatch(/nothing found; (\d+ findings suppressed; )?the program exited with status 0/);
  expect(status).toBe(0);
});

test('lmdb from the cache prints the same bytes as when it is built', () => {
  const lmdb = realPrograms.find(({ name }) => name === 'lmdb')!;
  const cacheBefore = process.env.REDZONE_CACHE;
  process.env.REDZONE_CACHE = join(home, 'cache');
  try {
    const runs = ['one', 'two'].map(database => {
      mkdirSync(join(home, database));
      return checked(lmdb, database);
    });
    expect(runs[0]).toEqual(runs[1]);
  } finally {
    if (cacheBefore === undefined) delete process.env.REDZONE_CACHE;
    else process.env.REDZONE_CACHE = cacheBefore;
  }
});

test('lmdb on the database that it left', () => {
  const lmdb = realPrograms.find(({ name }) => name === 'lmdb')!;
  expect(checked(lmdb, lmdb.argument)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(lmdb.says),
  });
});

test('sqlite in memory', () => {
  const sqlite = realPrograms.find(({ name }) => name === 'sqlite')!;
  expect(checked(sqlite, ':memory:')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(sqlite.says),
  });
});

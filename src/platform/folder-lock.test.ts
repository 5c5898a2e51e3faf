/** One process owns a folder, and a dead one owns none. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lockFolder } from './folder-lock.js';

const folder = mkdtempSync(join(tmpdir(), 'redzone-lock-'));
const path = join(folder, 'lock');
afterAll(() => rmSync(folder, { recursive: true }));

test('the owner is named, and the folder is free after its release', () => {
  const first = lockFolder(folder);
  expect(lockFolder(folder)).toEqual({ kind: 'owned', pid: process.pid });
  if (first.kind === 'locked') first.lock.release();
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ['of a process that has ended', `${spawnSync('true').pid} 12345 ${hostname()}\n`],
  ['of an earlier process of the same number', `${process.pid} 1 ${hostname()}\n`],
  ['that was cut', '12'],
  ['that is empty', ''],
])('a lock %s is taken over', (_, text) => {
  writeFileSync(path, text);
  const result = lockFolder(folder);
  expect(result.kind).toBe('locked');
  if (result.kind === 'locked') result.lock.release();
  expect(readdirSync(folder)).toEqual([]);
});

test('a process that runs keeps its lock, and so does one of another machine', () => {
  writeFileSync(path, `${process.pid} 1 elsewhere\n`);
  expect(lockFolder(folder)).toEqual({ kind: 'owned', pid: process.pid, machine: 'elsewhere' });
  rmSync(path);
});

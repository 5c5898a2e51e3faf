/** Compiled code is kept between runs of the command line, and is only used if it is whole. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const bin = join(import.meta.dirname, '../../bin/redzone.js');
const folder = mkdtempSync(join(tmpdir(), 'redzone-code-'));
const code = join(folder, 'code');
const source = join(folder, 'wrong.ll');
writeFileSync(source, 'this is not IR\n');
afterAll(() => rmSync(folder, { recursive: true }));

/** Ends in an error in both threads, with what it printed and the kept files. */
function exploreWrongIr(): { printed: string; files: Map<string, string> } {
  // Code of other flags is kept separately, also in `dist/library`.
  const environment = { ...process.env, REDZONE_CACHE: folder, NODE_OPTIONS: '--no-deprecation' };
  const { status, stderr } = spawnSync(process.execPath, [bin, 'explore', source], {
    env: environment,
    encoding: 'utf8',
  });
  expect(status).toBe(2);
  const files = readdirSync(code).map((name): [string, string] => [
    name,
    readFileSync(join(code, name), 'latin1'),
  ]);
  return { printed: stderr, files: new Map(files) };
}

test('the code of both threads is kept once, and used until it is damaged', () => {
  const first = exploreWrongIr();
  expect(first.printed).toContain('wrong.ll');
  expect(first.files.size).toBe(2);

  // Code that V8 has accepted is not written again: V8 would now save more functions.
  const second = exploreWrongIr();
  expect(second).toEqual(first);

  for (const [name, bytes] of first.files) writeFileSync(join(code, name), bytes.slice(0, -1), 'latin1');
  const third = exploreWrongIr();
  expect(third.printed).toBe(first.printed);
  for (const [name, bytes] of third.files) expect(bytes.length).not.toBe(first.files.get(name)!.length - 1);
});

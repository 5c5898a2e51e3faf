/**
 * The programs of programs/core under the monitor: it must find nothing in them or in the library,
 * and change nothing.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folder = join(import.meta.dirname, 'programs/core');
const names = readdirSync(folder)
  .filter(file => file.endsWith('.c'))
  .map(file => file.slice(0, -2));

test.each(names)(
  '%s',
  name => {
    const args = ['bin/redzone.js', 'check', join(folder, `${name}.c`), '-D_GNU_SOURCE', '-q'];
    const stdout = execFileSync('node', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const expected = readFileSync(join(folder, `${name}.expected`), 'utf8');
    expect(stdout).toBe(expected.replace(/exit \d+\n$/, ''));
  },
  300_000,
);

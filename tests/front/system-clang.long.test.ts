/**
 * `--clang PATH` with a clang of the machine: one that is there, or else one that apt installs.
 * If neither is available, one line says so.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { check } from '../../src/index.js';
import { noteLeftOut } from '../optional-tools.js';

const root = join(import.meta.dirname, '../..');
const isThere = (name: string): boolean => spawnSync(name, ['--version']).status === 0;

/** Clangs whose IR has opaque pointers, the newest first. */
const names = Array.from({ length: 15 }, (_, i) => `clang-${30 - i}`);

function systemClang(): string | undefined {
  const found = names.find(isThere);
  if (found !== undefined) return found;
  for (const name of names) {
    spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', name], { stdio: 'ignore' });
    if (isThere(name)) return name;
  }
  return undefined;
}

test('finds what the embedded clang finds', async () => {
  const clang = systemClang();
  if (clang === undefined) {
    noteLeftOut('clang', '--clang is not tried with a clang of the machine');
    return;
  }
  const inputs = [join(root, 'examples/use-after-free.c')];
  const embedded = await check({ inputs });
  const system = await check({ inputs, clang });
  expect(system.findings).toEqual(embedded.findings);
  expect(system.findings).toMatchObject([{ code: 'use-after-free' }]);
  const jump = `#include <setjmp.h>
static jmp_buf place;
int main(void) { volatile int turns = 0; if (setjmp(place) < 2) longjmp(place, ++turns); return turns - 2; }`;
  for (const given of [{}, { clang }]) {
    const { verdict, program } = await check({ inputs: [{ name: 'jump.c', text: jump }], ...given });
    expect({ verdict, program }).toEqual({ verdict: 'clean', program: { exit: 0, signal: null } });
  }
});

/** A program finds the same, in the same places, whether it was emitted or optimised. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { check } from '../../src/index.js';
import { atSpeed, compareSpeeds } from './both-speeds.js';

const cacheBefore = process.env.REDZONE_CACHE;
const home = mkdtempSync(join(tmpdir(), 'redzone-speeds-'));

afterAll(() => {
  if (cacheBefore === undefined) delete process.env.REDZONE_CACHE;
  else process.env.REDZONE_CACHE = cacheBefore;
  rmSync(home, { recursive: true });
});

test.each(['heap-bounds.c', 'taint.c', 'wild-pointers.c'])('%s', async name => {
  await compareSpeeds(`tests/golden/${name}`);
});

test('auto builds quickly unless the cache has optimised code', async () => {
  process.env.REDZONE_CACHE = join(home, 'cache');
  const text = 'int main(void) { int a[3] = {1, 2, 3}; return a[0]; }';
  const phasesAt = async (speed: 'quick' | 'optimised' | 'auto'): Promise<string[]> => {
    const phases: string[] = [];
    const onEvent = (event: { readonly kind: string; readonly text?: string }): void => {
      if (event.kind === 'phase') phases.push(event.text!);
    };
    const { program } = await atSpeed(speed, () => check({ inputs: [{ name: 'a.c', text }] }, { onEvent }));
    expect(program?.exit).toBe(1);
    return phases;
  };
  expect(await phasesAt('auto')).toContain('emitting');
  expect(await phasesAt('auto')).toEqual(['running']);
  expect(await phasesAt('optimised')).toContain('optimising');
  expect(await phasesAt('auto')).toEqual(['running']);
});

/**
 * One rule for AbortSignals, in every phase of every function: those that can know something before
 * their end resolve with what is known, and their verdict is inconclusive; the others reject with
 * the reason of the signal.
 *
 * A phase is met exactly, without a clock: the signal aborts when its event arrives.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeKTest } from '../src/explore/inputs/ktest.js';
import {
  check,
  compileToIr,
  doctor,
  explore,
  heapAttack,
  heapCompare,
  type ProgramInput,
  prove,
  type RunControl,
  type RunEvent,
  replay,
} from '../src/index.js';

/** Another program each time, so that no phase is left out because the cache has its result. */
let texts = process.hrtime.bigint();
const program = (): ProgramInput => ({
  name: 'loop.c',
  text: `int main(void) { for (volatile long i = 0; i >= 0; i++) if (i == ${texts++}) return 1; return 0; }`,
});

/** Aborts at the first event for which `isWanted` is true; `reached` is whether there was one. */
function abortAt(isWanted: (event: RunEvent) => boolean): RunControl & { reached(): boolean } {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    onEvent: event => {
      if (isWanted(event)) controller.abort(new Error('enough'));
    },
    reached: () => controller.signal.aborted,
  };
}

const phase =
  (name: string) =>
  (event: RunEvent): boolean =>
    event.kind === 'phase' && event.text.startsWith(name);

describe.each([
  ['check', check, ['compiling', 'linking', 'instrumenting', 'emitting', 'linking objects', 'running']],
  ['explore', explore, ['compiling', 'linking', 'exploring']],
] as const)('%s', (_, run, phases) => {
  test.each(phases)('stopped while %s', async name => {
    const control = abortAt(phase(name));
    const { verdict, findings, summary } = await run({ inputs: [program()] }, control);
    expect(control.reached()).toBe(true);
    expect([verdict, findings]).toEqual(['inconclusive', []]);
    expect(summary).toContain('interrupted');
  });

  test('stopped before it begins', async () => {
    const report = await run({ inputs: [program()] }, { signal: AbortSignal.abort() });
    expect(report.verdict).toBe('inconclusive');
  });
});

test('replay', async () => {
  const control = abortAt(phase('compiling'));
  const folder = mkdtempSync(join(tmpdir(), 'redzone-abort-'));
  const test = join(folder, 'test.ktest');
  writeFileSync(test, writeKTest({ arguments: ['loop'], objects: [] }));
  const { verdict } = await replay({ inputs: [program()], test }, control);
  rmSync(folder, { recursive: true });
  expect([control.reached(), verdict]).toEqual([true, 'inconclusive']);
});

test('prove', async () => {
  const control = abortAt(phase('proving'));
  const { verdict, results } = await prove({ model: 'lfht', threads: 9, engine: 'explicit' }, control);
  expect([control.reached(), verdict]).toEqual([true, 'inconclusive']);
  expect(results.every(({ status, reason }) => status !== 'unknown' || reason?.includes('interrupted'))).toBe(
    true,
  );
});

test('heapAttack and heapCompare', async () => {
  const attacks = ['double-free', 'double-free-fast'];
  const first = abortAt(event => event.kind === 'progress' && event.counts.done === 1);
  const report = await heapAttack({ attacks, mallocs: ['sri', 'bibop'] }, first);
  expect([first.reached(), report.verdict]).toEqual([true, 'inconclusive']);
  const second = abortAt(event => event.kind === 'progress');
  const { isComplete } = await heapCompare({ mallocs: ['sri'] }, second);
  expect([second.reached(), isComplete]).toEqual([true, false]);
});

test('compileToIr and doctor reject with the reason', async () => {
  const control = abortAt(phase('compiling'));
  await expect(compileToIr({ inputs: [program()] }, control)).rejects.toThrow('enough');
  await expect(doctor({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
});

/**
 * Programs that branch on symbolic floats and doubles: all their paths, and the notes about
 * concretized values.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type ExploreReport, explore } from '../../src/index.js';

const folder = mkdtempSync(join(tmpdir(), 'redzone-floats-'));
afterAll(() => rmSync(folder, { recursive: true }));

const source = (text: string, confirm = false): Promise<ExploreReport> =>
  explore({
    inputs: [{ name: 'test.c', text: `#include <klee/klee.h>\n#include <math.h>\n${text}` }],
    folder,
    confirm,
  });

const findings = (report: ExploreReport): string[] =>
  report.findings
    .map(({ code, location, confirmed }) => `${code}:${location.line}${confirmed ? '' : ' (not confirmed)'}`)
    .sort();

test('comparisons, copies, selections, classes and signs keep values symbolic', async () => {
  const report = await source(`
    int main(void) {
      double d, copy[2];
      klee_make_symbolic(&d, sizeof d, "d");
      copy[0] = d, copy[1] = -d;
      if (isnan(d)) return 1;
      if (isinf(d)) return copysign(1, d) != (d > 0 ? 1 : -1);
      if (copy[0] > 3.5) return copy[1] < -3.5 ? 2 : 99;
      if (fabs(d) < 1e-300) return 3;
      double larger = d > -7 ? d : -7;
      klee_assert(larger >= -7 && larger <= 3.5);
      return 4;
    }`);
  expect(report.summary).toBe('all 6 paths explored');
  expect(report.verdict).toBe('clean');
});

test('a float that becomes an index reaches the end of the array and values that do not fit', async () => {
  const report = await source(
    `
    int table[10];
    int main(void) {
      float f;
      klee_make_symbolic(&f, sizeof f, "f");
      if (f < 0 || f >= 11) return 1;
      return table[(int)f];
    }`,
    true,
  );
  expect(findings(report)).toEqual(['float-cast-overflow:9', 'global-buffer-overflow:9']);
  expect(report.findings.map(({ message }) => message)).toContain('NaN does not fit in `int`');
  expect(report.findings.flatMap(({ notes }) => notes?.map(({ message }) => message) ?? [])).toEqual(
    expect.arrayContaining([expect.stringMatching(/^happens when `f` = 10(\.\d+)?$/)]),
  );
  expect(report.summary).toBe('all 5 paths explored');
});

test('integers are converted to floats and computed with', async () => {
  const report = await source(`
    int main(void) {
      int n = klee_int("n");
      float half = n * 0.5f;
      if (half == 1234.5f) return n == 2469 ? 1 : 99;
      if (floorf(half) > 16777216.0f) return 2;
      if ((double)half * 2 != n) klee_assert(n > 16777216 || n < -16777216);
      return 3;
    }`);
  expect(report.verdict).toBe('clean');
  expect(report.summary).toBe('all 5 paths explored');
});

test('remainders of symbolic floats, and long doubles, are concretized, which is reported', async () => {
  const report = await source(`
    int main(void) {
      double d;
      klee_make_symbolic(&d, sizeof d, "d");
      if (d > 7) return 3;
      return fmod(d, 3) > 1 || (long double)d > 2;
    }`);
  expect(report.summary).toMatch(/^\d+ paths? explored; a symbolic float was concretized/);
  expect(report.chosen).toMatchObject([{ location: { file: 'test.c', line: 8 }, paths: 1 }]);
});

/** Bytes of floats that are stored by compiled code, read one by one: 0xa7 is one of them. */
const bytewise = (written: number): string => `
    #include <string.h>
    static int total;
    static void look(double d, float f) {
      unsigned char bytes[12];
      memcpy(bytes, &d, ${written});
      memcpy(bytes + 8, &f, 4);
      for (int i = 0; i < 12; i++) if (bytes[i] & 1) total++;
    }
    int main(void) {
      for (int i = 0; i < 256; i++) look(1 + i * 0x1p-44, 1 + i * 0x1p-15f);
      return total == 0;
    }`;

test('every byte of a float that was stored is written, whatever its value', async () => {
  expect(findings(await source(bytewise(8)))).toEqual([]);
  expect(findings(await source(bytewise(7), true))).toEqual(['uninitialized-read:10']);
});

test('modf and powers by integers are computed', async () => {
  const report = await source(`
    int main(void) {
      volatile double d = -3.75;
      volatile float f = 2.5f;
      volatile long double l = 7.25L;
      double whole;
      float part;
      long double large;
      klee_assert(modf(d, &whole) == -0.75 && whole == -3);
      klee_assert(modff(f, &part) == 0.5f && part == 2);
      klee_assert(modfl(l, &large) == 0.25L && large == 7);
      klee_assert(__builtin_powi(d, 3) == -52.734375 && __builtin_powi(f, -2) == 1 / 6.25);
      return 0;
    }`);
  expect(findings(report)).toEqual([]);
  expect(report.summary).toBe('the only path explored');
});

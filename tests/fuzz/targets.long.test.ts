/**
 * All targets with planted errors: the box that finds each, and the fixed twin, in which nothing
 * may be found.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fuzz } from '../../src/index.js';

const root = mkdtempSync(join(tmpdir(), 'redzone-fuzz-targets-'));
afterAll(() => rmSync(root, { recursive: true }));

/**
 * The explorer is used where the error needs it. On the path of the matcher it has unsatisfiable
 * queries that Z3 does not confirm within a minute each (`confirm-unsat.ts`).
 */
const targets = [
  ['maze', 'heap-buffer-overflow', 'auto'],
  ['magic', 'global-buffer-overflow', 'grey'],
  ['checksum', 'heap-buffer-overflow', 'auto'],
  ['chunks', 'heap-buffer-overflow', 'grey'],
  ['json', 'heap-buffer-overflow', 'grey'],
  ['regex', 'heap-buffer-overflow', 'grey'],
  ['tokens', 'use-after-free', 'grey'],
] as const;

test.each(targets)('%s', async (name, code, mode) => {
  const inputs = [join(import.meta.dirname, 'targets', `${name}.c`)];
  for (const seed of [1, 2, 3]) {
    const report = await fuzz({ inputs, folder: join(root, `${name}${seed}`), maxRuns: 100_000, seed, mode });
    expect(
      report.findings.map(found => [found.code, found.confirmed]),
      `seed ${seed}`,
    ).toEqual([[code, true]]);
  }
});

test.each(targets)('%s, fixed', async (name, _, mode) => {
  const inputs = [join(import.meta.dirname, 'targets', `${name}.c`)];
  const report = await fuzz({
    inputs,
    clangFlags: ['-DFIXED'],
    folder: join(root, `${name}-fixed`),
    maxRuns: 300_000,
    workers: 2,
    mode,
  });
  expect(report.findings).toEqual([]);
});

test('a program that is compiled in parts', async () => {
  const functions = Array.from(
    { length: 300 },
    (_, i) => `unsigned f${i}(const unsigned char *d, unsigned long n) {
  unsigned a[8] = {0}, s = ${i};
  for (unsigned long j = 0; j < n; j++) { if (d[j] > ${i % 200}) s += a[j % 8]; else a[d[j] % 8] ^= s; }
  return ${i === 0 ? 's' : `n > ${i} ? f${i - 1}(d, n) + s : s`};
}
`,
  );
  const text = `${functions.join('')}
int LLVMFuzzerTestOneInput(const unsigned char *data, unsigned long size) {
  char text[4] = {0};
  f299(data, size);
  if (size == 3 && data[0] == 'p') text[data[1]] = 1;
  return text[0] == 2;
}
`;
  const inputs = [{ name: 'parts.c', text }];
  const report = await fuzz({ inputs, folder: join(root, 'parts'), maxRuns: 5000, mode: 'grey' });
  expect(report.findings.map(({ code }) => code)).toEqual(['stack-buffer-overflow']);
});

test('a decoder that copies within its output does not keep the explorer busy', async () => {
  const text = `#include <stdint.h>
#include <stdlib.h>
#include <string.h>
int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {
  if (n < 4 || d[0] != 'L' || d[1] != 'Z') return -1;
  size_t total = d[2] | d[3] << 8, o = 0, i = 4;
  if (total == 0 || total > 4096) return -1;
  uint8_t *out = malloc(total);
  while (i < n && o < total) {
    unsigned t = d[i++];
    if (t < 0x80) {
      size_t k = t + 1;
      if (k > n - i || k > total - o) break;
      memcpy(out + o, d + i, k);
      o += k, i += k;
    } else if (i < n) {
      size_t k = (t & 0x7f) + 3, off = d[i++];
      if (off == 0 || off > o + 1 || k > total - o) break;
      while (k--) out[o] = out[o - off], o++;
    }
  }
  free(out);
  return 0;
}
`;
  const inputs = [{ name: 'lz.c', text }];
  const report = await fuzz({ inputs, folder: join(root, 'lz'), maxRuns: 20_000 });
  expect(report.stats.runs).toBe(20_000);
  expect(report.findings.map(({ code }) => code)).toEqual(['heap-buffer-overflow']);
});

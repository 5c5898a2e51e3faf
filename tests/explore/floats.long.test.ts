/**
 * Functions of one float or double, explored and compiled by gcc: what a path's test gives natively
 * is what the path says, and of a great many other bits none gives a result that no path has.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { explore } from '../../src/index.js';
import { hasGcc } from '../libc/harness.js';

const root = mkdtempSync(join(tmpdir(), 'redzone-floats-'));
afterAll(() => rmSync(root, { recursive: true }));

const programs: Record<string, { type: 'float' | 'double'; body: string }> = {
  thresholds: {
    type: 'float',
    body: `
      if (isnan(x)) return 1;
      if (isinf(x) && signbit(x)) return 2;
      if (isinf(x)) return 3;
      if (x == 0 && signbit(x)) return 4;
      if (x == 0) return 5;
      if (fabsf(x) < 1.17549435e-38f) return 6;
      if (x < -1.5f) return 7;
      if (x <= 2.25f) return 8;
      return 9;`,
  },
  celsius: {
    type: 'float',
    body: `
      float f = x * 1.8f + 32;
      if (f == 212) return 1;
      if (f > 451) return 2;
      if (f < -459.67f) return 3;
      if (f >= 97 && f <= 99.5f) return 4;
      if (f != f) return 5;
      return 6;`,
  },
  roundings: {
    type: 'double',
    body: `
      if (!(x > -1000 && x < 1000)) return 1;
      if (floor(x) != trunc(x)) return 2;
      if (rint(x) != floor(x + 0.5)) return 3;
      int whole = (int)x;
      if (whole == 42 && x == whole) return 4;
      if (whole == 42) return 5;
      if ((float)x == x) return 6;
      return 7;`,
  },
  roots: {
    type: 'float',
    body: `
      float root = sqrtf(x);
      if (root != root && x != x) return 1;
      if (root != root) return 2;
      if (root == 1.5f) return 3;
      if (root > 1e10f) return 4;
      if (1 / root > 1e6f) return 5;
      return 6;`,
  },
  percent: {
    type: 'float',
    body: `
      if (!(x >= 0 && x <= 100)) return 1;
      unsigned char part = (unsigned char)(x * 2.55f + 0.5f);
      if (part == 255) return 2;
      if (part == 0 && x == 0) return 3;
      if (part == 0) return 4;
      if ((part & 15) == 7) return 5;
      return 6;`,
  },
};

/** The exit status of each path, with the bits of its test. */
async function explored(name: string, type: string, body: string): Promise<[bits: string, status: number][]> {
  const folder = join(root, name);
  const text = `#include <klee/klee.h>\n#include <math.h>\n${functionOf(type, body)}
    int main(void) { ${type} x; klee_make_symbolic(&x, sizeof x, "x"); return classify(x); }`;
  const report = await explore({ inputs: [{ name: `${name}.c`, text }], folder, tests: 'all' });
  expect(report.summary).toMatch(/^all \d+ paths explored$/);
  return readdirSync(folder)
    .filter(file => /^\d+\.json$/.test(file))
    .map(file => {
      const { inputs, end } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      return [inputs[0].bytes.split(' ').reverse().join(''), end.status];
    });
}

function functionOf(type: string, body: string): string {
  return `static int classify(${type} x) {${body}\n}\n`;
}

/**
 * What gcc's program gives for each line of bits, and then the set of what it gives for many more.
 */
function native(name: string, type: string, body: string, option: string, bits: readonly string[]) {
  const word = type === 'float' ? 'uint32_t' : 'uint64_t';
  const text = `#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n${functionOf(type, body)}
    static int of(uint64_t bits) { ${word} word = bits; ${type} x; memcpy(&x, &word, sizeof x); return classify(x); }
    int main(void) {
      unsigned long bits, seed = 1;
      char seen[256] = {0};
      while (scanf("%lx", &bits) == 1) printf("%d\\n", of(bits));
      for (long i = 0; i < 20000000; i++) {
        seed = seed * 6364136223846793005 + 1442695040888963407;
        seen[of(i % 2 ? seed >> ${type === 'float' ? 32 : 0} : ${type === 'float' ? '(uint32_t)(i * 215)' : '0x3f00000000000000 + (seed >> 7)'})] = 1;
      }
      for (int i = 0; i < 256; i++) if (seen[i]) printf("seen %d\\n", i);
      return 0;
    }`;
  const [source, program] = [join(root, `${name}.c`), join(root, name + option)];
  writeFileSync(source, text);
  execFileSync('gcc', [option, '-ffp-contract=off', '-w', '-o', program, source, '-lm']);
  const lines = execFileSync(program, { input: bits.join('\n'), encoding: 'utf8' })
    .trim()
    .split('\n');
  return {
    given: lines.slice(0, bits.length).map(Number),
    seen: lines.slice(bits.length).map(line => Number(line.slice('seen '.length))),
  };
}

test.runIf(hasGcc).each(Object.entries(programs))('%s', async (name, { type, body }) => {
  const paths = await explored(name, type, body);
  const statuses = paths.map(([, status]) => status);
  for (const option of ['-O0', '-O2']) {
    const bits = paths.map(([word]) => word);
    const { given, seen } = native(name, type, body, option, bits);
    expect(given).toEqual(statuses);
    expect(seen.filter(result => !statuses.includes(result))).toEqual([]);
  }
});

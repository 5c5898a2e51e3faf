/**
 * A run does the same as the first of a fresh instance, whatever ran before it. The program here
 * leaves traces wherever a program can: in statics, on the heap, in files, on the stack, in the
 * library's own state; and it ends in every way a program can end.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { requestToFuzz } from '../../src/api/check-pipeline.js';
import { type Delivery, Target, type TargetRequest } from '../../src/fuzz/fuzz-target.js';
import { Random } from '../../src/support/random.js';

const body = `
#include <errno.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int runs, table[64];
static char *kept;
static jmp_buf jump;
struct bits { unsigned a : 3, b : 5; };

static int deep(int n) { volatile char frame[200]; frame[n % 200] = (char)n; return n == 0 ? frame[0] : deep(n - 1) + frame[n % 200]; }
static int endless(int n) { volatile int m = n; return endless(m + 1) + m; }
static void leap(int n) { char local[32]; memset(local, n, sizeof local); longjmp(jump, 1 + local[0] % 3); }

static int work(const uint8_t *data, size_t size) {
  if (runs++ != 0 || kept != NULL || errno != 0 || rand() != 1804289383 % 2147483648) printf("not the first\\n"), runs = runs;
  int stale = runs != 1 || kept != NULL;
  for (int i = 0; i < 64; i++) stale |= table[i];
  FILE *old = fopen("trace.txt", "r");
  if (old) stale = 1, fclose(old);
  if (stale) abort();
  if (size == 0) return 0;
  table[data[0] & 63] = 1;
  switch (data[0] % 13) {
    case 0: kept = malloc(size); memcpy(kept, data, size); return 0;
    case 1: { char *lost = malloc(1 + size); lost[0] = 1; return lost[0]; }
    case 2: exit(3);
    case 3: { FILE *f = fopen("trace.txt", "w"); fwrite(data, 1, size, f); fclose(f); return 0; }
    case 4: if (setjmp(jump) == 0) leap(data[0]); return 0;
    case 5: return deep(data[size - 1]);
    case 6: { char *p = malloc(4); free(p); return p[0]; }
    case 7: { int a[4]; return a[data[size - 1] & 7] > 3 ? 1 : 2; }
    case 8: { char *big = calloc(1, 100000); memset(big, 7, 100000); int v = big[size]; free(big); return v; }
    case 9: setenv("X", "y", 1); errno = 5; return (int)strtol("12", NULL, 10);
    case 10: { struct bits b; b.a = 1; table[1] = b.a; char *q = realloc(malloc(8), 300); q[9] = 1; free(q); return time(NULL) > 0; }
    case 11: puts("text"); printf("%d %s\\n", (int)size, "more"); return 0;
    default: if (size > 3 && data[1] == 'R') return endless(0); return table[data[size - 1] & 127];
  }
}
`;
const target = `${body}
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return work(data, size) == 1000; }
`;
const program = `${body}
int main(int argc, char **argv) {
  uint8_t data[256];
  size_t size = argc > 1 ? strlen(argv[1]) : fread(data, 1, sizeof data, stdin);
  if (argc > 1) memcpy(data, argv[1], size < 256 ? size : 256);
  return work(data, size);
}
`;

/** The outcome of a run, as text. */
function outcomeOf(on: Target, input: Uint8Array): string {
  const { findings, program: end } = on.run(input);
  const depth = / after [\d,]+ calls?/;
  const found = findings.map(({ message, stack, omittedFrames: _, notes: __, ...rest }) => ({
    ...rest,
    message: message.replace(depth, ''),
    inner: rest.code === 'stack-exhausted' ? [] : stack,
  }));
  // The depth at which a stack is exhausted depends on the engine, and so do the counters.
  const features = findings.some(({ code }) => code === 'stack-exhausted') ? [] : [...on.features()];
  return JSON.stringify({ found, end, features });
}

const requests = new Map<string, TargetRequest>();

beforeAll(async () => {
  for (const [name, text] of Object.entries({ target, program })) {
    const { request, fuzz } = await requestToFuzz(
      { inputs: [{ name: `${name}.c`, text }], environment: {} },
      {},
    );
    expect(fuzz.isTarget).toBe(name === 'target');
    const delivery: Delivery = fuzz.isTarget ? 'target' : 'stdin';
    requests.set(name, { run: request, probes: fuzz.probes, delivery, maxSteps: 1_000_000 });
  }
});

/**
 * Three of each kind, of different lengths; two of the last kind end in a recursion and after a
 * table.
 */
const recursion = Uint8Array.of(12, 82, 0, 0);
const inputs = [
  new Uint8Array(0),
  recursion,
  Uint8Array.of(12, 0, 100),
  ...Array.from({ length: 36 }, (_, i) =>
    Uint8Array.from({ length: 1 + Math.floor(i / 12) }, (_, j) => (i % 12) + j * 29),
  ),
];

describe.each([
  ['target', 10_000],
  ['program', 600],
] as const)('%s', (name, runs) => {
  test(`the ${runs}th run is as the first of a fresh instance`, async () => {
    const request = requests.get(name)!;
    const used = await Target.create(request);
    const random = new Random(name.length);
    const inFresh = new Map<Uint8Array, string>();
    for (let i = 0; i < runs; i++) {
      const chosen = inputs[random.below(inputs.length)]!;
      // To exhaust the stack takes long.
      const input = chosen === recursion && i % 16 !== 0 ? inputs[0]! : chosen;
      const outcome = outcomeOf(used, input);
      // The first outcome of each input is compared with a fresh instance, the others with that.
      let expected = inFresh.get(input);
      if (expected === undefined) {
        expected = outcomeOf(await Target.create(request), input);
        inFresh.set(input, expected);
      }
      if (outcome !== expected) expect(outcome, `run ${i}, input ${input}`).toBe(expected);
    }
    expect(inFresh.size).toBe(inputs.length);
    const codes = [...inFresh.values()].flatMap(text => text.match(/"code":"[\w-]+"/g) ?? []);
    expect(new Set(codes.map(text => text.slice(8, -1)))).toEqual(
      new Set([
        ...['memory-leak', 'use-after-free', 'uninitialized-read', 'stack-exhausted'],
        ...['stack-buffer-overflow', 'global-buffer-overflow'],
      ]),
    );
  });
});

test('a run that does not end is a finding, after the same number of steps', async () => {
  const text = `#include <stddef.h>
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  if (size == 2 && data[0] == data[1]) for (volatile int i = 0;; i++);
  return 0;
}
`;
  const { request, fuzz } = await requestToFuzz({ inputs: [{ name: 'loop.c', text }], environment: {} }, {});
  const on = await Target.create({ run: request, probes: fuzz.probes, delivery: 'target', maxSteps: 5000 });
  expect(on.run(Uint8Array.of(1, 2)).findings).toEqual([]);
  const [found] = on.run(Uint8Array.of(1, 1)).findings;
  expect(found).toMatchObject({
    code: 'infinite-loop',
    message: 'the input has not ended after 5,000 steps',
    location: { line: 3 },
  });
  expect(on.run(Uint8Array.of(1, 2)).findings).toEqual([]);
});

/** `check --budget`: a finding at the line that exceeds the budget, and the high-water marks. */
import { expect, test } from 'vitest';
import { check } from '../../src/index.js';
import { readBudget } from '../../src/monitor/budget.js';

const text = `#include <stdlib.h>
static int deep(int n) {
  char local[256];
  local[n & 255] = (char)n;
  return n == 0 ? local[0] : deep(n - 1) + local[n & 255];
}
int main(void) {
  int sum = deep(9);
  char *kept[20];
  for (int i = 0; i < 20; i++) kept[i] = malloc(100);
  for (int i = 0; i < 20; i++) free(kept[i]);
  return sum == 45 ? 0 : 1;
}`;
const run = (budget?: string) =>
  check({
    inputs: [{ name: 'a.c', text }],
    keepGoing: true,
    ...(budget !== undefined && { budget: readBudget(budget) }),
  });

test('each limit is reported once, at the line that exceeds it', async () => {
  const { findings, program } = await run('stack=2K,heap=1K,depth=5');
  expect(program?.exit).toBe(0);
  expect(findings.map(({ code, message, location }) => `${location.line} ${code}: ${message}`)).toEqual([
    '2 stack-exhausted: 6 calls are active, and the budget is 5 calls',
    expect.stringMatching(
      /^3 stack-exhausted: local variables take \d+ bytes of stack, and the budget is 2048 bytes$/,
    ),
    '10 out-of-memory: the program has 1100 bytes of heap, and the budget is 1024 bytes',
  ]);
  const counted = await run('allocations=10');
  expect(counted.findings.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'out-of-memory: this is allocation number 11, and the budget is 10 allocations',
  ]);
});

test('one line may exceed several limits', async () => {
  const { findings } = await run('heap=1K,allocations=10');
  expect(findings.map(({ location, budget }) => [location.line, budget])).toEqual([
    [10, { resource: 'heap', used: 1100, limit: 1024 }],
    [10, { resource: 'allocations', used: 11, limit: 10 }],
  ]);
});

test('a run within its limits is not reported, and always has high-water marks', async () => {
  const { findings, stats } = await run('stack=8K,heap=2000,allocations=20,depth=11');
  expect(findings).toEqual([]);
  expect(stats.highWater).toMatchObject({ heapBytes: 2000 });
  const without = await run();
  expect(without.stats.highWater).toMatchObject({ heapBytes: 2000 });
  expect(without.stats.highWater?.stackBytes).toBeGreaterThan(2560);
  expect(without.stats.highWater?.depth).toBeGreaterThanOrEqual(11);
});

test('a budget is given in bytes, K, M or G, and other texts are rejected', () => {
  expect(readBudget('stack=64K,heap=1M,allocations=10000,depth=200')).toEqual({
    ...{ stack: 65_536, heap: 1_048_576, allocations: 10_000, depth: 200 },
  });
  for (const wrong of ['', 'stack', 'stack=', 'stack=1,stack=2', 'depth=1K', 'stak=1', 'heap=-1'])
    expect(readBudget(wrong), wrong).toBeUndefined();
});

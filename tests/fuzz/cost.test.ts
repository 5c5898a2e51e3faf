/** A task of mutations ends when its runs have cost as much as planned: slow inputs get fewer. */
import { expect, test } from 'vitest';
import { requestToFuzz } from '../../src/api/check-pipeline.js';
import { Target } from '../../src/fuzz/fuzz-target.js';
import { costOf, type Task } from '../../src/fuzz/protocol.js';
import { Searcher } from '../../src/fuzz/searcher.js';

const loops = 1000;
const text = `#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  volatile int sum = 0;
  for (int i = 0; i < ${loops}; i++) sum = i;
  return 0;
}
`;

test('a task ends when its runs have cost as much as planned', async () => {
  const { request, fuzz } = await requestToFuzz({ inputs: [{ name: 'slow.c', text }], environment: {} }, {});
  const target = await Target.create({
    run: request,
    probes: fuzz.probes,
    delivery: 'target',
    maxSteps: 1_000_000,
  });
  const searcher = new Searcher(
    target,
    { run: request, probes: fuzz.probes, delivery: 'target', maxSteps: 1_000_000 },
    { maxLength: 16, onlyAscii: false },
  );
  const bytes = Uint8Array.of(1);
  const [{ features, cost } = { features: new Uint32Array(0), cost: 0 }] = searcher.measure([bytes]);
  expect(cost).toBeGreaterThan(costOf(loops - 1));
  const added = [{ id: 1, bytes, features }];
  searcher.learn({ added, removed: [], seen: [...features], errors: [], words: [] });
  const runsFor = (runs: number, limit: number): number => {
    const task: Task = { kind: 'mutate', entry: 1, seed: 1, runs, cost: limit };
    return searcher.search(task).runs;
  };
  expect(runsFor(100, Number.POSITIVE_INFINITY)).toBe(100);
  // Each run costs the same.
  expect(runsFor(100, 10 * cost)).toBe(10);
  expect(runsFor(100, 1)).toBe(1);
});

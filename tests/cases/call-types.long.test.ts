/** Every pair of types at every place that a function pointer can come from. */
import { expect, test } from 'vitest';
import { allPlaces, callCases, callPreamble } from './call-types.js';
import { wrongCases } from './many-cases.js';

for (const engine of ['check', 'explore'] as const)
  test.each(allPlaces)(`calls through pointers under ${engine}: %s`, async place => {
    expect(
      await wrongCases(
        engine,
        callPreamble,
        callCases(() => [place]),
        ['-std=gnu11'],
      ),
    ).toEqual([]);
  });

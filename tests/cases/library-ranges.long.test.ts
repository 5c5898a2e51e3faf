/**
 * Every range of every function of the table, with each possible error, in both engines.
 */
import { expect, test } from 'vitest';
import { libraryCases, libraryChecks, libraryPreamble } from './library-cases.js';
import { libraryFunctions } from './library-ranges.js';
import { wrongCases } from './many-cases.js';

/** The number of functions in one program; clang takes longer than all the rest. */
const together = 40;

const groups = Array.from({ length: Math.ceil(libraryFunctions.length / together) }, (_, i) =>
  libraryFunctions.slice(i * together, (i + 1) * together),
);

for (const engine of ['check', 'explore'] as const)
  test.each(groups.map((group, i) => [i, group[0]!.name, group.at(-1)!.name, group] as const))(
    `${engine}: group %i, %s to %s`,
    async (_, __, ___, group) => {
      const cases = libraryCases(group);
      expect(await wrongCases(engine, libraryPreamble, cases, ['-fno-builtin'], libraryChecks)).toEqual([]);
    },
  );

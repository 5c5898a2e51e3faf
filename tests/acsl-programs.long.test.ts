/**
 * Annotated programs as users of ACSL write them, `tests/acsl-programs/*.c`: each with its expected
 * findings inside, and without any when it is compiled with `-DFIXED`. The short golden programs of
 * the normal run are `tests/golden/acsl-*.c`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { check } from '../src/index.js';
import { filesBelow } from '../src/platform/files.js';
import { differences, parseGolden } from './golden-runner/annotations.js';

const folder = join(import.meta.dirname, 'acsl-programs');
const files = filesBelow(folder).filter(file => file.endsWith('.c'));

test.each(files)(
  '%s',
  async file => {
    const path = join(folder, file);
    const common = { inputs: [path], keepGoing: true, maxTimeMs: 60_000 };
    const buggy = parseGolden(readFileSync(path, 'utf8'), ['check']);
    expect(differences(buggy, 'check', (await check(common)).findings)).toEqual([]);
    expect(await check({ ...common, clangFlags: ['-DFIXED'] })).toMatchObject({
      verdict: 'clean',
      findings: [],
    });
  },
  600_000,
);

/** Every golden program at both speeds; random programs with and without an error. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { check } from '../../src/index.js';
import { parseGolden } from '../golden-runner/annotations.js';
import { randomProgram } from '../random-programs/generate.js';
import { atSpeed, compareSpeeds, essentials, root } from './both-speeds.js';

const golden = readdirSync(join(root, 'tests/golden'))
  .filter(name => name.endsWith('.c'))
  .map(name => `tests/golden/${name}`)
  .filter(path => parseGolden(readFileSync(join(root, path), 'utf8'), ['check']).engines.includes('check'));

test.each(golden)('%s', compareSpeeds);

test.each(Array.from({ length: 20 }, (_, i) => 1000 + i))('random program %i', async seed => {
  const { text, bugs } = randomProgram(seed);
  for (const bug of bugs.length > 0 ? [0, 1] : [0]) {
    const options = { inputs: [{ name: 'a.c', text }], clangFlags: [`-DBUG=${bug}`, '-DEXPECTED=0', '-w'] };
    const reports = [];
    for (const speed of ['quick', 'optimised'] as const) {
      const { findings, program } = await atSpeed(speed, () => check(options));
      reports.push({ program, findings: essentials(findings) });
    }
    expect(reports[0]).toEqual(reports[1]);
  }
});

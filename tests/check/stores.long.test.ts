/**
 * All golden programs with the facts in each store, and without the removal of checks: the findings are the same, word for word. Without the
 * pre-analysis they are the same errors at the same lines: there are more locals in memory, which have other neighbours and other names.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { check, type Finding } from '../../src/index.js';
import { filesBelow } from '../../src/platform/files.js';

const folders = ['../golden', '../templist'].map(folder => join(import.meta.dirname, folder));
const files = folders.flatMap(folder =>
  filesBelow(folder)
    .filter(file => file.endsWith('.c'))
    .map(file => join(folder, file)),
);

test.each(files)('%s', async file => {
  const options = { inputs: [file], keepGoing: true, quarantineBytes: 0 };
  const { findings } = await check(options);
  for (const store of ['shadow', 'trie'] as const)
    expect((await check({ ...options, store })).findings, store).toEqual(findings);
  const unremoved = await check({ ...options, removesChecks: false });
  expect(unremoved.findings, 'without the removal of checks').toEqual(findings);
  const unanalysed = await check({ ...options, preAnalysis: false });
  expect(unanalysed.findings.map(place), 'without the pre-analysis').toEqual(findings.map(place));
});

const place = ({ code, location }: Finding) => `${code} ${location.function}:${location.line}`;

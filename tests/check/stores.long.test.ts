/**
 * All golden programs with the facts in each store, without the pre-analysis, and without the removal of checks: the findings are the
 * same, word for word.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { check } from '../../src/index.js';
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
  for (const slower of [{ preAnalysis: false }, { removesChecks: false }])
    expect((await check({ ...options, ...slower })).findings, JSON.stringify(slower)).toEqual(findings);
});

/**
 * All golden programs with the facts in each store: the findings are the same, word for word.
 * Without the removal of checks the addresses of locals may be others. Without the pre-analysis
 * more locals are in memory, so another object may lie at a wrong address. All other texts are the
 * same.
 */
import { basename, join } from 'node:path';
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
  expect(unremoved.findings.map(withoutAddresses), 'without the removal of checks').toEqual(
    findings.map(withoutAddresses),
  );
  const unanalysed = await check({ ...options, preAnalysis: false });
  expect(unanalysed.findings.map(comparable), 'without the pre-analysis').toEqual(findings.map(comparable));
});

/** Findings whose text depends on the contents of memory: only their location is compared. */
const decidedByMemory = new Map([
  ['loops.c:101', 'the sum is a variable in memory, which is read once more'],
  [
    'stack-bounds.c:46',
    'the memory is not called by the name of the pointer to it, which is in memory itself',
  ],
  ['stale-stack.c:136', 'the same'],
  ['uninitialized-copies.c:73', 'the chosen value is a variable in memory, which is named'],
  ['uninitialized.c:194', 'the copy is a variable in memory, which is named instead of the block'],
  ['uninitialized.c:253', 'the product is a variable in memory, which is read once more'],
]);

function withoutAddresses(value: unknown): object {
  return JSON.parse(JSON.stringify(value).replace(/0x[0-9a-f]+/g, 'an address'));
}

function comparable(finding: Finding): unknown {
  const { code, location, notes, ...rest } = finding;
  const place = { code, line: location.line, function: location.function };
  if (decidedByMemory.has(`${basename(location.file)}:${location.line}`)) return place;
  const lasting = notes?.filter(({ message }) => !message.startsWith('the address now belongs to'));
  return {
    ...place,
    ...withoutAddresses({ ...rest, location, notes: lasting?.length ? lasting : undefined }),
  };
}

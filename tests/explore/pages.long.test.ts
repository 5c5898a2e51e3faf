/** The golden programs and the pages of `docs/explain/` give the same findings under `explore` as under `check`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codes, explore, type FindingCode } from '../../src/index.js';
import { filesBelow } from '../../src/platform/files.js';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** What `explore` does not report yet. A test fails when it does after all, so the list only shrinks. */
const gaps: ReadonlySet<string> = new Set<FindingCode>([
  'uninitialized-read',
  'memory-leak',
  'acsl-violation',
  'infinite-loop',
  'out-of-memory',
  'bad-format-string',
  'data-race',
  'unsupported',
]);

const pages = (Object.keys(codes) as FindingCode[]).flatMap(code => {
  const blocks = [...read(`docs/explain/${code}.md`).matchAll(/^```c\n(.*?)^```$/gms)].map(
    match => match[1]!,
  );
  return [
    { name: `${code}.c`, text: blocks[0]!, expected: [code] as string[] },
    { name: `${code}.fixed.c`, text: blocks[1]!, expected: [] },
  ];
});

const golden = filesBelow(join(root, 'tests/golden'))
  .filter(file => file.endsWith('.c'))
  .map(file => {
    const text = read(`tests/golden/${file}`);
    return { name: file, text, expected: [...text.matchAll(/ERROR (\S+)/g)].map(match => match[1]!) };
  });

test.each([...pages, ...golden])('$name', async ({ name, text, expected }) => {
  const report = await explore({ inputs: [{ name, text }], maxTimeMs: 5000 });
  const found = report.findings.map(({ code }) => code);
  expect(found).toEqual(expected.filter(code => !gaps.has(code)));
});

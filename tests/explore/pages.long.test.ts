/** The programs in the pages of `docs/explain/` give under `explore` what the pages say. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codes, explore, type FindingCode } from '../../src/index.js';
import { parseGolden } from '../golden-runner/annotations.js';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/**
 * Codes that `explore` does not report, and its findings instead. A test fails if one is reported,
 * so the list only shrinks.
 */
const gaps: Partial<Record<string, readonly string[]>> = {
  'acsl-violation': [],
  'data-race': [],
  'tainted-sink': [],
};

const pages = (Object.keys(codes) as FindingCode[]).flatMap(code => {
  const blocks = [...read(`docs/explain/${code}.md`).matchAll(/^```c\n(.*?)^```$/gms)].map(
    match => match[1]!,
  );
  return [
    { name: `${code}.c`, text: blocks[0]!, expected: [code] as string[] },
    { name: `${code}.fixed.c`, text: blocks[1]!, expected: [] },
  ];
});

test.each(pages)('$name', async ({ name, text, expected }) => {
  const { checks } = parseGolden(text, ['explore']);
  const report = await explore({ inputs: [{ name, text }], checks, maxTimeMs: 5000 });
  const found = report.findings.map(({ code }) => code);
  expect(found).toEqual(expected.flatMap(code => gaps[code] ?? [code]));
});

/**
 * Comments fit in 100 columns. Drawings and tables, which are indented or have gaps, may be wider.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

const isDrawing = (text: string): boolean => /^ |\S {3,}\S|[│┌└├┴┬─▶▼]/.test(text);

function wideComments(file: string): string[] {
  return readFileSync(join(root, file), 'utf8')
    .split('\n')
    .flatMap((line, i) => {
      const text = /^\s*(?:\/\/|\/\*\*?|\*) (.*)$/.exec(line)?.[1];
      const isWide = text !== undefined && [...line].length > 100 && !isDrawing(text);
      return isWide && !text.startsWith('biome-ignore') ? [`${file}:${i + 1}`] : [];
    });
}

test.each(['src', 'tests', 'bench', 'scripts'])('comments of %s fit in 100 columns', folder => {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  const code = files.filter(file => /\.m?[jt]s$/.test(file)).map(file => `${folder}/${file}`);
  expect(code.flatMap(wideComments)).toEqual([]);
});

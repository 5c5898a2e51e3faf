/**
 * The form of prose. Comments fit in 100 columns; drawings and tables, which are indented or have
 * gaps, may be wider. Markdown has one sentence a line and 200 columns, outside of tables and code.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const isDrawing = (text: string): boolean => /^ |\S {3,}\S|[│┌└├┴┬─▶▼]/.test(text);

function wideComments(file: string): string[] {
  return read(file)
    .split('\n')
    .flatMap((line, i) => {
      const text = /^\s*(?:\/\/|\/\*\*?|\*) (.*)$/.exec(line)?.[1];
      const isWide = text !== undefined && [...line].length > 100 && !isDrawing(text);
      return isWide && !text.startsWith('biome-ignore') ? [`${file}:${i + 1}`] : [];
    });
}

test.each(['src', 'site', 'tests', 'bench', 'scripts', 'runtime'])(
  'comments of %s fit in 100 columns',
  folder => {
    // The C of tests is laid out by what it tests.
    const pattern = folder === 'runtime' ? /\.[ch]$/ : /\.m?[jt]s$/;
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    const code = files
      .filter(file => pattern.test(file) && !file.includes('node_modules'))
      .map(file => `${folder}/${file}`);
    expect(code.flatMap(wideComments)).toEqual([]);
  },
);

/** The lines of a page that are prose, numbered from 1: no code, no tables, no HTML. */
function* proseLines(page: string): Iterable<readonly [line: number, text: string]> {
  let isCode = false;
  for (const [i, text] of read(page).split('\n').entries()) {
    if (/^\s*```/.test(text)) isCode = !isCode;
    else if (!isCode && !/^\s*(?:\||<|#)/.test(text)) yield [i + 1, text];
  }
}

/** A full stop, and another sentence behind it; not inside of code, links or parentheses. */
function hasTwoSentences(text: string): boolean {
  const plain = text.replaceAll(/`[^`]*`/g, 'x').replaceAll(/\([^()]*\)|\[[^\]]*\]/g, '');
  return /[a-z0-9)*"][.?!]\*{0,2} +[A-Z]/.test(plain.replace(/^\s*(?:[-*]|\d+\.) +/, ''));
}

const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].concat(
  readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.md'))
    .map(file => `docs/${file}`),
);

test('Markdown has one sentence a line, in at most 200 columns', () => {
  expect(hasTwoSentences('- One. Two.')).toBe(true);
  expect(hasTwoSentences('1. One (of two. Or three), `a. B` and v1.2.')).toBe(false);
  const wrong = pages.flatMap(page =>
    [...proseLines(page)]
      .filter(([, text]) => [...text].length > 200 || hasTwoSentences(text))
      .map(([line]) => `${page}:${line}`),
  );
  expect(wrong).toEqual([]);
});

/**
 * Words of a dialect: who does what is said by name, and what is silent is called so. A comment
 * that begins with "Of a" is no sentence.
 */
const fragment = /(?:\/\*\*?|\/\/) Of (?:an?|the|each|its|programs) /;
const dialect = /\b(?:nobody|somebody|without a word|and their kind|so it is with|a hook is told)\b/i;
const isDialect = (text: string) => dialect.test(text) || fragment.test(text);

test('sources and guides do not use the dialect that the style guide lists', () => {
  const sources = ['src', 'runtime', 'examples'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(file => /\.(ts|mjs|c|h)$/.test(file) && !file.endsWith('.test.ts'))
      .map(file => `${folder}/${file}`),
  );
  // Records are history: they stay as they were written.
  const guides = pages.filter(page => !page.startsWith('docs/decisions/'));
  const wrong = [...sources, ...guides].flatMap(file =>
    read(file)
      .split('\n')
      .flatMap((text, i) => (isDialect(text) ? [`${file}:${i + 1}`] : [])),
  );
  expect(wrong).toEqual([]);
});

/**
 * The form of prose. Comments fit in 100 columns; drawings and tables, which are indented or have
 * gaps, may be wider. Markdown has one sentence a line and 200 columns, outside tables and code.
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

/** A full stop, and another sentence after it; not inside code, links or parentheses. */
function hasTwoSentences(text: string): boolean {
  const plain = text.replaceAll(/`[^`]*`/g, 'x').replaceAll(/\([^()]*\)|\[[^\]]*\]/g, '');
  return /(?:[a-z0-9)*"]|[a-z] C|[A-Z]{2})[.?!]\*{0,2} +[A-Z]/.test(
    plain.replace(/^\s*(?:[-*]|\d+\.) +/, ''),
  );
}

const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].concat(
  readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.md'))
    .map(file => `docs/${file}`),
);

test('Markdown has one sentence a line, in at most 200 columns', () => {
  expect(hasTwoSentences('- One. Two.')).toBe(true);
  expect(hasTwoSentences('It is C. It is checked.')).toBe(true);
  expect(hasTwoSentences('1. One (of two. Or three), `a. B` and v1.2.')).toBe(false);
  const wrong = pages.flatMap(page =>
    [...proseLines(page)]
      .filter(([, text]) => [...text].length > 200 || hasTwoSentences(text))
      .map(([line]) => `${page}:${line}`),
  );
  expect(wrong).toEqual([]);
});

/**
 * Phrases that readers have to decipher: they do not say who does what, or stand for a term of the
 * field. A comment that begins with "Of a" or "By block:" is not a sentence.
 */
const fragment = /(?:\/\*\*?|\/\/) (?:Of (?:an?|the|each|its|programs) |Of `|By (?!default)[a-z' ]+[:.])/;
const dialect = /\b(?:nobody|somebody|without a word|and their kind|so it is with|a hook is told)\b/i;
const isDialect = (text: string) => dialect.test(text) || fragment.test(text);

test('sources do not use the dialect that the style guide lists', () => {
  const sources = ['src', 'runtime', 'examples', 'bench', 'scripts', 'site', 'tests'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(file => /\.(ts|mjs|c|h)$/.test(file) && !/node_modules|prose\.test/.test(file))
      .map(file => `${folder}/${file}`),
  );
  const wrong = sources.flatMap(file =>
    read(file)
      .split('\n')
      .flatMap((text, i) => (isDialect(text) ? [`${file}:${i + 1}`] : [])),
  );
  expect(wrong).toEqual([]);
});

/**
 * More of them, each with what to write instead. Pages, records included, and comments are free of
 * these.
 */
const phrases: Readonly<Record<string, string>> = {
  'is told|are told|was told|were told': 'gets, receives, is notified; or name who reports what',
  'goes on|go on|went on': 'continues',
  'in turns': 'alternating',
  'for ever': 'forever',
  'inside of': 'inside',
  'whoever|everybody|anybody|anyone': 'name who',
  'in the place of|in place of gcc': 'instead of, replaces',
  'for want of': 'for lack of',
  'and its like|and their like|(?:and|or) (?:its|their) kin|of its kind': 'and similar functions',
  'is looked for|are looked for': 'is detected, is searched',
  'comes back to': 'returns to',
  'by the clock': 'in wall-clock time',
  'time of the processor|seconds of the processor': 'processor time',
  'told apart': 'distinguished',
  'questions? to the solver|asks the solver|asked the solver': 'query',
  'so many(?:eth)?': 'give the number',
  'is said|are said|is let pass': 'is reported, has a note, is accepted',
  'held against|held to it': 'compared with, checked against',
  'in vain': 'without effect, that cannot end',
  'tells the truth': 'is correct',
  'takes the place of|in the place': 'replaces, instead of',
  'to be had': 'available',
  'as people|as a person': 'on the command line, in the output',
};
const phrase = new RegExp(`\\b(?:${Object.keys(phrases).join('|')})\\b`, 'i');

/** The lines of a page outside code and comments: prose, headings and tables. */
function* writtenLines(page: string): Iterable<readonly [line: number, text: string]> {
  let isCode = false;
  for (const [i, text] of read(page).split('\n').entries()) {
    if (/^\s*```/.test(text)) isCode = !isCode;
    else if (!isCode && !text.startsWith('<!--')) yield [i + 1, text.replaceAll(/`[^`]*`/g, 'x')];
  }
}

test('pages name who does what, in the terms of the field', () => {
  expect(phrase.test('The run goes on.')).toBe(true);
  expect(phrase.test('The run continues.')).toBe(false);
  const wrong = pages.flatMap(page =>
    [...writtenLines(page)]
      .filter(([, text]) => dialect.test(text) || phrase.test(text))
      .map(([line, text]) => `${page}:${line}: ${phrase.exec(text)?.[0] ?? dialect.exec(text)?.[0]}`),
  );
  expect(wrong).toEqual([]);
});

/** The text of the comments of a file, line by line. */
function* commentLines(file: string): Iterable<readonly [line: number, text: string]> {
  for (const [i, line] of read(file).split('\n').entries()) {
    const text = /^\s*(?:\/\/|\/\*\*?|\*) (.*)$/.exec(line)?.[1];
    if (text !== undefined) yield [i + 1, text];
  }
}

/** Openings of comments that are fragments or inverted sentences, with what to write instead. */
const openings: Readonly<Record<string, string>> = {
  'What is (?:told|asked|said)': 'name the message, the query or the text',
  'So (?:many|much|long|often|far)\\b': 'The number of, the size of, how long',
  'Who\\b': 'name the component or the user',
  '(?:Is|Are|Does|Do|Has|Have|Was|Were|Did|Will|May|Can|Could|Should) [^.?]*\\?(?: |$)': 'Whether …',
};
const opening = new RegExp(`^(?:${Object.keys(openings).join('|')})`);

test.each(['src', 'site', 'examples', 'bench', 'scripts', 'runtime', 'tests'])(
  'comments of %s name who does what, in the terms of the field',
  folder => {
    expect(opening.test('So many results are fetched before they are needed. */')).toBe(true);
    expect(opening.test('Does the program label values? */')).toBe(true);
    expect(opening.test('May it have sockets? Others may not.')).toBe(true);
    expect(opening.test('Whether the program labels values. */')).toBe(false);
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    const wrong = files
      .filter(file => /\.(?:ts|mjs|c|h)$/.test(file) && !file.includes('node_modules'))
      .flatMap(file =>
        [...commentLines(`${folder}/${file}`)]
          .filter(([, text]) => phrase.test(text) || opening.test(text))
          .map(([line, text]) => `${folder}/${file}:${line}: ${text}`),
      );
    expect(wrong).toEqual([]);
  },
);

/** Whether a paragraph of a comment has code that is not closed; drawings are left out. */
function hasOpenCode(comment: string): boolean {
  const paragraphs = comment.replaceAll(/```[\s\S]*?```/g, '').split(/\n\s*(?:\*|\/\/)?[ \t]*\n/);
  return paragraphs.some(paragraph => {
    const prose = paragraph.replaceAll(/^\s*(?:\*|\/\/) {4,}.*$/gm, '');
    return (prose.match(/(?<!(?<![`\\])\\)`/g) ?? []).length % 2 === 1;
  });
}

test.each(['src', 'site', 'examples', 'bench', 'scripts', 'runtime', 'tests'])(
  'code in comments of %s is closed, which it is not after a replacement that went wrong',
  folder => {
    expect(hasOpenCode('/** Reads `a[i]`. */')).toBe(false);
    expect(hasOpenCode('/**\n * `a`.\n *\n * a[k] == b`, and so on.\n */')).toBe(true);
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    const wrong = files
      .filter(file => /\.(?:ts|mjs|c|h)$/.test(file) && !/node_modules|prose\.test/.test(file))
      .flatMap(file =>
        (read(`${folder}/${file}`).match(/\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+/gm) ?? [])
          .filter(hasOpenCode)
          .map(comment => `${folder}/${file}: ${comment.slice(0, 100)}`),
      );
    expect(wrong).toEqual([]);
  },
);

test('the heading of a record has its number and a title', () => {
  const records = pages.filter(page => /\/\d{4}-[^/]*$/.test(page));
  expect(records.length).toBeGreaterThan(0);
  const wrong = records.filter(page => {
    const number = /\/(\d{4})-/.exec(page)![1]!;
    return !new RegExp(`^# ${number}: \\S.{8,}\n`).test(read(page));
  });
  expect(wrong).toEqual([]);
});

/** The documentation is true: its pages are complete, its tables fresh, its snippets run. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { optionsPage } from '../src/cli/help.js';
import { codes, type FindingCode } from '../src/index.js';
import { commands } from '../src/options/commands.js';
import { filesBelow } from '../src/platform/files.js';
import { exportedNames, renewed } from './api-page.js';
import { firstPages, pages, testSnippets } from './doc-snippets.js';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
describe('docs/explain', () => {
  test('has a page for every code and for nothing else', () => {
    expect(filesBelow(join(root, 'docs/explain'))).toEqual(
      Object.keys(codes)
        .map(code => `${code}.md`)
        .sort(),
    );
  });

  test.each(Object.keys(codes) as FindingCode[])(
    '%s.md says what, how to fix it, and how Redzone detects it',
    code => {
      const page = read(`docs/explain/${code}.md`);
      expect([...page.matchAll(/^#+ (.*)$/gm)].map(match => match[1])).toEqual([
        code,
        'Example',
        'Fixed',
        'How to fix it',
        'How Redzone detects it',
      ]);
      const { cwe } = codes[code];
      const links = [
        ...page.matchAll(/CWE-(\d+)\]\(https:\/\/cwe\.mitre\.org\/data\/definitions\/(\d+)\.html\)/g),
      ];
      expect(links.map(match => [match[1], match[2]])).toEqual(
        cwe === undefined ? [] : [[`${cwe}`, `${cwe}`]],
      );
    },
  );
});

test('docs/options.md agrees with the tables (npm run bless rewrites it)', () => {
  const page = optionsPage();
  if (process.env.REDZONE_BLESS === '1') writeFileSync(join(root, 'docs/options.md'), page);
  expect(read('docs/options.md')).toBe(page);
});

describe('docs/api.md', () => {
  test('has the declarations and options that the code has (npm run bless rewrites them)', () => {
    const page = renewed(read('docs/api.md'));
    if (process.env.REDZONE_BLESS === '1') writeFileSync(join(root, 'docs/api.md'), page);
    expect(read('docs/api.md')).toBe(page);
  });

  test('names everything that the package exports', () => {
    const named = [...read('docs/api.md').matchAll(/^<!-- types: (.*) -->$/gm)].flatMap(([, names]) =>
      names!.split(' '),
    );
    expect([...exportedNames().keys()].filter(name => !named.includes(name))).toEqual([]);
  });
});

test('the README lists every command', () => {
  const readme = read('README.md');
  for (const [name, { usage }] of Object.entries(commands)) {
    const row = readme.split('\n').find(line => line.startsWith(`| \`${usage.replaceAll('|', '\\|')}\``));
    expect(row, name).toBeDefined();
  }
});

test('the index of the decisions names every record once', () => {
  const records = filesBelow(join(root, 'docs/decisions')).filter(file => /^\d{4}-/.test(file));
  const listed = [...read('docs/decisions/README.md').matchAll(/\]\((\d{4}-[\w-]+\.md)\)/g)].map(
    match => match[1]!,
  );
  expect(listed.sort()).toEqual(records.sort());
});

test('links of records lead to files, and mentions of records to records', () => {
  const records = filesBelow(join(root, 'docs/decisions')).filter(file => /^\d{4}-/.test(file));
  const numbers = new Set(records.map(file => file.slice(0, 4)));
  for (const record of [...records, 'README.md']) {
    const page = read(`docs/decisions/${record}`);
    for (const [, target] of page.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g))
      expect(() => read(join('docs/decisions', target!)), `${record}: ${target}`).not.toThrow();
  }
  const mentions = /(?:docs\/decisions\/|\brecords? )(\d{4})(?:-[\w-]+)?/g;
  const unknown = [
    'src',
    'runtime',
    'tests',
    'site',
    'bench',
    'scripts',
    'docs',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
  ]
    .flatMap(place =>
      place.endsWith('.md') ? [place] : filesBelow(join(root, place)).map(file => `${place}/${file}`),
    )
    .filter(file => /\.(?:md|ts|mjs|c|h)$/.test(file) && !file.includes('node_modules'))
    .flatMap(file =>
      [...read(file).matchAll(mentions)].map(match => ({ file, text: match[0], number: match[1]! })),
    )
    .filter(({ number, text }) => {
      const name = /\d{4}-[\w-]+/.exec(text)?.[0];
      return !numbers.has(number) || (name !== undefined && !records.some(file => file.startsWith(name)));
    });
  expect(unknown.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
});

test('the README is short, and its test command is the one that CI runs', () => {
  const readme = read('README.md');
  expect(readme.split('\n').length).toBeLessThan(90);
  expect(readme).toContain('npm ci && npm test');
  expect(read('.ci/run')).toContain('\nnpm ci && npm test\n');
});

test('the changelog is grouped, and short enough to be read', () => {
  const entries = read('CHANGELOG.md').split('\n## 0.1.0')[0]!;
  expect([...entries.matchAll(/^### (.*)$/gm)].map(match => match[1])).toEqual(['Added', 'Changed', 'Fixed']);
  expect(entries.match(/^- /gm)!.length).toBeLessThanOrEqual(34);
});

test('examples/use-as-library.mjs runs', () => {
  const output = execFileSync(process.execPath, ['examples/use-as-library.mjs'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(output).toBe(`compiling answer.c ...
a warning: unused variable 'unused' [-Wunused-variable]
[ 'answer' ]
compiling broken.c ...
broken.c:1:33: error: expected ';' after return statement
    1 | int broken(void) { return ANSWER }
      |                                 ^
      |                                 ;
1 error generated.

`);
});

describe.each(pages)('%s', page => {
  const text = read(page);

  test('names only npm scripts that exist', () => {
    const scripts = JSON.parse(read('package.json')).scripts;
    for (const [, script] of text.matchAll(/\bnpm run ([\w:-]+)/g)) expect(scripts).toHaveProperty(script!);
  });

  test('links only to files that exist', () => {
    for (const [, target] of text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)) {
      expect(() => read(join(page, '..', target!)), target).not.toThrow();
    }
  });

  if (firstPages.includes(page)) testSnippets(page);
});

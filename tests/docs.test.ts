/**
 * The documentation is true: its pages are complete, its tables fresh, its snippets run.
 *
 * A block marked `console` holds commands after `$ ` and what they print; a line `...` stands for
 * any lines. A block marked `js` is a program; what it prints is in its comments `// => text`, or
 * in the block marked `text` behind it. A block marked `sh` holds commands for the reader, such as
 * `npm ci`, which a test cannot run inside itself: they must be what `.ci/run` runs. A block marked
 * `c` is part of a program in `examples`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { optionsPage } from '../src/cli/help.js';
import { isBuilt } from '../src/cli/implementations.js';
import { codes, type FindingCode } from '../src/index.js';
import { commands } from '../src/options/commands.js';
import { filesBelow } from '../src/platform/files.js';
import { exportedNames, renewed } from './api-page.js';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const examples = filesBelow(join(root, 'examples'))
  .filter(file => file.endsWith('.c'))
  .map(file => read(`examples/${file}`));
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  ...filesBelow(join(root, 'docs'))
    .filter(file => file.endsWith('.md') && !/^(explain|decisions)\//.test(file))
    .map(file => `docs/${file}`),
];

describe('docs/explain', () => {
  test('has a page for every code and for nothing else', () => {
    expect(filesBelow(join(root, 'docs/explain'))).toEqual(
      Object.keys(codes)
        .map(code => `${code}.md`)
        .sort(),
    );
  });

  test.each(Object.keys(codes) as FindingCode[])(
    '%s.md says what, how to fix it, and how Redzone sees it',
    code => {
      const page = read(`docs/explain/${code}.md`);
      expect([...page.matchAll(/^#+ (.*)$/gm)].map(match => match[1])).toEqual([
        code,
        'Example',
        'Fixed',
        'How to fix it',
        'How Redzone sees it',
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

test('docs/options.md is what the tables say (npm run bless rewrites it)', () => {
  const page = optionsPage(isBuilt);
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

test('the README lists every command, and says which are not built yet', () => {
  const readme = read('README.md');
  for (const [name, { usage }] of Object.entries(commands)) {
    const row = readme.split('\n').find(line => line.startsWith(`| \`${usage.replaceAll('|', '\\|')}\``));
    expect(row, name).toBeDefined();
    expect(row?.includes('not built yet'), name).toBe(!isBuilt(name as keyof typeof commands));
  }
});

test('the index of the decisions names every record once', () => {
  const records = filesBelow(join(root, 'docs/decisions')).filter(file => /^\d{4}-/.test(file));
  const listed = [...read('docs/decisions/README.md').matchAll(/\]\((\d{4}-[\w-]+\.md)\)/g)].map(
    match => match[1]!,
  );
  expect(listed.sort()).toEqual(records.sort());
});

test('the README fits on a screen or so, and its test command is the one that CI runs', () => {
  const readme = read('README.md');
  expect(readme.split('\n').length).toBeLessThan(90);
  expect(readme).toContain('npm ci && npm test');
  expect(read('.ci/run')).toContain('\nnpm ci && npm test\n');
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

  // Commands leave files behind (a corpus, tests), which would change what they print next time.
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'redzone-docs-'));
    for (const part of ['examples', 'runtime/heap/attacks'])
      cpSync(join(root, part), join(folder, part), { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(match => ({
    language: match[1]!,
    code: match[2]!,
  }));
  blocks.forEach(({ language, code }, i) => {
    const title = `runs: ${code.split('\n')[0]}`;
    const next = blocks[i + 1];
    if (language === 'console') test(title, () => runConsole(code, folder));
    else if (language === 'js')
      test(title, () => runJavaScript(code, next?.language === 'text' ? next.code : undefined));
    else if (language === 'c')
      test(`shows an example: ${title}`, () => expect(examples.some(text => text.includes(code))).toBe(true));
    else if (language === 'sh') test('tells the reader to run what CI runs', () => checkShell(code));
    // Other blocks marked `text` are drawings, those marked `ts` are made from the code.
    else if (language !== 'text' && language !== 'ts')
      throw new Error(`${page}: a block marked '${language}' is not executed by anything`);
  });
});

function runConsole(block: string, folder: string): void {
  for (const part of block.split(/^\$ /m).slice(1)) {
    const [command, ...expected] = part.split('\n');
    // In the clone that the tests run in, `npm ci` was done.
    const args = command!.replace('npm ci && ', '').split(' ');
    expect(args.slice(0, 2).join(' '), command).toBe('npx redzone');
    const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin/redzone.js'), ...args.slice(2)], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stdout + stderr).toMatch(patternOf(expected.join('\n')));
  }
}

/** The expected output; a line `...` stands for any number of lines. */
function patternOf(expected: string): RegExp {
  const escaped = expected.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll(/^\\\.\\\.\\\.\n/gm, '(?:.*\\n)*?')}$`);
}

function runJavaScript(code: string, output: string | undefined): void {
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: root,
    encoding: 'utf8',
  });
  const comments = [...code.matchAll(/\/\/ => (.*)$/gm)].map(match => `${match[1]}\n`);
  expect(printed).toBe(comments.length > 0 ? comments.join('') : output);
}

function checkShell(block: string): void {
  for (const line of block.trim().split('\n')) {
    expect(line).toMatch(/^(git clone \S+ redzone && cd redzone|npm ci|npm test|npm ci && npm test)$/);
  }
}

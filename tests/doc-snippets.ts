/**
 * Tests of the snippets of a page.
 *
 * A block marked `console` holds commands after `$ ` and what they print; a line `...` stands for
 * any lines. A block marked `js` is a program; what it prints is in its comments `// => text`, or
 * in the block marked `text` after it. A block marked `sh` holds commands for the reader, such as
 * `npm ci`, which a test cannot run inside itself: they must be what `.ci/run` runs. A block marked
 * `c` is part of a program in `examples`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filesBelow } from '../src/platform/files.js';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const examples = filesBelow(join(root, 'examples'))
  .filter(file => file.endsWith('.c'))
  .map(file => read(`examples/${file}`));

/** The pages that are checked against the code. */
export const pages: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  ...filesBelow(join(root, 'docs'))
    .filter(file => file.endsWith('.md') && !/^(explain|decisions)\//.test(file))
    .map(file => `docs/${file}`),
];

/** What a new user reads first: its snippets run in every test, those of others in long ones. */
export const firstPages: readonly string[] = ['README.md', 'CONTRIBUTING.md', 'docs/tutorial.md'];

/** All other pages with snippets. */
export const guides: readonly string[] = pages.filter(
  page => !firstPages.includes(page) && /^```\w/m.test(read(page)),
);

/** Declares a test for each snippet. */
export function testSnippets(page: string): void {
  const text = read(page);
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
}

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

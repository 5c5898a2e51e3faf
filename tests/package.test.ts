/**
 * The package as `npm pack` makes it, unpacked into an empty project: what is shipped is all that
 * Redzone needs.
 *
 * Only the dependencies that `package.json` names are linked into that project, so that a
 * forgotten one fails the tests.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};

let project = '';
let packed: string[] = [];

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'redzone-package-'));
  // The script `prepare` builds the page, too; a checkout may have been installed without scripts.
  if (!existsSync(join(root, 'dist/site/index.html')))
    execFileSync(process.execPath, ['scripts/build-site.mjs', '--local'], { cwd: root, stdio: 'ignore' });
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', project];
  const [{ filename, files }] = JSON.parse(
    execFileSync('npm', pack, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  ) as [{ filename: string; files: { path: string }[] }];
  packed = files.map(file => file.path);
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, 'redzone'), { recursive: true });
  execFileSync('tar', [
    'xzf',
    join(project, filename),
    '-C',
    join(modules, 'redzone'),
    '--strip-components=1',
  ]);
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name), 'dir');
  }
  writeFileSync(
    join(project, 'stale.c'),
    '#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  *p = 1;\n  free(p);\n  return *p;\n}\n',
  );
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

function run(args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
}

test('the command line checks a file of the project', () => {
  const { status, stdout, stderr } = run([
    'node_modules/redzone/bin/redzone.js',
    'check',
    '--json',
    'stale.c',
  ]);
  expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
  expect(JSON.parse(stdout).findings).toMatchObject([{ code: 'use-after-free', location: { line: 6 } }]);
});

test('so does the library', () => {
  const script = `import { check } from 'redzone';
    const { verdict, findings } = await check({ inputs: ['stale.c'] });
    console.log(JSON.stringify([verdict, findings.map(finding => finding.code)]));`;
  const { stdout, stderr } = run(['--input-type=module', '--eval', script]);
  expect([stdout.trim(), stderr]).toEqual(['["findings",["use-after-free"]]', '']);
});

test.each(['kdalloc', 'hashtable', 'malloc', 'solver'])('redzone/%s can be imported', name => {
  const script = `console.log(Object.keys(await import('redzone/${name}')).length > 0)`;
  expect(run(['--input-type=module', '--eval', script])).toMatchObject({ stdout: 'true\n', stderr: '' });
});

test('the page is served with the compiler and Z3 of the installation', async () => {
  const words = ['node_modules/redzone/bin/redzone.js', 'serve', '--port', '0', '--open', 'no'];
  const server = spawn(process.execPath, words, { cwd: project, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const line = await new Promise<string>(resolve => server.stdout.once('data', text => resolve(`${text}`)));
    const url = /http:\S+(?=;)/.exec(line)?.[0] ?? line;
    const page = await (await fetch(url)).text();
    const [app] = /app-[0-9a-f]+/.exec(page) ?? [];
    const folder = join(project, 'node_modules/redzone/dist/site', app!);
    const scripts = readdirSync(folder).map(file => readFileSync(join(folder, file), 'latin1'));
    const assets = new Set(scripts.join().match(/assets\/(clang|headers|library|z3)-[0-9a-f]+\.bin/g));
    expect(assets.size).toBe(4);
    for (const asset of assets) {
      const response = await fetch(`${url}${asset}`);
      await response.body?.cancel();
      expect([asset, response.status]).toEqual([asset, 200]);
    }
  } finally {
    server.kill();
  }
});

test('every module is shipped once, and nothing that is needed only for building and testing', () => {
  // The page is a bundle of its own, for browsers.
  const modules = packed.filter(path => /^dist\/(?!site\/).*\.js$/.test(path));
  expect(modules.filter(path => !path.startsWith('dist/bundle/'))).toEqual([]);
  expect(packed.filter(path => /^dist\/site\/assets\/clang-/.test(path))).toEqual([]);
  expect(packed.filter(path => /tsbuildinfo|testing\.|\.test\.|modules\.json/.test(path))).toEqual([]);
});

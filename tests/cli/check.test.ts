/** `redzone check` on the command line: programs from stdin, refused files, Ctrl-C. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { redzone } from './memory-io.js';

const folder = mkdtempSync(join(tmpdir(), 'redzone-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

test('findings show the source of a program from stdin', async () => {
  const stdin = 'int main(void) {\n  int a[2], i = 2;\n  a[i] = 1;\n}\n';
  const { exitCode, stdout } = await redzone(['check', '-'], { stdin });
  expect(exitCode).toBe(1);
  expect(stdout).toContain(' --> <stdin>:3:8 in main\n');
  expect(stdout).toContain('3 |   a[i] = 1;\n  |   ^^^^ ');
});

test('the program whose library is compiled at installation is clean', () => {
  const root = join(import.meta.dirname, '../..');
  const args = ['bin/redzone.js', 'check', '--keep-going', 'scripts/common-functions.c'];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', input: '' });
  expect(stdout).toContain('redzone check: nothing found');
  expect(status).toBe(0);
});

test('a refused file is reported once, with the option that allows it', async () => {
  const name = file(
    'a.c',
    `#include <stdio.h>
    int main(void) { for (int i = 0; i < 3; i++) if (fopen("/etc/passwd", "r")) return 1; return 0; }`,
  );
  const { exitCode, stderr } = await redzone(['check', name]);
  expect(exitCode).toBe(0);
  expect(stderr).toBe(
    "note: the program was refused '/etc/passwd', which lies outside the folders that it may use\n" +
      'help: `--dir /etc` lets it use that folder\n',
  );
  expect((await redzone(['check', '-q', name])).stderr).toBe('');
});

test('an annotation that cannot be understood is an error inside the comment, and status 2', async () => {
  const name = file(
    'contract.c',
    '/*@ requires n > 0;\n    ensure \\result > 0; */\nint f(int n) { return n; }\nint main(void) { return f(1) - 1; }\n',
  );
  const { exitCode, stderr } = await redzone(['check', '--acsl', 'on', name]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('contract.c:2:5');
  expect(stderr).toContain('ensures');
});

test('--json is one document with the fields of the contract, and no others but help and high-water marks', async () => {
  const { exitCode, stdout } = await redzone(['check', '--json', 'examples/use-after-free.c']);
  const { findings, stats, ...rest } = JSON.parse(stdout);
  expect(exitCode).toBe(1);
  expect(rest).toEqual({ schema: 1, command: 'check', verdict: 'findings' });
  const place = { file: 'examples/use-after-free.c', line: 26, column: 45, function: 'main' };
  expect(findings).toEqual([
    {
      code: 'use-after-free',
      severity: 'error',
      cwe: 416,
      message: 'read of 4 bytes in a freed block of 16 bytes',
      location: place,
      stack: [place],
      access: { kind: 'read', bytes: 4 },
      object: { kind: 'heap', bytes: 16, allocated: expect.any(Array), freed: expect.any(Array) },
      help: 'free the block after its last use',
    },
  ]);
  const numbers = ['wallMs', 'compileMs', 'runMs', 'allocations', 'maxRssBytes'];
  expect(stats).toEqual({
    ...Object.fromEntries(numbers.map(name => [name, expect.any(Number)])),
    highWater: { heapBytes: 32, stackBytes: expect.any(Number), depth: expect.any(Number) },
  });
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s keeps the findings, and exits with 3', async signal => {
  const name = file(
    'b.c',
    `#include <stdio.h>
    int main(void) { volatile int a[2], i = 2; a[i] = 1; puts("ready"); fflush(stdout); for (;;) {} }`,
  );
  const bin = join(import.meta.dirname, '../../bin/redzone.js');
  const child = spawn(process.execPath, [bin, 'check', '--keep-going', name]);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', data => {
    // Once: the finding quotes the line with the word, and a second interrupt ends at once.
    if (!stdout.includes('ready') && String(data).includes('ready')) child.kill(signal);
    stdout += data;
  });
  child.stderr.on('data', data => {
    stderr += data;
  });
  const exitCode = await new Promise(resolve => child.on('close', resolve));
  expect(stderr).toContain('interrupted: stopping; press Ctrl-C again to end at once');
  expect(stdout).toContain('error[stack-buffer-overflow]');
  expect(stdout).toContain('redzone check: inconclusive; interrupted\n');
  expect(exitCode).toBe(3);
});

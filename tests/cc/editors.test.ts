/** What editors and CI systems read: `--format gcc`, `check -p`, the language server. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { serveEditor } from '../../src/cli/language-server.js';
import { redzone } from '../cli/memory-io.js';

const root = mkdtempSync(join(tmpdir(), 'redzone-editors-'));
const bin = join(import.meta.dirname, '../../bin/redzone.js');
afterAll(() => rmSync(root, { recursive: true }));

const use = (last: string): string => `#include <stdlib.h>
int twice(int n);
int main(void) {
  int *p = malloc(4);
  *p = twice(0);
  free(p);
  return ${last};
}
`;
const build = join(root, 'build');
mkdirSync(build);
writeFileSync(join(root, 'main.c'), use('*p'));
writeFileSync(join(root, 'tool.c'), use('0'));
writeFileSync(join(root, 'twice.c'), 'int twice(int n) { return 2 * n + EXTRA; }\n');
const commandOf = (target: string, name: string, flags = ''): object => ({
  directory: root,
  command: `cc ${flags} -march=native -o CMakeFiles/${target}.dir/${name}.c.o -c ${name}.c`,
  file: `${name}.c`,
});
writeFileSync(
  join(build, 'compile_commands.json'),
  JSON.stringify([
    commandOf('app', 'main'),
    commandOf('tool', 'tool'),
    commandOf('lib', 'twice', '-DEXTRA=0 -Wmissing-prototypes -Werror'),
  ]),
);

test('check -p builds a target with its dependencies', async () => {
  const { exitCode, stdout } = await redzone([
    'check',
    '-q',
    '--format',
    'gcc',
    '-p',
    build,
    '--target',
    'app',
  ]);
  expect(
    stdout,
  ).toBe(`${root}/main.c:7:10: error: read of 4 bytes in a freed block of 4 bytes [use-after-free]
${root}/main.c:4:12: note: allocated here
${root}/main.c:6:3: note: freed here
`);
  expect(exitCode).toBe(1);
  expect((await redzone(['check', '-p', build, '--target', 'tool'])).exitCode).toBe(0);
});

test('check -p names files below the current folder relative to it, and a source selects a program', () => {
  const args = ['check', '-q', '-p', 'build', '--target', 'twice.c', '--sarif', 'out.sarif'];
  const { status, stdout } = spawnSync(process.execPath, [bin, ...args], { cwd: root, encoding: 'utf8' });
  expect(stdout).toContain(' --> main.c:7:10 in main\n');
  expect(stdout).not.toContain(root);
  expect(status).toBe(1);
  const text = readFileSync(join(root, 'out.sarif'), 'utf8');
  expect(new Set(text.match(/"uri": "[^"]*\.c"/g))).toEqual(new Set(['"uri": "main.c"']));
});

test('check -p lists the programs', async () => {
  const { exitCode, stderr } = await redzone(['check', '-p', build]);
  expect(stderr).toContain('error: the build has 2 programs\nhelp: choose one with --target: app, tool\n');
  expect(exitCode).toBe(2);
  expect((await redzone(['check', '-p', root])).stderr).toContain('no such file');
  expect((await redzone(['check', '-p', build, 'a.c'])).stderr).toContain('-p cannot be combined with files');
});

/** A message as the protocol frames it. */
function frame(message: object): Uint8Array {
  const text = JSON.stringify({ jsonrpc: '2.0', ...message });
  return new TextEncoder().encode(`Content-Length: ${text.length}\r\n\r\n${text}`);
}

const messagesIn = (written: string): unknown[] =>
  written
    .split(/Content-Length: \d+\r\n\r\n/)
    .slice(1)
    .map(text => JSON.parse(text));

const place = (line: number, from: number, to: number): object => ({
  start: { line, character: from },
  end: { line, character: to },
});

test('a session of `redzone lsp` checks the program of the saved source with the flags of the build', async () => {
  const server = spawn(process.execPath, [bin, 'lsp'], { cwd: root });
  const written: string[] = [];
  server.stdout.setEncoding('utf8').on('data', (text: string) => void written.push(text));
  const uri = pathToFileURL(join(root, 'twice.c')).href;
  const rootUri = pathToFileURL(root).href;
  const text = readFileSync(join(root, 'twice.c'), 'utf8');
  const opened = { uri, languageId: 'c', version: 1, text };
  const session = [
    { id: 1, method: 'initialize', params: { processId: process.pid, rootUri, capabilities: {} } },
    { method: 'initialized', params: {} },
    { method: 'textDocument/didOpen', params: { textDocument: opened } },
    { method: 'textDocument/didSave', params: { textDocument: { uri } } },
    { method: 'textDocument/didClose', params: { textDocument: { uri } } },
    { id: 2, method: 'shutdown' },
    { method: 'exit' },
  ];
  for (const message of session) server.stdin.write(frame(message));
  expect(await once(server, 'close')).toEqual([0, null]);
  const main = pathToFileURL(join(root, 'main.c')).href;
  expect(messagesIn(written.join(''))).toMatchObject([
    { id: 1, result: { serverInfo: { name: 'redzone' } } },
    { method: 'textDocument/publishDiagnostics', params: { uri, diagnostics: [] } },
    {
      method: 'textDocument/publishDiagnostics',
      params: {
        uri: main,
        diagnostics: [
          {
            code: 'use-after-free',
            range: place(6, 9, 10),
            relatedInformation: [
              { message: 'allocated here', location: { uri: main, range: place(3, 11, 17) } },
              { message: 'freed here', location: { uri: main, range: place(5, 2, 6) } },
            ],
          },
        ],
      },
    },
    { id: 2, result: null },
  ]);
});

test('the language server publishes the findings of a saved source, and withdraws them', async () => {
  const file = join(root, 'alone.c');
  const uri = pathToFileURL(file).href;
  const save = frame({ method: 'textDocument/didSave', params: { textDocument: { uri } } });
  async function* editor(): AsyncIterable<Uint8Array> {
    const first = frame({ id: 1, method: 'initialize', params: {} });
    yield first.subarray(0, 30);
    yield first.subarray(30);
    writeFileSync(file, use('*p').replace('twice(0)', '0').replace('int twice(int n);', ''));
    yield save;
    writeFileSync(file, use('0').replace('twice(0)', '0').replace('int twice(int n);', ''));
    yield save;
    yield frame({ id: 2, method: 'textDocument/hover', params: {} });
    yield frame({ id: 3, method: 'shutdown' });
    yield frame({ method: 'exit' });
  }
  const written: string[] = [];
  expect(await serveEditor(editor(), text => void written.push(text))).toBe(0);
  expect(messagesIn(written.join(''))).toMatchObject([
    { id: 1, result: { capabilities: {} } },
    {
      method: 'textDocument/publishDiagnostics',
      params: {
        uri,
        diagnostics: [
          {
            code: 'use-after-free',
            severity: 1,
            range: place(6, 9, 10),
            relatedInformation: [
              { message: 'allocated here', location: { uri, range: place(3, 11, 17) } },
              { message: 'freed here', location: { uri, range: place(5, 2, 6) } },
            ],
          },
        ],
      },
    },
    { method: 'textDocument/publishDiagnostics', params: { uri, diagnostics: [] } },
    { id: 2, error: { code: -32_601 } },
    { id: 3, result: null },
  ]);
});

/** What editors and CI systems read: `--format gcc`, `check -p`, the language server. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { serveEditor } from '../../src/cli/language-server.js';
import { redzone } from '../cli/memory-io.js';

const root = mkdtempSync(join(tmpdir(), 'redzone-editors-'));
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

test('check -p lists the programs', async () => {
  const { exitCode, stderr } = await redzone(['check', '-p', build]);
  expect(stderr).toContain('error: the build has 2 programs\nhelp: choose one with --target: app, tool\n');
  expect(exitCode).toBe(2);
  expect((await redzone(['check', '-p', root])).stderr).toContain('no such file');
  expect((await redzone(['check', '-p', build, 'a.c'])).stderr).toContain('-p cannot be combined with files');
});

test('the language server publishes the findings of a saved source, and withdraws them', async () => {
  const file = join(root, 'alone.c');
  const uri = pathToFileURL(file).href;
  const frame = (message: object): Uint8Array => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    return new TextEncoder().encode(`Content-Length: ${text.length}\r\n\r\n${text}`);
  };
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
  const messages = written
    .join('')
    .split(/Content-Length: \d+\r\n\r\n/)
    .slice(1)
    .map(text => JSON.parse(text));
  const place = (line: number, from: number, to: number) => ({
    start: { line, character: from },
    end: { line, character: to },
  });
  expect(messages).toMatchObject([
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

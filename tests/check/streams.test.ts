/**
 * The standard streams of a program that is run by the library: events, not the descriptors of the
 * caller.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CheckOptions, check, type RunEvent } from '../../src/index.js';

interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

/** The output of the program, from the events. */
async function outputOf(text: string, options: Partial<CheckOptions> = {}): Promise<Output> {
  const pieces: Record<'stdout' | 'stderr', Uint8Array[]> = { stdout: [], stderr: [] };
  const onEvent = (event: RunEvent): void => {
    if (event.kind === 'output') pieces[event.stream].push(event.bytes);
  };
  const report = await check({ inputs: [{ name: 'a.c', text }], ...options }, { onEvent });
  expect(report.findings).toEqual([]);
  const all = (stream: 'stdout' | 'stderr'): string => Buffer.concat(pieces[stream]).toString();
  return { stdout: all('stdout'), stderr: all('stderr') };
}

const echo = `#include <stdio.h>
#include <unistd.h>
int main(void) {
  int c;
  while ((c = getchar()) != EOF) putchar(c);
  fprintf(stderr, "%d %d", isatty(0), isatty(1));
  return 0;
}`;

test("the program's output becomes events, and its input comes from the caller", async () => {
  expect(await outputOf(echo, { stdin: 'some text\n' })).toEqual({ stdout: 'some text\n', stderr: '0 0' });
  expect(await outputOf(echo)).toEqual({ stdout: '', stderr: '0 0' });
  expect(await outputOf(echo, { noChecks: true, stdin: 'raw' })).toEqual({ stdout: 'raw', stderr: '0 0' });
});

test('output larger than the buffers arrives complete and in order', async () => {
  const { stdout } = await outputOf(`#include <stdio.h>
    int main(void) { for (int i = 0; i < 1000000; i++) printf("%d\\n", i); return 0; }`);
  const expected = `${Array.from({ length: 1_000_000 }, (_, i) => i).join('\n')}\n`;
  expect(stdout === expected, `${stdout.length} of ${expected.length} characters`).toBe(true);
});

/** Records when V8 flags are set, in workers too. */
const watchFlags = `
  const v8 = require('node:v8');
  const set = v8.setFlagsFromString;
  v8.setFlagsFromString = flag => {
    require('node:fs').writeSync(1, 'flag ' + flag + '\\n');
    set(flag);
  };
  require('node:module').syncBuiltinESMExports();`;

test.each([
  ['are left alone', '', /^check clean 3\n$/],
  ['may be set', 'allowV8Flags();', /^(flag --\S+\n)+check clean 3\n$/],
])("the caller's streams are not used, and the flags of V8 %s", (_, allow, expected) => {
  const folder = mkdtempSync(join(tmpdir(), 'redzone-streams-'));
  writeFileSync(join(folder, 'watch.cjs'), watchFlags);
  // A comment of its own, so that clang has to be started.
  const program = `
    import { allowV8Flags, check } from 'redzone';
    ${allow}
    const text = '#include <stdio.h>\\nint main(void) { puts("shown"); return 3; } // ${folder}';
    const report = await check({ inputs: [{ name: 'a.c', text }] });
    console.log(report.command, report.verdict, report.program.exit);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: `--require ${join(folder, 'watch.cjs')}` },
  });
  rmSync(folder, { recursive: true });
  expect(stderr).toBe('');
  expect(stdout).toMatch(expected);
});

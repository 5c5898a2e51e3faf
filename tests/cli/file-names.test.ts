/** Names of files that a terminal or Node would change are printed as escapes or refused. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const bin = join(import.meta.dirname, '../../bin/redzone.js');
const folder = mkdtempSync(join(tmpdir(), 'redzone-file-names-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** `name` as bash reads it, because the names of Node are texts. */
function check(name: string): { readonly status: number | null; readonly output: string } {
  const script = `"${process.execPath}" "${bin}" check ${name} 2>&1`;
  const { status, stdout } = spawnSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' });
  return { status, output: stdout };
}

test('a colour in a name is printed as an escape', () => {
  const name = 'red\u001b[31m.c';
  writeFileSync(join(folder, name), 'int main(void) { return nowhere; }');
  const { status, output } = check(`"${name}"`);
  expect(output).not.toContain('\u001b');
  expect(output).toContain('red\\x1b[31m.c');
  expect(status).toBe(2);
});

test('a name that is not UTF-8 cannot be used, and the message says so', () => {
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/bad`), Buffer.of(0xff), Buffer.from('.c')]), '');
  const { status, output } = check("bad$'\\xff'.c");
  expect(output).toContain('cannot be named: its name is not UTF-8');
  expect(status).toBe(2);
});

/**
 * What takes minutes: the BIBOP allocator for eight rounds, and real programs, which do under
 * `explore` what they do under `check`.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { explore } from '../../src/index.js';
import { folder, installSources, realPrograms } from '../real-programs/programs.js';

beforeAll(installSources);

test('a BIBOP allocator has no null dereference on any sizes, eight rounds', async () => {
  const report = await explore({ inputs: [join(import.meta.dirname, 'programs/bibop.c')] });
  expect(report.findings).toEqual([]);
  // 1 + 3 + ... + 3^8: small, large and whole-page sizes in each round.
  expect(report.summary).toBe('all 9,841 paths explored');
});

const redzone = join(import.meta.dirname, '../../bin/redzone.js');

test.each(realPrograms.filter(({ name }) => name !== 'lmdb'))('$name', async program => {
  const { sources, flags, stdin, says, name } = program;
  const input = readFileSync(join(folder, stdin));
  const args = [name === 'sqlite' ? ':memory:' : program.argument];
  const output: Uint8Array[] = [];
  const report = await explore(
    { inputs: sources, clangFlags: flags, arguments: args, stdin: input },
    {
      onEvent: event => {
        if (event.kind === 'output' && event.stream === 'stdout') output.push(event.bytes);
      },
    },
  );
  expect(report.findings).toEqual([]);
  expect(report.summary).toBe('the only path explored');
  const text = Buffer.concat(output).toString();
  expect(text).toContain(says);
  const command = [redzone, 'check', '-q', ...sources, ...flags, '--', ...args];
  const checked = spawnSync(process.execPath, command, { input, encoding: 'utf8', maxBuffer: 1 << 26 });
  expect(checked.stdout).toBe(text);
});

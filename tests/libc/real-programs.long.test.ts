/**
 * SQLite, LMDB and tree-sitter, unchanged, do here what they do natively: on the model and in a
 * real folder.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { RealHost } from '../../src/host/real-host.js';
import { bytesInput, CapturedOutput } from '../../src/host/standard-streams.js';
import { hasGcc, run, runOn } from './harness.js';
import { buildNatively, buildReal, installRealPrograms, realPrograms, treeSitter } from './real-programs.js';

beforeAll(installRealPrograms);
const cases = [
  {
    program: realPrograms.sqlite,
    runs: [
      [':memory:', '2000'],
      ['file.db', '2000'],
    ],
    folders: () => [] as string[],
  },
  { program: realPrograms.lmdb, runs: [[]], folders: () => [] as string[] },
  {
    program: realPrograms.treeSitter,
    runs: [['lib.c', 'parser.c', 'stack.c', 'query.c'].map(name => join(treeSitter, 'src', name))],
    folders: () => [treeSitter],
  },
];

describe.runIf(hasGcc).each(cases)('$program.name', ({ program, runs, folders }) => {
  const expected: string[] = [];

  beforeAll(() => {
    const native = buildNatively(program, '-O1');
    const folder = mkdtempSync(join(tmpdir(), 'redzone-real-'));
    for (const args of runs) expected.push(native.run(args, folder).stdout);
    rmSync(folder, { recursive: true, force: true });
    native.dispose();
  });

  test('on the model', async () => {
    const module = await buildReal(program);
    const files = Object.fromEntries(
      folders().flatMap(folder =>
        readdirSync(join(folder, 'src'))
          .filter(name => name.endsWith('.c'))
          .map(name => [join(folder, 'src', name), readFileSync(join(folder, 'src', name))]),
      ),
    );
    runs.forEach((args, i) => {
      const here = run(module, { arguments: args, files });
      expect([here.reason, here.stdout]).toEqual(['', expected[i]]);
    });
  });

  test('in a real folder', async () => {
    const module = await buildReal(program);
    const folder = mkdtempSync(join(tmpdir(), 'redzone-real-'));
    runs.forEach((args, i) => {
      const stdout = new CapturedOutput();
      const host = new RealHost({
        folders: [folder, ...folders()],
        arguments: ['program', ...args],
        stdin: bytesInput(new Uint8Array(0)),
        stdout,
        stderr: new CapturedOutput(),
      });
      const { reason } = runOn(module, host);
      host.dispose();
      expect([reason, stdout.text()]).toEqual(['', expected[i]]);
    });
    rmSync(folder, { recursive: true, force: true });
  });
});

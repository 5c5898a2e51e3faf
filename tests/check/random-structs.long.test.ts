/**
 * Random programs that compute with structures: all ways to build them compute what gcc's does and
 * find nothing. With one place broken, all find the same error first, with the same call stack.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { CheckOptions, Finding } from '../../src/index.js';
import { hasTool } from '../optional-tools.js';
import { randomStructProgram } from '../random-programs/structs.js';
import { checkC } from './check-c.js';

const firstSeed = Number(process.env.REDZONE_SEED ?? 1);
const count = Number(process.env.REDZONE_COUNT ?? 30);
const folder = mkdtempSync(join(tmpdir(), 'redzone-structs-'));
afterAll(() => rmSync(folder, { recursive: true }));

function native(text: string): string {
  const [source, program] = [join(folder, 'a.c'), join(folder, 'a.out')];
  writeFileSync(source, text);
  execFileSync('gcc', ['-O1', '-w', '-o', program, source]);
  return execFileSync(program, { encoding: 'utf8', timeout: 60_000 });
}

/** With `--keep-going` and without the pre-analysis, all structures stay in memory. */
const ways: Record<string, Partial<CheckOptions>> = {
  quick: { speed: 'quick' },
  optimised: { speed: 'optimised' },
  'keep going': { speed: 'quick', keepGoing: true },
  'no pre-analysis': { speed: 'quick', preAnalysis: false },
};

async function run(text: string, bug: number, way: Partial<CheckOptions>) {
  let printed = '';
  const report = await checkC(
    text,
    { clangFlags: [`-DBUG=${bug}`, '-w'], ...way },
    {
      onEvent: event => {
        if (event.kind === 'output') printed += Buffer.from(event.bytes).toString();
      },
    },
  );
  return { ...report, printed };
}

const hasGcc = hasTool('gcc', 'what random programs with structures compute');
const brief = ({ code, stack }: Finding): string =>
  [code, ...stack.map(frame => `${frame.function}:${frame.line}`)].join(' ');

describe.each(Array.from({ length: count }, (_, i) => firstSeed + i))('seed %i', seed => {
  const { text, bugs } = randomStructProgram(seed);

  test.runIf(hasGcc)('all ways compute the same', async () => {
    const expected = native(text);
    for (const [name, way] of Object.entries(ways)) {
      const { findings, program, printed } = await run(text, 0, way);
      expect(findings.map(brief), name).toEqual([]);
      expect(program, name).toEqual({ exit: 0, signal: null });
      expect(printed, name).toBe(expected);
    }
  });

  test('all ways find the same', async () => {
    const bug = 1 + (seed % bugs.length);
    const found: Record<string, string> = {};
    for (const [name, way] of Object.entries(ways)) {
      const [first] = (await run(text, bug, way)).findings;
      found[name] = first === undefined ? 'nothing' : brief(first);
    }
    const { quick } = found;
    expect(found, `bug ${bug}`).toEqual(Object.fromEntries(Object.keys(ways).map(name => [name, quick])));
  });
});

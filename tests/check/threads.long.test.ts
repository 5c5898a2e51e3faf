/**
 * The textbook twenty, all cases of the programs that they are in, and the verdicts of
 * ThreadSanitizer and Helgrind beside ours, where gcc and valgrind are found.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { check, type ExploreReport, explore, type Finding, replay } from '../../src/index.js';
import { exploreCase } from '../explore/schedules.js';
import { hasGcc } from '../libc/harness.js';
import { hasTool } from '../optional-tools.js';
import { casesOf, golden, schedules, type Textbook, textbook } from './textbook.js';

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'redzone-textbook-'));
});
afterAll(() => rmSync(scratch, { recursive: true }));

const flagsOf = (isFixed: boolean): string[] => [`-I${dirname(golden)}`, ...(isFixed ? ['-DFIXED'] : [])];

/** What we find in a case: by `check` where each run shows it, else by `explore --threads`. */
async function ours({ program, name }: Pick<Textbook, 'program' | 'name'>, isFixed: boolean) {
  const request = {
    inputs: [program],
    clangFlags: flagsOf(isFixed),
    arguments: [String(casesOf(program).indexOf(name) + 1)],
  };
  if (program === golden) return { request, ...(await check(request)) };
  const folder = join(scratch, `${name}${isFixed}`);
  return { request, ...(await explore({ ...request, threads: true, folder })) };
}

const codesOf = (findings: readonly Finding[]): string[] => findings.map(({ code }) => code);

describe.each(textbook)('$title', one => {
  test('is found', async () => {
    const { findings, request } = await ours(one, false);
    expect(codesOf(findings)).toEqual([one.code]);
    const { test: file } = findings[0]!;
    if (file !== undefined)
      expect(codesOf((await replay({ ...request, test: file })).findings)).toContain(one.code);
  });

  test('is not found in the fixed twin', async () => {
    const { findings, verdict, summary } = await ours(one, true);
    expect(findings).toEqual([]);
    expect(verdict).toBe('clean');
    if (one.program === schedules) expect(summary).toMatch(/^all \d+ paths and schedules explored$/);
  });
});

const others = casesOf(schedules).filter(name => textbook.every(one => one.name !== name));

test.each(others)('%s is found, and its twin explored to the end', async name => {
  const one = { program: schedules, name };
  expect((await ours(one, false)).findings).toHaveLength(1);
  expect(await ours(one, true)).toMatchObject({ findings: [], verdict: 'clean' });
});

test.each([
  { name: 'two_last_owners', isFixed: true, reduced: 2, every: 208 },
  { name: 'two_last_owners', isFixed: false, reduced: 6, every: 1622 },
  { name: 'input_and_schedule', isFixed: true, reduced: 8, every: 3244 },
  { name: 'input_and_schedule', isFixed: false, reduced: 8, every: 3244 },
])(
  '$name, fixed $isFixed: $reduced of $every schedules show as much',
  async ({ name, isFixed, ...count }) => {
    const some = await exploreCase(name, { isFixed, confirm: false });
    const all = await exploreCase(name, { isFixed, confirm: false, everySchedule: true });
    const paths = ({ stats }: ExploreReport): number => stats.paths.completed + stats.paths.error;
    expect({ reduced: paths(some), every: paths(all) }).toEqual(count);
    expect(codesOf(some.findings)).toEqual(codesOf(all.findings));
    expect([some.verdict, all.verdict]).toEqual(isFixed ? ['clean', 'clean'] : ['findings', 'findings']);
  },
);

test('the fixed twins are silent under fifty schedules', async () => {
  const report = await check({ inputs: [golden], clangFlags: ['-DFIXED'], schedules: 50 });
  expect(report.findings).toEqual([]);
  expect(report.summary).toContain('50 schedules');
});

type Tool = 'tsan' | 'helgrind';
type Verdict = 'found' | 'silent' | 'hangs' | 'cannot run';

const compiled = new Map<string, boolean>();

/** What a native tool says of a case; up to three runs, for its verdict depends on the timing. */
function native(tool: Tool, { program, name }: Textbook, isFixed: boolean): Verdict {
  const built = join(scratch, `${tool}-${basename(program)}-${isFixed}`);
  if (!compiled.has(built)) {
    const flags = ['-w', '-g', '-O1', '-pthread', ...(tool === 'tsan' ? ['-fsanitize=thread'] : [])];
    const gcc = spawnSync('gcc', [...flags, ...flagsOf(isFixed), program, '-o', built, '-latomic']);
    compiled.set(built, gcc.status === 0);
  }
  if (!compiled.get(built)) return 'cannot run';
  const number = String(casesOf(program).indexOf(name) + 1);
  const command = tool === 'tsan' ? [built, number] : ['valgrind', '--tool=helgrind', '-q', built, number];
  let verdict: Verdict = 'silent';
  for (let i = 0; i < 3 && verdict === 'silent'; i++) {
    const { stderr, signal } = spawnSync(command[0]!, command.slice(1), {
      encoding: 'utf8',
      timeout: 3000,
      killSignal: 'SIGKILL',
    });
    if (stderr.includes('unexpected memory mapping')) return 'cannot run';
    if (/WARNING: ThreadSanitizer|Possible data race|lock order/.test(stderr)) verdict = 'found';
    else if (signal !== null) verdict = signal === 'SIGKILL' ? 'hangs' : 'found';
  }
  return verdict;
}

/** The titles of the cases that the tool gives a verdict on. */
const withVerdict = (tool: Tool, isFixed: boolean, verdict: Verdict): string[] =>
  textbook.filter(one => native(tool, one, isFixed) === verdict).map(({ title }) => title);

test.runIf(hasGcc)('ThreadSanitizer finds some of them, and nothing in the twins', () => {
  if (native('tsan', textbook[0]!, false) === 'cannot run') return;
  expect(withVerdict('tsan', false, 'found')).toEqual(
    expect.arrayContaining(['lost update', 'SPSC ring buffer']),
  );
  expect(withVerdict('tsan', true, 'found')).toEqual([]);
});

// It treats atomic operations as plain ones, so it reports races in correct programs.
test.runIf(hasGcc && hasTool('valgrind', 'Helgrind beside our verdicts'))('Helgrind finds some', () => {
  expect(withVerdict('helgrind', false, 'found')).toContain('lost update');
  expect(withVerdict('helgrind', true, 'found')).toContain("Peterson's lock");
});

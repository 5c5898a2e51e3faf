/** The matrix of attacks: inline metadata can be exploited, separate metadata cannot. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type AttackReport, heapAttack, listAttacks, mallocInfo, mallocNames } from '../../src/index.js';
import { redzone } from '../cli/memory-io.js';

const attacks = listAttacks();
const inLine = mallocNames.filter(name => mallocInfo[name].metadata === 'inline');
const apart = mallocNames.filter(name => mallocInfo[name].metadata === 'apart');

/** The attacks on inline metadata that do not reach their goal, with the reason. */
const exceptions: Record<string, string> = {
  'dlmalloc fast-list-poison': 'harmless', // it has no fast lists
  'ptmalloc2 double-free': 'detected', // glibc 2.3.4 looks at the first entry of the list
  'ptmalloc2 unlink-write': 'detected', // "free(): invalid next size"
  'ptmalloc2 realloc-unlink': 'detected', // "corrupted double-linked list"
  // Its goal is the crash.
  'dlmalloc wild-links': 'crashed',
  'ptmalloc2 wild-links': 'crashed',
};

let report: AttackReport;
beforeAll(async () => {
  report = await heapAttack();
});

test('there are at least 14 attacks, and each ran against each malloc', () => {
  expect(attacks.length).toBeGreaterThanOrEqual(14);
  expect(report.verdict).toBe('clean');
  expect(Object.keys(report.matrix ?? {}).sort()).toEqual(attacks.map(({ name }) => name).sort());
  for (const row of Object.values(report.matrix ?? {})) expect(Object.keys(row)).toEqual([...mallocNames]);
});

test('every outcome occurs', () => {
  const outcomes = Object.values(report.matrix ?? {}).flatMap(row => Object.values(row));
  expect([...new Set(outcomes)].sort()).toEqual(['crashed', 'detected', 'exploited', 'harmless']);
});

describe.each(attacks.filter(({ target }) => target === 'metadata'))('$name', ({ name }) => {
  test('succeeds where metadata are in line', () => {
    for (const malloc of inLine)
      expect(report.matrix?.[name]?.[malloc], malloc).toBe(exceptions[`${malloc} ${name}`] ?? 'exploited');
  });

  test('fails where metadata are separate', () => {
    for (const malloc of apart) expect(['detected', 'harmless']).toContain(report.matrix?.[name]?.[malloc]);
  });
});

test('an attack that does not end in time counts as crashed, and the next one runs', async () => {
  // No worker starts within a millisecond.
  const { matrix, summary } = await heapAttack({
    ...{ attacks: ['double-free', 'unlink-write'], mallocs: ['dlmalloc'], patienceMs: 1 },
  });
  expect(summary).toBe('2 of 2 attacks run');
  expect(matrix).toEqual({ 'double-free': { dlmalloc: 'crashed' }, 'unlink-write': { dlmalloc: 'crashed' } });
});

test('the command prints the matrix, as text and as JSON', async () => {
  const args = ['heap', 'attack', '--malloc', 'dlmalloc,sri,sri', 'double-free'];
  const { exitCode, stdout } = await redzone(args);
  expect(exitCode).toBe(0);
  expect(stdout).toBe(`attack       dlmalloc   sri
double-free  exploited  detected
exploited            1         0
redzone heap: 2 of 2 attacks run
`);
  const json = await redzone([...args, '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({
    schema: 1,
    command: 'heap',
    matrix: { 'double-free': { dlmalloc: 'exploited', sri: 'detected' } },
  });
});

test('attacks and mallocs that do not exist are named', async () => {
  expect((await redzone(['heap', 'atack'])).stderr).toContain('did you mean `redzone heap attack`?');
  expect((await redzone(['heap', 'attack', 'double-fee'])).stderr).toContain(
    "there is no attack 'double-fee'\nhelp: did you mean double-free?",
  );
  expect((await redzone(['heap', 'attack', '--malloc', 'srl'])).stderr).toContain('did you mean sri?');
});

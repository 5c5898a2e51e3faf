/** A folder stays usable after kills, damage, full disks, and a second process. */
import fs, {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { InputError } from '../../src/findings/diagnostic.js';
import { type ExploreOptions, type ExploreReport, explore, replay, tests } from '../../src/index.js';
import { parseJournal } from '../../src/platform/journal-file.js';
import { Random } from '../../src/support/random.js';
import { endAndQueriesOf, exploreAndKill, killedProgram } from './journal-harness.js';

/**
 * The bytes that the disk of journals has left, as a full one writes them: first in part. Only
 * journals are written at a position. Test files share modules, so a mocked one could be too late.
 */
const disk = { left: Number.POSITIVE_INFINITY };
const { writeSync } = fs;
const writeToDisk = (
  handle: number,
  bytes: Uint8Array,
  from?: number,
  length?: number,
  at?: number,
): number => {
  if (typeof at !== 'number' || disk.left === Number.POSITIVE_INFINITY)
    return writeSync(handle, bytes, from, length, at);
  if (disk.left === 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  const written = writeSync(handle, bytes, from, Math.min(length ?? bytes.length, disk.left), at);
  disk.left -= written;
  return written;
};
beforeAll(() => {
  fs.writeSync = writeToDisk as typeof writeSync;
  syncBuiltinESMExports();
});
afterAll(() => {
  fs.writeSync = writeSync;
  syncBuiltinESMExports();
});

const root = mkdtempSync(join(tmpdir(), 'redzone-journal-'));
afterAll(() => rmSync(root, { recursive: true }));

const program: ExploreOptions = {
  inputs: [{ name: 'test.c', text: killedProgram(3) }],
  seed: 3,
  checkpointMs: 5,
};
const wholeFolder = join(root, 'whole');
let whole: ExploreReport;
let journalBytes: number;
beforeAll(async () => {
  whole = await explore({ ...program, folder: wholeFolder });
  journalBytes = statSync(join(wholeFolder, 'journal')).size;
});

test('killed three times, the first run and resumed ones, the results are those of one run', async () => {
  const folder = join(root, 'killed');
  for (const [i, part] of [0.1, 0.5, 0.8].entries())
    await exploreAndKill({ ...program, folder, resume: i > 0 }, part * journalBytes);
  expect(existsSync(join(folder, 'lock'))).toBe(true);
  const report = await explore({ ...program, folder, resume: true });
  expect(endAndQueriesOf(report)).toEqual(endAndQueriesOf(whole));
  for (const file of ['coverage.info', 'statistics.csv'])
    expect(readFileSync(join(folder, file), 'utf8'), file).toBe(
      readFileSync(join(wholeFolder, file), 'utf8'),
    );
  for (const { test: file } of report.findings) expect(existsSync(file!)).toBe(true);
  expect((await tests({ folder })).tests).toHaveLength(whole.stats.tests!);
});

test('a journal that was changed anywhere gives the same results, or is rejected', async () => {
  const stopped = join(root, 'stopped');
  await explore({ ...program, folder: stopped, maxPaths: 40 });
  const journal = readFileSync(join(stopped, 'journal'));
  const random = new Random(5);
  for (let i = 0; i < 6; i++) {
    const folder = join(root, `damaged${i}`);
    cpSync(stopped, folder, { recursive: true });
    const at = random.below(journal.length);
    const changed = Buffer.from(journal);
    if (i % 3 === 0) changed[at]! ^= 1 << random.below(8);
    else if (i % 3 === 1) changed.fill(0, at, at + 64);
    writeFileSync(join(folder, 'journal'), i % 3 === 2 ? changed.subarray(0, at) : changed);
    const warnings: string[] = [];
    try {
      const onEvent = (event: { kind: string; diagnostic?: { severity: string; message: string } }): void => {
        if (event.diagnostic?.severity === 'warning') warnings.push(event.diagnostic.message);
      };
      const report = await explore({ ...program, folder, resume: true }, { onEvent });
      expect(endAndQueriesOf(report), `${i} at ${at}`).toEqual(endAndQueriesOf(whole));
      if (i % 3 === 0)
        expect(warnings).toEqual([
          expect.stringMatching(/is damaged at offset \d+: the part after it is explored again/),
        ]);
    } catch (error) {
      expect(error).toBeInstanceOf(InputError);
    }
  }
});

test('the disk is full at any time, and what fits is used by the run that resumes', async () => {
  // One checkpoint, at the end: the length of the journal hardly depends on the clock.
  const options = { ...program, checkpointMs: 1e9 };
  await explore({ ...options, folder: join(root, 'roomy') });
  const { size } = statSync(join(root, 'roomy', 'journal'));
  for (const part of [0.0001, 0.2, 0.5, 0.75]) {
    const folder = join(root, `full${part}`);
    const room = Math.ceil(part * size);
    disk.left = room;
    const { summary } = await explore({ ...options, folder });
    disk.left = Number.POSITIVE_INFINITY;
    expect(summary).toMatch(/full[\d.]+' is not complete: no space left on device$/);
    const left = readFileSync(join(folder, 'journal'));
    expect(left.length).toBeLessThanOrEqual(room);
    // There is no incomplete record.
    const contents = parseJournal(left);
    if (contents !== undefined) expect(contents).toMatchObject({ end: 'whole', bytes: left.length });
    const resumed = explore({ ...program, folder, resume: true });
    if (room < 10) await expect(resumed).rejects.toThrow(/'journal' is damaged at offset 0$/);
    else expect(endAndQueriesOf(await resumed), String(part)).toEqual(endAndQueriesOf(whole));
  }
});

test('a journal of another format is rejected, and a new exploration replaces it', async () => {
  const folder = join(root, 'format');
  mkdirSync(folder);
  const journal = readFileSync(join(wholeFolder, 'journal'));
  writeFileSync(
    join(folder, 'journal'),
    journal.toString('latin1').replace(/^redzone journal \d+/, 'redzone journal 2'),
    'latin1',
  );
  const why = /'journal' has format 2, and this Redzone uses format \d+$/;
  await expect(explore({ ...program, folder, resume: true })).rejects.toThrow(why);
  await expect(explore({ ...program, replayTree: folder })).rejects.toThrow(why);
  await expect(tests({ folder })).rejects.toThrow(why);
  expect(endAndQueriesOf(await explore({ ...program, folder }))).toEqual(endAndQueriesOf(whole));
});

test('a second process is rejected with the number of the first', async () => {
  const folder = join(root, 'owned');
  mkdirSync(folder);
  const start = readFileSync('/proc/1/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')[19];
  writeFileSync(join(folder, 'lock'), `1 ${start} ${hostname()}\n`);
  await expect(explore({ ...program, folder })).rejects.toThrow(/'.*owned' is in use by process 1$/);
  expect(existsSync(join(folder, 'journal'))).toBe(false);
});

test('the journal has the tests of all paths, the files those with findings and new coverage', async () => {
  const { tests: all, count } = await tests({ folder: wholeFolder });
  expect(count).toBe(whole.stats.tests);
  expect(all.map(({ number }) => number)).toEqual(Array.from({ length: count }, (_, i) => i + 1));
  const files = all.filter(({ number }) =>
    existsSync(join(wholeFolder, `${String(number).padStart(6, '0')}.ktest`)),
  );
  const fresh = await tests({ folder: wholeFolder, newCoverage: true });
  expect(fresh.tests.length).toBeGreaterThan(1);
  expect(files.map(({ number }) => number)).toEqual(
    expect.arrayContaining(fresh.tests.map(({ number }) => number)),
  );
  expect(files.length).toBeLessThanOrEqual(fresh.tests.length + whole.findings.length);

  const ofCode = await tests({ folder: wholeFolder, code: 'heap-buffer-overflow' });
  expect(ofCode.tests.every(({ end }) => end === 'heap-buffer-overflow')).toBe(true);
  const ofLine = await tests({ folder: wholeFolder, line: { file: 'test.c', line: 18 } });
  expect(ofLine.tests.length).toBeGreaterThan(0);
  await expect(tests({ folder: wholeFolder, code: 'heap-overflow' })).rejects.toThrow(/there is no code/);
  await expect(tests({ folder: wholeFolder, numbers: [9999] })).rejects.toThrow(/there is no test 9999/);
  await expect(tests({ folder: root })).rejects.toThrow(/it has no 'journal'/);
});

test('each format can be written, and a stored test is replayed by its number', async () => {
  const { tests: found } = await tests({ folder: wholeFolder, code: 'heap-buffer-overflow' });
  const number = found[0]!.number;
  const outDir = join(root, 'written');
  for (const format of ['ktest', 'json', 'c', 'xml'] as const)
    await tests({ folder: wholeFolder, numbers: [number], outDir, format });
  const name = String(number).padStart(6, '0');
  expect(JSON.parse(readFileSync(join(outDir, `${name}.json`), 'utf8')).end.kind).toBe('finding');
  expect(readFileSync(join(outDir, `${name}.c`), 'utf8')).toContain('heap-buffer-overflow at test.c');
  expect(readFileSync(join(outDir, `${name}.xml`), 'utf8')).toMatch(/<input>\d+<\/input>/);
  expect(readFileSync(join(outDir, 'metadata.xml'), 'utf8')).toContain('<producer>Redzone</producer>');
  const stored = await replay({ inputs: program.inputs, test: `${wholeFolder}#${number}` });
  expect(stored.findings.map(({ code }) => code)).toEqual(['heap-buffer-overflow']);
  await expect(replay({ inputs: program.inputs, test: `${wholeFolder}#0` })).rejects.toThrow(/no test 0/);
  const listed = tests({ folder: wholeFolder, format: 'c' });
  await expect(listed).rejects.toThrow('--format has no effect without -o');
});

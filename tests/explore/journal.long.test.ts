/** Explorations that are killed at random moments, and journals that are damaged anywhere. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EarlierJournal } from '../../src/explore/output/journal.js';
import { InputError } from '../../src/findings/diagnostic.js';
import { type ExploreOptions, type ExploreReport, explore } from '../../src/index.js';
import { parseJournal } from '../../src/platform/journal-file.js';
import { Random } from '../../src/support/random.js';
import { endAndQueriesOf, exploreAndKill, killedProgram } from './journal-harness.js';

const root = mkdtempSync(join(tmpdir(), 'redzone-journal-'));
afterAll(() => rmSync(root, { recursive: true }));

const program: ExploreOptions = { inputs: [{ name: 'test.c', text: killedProgram(3) }], seed: 3 };
const random = new Random(17);
let whole: ExploreReport;
let journalBytes: number;
beforeAll(async () => {
  const folder = join(root, 'whole');
  whole = await explore({ ...program, folder });
  journalBytes = statSync(join(folder, 'journal')).size;
});

test('killed 50 times and more at random moments, each folder ends with the same results', async () => {
  let kills = 0;
  for (let run = 0; kills < 50; run++) {
    const folder = join(root, `killed${run}`);
    const options = { ...program, folder, checkpointMs: run % 2 === 0 ? 1 : 1000 };
    let size = 0;
    for (let i = 0; i < 4; i++) {
      // A resumed run is killed after the existing records.
      size += random.below(Math.ceil(journalBytes / 3));
      const resume = i > 0 && EarlierJournal.read(folder) !== undefined;
      if (await exploreAndKill({ ...options, resume }, size)) kills++;
    }
    const resume = EarlierJournal.read(folder) !== undefined;
    expect(endAndQueriesOf(await explore({ ...options, resume }))).toEqual(endAndQueriesOf(whole));
    rmSync(folder, { recursive: true });
  }
});

/** A run that was stopped and resumed every other path: its journal has many records. */
async function oftenStopped(): Promise<{ readonly stopped: string; readonly journal: Buffer }> {
  const stopped = mkdtempSync(join(root, 'stopped-'));
  for (let i = 0; i < 10; i++)
    await explore({ ...program, folder: stopped, checkpointMs: 1, maxPaths: 2, resume: i > 0 });
  return { stopped, journal: readFileSync(join(stopped, 'journal')) };
}

/** A change of a journal at a random place: a bit, zeros, or its end. */
function damaged(journal: Buffer, kind: number): Buffer {
  const at = random.below(journal.length);
  if (kind === 2) return journal.subarray(0, at);
  const changed = Buffer.from(journal);
  if (kind === 0) changed[at]! ^= 1 << random.below(8);
  else changed.subarray(at, at + 1 + random.below(500)).fill(0);
  return changed;
}

test('with 10,000 changes of its journal, a stopped run is resumed to the same results, or rejected', async () => {
  const { stopped, journal } = await oftenStopped();
  // A run that resumes reads whole records only and removes what follows them. So changes that
  // leave the same records are resumed alike, once for all of them.
  const alike = new Map<string, Buffer>();
  for (let i = 0; i < 10_000; i++) {
    const changed = damaged(journal, i % 3);
    const read = EarlierJournal.of(changed);
    const bytes = read?.position.bytes ?? 0;
    expect(changed.compare(journal, 0, bytes, 0, bytes)).toBe(0);
    const end = read === undefined ? 'unreadable' : read.damagedAt === undefined ? 'cut' : 'damaged';
    alike.set(`${end} ${bytes}`, changed);
  }
  const folder = join(root, 'damaged');
  const refused: string[] = [];
  for (const [key, changed] of alike) {
    cpSync(stopped, folder, { recursive: true });
    writeFileSync(join(folder, 'journal'), changed);
    try {
      expect(endAndQueriesOf(await explore({ ...program, folder, resume: true })), key).toEqual(
        endAndQueriesOf(whole),
      );
    } catch (error) {
      expect(error, key).toBeInstanceOf(InputError);
      refused.push(key);
    }
    rmSync(folder, { recursive: true });
  }
  expect(alike.size).toBeGreaterThan(50);
  // Nothing can be used without the first record.
  expect(refused).toEqual(['unreadable 0']);
});

/** Whether this user may mount a small disk; it is removed again. */
function mayMount(): boolean {
  const folder = mkdtempSync(join(root, 'mount-'));
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'redzone', folder]).status !== 0) return false;
  return spawnSync('umount', [folder]).status === 0;
}

test.runIf(mayMount())('on a real disk that is full, and is made larger', async () => {
  const disk = mkdtempSync(join(root, 'disk-'));
  const mount = (...args: string[]): void =>
    expect(spawnSync('mount', ['-t', 'tmpfs', ...args, 'redzone', disk]).status).toBe(0);
  let stoppedRuns = 0;
  for (let pages = 1; pages <= 24; pages++) {
    mount('-o', `size=${4 * pages}k`);
    try {
      const options = { ...program, folder: join(disk, 'out'), checkpointMs: 1 };
      const report = await explore(options);
      if (report.summary?.includes('no space left on device')) stoppedRuns++;
      mount('-o', 'remount,size=64m');
      const resume = EarlierJournal.read(options.folder) !== undefined;
      expect(endAndQueriesOf(await explore({ ...options, resume })), `${pages} pages`).toEqual(
        endAndQueriesOf(whole),
      );
    } finally {
      spawnSync('umount', [disk]);
    }
  }
  expect(stoppedRuns).toBeGreaterThan(10);
});

test('after a power cut in the last records, only what had not reached the disk is lost', async () => {
  const { stopped, journal } = await oftenStopped();
  const ends = parseJournal(journal)!.records.map(({ offset }) => offset);
  // The last eight records, cut at each byte; or the length has grown, and a block is still zeros.
  const first = ends.at(-8)!;
  const seen = new Set<number>();
  for (let at = first; at < journal.length; at++) {
    const zeros = Buffer.from(journal).fill(0, at, Math.min(journal.length, at + 512));
    for (const left of [journal.subarray(0, at), zeros]) {
      const { position } = EarlierJournal.of(left)!;
      const kept = ends.findLast(end => end <= at)!;
      // A record that ends in zeros is whole in spite of them.
      if (left.compare(journal) !== 0) expect(position.bytes).toBeGreaterThanOrEqual(kept);
      if (left.length < journal.length) expect(position.bytes).toBe(kept);
      if (seen.has(position.bytes)) continue;
      seen.add(position.bytes);
      const folder = join(root, 'powerless');
      cpSync(stopped, folder, { recursive: true });
      writeFileSync(join(folder, 'journal'), left);
      expect(endAndQueriesOf(await explore({ ...program, folder, resume: true })), `${at}`).toEqual(
        endAndQueriesOf(whole),
      );
      rmSync(folder, { recursive: true });
    }
  }
  expect(seen.size).toBeGreaterThanOrEqual(8);
});

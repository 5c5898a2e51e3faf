/** Explorations that are killed at random moments, and journals that are damaged anywhere. */
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EarlierJournal } from '../../src/explore/output/journal.js';
import { InputError } from '../../src/findings/diagnostic.js';
import { type ExploreOptions, type ExploreReport, explore } from '../../src/index.js';
import { Random } from '../../src/support/random.js';
import { endOf, exploreAndKill, killedProgram } from './journal-harness.js';

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
    expect(endOf(await explore({ ...options, resume }))).toEqual(endOf(whole));
    rmSync(folder, { recursive: true });
  }
});

test('with its journal flipped, zeroed or truncated, a stopped run is resumed to the same results, or rejected', async () => {
  const stopped = join(root, 'stopped');
  await explore({ ...program, folder: stopped, checkpointMs: 1, maxPaths: 50 });
  const journal = readFileSync(join(stopped, 'journal'));
  const folder = join(root, 'damaged');
  let refused = 0;
  for (let i = 0; i < 60; i++) {
    cpSync(stopped, folder, { recursive: true });
    const at = random.below(journal.length);
    const changed = Buffer.from(journal);
    if (i % 3 === 0) changed[at]! ^= 1 << random.below(8);
    else if (i % 3 === 1) changed.subarray(at, at + 1 + random.below(500)).fill(0);
    writeFileSync(join(folder, 'journal'), i % 3 === 2 ? changed.subarray(0, at) : changed);
    try {
      expect(endOf(await explore({ ...program, folder, resume: true })), `${i}: ${at}`).toEqual(endOf(whole));
    } catch (error) {
      expect(error).toBeInstanceOf(InputError);
      refused++;
    }
    rmSync(folder, { recursive: true });
  }
  expect(refused).toBeLessThan(30);
});

test('with 10,000 changes of a real journal, the records read are a prefix of those written', () => {
  const file = join(root, 'whole', 'journal');
  const journal = readFileSync(file);
  const ends = (of: EarlierJournal | undefined): string[] => {
    const found: string[] = [];
    of?.visit({ end: ({ trail }) => found.push(`${trail.print1},${trail.print2}`) });
    return found;
  };
  const all = ends(EarlierJournal.read(join(root, 'whole')));
  expect(all.length).toBe(new Set(all).size);
  for (let i = 0; i < 10_000; i++) {
    const at = random.below(journal.length);
    const changed = Buffer.from(journal);
    if (i % 3 === 0) changed[at]! ^= 1 << random.below(8);
    else if (i % 3 === 1) changed.subarray(at, at + 1 + random.below(100)).fill(0);
    const read = EarlierJournal.of(i % 3 === 2 ? changed.subarray(0, at) : changed);
    const found = ends(read);
    if (found.some((end, j) => end !== all[j])) expect.fail(`at ${at}`);
    const wrong = i % 3 === 2 ? at : changed.findIndex((byte, j) => byte !== journal[j]);
    if (wrong >= 0 && read !== undefined && read.position.bytes > wrong) expect.fail(`${wrong} is believed`);
  }
});

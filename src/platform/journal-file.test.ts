/** However a journal is damaged, the records read from it are a prefix of those written. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { JournalWriter, parseJournal, readJournal } from './journal-file.js';

const root = mkdtempSync(join(tmpdir(), 'redzone-journal-'));
afterAll(() => rmSync(root, { recursive: true }));

const path = join(root, 'journal');
const payloads = Array.from({ length: 40 }, (_, i) =>
  Uint8Array.from({ length: (i * 37) % 91 }, (_, j) => (i % 3 === 0 ? 0 : i * j)),
);
const writer = JournalWriter.begin(path);
for (const [i, payload] of payloads.entries()) writer.append(1 + (i % 4), payload);
writer.close();
const file = readFileSync(path);

/** The records that are read, and whether they are the first of those that were written. */
function recordsIn(bytes: Uint8Array): number {
  const contents = parseJournal(bytes);
  const records = contents?.records ?? [];
  const areWritten = records.every(
    ({ kind, payload }, i) => kind === 1 + (i % 4) && Buffer.compare(payload, payloads[i]!) === 0,
  );
  // Asking for each of them would take most of the time.
  if (!areWritten) throw new Error('something was read that was not written');
  return records.length;
}

test('all records are read back, and a writer appends after them', () => {
  const contents = readJournal(path)!;
  expect(contents).toMatchObject({ end: 'whole', bytes: file.length });
  expect(recordsIn(file)).toBe(payloads.length);
  const copy = join(root, 'copy');
  // A record that was being written when the process was killed.
  writeFileSync(copy, file.subarray(0, file.length - 3));
  const cut = readJournal(copy)!;
  expect(cut).toMatchObject({ end: 'cut' });
  expect(cut.records).toHaveLength(payloads.length - 1);
  const more = JournalWriter.goOn(copy, cut);
  more.append(7, new Uint8Array([1, 2, 3]));
  more.close();
  const again = readJournal(copy)!;
  expect(again.end).toBe('whole');
  expect(again.records.at(-1)?.kind).toBe(7);
  expect([...again.records.at(-1)!.payload]).toEqual([1, 2, 3]);
});

test('in a journal that is flipped, zeroed or truncated anywhere, only written records are read', () => {
  for (let at = 0; at < file.length; at++) {
    for (const mask of [1, 0x80, 0xff]) {
      const changed = Uint8Array.from(file);
      changed[at]! ^= mask;
      expect(recordsIn(changed)).toBeLessThan(payloads.length);
      const contents = parseJournal(changed);
      if (contents !== undefined) {
        expect(contents.end).not.toBe('whole');
        expect(contents.bytes).toBeLessThanOrEqual(at);
      }
    }
    expect(recordsIn(file.subarray(0, at))).toBeLessThan(payloads.length);
    const zeroed = Uint8Array.from(file).fill(0, at);
    const isZeroAlready = file.subarray(at).every(byte => byte === 0);
    if (!isZeroAlready) expect(recordsIn(zeroed)).toBeLessThan(payloads.length);
  }
});

test('moved, repeated and missing records are detected', () => {
  const { records } = parseJournal(file)!;
  const start = records[0]!.offset;
  const texts = records.map(({ offset }, i) => file.subarray(offset, records[i + 1]?.offset ?? file.length));
  fc.assert(
    fc.property(fc.array(fc.nat(records.length - 1), { maxLength: 50 }), order => {
      const changed = Buffer.concat([file.subarray(0, start), ...order.map(i => texts[i]!)]);
      const asWritten = order.findIndex((record, i) => record !== i);
      expect(recordsIn(changed)).toBe(asWritten < 0 ? order.length : asWritten);
    }),
    { seed: 11 },
  );
});

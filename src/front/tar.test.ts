import { expect, test } from 'vitest';
import { tarEntries } from './tar.js';

/** One entry as tar writes it. */
function entry(name: string, text: string, kind = '0'): Uint8Array {
  const block = new Uint8Array(512 + Math.ceil(text.length / 512) * 512);
  const put = (at: number, field: string) => block.set(new TextEncoder().encode(field), at);
  put(0, name);
  put(124, text.length.toString(8).padStart(11, '0'));
  put(156, kind);
  put(512, text);
  return block;
}

function read(...blocks: Uint8Array[]): [string, string][] {
  const archive = Buffer.concat(blocks);
  return tarEntries(archive).map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]);
}

const end = new Uint8Array(1024);

test('files are read with their bytes, folders and links are skipped', () => {
  const long = 'x'.repeat(513);
  expect(
    read(
      ...[entry('include', '', '5'), entry('include/a.h', 'A'), entry('link', '', '2')],
      ...[entry('empty', ''), entry('old', long, '\0'), end],
    ),
  ).toEqual([
    ['include/a.h', 'A'],
    ['empty', ''],
    ['old', long],
  ]);
});

test('a name may fill its whole field', () => {
  const name = 'n'.repeat(100);
  expect(read(entry(name, 'text'), end)).toEqual([[name, 'text']]);
});

test('bytes are views of the archive', () => {
  const archive = Buffer.concat([entry('a', 'old'), end]);
  const [[, bytes]] = tarEntries(archive) as [[string, Uint8Array]];
  archive[512] = 'O'.charCodeAt(0);
  expect(new TextDecoder().decode(bytes)).toBe('Old');
});

test('an empty or truncated archive is read up to its end', () => {
  expect(read()).toEqual([]);
  expect(read(end)).toEqual([]);
  expect(read(entry('a', 'whole'))).toEqual([['a', 'whole']]);
  expect(read(entry('a', 'whole').subarray(0, 300))).toEqual([]);
});

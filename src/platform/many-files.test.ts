/** Many small files: all are there after `finish`, and a failure is told. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ManyFiles } from './many-files.js';

const folder = mkdtempSync(join(tmpdir(), 'redzone-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

const content = (i: number): Uint8Array => new TextEncoder().encode(`file ${i}${'.'.repeat(i % 50)}`);

test.each([3, 300, 301, 1000])('%i files', async count => {
  const files = new ManyFiles();
  const below = `${folder}/${count}`;
  for (let i = 0; i < count; i++) files.write(`${below}/${i}`, content(i));
  await files.finish();
  expect(readdirSync(below)).toHaveLength(count);
  for (let i = 0; i < count; i++) expect(readFileSync(`${below}/${i}`)).toEqual(Buffer.from(content(i)));
});

test('what cannot be written is an error', async () => {
  writeFileSync(`${folder}/no-folder`, '');
  const files = new ManyFiles();
  for (let i = 0; i < 300; i++) files.write(`${folder}/fine/${i}`, content(i));
  files.write(`${folder}/no-folder/1`, content(1));
  await expect(files.finish()).rejects.toThrow(/ENOTDIR/);
});

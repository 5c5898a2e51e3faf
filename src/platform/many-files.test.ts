/** Many small files: all exist after `finish`, and a failure is reported. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ManyFiles } from './many-files.js';

const folder = mkdtempSync(join(tmpdir(), 'redzone-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

const content = (i: number): Uint8Array => new TextEncoder().encode(`file ${i}${'.'.repeat(i % 50)}`);

test.each([3, 301, 500])('%i files', async count => {
  const files = new ManyFiles();
  const below = `${folder}/${count}`;
  for (let i = 0; i < count; i++) files.write(`${below}/${i}`, content(i));
  await files.finish();
  expect(readdirSync(below)).toHaveLength(count);
  for (let i = 0; i < count; i++) expect(readFileSync(`${below}/${i}`)).toEqual(Buffer.from(content(i)));
});

test('strings, existing files, large files, and more than the queue holds', async () => {
  const files = new ManyFiles();
  const below = `${folder}/mixed`;
  const text = (i: number): string => (i === 400 ? 'large '.repeat(20_000) : `ä${i} `.repeat(10 * i));
  for (let i = 0; i < 600; i++) files.write(`${below}/${i}`, text(i));
  await files.finish();
  const again = new ManyFiles();
  for (let i = 0; i < 500; i++) again.write(`${below}/${i}`, text(i + 1), true);
  await again.finish();
  for (let i = 0; i < 600; i++) expect(readFileSync(`${below}/${i}`, 'utf8')).toBe(text(i < 500 ? i + 1 : i));
});

test.each([0, 300])('a failed write after %i files is reported', async count => {
  writeFileSync(`${folder}/no-folder`, '');
  const old = `${folder}/old${count}`;
  writeFileSync(old, 'of an earlier run');
  const files = new ManyFiles();
  for (let i = 0; i < count; i++) files.write(`${folder}/fine/${i}`, content(i));
  files.write(`${folder}/no-folder/1`, content(1));
  files.write(old, content(2), true);
  // More than can wait: the caller does not wait for a worker that has failed.
  for (let i = 0; i < 100; i++) files.write(`${folder}/no-folder/2`, new Uint8Array(60_000));
  await files.finish();
  expect(files.failure?.message).toMatch(/ENOTDIR/);
  expect(existsSync(old)).toBe(false);
});

test('one worker writes, and nothing is written after `finish`', () => {
  // The numbers of workers count those that were started before.
  const script = `
    import { Worker } from 'node:worker_threads';
    import { ManyFiles } from '${new URL('../../dist/platform/many-files.js', import.meta.url)}';
    const files = new ManyFiles();
    for (let i = 0; i < 301; i++) files.write('${folder}/once/' + i, new Uint8Array(1));
    await files.finish();
    console.log(new Worker('', { eval: true }).threadId - 1);`;
  const started = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(Number(started)).toBe(1);
});

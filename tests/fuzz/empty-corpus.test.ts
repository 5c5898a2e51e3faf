/** A search continues although each input so far led to an error, or was rejected by the target. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type FuzzOptions, type FuzzReport, fuzz, type RunEvent } from '../../src/index.js';

const root = mkdtempSync(join(tmpdir(), 'redzone-fuzz-empty-'));
afterAll(() => rmSync(root, { recursive: true }));
let folders = 0;

const headers = `#include <stdint.h>
#include <stdlib.h>
#include <string.h>
`;

async function run(
  text: string,
  options: Partial<FuzzOptions> = {},
): Promise<[FuzzReport, string[], string]> {
  const folder = join(root, String(folders++));
  const notes: string[] = [];
  const onEvent = (event: RunEvent): void => {
    if (event.kind === 'warning') notes.push(event.diagnostic.message);
  };
  const inputs = [{ name: 'target.c', text: headers + text }];
  const report = await fuzz({ inputs, folder, mode: 'grey', maxRuns: 6000, ...options }, { onEvent });
  return [report, notes, folder];
}

const codes = ({ findings }: FuzzReport): string[] => findings.map(({ code }) => code).sort();

test('a target that reads beyond each short input', async () => {
  const text = `int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (data[40] == 7 && memcmp(data, "deep", 4) == 0) return *(volatile char *)0;
  return 0;
}`;
  const [report] = await run(text);
  expect(codes(report)).toEqual(['heap-buffer-overflow', 'null-dereference']);
  expect(report.stats.runs).toBe(6000);
});

test('a target that rejects all inputs but those of its own mutator, with any number of workers', async () => {
  const text = `size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
static uint8_t sum(const uint8_t *data, size_t size) {
  uint8_t s = 7;
  for (size_t i = 0; i < size; i++) s = s * 31 + data[i];
  return s;
}
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  size = 1 + LLVMFuzzerMutate(data, size > 0 ? size - 1 : 0, most - 1);
  data[size - 1] = sum(data, size - 1);
  return size;
}
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 6 || sum(data, size - 1) != data[size - 1]) return -1;
  char *p = malloc(4);
  if (data[0] == 'K') p[data[1]] = 1;
  free(p);
  return 0;
}`;
  const [one, , ofOne] = await run(text);
  expect(codes(one)).toEqual(['heap-buffer-overflow']);
  const [three, , ofThree] = await run(text, { workers: 3 });
  const corpus = (folder: string): string[] => readdirSync(join(folder, 'corpus')).sort();
  expect(corpus(ofThree)).toEqual(corpus(ofOne));
  expect(readFileSync(three.findings[0]!.input!)).toEqual(readFileSync(one.findings[0]!.input!));
});

test('notes say that the corpus is empty, and that threads do not run concurrently', async () => {
  const text = `#include <pthread.h>
static int sum;
static void *work(void *p) { return sum++, p; }
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pthread_t thread;
  if (pthread_create(&thread, 0, work, 0) == 0) pthread_join(thread, 0);
  if (sum == 1) abort();
  return 0;
}`;
  const [report, notes] = await run(text, { maxRuns: 2000 });
  expect(codes(report)).toEqual(['abort']);
  expect(report.stats).toMatchObject({ runs: 2000, corpus: 0 });
  expect(notes).toEqual([
    'each thread runs to its end where it is created, so races are not found: see `check`',
    'the corpus is empty: each input led to a finding, or the target returned -1 for it',
  ]);
});

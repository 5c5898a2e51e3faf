/**
 * `fuzz` finds planted errors, writes inputs that reproduce them, and is deterministic for a seed.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { askedSafely } from '../../src/api/fuzz-pipeline.js';
import { nameOf } from '../../src/fuzz/corpus-folder.js';
import {
  type FuzzOptions,
  type FuzzReport,
  fuzz,
  InputError,
  type RunEvent,
  replay,
} from '../../src/index.js';

const root = mkdtempSync(join(tmpdir(), 'redzone-fuzz-'));
afterAll(() => rmSync(root, { recursive: true }));

const targets = join(import.meta.dirname, 'targets');
let folders = 0;
const newFolder = (): string => join(root, String(folders++));

function run(
  options: Omit<FuzzOptions, 'folder'> & { folder?: string },
  events: RunEvent[] = [],
): Promise<FuzzReport> {
  return fuzz({ folder: newFolder(), ...options }, { onEvent: event => events.push(event) });
}

const inC = (text: string, name = 'target.c') => [{ name, text }];
const asTarget = (body: string): string => `#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
${body}
  return 0;
}
`;

const messages = (events: readonly RunEvent[]): string[] =>
  events.flatMap(event => (event.kind === 'warning' ? [event.diagnostic.message] : []));

describe('planted errors', () => {
  test.each([
    ['magic', 'global-buffer-overflow', 20_000],
    ['chunks', 'heap-buffer-overflow', 40_000],
    ['json', 'heap-buffer-overflow', 30_000],
    ['tokens', 'use-after-free', 20_000],
  ])('%s: %s', async (name, code, maxRuns) => {
    const inputs = [join(targets, `${name}.c`)];
    const report = await run({ inputs, maxRuns, mode: 'grey' });
    expect(report.findings.map(finding => [finding.code, finding.confirmed])).toEqual([[code, true]]);
    const [found] = report.findings;
    expect(report.stats.runs).toBe(maxRuns);
    // The test reproduces the finding in another engine.
    const again = await replay({ inputs, test: found!.test!, isSilent: true });
    expect(again.findings.map(finding => [finding.code, finding.location])).toEqual([
      [code, found!.location],
    ]);
  });

  test('a fixed twin stays silent', async () => {
    const report = await run({
      inputs: [join(targets, 'tokens.c')],
      clangFlags: ['-DFIXED'],
      maxRuns: 20_000,
      mode: 'grey',
    });
    expect(report).toMatchObject({ verdict: 'clean', findings: [] });
  });
});

describe('the explorer helps', () => {
  const inputs = [join(targets, 'checksum.c')];

  test('a condition that no mutation satisfies is solved when coverage stalls', async () => {
    const alone = await run({ inputs, maxRuns: 12_000, mode: 'grey' });
    expect(alone).toMatchObject({ verdict: 'clean', stats: { boxes: { white: { runs: 0 } } } });
    const helped = await run({ inputs, maxRuns: 12_000 });
    expect(helped.findings.map(({ code, confirmed }) => [code, confirmed])).toEqual([
      ['heap-buffer-overflow', true],
    ]);
    expect(helped.stats.boxes?.white.findings).toBe(1);
    expect(helped.findings[0]!.notes?.at(-1)?.message).toMatch(/^found by white in run [\d,]+$/);
    const again = await run({ inputs, maxRuns: 12_000, workers: 2 });
    expect(readFileSync(again.findings[0]!.input!)).toEqual(readFileSync(helped.findings[0]!.input!));
  });

  test('nothing is found behind the condition of the fixed twin', async () => {
    const report = await run({ inputs, clangFlags: ['-DFIXED'], maxRuns: 12_000 });
    expect(report.findings).toEqual([]);
    // The explorer has found an input that passes the gate.
    expect(report.stats.boxes?.white.inputs).toBeGreaterThan(0);
  });

  test('in a program whose tables hold the addresses of labels', async () => {
    const machine = (room: string): string =>
      asTarget(`
  static const void *const actions[] = {&&push, &&halt};
  int stack[2], depth = 0;
  size_t at = 0;
next:
  if (at + 4 > size || memcmp(data + at, "go!", 3) != 0 || data[at + 3] > 1) return 0;
  at += 4;
  goto *actions[data[at - 1]];
push:
  if (${room}) stack[depth++] = data[at - 1];
  goto next;
halt:;`);
    const options = { maxRuns: 300, mode: 'white' } as const;
    const broken = await run({ ...options, inputs: inC(machine('depth <= 2')) });
    expect(broken.findings.map(({ code, confirmed }) => [code, confirmed])).toEqual([
      ['stack-buffer-overflow', true],
    ]);
    const fixed = await run({ ...options, inputs: inC(machine('depth < 2')) });
    expect(fixed.findings).toEqual([]);
    expect(fixed.stats.boxes?.white.inputs).toBeGreaterThan(0);
  });
});

test('an error of the default seed, though no seed is given', async () => {
  const inputs = inC(asTarget('  if (size == 0) abort();'));
  const report = await run({ inputs, maxRuns: 10 });
  expect(report.findings[0]!.notes?.at(-1)?.message).toBe(
    'found by an input that was there before the search',
  );
});

describe('the same seed', () => {
  const inputs = [join(targets, 'json.c')];
  const corpusOf = (folder: string): string[] => readdirSync(join(folder, 'corpus')).sort();

  test('gives the same results with one worker and with three', async () => {
    const [one, three] = [newFolder(), newFolder()];
    const first = await run({ inputs, folder: one, maxRuns: 8000, seed: 5, mode: 'grey' });
    const second = await run({ inputs, folder: three, maxRuns: 8000, seed: 5, workers: 3, mode: 'grey' });
    expect(corpusOf(three)).toEqual(corpusOf(one));
    expect(second.findings.map(({ message }) => message)).toEqual(
      first.findings.map(({ message }) => message),
    );
    expect(second.stats.edges).toBe(first.stats.edges);
  });

  test('a search can continue from its corpus, and the corpus can be minimised', async () => {
    const folder = newFolder();
    const before = await run({ inputs, folder, maxRuns: 6000, mode: 'grey' });
    expect(corpusOf(folder)).toHaveLength(before.stats.corpus!);
    const events: RunEvent[] = [];
    const after = await run({ inputs, folder, maxRuns: 1, mode: 'grey' }, events);
    expect(after.stats.edges).toBe(before.stats.edges);
    expect(messages(events)).toEqual([
      `the search begins with ${before.stats.corpus} inputs of '${join(folder, 'corpus')}'`,
    ]);
    const copy = newFolder();
    cpSync(join(folder, 'corpus'), copy, { recursive: true });
    writeFileSync(join(copy, 'same-as-another'), '[1,2]');
    writeFileSync(join(copy, 'same-again'), '[1,3]');
    const few = newFolder();
    const smaller = await run({ inputs, corpus: [copy], minimizeCorpus: few });
    expect(readdirSync(few).length).toBeLessThan(readdirSync(copy).length);
    expect(smaller.stats.corpus).toBe(readdirSync(few).length);
    const again = await run({ inputs, corpus: [few], maxRuns: 1, mode: 'grey' });
    expect(again.stats.edges).toBe(before.stats.edges);
  });
});

test('inputs of another folder that add coverage are merged into the first, but none that crash', async () => {
  const inputs = [join(targets, 'tokens.c')];
  const [first, second] = [newFolder(), newFolder()];
  for (const [folder, text] of [
    [first, 'abc'],
    [second, 'abc'],
    [second, '12 (x)'],
    [second, '13 (y)'],
    [second, '(a 1 b)'],
  ] as const) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, nameOf(Buffer.from(text))), text);
  }
  const report = await run({ inputs, corpus: [first, second], merge: true });
  expect(report.summary).toBe(`1 input added to '${first}'`);
  expect(report.findings.map(({ code }) => code)).toEqual(['use-after-free']);
  expect(readdirSync(first).length).toBe(2);
  await run({ inputs, minimizeCorpus: second });
  const left = readdirSync(second).map(name => readFileSync(join(second, name), 'utf8'));
  expect(left).toContain('(a 1 b)');
  expect(left).toHaveLength(3);
});

describe('how a program gets its input', () => {
  const text = (how: string): string => `#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
  static char buffer[64], small[8];
  ${how}
  if (strncmp(buffer, "open sesame", 11) == 0) memcpy(small, buffer, 12);
  return 0;
}
`;
  test.each([
    ['stdin', 'fgets(buffer, sizeof buffer, stdin);', {}],
    [
      'file',
      'FILE *f = fopen(argv[2], "r"); if (f) { fgets(buffer, sizeof buffer, f); fclose(f); }',
      { arguments: ['-x', '@@'] },
    ],
    ['arguments', 'if (argc > 2) strncat(buffer, argv[2], 40);', { input: 'argv' }],
  ] as const)('%s', async (_, how, options) => {
    const inputs = inC(text(how), 'main.c');
    const report = await run({ inputs, ...options, maxRuns: 6000, mode: 'grey' });
    expect(report.findings.map(({ code }) => code)).toEqual(['global-buffer-overflow']);
    const again = await replay({ inputs, test: report.findings[0]!.test!, isSilent: true });
    expect(again.findings.map(({ code }) => code)).toEqual(['global-buffer-overflow']);
  });
});

describe('targets that misbehave', () => {
  test('exit, longjmp, leaks, output, files, time: each is a finding or a note, and the search continues', async () => {
    const body = `
  static int count; (void)count;
  char text[1000]; memset(text, 'x', sizeof text); text[999] = 0;
  if (size > 0 && data[0] == 'e') exit(7);
  if (size > 0 && data[0] == 'p') for (int i = 0; i < 1000; i++) puts(text);
  if (size > 0 && data[0] == 'f') { FILE *f = fopen("left.txt", "w"); if (f) { fputs(text, f); fclose(f); } }
  if (size > 0 && data[0] == 'w') for (volatile int i = 0;; i++);
  if (size > 0 && data[0] == 'r') { FILE *f = fopen("left.txt", "r"); if (f) abort(); }
  char *lost = malloc(10); lost[0] = (char)size;
  if (size > 1 && data[0] == 'z' && data[1] == lost[0]) return lost[11];`;
    const events: RunEvent[] = [];
    const report = await run(
      { inputs: inC(asTarget(body)), maxRuns: 3000, maxSteps: 100_000, mode: 'grey' },
      events,
    );
    expect(report.findings.map(({ code }) => code).sort()).toEqual([
      'heap-buffer-overflow',
      'infinite-loop',
      'memory-leak',
    ]);
    expect(report.stats.runs).toBe(3000);
    expect(messages(events).some(text => /the target called `exit` in [\d,]+ runs/.test(text))).toBe(true);
    expect(existsSync('left.txt')).toBe(false);
    const input = (code: string): string => report.findings.find(finding => finding.code === code)!.input!;
    expect(input('infinite-loop')).toMatch(/timeout-[0-9a-f]{40}$/);
    expect(readFileSync(input('infinite-loop'), 'latin1')).toBe('w');
    expect(input('memory-leak')).toMatch(/leak-/);
    expect(input('heap-buffer-overflow')).toMatch(/crash-/);
  });

  test('a target that ends before its first input', async () => {
    const text = `${asTarget('')}int LLVMFuzzerInitialize(int *argc, char ***argv) { abort(); }`;
    const report = await run({ inputs: inC(text), maxRuns: 10 });
    expect(report.summary).toBe('the program ended before it got an input');
    expect(report.findings.map(({ code }) => code)).toEqual(['abort']);
  });
});

describe('functions that libFuzzer calls', () => {
  test('the target brings its own mutator, cross-over and start', async () => {
    const text = `#include <stdint.h>
#include <stdlib.h>
#include <string.h>
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
static int key;
static char crossed[4];
int LLVMFuzzerInitialize(int *argc, char ***argv) { key = 0x5a; return 0; }
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  for (size_t i = 0; i < size; i++) data[i] ^= key;
  size = LLVMFuzzerMutate(data, size, most);
  for (size_t i = 0; i < size; i++) data[i] ^= key;
  return size;
}
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t an, const uint8_t *b, size_t bn, uint8_t *out, size_t most, unsigned seed) {
  size_t n = an < most ? an : most;
  memcpy(out, a, n);
  crossed[an > 1 && bn > 1 ? 4 : 0] = 1;
  return n;
}
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) return 0;
  if (key != 0x5a) abort();
  char *p = malloc(2);
  if ((data[0] ^ key) == 'o') p[2] = 1;
  free(p);
  return 0;
}
`;
    const report = await run({ inputs: inC(text), maxRuns: 30_000, mode: 'grey' });
    expect(report.findings.map(({ code, location }) => [code, location?.function]).sort()).toEqual([
      ['global-buffer-overflow', 'LLVMFuzzerCustomCrossOver'],
      ['heap-buffer-overflow', 'LLVMFuzzerTestOneInput'],
    ]);
    const { test: replayed, location } = report.findings.find(({ code }) => code === 'heap-buffer-overflow')!;
    // The `main` of replay calls LLVMFuzzerInitialize, too.
    const again = await replay({ inputs: inC(text), test: replayed!, isSilent: true });
    expect(again.findings.map(found => [found.code, found.location])).toEqual([
      ['heap-buffer-overflow', location],
    ]);
    const inMutator = report.findings.find(({ code }) => code === 'global-buffer-overflow');
    expect(inMutator?.help).not.toContain('redzone replay');
    expect(inMutator?.notes?.at(-1)?.message).toMatch(/, when the program's own mutator changed the input$/);
  });

  test('-only_ascii, -artifact_prefix and -detect_leaks', async () => {
    const [corpus, prefix] = [newFolder(), `${newFolder()}-`];
    const body = `
  char *lost = malloc(4); lost[0] = 1;
  if (size > 2 && data[0] == 'k') lost[4] = 1;`;
    const report = await run({
      inputs: inC(asTarget(body)),
      corpus: [corpus],
      maxRuns: 3000,
      mode: 'grey',
      onlyAscii: true,
      artifactPrefix: prefix,
      checks: ['spatial', 'temporal'],
    });
    expect(report.findings.map(({ code }) => code)).toEqual(['heap-buffer-overflow']);
    const [found] = report.findings;
    expect(found!.input!.startsWith(`${prefix}crash-`)).toBe(true);
    // `replay` checks the same.
    expect(found!.help).toContain('redzone replay --checks spatial,temporal ');
    for (const name of readdirSync(corpus))
      expect(readFileSync(join(corpus, name), 'latin1')).toMatch(/^[\t-\r -~]*$/);
  });
});

/** A file that root cannot read either: one of the kernel's that is only written. */
function makeUnreadable(path: string): void {
  if (process.getuid?.() === 0) symlinkSync('/sys/bus/platform/drivers_probe', path);
  else writeFileSync(path, 'secret', { mode: 0 });
}

describe('wrong input', () => {
  const inputs = inC(asTarget('  return size > 3 && data[0] == 1 ? -1 : 0;'));

  test('a dictionary with an error in line 7', async () => {
    const dictionary = join(root, 'words.dict');
    writeFileSync(dictionary, '"a"\n#\n\n"b"\n\n\nkey=value\n');
    await expect(run({ inputs, dictionary, maxRuns: 1 })).rejects.toThrow(
      `line 7 of the dictionary '${dictionary}': a word stands in quotes, as in \`name="word"\``,
    );
    await expect(run({ inputs, dictionary: `${dictionary}.no`, maxRuns: 1 })).rejects.toThrow(InputError);
  });

  test('a corpus with folders, an unreadable file, and a file of a gigabyte', async () => {
    const corpus = newFolder();
    mkdirSync(join(corpus, 'inner'), { recursive: true });
    writeFileSync(join(corpus, 'inner', 'deep'), 'deep');
    symlinkSync(join(corpus, 'nowhere'), join(corpus, 'broken'));
    symlinkSync(corpus, join(corpus, 'inner', 'above'));
    makeUnreadable(join(corpus, 'secret'));
    writeFileSync(join(corpus, 'huge'), '');
    truncateSync(join(corpus, 'huge'), 2 ** 30);
    const events: RunEvent[] = [];
    const report = await run({ inputs, corpus: [corpus], maxRuns: 3, mode: 'grey' }, events);
    expect(report.verdict).toBe('clean');
    expect(messages(events)).toEqual([
      `'${join(corpus, 'broken')}' is not a file and is ignored`,
      `'${join(corpus, 'secret')}' cannot be read: the input is ignored`,
      'an input is longer than 1048576 bytes: only the beginning is used',
    ]);
  });

  test('an input to minimize and a dictionary that cannot be read', async () => {
    const secret = join(root, 'secret');
    makeUnreadable(secret);
    const why = `'${secret}' cannot be read`;
    await expect(run({ inputs, minimize: secret })).rejects.toThrow(why);
    await expect(run({ inputs, dictionary: secret })).rejects.toThrow(`the dictionary: ${why}`);
  });

  test('pipes instead of inputs; the time of libFuzzer ends the search', () => {
    const corpus = newFolder();
    mkdirSync(corpus);
    const source = join(corpus, '../piped.c');
    writeFileSync(source, asTarget(''));
    const pipe = join(corpus, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const flags = ['-jobs=2', '-max_total_time=2', '--mode=grey', '--color=never', '-o', newFolder()];
    // A command that opens the pipe does not end, and ignores other signals.
    const { stderr, status } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, '../../bin/redzone.js'), 'fuzz', source, corpus, pipe, ...flags],
      { encoding: 'utf8', timeout: 60_000, killSignal: 'SIGKILL' },
    );
    expect(stderr).toContain(`'${pipe}' is not a file and is ignored`);
    expect(stderr).toContain(`'${pipe}' cannot be read: its inputs are ignored`);
    expect(stderr).not.toContain('interrupted');
    // 3 if the time, which includes compilation, has ended before the first input.
    expect([0, 3]).toContain(status);
  });

  test('findings and inputs that cannot be written are reported once, and the search continues', async () => {
    const [folder, corpus] = [newFolder(), newFolder()];
    mkdirSync(corpus);
    const events: RunEvent[] = [];
    const report = await fuzz(
      {
        inputs: inC(
          asTarget("  if (size > 1 && data[0] == 'x') abort(); if (size > 2 && data[1] == 'y') return 0;"),
        ),
        ...{ folder, corpus: [corpus], artifactPrefix: '/dev/full/', maxRuns: 2000, mode: 'grey' },
      },
      {
        onEvent: event => {
          events.push(event);
          // The folder becomes a file, so writing an input fails.
          if (event.kind !== 'phase' || event.text !== 'fuzzing') return;
          rmSync(corpus, { recursive: true });
          writeFileSync(corpus, '');
        },
      },
    );
    expect(report).toMatchObject({
      verdict: 'findings',
      findings: [{ code: 'abort' }],
      stats: { runs: 2000 },
    });
    const failures = messages(events).filter(text => text.includes('cannot be written'));
    expect(failures.map(text => text.split(':')[0])).toEqual([
      'the corpus cannot be written',
      'a finding cannot be written',
    ]);
  });

  test('an empty corpus, and a missing second folder', async () => {
    const corpus = newFolder();
    mkdirSync(corpus);
    expect(await run({ inputs, corpus: [corpus], maxRuns: 100, mode: 'grey' })).toMatchObject({
      verdict: 'clean',
    });
    expect(readdirSync(corpus).length).toBeGreaterThan(0);
    await expect(run({ inputs, corpus: [corpus, join(corpus, 'no')], maxRuns: 1 })).rejects.toThrow(
      'there is no folder',
    );
  });

  test('an input to minimise that leads to no error, and a corpus without inputs', async () => {
    const file = join(root, 'harmless');
    writeFileSync(file, 'harmless');
    await expect(run({ inputs, minimize: file })).rejects.toThrow('causes no error');
    const missing = newFolder();
    await expect(run({ inputs, minimizeCorpus: missing })).rejects.toThrow(
      `there are no inputs in '${missing}'`,
    );
    expect(existsSync(missing)).toBe(false);
  });
});

test('an input is minimised, and the coverage of the corpus is written', async () => {
  const inputs = [join(targets, 'magic.c')];
  const file = join(root, 'long');
  const bytes = new Uint8Array(200).fill(99);
  bytes.set(Uint8Array.of(0x1e, 0xab, 0xa1, 0x5c));
  bytes.set(new TextEncoder().encode('redzone'), 4);
  writeFileSync(file, bytes);
  const smaller = await run({ inputs, minimize: file });
  expect(readFileSync(smaller.findings[0]!.input!).length).toBe(13);
  expect(smaller.summary).toMatch(/^from 200 bytes to 13, in /);
  expect(JSON.stringify(smaller.findings[0]!.notes ?? [])).not.toContain('found by');
  const folder = newFolder();
  const report = await run({ inputs, folder, maxRuns: 10, coverage: true, mode: 'grey' });
  const lines = readFileSync(join(folder, 'coverage.info'), 'utf8');
  expect(lines).toContain('FN:7,LLVMFuzzerTestOneInput\n');
  expect(lines).toContain(`FNDA:${report.stats.corpus},LLVMFuzzerTestOneInput\n`);
  expect(lines).toMatch(/DA:9,[1-9]/);
  expect(lines).toMatch(/DA:17,0/);
});

test('an aborted search returns its results so far', async () => {
  const controller = new AbortController();
  const inputs = inC(asTarget('  if (size > 0 && data[0] == 7) abort();'));
  const onEvent = (event: RunEvent): void => {
    if (event.kind === 'progress' && event.text.includes('1 finding')) controller.abort();
  };
  const folder = newFolder();
  const report = await fuzz({ inputs, folder, mode: 'grey' }, { signal: controller.signal, onEvent });
  expect(report).toMatchObject({ verdict: 'findings', findings: [{ code: 'abort' }] });
  expect(report.summary).toMatch(/^interrupted; /);
  expect(readFileSync(report.findings[0]!.input!)[0]).toBe(7);
  expect(readdirSync(join(folder, 'corpus')).length).toBe(report.stats.corpus);
});

test.each(['an abort', 'a limit of time'])('%s before the first input is inconclusive', async how => {
  const controller = new AbortController();
  const inputs = inC(asTarget(`  /* ${how} */`));
  if (how === 'an abort') controller.abort();
  const report = await fuzz(
    { inputs, folder: newFolder(), ...(how === 'an abort' ? {} : { maxTimeMs: 1 }) },
    { signal: controller.signal },
  );
  expect(report).toMatchObject({ verdict: 'inconclusive', findings: [], stats: { runs: 0 } });
  expect(report.summary).toMatch(/^(interrupted|stopped after 0\.001 s) while (compiling|starting)/);
});

describe('a target that jumps out', () => {
  const jumping = (frame: string): string => `#include <setjmp.h>
#include <stdint.h>
#include <stddef.h>
#include <string.h>
static jmp_buf out;
static int saved;
${frame}`;

  test('to its own setjmp continues', async () => {
    const text = jumping(`
static void parse(const uint8_t *data, size_t size) { if (size > 2 && data[0] == 'j') longjmp(out, 1); }
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char small[2];
  if (setjmp(out)) { if (data[1] == 'x') small[data[2]] = 1; return 0; }
  parse(data, size);
  return 0;
}`);
    const options = { maxRuns: 4000, mode: 'grey' } as const;
    const broken = await run({ ...options, inputs: inC(text) });
    expect(broken.findings.map(({ code }) => code)).toEqual(['stack-buffer-overflow']);
    expect(broken.stats.runs).toBe(4000);
    const fixed = await run({ ...options, inputs: inC(text.replace("data[1] == 'x'", 'data[2] < 2')) });
    expect(fixed).toMatchObject({ verdict: 'clean', findings: [] });
  });

  test('to a function that has returned is a finding, and the search continues', async () => {
    const text = jumping(`
static int set(void) { return setjmp(out); }
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!saved) { saved = 1; set(); }
  if (size > 0 && data[0] == 'j') longjmp(out, 1);
  if (size > 1 && data[0] == 'k' && data[1] == 'o') { char *p = 0; *p = 1; }
  return 0;
}`);
    const report = await run({ inputs: inC(text), maxRuns: 4000, mode: 'grey' });
    expect(report.stats.runs).toBe(4000);
    expect(report.findings.map(({ code }) => code)).toContain('null-dereference');
    expect(report.findings.length).toBe(2);
  });
});

test('arguments that the explorer finds', async () => {
  const text = (limit: string): string => `#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int number = 0, table[4] = {0};
  if (argc < 2 || sscanf(argv[1], "%3d", &number) != 1) return 1;
  if (number != 769) return 2;
  return table[argc < 3 ? 0 : ${limit}];
}`;
  const options = { maxRuns: 2000, mode: 'white', input: 'argv' } as const;
  const broken = await run({ ...options, inputs: inC(text('4')) });
  expect(broken.findings.map(({ code, confirmed }) => [code, confirmed])).toEqual([
    ['stack-buffer-overflow', true],
  ]);
  const fixed = await run({ ...options, inputs: inC(text('3')) });
  expect(fixed.findings).toEqual([]);
  expect(fixed.stats.boxes?.white.inputs).toBeGreaterThan(0);
});

test('an internal error of the explorer is reported, and does not end the search', async () => {
  const events: RunEvent[] = [];
  const fails = (): Promise<never> => Promise.reject(new Error('a defect'));
  const whiteBox = { everywhere: fails, alongside: fails };
  const control = { onEvent: (event: RunEvent) => void events.push(event) };
  expect(await askedSafely(whiteBox, undefined, control)).toEqual([]);
  expect(await askedSafely(whiteBox, new Uint8Array(1), control)).toEqual([]);
  expect(messages(events)).toEqual(
    Array(2).fill('the explorer has failed, and the search continues without it: Error: a defect'),
  );
});

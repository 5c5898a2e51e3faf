/**
 * The finding for an invalid string depends on its first invalid byte, and not on the contents of
 * the memory there or after it: the texts are equal whatever freed memory holds.
 */
import { expect, test } from 'vitest';
import { check, type Finding, type RunEvent } from '../../src/index.js';

/** On a freed text, on one without an end, and on one that was never written. */
const calls = [
  'strlen(text)',
  'strnlen(text, 60)',
  'strcmp(text, "ssssssss")',
  'strcmp("ssssssss", text)',
  'strncmp(text, "ssssssss", 5)',
  "strchr(text, 'x') != NULL",
  "strrchr(text, 'q') != NULL",
  'memchr(text, 0, 60) != NULL',
  'strspn(text, "so") + strcspn(text, "so")',
  'strpbrk(text, "x") != NULL',
  'strstr(text, "x") != NULL',
  'strcpy(to, text) == to',
  'strncpy(to, text, 12) == to',
  'stpcpy(to, text) - to',
  'strcat(strcpy(to, "a"), text) == to',
  'strncat(strcpy(to, "a"), text, 60) == to',
  'printf("<%s>\\n", text)',
  'snprintf(to, sizeof to, "%.9s", text)',
  'puts(text)',
  'strlen(strdup(text))',
];

/** The first argument is the byte that dead memory holds, the second how many are before a zero. */
const program = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char to[256];
static int filler, count;
static void fill(char *memory) {
  memset(memory, 0, 64);
  memset(memory, filler, (size_t)count);
}
static char *freed(void) {
  char *block = malloc(96);
  fill(block + 32);
  if (!FIXED) free(block);
  return block + 32;
}
/* The end of a row of four bytes, which the blocks behind follow. */
static char *endless(void) {
  char *block = malloc(8), *behind[4];
  for (int i = 0; i < 4; i++) fill(behind[i] = malloc(64));
  memset(block, 's', 8);
  if (FIXED) block[7] = 0;
  for (int i = 0; i < 4; i++) free(behind[i]);
  return block + 4;
}
static char *unwritten(void) {
  char *block = malloc(96);
  fill(block + 32);
  free(block);
  block = malloc(96);
  if (FIXED) fill(block + 32);
  return block + 32;
}
int main(int argc, char **argv) {
  char *text;
  filler = atoi(argv[1]);
  count = atoi(argv[2]);
${['freed', 'endless', 'unwritten']
  .flatMap(kind => calls.map(call => `  text = ${kind}(), printf("%d\\n", (int)(${call}));`))
  .join('\n')}
  return argc - 3;
}`;

interface Result {
  readonly findings: readonly Finding[];
  readonly stdout: string;
}

async function run(args: readonly string[], fixed = 0): Promise<Result> {
  const output: Uint8Array[] = [];
  const onEvent = (event: RunEvent): void => {
    if (event.kind === 'output' && event.stream === 'stdout') output.push(event.bytes);
  };
  const checks = ['spatial', 'temporal', 'init'] as const;
  const options = { keepGoing: true, checks, clangFlags: ['-w', `-DFIXED=${fixed}`] };
  const inputs = [{ name: 'texts.c', text: program }];
  const { findings } = await check({ ...options, inputs, arguments: args }, { onEvent });
  return { findings, stdout: Buffer.concat(output).toString() };
}

test('the first invalid byte of a string is reported, whatever freed memory holds', async () => {
  const { findings, stdout } = await run(['120', '3']);
  const lines = new Set(findings.map(({ location }) => location.line));
  expect(lines.size).toBe(3 * calls.length);
  for (const args of [
    ['115', '0'],
    ['32', '60'],
    ['49', '12'],
  ]) {
    const other = await run(args);
    expect(other.findings, `${args}`).toEqual(findings);
    expect(other.stdout, `${args}`).toBe(stdout);
  }
});

test('valid strings have no findings', async () => {
  expect((await run(['120', '3'], 1)).findings).toEqual([]);
});

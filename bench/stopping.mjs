/**
 * Measures how late stopped commands end, in each phase that can be long: by `--max-time`, counted
 * from the start of the process, by Ctrl-C, and by two Ctrl-C, where the second counts. The target
 * is half a second.
 *
 *     node bench/stopping.mjs [--quick]
 *
 * Every row has its own program, which is in no cache, so the phases of the compiler run. A row
 * whose command ended before it was stopped says so and has no figure.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const bin = join(import.meta.dirname, '../bin/redzone.js');
const folder = mkdtempSync(join(tmpdir(), 'redzone-stopping-'));
const isQuick = process.argv.includes('--quick');
const aimMs = 500;

/** Large enough that compiling, reading, linking and instrumenting take seconds. */
const functions = 1500;
/** @type {(i: number, row: number) => string} */
const body = (i, row) => `int f${i}(int *p, int n) {
  int sum = ${row}, own[8] = { n };
  for (int i = 0; i < n; i++) { sum += p[i] ^ own[i & 7]; if (sum > ${i}) p[i] = sum / 3; }
  switch (n & 3) { case 0: return sum; case 1: return p[0]; default: return n > 0 ? f${Math.max(0, i - 1)}(p, n - 1) : own[1]; }
}`;
const numbers = Array.from({ length: functions }, (_, i) => i);

/**
 * The text of a program, by the number of its row.
 * @type {Record<string, (row: number) => string>}
 */
const programs = {
  huge: row =>
    [
      ...numbers.map(i => `int f${i}(int *p, int n);`),
      ...numbers.map(i => body(i, row)),
      `int main(void) { int a[4] = {1, 2, 3, 4}; return f${functions - 1}(a, 4) == 12345; }`,
    ].join('\n'),
  // A product of two primes of 31 bits: one query that takes much longer than any limit here.
  factor: row => `#include <klee/klee.h>
int main(void) {
  unsigned long a, b, row = ${row};
  klee_make_symbolic(&a, sizeof a, "a"); klee_make_symbolic(&b, sizeof b, "b");
  klee_assume(a > 1 & a < (1ul << 32)); klee_assume(b > 1 & b < (1ul << 32));
  if (a * b == 2147483647ul * 2147483629ul) return row;
  return 0;
}`,
  loop: row => `int main(void) { for (volatile unsigned long i = ${row};; i++); }`,
  threads: row => `#include <pthread.h>
static volatile long n = ${row};
static void *spin(void *p) { while (n) ; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, spin, 0); return pthread_join(t, 0); }`,
  input: row => `#include <stdio.h>
int main(void) { int c, n = ${row}; while ((c = getchar()) != EOF) n++; return n == 0; }`,
  fifo: row => `#include <stdio.h>
int main(void) { FILE *f = fopen("fifo", "r"); return f ? fgetc(f) : ${row}; }`,
  target: row => `#include <stddef.h>
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) { return size > 1000000 && data[0] == ${row & 127}; }`,
};

/** @type {[command: string, program: string, limitsMs: number[]][]} */
const rows = [
  ['check', 'loop', [500, 2000, 4000]],
  ['check', 'threads', [4000]],
  ['check', 'input', [4000]],
  ['check', 'fifo', [4000]],
  ['check', 'huge', [1000, 3000, 6000, 9000, 12000, 15000]],
  ['check --speed optimised', 'huge', [9000, 18000]],
  ['explore', 'huge', [3000, 9000]],
  ['explore', 'factor', [3000, 5000]],
  ['ir', 'huge', [1000, 3000]],
  ['fuzz', 'target', [2000, 5000]],
  ['heap trace', 'loop', [1000, 4000]],
];

/**
 * Runs the command; sends SIGINT at these times.
 * @param {readonly string[]} args
 * @param {readonly number[]} interrupts
 * @returns {Promise<{ ms: number, code: number | NodeJS.Signals | null, said: string }>}
 */
function run(args, interrupts) {
  return new Promise(resolve => {
    const env = { ...process.env, REDZONE_CACHE: join(folder, 'cache') };
    const start = performance.now();
    // The standard input stays open and empty.
    const child = spawn(process.execPath, [bin, ...args], { cwd: folder, env });
    let text = '';
    child.stdout.on('data', data => (text += data));
    child.stderr.on('data', data => (text += data));
    const timers = interrupts.map(ms => setTimeout(() => child.kill('SIGINT'), ms));
    child.on('close', (code, signal) => {
      for (const timer of timers) clearTimeout(timer);
      const said =
        text.split('\n').find(line => /stopped after|interrupted[^:]|time is up/.test(line)) ??
        text.slice(-60);
      resolve({ ms: performance.now() - start, code: code ?? signal, said });
    });
  });
}

/** @param {number} ms */
const seconds = ms => (ms / 1000).toFixed(2).padStart(6);
const between = 100;
let row = 0;
let worst = 0;
let missed = 0;

/**
 * `how`: `max-time`, `Ctrl-C` or `two Ctrl-C`.
 * @param {string} command
 * @param {string} program
 * @param {number} limitMs
 * @param {string} how
 */
async function measure(command, program, limitMs, how) {
  const name = `${program}-${++row}.c`;
  writeFileSync(join(folder, name), programs[program](row));
  const limit = how === 'max-time' ? ['--max-time', `${limitMs}ms`] : [];
  const interrupts = how === 'max-time' ? [] : how === 'Ctrl-C' ? [limitMs] : [limitMs, limitMs + between];
  const { ms, code, said } = await run([...command.split(' '), ...limit, name], interrupts);
  const late = ms - (interrupts.at(-1) ?? limitMs);
  const firstLate = ms - (interrupts[0] ?? limitMs);
  const hasEnded = firstLate < 0;
  if (hasEnded) missed++;
  else worst = Math.max(worst, late);
  const outcome = hasEnded
    ? `ended after ${seconds(ms)} s, before it was stopped`
    : `late ${seconds(Math.max(late, 0))} s`;
  const what = `${command} ${program}.c`;
  console.log(
    `${what.padEnd(32)} ${how.padEnd(10)} ${seconds(limitMs)} s  ${outcome}  exit ${code}  ${said.trim()}`,
  );
}

execFileSync('mkfifo', [join(folder, 'fifo')]);
// Puts the library into the cache.
writeFileSync(join(folder, 'first.c'), programs.loop(0));
writeFileSync(join(folder, 'threads.c'), programs.threads(0));
const first = await run(['check', '--max-time', '1ms', 'first.c'], []);
console.log(`start and end of a process: ${seconds(first.ms)} s`);
await run(['check', '--max-time', '20s', 'first.c'], []);
await run(['check', '--max-time', '20s', 'threads.c'], []);
for (const how of ['max-time', 'Ctrl-C', 'two Ctrl-C'])
  for (const [command, program, limits] of rows)
    for (const limitMs of isQuick ? limits.slice(0, 1) : limits)
      await measure(command, program, limitMs, how);
console.log(
  `worst: ${seconds(worst)} s late, aim ${seconds(aimMs)} s; ${missed} of ${row} ended before they were stopped`,
);
rmSync(folder, { recursive: true });

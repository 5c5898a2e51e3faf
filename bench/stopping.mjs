/**
 * How late commands end that are stopped, in each phase that can be long: by `--max-time`, counted
 * from the start of the process, and by Ctrl-C. The aim is half a second.
 *
 *     node bench/stopping.mjs
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const bin = join(import.meta.dirname, '../bin/redzone.js');
const folder = mkdtempSync(join(tmpdir(), 'redzone-stopping-'));

/** Large enough for seconds of compiling, reading, linking and instrumenting. */
const functions = 1500;
const body = i => `int f${i}(int *p, int n) {
  int sum = 0, own[8] = { n };
  for (int i = 0; i < n; i++) { sum += p[i] ^ own[i & 7]; if (sum > ${i}) p[i] = sum / 3; }
  switch (n & 3) { case 0: return sum; case 1: return p[0]; default: return n > 0 ? f${Math.max(0, i - 1)}(p, n - 1) : own[1]; }
}`;
const prototypes = Array.from({ length: functions }, (_, i) => `int f${i}(int *p, int n);`);
const huge = [
  ...prototypes,
  ...Array.from({ length: functions }, (_, i) => body(i)),
  `int main(void) { int a[4] = {1, 2, 3, 4}; return f${functions - 1}(a, 4) == 12345; }`,
];
writeFileSync(join(folder, 'huge.c'), huge.join('\n'));
// A product of two primes of 31 bits: one query that takes much longer than any limit here.
writeFileSync(
  join(folder, 'factor.c'),
  `#include <klee/klee.h>
int main(void) {
  unsigned long a, b;
  klee_make_symbolic(&a, sizeof a, "a"); klee_make_symbolic(&b, sizeof b, "b");
  klee_assume(a > 1 & a < (1ul << 32)); klee_assume(b > 1 & b < (1ul << 32));
  if (a * b == 2147483647ul * 2147483629ul) return 1;
  return 0;
}`,
);
writeFileSync(join(folder, 'loop.c'), 'int main(void) { for (unsigned long i = 0;; i++); }');

/** Runs the command; with `interruptMs`, sends SIGINT then. */
function run(args, interruptMs) {
  return new Promise(resolve => {
    const env = { ...process.env, REDZONE_CACHE: join(folder, 'cache') };
    const start = performance.now();
    const child = spawn(process.execPath, [bin, ...args], { cwd: folder, env });
    let text = '';
    child.stdout.on('data', data => (text += data));
    child.stderr.on('data', data => (text += data));
    if (interruptMs !== undefined) setTimeout(() => child.kill('SIGINT'), interruptMs);
    child.on('close', code => {
      const said =
        text.split('\n').find(line => /stopped after|interrupted[^:]|time is up/.test(line)) ??
        text.slice(-60);
      resolve({ ms: performance.now() - start, code, said });
    });
  });
}

const seconds = ms => (ms / 1000).toFixed(2).padStart(6);
async function measure(command, limitMs, interrupts) {
  const args = command.split(' ');
  const { ms, code, said } = interrupts
    ? await run(args, limitMs)
    : await run([args[0], '--max-time', `${limitMs}ms`, ...args.slice(1)]);
  const how = interrupts ? 'Ctrl-C  ' : 'max-time';
  console.log(
    `${command.padEnd(18)} ${how} ${seconds(limitMs)} s  late ${seconds(ms - limitMs)} s  exit ${code}  ${said.trim()}`,
  );
}

// The library goes into the cache.
const warm = await run(['check', '--max-time', '1ms', 'loop.c']);
console.log(`start and end of a process: ${seconds(warm.ms)} s`);
await run(['check', '--max-time', '5s', 'loop.c']);
for (const interrupts of [false, true]) {
  for (const limitMs of [500, 2000]) await measure('check loop.c', limitMs, interrupts);
  for (const limitMs of [1000, 3000, 6000, 9000, 12000, 15000])
    await measure('check huge.c', limitMs, interrupts);
  for (const limitMs of [3000, 9000]) await measure('explore huge.c', limitMs, interrupts);
  for (const limitMs of [3000, 5000]) await measure('explore factor.c', limitMs, interrupts);
  for (const limitMs of [3000, 9000]) await measure('ir huge.c', limitMs, interrupts);
}
rmSync(folder, { recursive: true });

/**
 * Measures the cost of 64-bit addresses: C built as Redzone builds it (wasm64, lowered to 32-bit
 * memory) against the same C built for wasm32 by the same clang; and the start-up time of the
 * command line: `npm run bench:wasm` (it builds first).
 *
 * Runs of the two builds of a program alternate in one process, and the best of many short rounds
 * counts. Compare the ratios.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Toolchain } from '../dist/front/toolchain.js';
import { Tools } from '../dist/front/tools.js';
import { allowV8Flags } from '../dist/platform/node.js';
import { lowerMemory64 } from '../dist/wasm/lower.js';

allowV8Flags();

const rounds = 1000;

/**
 * Each has `long long run(int n)`, which takes about a millisecond, so that some rounds run
 * undisturbed. `size` has the width of a pointer.
 */
/** @type {Record<string, [n: number, source: string]>} */
const programs = {
  'matrix product': [
    2,
    `static double a[64][64], b[64][64], c[64][64];
     long long run(int n) {
       for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++) a[i][j] = i + j, b[i][j] = i - j;
       while (n--) for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++) {
         double sum = 0; for (int k = 0; k < 64; k++) sum += a[i][k] * b[k][j]; c[i][j] += sum; }
       return (long long)c[5][7]; }`,
  ],
  'sieve, size_t': [
    1,
    `static unsigned char composite[1 << 18];
     long long run(int n) { size primes = 0; while (n--) {
       for (size i = 0; i < sizeof composite; i++) composite[i] = 0;
       for (size i = 2; i < sizeof composite; i++) if (!composite[i]) { primes++;
         for (size j = 2 * i; j < sizeof composite; j += i) composite[j] = 1; } }
       return primes; }`,
  ],
  'linked list': [
    3,
    `struct node { struct node *next; int value; } static nodes[20000];
     long long run(int n) { struct node *head = 0; long long sum = 0;
       for (int i = 0; i < 20000; i++) { struct node *one = &nodes[i * 7919 % 20000]; one->value = i; one->next = head; head = one; }
       while (n--) for (struct node *at = head; at; at = at->next) sum += at->value;
       return sum; }`,
  ],
  'sorting through pointers': [
    1,
    `static int values[20000]; static int *order[20000];
     static void sift(int at, int end) { for (int child; (child = 2 * at + 1) < end; at = child) {
       if (child + 1 < end && *order[child] < *order[child + 1]) child++;
       if (*order[at] >= *order[child]) return;
       int *swap = order[at]; order[at] = order[child]; order[child] = swap; } }
     long long run(int n) { unsigned seed = 1; while (n--) {
       for (int i = 0; i < 20000; i++) { values[i] = (seed = seed * 1664525 + 1013904223) >> 1; order[i] = &values[i]; }
       for (int i = 10000; i-- > 0;) sift(i, 20000);
       for (int i = 20000; i-- > 1;) { int *swap = order[0]; order[0] = order[i]; order[i] = swap; sift(0, i); } }
       return *order[100]; }`,
  ],
};

const toolchain = new Toolchain();
const tools = new Tools(undefined);
const features = ['+bulk-memory', '+nontrapping-fptoint', '+sign-ext', '+mutable-globals'];
/** @param {string} text */
const bytes = text => new TextEncoder().encode(text);
const linkFlags = ['--no-entry', '--export=run'];

/**
 * @template T
 * @param {{ ok: boolean, value?: T, output?: T, notes?: string, diagnostics?: unknown }} outcome
 * @returns {T}
 */
function resultOf(outcome) {
  if (!outcome.ok) throw new Error(outcome.notes ?? JSON.stringify(outcome.diagnostics));
  return /** @type {T} */ (outcome.value ?? outcome.output);
}

/** @param {string} source */
async function lowered(source) {
  const content = bytes(`typedef unsigned long size;\n${source}`);
  const ir = resultOf(await toolchain.compileToIr({ path: 'program.c', content }));
  const object = resultOf(await toolchain.compileIrToObject(ir));
  return lowerMemory64(resultOf(await toolchain.linkWasm([object], { flags: linkFlags })));
}

/** @param {string} source */
async function wasm32(source) {
  const target = ['-triple', 'wasm32-unknown-unknown', ...features.flatMap(one => ['-target-feature', one])];
  const flags = ['-ffp-contract=off', '-O2', '-emit-obj'];
  const object = await tools.run({
    args: ['clang', '-cc1', ...target, ...flags, '-o', '-', '-x', 'c', '/program.c'],
    files: [['/program.c', bytes(`typedef unsigned size;\n${source}`)]],
    identity: undefined,
  });
  const binary = await tools.run({
    args: ['wasm-ld', ...linkFlags, '/program.o', '-o', '-'],
    files: [['/program.o', resultOf(object)]],
    identity: undefined,
  });
  return resultOf(binary);
}

/**
 * @param {Uint8Array} binary
 * @returns {Promise<(n: number) => unknown>}
 */
async function load(binary) {
  const { instance } = await WebAssembly.instantiate(new Uint8Array(binary));
  const { run } = instance.exports;
  if (!(run instanceof Function)) throw new Error('the program exports no `run`');
  return n => run(n);
}

/**
 * @param {(n: number) => unknown} run
 * @param {number} n
 */
function timed(run, n) {
  const start = performance.now();
  run(n);
  return performance.now() - start;
}

console.log('wasm64 lowered, against wasm32');
const ratios = [];
for (const [name, [n, source]] of Object.entries(programs)) {
  const ours = await load(await lowered(source));
  const theirs = await load(await wasm32(source));
  if (ours(n) !== theirs(n)) throw new Error(`${name}: the builds disagree`);
  const best = [Infinity, Infinity];
  for (let round = 0; round < rounds; round++) {
    best[0] = Math.min(best[0], timed(ours, n));
    best[1] = Math.min(best[1], timed(theirs, n));
  }
  ratios.push(best[0] / best[1]);
  console.log(
    `  ${name.padEnd(26)} ${best[0].toFixed(2)} ms against ${best[1].toFixed(2)} ms: ${(best[0] / best[1]).toFixed(2)} x`,
  );
}
const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
console.log(`  geometric mean ${mean.toFixed(2)} x`);
await toolchain.close();
await tools.close();

/**
 * CPU time of a run of Node from its start to its end, in milliseconds: the best of ten.
 * @param {string[]} args
 */
function cpuOf(...args) {
  const report = `process.on('exit', () => { const { user, system } = process.cpuUsage(); process.stderr.write(String(user + system)); });`;
  const preload = `data:text/javascript,${encodeURIComponent(report)}`;
  const run = () => spawnSync(process.execPath, ['--import', preload, ...args], { encoding: 'utf8' });
  return Math.min(...Array.from({ length: 10 }, () => Number(run().stderr) / 1000));
}

const command = fileURLToPath(new URL('../bin/redzone.js', import.meta.url));
const version = cpuOf(command, '--version');
const bare = cpuOf('--eval', '0');
console.log('start-up');
console.log(
  `  redzone --version: ${version.toFixed(0)} ms of CPU (limit 100); node alone: ${bare.toFixed(0)} ms`,
);

/**
 * Measures the speed of the explorer: `npm run bench:explore`; the arguments `concrete` and `cold`
 * choose one part.
 *
 * For concrete programs the figure is instructions per second, for symbolic ones the wall-clock
 * time to the last path with all tests written. Each figure is the best of several runs, because
 * the machine may be shared; compare figures of one run with each other.
 *
 * The time of a concrete program is that of the exploration, from its first instruction to its
 * last, including decoding, compilation to JavaScript and V8's warm-up, without clang and linking.
 * A part of it is the same for every program that prints: the start of the library and the decoding
 * of `printf`, measured by a `main` of one line. The second figure is without this part, in time
 * and in instructions. The best of several runs is one in which V8 has already optimised the
 * engine.
 *
 * `cold` is what a user sees: `redzone explore PROGRAM.c --json` in a new process, on a program
 * that is in no cache, the median of several. The figure is `runMs`, as above; `in all` is the
 * process from its start to its end, with clang and, if there are findings, the runs that confirm
 * them.
 *
 * Writing two files for each path is mostly work of the kernel. So tests are written to a file
 * system in memory, if there is one, and then to the disk. Beside them is the speed at which one
 * thread writes such files there and does nothing else: new ones, and once more over them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explore } from '../dist/index.js';
import { overwriteFile, writeNewFile } from '../dist/platform/files.js';
import { allowV8Flags } from '../dist/platform/node.js';

allowV8Flags();

const ownPrograms = join(import.meta.dirname, 'programs');
const programs = join(import.meta.dirname, '../tests/explore/programs');
const inMemory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'redzone-bench-'));
const onDisk = mkdtempSync(join(tmpdir(), 'redzone-bench-'));

const loop = `#include <stdio.h>
int main(void) {
  unsigned s = 0;
  for (unsigned i = 0; i < 50000000u; i++) s = s * 31 + (i ^ (s >> 3));
  printf("%u\\n", s);
  return 0;
}`;

const matrix = `#include <stdio.h>
#define N 200
static double a[N][N], b[N][N], c[N][N];
int main(void) {
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) { a[i][j] = i + j; b[i][j] = i - j; }
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) {
    double s = 0;
    for (int k = 0; k < N; k++) s += a[i][k] * b[k][j];
    c[i][j] = s;
  }
  printf("%f\\n", c[10][20]);
  return 0;
}`;

const list = `#include <stdio.h>
#include <stdlib.h>
struct node { struct node *next; long value; };
int main(void) {
  struct node *head = NULL;
  for (int i = 0; i < 200000; i++) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = i;
    fresh->next = head;
    head = fresh;
  }
  long sum = 0;
  for (struct node *at = head; at != NULL; at = at->next) sum += at->value;
  printf("%ld\\n", sum);
  while (head != NULL) { struct node *next = head->next; free(head); head = next; }
  return 0;
}`;

/**
 * The statistics of the command line.
 * @typedef {{ instructions: number, runMs: number, compileMs: number,
 *   paths: { completed: number, error: number } }} Stats
 */

const calls = `#include <stdio.h>
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void) { printf("%d\\n", fib(30)); return 0; }`;

/**
 * @param {number} runs
 * @param {import('../dist/index.js').ExploreOptions} options
 */
async function best(runs, options) {
  /**
   * @type {{ ms: number, stats: import('../dist/index.js').ExploreReport['stats'] } | undefined}
   */
  let found;
  for (let i = 0; i < runs; i++) {
    const { stats } = await explore({ folder: inMemory, ...options });
    const { runMs = Number.NaN } = stats;
    if (found === undefined || runMs < found.ms) found = { ms: runMs, stats };
  }
  if (found === undefined) throw new Error('no run');
  return found;
}

/** @type {(name: string, figure: string) => void} */
const print = (name, figure) => console.log(`${name.padEnd(34)}${figure}`);

/** @param {Stats} stats */
const speedOf = ({ instructions, runMs }) => `${(instructions / 1000 / runMs).toFixed(0)} M instructions/s`;
/** @param {Stats} stats */
const pathsOf = ({ paths, runMs }) =>
  `${((1000 * (paths.completed + paths.error)) / runMs).toFixed(0)} paths/s`;

/**
 * One run of the command line, on a program that differs from all earlier ones by a constant that
 * it does not use.
 * @param {string} text
 * @param {readonly string[]} flags
 * @returns {{ wallMs: number, stats: Stats }}
 */
function runCold(text, flags) {
  const file = join(inMemory, 'program.c');
  const folder = join(inMemory, 'cold');
  writeFileSync(file, `${text}\nconst int unseen = ${process.hrtime.bigint() % 1_000_000_000n};\n`);
  const bin = join(import.meta.dirname, '../bin/redzone.js');
  const start = performance.now();
  const { stdout } = spawnSync(
    process.execPath,
    [bin, 'explore', file, ...flags, '--json', '-q', '-o', folder],
    { encoding: 'utf8', maxBuffer: 2 ** 28 },
  );
  const wallMs = performance.now() - start;
  rmSync(folder, { recursive: true });
  return { wallMs, stats: JSON.parse(stdout).stats };
}

function measureCold() {
  /** @type {(folder: string) => (name: string) => string} */
  const read = folder => name => readFileSync(join(folder, name), 'utf8');
  /** @type {[name: string, text: string, flags: string[], figureOf: (stats: Stats) => string][]} */
  const rows = [
    ['list', list, [], speedOf],
    ['matcher', read(programs)('matcher.c'), [], pathsOf],
    ['expression parser', read(ownPrograms)('expression-parser.c'), ['-DN=8'], pathsOf],
    ['expression evaluator', read(ownPrograms)('expression-evaluator.c'), ['-DN=7'], pathsOf],
    ['tokenizer', read(ownPrograms)('tokenizer.c'), ['-DN=5'], pathsOf],
  ];
  console.log('cold: a new process, a new program');
  for (const [name, text, flags, figureOf] of rows) {
    const runs = Array.from({ length: 6 }, () => runCold(text, flags)).slice(1);
    const { wallMs, stats } = runs.sort((a, b) => a.stats.runMs - b.stats.runMs)[runs.length >> 1];
    const [compileMs, runMs, all] = [stats.compileMs, stats.runMs, wallMs].map(ms => ms.toFixed(0));
    print(name, `${runMs} ms, ${figureOf(stats)}; compiled in ${compileMs} ms, in all ${all} ms`);
  }
  console.log();
}

if (process.argv[2] !== 'concrete') measureCold();
if (process.argv[2] === 'cold') {
  for (const folder of [inMemory, onDisk]) rmSync(folder, { recursive: true });
  process.exit(0);
}

console.log('concrete, M IR instructions/s, with and without the start');
/** @type {(name: string, text: string) => Promise<{ ms: number, instructions: number }>} */
const concrete = async (name, text) => {
  const { ms, stats } = await best(10, { inputs: [{ name: `${name}.c`, text }] });
  return { ms, instructions: stats.instructions };
};
const start = await concrete('start', '#include <stdio.h>\nint main(void) { printf("%d\\n", 0); return 0; }');
print('start', `${start.ms.toFixed(0)} ms`);
for (const [name, text] of Object.entries({ loop, matrix, list, calls })) {
  const { ms, instructions } = await concrete(name, text);
  const speed = (instructions / 1000 / ms).toFixed(0);
  print(name, `${speed}, ${((instructions - start.instructions) / 1000 / (ms - start.ms)).toFixed(0)}`);
}
if (process.argv[2] === 'concrete') process.exit(0);

/**
 * Files a second, of the size of a test.
 * @param {string} folder
 * @param {(path: string, bytes: Uint8Array) => void} write
 */
function rawSpeed(folder, write) {
  const count = 10_000;
  const bytes = new Uint8Array(200);
  const start = performance.now();
  for (let i = 0; i < count; i++) write(`${folder}/raw${i}`, bytes);
  return ((1000 * count) / (performance.now() - start)).toFixed(0);
}

/** @param {number} count */
const sort = count => ({ inputs: [join(programs, 'bubble-sort.c')], clangFlags: [`-DCOUNT=${count}`] });
/** @type {Record<string, import('../dist/index.js').ExploreOptions>} */
const cases = {
  matcher: { inputs: [join(programs, 'matcher.c')] },
  'matcher, depth first': { inputs: [join(programs, 'matcher.c')], search: 'dfs' },
  'expression parser': { inputs: [join(ownPrograms, 'expression-parser.c')], clangFlags: ['-DN=8'] },
  'expression evaluator': { inputs: [join(ownPrograms, 'expression-evaluator.c')], clangFlags: ['-DN=7'] },
  tokenizer: { inputs: [join(ownPrograms, 'tokenizer.c')], clangFlags: ['-DN=5'] },
  'bubble sort of 5': sort(5),
  'bubble sort of 6': sort(6),
};
for (const folder of [inMemory, onDisk]) {
  const speeds = [writeNewFile, overwriteFile].map(write => rawSpeed(folder, write));
  const place = folder === inMemory ? 'in memory' : 'on the disk';
  console.log(`\nsymbolic, to the last path, all tests written ${place}`);
  print('files/s of one thread', `${speeds[0]} new, ${speeds[1]} written over`);
  for (const [name, options] of Object.entries(cases)) {
    const { ms, stats } = await best(4, { ...options, folder });
    const paths = stats.paths.completed + stats.paths.error;
    print(
      name,
      `${ms.toFixed(0)} ms, ${paths} paths, ${((1000 * paths) / ms).toFixed(0)} paths/s, solver ${stats.solverMs.toFixed(0)} ms`,
    );
  }
}

/**
 * Compares the default searcher with depth-first search, without files, whose cost would hide the
 * difference.
 */
console.log('\nthe default searcher / depth first');
for (const name of ['matcher', 'expression parser', 'tokenizer']) {
  const ms = { default: Number.POSITIVE_INFINITY, dfs: Number.POSITIVE_INFINITY };
  for (let i = 0; i < 4; i++) {
    for (const search of /** @type {const} */ (['default', 'dfs']))
      ms[search] = Math.min(ms[search], (await best(1, { ...cases[name], search, folder: undefined })).ms);
  }
  print(name, (ms.default / ms.dfs).toFixed(2));
}

/** In a separate process, so that its memory is the memory of the states. */
const manyStates = `
  import { explore } from '${new URL('../dist/index.js', import.meta.url)}';
  const report = await explore({
    inputs: ['${join(ownPrograms, 'many-states.c')}'], search: 'bfs', maxStates: 100_000,
  });
  console.log(report.stats.paths.partial, process.resourceUsage().maxRSS / 2 ** 20);
  process.exit(0);`;
const { stdout } = spawnSync(
  process.execPath,
  ['--max-old-space-size=4096', '--input-type=module', '-e', manyStates],
  { encoding: 'utf8' },
);
const [states, gigabytes] = stdout.trim().split(' ').map(Number);
console.log('\nmemory');
print('live states of a 1 MiB program', `${states} in ${gigabytes?.toFixed(2)} GiB`);
for (const folder of [inMemory, onDisk]) rmSync(folder, { recursive: true });
process.exit(0);

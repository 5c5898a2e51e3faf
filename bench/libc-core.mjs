/**
 * Compares the C library's core without checks with gcc -O2 and the machine's own library, if gcc
 * is installed: `npm run bench:libc-core` (it builds first). One C program times itself with
 * clock_gettime and keeps the best of many short rounds, since a short round may run undisturbed.
 * Runs here and natively alternate. Compare the ratios.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkObjects } from '../dist/front/build.js';
import { libraryFlags, memberPath } from '../dist/front/library.js';
import { Toolchain } from '../dist/front/toolchain.js';
import { bindHost } from '../dist/host/bind.js';
import { plainEngine } from '../dist/host/plain-engine.js';
import { RealHost } from '../dist/host/real-host.js';
import { allowV8Flags } from '../dist/platform/node.js';
import { lowerMemory64 } from '../dist/wasm/lower.js';

allowV8Flags();

const source = String.raw`
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS 40

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

static volatile size_t sink;
static char *volatile buffer, *volatile other;
static void *(*volatile copy)(void *, const void *, size_t) = memcpy;
static size_t (*volatile length)(const char *) = strlen;
static void *(*volatile find)(const void *, int, size_t) = memchr;
static int (*volatile compare)(const char *, const char *) = strcmp;

static int by_value(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

#define MEASURE(title, repetitions, body) \
  do { \
    double best = 1e30; \
    for (int round = 0; round < ROUNDS; round++) { \
      double start = now(); \
      for (int i = 0; i < (repetitions); i++) { body; } \
      double spent = (now() - start) / (repetitions); \
      if (spent < best) best = spent; \
    } \
    printf("%s\t%.2f\n", title, best); \
  } while (0)

int main(void) {
  buffer = malloc(1 << 16), other = malloc(1 << 16);
  memset(buffer, 'x', 1 << 16), buffer[(1 << 16) - 1] = 0, memcpy(other, buffer, 1 << 16);
  MEASURE("memcpy of 64 KiB", 100, copy(other, buffer, 1 << 16));
  MEASURE("memcpy of 24 bytes", 20000, copy(other, buffer, 24));
  MEASURE("memcpy of 8 bytes", 20000, copy(other, buffer, 8));
  MEASURE("strlen of 64 KiB", 100, sink += length(buffer));
  buffer[20] = 0;
  MEASURE("strlen of 20 bytes", 20000, sink += length(buffer));
  other[20] = 0;
  MEASURE("strcmp of 20 bytes", 20000, sink += compare(buffer, other));
  buffer[20] = 'x';
  MEASURE("memchr in 64 KiB", 100, sink += find(buffer, 0, 1 << 16) != NULL);
  static int numbers[20000];
  MEASURE("qsort of 20000 ints", 1, {
    unsigned x = 1;
    for (int k = 0; k < 20000; k++) numbers[k] = (int)(x = x * 1664525u + 1013904223u);
    qsort(numbers, 20000, sizeof *numbers, by_value);
  });
  static void *volatile blocks[1000];
  MEASURE("malloc and free", 1, for (int k = 0; k < 20000; k++) {
    int at = k * 7919 % 1000;
    free(blocks[at]);
    blocks[at] = malloc((size_t)(k * 31 % 300));
  });
}
`;

/** @param {string} text */
function parse(text) {
  return new Map(
    text
      .trim()
      .split('\n')
      .map(line => line.split('\t'))
      .map(([name = '', ns]) => /** @type {const} */ ([name, Number(ns)])),
  );
}

async function buildHere() {
  const toolchain = new Toolchain();
  /**
   * @template T
   * @param {import('../dist/front/step-outcome.js').Outcome<T>} outcome
   */
  const value = outcome => {
    if (!outcome.ok) throw new Error(JSON.stringify(outcome));
    return outcome.value;
  };
  try {
    const content = new TextEncoder().encode(source);
    const ir = value(await toolchain.compileToIr({ path: 'bench.c', content }, { flags: [] }));
    const object = value(await toolchain.compileIrToObject(ir, { optimisation: '-O2' }));
    const flags = { flags: libraryFlags('plain') };
    const start = await toolchain.compileRuntimeObjects([memberPath('libc/start/start.c')], flags);
    const binary = lowerMemory64(value(await linkObjects(toolchain, [object, ...start.map(value)])));
    return new WebAssembly.Module(new Uint8Array(binary));
  } finally {
    await toolchain.close();
  }
}

/** @param {WebAssembly.Module} program */
function runHere(program) {
  let text = '';
  /**
   * Created when the memory exists.
   *
   * @type {import('../dist/host/bind.js').ImportFunctions}
   */
  let bound = {};
  /** @type {import('../dist/host/standard-streams.js').OutputStream} */
  const stdout = {
    isTerminal: false,
    write(bytes, start, length) {
      text += new TextDecoder().decode(bytes.slice(start, start + length));
      return length;
    },
  };
  const host = new RealHost({ folders: [tmpdir()], arguments: ['bench'], environment: {}, stdout });
  const names = WebAssembly.Module.imports(program).map(({ name }) => name);
  const redzone = Object.fromEntries(
    names.map(name => [name, (/** @type {never[]} */ ...values) => bound[name]?.(...values)]),
  );
  const instance = new WebAssembly.Instance(program, { redzone });
  const { memory, __rz_start: start } = instance.exports;
  if (!(memory instanceof WebAssembly.Memory && start instanceof Function)) throw new Error('no program');
  bound = { ...plainEngine(memory), ...bindHost(host, memory) };
  try {
    start();
  } catch (error) {
    if (error.end?.kind !== 'exit') throw error;
  }
  return parse(text);
}

/** @param {string} folder */
function buildNative(folder) {
  if (spawnSync('gcc', ['--version']).status !== 0) return undefined;
  writeFileSync(join(folder, 'bench.c'), source);
  execFileSync('gcc', ['-w', '-O2', '-D_GNU_SOURCE', join(folder, 'bench.c'), '-o', join(folder, 'bench')]);
  return join(folder, 'bench');
}

const folder = mkdtempSync(join(tmpdir(), 'redzone-bench-'));
try {
  const native = buildNative(folder);
  const program = await buildHere();
  /** @typedef {Map<string, number>} Times */
  /** @type {(a: Times, b: Times) => Times} */
  const best = (a, b) => new Map([...b].map(([name, ns]) => [name, Math.min(ns, a.get(name) ?? ns)]));
  /** @type {Times} */
  let here = new Map();
  /** @type {Times} */
  let there = new Map();
  for (let turn = 0; turn < 3; turn++) {
    here = best(here, runHere(program));
    if (native) there = best(there, parse(execFileSync(native, { encoding: 'utf8' })));
  }
  for (const [name, ns] of here) {
    const other = there.get(name);
    const ratio = other === undefined ? '' : `${(ns / other).toFixed(2)} × gcc -O2 (${other} ns)`;
    console.log(`${name.padEnd(22)} ${String(ns).padStart(12)} ns   ${ratio}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

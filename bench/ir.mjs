/**
 * Measures how fast IR is read, written, verified and promoted, and how much memory it takes: `npm
 * run bench:ir [FILE.ll]`.
 *
 * Without a file it uses SQLite, compiled as for the analyses (43 MB of text). The first run
 * downloads the source from the registry and compiles it, which takes minutes, and keeps the result
 * in the temporary folder. Times are processor time of the process, including garbage collection,
 * and the best of several rounds, because the machine may be shared.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands } from '@yowasp/clang';
import { readModule } from '../dist/ir/reader.js';
import { verifyModule } from '../dist/ir/verify.js';
import { writeModule } from '../dist/ir/writer.js';
import { promoteLocals } from '../dist/passes/mem2reg.js';

const ROUNDS = 5;
const requiredSpeed = 15;
const requiredMemory = 12;

async function sqlite() {
  const folder = join(tmpdir(), 'redzone-bench');
  const file = join(folder, 'sqlite3.ll');
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  execFileSync('npm', ['pack', 'better-sqlite3@12', '--silent'], { cwd: folder });
  execFileSync('sh', ['-c', 'tar xzf better-sqlite3-*.tgz'], { cwd: folder });
  const flags = ['-O1', '-Xclang', '-disable-llvm-passes', '-g', '-w', '-S', '-emit-llvm', '-o', '-'];
  const options = [
    '-DSQLITE_THREADSAFE=0',
    '-DSQLITE_OMIT_LOAD_EXTENSION',
    '-DSQLITE_OMIT_WAL',
    '-DSQLITE_OS_OTHER=1',
  ];
  /** @type {Uint8Array[]} */
  const out = [];
  await commands.clang(
    ['--target=wasm64-wasi', '-isystem', '/usr/include/wasm32-wasip1', ...flags, ...options, 'sqlite3.c'],
    { 'sqlite3.c': readFileSync(join(folder, 'package/deps/sqlite3/sqlite3.c')) },
    { fetchProgress: () => {}, stdout: bytes => bytes && out.push(bytes.slice()) },
  );
  writeFileSync(file, Buffer.concat(out));
  return file;
}

/** @param {string} text */
function read(text) {
  const result = readModule(text, 'bench.ll');
  if (result.kind === 'error') throw new Error(JSON.stringify(result.error));
  return result.module;
}

/**
 * The least CPU seconds of several rounds. `prepare` is not measured.
 * @template [T=undefined]
 * @param {(subject: T) => unknown} run
 * @param {() => T} [prepare]
 * @param {number} [rounds]
 */
function seconds(run, prepare = () => /** @type {T} */ (undefined), rounds = ROUNDS) {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const subject = prepare();
    const before = process.cpuUsage();
    run(subject);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1e6);
  }
  return best;
}

function usedBytes() {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const file = process.argv[2] ?? (await sqlite());
const empty = usedBytes();
const text = readFileSync(file, 'latin1');
const megabytes = text.length / 1e6;
const reading = megabytes / seconds(() => read(text));
const module = read(text);
const memory = (usedBytes() - empty) / text.length;
console.log(`${file}: ${megabytes.toFixed(1)} MB`);
console.log(`read      ${reading.toFixed(1)} MB/s of CPU time (at least ${requiredSpeed} wanted)`);
console.log(
  `memory    ${memory.toFixed(2)} times the text, text included (at most ${requiredMemory} wanted)`,
);
console.log(`write     ${(megabytes / seconds(() => writeModule(module))).toFixed(1)} MB/s`);
console.log(`verify    ${(megabytes / seconds(() => verifyModule(module))).toFixed(1)} MB/s`);
let promoted = 0;
const promotion = seconds(
  fresh => {
    promoted = 0;
    for (const each of fresh.functions) promoted += promoteLocals(each);
  },
  () => read(text),
  2,
);
console.log(`mem2reg   ${(megabytes / promotion).toFixed(1)} MB/s, ${promoted} locals promoted`);
if (memory > requiredMemory || reading < requiredSpeed) process.exitCode = 1;

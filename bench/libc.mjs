// Compares the C library without checks with the machine's own: SQLite, and the hot functions. Run
// it with `npm run bench:libc`. Figures are ratios within one run, the best of several; the native
// side is gcc -O2.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkObjects } from '../dist/front/build.js';
import { libraryFlags, memberPath } from '../dist/front/library.js';
import { valueOrThrow } from '../dist/front/step-outcome.js';
import { Toolchain } from '../dist/front/toolchain.js';
import { bindHost } from '../dist/host/bind.js';
import { plainEngine } from '../dist/host/plain-engine.js';
import { RealHost } from '../dist/host/real-host.js';
import { CapturedOutput } from '../dist/host/standard-streams.js';
import { allowV8Flags } from '../dist/platform/node.js';
import { lowerMemory64 } from '../dist/wasm/lower.js';

allowV8Flags();

const root = new URL('..', import.meta.url).pathname;
const rounds = 5;
const sqliteRows = '60000';
const codeFlags = ['-exception-model=wasm', '-mllvm', '-wasm-enable-sjlj'];

/**
 * @param {Toolchain} toolchain
 * @param {readonly string[]} files
 * @param {readonly string[]} flags
 */
async function build(toolchain, files, flags) {
  const objects = [];
  for (const path of files) {
    const ir = valueOrThrow(await toolchain.compileToIr({ path }, { flags }));
    objects.push(valueOrThrow(await toolchain.compileIrToObject(ir, { flags: codeFlags })));
  }
  const start = [memberPath('libc/start/start.c')];
  const started = await toolchain.compileRuntimeObjects(start, { flags: libraryFlags('plain') });
  const binary = valueOrThrow(await linkObjects(toolchain, [...objects, ...started.map(valueOrThrow)]));
  return new WebAssembly.Module(new Uint8Array(lowerMemory64(binary)));
}

/**
 * @param {WebAssembly.Module} module
 * @param {readonly string[]} args
 * @param {string} folder
 */
function run(module, args, folder) {
  const stdout = new CapturedOutput();
  const host = new RealHost({
    folders: [folder],
    arguments: ['program', ...args],
    stdout,
    stderr: new CapturedOutput(),
  });
  /** @type {import('../dist/host/bind.js').ImportFunctions} */
  let functions;
  const imports = Object.fromEntries(
    WebAssembly.Module.imports(module).map(({ name }) => [
      name,
      /** @param {never[]} values */
      (...values) => functions[name]?.(...values),
    ]),
  );
  const instance = new WebAssembly.Instance(module, { redzone: imports });
  const { memory, __rz_start: begin } = instance.exports;
  if (!(memory instanceof WebAssembly.Memory && begin instanceof Function)) throw new Error('no program');
  functions = { ...plainEngine(memory), ...bindHost(host, memory) };
  const start = performance.now();
  try {
    begin();
  } catch (error) {
    if (error.name !== 'ProgramEnd' || error.end.kind !== 'exit') throw error;
  }
  const milliseconds = performance.now() - start;
  host.dispose();
  return { milliseconds, stdout: stdout.text() };
}

/**
 * @param {readonly string[]} files
 * @param {readonly string[]} flags
 * @param {string} folder
 * @returns {(args: readonly string[]) => { milliseconds: number, stdout: string }}
 */
function buildNatively(files, flags, folder) {
  const path = join(folder, `native-${files.length}`);
  execFileSync('gcc', ['-w', '-O2', '-D_GNU_SOURCE', ...flags, ...files, '-o', path, '-lm', '-lpthread']);
  return args => {
    const start = performance.now();
    const { stdout } = spawnSync(path, args, { cwd: folder, encoding: 'utf8' });
    return { milliseconds: performance.now() - start, stdout };
  };
}

/** @type {(count: number, action: () => number) => number} */
const best = (count, action) => Math.min(...Array.from({ length: count }, action));
/** @param {string} text */
const nanoseconds = text =>
  new Map(
    text
      .trim()
      .split('\n')
      .map(line => [line.split(' ')[0], Number(line.split(' ')[1])]),
  );

const folder = mkdtempSync(join(tmpdir(), 'redzone-bench-'));
const toolchain = new Toolchain();
try {
  const sqlite = `${root}tests/real-programs/node_modules/better-sqlite3/deps/sqlite3`;
  const flags = ['-I', sqlite, '-DSQLITE_THREADSAFE=0', '-DSQLITE_OMIT_LOAD_EXTENSION'];
  const files = [`${root}tests/libc/programs/sqlite-driver.c`, `${sqlite}/sqlite3.c`];
  const here = await build(toolchain, files, flags);
  const native = buildNatively(files, flags, folder);
  if (run(here, [':memory:', '100'], folder).stdout !== native([':memory:', '100']).stdout)
    throw new Error('SQLite differs');
  for (const [name, path] of [
    ['memory', ':memory:'],
    ['file', 'bench.db'],
  ]) {
    /** @param {() => { milliseconds: number }} action */
    const fresh = action =>
      best(rounds, () => {
        rmSync(join(folder, 'bench.db'), { force: true });
        return action().milliseconds;
      });
    const ours = fresh(() => run(here, [path, sqliteRows], folder));
    const theirs = fresh(() => native([path, sqliteRows]));
    console.log(
      `SQLite, ${name}: ${ours.toFixed(0)} ms here, ${theirs.toFixed(0)} ms natively, ${(ours / theirs).toFixed(2)} x`,
    );
  }

  const loops = [`${root}bench/programs/libc.c`];
  const ours = nanoseconds(run(await build(toolchain, loops, ['-fno-builtin']), [], folder).stdout);
  const theirs = nanoseconds(buildNatively(loops, ['-fno-builtin'], folder)([]).stdout);
  for (const [name, time] of ours) {
    const size = name.endsWith('64k')
      ? `, ${(65536 / time).toFixed(1)} GB/s`
      : `, ${(1000 / time).toFixed(2)} M calls/s`;
    console.log(
      `${name}: ${time.toFixed(1)} ns${size}, ${(time / (theirs.get(name) ?? Number.NaN)).toFixed(2)} x native`,
    );
  }
} finally {
  await toolchain.close();
  rmSync(folder, { recursive: true, force: true });
}

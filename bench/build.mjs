// Measures the time until a program runs under `redzone check`: `npm run bench:build [--
// PROGRAM...]`.
//
// Each program is built by a process of its own with an empty cache, then again, then after an edit
// of one function, at both speeds (docs/decisions/0200), and by gcc -O1 with ASan if gcc is
// installed. The figure is wall-clock time from the start of the process to the first instruction
// of the program. The libraries come from npm packages, as for `bench:check -- --real`, which
// installs them; Lua is read from the folder that REDZONE_LUA names.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const folder = import.meta.dirname;
const command = join(folder, '../bin/redzone.js');
const packages = join(folder, 'real/node_modules');
const expat = join(packages, 'node-expat/deps/libexpat');
const sqlite = join(packages, 'better-sqlite3/deps/sqlite3');
const lua = process.env.REDZONE_LUA ?? '';

/**
 * The name of a program, its sources, its flags, and an edit of one function: what is replaced by
 * what in one of the sources.
 *
 * @typedef {{ name: string, sources: string[], flags: string[], edited: string, from: string, to:
 * string }} Program
 * @type {Program[]}
 */
const programs = [
  {
    name: 'hundred lines',
    sources: [join(folder, 'kinds/json-tree.c')],
    flags: [],
    edited: 'json-tree.c',
    from: 'int main(void) {',
    to: 'int main(void) { volatile int edited = 1; (void)edited;',
  },
  {
    name: 'expat',
    sources: [
      join(folder, 'real/expat.c'),
      ...['xmlparse', 'xmltok', 'xmlrole'].map(name => join(expat, `lib/${name}.c`)),
    ],
    flags: [`-I${expat}/lib`, `-I${expat}`, '-DHAVE_EXPAT_CONFIG_H'],
    edited: 'expat.c',
    from: 'int main(void) {',
    to: 'int main(void) { volatile int edited = 1; (void)edited;',
  },
  {
    name: 'Lua',
    sources: existsSync(lua)
      ? readdirSync(lua)
          .filter(file => file.endsWith('.c'))
          .map(file => join(lua, file))
      : [],
    flags: [`-I${lua}`],
    edited: 'lua.c',
    from: 'int main (int argc, char **argv) {',
    to: 'int main (int argc, char **argv) { volatile int edited = 1; (void)edited;',
  },
  {
    name: 'SQLite',
    sources: [join(folder, 'real/sqlite.c'), join(sqlite, 'sqlite3.c')],
    flags: [`-I${sqlite}`, '-DSQLITE_THREADSAFE=0', '-DSQLITE_OMIT_LOAD_EXTENSION'],
    edited: 'sqlite3.c',
    from: 'int sqlite3_libversion_number(void){ ',
    to: 'int sqlite3_libversion_number(void){ volatile int edited = 1; (void)edited; ',
  },
];

/**
 * Seconds until the program runs, and the phases that `-v` lists.
 * @param {readonly string[]} sources
 * @param {readonly string[]} flags
 * @param {string} cache
 * @param {string} speed
 */
function timeOf(sources, flags, cache, speed) {
  const includes = [`-I${join(folder, 'check')}`, `-I${join(folder, 'real')}`];
  const args = [command, 'check', '-v', '--max-time', '600', '-w', ...includes, ...flags, ...sources];
  const environment = { ...process.env, REDZONE_CACHE: cache, REDZONE_SPEED: speed };
  const { stdout } = spawnSync(process.execPath, args, { env: environment, encoding: 'utf8', input: '' });
  const compiling = /compiling ([\d.]+) (ms|s),/.exec(stdout.split('stats: ')[1] ?? '');
  if (compiling === null) throw new Error(`redzone has not run ${basename(sources[0])}:\n${stdout}`);
  const phases = /phases: (.*)/.exec(stdout)?.[1] ?? '';
  return { seconds: Number(compiling[1]) / (compiling[2] === 'ms' ? 1000 : 1), phases };
}

/**
 * @param {readonly string[]} sources
 * @param {readonly string[]} flags
 * @param {string} scratch
 */
function gccTime(sources, flags, scratch) {
  const args = [
    '-g',
    '-O1',
    '-fsanitize=address',
    '-w',
    ...flags,
    ...sources,
    '-o',
    join(scratch, 'a.out'),
    '-lm',
  ];
  const start = performance.now();
  const { status } = spawnSync('gcc', args, { stdio: 'ignore' });
  return status === 0 ? ((performance.now() - start) / 1000).toFixed(1) : '-';
}

if (!existsSync(packages)) {
  const flags = ['--ignore-scripts', '--omit=optional', '--legacy-peer-deps', '--no-package-lock'];
  execFileSync('npm', ['install', ...flags, '--no-audit', '--no-fund'], {
    cwd: join(folder, 'real'),
    stdio: 'ignore',
  });
}
const only = process.argv.slice(2);
console.log(`load ${loadavg()[0].toFixed(1)}; seconds until the program runs`);
console.log('program | speed | first | second | after an edit | gcc -O1 ASan');
for (const { name, sources, flags, edited, from, to } of programs) {
  if (sources.length === 0 || !sources.every(path => existsSync(path))) continue;
  if (only.length > 0 && !only.includes(name)) continue;
  const scratch = mkdtempSync(join(tmpdir(), 'redzone-build-'));
  // Sources are copied, with the headers beside them, so that one can be edited.
  const copies = sources.map(path => {
    cpSync(dirname(path), join(scratch, basename(dirname(path))), { recursive: true, filter: isSource });
    return join(scratch, basename(dirname(path)), basename(path));
  });
  cpSync(join(folder, 'check'), join(scratch, 'check'), { recursive: true, filter: isSource });
  const gcc = gccTime(copies, flags, scratch);
  for (const speed of ['quick', 'optimised']) {
    const cache = join(scratch, `cache-${speed}`);
    const changed = copies.find(path => basename(path) === edited) ?? '';
    const text = readFileSync(changed, 'utf8');
    const measured = [timeOf(copies, flags, cache, speed), timeOf(copies, flags, cache, speed)];
    writeFileSync(changed, text.replace(from, to));
    measured.push(timeOf(copies, flags, cache, speed));
    writeFileSync(changed, text);
    console.log([name, speed, ...measured.map(({ seconds }) => seconds.toFixed(2)), gcc].join(' | '));
    console.log(`  first: ${measured[0].phases}`);
  }
  rmSync(scratch, { recursive: true });
}

/** @param {string} path */
function isSource(path) {
  return !/node_modules\/.*node_modules|\.(o|a|node)$/.test(path) && !/\/(build|src\/addon)$/.test(path);
}

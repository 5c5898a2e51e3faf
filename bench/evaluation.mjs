/**
 * Repeats the evaluation of the KDALLOC paper: `npm run bench:evaluation` runs programs under both
 * allocators and both searchers with counted limits, and writes `docs/evaluation.md` and its
 * figures. With the argument `draw` it only draws the results of the last run again; with
 * `continue` it runs the programs that these results lack.
 *
 * Each run is a separate process (`evaluation-run.mjs`), so that its peak memory can be measured.
 * Times are processor times, which a busy machine changes little. Runs under the two allocators
 * alternate, and the better of two counts. Programs of packages are skipped if the packages are
 * not installed (`tests/real-programs`).
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { explore } from '../dist/index.js';
import { quarantineFigure, scatterFigure } from './evaluation/figures.mjs';
import { page } from './evaluation/page.mjs';

const root = join(import.meta.dirname, '..');
const results = join(root, 'bench/evaluation/results.json');
const folder = join(root, 'docs/evaluation');
const packages = process.env.REDZONE_PACKAGES ?? join(root, 'tests/real-programs/node_modules');
const real = join(root, 'tests/real-programs');

const own = name => ({ name, inputs: [join(root, 'bench/evaluation', `${name}.c`)] });
const onStdin = (name, symStdin) => ({ ...own(name), symStdin });
const bench = name => ({ name, inputs: [join(root, 'bench/programs', `${name}.c`)] });
const explored = (name, clangFlags = []) => ({
  name,
  inputs: [join(root, 'tests/explore/programs', `${name}.c`)],
  clangFlags,
});

const treeSitter = join(packages, 'tree-sitter/vendor/tree-sitter/lib');
const grammar = join(packages, 'tree-sitter-c/src');
const lmdb = join(packages, 'lmdb/dependencies/lmdb/libraries/liblmdb');
const sqlite = join(packages, 'better-sqlite3/deps/sqlite3');
const libraries = join(root, 'bench/real/node_modules');
const expat = join(libraries, 'node-expat/deps/libexpat/lib');
const zlib = join(libraries, 'zlib-sync/deps/zlib');
const lz4 = join(libraries, 'lz4/deps/lz4/lib');

/** The initialisation of libraries takes most of the usual limit. */
const realInstructions = 2_000_000;

/** A library of a package, under a driver that reads standard input. */
const library = (name, folder, files, symStdin, clangFlags = []) => ({
  ...onStdin(name, symStdin),
  inputs: [join(root, 'bench/evaluation', `${name}.c`), ...files.map(file => join(folder, `${file}.c`))],
  clangFlags: [`-I${folder}`, '-w', ...clangFlags],
  maxInstructions: realInstructions,
});

/** Small tools on standard input, programs of the other benches, and programs of packages. */
const programs = [
  ...[onStdin('wc', 5), onStdin('uniq', 4), onStdin('expand', 4), onStdin('base64', 3), onStdin('json', 5)],
  ...[onStdin('pointer-set', 3), onStdin('address-order', 3), onStdin('run-length', 5), onStdin('sort', 4)],
  ...['all-zeros', 'bubble-sort', 'expression-parser', 'many-states', 'tokenizer', 'trie'].map(bench),
  explored('bibop', ['-DROUNDS=3']),
  ...['matcher', 'collatz', 'get-sign', 'mixture', 'calls', 'resume-loops', 'resume-values'].map(name =>
    explored(name),
  ),
  library('lmdb', lmdb, ['mdb', 'midl'], 2),
  {
    name: 'tree-sitter',
    inputs: [join(real, 'tree-sitter.c'), `${treeSitter}/src/lib.c`, `${grammar}/parser.c`],
    clangFlags: [`-I${treeSitter}/include`, `-I${treeSitter}/src`, `-I${grammar}`, '-w'],
    symStdin: 2,
    maxInstructions: realInstructions,
  },
  library('sqlite', sqlite, ['sqlite3'], 2, ['-DSQLITE_THREADSAFE=0', '-DSQLITE_OMIT_LOAD_EXTENSION']),
  library('expat', expat, ['xmlparse', 'xmltok', 'xmlrole'], 5, ['-DHAVE_EXPAT_CONFIG_H', `-I${expat}/..`]),
  library('zlib', zlib, ['adler32', 'crc32', 'inffast', 'inflate', 'inftrees', 'zutil'], 4),
  library('lz4', lz4, ['lz4'], 6),
];

const searchers = ['dfs', 'default'];
const allocators = ['kdalloc', 'global'];
const rounds = Number(process.env.REDZONE_ROUNDS ?? 2);
const limits = { maxInstructions: 200_000, maxPaths: 2000, maxStates: 20_000 };

async function run(options) {
  const child = spawn(process.execPath, [join(root, 'bench/evaluation-run.mjs'), JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 600_000,
  });
  let text = '';
  for await (const part of child.stdout) text += part;
  if (text === '') console.error(`${options.inputs[0]}: no result`);
  return text === '' ? undefined : JSON.parse(text);
}

/**
 * Compiles the program first, because clang needs much memory. It is then in the cache when memory
 * is measured.
 *
 * @param {{ name: string, inputs: string[] }} program
 */
async function compile({ name, ...options }) {
  try {
    await explore({ ...options, maxInstructions: 1 });
    return true;
  } catch (error) {
    console.error(`${name}: ${error.message}`);
    return false;
  }
}

/** The part of a result that equal runs share; solver queries may differ. */
const course = ({ instructions, paths, allocations }) => JSON.stringify([instructions, paths, allocations]);

async function compare({ name, ...options }, search) {
  /** @type {Record<string, any[]>} */
  const measured = Object.fromEntries(allocators.map(allocator => [allocator, []]));
  for (let round = 0; round < rounds; round++)
    for (const allocator of allocators) {
      const result = await run({ ...limits, ...options, search, allocator });
      if (result === undefined) return undefined;
      measured[allocator].push(result);
    }
  const best = key => allocators.map(allocator => Math.min(...measured[allocator].map(one => one[key])));
  const all = allocators.flatMap(allocator => measured[allocator]);
  return {
    name,
    search,
    isComparable: new Set(all.map(course)).size === 1,
    memory: best('maxRssBytes'),
    time: best('processorMs'),
    solver: best('solverMs'),
    queries: best('queries'),
    instructions: best('instructions'),
    paths: allocators.map(allocator => measured[allocator][0].paths),
    allocations: best('allocations'),
  };
}

async function measureStale() {
  const found = async options => {
    const { paths } = await run({ ...own('stale'), checks: ['temporal'], ...options });
    return { found: paths.error, of: paths.error + paths.completed };
  };
  const stale = [];
  for (const quarantine of [0, 1, 2, 4, 8, 16]) stale.push({ quarantine, ...(await found({ quarantine })) });
  stale.push({ quarantine: 'all', ...(await found({})) });
  stale.push({ quarantine: 'global', ...(await found({ allocator: 'global' })) });
  return stale;
}

/**
 * Each program is memoised with one searcher and run again with the other, without pruning. The
 * figure is the number of source lines at which paths then diverged, as in Table 4.
 */
async function measureDivergences() {
  const divergences = [];
  for (const { name, ...options } of programs.filter(program => !('maxInstructions' in program)))
    for (const search of searchers) {
      const lines = [];
      for (const allocator of allocators) {
        const folder = mkdtempSync(join(tmpdir(), 'redzone-evaluation-'));
        const settings = { ...limits, maxPaths: 300, ...options, allocator };
        await run({ ...settings, search, folder });
        const other = searchers.find(each => each !== search);
        const again = await run({ ...settings, search: other, replayTree: folder, reuse: 'answers' });
        lines.push(again?.diverged.length ?? 0);
        rmSync(folder, { recursive: true });
      }
      divergences.push({ name, search, lines });
      console.error(`${name} ${search}: diverged at ${lines.join(' / ')} lines`);
    }
  return divergences;
}

async function measureLoops() {
  const endless = join(root, 'tests/loops/endless.c');
  const count = readFileSync(endless, 'utf8').split('//~ LOOP').length - 1;
  const ways = {
    'KDALLOC without quarantine': {},
    'KDALLOC with a quarantine of 8': { quarantine: 8 },
    'global allocator': { allocator: 'global' },
  };
  const loops = [];
  for (const [how, options] of Object.entries(ways)) {
    const given = { inputs: [endless], detectLoops: true, search: 'bfs', maxInstructions: 8_000_000 };
    loops.push({ how, found: (await run({ ...given, ...options })).codes.length, of: count });
  }
  return loops;
}

/** Results are written after each program, so that a stopped run can be drawn and continued. */
async function measure(goesOn) {
  const measured = goesOn
    ? JSON.parse(readFileSync(results, 'utf8'))
    : { date: new Date().toISOString().slice(0, 10), machine: cpus()[0].model, rounds, runs: [] };
  const keep = () => writeFileSync(results, `${JSON.stringify(measured, null, 1)}\n`);
  for (const [part, measurePart] of Object.entries({
    stale: measureStale,
    loops: measureLoops,
    divergences: measureDivergences,
  })) {
    measured[part] ??= await measurePart();
    keep();
  }
  for (const program of programs) {
    if (!program.inputs.every(file => existsSync(file))) {
      console.error(`${program.name}: not installed`);
      continue;
    }
    const isKnown = search =>
      measured.runs.some(known => known.name === program.name && known.search === search);
    const missing = searchers.filter(search => !isKnown(search));
    if (missing.length === 0 || !(await compile(program))) continue;
    for (const search of missing) {
      const result = await compare(program, search);
      if (result === undefined) continue;
      measured.runs.push(result);
      keep();
      console.error(
        `${result.name} ${search}: ${result.time.map(ms => ms.toFixed(0)).join(' / ')} ms, ` +
          `${result.memory.map(bytes => (bytes / 2 ** 20).toFixed(0)).join(' / ')} MiB` +
          (result.isComparable ? '' : ', not comparable'),
      );
    }
  }
}

if (process.argv[2] !== 'draw') await measure(process.argv[2] === 'continue');
const measured = JSON.parse(readFileSync(results, 'utf8'));
mkdirSync(folder, { recursive: true });
const figures = {
  memory: { unit: 'MiB', of: ({ memory }) => memory.map(bytes => bytes / 2 ** 20) },
  time: { unit: 'ms', of: ({ time }) => time },
  solver: { unit: 'ms', of: ({ solver }) => solver },
};
for (const [name, figure] of Object.entries(figures))
  writeFileSync(join(folder, `${name}.svg`), scatterFigure(measured.runs, figure));
writeFileSync(join(folder, 'use-after-free.svg'), quarantineFigure(measured.stale));
writeFileSync(
  join(root, 'docs/evaluation.md'),
  page(measured, { ...limits, programs: programs.length }, figures),
);

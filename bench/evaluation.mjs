/**
 * The evaluation of the KDALLOC paper, repeated: `npm run bench:evaluation` runs programs under
 * both allocators and both searchers with limits that count, and writes `docs/evaluation.md` with
 * its figures; with `draw` behind it, it only draws the results of the last run anew.
 *
 * Each run has a process of its own (`evaluation-run.mjs`), so that its peak memory is its own.
 * Times are of the processor: a busy machine does not change them much. Runs under the two
 * allocators take turns, and the better of two counts. Programs of packages are left out where the
 * packages are not installed (`tests/real-programs`).
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
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

/** Small tools on standard input, programs of the other benches, and programs of packages. */
const programs = [
  ...[onStdin('wc', 5), onStdin('uniq', 4), onStdin('expand', 4), onStdin('base64', 3), onStdin('json', 5)],
  ...[onStdin('pointer-set', 3), onStdin('run-length', 5), onStdin('sort', 4)],
  ...['all-zeros', 'bubble-sort', 'expression-parser', 'many-states', 'tokenizer', 'trie'].map(bench),
  explored('bibop', ['-DROUNDS=3']),
  ...['matcher', 'collatz', 'get-sign', 'mixture', 'calls', 'resume-loops', 'resume-values'].map(name =>
    explored(name),
  ),
  {
    name: 'lmdb',
    inputs: [join(real, 'lmdb.c'), `${lmdb}/mdb.c`, `${lmdb}/midl.c`],
    clangFlags: [`-I${lmdb}`, '-w'],
    arguments: ['data'],
    symStdin: 2,
  },
  {
    name: 'tree-sitter',
    inputs: [join(real, 'tree-sitter.c'), `${treeSitter}/src/lib.c`, `${grammar}/parser.c`],
    clangFlags: [`-I${treeSitter}/include`, `-I${treeSitter}/src`, `-I${grammar}`, '-w'],
    arguments: ['unused'],
    symStdin: 2,
  },
  {
    name: 'sqlite',
    inputs: [join(real, 'sqlite.c'), `${sqlite}/sqlite3.c`],
    clangFlags: [`-I${sqlite}`, '-DSQLITE_THREADSAFE=0', '-DSQLITE_OMIT_LOAD_EXTENSION', '-w'],
    arguments: ['test.db'],
    symStdin: 2,
  },
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
 * Clang takes much memory: what it has compiled before is in the cache when memory is measured.
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

/** What runs that do the same have in common; solvers may be queried for other values. */
const course = ({ instructions, paths, allocations }) => JSON.stringify([instructions, paths, allocations]);

async function compare({ name, ...options }, search) {
  /** @type {Record<string, any[]>} */
  const measured = Object.fromEntries(allocators.map(allocator => [allocator, []]));
  for (let round = 0; round < rounds; round++)
    for (const allocator of allocators) {
      const result = await run({ ...options, search, allocator, ...limits });
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

/** What is known is written after each program: a run that is stopped can be drawn. */
async function measure() {
  const measured = {
    date: new Date().toISOString().slice(0, 10),
    machine: cpus()[0].model,
    rounds,
    runs: /** @type {object[]} */ ([]),
    stale: await measureStale(),
    loops: await measureLoops(),
  };
  for (const program of programs) {
    if (!program.inputs.every(file => existsSync(file))) {
      console.error(`${program.name}: not installed`);
      continue;
    }
    if (!(await compile(program))) continue;
    for (const search of searchers) {
      const result = await compare(program, search);
      if (result === undefined) continue;
      measured.runs.push(result);
      writeFileSync(results, `${JSON.stringify(measured, null, 1)}\n`);
      console.error(
        `${result.name} ${search}: ${result.time.map(ms => ms.toFixed(0)).join(' / ')} ms, ` +
          `${result.memory.map(bytes => (bytes / 2 ** 20).toFixed(0)).join(' / ')} MiB` +
          (result.isComparable ? '' : ', not comparable'),
      );
    }
  }
}

if (process.argv[2] !== 'draw') await measure();
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

/**
 * Repeats the evaluation of the KDALLOC paper: `npm run bench:evaluation` runs programs under both
 * allocators and both searchers with counted limits, and writes `docs/evaluation.md` and its
 * figures.
 *
 *     draw            only draws the results of the last run again
 *     continue        runs the programs that these results lack
 *     --only A,B      runs these programs and replaces their results
 *
 * Each run is a separate process (`evaluation-run.mjs`), so that its peak memory can be measured;
 * the process also replays the run under the other searcher and at other addresses. Times are
 * processor times, which a busy machine changes little. Runs under the two allocators alternate,
 * and the better of two counts (`REDZONE_ROUNDS`). Libraries come from npm packages
 * (`bench/real/packages.mjs`, `tests/real-programs`); LMDB is skipped if it is not installed.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { explore } from '../dist/index.js';
import { barFigure, scatterFigure, searchers, searcherTitles } from './evaluation/figures.mjs';
import { page } from './evaluation/page.mjs';
import { installPackages, sourcesOf } from './real/packages.mjs';

/**
 * @typedef {import('../dist/index.js').ExploreOptions} ExploreOptions
 * @typedef {import('./evaluation-run.mjs').Result} Result
 * @typedef {import('./evaluation/figures.mjs').Axis} Axis
 * @typedef {import('./evaluation/figures.mjs').FigureName} FigureName
 * @typedef {import('./evaluation/figures.mjs').Run} Run
 * @typedef {import('./evaluation/figures.mjs').Search} Search
 * @typedef {import('./evaluation/figures.mjs').Measured} Measured
 *
 * @typedef {Omit<Partial<ExploreOptions>, 'inputs'> & {
 *   name: string,
 *   inputs: string[],
 * }} Program
 */

const root = join(import.meta.dirname, '..');
const results = join(root, 'bench/evaluation/results.json');
const folder = join(root, 'docs/evaluation');
const packages = process.env.REDZONE_PACKAGES ?? join(root, 'tests/real-programs/node_modules');

/** @type {(name: string) => Program & { clangFlags?: string[] }} */
const own = name => ({ name, inputs: [join(root, 'bench/evaluation', `${name}.c`)] });
/** @type {(name: string, symStdin: number) => Program} */
const onStdin = (name, symStdin) => ({ ...own(name), symStdin });
/** @type {(name: string) => Program} */
const bench = name => ({ name, inputs: [join(root, 'bench/programs', `${name}.c`)] });
/** @type {(name: string, clangFlags?: string[]) => Program} */
const explored = (name, clangFlags = []) => ({
  name,
  inputs: [join(root, 'tests/explore/programs', `${name}.c`)],
  clangFlags,
});

/** The initialisation of libraries takes most of the usual limit, and their paths are long. */
const realLimits = { maxInstructions: 1_000_000, maxPaths: 100 };

/**
 * A library of a package, under a driver that reads standard input or takes it as an argument.
 *
 * @type {(name: string, driver: string, symStdin: number) => Program & { clangFlags: string[] }}
 */
const library = (name, driver, symStdin) => ({
  name,
  ...sourcesOf(name, join(root, driver)),
  symStdin,
  ...realLimits,
});

/**
 * SQLite compares freed addresses with those of its lookaside buffer, which this leaves out.
 *
 * @type {(flag: string, program: Program & { clangFlags: string[] }) => Program}
 */
const withFlag = (flag, program) => ({ ...program, clangFlags: [...program.clangFlags, flag] });

const lmdb = join(packages, 'lmdb/dependencies/lmdb/libraries/liblmdb');

/**
 * Small tools on standard input, programs of the other benches, and programs of packages.
 *
 * @type {Program[]}
 */
const programs = [
  ...[onStdin('wc', 5), onStdin('uniq', 4), onStdin('expand', 4), onStdin('base64', 2), onStdin('json', 5)],
  ...[onStdin('run-length', 5), onStdin('sort', 4), onStdin('cut', 4), onStdin('tail', 4)],
  ...[onStdin('tsort', 6), onStdin('cksum', 4)],
  { ...own('tr'), symArgs: { min: 2, max: 2, bytes: 3 } },
  { ...own('expr'), symArgs: { min: 3, max: 3, bytes: 2 } },
  { ...own('comm'), symFiles: { count: 2, bytes: 3 } },
  ...[onStdin('pointer-set', 3), onStdin('address-order', 3), own('chosen-address')],
  ...['bubble-sort', 'expression-parser', 'tokenizer', 'trie'].map(bench),
  explored('bibop', ['-DROUNDS=3']),
  explored('matcher'),
  withFlag('-DSQLITE_OMIT_LOOKASIDE', library('sqlite', 'bench/evaluation/sqlite.c', 2)),
  library('tree-sitter', 'tests/real-programs/tree-sitter.c', 2),
  {
    ...onStdin('lmdb', 2),
    inputs: [join(root, 'bench/evaluation/lmdb.c'), `${lmdb}/mdb.c`, `${lmdb}/midl.c`],
    clangFlags: [`-I${lmdb}`, '-w'],
    ...realLimits,
  },
  library('expat', 'bench/evaluation/expat.c', 3),
  // Behind the first half million instructions, conditions contain the hashes of symbolic strings,
  // which take the solver minutes.
  { ...library('lua', 'bench/real/targets/lua.c', 1), maxInstructions: 450_000 },
  // Its start shifts a one into the sign of an `int`, at which the only path would end.
  { ...library('duktape', 'bench/real/targets/duktape.c', 2), checks: ['spatial', 'temporal', 'init'] },
  library('zlib', 'bench/evaluation/zlib.c', 4),
  library('lz4', 'bench/evaluation/lz4.c', 6),
];

/** @type {('kdalloc' | 'global')[]} */
const allocators = ['kdalloc', 'global'];
const rounds = Number(process.env.REDZONE_ROUNDS ?? 2);
const limits = { maxInstructions: 200_000, maxPaths: 2000, maxStates: 20_000, maxQueryConflicts: 20_000 };

/**
 * With `replay`, these options of the replay.
 *
 * @param {ExploreOptions} options
 * @param {Partial<ExploreOptions>} [replay]
 * @returns {Promise<Result | undefined>}
 */
async function run(options, replay) {
  const given = JSON.stringify({ options, replay });
  const child = spawn(process.execPath, [join(root, 'bench/evaluation-run.mjs'), given], {
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
 * @param {Program} program
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

/**
 * The part of a result that equal runs share; solver queries may differ.
 *
 * @param {Result} result
 */
const course = ({ instructions, paths, allocations }) => JSON.stringify([instructions, paths, allocations]);

/**
 * Runs a program under both allocators, and replays the first run of each under the other searcher
 * and with another seed, which moves the addresses of the global allocator, as in two processes of
 * KLEE. The result has the source lines at which paths then diverged, as in Table 4.
 *
 * @param {Program} program
 * @param {Search} search
 * @returns {Promise<Run | undefined>}
 */
async function compare({ name, ...options }, search) {
  const other = searchers.find(each => each !== search);
  /** @type {{ kdalloc: Result[], global: Result[] }} */
  const measured = { kdalloc: [], global: [] };
  for (let round = 0; round < rounds; round++)
    for (const allocator of allocators) {
      const replay = round === 0 ? { search: other, seed: 2 } : undefined;
      const result = await run({ ...limits, ...options, search, allocator, seed: 1 }, replay);
      if (result === undefined) return undefined;
      measured[allocator].push(result);
    }
  /**
   * @param {'maxRssBytes' | 'processorMs' | 'solverMs' | 'queries' | 'instructions' |
   *   'allocations'} key
   */
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
    diverged: allocators.map(allocator => measured[allocator][0].again?.diverged ?? []),
  };
}

/** @param {Result | undefined} result */
function expectResult(result) {
  if (result === undefined) throw new Error('a run ended without a result');
  return result;
}

/** Whether Listing 1 is found, and how many of the reads of `stale.c`, by quarantine. */
async function measureStale() {
  /** @param {Partial<ExploreOptions>} options */
  const found = async options => {
    const { paths } = expectResult(await run({ ...own('stale'), checks: ['temporal'], ...options }));
    const { codes } = expectResult(await run({ ...own('listing-1'), checks: ['temporal'], ...options }));
    return { found: paths.error, of: paths.error + paths.completed, listing: codes.length > 0 };
  };
  /** @type {Measured['stale']} */
  const stale = [];
  for (const quarantine of [0, 1, 2, 4, 8, 16]) stale.push({ quarantine, ...(await found({ quarantine })) });
  stale.push({ quarantine: 'all', ...(await found({})) });
  stale.push({ quarantine: 'global', ...(await found({ allocator: 'global' })) });
  return stale;
}

async function measureLoops() {
  const endless = join(root, 'tests/loops/endless.c');
  const count = readFileSync(endless, 'utf8').split('//~ LOOP').length - 1;
  /** @type {Record<string, Partial<ExploreOptions>>} */
  const ways = {
    'KDALLOC without quarantine': {},
    'KDALLOC with a quarantine of 8': { quarantine: 8 },
    'global allocator': { allocator: 'global' },
  };
  const loops = [];
  for (const [how, options] of Object.entries(ways)) {
    const given = { inputs: [endless], detectLoops: true, maxInstructions: 8_000_000, ...options };
    const { codes } = expectResult(await run({ ...given, search: 'bfs' }));
    loops.push({ how, found: codes.length, of: count });
  }
  return loops;
}

/**
 * Results are written after each program, so that a stopped run can be drawn and continued.
 *
 * @param {Partial<Measured> & Pick<Measured, 'runs'>} measured
 * @param {readonly Program[]} chosen
 */
async function measure(measured, chosen) {
  const keep = () => writeFileSync(results, `${JSON.stringify(measured, null, 1)}\n`);
  measured.stale ??= await measureStale();
  measured.loops ??= await measureLoops();
  keep();
  for (const program of chosen) {
    if (!program.inputs.every(file => existsSync(file))) {
      console.error(`${program.name}: not installed`);
      continue;
    }
    /** @param {Search} search */
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
          `solver ${result.solver.map(ms => ms.toFixed(0)).join(' / ')} ms, ` +
          `${result.memory.map(bytes => (bytes / 2 ** 20).toFixed(0)).join(' / ')} MiB, ` +
          `${result.instructions[0]} instructions, diverged at ${result.diverged.map(lines => lines.length).join(' / ')} lines` +
          (result.isComparable ? '' : ', not comparable'),
      );
    }
  }
}

/** @type {() => Measured} */
const earlier = () => JSON.parse(readFileSync(results, 'utf8'));
const [how, names = ''] = process.argv.slice(2);
if (how !== 'draw') {
  installPackages();
  const only = how === '--only' ? names.split(',') : undefined;
  const unknown = (only ?? []).filter(name => !programs.some(program => program.name === name));
  if (unknown.length > 0) throw new Error(`there is no program '${unknown.join("', '")}'`);
  const goesOn = (how === 'continue' || only !== undefined) && existsSync(results);
  /** @type {Partial<Measured> & Pick<Measured, 'runs'>} */
  const measured = goesOn
    ? earlier()
    : { date: new Date().toISOString().slice(0, 10), machine: cpus()[0].model, rounds, runs: [] };
  if (only !== undefined) measured.runs = measured.runs.filter(({ name }) => !only.includes(name));
  await measure(
    measured,
    programs.filter(({ name }) => only?.includes(name) ?? true),
  );
}
const measured = earlier();
// In the order of the list, in which libraries come last.
measured.runs = programs.flatMap(({ name }) =>
  searchers.flatMap(search => measured.runs.filter(run => run.name === name && run.search === search)),
);
mkdirSync(folder, { recursive: true });
/** @type {Record<FigureName, Axis>} */
const figures = {
  memory: { unit: 'MiB', of: ({ memory }) => memory.map(bytes => bytes / 2 ** 20) },
  time: { unit: 'ms', of: ({ time }) => time },
  solver: { unit: 'ms', of: ({ solver }) => solver, least: 1 },
};
for (const [name, figure] of Object.entries(figures))
  writeFileSync(join(folder, `${name}.svg`), scatterFigure(measured.runs, figure));
writeFileSync(
  join(folder, 'use-after-free.svg'),
  barFigure(
    measured.stale.map(({ quarantine, found }) => ({
      name: String(quarantine),
      value: found,
      isKdalloc: quarantine !== 'global',
    })),
    {
      most: measured.stale[0].of,
      below: 'freed slots that are kept out of use; the last bar is the global allocator',
      beside: `errors found, of ${measured.stale[0].of}`,
    },
  ),
);
writeFileSync(
  join(folder, 'loops.svg'),
  barFigure(
    measured.loops.map(({ how, found }) => ({
      name: how,
      value: found,
      isKdalloc: how.startsWith('KDALLOC'),
    })),
    { most: measured.loops[0].of, below: '', beside: `loops found, of ${measured.loops[0].of}`, room: 190 },
  ),
);
const divergedLines = searchers.flatMap(search =>
  allocators.toReversed().map(allocator => ({
    name: `${searcherTitles[search]}, ${allocator === 'global' ? 'global' : 'KDALLOC'}`,
    value: measured.runs
      .filter(run => run.search === search)
      .reduce((sum, run) => sum + run.diverged[allocators.indexOf(allocator)].length, 0),
    isKdalloc: allocator === 'kdalloc',
  })),
);
writeFileSync(
  join(folder, 'divergences.svg'),
  barFigure(divergedLines, {
    most: Math.max(1, ...divergedLines.map(({ value }) => value)),
    below: 'the search of the memoised run, and the allocator of both runs',
    beside: 'lines that diverged',
    room: 160,
  }),
);
writeFileSync(
  join(root, 'docs/evaluation.md'),
  page(
    measured,
    limits,
    programs.map(({ name }) => name),
    figures,
  ),
);

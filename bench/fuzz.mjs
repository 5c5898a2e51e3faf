// Compares `redzone fuzz` with libFuzzer and AddressSanitizer: `npm run bench:fuzz [-- --quick]
// [--finds] [--modes=LIST] [--speed] [TARGET...]`; with `--real [--minutes=N]`, see fuzz-real.mjs.
//
// The first table has the number of runs until the planted error of each target of
// `tests/fuzz/targets` is found, the median over ten seeds (three with --quick), for each mode and,
// if a clang with libFuzzer is installed, for libFuzzer with the same seeds, and the processor
// time of the search. Each search begins with an empty corpus and ends after 200,000 runs, or two
// million with libFuzzer. The second table has runs per second of processor time on the fixed
// twins, the best of three, alternating: of a million runs that repeat the inputs of a corpus,
// and of searches that begin with this corpus and then choose their own inputs.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fuzz } from '../dist/index.js';
import { speedOnCorpus, targetOf } from './fuzz-fixed.mjs';
import { fuzzReal } from './fuzz-real.mjs';

const folder = join(import.meta.dirname, '../tests/fuzz/targets');
/** @typedef {{ runs: number | undefined, seconds: number }} Search */

const isQuick = process.argv.includes('--quick');
/** Selects the second table; `--finds` selects the first. */
const isSpeedOnly = process.argv.includes('--speed');
const isFindsOnly = process.argv.includes('--finds');
const only = process.argv.slice(2).filter(argument => !argument.startsWith('-'));
/**
 * The value of `--name=value`.
 * @type {(name: string, usual: string) => string}
 */
const settingOf = (name, usual) =>
  process.argv.find(argument => argument.startsWith(`--${name}=`))?.slice(name.length + 3) ?? usual;
if (process.argv.includes('--real')) {
  const news = await fuzzReal(only, Number(settingOf('minutes', '10')));
  process.exit(news > 0 ? 1 : 0);
}
const modes = /** @type {('black' | 'grey' | 'white' | 'auto')[]} */ (
  settingOf('modes', 'black,grey,white,auto').split(',')
);
const seeds = Array.from({ length: isQuick ? 3 : 10 }, (_, i) => i + 1);
const mostRuns = isQuick ? 60_000 : 200_000;
const mostRunsOfLibFuzzer = isQuick ? 500_000 : 2_000_000;
const scratch = mkdtempSync(join(tmpdir(), 'redzone-bench-fuzz-'));
const targets = readdirSync(folder)
  .filter(file => file.endsWith('.c'))
  .map(file => file.slice(0, -2))
  .filter(name => only.length === 0 || only.includes(name));

let folders = 0;
const newFolder = () => join(scratch, String(folders++));

/** A clang that links libFuzzer, or nothing. */
function findClang() {
  for (const clang of ['clang', 'clang-19', 'clang-18', 'clang-17', 'clang-16', 'clang-15', 'clang-14']) {
    const source = 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return 0; }';
    const args = ['-fsanitize=fuzzer,address', '-x', 'c', '-', '-o', join(scratch, 'probe')];
    if (spawnSync(clang, args, { input: source }).status === 0) return clang;
  }
  return undefined;
}

const clang = findClang();

/** @param {string} name @param {string[]} flags */
function buildNative(name, ...flags) {
  const program = join(scratch, `${name}${flags.join('')}`);
  const args = [
    '-O1',
    '-g',
    '-fsanitize=fuzzer,address,undefined',
    '-fno-sanitize-recover=undefined',
    ...flags,
  ];
  const sources = [join(folder, `${name}.c`), ...(flags.includes('-DON_CORPUS') ? [compiledReader()] : [])];
  execFileSync(String(clang), [...args, ...sources, '-o', program], { stdio: 'ignore' });
  return program;
}

/** Without sanitizers, because it is not a part of the target. */
function compiledReader() {
  const object = join(scratch, 'fuzz-corpus.o');
  execFileSync(String(clang), ['-O2', '-c', join(import.meta.dirname, 'fuzz-corpus.c'), '-o', object]);
  return object;
}

/**
 * Runs until the first error; undefined if there was none.
 * @param {string} name
 * @param {(typeof modes)[number]} mode
 * @param {number} seed
 */
async function runsOfRedzone(name, mode, seed) {
  const controller = new AbortController();
  let start = process.cpuUsage();
  /** @param {import('../dist/index.js').RunEvent} event */
  const onEvent = event => {
    if (event.kind === 'phase' && event.text === 'fuzzing') start = process.cpuUsage();
    if (event.kind === 'progress' && /[1-9]\d* finding/.test(event.text)) controller.abort();
  };
  const report = await fuzz(
    { inputs: [join(folder, `${name}.c`)], folder: newFolder(), mode, seed, maxRuns: mostRuns },
    { onEvent, signal: controller.signal },
  );
  const notes = report.findings[0]?.notes?.map(note => /in run ([\d,]+)$/.exec(note.message)?.[1]) ?? [];
  const run = notes.find(text => text !== undefined);
  const { user, system } = process.cpuUsage(start);
  return {
    runs: run === undefined ? undefined : Number(run.replaceAll(',', '')),
    seconds: (user + system) / 1e6,
  };
}

/**
 * @param {string} program
 * @param {number} seed
 */
function runsOfLibFuzzer(program, seed) {
  const corpus = newFolder();
  execFileSync('mkdir', ['-p', corpus]);
  const flags = [
    `-seed=${seed}`,
    `-runs=${mostRunsOfLibFuzzer}`,
    '-print_final_stats=1',
    `-artifact_prefix=${corpus}/`,
  ];
  const { stderr, status, seconds } = timed(program, [corpus, ...flags]);
  const runs = Number(/number_of_executed_units: (\d+)/.exec(stderr)?.[1]);
  return { runs: status === 0 ? undefined : runs, seconds };
}

/**
 * Executes a program; the last line of its stderr is the processor time, user and system.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [environment]
 */
function timed(program, args, environment = {}) {
  const script = 'TIMEFORMAT="%U %S"; time "$0" "$@"';
  const options = { encoding: /** @type {const} */ ('utf8'), maxBuffer: 1 << 28 };
  const env = { ...process.env, ...environment };
  const { stderr, status } = spawnSync('bash', ['-c', script, program, ...args], { ...options, env });
  const [user, system] = String(stderr.trim().split('\n').at(-1)).split(' ').map(Number);
  return { stderr, status, seconds: user + system };
}

/**
 * The median; values that are missing count as the largest.
 * @param {readonly (number | undefined)[]} values
 */
function median(values) {
  const sorted = values.map(value => value ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

/** @type {(run: Search) => string} */
const shown = ({ runs, seconds }) =>
  runs !== undefined && Number.isFinite(runs)
    ? `${runs.toLocaleString('en')} (${seconds.toFixed(1)} s)`
    : '-';

/** @param {(seed: number) => Promise<Search>} run */
async function summary(run) {
  const results = [];
  for (const seed of seeds) results.push(await run(seed));
  return {
    runs: median(results.map(({ runs }) => runs)),
    seconds: median(results.map(({ seconds }) => seconds)),
  };
}

if (!isSpeedOnly) {
  console.log(
    `runs until the planted error, and seconds of processor time without compiling: medians over ${seeds.length} seeds`,
  );
  console.log(['target', ...modes, clang === undefined ? '' : 'libFuzzer + ASan'].join('\t'));
}
for (const name of isSpeedOnly ? [] : targets) {
  const row = [name];
  for (const mode of modes) row.push(shown(await summary(seed => runsOfRedzone(name, mode, seed))));
  if (clang !== undefined) {
    const program = buildNative(name);
    row.push(shown(await summary(async seed => runsOfLibFuzzer(program, seed))));
  }
  console.log(row.join('\t'));
}

/**
 * The processor time of a search without compiling, and its runs.
 * @param {import('../dist/index.js').FuzzOptions} options
 */
async function speedOfRedzone(options) {
  let start = process.cpuUsage();
  /** @param {import('../dist/index.js').RunEvent} event */
  const onEvent = event => {
    if (event.kind === 'phase' && event.text === 'fuzzing') start = process.cpuUsage();
  };
  const { stats } = await fuzz(options, { onEvent });
  const { user, system } = process.cpuUsage(start);
  return ((stats.runs ?? 0) / (user + system)) * 1e6;
}

/**
 * The same of a whole process.
 * @type {(program: string, args: readonly string[], environment?: NodeJS.ProcessEnv) => number}
 */
const speedOfLibFuzzer = (program, args, environment = {}) =>
  runsOfSpeed / timed(program, [...args, `-runs=${runsOfSpeed}`, '-seed=7'], environment).seconds;

const runsOfSpeed = isQuick ? 300_000 : 1_000_000;
if (!isFindsOnly) {
  console.log('\nruns per second of processor time on the fixed twin, the best of three in turns');
  const columns = ['redzone', 'libFuzzer + ASan', 'ratio'];
  console.log(['target', ...columns.map(text => `corpus: ${text}`), ...columns].join('\t'));
}
for (const name of isFindsOnly ? [] : targets) {
  const inputs = [join(folder, `${name}.c`)];
  const flags = { clangFlags: ['-DFIXED'], mode: /** @type {const} */ ('grey') };
  const corpus = newFolder();
  await fuzz({ inputs, ...flags, folder: newFolder(), corpus: [corpus], maxRuns: 20_000 });
  const program = clang === undefined ? undefined : buildNative(name, '-DFIXED');
  const onCorpus = clang === undefined ? undefined : buildNative(name, '-DFIXED', '-DON_CORPUS');
  const target = await targetOf({ inputs, clangFlags: flags.clangFlags });
  let [ours, theirs, oursOnCorpus, theirsOnCorpus] = [0, 0, 0, 0];
  for (let round = 0; round < 3; round++) {
    const [mine, other] = [newFolder(), newFolder()];
    for (const copy of [mine, other]) cpSync(corpus, copy, { recursive: true });
    const options = { inputs, ...flags, folder: newFolder(), corpus: [mine], maxRuns: runsOfSpeed, seed: 7 };
    oursOnCorpus = Math.max(oursOnCorpus, speedOnCorpus(target, corpus, runsOfSpeed));
    ours = Math.max(ours, await speedOfRedzone(options));
    if (program === undefined || onCorpus === undefined) continue;
    theirs = Math.max(theirs, speedOfLibFuzzer(program, [other]));
    const folders = { FIXED_CORPUS: corpus };
    theirsOnCorpus = Math.max(
      theirsOnCorpus,
      speedOfLibFuzzer(onCorpus, [corpus, '-mutate_depth=1'], folders),
    );
  }
  /** @param {number} speed */
  const shownSpeed = speed => (speed === 0 ? '-' : Math.round(speed).toLocaleString('en'));
  /** @type {(mine: number, other: number) => string} */
  const ratio = (mine, other) => (other === 0 ? '' : (mine / other).toFixed(2));
  const row = [
    ...[shownSpeed(oursOnCorpus), shownSpeed(theirsOnCorpus), ratio(oursOnCorpus, theirsOnCorpus)],
    ...[shownSpeed(ours), shownSpeed(theirs), ratio(ours, theirs)],
  ];
  console.log([name, ...row].join('\t'));
}
rmSync(scratch, { recursive: true });
process.exit(0);

/**
 * Real projects, built and tested by their own build files with Redzone as the compiler:
 * `npm run bench:projects`, which prints the table of docs/projects.md.
 *
 *     node bench/projects.mjs [--only zlib,cjson] [--quick] [--redzone] [--once] [--json]
 *                             [--slowdown] [--speed quick|auto]
 *
 * Sources are Debian's source packages, which `apt-get source` downloads once, or those in npm
 * packages (`bench/real`). `apt-get` uses separate package lists, so that the machine's lists need
 * no `deb-src` lines. A project that cannot be downloaded is listed as skipped. Each is built three
 * times in separate folders, with Redzone, with gcc and with gcc's AddressSanitizer: with
 * configure, and again after `clean`. Its tests are run twice, since Redzone generates code in the
 * first. The slowdown is that of `work` in the list, run twice, too, where the tests are too short
 * to compare. Times are processor times of all processes together, which a busy machine changes
 * little.
 *
 * `--quick` selects the projects that the long test builds, `--redzone` skips gcc, `--once` builds
 * and tests once, with the user's cache, `--slowdown` builds once and only runs `work`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { projects } from './projects/list.mjs';
import { installPackages } from './real/packages.mjs';

const args = process.argv.slice(2);
const only = args.includes('--only') ? args[args.indexOf('--only') + 1]?.split(',') : undefined;
const isSlowdown = args.includes('--slowdown');
const isOnce = args.includes('--once') || isSlowdown;
const speed = args.includes('--speed') ? args[args.indexOf('--speed') + 1] : undefined;
const withGcc = !args.includes('--redzone');
const chosen = projects.filter(({ name, isQuick }) =>
  only === undefined ? !args.includes('--quick') || isQuick : only.includes(name),
);
const downloads = process.env.REDZONE_PROJECTS ?? join(homedir(), '.cache', 'redzone-projects');
const compiler = join(import.meta.dirname, '../bin/redzone-cc');
const root = mkdtempSync(join(tmpdir(), 'redzone-projects-'));
const kinds = [
  { name: 'redzone', cc: compiler },
  ...(withGcc
    ? [
        { name: 'gcc', cc: 'gcc' },
        { name: 'asan', cc: 'gcc -fsanitize=address -g' },
      ]
    : []),
];

/**
 * The version of a source package that was downloaded.
 *
 * @param {string} name
 */
function versionOf(name) {
  const file = readdirSync(downloads).find(one => one.startsWith(`${name}_`) && one.endsWith('.dsc'));
  const description = readFileSync(join(downloads, file ?? ''), 'utf8');
  return /^Version: (?:\d+:)?([\w.]+)/m.exec(description)?.[1];
}

/**
 * Whether the file has the project's sources, without Debian's patches.
 *
 * @param {string} file
 * @param {string} name
 */
const isArchiveOf = (file, name) =>
  file.startsWith(`${name}_`) && (/\.orig\.tar\.\w+$/.test(file) || /^[^_]+_[^-]+\.tar\.\w+$/.test(file));

/** Options of apt-get for lists of source packages in a separate folder, downloaded once. */
function aptOptions() {
  const folder = join(downloads, 'apt');
  const list = join(folder, 'sources.list');
  const options = [
    `Dir::Etc::sourcelist=${list}`,
    'Dir::Etc::sourceparts=/nonexistent',
    `Dir::State::lists=${join(folder, 'lists')}`,
    `Dir::Cache=${join(folder, 'cache')}`,
  ].flatMap(option => ['-o', option]);
  if (!existsSync(list)) {
    mkdirSync(join(folder, 'lists/partial'), { recursive: true });
    mkdirSync(join(folder, 'cache/archives/partial'), { recursive: true });
    writeFileSync(list, 'deb-src http://deb.debian.org/debian bookworm main\n');
    try {
      execFileSync('apt-get', [...options, 'update'], { stdio: 'ignore' });
    } catch (error) {
      rmSync(list);
      throw error;
    }
  }
  return options;
}

/**
 * The unpacked sources; undefined if they are not available.
 *
 * @param {import('./projects/list.mjs').Project} project
 */
function sourcesOf({ name, npm }) {
  const folder = join(root, `${name}-sources`);
  if (npm !== undefined) {
    try {
      installPackages();
      const packages = join(import.meta.dirname, 'real/node_modules');
      cpSync(join(packages, npm.folder), folder, { recursive: true, preserveTimestamps: true });
      return folder;
    } catch {
      return undefined;
    }
  }
  mkdirSync(downloads, { recursive: true });
  const unpack = () => {
    const archive = readdirSync(downloads).find(file => isArchiveOf(file, name)) ?? 'nothing';
    mkdirSync(folder, { recursive: true });
    const options = ['-C', folder, '--strip-components=1'];
    execFileSync('tar', ['-xf', join(downloads, archive), ...options], { stdio: 'ignore' });
  };
  try {
    try {
      unpack();
    } catch {
      const options = aptOptions();
      // A mirror may lack a file that is not needed, such as Debian's patches.
      spawnSync('apt-get', [...options, 'source', '--download-only', name], {
        cwd: downloads,
        stdio: 'ignore',
      });
      unpack();
    }
    return folder;
  } catch {
    return undefined;
  }
}

/** @param {string} folder */
function linesOfC(folder) {
  let lines = 0;
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (/\.[ch]$/.test(file)) lines += readFileSync(join(folder, file), 'latin1').split('\n').length - 1;
  return lines;
}

/**
 * @param {import('./projects/list.mjs').Project} project
 * @param {string} sources
 * @param {{ name: string, cc: string }} kind
 */
function buildAndTest(project, sources, kind) {
  const folder = join(root, `${project.name}-${kind.name}`);
  const reports = `${folder}-reports`;
  // Timestamps are kept: otherwise make would build configure again.
  cpSync(sources, folder, { recursive: true, preserveTimestamps: true });
  const usual = `exit-code=0:color=never:log-file=${reports}.log:report-dir=${reports}`;
  const [ccOne = '', ...ccFlags] = kind.cc.split(' ');
  const env = {
    ...process.env,
    CC: kind.cc,
    CC_ONE: ccOne,
    // CMake accepts only one word.
    ...(ccFlags.length > 0 && { CFLAGS: `-O2 ${ccFlags.join(' ')}` }),
    ...(speed !== undefined && { REDZONE_SPEED: speed }),
    RZ_LISTS: join(import.meta.dirname, 'projects'),
    // A second build is measured only with a cache that is empty at first.
    ...(!isOnce && { REDZONE_CACHE: join(root, 'cache') }),
    // Findings are taken from the reports; test suites continue after them.
    REDZONE_OPTIONS: `keep-going:${usual}`,
    ASAN_OPTIONS: 'halt_on_error=0',
  };
  /** @type {{ step: string, tail: string } | undefined} */
  let failure;
  /**
   * @param {'configure' | 'build' | 'clean' | 'test' | 'input' | 'work'} step
   * @param {boolean} [isMeasured]
   */
  const timed = (step, isMeasured = false) => {
    const command = project[step];
    if (command === undefined) return 0;
    // `keep-going` costs time, so programs are timed without it where they have no findings.
    const isTimed = isMeasured && project.findings === undefined;
    const done = spawnSync('sh', ['-c', `(${command}) 3>&-; status=$?; times >&3; exit $status`], {
      cwd: folder,
      env: isTimed ? { ...env, REDZONE_OPTIONS: usual } : env,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    if (done.status !== 0) failure ??= { step, tail: `${done.stdout}${done.stderr}`.slice(-1500) };
    return processorSeconds(done.output[3] ?? '');
  };
  const first = timed('configure') + timed('build');
  // The programs that configure runs are not part of the project.
  rmSync(reports, { recursive: true, force: true });
  if (!isOnce) timed('clean');
  const second = isOnce ? 0 : timed('build');
  const testFirst = isSlowdown ? 0 : timed('test');
  const test = isOnce ? 0 : timed('test');
  const hasWork = isSlowdown || !isOnce;
  const last = project.work === undefined ? 'test' : 'work';
  if (hasWork) timed('input');
  // Redzone generates the code of programs in the first run.
  if (hasWork && kind.name === 'redzone') timed(last, true);
  const work = hasWork ? timed(last, true) : 0;
  const documents = existsSync(reports) ? readdirSync(reports) : [];
  const findings = new Map();
  for (const file of documents)
    for (const { code, location, message } of JSON.parse(readFileSync(join(reports, file), 'utf8'))
      .findings) {
      const at = location === undefined ? '' : `${basename(location.file)}:${location.line}`;
      findings.set(`${code} ${at}`, { code, at, message });
    }
  rmSync(folder, { recursive: true });
  rmSync(reports, { recursive: true, force: true });
  return {
    first,
    second,
    testFirst,
    test,
    work,
    failure,
    runs: documents.length,
    findings: [...findings.values()],
  };
}

/**
 * Parses the output of a shell's `times` for its children: user and system time in minutes and
 * seconds.
 *
 * @param {string} text
 */
function processorSeconds(text) {
  const [, children = ''] = text.trim().split('\n');
  let sum = 0;
  for (const [, minutes, rest] of children.matchAll(/(\d+)m([\d.]+)s/g))
    sum += 60 * Number(minutes) + Number(rest);
  return sum;
}

/** @param {number} value */
const seconds = value => value.toFixed(value < 10 ? 1 : 0);

/** @param {number} value */
const times = value => `${value.toFixed(value < 10 ? 1 : 0)} x`;

const results = [];
try {
  if (!args.includes('--json'))
    console.log(
      '| project | built by | lines of C | first build: Redzone, gcc | second build: Redzone, gcc | tests: first, again, gcc | work: Redzone, gcc, ASan | against gcc | against ASan | tests pass | findings |\n|---|---|---|---|---|---|---|---|---|---|---|',
    );
  for (const project of chosen) {
    const { name, by } = project;
    const sources = sourcesOf(project);
    if (sources === undefined) {
      console.error(`${name}: left out, since its sources cannot be had`);
      continue;
    }
    const version = project.npm?.version ?? versionOf(name);
    const lines = linesOfC(sources);
    const [redzone, gcc, asan] = kinds.map(kind => buildAndTest(project, sources, kind));
    rmSync(sources, { recursive: true });
    if (redzone === undefined) continue;
    results.push({
      name,
      version,
      by,
      lines,
      expected: project.findings ?? [],
      fails: project.fails,
      ...{ redzone, gcc, asan },
    });
    if (args.includes('--json')) continue;
    // A ratio to a few milliseconds is noise.
    /** @param {typeof redzone | undefined} other */
    const against = other =>
      other === undefined || other.work < 0.05 ? '' : times(redzone.work / other.work);
    const columns = [
      `${name} ${version}`,
      by,
      String(lines),
      [redzone, gcc].map(one => (one ? `${seconds(one.first)} s` : '')).join(', '),
      [redzone, gcc].map(one => (one ? `${one.second.toFixed(2)} s` : '')).join(', '),
      `${seconds(redzone.testFirst)}, ${seconds(redzone.test)} s${gcc ? `, ${gcc.test.toFixed(2)} s` : ''}`,
      kinds.map((_, i) => [redzone, gcc, asan][i]?.work.toFixed(2)).join(', '),
      against(gcc),
      against(asan),
      redzone.failure === undefined ? 'yes' : `no: ${redzone.failure.step}`,
      redzone.findings.map(({ code, at }) => `\`${code}\` ${at}`).join(', ') || 'none',
    ];
    console.log(`| ${columns.join(' | ')} |`);
    if (redzone.failure !== undefined) console.error(redzone.failure.tail);
  }
  if (args.includes('--json')) console.log(JSON.stringify(results));
} finally {
  rmSync(root, { recursive: true, force: true });
}

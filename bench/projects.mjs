/**
 * Real projects, built and tested by their own build files with Redzone as the compiler:
 * `npm run bench:projects`, which prints the table of docs/projects.md.
 *
 *     node bench/projects.mjs [--only zlib,cjson] [--quick] [--redzone] [--once] [--json]
 *                             [--speed quick|auto]
 *
 * Sources are Debian's source packages, which `apt-get source` downloads once. It uses separate
 * package lists, so that the machine's lists need no `deb-src` lines. A project that cannot be
 * downloaded is listed as skipped. Each is built three times in separate folders, with Redzone,
 * with gcc and with gcc's AddressSanitizer: with configure, and again after `clean`. Its tests are
 * run twice; the second run is compared, since Redzone generates code in the first. Times are
 * processor times of all processes together, which a busy machine changes little.
 *
 * `--quick` selects the projects that the long test builds, `--redzone` skips gcc, `--once` builds
 * and tests once.
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

const args = process.argv.slice(2);
const only = args.includes('--only') ? args[args.indexOf('--only') + 1]?.split(',') : undefined;
const isOnce = args.includes('--once');
const speed = args.includes('--speed') ? args[args.indexOf('--speed') + 1] : undefined;
const withGcc = !args.includes('--redzone');
const chosen = projects.filter(({ name, isQuick }) =>
  only === undefined ? !args.includes('--quick') || isQuick : only.includes(name),
);
const downloads = process.env.REDZONE_PROJECTS ?? join(homedir(), '.cache', 'redzone-projects');
const compiler = join(import.meta.dirname, '../bin/redzone-cc');
const work = mkdtempSync(join(tmpdir(), 'redzone-projects-'));
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
 * The description of a source package, if it was downloaded.
 *
 * @param {string} name
 */
const descriptionOf = name =>
  readdirSync(downloads).find(file => file.startsWith(`${name}_`) && file.endsWith('.dsc'));

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
 * @param {string} name
 */
function sourcesOf(name) {
  mkdirSync(downloads, { recursive: true });
  const folder = join(work, `${name}-sources`);
  const unpack = () =>
    execFileSync(
      'dpkg-source',
      ['--skip-patches', '-x', join(downloads, descriptionOf(name) ?? 'nothing'), folder],
      { stdio: 'ignore' },
    );
  try {
    try {
      unpack();
    } catch {
      const options = aptOptions();
      execFileSync('apt-get', [...options, 'source', '--download-only', name], {
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
  const folder = join(work, `${project.name}-${kind.name}`);
  const reports = `${folder}-reports`;
  // Timestamps are kept: otherwise make would build configure again.
  cpSync(sources, folder, { recursive: true, preserveTimestamps: true });
  const [ccOne = '', ...ccFlags] = kind.cc.split(' ');
  const env = {
    ...process.env,
    CC: kind.cc,
    CC_ONE: ccOne,
    // CMake accepts only one word.
    ...(ccFlags.length > 0 && { CFLAGS: ccFlags.join(' ') }),
    ...(speed !== undefined && { REDZONE_SPEED: speed }),
    RZ_LISTS: join(import.meta.dirname, 'projects'),
    REDZONE_CACHE: join(work, 'cache'),
    // Findings are taken from the reports; test suites continue after them.
    REDZONE_OPTIONS: `keep-going:exit-code=0:color=never:report-dir=${reports}`,
    ASAN_OPTIONS: 'halt_on_error=0',
  };
  /** @type {{ step: string, tail: string } | undefined} */
  let failure;
  /** @param {'configure' | 'build' | 'clean' | 'test'} step */
  const timed = step => {
    const command = project[step];
    if (command === undefined) return 0;
    const done = spawnSync('sh', ['-c', `(${command}) 3>&-; status=$?; times >&3; exit $status`], {
      cwd: folder,
      env,
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
  const testFirst = timed('test');
  const test = isOnce ? 0 : timed('test');
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
      '| project | built by | lines of C | first build: Redzone, gcc | second build: Redzone, gcc | tests: first, again, gcc | against gcc | against ASan | tests pass | findings |\n|---|---|---|---|---|---|---|---|---|---|',
    );
  for (const project of chosen) {
    const { name, by } = project;
    const sources = sourcesOf(name);
    if (sources === undefined) {
      console.error(`${name}: left out, since its source package cannot be had`);
      continue;
    }
    const description = readFileSync(join(downloads, descriptionOf(name) ?? ''), 'utf8');
    const version = /^Version: (?:\d+:)?([\w.]+)/m.exec(description)?.[1];
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
    const against = other =>
      other === undefined || other.test < 0.05 ? '' : times(redzone.test / other.test);
    const columns = [
      `${name} ${version}`,
      by,
      String(lines),
      [redzone, gcc].map(one => (one ? `${seconds(one.first)} s` : '')).join(', '),
      [redzone, gcc].map(one => (one ? `${one.second.toFixed(2)} s` : '')).join(', '),
      `${seconds(redzone.testFirst)}, ${seconds(redzone.test)} s${gcc ? `, ${gcc.test.toFixed(2)} s` : ''}`,
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
  rmSync(work, { recursive: true, force: true });
}

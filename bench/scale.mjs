/**
 * Measures the cost and gain of dividing an exploration: `npm run bench:scale [-- NAME...]`, twelve
 * minutes on two processors.
 *
 * `parser` and `sort` are explored to their end, by a single search, with one worker, with two, and
 * over a queue with two worker processes on this machine. So `1 worker` shows the cost of
 * independent tasks, which replace canonical inputs (record 0163), and the other two columns show
 * the gain over one worker. The other programs have a limit of paths: as many as one worker
 * explores in 26 s, without the tasks that are not done then.
 *
 * `cpu` is the processor time of the four runs, with that of the worker processes, which a loaded
 * machine changes little. Within a limit, a single search explores other paths than workers do. A
 * path of the tokenizer costs about as much as any other; those of zlib and expat do not, so their
 * single search only shows what it takes. `same bytes` says whether the last three runs have
 * written the same files. The last lines have the worst value of each column with its target, for
 * runs that end and for those that a limit ends.
 *
 * zlib and expat come from npm packages, which are installed on demand. REDZONE_SCALE_MS is another
 * time instead of 26 s; below 20 s the programs that are explored to their end are smaller.
 * The name `tasks` measures the parts of a task: its start, its bytes, and merging a path.
 * The name `queue` measures the queue alone: jobs of a hundred bytes and of a hundred kilobytes,
 * which 1, 2, 4 and 8 connections take and finish one after the other, with the processor time of a
 * job, which a loaded machine changes little.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { doSubtree } from '../dist/api/shared-program.js';
import { TaskThreads } from '../dist/api/task-threads.js';
import { explore } from '../dist/index.js';
import { bytesOf } from '../dist/platform/plain-bytes.js';
import { startPostgres } from '../dist/platform/postgres-server.js';
import { Claims } from '../dist/queue/claims.js';
import { QueueConnection } from '../dist/queue/connection.js';
import { QueuedRun } from '../dist/queue/leader.js';
import { installPackages, sourcesOf } from './real/packages.mjs';

const own = join(import.meta.dirname, 'programs');
/** @param {string} name @param {number} symStdin */
const library = (name, symStdin) => ({
  ...sourcesOf(name, join(import.meta.dirname, 'evaluation', `${name}.c`)),
  symStdin,
});
/** How long one worker explores before its paths are counted. */
const countMs = Number(process.env.REDZONE_SCALE_MS ?? 26_000);
const isShort = countMs < 20_000;

const programs = {
  tokenizer: { inputs: [join(own, 'tokenizer.c')], clangFlags: ['-DN=8'] },
  parser: { inputs: [join(own, 'expression-parser.c')], clangFlags: [isShort ? '-DN=8' : '-DN=12'] },
  sort: { inputs: [join(own, 'sort.c')], clangFlags: [isShort ? '-DCOUNT=6' : '-DCOUNT=8'] },
  zlib: library('zlib', 8),
  expat: library('expat', 8),
};
/** These are explored to their end. */
const whole = ['parser', 'sort'];
/** The paths of these have very different costs. */
const unequal = ['zlib', 'expat'];

const root = mkdtempSync(join(tmpdir(), 'redzone-scale-'));
const started = await startPostgres();
if (started.kind !== 'started') throw new Error(JSON.stringify(started));
const { server } = started;

/** @param {string} folder */
function hashOf(folder) {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort())
    if (name !== 'timing.csv' && name !== 'journal')
      hash.update(name).update(readFileSync(join(folder, name), 'latin1').replaceAll(folder, ''));
  return hash.digest('hex');
}

let folders = 0;

/** @param {Parameters<typeof explore>[0]} options */
async function measure(options) {
  const folder = join(root, String(folders++));
  const before = process.cpuUsage();
  const { stats, summary } = await explore({ ...options, folder });
  const { user, system } = process.cpuUsage(before);
  const cpu = (user + system) / 1e6;
  const { completed, error } = stats.paths;
  const result = {
    seconds: stats.runMs / 1000,
    cpu,
    hash: hashOf(folder),
    summary,
    paths: completed + error,
  };
  rmSync(folder, { recursive: true });
  return result;
}

const none = { oneCpu: 0, one: 0, two: Number.POSITIVE_INFINITY, queue: Number.POSITIVE_INFINITY };
const worst = { whole: { ...none }, limited: { ...none } };

/** The processor time in seconds. @param {number | string} process a process, or its thread */
function cpuOf(process) {
  const fields = readFileSync(`/proc/${process}/stat`, 'latin1').replace(/.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** @param {string} name @param {Parameters<typeof explore>[0]} program */
async function compare(name, program) {
  // Compiled before anything is measured.
  await explore({ ...program, maxInstructions: 1 });
  const isWhole = whole.includes(name);
  const counted = isWhole ? undefined : await measure({ ...program, workers: 1, maxTimeMs: countMs });
  const options = counted === undefined ? program : { ...program, maxPaths: Math.max(1, counted.paths) };
  // The paths of a single search may take much longer.
  const single = await measure({ ...options, ...(counted && { maxTimeMs: 3 * countMs }) });
  const one = await measure({ ...options, workers: 1 });
  const two = await measure({ ...options, workers: 2 });
  const worker = [join(import.meta.dirname, '../bin/redzone.js'), 'worker', '--queue', server.url];
  const processes = [1, 2].map(() =>
    spawn(process.execPath, [...worker, '--workers', '1'], { stdio: 'ignore' }),
  );
  const leader = await measure({ ...options, queue: server.url, run: name });
  const ofWorkers = processes.reduce((sum, { pid }) => sum + cpuOf(pid ?? 0), 0);
  const queued = { ...leader, cpu: leader.cpu + ofWorkers };
  for (const child of processes) child.kill('SIGTERM');
  await Promise.all(processes.map(child => new Promise(resolve => child.once('close', resolve))));
  const of = counted === undefined ? worst.whole : worst.limited;
  const isComparable = !unequal.includes(name);
  if (isComparable) {
    of.oneCpu = Math.max(of.oneCpu, one.cpu / single.cpu);
    of.one = Math.max(of.one, one.seconds / single.seconds);
  }
  of.two = Math.min(of.two, one.seconds / two.seconds);
  of.queue = Math.min(of.queue, one.seconds / queued.seconds);
  const isSame = [two, queued].every(({ hash }) => hash === one.hash);
  console.log(
    [
      name.padEnd(10),
      single.seconds.toFixed(1).padStart(8),
      `${one.seconds.toFixed(1)} (${isComparable ? (one.seconds / single.seconds).toFixed(2) : 'other paths'})`.padStart(
        14,
      ),
      `${two.seconds.toFixed(1)} (${(one.seconds / two.seconds).toFixed(2)} x)`.padStart(15),
      `${queued.seconds.toFixed(1)} (${(one.seconds / queued.seconds).toFixed(2)} x)`.padStart(22),
      `  cpu ${[single, one, two, queued].map(({ cpu }) => cpu.toFixed(1)).join(' ')}`,
      isComparable ? ` (${(one.cpu / single.cpu).toFixed(2)})` : '',
      isSame ? '  same bytes' : '  OTHER BYTES',
      ` ${one.summary}`,
    ].join(''),
  );
}

/** The parts of a task, with 400,000 paths of the tokenizer and one worker. */
async function measureTasks() {
  const { do: execute, close } = TaskThreads.prototype;
  /**
   * @typedef {Parameters<typeof execute>} Arguments
   * @typedef {NonNullable<Awaited<ReturnType<typeof execute>>>} Result
   * @typedef {{ task: Omit<Arguments[0], 'bound'>, result: Result }} Done
   */

  /** @type {[Arguments[0], Arguments[1]] | undefined} */
  let first;
  /** @type {Done[]} */
  const done = [];
  let begin = 0;
  let end = 0;
  const ofThread = () => cpuOf(`self/task/${process.pid}`);
  TaskThreads.prototype.do = async function (task, shared, isDropped) {
    if (first === undefined) begin = ofThread();
    first ??= [task, shared];
    const result = await execute.call(this, task, shared, isDropped);
    const { bound: _, ...sent } = task;
    if (result !== undefined) done.push({ task: sent, result });
    return result;
  };
  TaskThreads.prototype.close = async function () {
    end = ofThread();
    await close.call(this);
  };
  await measure({ ...programs.tokenizer, maxPaths: isShort ? 60_000 : 400_000, workers: 1 });
  TaskThreads.prototype.do = execute;
  TaskThreads.prototype.close = close;
  const [task, shared] = /** @type {[Arguments[0], Arguments[1]]} */ (first);
  const short = { ...task, bound: undefined, limits: { work: 1 } };
  const starts = [];
  for (let i = 0; i < 20; i++) {
    const before = process.cpuUsage();
    await doSubtree(shared, short, { isStopped: () => false });
    const { user, system } = process.cpuUsage(before);
    starts.push((user + system) / 1000);
  }
  const median = starts.sort((a, b) => a - b)[10] ?? 0;
  /** @param {(item: Done) => number} of */
  const sum = of => done.reduce((total, item) => total + of(item), 0);
  const paths = sum(({ result }) => result.finished);
  const toTasks = sum(({ task }) => bytesOf(task).length) / sum(({ task }) => task.states.length);
  const fromTasks = sum(({ result }) => bytesOf(result).length) / paths;
  console.log(
    [
      `\ntasks of the tokenizer: start ${median.toFixed(0)} ms of processor time`,
      `${toTasks.toFixed(0)} compressed bytes to a task for each state`,
      `${fromTasks.toFixed(0)} from a task for each path`,
      `merging ${((1e6 * (end - begin)) / paths).toFixed(2)} µs a path in the thread that writes, with checkpoints`,
    ].join(', '),
  );
}

const jobs = 1000;

/** The processor time of the server in milliseconds, with that of connections that have ended. */
function cpuOfServer() {
  const processes = readdirSync('/proc').flatMap(pid => {
    try {
      const [, name, rest] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
      const fields = rest?.split(' ') ?? [];
      const ticks = [11, 12, 13, 14].reduce((sum, i) => sum + Number(fields[i]), 0);
      return name === 'postgres' ? [{ pid: Number(pid), parent: Number(fields[1]), ticks }] : [];
    } catch {
      return [];
    }
  });
  const main = processes.find(({ parent }) => parent === process.pid)?.pid;
  const own = processes.filter(({ pid, parent }) => pid === main || parent === main);
  return own.reduce((sum, { ticks }) => sum + 10 * ticks, 0);
}

async function measureQueue() {
  const events = { onDone: () => undefined, onTrouble: console.error, onNews: () => undefined };
  console.log('\njobs a second, processor time of a job in the server + here');
  console.log('                          100 bytes                    100 KB');
  for (const clients of [1, 2, 4, 8]) {
    const speeds = [];
    for (const bytes of [100, 100_000]) {
      const leader = await QueueConnection.open(server.url);
      const description = {
        name: `${clients} ${bytes}`,
        version: 'bench',
        leader: 'bench',
        program: { hash: 'none', bytes: () => new Uint8Array() },
      };
      const run = await QueuedRun.lead(leader, description, false, events);
      const count = bytes > 100 ? jobs / 5 : jobs;
      const keys = Array.from({ length: count }, (_, i) => ({ key: String(i), task: new Uint8Array(100) }));
      await run.send(keys);
      const start = performance.now();
      const ofServer = cpuOfServer();
      const before = process.cpuUsage();
      const result = new Uint8Array(bytes).map((_, i) => i * i);
      await Promise.all(
        Array.from({ length: clients }, async () => {
          const connection = await QueueConnection.open(server.url);
          const worker = { place: 'bench', version: 'bench', threads: 1 };
          const claims = await Claims.begin(connection, worker, events);
          for (;;) {
            const [job] = await claims.take(1);
            if (job === undefined) break;
            await claims.finish(job, result, 1);
          }
          await connection.close();
        }),
      );
      const speed = (1000 * count) / (performance.now() - start);
      const { user, system } = process.cpuUsage(before);
      const here = (user + system) / 1000 / count;
      const there = (cpuOfServer() - ofServer) / count;
      speeds.push(`${speed.toFixed(0)}, ${there.toFixed(2)} + ${here.toFixed(2)} ms`);
      await leader.close();
    }
    console.log(`${clients} connections ${speeds.map(speed => speed.padStart(25)).join(' ')}`);
  }
}

try {
  const all = [...Object.keys(programs), 'tasks', 'queue'];
  const names = process.argv.length > 2 ? process.argv.slice(2) : all;
  if (['zlib', 'expat'].some(name => names.includes(name))) installPackages();
  console.log('program     single   1 worker (/)   2 workers (x)   queue, 2 processes (x)');
  for (const [name, options] of Object.entries(programs))
    if (names.includes(name)) await compare(name, options);
  for (const [kind, { one, oneCpu, two, queue }] of Object.entries(worst))
    if (two < Number.POSITIVE_INFINITY)
      console.log(
        [
          `worst of ${kind} runs: one worker ${one.toFixed(2)} of the time of a single search (1.05 asked)`,
          `${oneCpu.toFixed(2)} of its processor time (1.10)`,
          `two ${two.toFixed(2)} x (1.7)`,
          `queue ${queue.toFixed(2)} x (1.5)`,
        ].join(', '),
      );
  if (names.includes('tasks')) await measureTasks();
  if (names.includes('queue')) await measureQueue();
} finally {
  await server.stop();
  rmSync(root, { recursive: true });
}

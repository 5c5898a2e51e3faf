/**
 * Threads under `check`: reproducible schedules, deadlocks, errors in threads, and unsupported
 * calls. One program has all cases, chosen by its argument, so that it is compiled once; the races
 * of textbooks are in `tests/golden/threads.c`.
 */
import { describe, expect, test } from 'vitest';
import { type BuildPlan, buildChecked } from '../../src/api/check-build.js';
import { KeptPrograms } from '../../src/api/kept-programs.js';
import { type CheckReport, check, type Diagnostic } from '../../src/index.js';
import type { CheckKind } from '../../src/monitor/check-kinds.js';

const text = `#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int is_ready;
static char *shared;

static void *philosopher(void *p) {
  const int i = *(int *)p;
  pthread_mutex_lock(&forks[i]);
  pthread_mutex_lock(&forks[(i + 1) % 3]);
  pthread_mutex_unlock(&forks[(i + 1) % 3]);
  pthread_mutex_unlock(&forks[i]);
  return p;
}
static void *ordered(void *p) {
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&second);
  pthread_mutex_unlock(&second);
  pthread_mutex_unlock(&lock);
  return p;
}
static atomic_int turn;
static void wait_for_turn(int number) {
  while (atomic_load(&turn) != number) sched_yield();
}
static void nest(pthread_mutex_t *first, pthread_mutex_t *second_lock) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second_lock);
  pthread_mutex_unlock(second_lock);
  pthread_mutex_unlock(first);
}
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static const char *orders;
/* Three threads, one after the other by an atomic: other runs could have another order. */
static void *in_turn(void *p) {
  const int me = *(int *)p;
  wait_for_turn(me);
  if (strcmp(orders, "orders") == 0 && me < 2) nest(&forks[me], &forks[1 - me]);
  if (strcmp(orders, "three-orders") == 0) nest(&forks[me], &forks[(me + 1) % 3]);
  if (strcmp(orders, "gate") == 0 && me < 2) {
    if (me == 0) pthread_mutex_lock(&lock);
    pthread_mutex_lock(&gate);
    nest(&forks[me], &forks[1 - me]);
    pthread_mutex_unlock(&gate);
    if (me == 0) pthread_mutex_unlock(&lock);
  }
  if (strcmp(orders, "try") == 0 && me < 2) {
    pthread_mutex_lock(&forks[me]);
    if (pthread_mutex_trylock(&forks[1 - me]) == 0) pthread_mutex_unlock(&forks[1 - me]);
    pthread_mutex_unlock(&forks[me]);
  }
  if (strcmp(orders, "readers") == 0 && me == 0) {
    pthread_rwlock_rdlock(&table);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_rwlock_unlock(&table);
  }
  if (strcmp(orders, "readers") == 0 && me == 1) {
    pthread_mutex_lock(&lock);
    pthread_rwlock_rdlock(&table);
    pthread_rwlock_unlock(&table);
    pthread_mutex_unlock(&lock);
  }
  atomic_fetch_add(&turn, 1);
  return p;
}
static void *reversed(void *p) {
  pthread_mutex_lock(&second);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&second);
  return p;
}
static void *wait_without_looking(void *p) {
  pthread_mutex_lock(&lock);
  pthread_cond_wait(&ready, &lock);
  pthread_mutex_unlock(&lock);
  return p;
}
static void *signal_once(void *p) {
  pthread_mutex_lock(&lock);
  is_ready = 1;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&lock);
  return p;
}
static void *recurse(void *p) {
  volatile char local[64];
  local[0] = 1;
  void *deeper = recurse(p);
  return local[0] ? deeper : p;
}
static void *spin(void *p) {
  for (;;) sched_yield();
  return p;
}
/* Prints a line when it has been in its loop for a while. */
static void *count(void *p) {
  for (volatile long i = 0;; i++)
    if (i == 50000) write(1, "counts\\n", 7);
  return p;
}
static void *release(void *p) {
  pthread_mutex_lock(&lock);
  free(shared);
  pthread_mutex_unlock(&lock);
  return p;
}
static void *local_address(void *p) {
  int local = 7;
  *(int **)p = &local;
  return NULL;
}
static void *say(void *p) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&lock);
    printf("%s %d\\n", (char *)p, i);
    pthread_mutex_unlock(&lock);
  }
  return p;
}
static void *say_late(void *p) {
  nanosleep(&(struct timespec){.tv_sec = 3600}, NULL);
  puts("late");
  return p;
}
static void nothing(void) {}
static void *null_write(void *p) {
  *(volatile int *)NULL = 1;
  return p;
}

int main(int argc, char **argv) {
  pthread_t t[4];
  static int numbers[3] = {0, 1, 2};
  const char *mode = argc > 1 ? argv[1] : "";
  if (strcmp(mode, "philosophers") == 0) {
    for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, philosopher, &numbers[i]);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  } else if (*mode && strstr(" orders three-orders gate try readers ", mode)) {
    orders = mode;
    for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, in_turn, &numbers[i]);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  } else if (strcmp(mode, "phases") == 0) {
    pthread_create(&t[0], NULL, ordered, NULL);
    pthread_join(t[0], NULL);
    pthread_create(&t[1], NULL, reversed, NULL);
    pthread_join(t[1], NULL);
  } else if (strcmp(mode, "lost-wake-up") == 0) {
    pthread_create(&t[0], NULL, wait_without_looking, NULL);
    pthread_create(&t[1], NULL, signal_once, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
  } else if (strcmp(mode, "recursion") == 0) {
    pthread_create(&t[0], NULL, recurse, NULL);
    pthread_join(t[0], NULL);
  } else if (strcmp(mode, "never") == 0) {
    pthread_create(&t[0], NULL, spin, NULL);
    pthread_join(t[0], NULL);
  } else if (strcmp(mode, "counts") == 0) {
    pthread_create(&t[0], NULL, count, NULL);
    pthread_create(&t[1], NULL, philosopher, &numbers[0]);
    pthread_join(t[1], NULL);
    pthread_join(t[0], NULL);
  } else if (strcmp(mode, "outlives") == 0) {
    pthread_create(&t[0], NULL, spin, NULL);
  } else if (strcmp(mode, "freed") == 0) {
    shared = malloc(8);
    pthread_create(&t[0], NULL, release, NULL);
    pthread_join(t[0], NULL);
    shared[0] = 1;
  } else if (strcmp(mode, "gone") == 0) {
    int *local;
    pthread_create(&t[0], NULL, local_address, &local);
    pthread_join(t[0], NULL);
    return *local;
  } else if (strcmp(mode, "thousand") == 0) {
    static pthread_t many[1000];
    for (int i = 0; i < 1000; i++) pthread_create(&many[i], NULL, spin, NULL);
  } else if (strcmp(mode, "one-after-the-other") == 0) {
    for (int i = 0; i < 300; i++) {
      pthread_create(&t[0], NULL, ordered, NULL);
      pthread_join(t[0], NULL);
    }
  } else if (strcmp(mode, "exit") == 0) {
    pthread_create(&t[0], NULL, say_late, NULL);
    pthread_detach(t[0]);
    pthread_exit(NULL);
  } else if (strcmp(mode, "fork") == 0) {
    pthread_create(&t[0], NULL, say, "thread");
    pthread_join(t[0], NULL);
    return fork() > 0;
  } else if (strcmp(mode, "type") == 0) {
    pthread_create(&t[0], NULL, (void *(*)(void *))nothing, NULL);
    pthread_join(t[0], NULL);
  } else if (strcmp(mode, "null") == 0) {
    pthread_create(&t[0], NULL, null_write, NULL);
    pthread_join(t[0], NULL);
  } else {
    static char *names[] = {"a", "b", "c"};
    for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, say, names[i]);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  }
  return 0;
}
`;

interface Given {
  readonly seed?: number;
  readonly schedules?: number;
  readonly schedule?: string;
  readonly maxTimeMs?: number;
}

async function run(
  mode: string,
  given: Given = {},
): Promise<CheckReport & { output: string; schedule: string | undefined }> {
  let output = '';
  let schedule: string | undefined;
  const report = await check(
    {
      inputs: [{ name: 'threads.c', text }],
      arguments: [mode],
      onSchedule: made => {
        schedule = made;
      },
      ...given,
    },
    {
      onEvent: event => {
        if (event.kind === 'output') output += new TextDecoder().decode(event.bytes);
      },
    },
  );
  return { ...report, output, schedule };
}

function notes({ findings }: CheckReport): string[] {
  return (findings[0]?.notes ?? []).map(({ message }) => message);
}

describe('a schedule', () => {
  test('is repeated with its seed, and other seeds differ', async () => {
    const outputs = await Promise.all([0, 1, 2, 3, 4, 5].map(async seed => (await run('', { seed })).output));
    expect((await run('', { seed: 3 })).output).toBe(outputs[3]);
    expect(new Set(outputs).size).toBeGreaterThan(2);
    for (const output of outputs) expect(output.split('\n')).toHaveLength(10);
  });

  test('is found among many, stored, and replayed', async () => {
    const found = await run('lost-wake-up', { schedules: 50 });
    expect(found.findings).toMatchObject([
      { code: 'deadlock', location: { function: 'wait_without_looking' } },
    ]);
    const again = await run('lost-wake-up', { schedule: found.schedule! });
    expect(again.findings).toMatchObject([{ code: 'deadlock', location: found.findings[0]!.location }]);
  });

  test('of another program is rejected', async () => {
    const other = (made: string) => made.replace(/^program .*$/m, 'program 0123');
    const { schedule } = await run('lost-wake-up', { schedules: 50 });
    await expect(run('', { schedule: other(schedule!) })).rejects.toThrow(
      'the schedule is of another program',
    );
    await expect(run('', { schedule: 'nonsense' })).rejects.toThrow('is not a schedule');
  });
});

describe('deadlocks', () => {
  test('dining philosophers', async () => {
    const report = await run('philosophers', { schedules: 200 });
    const [deadlock] = report.findings.filter(({ severity }) => severity === 'error');
    const order = report.findings.find(({ severity }) => severity === 'warning');
    expect(deadlock ?? order).toMatchObject({ code: 'deadlock' });
  });

  test('lock orders that no run has turned into a deadlock', async () => {
    const report = await run('orders');
    const message =
      'thread 3 takes `forks` while it holds `forks` + 24, and thread 2 took them in the other order';
    expect(report.findings).toMatchObject([
      { code: 'deadlock', severity: 'warning', message, location: { function: 'nest' } },
    ]);
    expect(report.program).toEqual({ exit: 0, signal: null });
    expect((await run('three-orders')).findings).toMatchObject([
      { message: expect.stringMatching(/^thread 4 takes .*, which leads back to /) },
    ]);
  });

  test.each([
    ['phases', 'that creation and join keep apart'],
    ['gate', 'inside a third lock'],
    ['try', 'where one of them is only tried'],
    ['readers', 'of readers, who do not wait for each other'],
  ])('no warning about lock orders: %s, %s', async mode => {
    expect(await run(mode)).toMatchObject({ findings: [], verdict: 'clean' });
  });
});

describe('errors of a thread', () => {
  test('name it, and where it was created', async () => {
    const report = await run('null');
    expect(report.findings).toMatchObject([
      { code: 'null-dereference', location: { function: 'null_write' } },
    ]);
    expect(notes(report)).toEqual(expect.arrayContaining(['this is thread 2', 'thread 2 was created here']));
  });

  test('a start routine of another type is reported where the thread was created', async () => {
    expect((await run('type')).findings).toMatchObject([
      { code: 'wild-pointer', location: { file: 'threads.c', function: 'main' } },
    ]);
  });

  test('a use after free by another thread names both threads', async () => {
    const report = await run('freed');
    expect(report.findings).toMatchObject([{ code: 'use-after-free' }]);
    expect(notes(report)).toContain('this is the main thread; thread 2 freed the block');
  });

  test('a local of a thread that has ended', async () => {
    const report = await run('gone');
    expect(report.findings).toMatchObject([{ code: 'use-after-return' }]);
    expect(notes(report)).toContain('this is the main thread; the variable was one of thread 2');
  });

  test('infinite recursion', async () => {
    expect((await run('recursion')).findings).toMatchObject([{ code: 'stack-exhausted' }]);
  });

  test('a thread that outlives main', async () => {
    const { findings, program } = await run('outlives');
    expect(findings).toMatchObject([
      { code: 'memory-leak', message: 'the program ends while thread 2 still runs' },
    ]);
    expect(program).toEqual({ exit: 0, signal: null });
  });
});

describe('large programs, and unsupported calls', () => {
  test('a thread that never ends', async () => {
    const { verdict, summary } = await run('never', { maxTimeMs: 3000 });
    expect(verdict).toBe('inconclusive');
    expect(summary).toMatch(/^stopped after 3 s/);
  });

  test('threads that have not ended are named when the run is stopped', async () => {
    const stopping = new AbortController();
    const told: Diagnostic[] = [];
    const report = await check(
      { inputs: [{ name: 'threads.c', text }], arguments: ['counts'] },
      {
        signal: stopping.signal,
        onEvent: event => {
          if (event.kind === 'output') stopping.abort();
          else if (event.kind === 'warning') told.push(event.diagnostic);
        },
      },
    );
    expect(report).toMatchObject({ verdict: 'inconclusive', summary: 'interrupted', findings: [] });
    expect(told).toMatchObject([
      {
        message: 'thread 2 had not ended: it was here',
        location: { function: 'count' },
        notes: [{ message: 'thread 2 was created here', location: { function: 'main' } }],
      },
      {
        message: 'the main thread had not ended: it waited for thread 2 to end',
        location: { function: 'main' },
      },
    ]);
  });

  test('a thousand threads at once', async () => {
    // Only main continues, so that no other thread needs a worker.
    const { schedule } = await run('lost-wake-up', { schedules: 50 });
    const ofMain = `${schedule!.split('\n').slice(0, 2).join('\n')}\n0x1000\n`;
    expect((await run('thousand', { schedule: ofMain })).findings).toMatchObject([
      { code: 'unsupported', message: 'more than 255 threads at once' },
    ]);
  });

  test('many threads one after the other', async () => {
    expect(await run('one-after-the-other')).toMatchObject({ verdict: 'clean' });
  });

  test('pthread_exit in main waits for the others, in modelled time', async () => {
    expect(await run('exit')).toMatchObject({ verdict: 'clean', output: 'late\n' });
  });

  test('fork', async () => {
    expect((await run('fork')).findings).toMatchObject([
      { code: 'unsupported', message: '`fork` in a program with threads is not supported' },
    ]);
  });
});

/** The instrumented program with these checks. */
async function binaryOf(program: string, checks: readonly CheckKind[]): Promise<Buffer> {
  const plan: BuildPlan = {
    ...{ speed: 'quick', checks: new Set(checks), canGoOn: false, removesChecks: true, preAnalysis: true },
    ...{ onlyAcsl: false, entryPoint: undefined },
  };
  const reading = { inputs: [{ name: 'cost.c', text: program }], marksUnsequenced: true };
  const { binary } = await buildChecked(reading, plan, new KeptPrograms(plan, undefined), {});
  return Buffer.from(binary);
}

test('race checks do not change a program without threads: it is the same, byte for byte', async () => {
  const others: readonly CheckKind[] = ['spatial', 'temporal', 'init', 'undefined', 'leaks'];
  const work = 'static int cells[4]; static void *work(void *p) { cells[1]++; return p; }';
  const alone = `#include <stdlib.h>
    ${work} int main(int argc, char **argv) { work(NULL); return cells[argc & 3] + atoi(argv[0]); }`;
  const withThread = `#include <pthread.h>
    ${work} int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); return pthread_join(t, 0); }`;
  expect((await binaryOf(alone, [...others, 'races'])).equals(await binaryOf(alone, others))).toBe(true);
  expect((await binaryOf(withThread, [...others, 'races'])).equals(await binaryOf(withThread, others))).toBe(
    false,
  );
});

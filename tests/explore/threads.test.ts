/**
 * `explore --threads`: schedules are choices like inputs. The program is that of the long tests,
 * which run all of its cases.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explore, replay } from '../../src/index.js';
import { textbook } from '../check/textbook.js';
import { exploreCase, program } from './schedules.js';

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'redzone-schedules-'));
});
afterAll(() => rmSync(scratch, { recursive: true }));

test('a deadlock that needs a schedule, and its test, which replay follows', async () => {
  const folder = join(scratch, 'deadlock');
  const { findings, summary } = await exploreCase('upgrade_of_readers', { folder });
  expect(findings).toMatchObject([{ code: 'deadlock', location: { function: 'find_or_add' } }]);
  expect(summary).toMatch(/^all \d+ paths and schedules explored$/);
  const again = await replay({ ...program, test: findings[0]!.test! });
  expect(again.findings).toMatchObject([{ code: 'deadlock', location: findings[0]!.location }]);
});

test('an error that needs an input and a schedule: the test holds both', async () => {
  const folder = join(scratch, 'input');
  const { findings } = await exploreCase('input_and_schedule', { folder });
  expect(findings).toMatchObject([{ code: 'assertion-failure' }]);
  const notes = findings[0]!.notes!.map(({ message }) => message);
  expect(notes).toContainEqual(expect.stringContaining('`limit` = 4711'));
  expect(notes).toContainEqual(expect.stringContaining('`redzone_schedule` = {'));
  const again = await replay({ ...program, test: findings[0]!.test! });
  expect(again.findings).toMatchObject([{ code: 'assertion-failure' }]);
});

const withoutLocks = textbook.filter(({ name }) =>
  ['aba_on_a_stack', 'work_stealing', 'read_copy_update', 'peterson', 'dekker'].includes(name),
);

test.each(withoutLocks)(
  '$title: found, and all schedules of its fixed twin explored',
  async ({ name, code }) => {
    expect((await exploreCase(name, { confirm: false })).findings).toMatchObject([{ code }]);
    const { findings, summary, verdict } = await exploreCase(name, { isFixed: true });
    expect(findings).toEqual([]);
    expect(verdict).toBe('clean');
    expect(summary).toMatch(/^all \d+ paths and schedules explored$/);
  },
);

test('without --threads a thread runs when it is created', async () => {
  const { findings, summary } = await exploreCase('work_stealing', { threads: false });
  expect(findings).toEqual([]);
  expect(summary).toBe('the only path explored');
});

const text = `#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
static atomic_int x, y;
static _Thread_local int own = 3;
static char text[8];
static void *wait_for_y(void *p) { while (!atomic_load(&y)); return p; }
static void *wait_for_x(void *p) { while (!atomic_load(&x)); return p; }
static void *add(void *p) { own++; if (own != 4) abort(); return p; }
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static void *read_into_local(void *p) {
  for (int i = 0; i < 2; i++) {
    pthread_rwlock_rdlock(&table);
    volatile int local = text[i];
    (void)local;
    pthread_rwlock_unlock(&table);
  }
  return p;
}
static struct item { int value; } *_Atomic chosen, items[2];
static void *choose(void *p) {
  struct item *own = p, *found = 0;
  own->value = 1;
  if (atomic_compare_exchange_strong_explicit(&chosen, &found, own, memory_order_release, memory_order_acquire)) found = own;
  if (found->value != 1) abort();
  return p;
}
static atomic_int progress;
static int product;
static void *make(void *p) {
  product = 1;
  atomic_store_explicit(&progress, 1, memory_order_release);
  atomic_store_explicit(&progress, 2, memory_order_relaxed);
  return p;
}
static void *take_product(void *p) {
  if (atomic_load_explicit(&progress, memory_order_acquire) == 2 && !product) abort();
  return p;
}
static struct wide { long a, b, c; } _Atomic wide;
static int behind;
static void *set_wide(void *p) {
  behind = 1;
  atomic_store_explicit(&wide, ((struct wide){1, 2, 3}), p ? memory_order_relaxed : memory_order_release);
  return p;
}
static void *get_wide(void *p) {
  const struct wide seen = atomic_load_explicit(&wide, memory_order_acquire);
  if (seen.a && (seen.c != 3 || !behind)) abort();
  return p;
}
static void *copy(void *p) { strcpy(text, p); return p; }
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *take(void *p) { pthread_mutex_lock(&lock); return p; }
static void *forever(void *p) { for (;;); return p; }
struct job { sem_t done; int state, writes_late; };
static void *do_job(void *p) {
  struct job *job = p;
  const int writes_late = job->writes_late;
  if (!writes_late) job->state = 2;
  sem_post(&job->done);
  if (writes_late) job->state = 2;
  return 0;
}
static int have_it_done(int writes_late, int reads) {
  struct job job = {.writes_late = writes_late};
  pthread_t a;
  sem_init(&job.done, 0, 0);
  pthread_create(&a, 0, do_job, &job);
  pthread_detach(a);
  sem_wait(&job.done);
  return reads ? job.state : 0;
}
int main(int argc, char **argv) {
  pthread_t a, b;
  switch (argc > 1 ? argv[1][0] : 0) {
  case 'l': pthread_create(&a, 0, wait_for_y, 0); pthread_create(&b, 0, wait_for_x, 0); break;
  case 't': pthread_create(&a, 0, add, 0); pthread_create(&b, 0, add, 0); break;
  case 'c': pthread_create(&a, 0, copy, "a"); pthread_create(&b, 0, copy, "b"); break;
  case 's': pthread_create(&a, 0, read_into_local, 0); pthread_create(&b, 0, read_into_local, 0); break;
  case 'e': pthread_create(&a, 0, choose, &items[0]); pthread_create(&b, 0, choose, &items[1]); break;
  case 'r': pthread_create(&a, 0, make, 0); pthread_create(&b, 0, take_product, 0); break;
  case 'w': pthread_create(&a, 0, set_wide, argv[1][1] == 'x' ? argv : 0); pthread_create(&b, 0, get_wide, 0); break;
  case 'f': pthread_create(&a, 0, forever, 0); pthread_create(&b, 0, add, 0); break;
  case 'm':
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 1000; i++) pthread_create(&a, 0, take, 0);
    break;
  case 'd':
    return have_it_done(argv[1][1] == 'l', argv[1][2] == 'r') == 1;
  case 'o':
    for (int i = 0; i < 300; i++) { pthread_create(&a, 0, add, 0); pthread_join(a, 0); }
    return 0;
  }
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}`;

const small = (mode: string, more: object = {}) =>
  explore({ inputs: [{ name: 'small.c', text }], arguments: [mode], threads: true, ...more });

test('thread-local variables, and writes of library functions', async () => {
  expect(await small('tls')).toMatchObject({ findings: [], verdict: 'clean' });
  expect((await small('copies')).findings).toMatchObject([
    { code: 'data-race', location: { function: 'copy' } },
  ]);
});

test('the last actions of a detached thread happen before nothing', async () => {
  const code = 'data-race';
  expect((await small('dlr')).findings).toMatchObject([
    { code, message: expect.stringMatching(/^read of 4 bytes by the main/) },
  ]);
  expect((await small('dl-')).findings).toMatchObject([
    { code, message: expect.stringMatching(/^end of a local variable by the main/) },
  ]);
  for (const mode of ['d-r', 'd--'])
    expect(await small(mode)).toMatchObject({ findings: [], verdict: 'clean' });
});

test('memory orders of C11, and locals that share an address', async () => {
  for (const mode of ['scopes', 'exchange', 'release', 'wide'])
    expect(await small(mode)).toMatchObject({ findings: [], verdict: 'clean' });
  expect((await small('wx')).findings).toMatchObject([{ code: 'data-race' }]);
});

test('a program that does not end is not reported as explored', async () => {
  const livelock = await small('livelock');
  expect(livelock.verdict).toBe('inconclusive');
  expect(livelock.summary).toContain('threads wait for each other in loops');
  const forever = await small('forever', { maxInstructions: 50_000 });
  expect(forever.verdict).toBe('inconclusive');
});

test('there is a limit of simultaneous threads, and none of threads one after the other', async () => {
  expect((await small('many')).findings).toMatchObject([
    { code: 'unsupported', message: 'more than 255 threads at once' },
  ]);
  expect(await small('one after the other')).toMatchObject({ findings: [], verdict: 'clean' });
});

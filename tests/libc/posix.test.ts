/**
 * The POSIX part of the library where it cannot be compared with the machine's own: reports,
 * messages, implementation-defined behaviour.
 */
import { describe, expect, test } from 'vitest';
import { hasGcc, nativeRun, runSource } from './harness.js';

const threads = `#include <errno.h>
  #include <pthread.h>
  #include <semaphore.h>
  #include <stdio.h>
  #include <threads.h>
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  static pthread_barrier_t barrier;
  static pthread_t first;
  static sem_t semaphore;
  static void *take_mutex(void *p) { pthread_mutex_lock(&mutex); return p; }
  static void *wait_condition(void *p) { take_mutex(p); pthread_cond_wait(&condition, &mutex); return p; }
  static void *join_main(void *p) { pthread_join(first, NULL); return p; }
`;

async function reasonOf(body: string): Promise<string> {
  const { status, reason } = await runSource(
    `${threads} int main(void) { pthread_t id; (void)id; ${body} return 0; }`,
  );
  return status === 0 ? 'exit 0' : reason;
}

describe('misuse of threads is reported', () => {
  test.each([
    ['pthread_mutex_unlock(&mutex);', 'pthread_mutex_unlock: the mutex is not locked'],
    ['take_mutex(0); take_mutex(0);', 'pthread_mutex_lock: the thread locks a mutex that it holds already'],
    ['pthread_mutex_destroy(&mutex); take_mutex(0);', 'pthread_mutex_lock: the mutex was destroyed'],
    ['take_mutex(0); pthread_mutex_destroy(&mutex);', 'pthread_mutex_destroy: the mutex is locked'],
    [
      'pthread_create(&id, 0, take_mutex, 0); pthread_mutex_unlock(&mutex);',
      'pthread_mutex_unlock: another thread holds the mutex',
    ],
    [
      'pthread_create(&id, 0, take_mutex, 0); take_mutex(0);',
      'pthread_mutex_lock: another thread holds the mutex',
    ],
    [
      'take_mutex(0); pthread_create(&id, 0, take_mutex, 0); pthread_join(id, 0);',
      'pthread_mutex_lock: another thread holds the mutex',
    ],
    ['wait_condition(0);', 'pthread_cond_wait: no other thread can signal the condition'],
    ['pthread_cond_wait(&condition, &mutex);', 'pthread_cond_wait: the thread does not hold the mutex'],
    ['pthread_rwlock_unlock(&lock);', 'pthread_rwlock_unlock: the lock is not held'],
    ['sem_init(&semaphore, 0, 0); sem_wait(&semaphore);', 'sem_wait: no other thread can post'],
    [
      'pthread_barrier_init(&barrier, 0, 2); pthread_barrier_wait(&barrier);',
      'pthread_barrier_wait: the other threads can not arrive',
    ],
  ])('%s', async (body, reason) => {
    expect(await reasonOf(body)).toBe(reason);
  });
});

describe('programs that need concurrent threads are unsupported, not a deadlock', () => {
  test.each([
    [
      'pthread_create(&id, 0, wait_condition, 0);',
      'pthread_cond_wait: no other thread can signal the condition',
    ],
    [
      'first = pthread_self(); pthread_create(&id, 0, join_main, 0);',
      'pthread_join: a thread joins the one that created it',
    ],
  ])('%s', async (body, what) => {
    expect(await reasonOf(body)).toBe(`threads that run side by side: ${what}`);
  });
});

test('a wait that no thread ends never ends natively, and is a deadlock here', async () => {
  const source = `#include <stdio.h>
    #include <threads.h>
    int main(void) {
      mtx_t mutex; cnd_t condition;
      mtx_init(&mutex, mtx_plain); cnd_init(&condition);
      mtx_lock(&mutex); puts("waits"); fflush(stdout);
      cnd_wait(&condition, &mutex);
      puts("not reached");
    }`;
  const reason = 'pthread_cond_wait: no other thread can signal the condition';
  expect(await runSource(source)).toMatchObject({ stdout: 'waits\n', status: -1, reason });
  if (!hasGcc) return;
  const native = nativeRun(source, { timeoutMs: 300 });
  expect(native.reason).toBe('SIGTERM');
  expect(native.stdout).not.toContain('not reached');
});

describe('threads', () => {
  test('begin when their creator releases its mutexes or waits', async () => {
    const source = `${threads}
      static void *say(void *p) { take_mutex(p); puts(p); pthread_cond_signal(&condition); pthread_mutex_unlock(&mutex); sem_post(&semaphore); return p; }
      int main(void) {
        pthread_t id[4];
        sem_init(&semaphore, 0, 0);
        take_mutex(0); pthread_create(id, 0, say, "first"); pthread_create(id + 1, 0, say, "second"); puts("main");
        pthread_cond_wait(&condition, &mutex);
        pthread_create(id + 2, 0, say, "third"); puts("main"); pthread_mutex_unlock(&mutex); puts("main");
        pthread_rwlock_rdlock(&lock); take_mutex(0); pthread_create(id + 3, 0, say, "fourth"); puts("main");
        pthread_mutex_unlock(&mutex);
        for (int i = 0; i < 4; i++) { sem_wait(&semaphore); pthread_join(id[i], 0); }
        return 0;
      }`;
    const stdout = 'main\nfirst\nsecond\nmain\nthird\nmain\nmain\nfourth\n';
    expect(await runSource(source)).toMatchObject({ stdout, status: 0 });
  });

  test('end by pthread_exit, cancellation, or with main', async () => {
    const source = `${threads}
      static void *canceled(void *p) { pthread_cancel(pthread_self()); pthread_testcancel(); puts("not reached"); return p; }
      static void *nested(void *p) { pthread_t id; void *r; pthread_create(&id, 0, canceled, p); pthread_join(id, &r);
        printf("%d\\n", r == PTHREAD_CANCELED); pthread_exit("nested"); }
      static void *detached(void *p) { pthread_detach(pthread_self()); return p; }
      int main(void) {
        pthread_t id; void *r;
        pthread_create(&id, 0, nested, 0);
        pthread_join(id, &r);
        printf("%s %d\\n", (char *)r, pthread_join(id, &r) == ESRCH);
        pthread_create(&id, 0, detached, 0);
        printf("%d\\n", pthread_join(id, &r) == ESRCH);
        pthread_exit(0);
      }`;
    expect(await runSource(source)).toMatchObject({ stdout: '1\nnested 1\n1\n', status: 0 });
  });
});

describe('signals', () => {
  const run = (body: string) =>
    runSource(`#include <signal.h>
      #include <stdio.h>
      #include <unistd.h>
      int main(void) { ${body} return 0; }`);

  test.each([
    ['raise(SIGQUIT);', 'ended by SIGQUIT'],
    ['kill(getpid(), SIGSEGV);', 'ended by SIGSEGV'],
    ['pause();', 'deadlock: the program waits for a signal that no process can send'],
    [
      'sigset_t s; sigemptyset(&s); sigaddset(&s, SIGINT); int n; sigwait(&s, &n);',
      'deadlock: the program waits for a signal that no process can send',
    ],
  ])('%s', async (body, reason) => {
    expect((await run(body)).reason).toBe(reason);
  });

  test.each(['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGALRM', 'SIGUSR1'])(
    '%s ends the program, as it may',
    async name => {
      const { status, reason, stdout } = await run(`printf("%d", ${name}); fflush(stdout); raise(${name});`);
      expect([status, reason]).toEqual([128 + Number(stdout), '']);
    },
  );

  test('some are ignored unless the program handles them', async () => {
    expect(await run('raise(SIGCHLD); raise(SIGCONT); raise(SIGURG); raise(SIGWINCH);')).toMatchObject({
      status: 0,
    });
  });

  test('sigwait takes a pending signal', async () => {
    const body = `sigset_t s; int n; sigemptyset(&s); sigaddset(&s, SIGINT); sigprocmask(SIG_BLOCK, &s, 0);
      raise(SIGINT); sigwait(&s, &n); printf("%d", n); sigpending(&s); printf(" %d", sigisemptyset(&s));`;
    expect((await run(body)).stdout).toBe('2 1');
  });
});

test('a group has the longest match that lets the rest match, unlike in glibc', async () => {
  const cases = [
    ['(a|ab)(c|bcd)(d*)', 'abcd', '(0,4)(0,2)(2,3)(3,4)'],
    ['(foo|foobar)(bar)?', 'foobar', '(0,6)(0,6)(-1,-1)'],
    ['((a)|b)*', 'ab', '(0,2)(1,2)(-1,-1)'],
    ['(a*)(ab)*(b*)', 'abb', '(0,3)(0,1)(-1,-1)(1,3)'],
    ['(a{1,2}){0,2}', 'aa', '(0,2)(0,2)'],
    ['(()|.)(b)', 'ab', '(0,2)(0,1)(-1,-1)(1,2)'],
    ['([^a]+)(\\\\b.?)', 'b A', '(0,3)(0,3)(3,3)'],
  ];
  const source = `#include <regex.h>
    #include <stdio.h>
    static void show(const char *pattern, const char *text) {
      regex_t regex; regmatch_t m[9];
      regcomp(&regex, pattern, REG_EXTENDED);
      if (regexec(&regex, text, 9, m, 0) == 0)
        for (size_t i = 0; i <= regex.re_nsub; i++) printf("(%d,%d)", m[i].rm_so, m[i].rm_eo);
      printf("\\n");
      regfree(&regex);
    }
    int main(void) { ${cases.map(([pattern, text]) => `show("${pattern}", "${text}");`).join(' ')} }`;
  const { stdout } = await runSource(source);
  expect(stdout.trimEnd().split('\n')).toEqual(cases.map(([, , matches]) => matches));
});

test('getopt reports errors', async () => {
  const source = `#include <getopt.h>
    int main(int argc, char **argv) {
      static const struct option options[] = {{"add", 1, 0, 'a'}, {"append", 0, 0, 'p'}, {0, 0, 0, 0}};
      while (getopt_long(argc, argv, "b:", options, 0) != -1) {}
    }`;
  const { stderr } = await runSource(source, {
    arguments: ['-x', '--ap=1', '--a', '--zzz', '--add=1', '-b'],
  });
  expect(stderr).toBe(`program: invalid option -- 'x'
program: option '--append' doesn't allow an argument
program: option '--a' is ambiguous; possibilities: '--add' '--append'
program: unrecognized option '--zzz'
program: option requires an argument -- 'b'
`);
});

test('the only user is that of the environment', async () => {
  const source = `#include <grp.h>
    #include <pwd.h>
    #include <stdio.h>
    #include <unistd.h>
    int main(void) {
      const struct passwd *user = getpwuid(getuid());
      printf("%s %s %s %s\\n", user->pw_name, user->pw_dir, user->pw_shell, getgrgid(getgid())->gr_name);
      struct passwd entry, *result;
      char buffer[64];
      printf("%d ", getpwnam_r("ann", &entry, buffer, sizeof buffer, &result));
      printf("%d %s %d\\n", result == &entry, entry.pw_dir, getpwnam("bob") == NULL);
    }`;
  const environment = { USER: 'ann', HOME: '/home/ann' };
  const { stdout } = await runSource(source, { environment });
  expect(stdout).toBe('ann /home/ann /bin/sh ann\n0 1 /home/ann 1\n');
});

test('no descriptor is a socket, and the log is written to standard error on request', async () => {
  const source = `#include <errno.h>
    #include <stdio.h>
    #include <sys/socket.h>
    #include <syslog.h>
    int main(void) {
      printf("%d %d\\n", listen(0, 1), errno == ENOTSOCK);
      syslog(LOG_INFO, "nowhere");
      openlog("daemon", LOG_PERROR, LOG_USER);
      setlogmask(LOG_UPTO(LOG_WARNING));
      syslog(LOG_ERR, "disk %d failed", 3);
      syslog(LOG_DEBUG, "too much");
    }`;
  const { stdout, stderr } = await runSource(source);
  expect([stdout, stderr]).toEqual(['-1 1\n', 'daemon: disk 3 failed\n']);
});

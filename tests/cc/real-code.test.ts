/** What real code does that textbooks do not, under both engines. */
import { expect, test } from 'vitest';
import { check, explore, type RunEvent } from '../../src/index.js';

async function run(text: string, options: { acsl?: 'auto' | 'on' } = {}) {
  const warnings: string[] = [];
  let output = '';
  const onEvent = (event: RunEvent): void => {
    if (event.kind === 'warning') warnings.push(event.diagnostic.message);
    if (event.kind === 'output') output += new TextDecoder().decode(event.bytes);
  };
  const report = await check({ inputs: [{ name: 'real.c', text }], ...options }, { onEvent });
  return { report, warnings, output };
}

test('a program’s own functions win over those of the C library, malloc and variables included', async () => {
  const { report, output } = await run(`
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    static char pool[4096];
    static size_t used;
    static int own;
    void *malloc(size_t bytes) { void *p = pool + used; used += (bytes + 15) & ~15ul; return p; }
    void free(void *p) { (void)p; }
    size_t strnlen(const char *s, size_t n) { size_t i = 0; while (i < n && s[i]) i++; own = 1; return i; }
    char *strdup(const char *s) { char *p = malloc(strlen(s) + 1); return strcpy(p, s); }
    int optind = 7;
    int main(void) {
      char *copy = strdup("copy"), *cut = strndup("abcd", 3);
      printf("%s %s %zu %d %d\\n", copy, cut, strnlen(copy, 2), optind, used > 0 && own);
      free(copy), free(cut);
      return 0;
    }`);
  expect(output).toBe('copy abc 2 7 1\n');
  expect(report).toMatchObject({ verdict: 'clean', findings: [] });
});

const splint = `/*@unused@*/ static int x;
  //@ todo later
  /*@ requires n > 0; */
  static int f(int n) { return n; }
  int main(void) { /*@i@*/ return f(ARGUMENT); }`;

test('comments that are no ACSL are one warning, and annotations beside them are checked', async () => {
  const { report, warnings } = await run(splint.replace('ARGUMENT', '0'));
  expect(report.findings).toMatchObject([{ code: 'acsl-violation' }]);
  expect(warnings[0]).toContain("expected an annotation, not 'unused'; so are 2 others in this program");
  expect((await run(splint.replace('ARGUMENT', '1'))).report.verdict).toBe('clean');
  await expect(run(splint.replace('ARGUMENT', '1'), { acsl: 'on' })).rejects.toThrow(
    'expected an annotation',
  );
});

const calls = `
  #include <dlfcn.h>
  #include <libintl.h>
  #include <netinet/ip_icmp.h>
  #include <resolv.h>
  #include <stdio.h>
  #include <stdlib.h>
  #include <sys/epoll.h>
  #include <sys/queue.h>
  #include <sys/shm.h>
  #include <sys/socket.h>
  #include <ucontext.h>
  #include <unistd.h>
  #ifndef __linux__
  #error "no Linux"
  #endif
  struct item { int value; TAILQ_ENTRY(item) link; };
  TAILQ_HEAD(queue, item);
  int main(void) {
    struct queue all = TAILQ_HEAD_INITIALIZER(all);
    struct item items[3] = {{.value = 1}, {.value = 2}, {.value = 3}}, *each;
    for (int i = 0; i < 3; i++) TAILQ_INSERT_TAIL(&all, &items[i], link);
    TAILQ_REMOVE(&all, &items[1], link);
    TAILQ_FOREACH_REVERSE(each, &all, queue, link) printf("%d ", each->value);
    puts(gettext("done"));
    fflush(stdout);
    CALL;
    return 0;
  }`;

test.each([
  ['fork()', 'fork: a program under Redzone is one process'],
  ['popen("true", "r")', 'popen: a program under Redzone is one process'],
  ['socket(AF_INET, SOCK_STREAM, 0)', 'socket: a program under Redzone has no network'],
  ['dlopen("libx.so", RTLD_NOW)', 'dlopen: libraries are linked before the program runs'],
])('%s ends as unsupported, by name, at its line', async (call, message) => {
  const { report, output } = await run(calls.replace('CALL', call));
  expect(output).toBe('3 1 done\n');
  expect(report).toMatchObject({
    verdict: 'inconclusive',
    findings: [
      {
        code: 'unsupported',
        location: { file: 'real.c', line: 27 },
        message: expect.stringContaining(message),
      },
    ],
  });
});

test('and without the call nothing is wrong', async () => {
  expect((await run(calls.replace('CALL', ''))).report).toMatchObject({ verdict: 'clean' });
  const report = await explore({
    inputs: [{ name: 'real.c', text: calls.replace('CALL', 'fork()') }],
    folder: '/tmp/redzone-real-code',
  });
  expect(report.findings).toMatchObject([{ code: 'unsupported', location: { line: 27 } }]);
});

/** Constructs of real code that textbooks do not have, under both engines. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { type CheckOptions, check, explore, type RunEvent } from '../../src/index.js';
import { hasTool } from '../optional-tools.js';

async function run(
  text: string,
  options: Pick<CheckOptions, 'acsl' | 'allowRun' | 'allowNet' | 'folders' | 'maxTimeMs'> = {},
) {
  const warnings: string[] = [];
  let output = '';
  const onEvent = (event: RunEvent): void => {
    if (event.kind === 'warning') warnings.push(event.diagnostic.message);
    if (event.kind === 'output') output += new TextDecoder().decode(event.bytes);
  };
  const report = await check({ inputs: [{ name: 'real.c', text }], ...options }, { onEvent });
  return { report, warnings, output };
}

test('a program’s own functions override those of the C library, including malloc and variables', async () => {
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

test('functions that only excluded code calls need no definition, and FILE is a complete type', async () => {
  const excluded = (random: number): string => `
    #include <stdio.h>
    #define HAS_RANDOM ${random}
    enum { HAS_CLOCK = sizeof("abc") == 1 };
    struct stream { FILE base; };
    int read_random(int *to);
    extern int ticks;
    int main(int argc, char **argv) {
      int error = argc == 1;
      if (error && HAS_RANDOM) error = read_random(&argc);
      while (argc > 3 && HAS_CLOCK) argc += ticks;
      printf("%d\\n", sizeof(struct stream) == sizeof(FILE));
      return HAS_CLOCK || HAS_RANDOM ? read_random(&argc) : 0;
    }`;
  const { report, output } = await run(excluded(0));
  expect([report.verdict, output]).toEqual(['clean', '1\n']);
  await expect(run(excluded(1))).rejects.toThrow("undefined symbol 'read_random'");
});

test('frame addresses limit the depth of recursion', async () => {
  const { report, output } = await run(`
    #include <stdint.h>
    #include <stdio.h>
    static uintptr_t limit;
    static __attribute__((noinline)) int depth(int n) {
      volatile char a[100];
      a[n % 100] = 1;
      if ((uintptr_t)__builtin_frame_address(0) < limit || n == 5000) return n;
      return depth(n + 1) + 0 * a[n % 100];
    }
    int main(void) {
      char *base = __builtin_frame_address(0);
      limit = (uintptr_t)base - 20000;
      int n = depth(0);
      printf("%d %d %p\\n", base - 8000000 < base, n > 20 && n < 300, __builtin_frame_address(1));
      return 0;
    }`);
  expect([report.verdict, output]).toEqual(['clean', '1 1 (nil)\n']);
});

const x86 = `
  #include <cpuid.h>
  #include <setjmp.h>
  #include <stdio.h>
  #include <x86intrin.h>
  __asm__(".symver main,main@VERSION_1");
  static int counter = 5;
  extern int other __attribute__((alias("counter")));
  static void *jump[5];
  static __attribute__((noinline)) void leave(void) { __builtin_longjmp(jump, 1); }
  static unsigned long long now(void) {
    unsigned low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (unsigned long long)high << 32 | low;
  }
  int main(int argc, char **argv) {
    unsigned a, b, c, d, x = 0x01020304, kept = 7;
    unsigned long long first = now(), second = __rdtsc();
    __asm__ __volatile__("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "0"(1), "2"(0));
    __asm__("bswap %0" : "+r"(x));
    __asm__ volatile("" : "+r"(kept) : : "memory");
    printf("%d %u %x %u %d", second >= first, c, x, kept, __get_cpuid(7, &a, &b, &c, &d));
    other++;
    if (__builtin_setjmp(jump) == 0) leave();
    printf(" %d %d\\n", counter, __builtin_return_address(0) != 0);
    if (argc > 5) __asm__ volatile("fsin" : "=t"(a) : "0"(b));
    UNKNOWN
    return 0;
  }`;

test('x86 instructions of portable programs are supported, and others are reported by name', async () => {
  const { report, output, warnings } = await run(x86.replace('UNKNOWN', ''));
  expect([output, warnings]).toEqual(['1 0 4030201 7 0 6 1\n', []]);
  expect(report).toMatchObject({ verdict: 'clean', findings: [] });
  const named = await run(x86.replace('UNKNOWN', '__asm__ volatile("fsin" : "=a"(a));'));
  expect(named.report).toMatchObject({
    verdict: 'inconclusive',
    findings: [{ code: 'unsupported', message: 'inline assembly is not supported', location: { line: 27 } }],
  });
  await expect(run('int main(void) { int f(int x) { return x; } return f(0); }')).rejects.toThrow(
    'functions inside functions are an extension of gcc that is not supported',
  );
});

const sse = `
  #include <emmintrin.h>
  #include <stdio.h>
  static unsigned char in[64];
  static void show(const char *name, __m128i v) {
    unsigned char out[16];
    _mm_storeu_si128((__m128i *)out, v);
    printf("%s", name);
    for (int i = 0; i < 16; i++) printf(" %02x", out[i]);
    puts("");
  }
  #define TWO(f) show(#f, f(a, b)), show(#f, f(b, c));
  #define FLOATS(f) show(#f, _mm_castps_si128(f(x, y)));
  #define DOUBLES(f) show(#f, _mm_castpd_si128(f(u, v)));
  #define SHIFTS(f) show(#f, f(a, 3)), show(#f, f(b, 15)), show(#f, f(c, 77));
  int main(void) {
    for (int i = 0; i < 64; i++) in[i] = (unsigned char)(i * i * 37 + 11 * i);
    __m128i a = _mm_loadu_si128((__m128i *)in), b = _mm_loadu_si128((__m128i *)(in + 17)), c = _mm_set_epi16(-3, 9, 300, -32768, 32767, 0, 1, 2);
    __m128 x = _mm_set_ps(1.5f, -2, 3e9f, 0), y = _mm_setr_ps(1, 2, 3, 4);
    __m128d u = _mm_set_pd(1.25, -7), v = _mm_set1_pd(3);
    TWO(_mm_add_epi8) TWO(_mm_sub_epi16) TWO(_mm_add_epi32) TWO(_mm_sub_epi64) TWO(_mm_mullo_epi16) TWO(_mm_mulhi_epi16)
    TWO(_mm_mulhi_epu16) TWO(_mm_mul_epu32) TWO(_mm_madd_epi16) TWO(_mm_sad_epu8) TWO(_mm_adds_epi8) TWO(_mm_subs_epi16)
    TWO(_mm_adds_epu8) TWO(_mm_subs_epu16) TWO(_mm_avg_epu8) TWO(_mm_max_epi16) TWO(_mm_min_epu8) TWO(_mm_andnot_si128)
    TWO(_mm_cmpeq_epi8) TWO(_mm_cmpgt_epi16) TWO(_mm_cmplt_epi32) TWO(_mm_unpacklo_epi8) TWO(_mm_unpackhi_epi16)
    TWO(_mm_unpacklo_epi32) TWO(_mm_unpackhi_epi64) TWO(_mm_packs_epi16) TWO(_mm_packus_epi16) TWO(_mm_packs_epi32)
    FLOATS(_mm_add_ps) FLOATS(_mm_div_ps) FLOATS(_mm_max_ps) FLOATS(_mm_cmplt_ps) FLOATS(_mm_mul_ss) FLOATS(_mm_movehl_ps)
    DOUBLES(_mm_sub_pd) DOUBLES(_mm_min_pd) DOUBLES(_mm_unpackhi_pd)
    SHIFTS(_mm_slli_epi16) SHIFTS(_mm_srai_epi32) SHIFTS(_mm_srli_epi64)
    show("bytes", _mm_srli_si128(a, 5)), show("bytes", _mm_slli_si128(a, 3));
    show("shuffle", _mm_shuffle_epi32(a, _MM_SHUFFLE(0, 3, 1, 2))), show("low", _mm_shufflelo_epi16(b, 0x1b)), show("high", _mm_shufflehi_epi16(b, 0x1b));
    show("int", _mm_cvttps_epi32(x)), show("int", _mm_cvtps_epi32(x)), show("float", _mm_castps_si128(_mm_cvtepi32_ps(a)));
    printf("%d %d %d\\n", _mm_movemask_epi8(a), _mm_extract_epi16(b, 3), _mm_cvtsi128_si32(c));
    return 0;
  }`;

test.skipIf(process.arch !== 'x64' || !hasTool('gcc', 'what SSE2 gives on the machine'))(
  'the vectors of emmintrin.h behave as natively',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'redzone-sse-'));
    try {
      execFileSync('gcc', ['-xc', '-', '-o', join(folder, 'native')], { input: sse });
      const native = execFileSync(join(folder, 'native'), { encoding: 'utf8' });
      const { report, output } = await run(sse);
      expect(output).toBe(native);
      expect(report.verdict).toBe('clean');
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

test('with --allow-run, programs are started, with their exit status and output', async () => {
  const { report, output } = await run(
    `
    #include <fcntl.h>
    #include <spawn.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/wait.h>
    #include <unistd.h>
    extern char **environ;
    int main(void) {
      char line[40];
      int status = system("echo one; exit 3");
      printf("%d\\n", WEXITSTATUS(status));
      FILE *in = popen("printf 'a\\nb\\n'; exit 2", "r");
      while (fgets(line, sizeof line, in)) printf("got %s", line);
      printf("%d\\n", WEXITSTATUS(pclose(in)));
      fflush(stdout);
      FILE *out = popen("tr a-z A-Z", "w");
      fputs("loud\\n", out);
      pclose(out);
      pid_t child;
      char *words[] = {"sh", "-c", "cat; kill -9 $$", 0};
      posix_spawn_file_actions_t actions;
      posix_spawn_file_actions_init(&actions);
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
      int failure = posix_spawnp(&child, "sh", &actions, 0, words, environ);
      posix_spawn_file_actions_destroy(&actions);
      printf("%d %d", failure, waitpid(child, &status, 0) == child);
      printf(" %d %s\\n", WTERMSIG(status), strerror(posix_spawn(&child, "/no/such", 0, 0, words, environ)));
      fflush(stdout);
      execlp("sh", "sh", "-c", "echo $1; exit 7", "sh", "last", (char *)0);
      return 1;
    }`,
    { allowRun: true },
  );
  expect(output).toBe('one\n3\ngot a\ngot b\n2\nLOUD\n0 1 9 No such file or directory\nlast\n');
  expect(report).toMatchObject({ verdict: 'clean', findings: [], program: { exit: 7 } });
});

test('--max-time also ends the processes that the program has started', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'redzone-child-'));
  const text = `#include <stdlib.h>
    int main(void) { return system("echo $$ > ${folder}/pid; exec sleep 600"); }`;
  try {
    // What is compiled now need not be compiled within the time.
    await run(text);
    let done = await run(text, { allowRun: true, maxTimeMs: 2500 });
    if (!existsSync(join(folder, 'pid'))) done = await run(text, { allowRun: true, maxTimeMs: 30_000 });
    expect(done.report).toMatchObject({ verdict: 'inconclusive', findings: [] });
    const child = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    await vi.waitUntil(() => !isAlive(child), { timeout: 60_000 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function isAlive(process_: number): boolean {
  try {
    return process.kill(process_, 0);
  } catch {
    return false;
  }
}

test('with --allow-net, sockets on the loopback are sockets', async () => {
  const { report, output } = await run(
    `
    #include <arpa/inet.h>
    #include <errno.h>
    #include <poll.h>
    #include <pthread.h>
    #include <stdio.h>
    #include <sys/select.h>
    #include <sys/socket.h>
    #include <unistd.h>
    static void *echo(void *server) {
      char byte;
      int client = accept(*(int *)server, 0, 0);
      while (read(client, &byte, 1) == 1) write(client, &byte, 1);
      close(client);
      return 0;
    }
    int main(void) {
      int server = socket(AF_INET, SOCK_STREAM, 0), one = 1;
      struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_ANY)}}, peer;
      struct sockaddr *to = (struct sockaddr *)&address;
      socklen_t length = sizeof address;
      setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
      printf("%d", bind(server, to, sizeof address));
      printf(" %d", listen(server, 5));
      getsockname(server, to, &length);
      printf(" %d %s\\n", ntohs(address.sin_port) > 0, inet_ntoa(address.sin_addr));
      struct pollfd waits = {server, POLLIN, 0};
      printf("%d", poll(&waits, 1, 0));
      int client = socket(AF_INET, SOCK_STREAM, 0);
      printf(" %d", connect(client, to, sizeof address));
      printf(" %d", poll(&waits, 1, -1));
      length = sizeof peer;
      int served = accept(server, (struct sockaddr *)&peer, &length);
      printf(" %d %s\\n", served >= 0, inet_ntoa(peer.sin_addr));
      char text[16] = "";
      fd_set set;
      FD_ZERO(&set);
      FD_SET(served, &set);
      struct timeval now = {0, 0};
      printf("%d", select(served + 1, &set, 0, 0, &now));
      printf(" %d", (int)recv(served, text, sizeof text, MSG_DONTWAIT));
      printf(" %d", errno == EAGAIN);
      FILE *stream = fdopen(client, "r+");
      fprintf(stream, "hello\\n");
      fflush(stream);
      int count = (int)read(served, text, sizeof text);
      printf(" %d %.*s", count, count, text);
      send(served, "answer\\n", 7, 0);
      shutdown(served, SHUT_WR);
      printf("%s", fgets(text, sizeof text, stream));
      printf("%d\\n", fgetc(stream));
      fclose(stream);
      close(served);
      pthread_t thread;
      pthread_create(&thread, 0, echo, &server);
      client = socket(AF_INET, SOCK_STREAM, 0);
      connect(client, to, sizeof address);
      write(client, "thread", 6);
      count = (int)recv(client, text, 6, MSG_WAITALL);
      printf("%d %.*s\\n", count, count, text);
      close(client);
      pthread_join(thread, 0);
      close(server);
      client = socket(AF_INET, SOCK_STREAM, 0);
      printf("%d", connect(client, to, sizeof address));
      printf(" %d\\n", errno == ECONNREFUSED);
      close(client);
      fflush(stdout);
      client = socket(AF_INET, SOCK_STREAM, 0);
      address.sin_addr.s_addr = inet_addr("192.0.2.1");
      return connect(client, to, sizeof address);
    }`,
    { allowNet: true },
  );
  expect(output).toBe('0 0 1 127.0.0.1\n0 0 1 1 127.0.0.1\n0 -1 1 6 hello\nanswer\n-1\n6 thread\n-1 1\n');
  expect(report).toMatchObject({
    verdict: 'inconclusive',
    findings: [
      { code: 'unsupported', message: 'connect: a program under Redzone can reach the loopback only' },
    ],
  });
});

test('with --allow-net, datagrams arrive whole, with their sender', async () => {
  const { report, output } = await run(
    `
    #include <arpa/inet.h>
    #include <errno.h>
    #include <poll.h>
    #include <stdio.h>
    #include <string.h>
    #include <sys/socket.h>
    #include <sys/uio.h>
    #include <unistd.h>
    int main(void) {
      int server = socket(AF_INET, SOCK_DGRAM, 0), client = socket(AF_INET, SOCK_DGRAM, 0), type;
      struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}}, from;
      struct sockaddr *to = (struct sockaddr *)&address;
      socklen_t length = sizeof address;
      char text[16] = "";
      printf("%d", bind(server, to, sizeof address));
      getsockname(server, to, &length);
      printf(" %d", (int)send(client, "x", 1, 0));
      printf(" %d", errno == EDESTADDRREQ);
      printf(" %d", (int)recv(server, text, sizeof text, MSG_DONTWAIT));
      printf(" %d\\n", errno == EAGAIN);
      printf("%d", (int)sendto(client, "first", 5, 0, to, sizeof address));
      printf(" %d\\n", (int)sendto(client, "second datagram", 15, 0, to, sizeof address));
      struct pollfd waits = {server, POLLIN, 0};
      printf("%d", poll(&waits, 1, -1));
      int count = (int)recvfrom(server, text, sizeof text, 0, (struct sockaddr *)&from, &length);
      printf(" %d %.*s %s\\n", count, count, text, inet_ntoa(from.sin_addr));
      count = (int)recv(server, text, 6, 0);
      printf("%d %.*s\\n", count, count, text);
      printf("%d", connect(server, (struct sockaddr *)&from, sizeof from));
      struct iovec pieces[] = {{"an", 2}, {"swer", 4}};
      struct msghdr message = {.msg_iov = pieces, .msg_iovlen = 2};
      printf(" %d", (int)sendmsg(server, &message, 0));
      char a[4], b[4];
      struct iovec parts[] = {{a, 4}, {b, 4}};
      struct msghdr received = {.msg_name = &from, .msg_namelen = sizeof from, .msg_iov = parts, .msg_iovlen = 2};
      count = (int)recvmsg(client, &received, 0);
      printf(" %d %.4s%.2s %d\\n", count, a, b, from.sin_port == address.sin_port);
      length = sizeof type;
      getsockopt(client, SOL_SOCKET, SO_TYPE, &type, &length);
      printf("%d", type == SOCK_DGRAM);
      printf(" %d", listen(client, 1));
      printf(" %d", errno == EOPNOTSUPP);
      printf(" %d %d\\n", close(client), close(server));
      fflush(stdout);
      client = socket(AF_INET, SOCK_DGRAM, 0);
      address.sin_addr.s_addr = inet_addr("192.0.2.1");
      return (int)sendto(client, "x", 1, 0, to, sizeof address);
    }`,
    { allowNet: true },
  );
  // What gcc's program prints.
  expect(output).toBe('0 -1 1 -1 1\n5 15\n1 5 first 127.0.0.1\n6 second\n0 6 6 answer 1\n1 -1 1 0 0\n');
  expect(report).toMatchObject({
    verdict: 'inconclusive',
    findings: [
      { code: 'unsupported', message: 'sendto: a program under Redzone can reach the loopback only' },
    ],
  });
});

const splint = `/*@unused@*/ static int x;
  //@ todo later
  /*@ requires n > 0; */
  static int f(int n) { return n; }
  int main(void) { /*@i@*/ return f(ARGUMENT); }`;

test('comments that are not ACSL get one warning, and annotations beside them are checked', async () => {
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
    puts(dcngettext(NULL, gettext("one"), "done", 2, 5));
    fflush(stdout);
    CALL;
    return 0;
  }`;

test.each([
  ['fork()', 'fork: a program under Redzone is one process'],
  ['posix_openpt(2)', 'posix_openpt: a program under Redzone is one process'],
  ['popen("true", "r")', 'popen: a program under Redzone starts others only with `check --allow-run`'],
  [
    'socket(AF_INET, SOCK_STREAM, 0)',
    'socket: a program under Redzone has sockets, on the loopback, only with `check --allow-net`',
  ],
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

test.skipIf(!existsSync('/dev/ptmx'))(
  'mmap of a device ends as unsupported, by name, at its line',
  async () => {
    const text = `#include <fcntl.h>
    #include <sys/mman.h>
    int main(void) {
      int zero = open("/dev/zero", O_RDWR), terminals = open("/dev/ptmx", O_RDWR | O_NOCTTY);
      char *memory = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, zero, 0);
      memory[4095] = 1;
      mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, terminals, 0);
      return memory[0];
    }`;
    const { report } = await run(text, { folders: ['/dev'] });
    expect(report).toMatchObject({
      verdict: 'inconclusive',
      findings: [
        {
          code: 'unsupported',
          location: { file: 'real.c', line: 7 },
          message: 'mmap: under Redzone no device but /dev/zero can be mapped',
        },
      ],
    });
  },
);

test('without the call nothing is reported', async () => {
  expect((await run(calls.replace('CALL', ''))).report).toMatchObject({ verdict: 'clean' });
  const report = await explore({
    inputs: [{ name: 'real.c', text: calls.replace('CALL', 'fork()') }],
    folder: '/tmp/redzone-real-code',
  });
  expect(report.findings).toMatchObject([{ code: 'unsupported', location: { line: 27 } }]);
});

/**
 * Programs rely on names that a header of glibc has only because it includes another. Each source
 * here includes one header and uses such names, and gcc accepts it, too; in strict C the same
 * names belong to the program.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { buildFiles, hasGcc, run } from './harness.js';

const folder = mkdtempSync(join(tmpdir(), 'redzone-header-names-'));
afterAll(() => rmSync(folder, { recursive: true }));

const waits = 'fd_set set; FD_ZERO(&set); struct timeval none = {0, 0}; select(0, &set, 0, 0, &none);';

const uses: readonly (readonly [header: string, body: string])[] = [
  ['dirent.h', 'char path[PATH_MAX], name[NAME_MAX + 1]; (void)path, (void)name;'],
  ['dlfcn.h', 'size_t size = 1; (void)size;'],
  ['fcntl.h', 'int all = R_OK | W_OK | X_OK | F_OK | LOCK_EX | F_TLOCK; (void)all, (void)lockf;'],
  ['langinfo.h', 'nl_catd none = (nl_catd)-1; (void)none;'],
  ['libintl.h', 'const char *now = setlocale(LC_ALL, 0); (void)now;'],
  [
    'linux/limits.h',
    'char path[PATH_MAX], name[NAME_MAX + 1]; int n = ARG_MAX; (void)path, (void)name, (void)n;',
  ],
  ['linux/types.h', '__u8 byte = 1; __s64 wide = byte; __be32 net = (__be32)wide; (void)net;'],
  ['linux/version.h', 'int known = LINUX_VERSION_CODE >= KERNEL_VERSION(2, 6, 32); (void)known;'],
  ['malloc.h', 'FILE *out = stdout; (void)out, (void)fprintf;'],
  [
    'netinet/tcp.h',
    'uint32_t one = 1; int kind = SOCK_STREAM; ssize_t n = 0; (void)one, (void)kind, (void)n;',
  ],
  ['netinet/udp.h', 'struct udphdr head = {0}; head.uh_sport = 7; u_char byte = head.source; (void)byte;'],
  ['regex.h', 'pid_t pid = 1; ssize_t n = 0; (void)pid, (void)n;'],
  ['resolv.h', 'int size = MAXPATHLEN; FILE *out = stdout; (void)size, (void)out;'],
  ['signal.h', 'pthread_t self = 0; (void)self, (void)pthread_kill;'],
  ['stdlib.h', waits],
  ['sys/dir.h', 'struct direct *entry = 0; DIR *folder = 0; (void)entry, (void)folder;'],
  [
    'sys/ioctl.h',
    'int lines = TIOCM_DTR | TIOCM_RTS; unsigned long call = TIOCMSET; (void)lines, (void)call;',
  ],
  ['sys/param.h', 'signal(SIGTERM, SIG_IGN);'],
  ['sys/types.h', `${waits} pthread_mutex_t lock; sigset_t signals; (void)lock, (void)signals;`],
  ['sys/un.h', 'struct sockaddr_un at; strcpy(at.sun_path, "x"); int n = SUN_LEN(&at); (void)n;'],
  [
    'time.h',
    'pid_t pid = 1; timer_t timer = 0; struct sigevent *event = 0; (void)pid, (void)timer, (void)event;',
  ],
  ['unistd.h', 'socklen_t length = 0; (void)length;'],
];

/** What gcc defines before it reads the program, and by any header. */
const macros = `#include <limits.h>
#if !linux || !unix || __WORDSIZE != 64 || !__STDC_IEC_559__ || __STDC_ISO_10646__ < 201000L
#error "a macro is missing"
#endif
`;

/** Names that no header has, so that programs use them. */
const own = `#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
enum { PAGE_SIZE = 1, OPEN_MAX = 2, HUGE = 3 };
typedef unsigned long long uint64_t;
static double pow10(int n) { return n > 0 ? 10 * pow10(n - 1) : 1; }
static void mergesort(int *numbers, int count) { numbers[count - 1] = PAGE_SIZE; }
void heapsort(int numbers[], int count) { numbers[0] = count; }
static const char *strnstr(const char *part) { return part; }
static int select(int timezone) { return timezone + OPEN_MAX; }
int main(void) {
  int numbers[2];
  uint64_t clock = select(HUGE);
  mergesort(numbers, 2), heapsort(numbers, 2);
  return pow10(1) == 10 && *strnstr("x") == 'x' ? numbers[0] + numbers[1] + (int)clock : 0;
}
`;

/** Functions, types and macros that strict C leaves to the program. */
const ownInStrictC = `#include <sys/types.h>
#include <stdlib.h>
typedef unsigned long long uint64_t;
static int linux, unix;
static uint64_t select(int fd_set) { return linux + unix + fd_set; }
int strict(void) { return (int)select(5); }
`;

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test('headers have the names that those of glibc have', async () => {
  const sources = uses.map(([header, body], i) =>
    write(`use${i}.c`, `#include <${header}>\nvoid use${i}(void) { ${body} }\n`),
  );
  const calls = uses.map((_, i) => `void use${i}(void); use${i}();`).join('\n');
  const main = write('main.c', `${macros}int main(void) { ${calls} return 7; }\n`);
  const strict = write('strict.c', `${ownInStrictC}int main(void) { return strict(); }\n`);
  const other = write('own.c', own);
  if (hasGcc) {
    execFileSync('gcc', ['-fsyntax-only', other]);
    execFileSync('gcc', ['-fsyntax-only', '-O2', main, ...sources]);
    execFileSync('gcc', ['-fsyntax-only', '-std=c99', strict]);
  }
  expect(run(await buildFiles([main, ...sources]))).toMatchObject({ reason: '', status: 7 });
  expect(run(await buildFiles([other]))).toMatchObject({ reason: '', status: 8 });
  expect(run(await buildFiles([strict], { flags: ['-std=c99'] }))).toMatchObject({ reason: '', status: 5 });
});

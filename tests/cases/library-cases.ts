/**
 * Cases generated from the table of ranges: for each range of each function, each possible error,
 * and a correct call.
 */
import type { FindingCode } from '../../src/index.js';
import type { LibraryFunction, LibraryRange } from './library-ranges.js';
import type { Case } from './many-cases.js';

export const libraryPreamble: string = `#define _GNU_SOURCE
#include <arpa/inet.h>
#include <bsd/stdlib.h>
#include <bsd/string.h>
#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <iconv.h>
#include <inttypes.h>
#include <libgen.h>
#include <locale.h>
#include <math.h>
#include <regex.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <uchar.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>
#include <xlocale.h>
typedef struct tm struct_tm; typedef struct stat struct_stat; typedef struct tms struct_tms;
typedef struct sigaction struct_sigaction; typedef struct iovec struct_iovec;
typedef struct rusage struct_rusage; typedef struct utsname struct_utsname;
static char buffer[16];
static int by_bytes(const void *a, const void *b) { return memcmp(a, b, 4); }
static int by_bytes_and(const void *a, const void *b, void *unused) { return memcmp(a, b, 4); }
static size_t *one(void) { static size_t n; n = 1; return &n; }
static void *save(void) { static char rest[] = "", *p; p = rest; return &p; }
static FILE *in(void) { static char b[] = "abcdefgh"; return fmemopen(b, 8, "r"); }
static FILE *in_line(void) { static char b[] = "abc\\nefgh"; return fmemopen(b, 8, "r"); }
static FILE *in_number(void) { static char b[] = "12"; return fmemopen(b, 2, "r"); }
static FILE *out(void) { static char b[64]; FILE *f = fmemopen(b, 64, "w"); setvbuf(f, 0, _IONBF, 0); return f; }
static FILE *wide_out(void) { FILE *f = out(); fwide(f, 1); return f; }
static int sink(void) { return open("/dev/null", O_WRONLY); }
static int zeroes(void) { return open("/dev/zero", O_RDONLY); }
static struct tm *moment(void) { static struct tm t = {.tm_year = 99, .tm_mday = 1}; return &t; }
static regex_t *pattern(void) { static regex_t r; regcomp(&r, "b", 0); return &r; }
static void *filled(size_t n, const void *content, size_t m) { char *p = malloc(n); memset(p, 0, n); memcpy(p, content, m < n ? m : n); return p; }
static void *freed(void *p) { free(p); return p; }`;

type Fault = 'right' | 'end' | 'start' | 'unwritten' | 'freed' | 'null' | 'constant';

const expected: Readonly<Record<Fault, FindingCode | undefined>> = {
  right: undefined,
  end: 'heap-buffer-overflow',
  start: 'heap-buffer-overflow',
  unwritten: 'uninitialized-read',
  freed: 'use-after-free',
  null: 'null-dereference',
  constant: 'write-to-constant',
};

/** C for the bytes of a range in the test. */
function bytesOf(fn: LibraryFunction, range: LibraryRange): string {
  return range.bytes
    .replace(/\$(\d)/g, (_, n: string) => String(fn.arguments[Number(n) - 1]))
    .replace(/#(\d)/g, (_, n: string) => `sizeof(${literalOf(fn.arguments[Number(n) - 1] as LibraryRange)})`)
    .replace(/\b(text|wide)\b/, () => `sizeof(${literalOf(range)})`)
    .replace(/\bresult\b/, () => fn.result!);
}

function literalOf({ bytes, content }: LibraryRange): string {
  return `${/\bwide\b/.test(bytes) ? 'L' : ''}${JSON.stringify(content ?? '')}`;
}

/** How many bytes before the block a range begins, in the case of an underflow. */
function stepOf({ bytes }: LibraryRange): number {
  if (/wide|\*4/.test(bytes)) return 4;
  return /sizeof|^(8|16)$/.test(bytes) ? 8 : 1;
}

function faultsOf(range: LibraryRange): Fault[] {
  const isRead = range.use === 'read' || range.use === 'both';
  const isWritten = range.use === 'written' || range.use === 'both';
  return [
    ...(['end', 'start', 'freed'] as const),
    ...(isRead ? (['unwritten'] as const) : []),
    ...(range.mayBeNull ? [] : (['null'] as const)),
    ...(isWritten ? (['constant'] as const) : []),
  ];
}

function pointer(fn: LibraryFunction, range: LibraryRange, fault: Exclude<Fault, 'constant'>): string {
  const bytes = `(${bytesOf(fn, range)})`;
  const content = range.content === undefined ? '""' : literalOf(range);
  const make = (n: string): string => `filled(${n}, ${content}, sizeof(${content}))`;
  switch (fault) {
    case 'right':
      return range.use === 'written' ? `malloc(${bytes})` : make(bytes);
    case 'end':
      return make(`${bytes} - 1`);
    case 'start':
      return `(char *)${make(bytes)} - ${stepOf(range)}`;
    case 'unwritten':
      return `malloc(${bytes})`;
    case 'freed':
      return `freed(${make(bytes)})`;
    case 'null':
      return '(void *)0';
  }
}

function call(fn: LibraryFunction, index: number, fault: Fault): string {
  const declarations: string[] = [];
  const args = fn.arguments.map((argument, i) => {
    if (typeof argument === 'string') return argument;
    const own = i === index ? fault : 'right';
    if (own === 'constant') {
      const literal = argument.content === undefined ? '{0}' : literalOf(argument);
      const type = literal.startsWith('L') ? 'wchar_t' : 'char';
      declarations.push(`static const ${type} p${i}[4096] = ${literal};`);
      return `(void *)p${i}`;
    }
    declarations.push(`void *p${i} = ${pointer(fn, argument, own)};`);
    return `p${i}`;
  });
  return `${declarations.join(' ')} (${fn.name})(${args.join(', ')});`;
}

function overlap(fn: LibraryFunction): Case[] {
  if (!fn.isApart) return [];
  const [first, second] = fn.arguments as [LibraryRange, LibraryRange];
  const content = second.content === undefined ? '""' : literalOf(second);
  const step = stepOf(second);
  const make = `char *p = filled(256, ${content}, sizeof(${content}));`;
  const args = fn.arguments.map((argument, i) =>
    i === 0 ? `(void *)(p + ${step})` : i === 1 ? '(void *)p' : String(argument),
  );
  const code = `${make} (${fn.name})(${args.join(', ')});`;
  // Appending a part of a string to the string overwrites its own end.
  return first.use === 'both' ? [] : [{ name: `${fn.name}: overlap`, code, expected: 'overlapping-copy' }];
}

/** The program need not free the results of these functions. */
export const libraryChecks = ['spatial', 'temporal', 'init'] as const;

export function libraryCases(functions: readonly LibraryFunction[]): Case[] {
  return functions.flatMap(fn => [
    { name: `${fn.name}: right`, code: call(fn, -1, 'right'), expected: undefined },
    ...fn.arguments.flatMap((argument, i) =>
      typeof argument === 'string'
        ? []
        : faultsOf(argument).map(fault => ({
            name: `${fn.name}: argument ${i + 1}, ${fault}`,
            code: call(fn, i, fault),
            expected: expected[fault],
          })),
    ),
    ...overlap(fn),
  ]);
}

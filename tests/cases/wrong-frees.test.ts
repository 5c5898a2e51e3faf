/**
 * Frees of memory that belongs to the C library, and the answers of malloc and related functions,
 * in both engines.
 */
import { expect, test } from 'vitest';
import type { FindingCode } from '../../src/index.js';
import { wrongCases } from './many-cases.js';

const preamble = `#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <locale.h>
#include <malloc.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
extern char **environ;
static void require(int holds) { if (!holds) abort(); }`;

const cases: readonly (readonly [code: string, expected?: FindingCode])[] = [
  ['free(arguments[0]);', 'invalid-free'],
  ['free(arguments);', 'invalid-free'],
  ['realloc(arguments[0], 100);', 'invalid-free'],
  ['setenv("NEW", "x", 1); free(getenv("NEW"));', 'invalid-free'],
  ['free(stdin);', 'invalid-free'],
  ['free(stdout);', 'invalid-free'],
  ['FILE *f = tmpfile(); free(f);', 'invalid-free'],
  ['DIR *d = opendir("."); free(d);', 'invalid-free'],
  ['free(setlocale(LC_ALL, 0));', 'invalid-free'],
  ['free(strerror(1));', 'invalid-free'],
  ['time_t t = 0; free(gmtime(&t));', 'invalid-free'],
  ['free(&errno);', 'invalid-free'],
  ['free("constant");', 'invalid-free'],
  ['free((void *)(uintptr_t)0x1234);', 'invalid-free'],
  ['FILE *f = tmpfile(); fclose(f); free(f);', 'double-free'],
  ['FILE *f = tmpfile(); fclose(f);'],
  ['DIR *d = opendir("."); closedir(d);'],
  ['free(strdup(arguments[0]));'],
  ['setenv("OLD", "x", 1); unsetenv("OLD");'],
  ['setenv("OLD", "x", 1); setenv("OLD", "longer", 1); require(strcmp(getenv("OLD"), "longer") == 0);'],
  ['char *own = strdup("OWN=1"); putenv(own); unsetenv("OWN"); free(own);'],
  ['void *p = malloc(4); require(realloc(p, 0) == 0);'],
  ['void *p = realloc(0, 0); require(p != 0); free(p);'],
  ['void *p = malloc(0); require(p != 0); free(p);'],
  ['void *p = malloc(0), *q = malloc(0); require(p != q); free(p); free(q);'],
  ['char *p = malloc(0); *p = 1;', 'heap-buffer-overflow'],
  ['char *p = calloc(0, 8); p[0] = 1;', 'heap-buffer-overflow'],
  ['char *p = calloc(3, 5); require(p[0] == 0 && p[14] == 0); free(p);'],
  ['errno = 0; require(calloc(SIZE_MAX / 2, 3) == 0 && errno == ENOMEM);'],
  ['errno = 0; require(malloc(SIZE_MAX) == 0 && errno == ENOMEM);'],
  ['errno = 0; require(malloc(PTRDIFF_MAX) == 0 && errno == ENOMEM);'],
  ['void *p = malloc(4); errno = 0; require(realloc(p, SIZE_MAX) == 0 && errno == ENOMEM); free(p);'],
  [
    'void *p = malloc(4); errno = 0; require(reallocarray(p, SIZE_MAX / 2, 4) == 0 && errno == ENOMEM); free(p);',
  ],
  ['void *p = malloc(4); require(reallocarray(p, 0, 4) == 0);'],
  ['void *p = reallocarray(0, 3, 4); require(p != 0); free(p);'],
  ['void *p = aligned_alloc(64, 128); require(((uintptr_t)p & 63) == 0); free(p);'],
  ['errno = 0; require(aligned_alloc(3, 8) == 0 && errno == EINVAL);'],
  ['void *p = memalign(4096, 1); require(((uintptr_t)p & 4095) == 0); free(p);'],
  ['void *p = &p; require(posix_memalign(&p, 3, 8) == EINVAL && p == &p);'],
  ['void *p; require(posix_memalign(&p, 4, 8) == EINVAL);'],
  ['void *p; require(posix_memalign(&p, 32, 8) == 0 && ((uintptr_t)p & 31) == 0); free(p);'],
  ['void *p; require(posix_memalign(&p, 32, SIZE_MAX - 100) == ENOMEM);'],
  [
    'require(malloc_usable_size(0) == 0); void *p = malloc(10); require(malloc_usable_size(p) >= 10); free(p);',
  ],
  ['char *p = malloc(4); memcpy(p, "abc", 4); p = realloc(p, 8); require(strcmp(p, "abc") == 0); free(p);'],
  ['char *p = malloc(8); memcpy(p, "abc", 4); p = realloc(p, 4); p[4] = 1;', 'heap-buffer-overflow'],
  ['char *p = malloc(8), *q = realloc(p, 16); *p = 1; free(q);', 'use-after-free'],
  ['char *p = malloc(8); free(p); p = realloc(p, 16);', 'double-free'],
  ['int x; int *p = realloc(&x, 16);', 'invalid-free'],
];

test.each(['check', 'explore'] as const)('malloc, free and similar functions under %s', async engine => {
  const made = cases.map(([code, expected]) => ({ name: code, code, expected }));
  expect(await wrongCases(engine, preamble, made)).toEqual([]);
});

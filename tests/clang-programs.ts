/**
 * Small programs on which Redzone and clang's sanitizers are compared, in pairs: one with an error,
 * and the same without it. `BUG(x, y)` is x in the first and y in the second.
 *
 * `only` names the tool that reports the first, unless both do, and `because` is the reason.
 */
export interface ComparedPair {
  readonly name: string;
  readonly text: string;
  readonly only?: 'redzone' | 'clang' | 'neither';
  readonly because?: string;
}

const prelude = `#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static volatile int zero = 0, one = 1, sink;
`;

function pair(name: string, body: string, difference?: Pick<ComparedPair, 'only' | 'because'>): ComparedPair {
  const [before, inside] = body.includes('---') ? body.split('---') : ['', body];
  return { name, text: `${prelude}${before}\nint main(void) {\n${inside}\n  return 0;\n}\n`, ...difference };
}

export const comparedPairs: readonly ComparedPair[] = [
  // The heap.
  pair('heap-read-past', 'char *p = calloc(8, 1); sink = p[BUG(8, 7) * one]; free(p);'),
  pair('heap-write-past', 'int *p = malloc(16); p[BUG(4, 3) * one] = 1; free(p);'),
  pair(
    'heap-read-before',
    'char *p = calloc(8, 1); char *q = p + one; sink = q[BUG(-2, -1) * one]; free(p);',
  ),
  pair(
    'heap-far',
    'char *p = calloc(40, 1), *q = calloc(40, 1); long d = q - p; sink = p[BUG(d, 0)]; free(p); free(q);',
    {
      only: 'redzone',
      because: 'the access lands in another block, which has the wrong owner but no redzone',
    },
  ),
  pair('use-after-free', 'int *p = calloc(1, 4); BUG(free(p), (void)0); sink = *p; BUG((void)0, free(p));'),
  pair('write-after-free', 'int *p = calloc(1, 4); BUG(free(p), (void)0); *p = 3; BUG((void)0, free(p));'),
  pair('double-free', 'int *p = malloc(4); free(p); BUG(free(p), (void)0);'),
  pair('free-inside', 'char *p = malloc(8); free(p + BUG(1, 0) * one);'),
  pair('free-local', 'int x = 0; int *p = BUG(&x, malloc(4)); free(p);'),
  pair('realloc-old', 'int *p = calloc(2, 4); int *q = realloc(p, 4000); sink = BUG(p, q)[0]; free(q);'),
  pair(
    'leak',
    'for (int i = 0; i < 9; i++) { char *p = malloc(10); p[0] = 1; sink = p[0]; BUG(p = NULL, free(p)); }',
  ),
  pair(
    'leak-in-function',
    'static void f(void) { char *p = malloc(3); p[0] = 1; sink = p[0]; BUG((void)0, free(p)); }---for (int i = 0; i < 9; i++) f();',
  ),
  pair('calloc-wraps', 'void *p = calloc(BUG(SIZE_MAX, 8) / 2 * one, 4); if (p) free(p);', {
    only: 'clang',
    because: 'a request that cannot be met gets null, as C says; ASan reports it unless told otherwise',
  }),
  pair(
    'reuse',
    'char *p = malloc(32); free(p); char *q = malloc(32); q[0] = 1; sink = BUG(p, q)[0]; free(q);',
  ),
  // The stack and globals.
  pair('stack-write-past', 'int a[4] = {0}; a[BUG(4, 3) * one] = 1; sink = a[0];'),
  pair('stack-read-before', 'int a[4] = {0}; int *p = a; sink = p[BUG(-1, 0) * one];'),
  pair('stack-far', 'int a[4] = {0}, b[400] = {0}; int *p = a; sink = p[BUG(60, 3) * one] + b[one];', {
    only: 'redzone',
    because: 'the access lands in another variable, which has the wrong owner but no redzone',
  }),
  pair(
    'global-past',
    'static int g[4]; static int *get(void) { return g; }---sink = get()[BUG(4, 3) * one];',
  ),
  pair('global-2d', 'static int g[3][4];---sink = g[one][BUG(4, 3) * one];'),
  pair(
    'after-return',
    'static int *f(void) { static int s; int x = 1; int *p = BUG(&x, &s); return p; }---int *p = f(); sink = *p;',
  ),
  pair('after-scope', 'int outer = 0; int *p = &outer; { int inner = 1; p = BUG(&inner, p); } sink = *p;'),
  pair('vla-past', 'int n = 3 + one; int a[n]; a[0] = 0; a[BUG(n, n - 1)] = 1; sink = a[0];'),
  pair('vla-bound', 'int n = BUG(-1, 1) * one; int a[n]; a[0] = 1; sink = a[0];'),
  pair('inner-array', 'struct s { char a[4]; int b; } x = {{0}, 5}; x.a[BUG(4, 3) * one] = 1; sink = x.b;'),
  pair(
    'inner-pointer',
    'struct s { char a[4]; int b; } x = {{0}, 5}; char *p = x.a; memset(p, 0, BUG(5, 4) * one); sink = x.b;',
    {
      only: 'neither',
      because: 'bounds are those of the block where a pointer was passed on (docs/limits.md)',
    },
  ),
  pair(
    'flexible',
    'struct s { int n; int a[]; } *p = malloc(sizeof *p + 8); p->n = 2; p->a[BUG(2, 1) * one] = 1; free(p);',
  ),
  // The library.
  pair('strcpy', 'char to[4]; strcpy(to, BUG("four", "abc")); sink = to[0];'),
  pair('memcpy-past', 'char to[8] = "", from[4] = "abc"; memcpy(to, from, BUG(5, 4) * one); sink = to[0];'),
  pair('memcpy-overlap', 'char a[8] = "abcdefg"; BUG(memcpy, memmove)(a + one, a, 4); sink = a[1];'),
  pair('strlen-unterminated', 'char a[3]; a[0] = a[1] = 1; a[2] = BUG(1, 0); sink = (int)strlen(a);'),
  pair('strcat', 'char a[6] = "abc"; strcat(a, BUG("def", "de")); sink = a[0];'),
  pair('sprintf', 'char a[4]; sprintf(a, "%d", BUG(1234, 123)); sink = a[0];'),
  pair('printf-text', 'char a[2] = {1, BUG(1, 0)}; printf("%s", a);'),
  pair('strtol-text', 'char a[2] = {49, BUG(50, 0)}; sink = (int)strtol(a, NULL, 10);'),
  pair('memset-null', 'memset(BUG(NULL, &(char){0}), 0, one);'),
  pair('memcmp-past', 'char a[4] = "abc", b[4] = "abc"; sink = memcmp(a, b, BUG(5, 4) * one);'),
  pair(
    'memcpy-null-nothing',
    'char a[4] = ""; char *volatile p = BUG(NULL, a); memcpy(a, p, (size_t)zero); sink = a[0];',
    {
      only: 'clang',
      because: 'C2y allows null with a length of 0, and the library declares nothing else',
    },
  ),
  // Values that were never written.
  pair('uninitialized-local', 'int x; if (BUG(zero, one)) x = 1; if (x) sink = 1;'),
  pair('uninitialized-heap', 'int *p = BUG(malloc(8), calloc(8, 1)); if (p[1]) sink = 1; free(p);'),
  pair(
    'uninitialized-arithmetic',
    'int x; if (BUG(zero, one)) x = 1; int y = x * 3 + 1; if (y > 7) sink = 2;',
  ),
  pair(
    'uninitialized-member',
    'struct s { int a, b; } x; x.a = 1; if (BUG(zero, one)) x.b = 2; struct s y = x; if (y.b) sink = 1;',
  ),
  pair(
    'uninitialized-only-member',
    'struct s { int a; }; static int f(struct s x) { return x.a; }---struct s x; if (BUG(zero, one)) x.a = 1; if (f(x)) sink = 1;',
  ),
  pair(
    'uninitialized-returned',
    'static int f(int n) { int x; if (n) x = 3; return x; }---if (f(BUG(zero, one))) sink = 1;',
  ),
  pair('uninitialized-index', 'int a[4] = {0}, i; if (BUG(zero, one)) i = 2; sink = a[i & 3];'),
  pair('uninitialized-printed', 'int x; if (BUG(zero, one)) x = 1; printf("%d", x);', {
    only: 'redzone',
    because: 'MemorySanitizer does not look at the variable arguments of printf',
  }),
  pair(
    'uninitialized-bits',
    'struct s { unsigned a : 3, b : 5; } x; x.a = 1; if (BUG(zero, one)) x.b = 1; if (x.b) sink = 1;',
  ),
  pair(
    'uninitialized-copied',
    'char a[8], b[8]; a[0] = 1; memcpy(b, a, 8); if (b[BUG(3, 0) * one]) sink = 1;',
  ),
  pair(
    'uninitialized-grown',
    'char *p = calloc(4, 1); p = realloc(p, 8); if (p[BUG(6, 2) * one]) sink = 1; free(p);',
  ),
  pair('uninitialized-written', 'char a[4]; a[0] = 10; fwrite(a, 1, (size_t)BUG(2, 1) * one, stdout);'),
  // Arithmetic.
  pair('signed-add', 'int x = INT_MAX; sink = x + BUG(one, zero);'),
  pair('signed-sub', 'int x = INT_MIN; sink = x - BUG(one, zero);'),
  pair('signed-mul', 'int x = 65536; sink = x * BUG(65536, 2) * one;'),
  pair('signed-negate', 'int x = BUG(INT_MIN, INT_MAX); sink = -x * zero;'),
  pair('signed-long', 'long x = LONG_MAX; x += BUG(one, zero); sink = x > 0;'),
  pair('signed-divide', 'int x = INT_MIN, y = BUG(-1, 1) * one; sink = x / y;'),
  pair('divide-by-zero', 'sink = 1 / BUG(zero, one);'),
  pair('remainder-by-zero', 'sink = 1 % BUG(zero, one);'),
  pair('null-plus', 'char c, *p = BUG(zero, one) ? &c : NULL; char *end = p + one; sink = end == &c + 1;', {
    only: 'clang',
    because: 'programs that work do it where a buffer may be absent; --checks +null-offset reports it',
  }),
  pair(
    'assume-aligned',
    '_Alignas(16) char a[32] = ""; char *p = __builtin_assume_aligned(a + BUG(8, 16) * one, 16); sink = *p;',
  ),
  pair('shift-too-far', 'sink = 1 << BUG(32, 3) * one;'),
  pair('shift-negative', 'sink = 1 << BUG(-1, 1) * one;'),
  pair('shift-out', 'int x = BUG(-1, 1) * one; sink = x << 2;'),
  pair('shift-right-too-far', 'unsigned x = 4; sink = (int)(x >> BUG(32, 1) * one);'),
  pair('float-to-int', 'double d = BUG(1e20, 1e5) * one; sink = (int)d;'),
  pair('float-to-unsigned', 'double d = BUG(-2.0, 2.0) * one; unsigned u = (unsigned)d; sink = (int)u;'),
  pair('nan-to-int', 'double d = BUG(0.0, 1.0) / (zero + 0.0); if (BUG(1, 0)) sink = (int)d;'),
  pair('bool-value', 'bool b; unsigned char c = BUG(2, 1); memcpy(&b, &c, 1); if (b) sink = 1;'),
  pair(
    'enum-value',
    'enum e { A, B }; enum e x; int v = BUG(7, 1); memcpy(&x, &v, 4); if (x == B) sink = 1;',
    {
      only: 'neither',
      because: 'an enum of C may hold any value of its integer type',
    },
  ),
  pair('unsigned-wraps', 'unsigned x = UINT_MAX; x += BUG(1u, 0u) * (unsigned)one; sink = (int)x;', {
    only: 'neither',
    because: 'unsigned arithmetic wraps: it is defined',
  }),
  // Pointers and promises.
  pair('null-read', 'int x = 1; int *volatile p = BUG(NULL, &x); sink = *p;'),
  pair(
    'null-member',
    'struct s { int a, b; } x = {1, 2}; struct s *volatile p = BUG(NULL, &x); sink = p->b;',
  ),
  pair(
    'misaligned',
    'char a[16] __attribute__((aligned(8))) = ""; char *volatile p = a + BUG(1, 4); sink = *(int *)p;',
  ),
  pair(
    'misaligned-store',
    'char a[16] __attribute__((aligned(8))) = ""; char *volatile p = a + BUG(2, 8); *(long *)p = 1; sink = a[2];',
  ),
  pair(
    'pointer-wraps',
    'char a[4] = ""; char *p = a; uintptr_t n = BUG(UINTPTR_MAX - 64, 2) * (uintptr_t)one; char *volatile q = p + n; sink = q != NULL;',
  ),
  pair(
    'nonnull',
    '__attribute__((nonnull)) static int f(int *p) { return p != (int *)8; }---int x = 1; int *volatile p = BUG(NULL, &x); sink = f(p);',
  ),
  pair(
    'returns-nonnull',
    'static int g; static int *pick(int n) { return n ? &g : NULL; } __attribute__((returns_nonnull)) static int *f(int n) { return pick(n); }---sink = f(BUG(zero, one)) != (int *)8;',
  ),
  pair('unreachable', 'if (BUG(one, zero)) __builtin_unreachable(); sink = 1;'),
  pair('missing-return', 'static int f(int n) { if (n) return 1; }---sink = f(BUG(zero, one));', {
    only: 'redzone',
    because: 'clang has this check for C++ only',
  }),
  pair('missing-return-unused', 'static int f(int n) { if (n) return 1; }---f(BUG(zero, one));', {
    only: 'neither',
    because: 'it is undefined only if the caller uses the value',
  }),
  pair('count-zeros', 'unsigned n = (unsigned)BUG(zero, one); sink = __builtin_ctz(n);'),
  pair(
    'function-type',
    'static int f(int n) { return n; }---int (*p)(int) = f; void *volatile v = (void *)p; sink = BUG((int)((long (*)(long, long))v)(1, 2), ((int (*)(int))v)(1));',
    {
      only: 'redzone',
      because: 'clang 14 has this check for C++ only',
    },
  ),
  pair('unsequenced', 'int i = one; int a[4] = {0}; BUG(a[i] = i++, (a[i] = i, i++)); sink = a[1] + i;', {
    only: 'redzone',
    because: 'clang warns when it compiles, and checks nothing',
  }),
];

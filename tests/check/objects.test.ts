/**
 * Objects with unusual lifetimes; each program marks its errors, and the last has none.
 */
import { expect, test } from 'vitest';
import { checkC, expectedPlaces, places } from './check-c.js';

const stack = `
  #include <alloca.h>
  #include <setjmp.h>
  #include <string.h>
  struct whole { int a[10]; };
  static int *escaped;
  static int vla(int n) {
    int a[n];
    for (int i = 0; i < n; i++) a[i] = i;
    return a[n];                                         // => stack-buffer-overflow
  }
  static void vla_out_of_scope(int n) {
    { int a[n]; a[0] = 1; escaped = a; }
    escaped[0] = 2;                                      // => use-after-scope
  }
  static char from_alloca(int n) {
    char *p = alloca(10);
    memset(p, 0, 10);
    return p[9 + n];                                     // => stack-buffer-overflow
  }
  static int by_value(struct whole x, int i) {
    escaped = x.a;
    return x.a[i];                                       // => stack-buffer-overflow
  }
  static void out_by_goto(int n) {
    { int local = 3; escaped = &local; if (n) goto out; local = 4; }
  out:
    escaped[0] = 1;                                      // => use-after-scope
  }
  static jmp_buf jump;
  static void jumps(void) { int local = 3; escaped = &local; longjmp(jump, 1); }
  int main(int argc, char **argv) {
    struct whole whole = {{0}};
    int sum = vla(4);
    vla_out_of_scope(3);
    sum += from_alloca(1);
    sum += by_value(whole, 10);
    escaped[1] = 1;                                      // => use-after-return
    out_by_goto(1);
    if (!setjmp(jump)) jumps();
    escaped[0] = 1;                                      // => use-after-return
    sum += argv[argc + 1] != 0;                          // => heap-buffer-overflow
    sum += argv[0][strlen(argv[0]) + 2];                 // => heap-buffer-overflow
    sum += "text"[argc + 4];                             // => global-buffer-overflow
    strtok("a b", " ");                                  // => write-to-constant
    return sum & 0;
  }`;

const heap = `
  #include <stdlib.h>
  #include <unistd.h>
  #include <fcntl.h>
  static int global[4];
  int main(void) {
    int *p = malloc(16), local[4] = {0}, fd = open("package.json", O_RDONLY);
    p[0] = 1;
    int *q = realloc(p, 1000);
    q[1] = p[0];                                         // => use-after-free
    q = realloc(p, 8) ? p : q;                           // => double-free
    free(local);                                         // => invalid-free
    free(global + 1);                                    // => invalid-free
    free((void *)0x12345678);                            // => invalid-free
    free(q + 1);                                         // => invalid-free
    char *none = malloc(0);
    none[0] = 1;                                         // => heap-buffer-overflow
    char *line = malloc(10), *neighbour = calloc(1, 10);
    read(fd, line, 1000);                                // => heap-buffer-overflow
    local[0] = neighbour[0];
    free(none), free(line), free(neighbour), free(q);
    close(fd);
    return local[0];
  }`;

test.each(Object.entries({ stack, heap }))('%s objects', async (_, text) => {
  const report = await checkC(text, { keepGoing: true });
  expect(places(report).sort()).toEqual(expectedPlaces(text).sort());
  expect(report.program?.exit).toBe(0);
});

test('the correct twin has no findings', async () => {
  const report = await checkC(`
    #include <alloca.h>
    #include <setjmp.h>
    #include <stdarg.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    struct whole { int a[10]; };
    static jmp_buf jump;
    static void deep(int n) {
      char pad[100];
      pad[n] = 1;
      if (n == 0) longjmp(jump, 7);
      deep(n - 1);
      if (pad[n] == 0) abort();
    }
    static int sum(struct whole whole, int n) {
      int a[n], total = 0;
      char *text = alloca((size_t)n);
      memset(text, 1, (size_t)n);
      for (int i = 0; i < n; i++) total += (a[i] = whole.a[i]) + text[i];
      return total;
    }
    static double mixed(int n, ...) {
      va_list list, copy;
      double total = 0;
      va_start(list, n);
      va_copy(copy, list);
      for (int i = 0; i < n; i++) total += va_arg(list, int) + va_arg(list, double);
      total += (double)va_arg(copy, int) + (double)va_arg(copy, double);
      va_end(copy);
      va_end(list);
      va_start(list, n);
      total += va_arg(list, int);
      va_end(list);
      return total;
    }
    int main(int argc, char **argv) {
      struct whole whole = {{1, 2, 3}};
      char kept[20] = "kept", text[40];
      if (setjmp(jump) == 0) deep(20);
      char *pointer = kept;
      if (strcmp(pointer, "kept") || sum(whole, 10) != 16) abort();
      if (mixed(2, 1, 2.0, 3, 4.0) != 14) abort();
      snprintf(text, sizeof text, "%s %Lf %lld %c", pointer, 1.5L, 5LL, 'c');
      if (strcmp(text, "kept 1.500000 5 c")) abort();
      void *aligned;
      if (posix_memalign(&aligned, 64, 100) || (size_t)aligned % 64) abort();
      free(aligned);
      free(aligned_alloc(4096, 4096));
      free(realloc(malloc(3), 300));
      return realloc(malloc(3), 0) != NULL;
    }`);
  expect(report.findings).toEqual([]);
  expect(report.program).toEqual({ exit: 0, signal: null });
});

test('a local of a returned function is distinguished from one whose scope has ended, in another call of the function too', async () => {
  const text = `
    static int *kept;
    static int call(int first) {
      int local[2] = {first, 2};
      if (first) kept = local;
      else return kept[0]; // => use-after-return
      return local[1];
    }
    static int block(void) {
      int *p;
      { int inner[2] = {1, 2}; p = inner; }
      return p[1];         // => use-after-scope
    }
    int main(void) { return call(1) + call(0) + block(); }`;
  expect(places(await checkC(text, { keepGoing: true }))).toEqual(expectedPlaces(text));
});

test('the stack of an allocation in a deep recursion ends with main, and marks the missing middle', async () => {
  const { findings } = await checkC(`#include <stdlib.h>
    static char *deep(int n) { char *p = n == 0 ? malloc(3) : deep(n - 1); return p; }
    int main(int argc, char **argv) { deep(40)[2 + argc] = 1; return 0; }`);
  const { allocated = [], omitsFrames } = findings[0]!.object!;
  expect(allocated[0]).toMatchObject({ function: 'deep', line: 2, column: 51 });
  expect(allocated.at(-1)).toMatchObject({ function: 'main', line: 3 });
  expect(omitsFrames).toBe(true);
});

test('a site with thousands of different stacks still has its nearest callers and main', async () => {
  const { findings } = await checkC(`#include <stdlib.h>
    static char *last;
    static void both(int n) {
      if (n == 0) return;
      both(n - 1);
      free(last);
      last = malloc(3);
      both(n - 1);
    }
    int main(int argc, char **argv) { both(14); last[2 + argc] = 1; return 0; }`);
  const { allocated = [], omitsFrames } = findings[0]!.object!;
  expect([allocated.map(frame => frame.line), omitsFrames]).toEqual([[7, 8, 8, 8, 8, 8, 8, 10], true]);
});

test('an element of a global is the same location whether its index is constant or not', async () => {
  const { program } = await checkC(`
    static long all[8];
    __attribute__((noinline)) static void step(int n) {
      for (int i = 0; i < n; i++) {
        all[i] = all[i] * 5 + 1;
        all[5] += 100;
      }
    }
    int main(void) { step(8); return all[5] != 2801; }`);
  expect(program).toEqual({ exit: 0, signal: null });
});

test('for a value with one uninitialized byte, the report names the whole value and its expression', async () => {
  const text = `#include <stdlib.h>
    struct node { int kind, member_count; };
    static int count(struct node *n) {
      int c = 0;
      for (int i = 0; i < n->member_count; i++) c++;
      return c;
    }
    static int either(struct node *n) {
      int c = 0;
      for (int i = 0; i < 3; i++) if (i == 2 || (n->member_count & 0xff) == 0) c++;
      return c;
    }
    int main(int argc, char **argv) {
      struct node *n = malloc(sizeof *n);
      n->kind = 1;
      for (int i = 1; i < 4; i++) ((char *)&n->member_count)[i] = 0;
      int c = argc > 1 ? either(n) : count(n);
      free(n);
      return c & 0;
    }`;
  for (const [given, line, column] of [
    [[], 5, 30],
    [['x'], 10, 53],
  ] as const) {
    const { findings } = await checkC(text, { arguments: given });
    expect(findings[0]).toMatchObject({
      code: 'uninitialized-read',
      message: 'use of 4 bytes at offset 4 of a block of 8 bytes, of which the first was never written',
      location: { line, column },
      access: { kind: 'read', bytes: 4 },
      object: { kind: 'heap', allocated: [{ line: 14 }] },
    });
  }
});

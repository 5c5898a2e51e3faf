/**
 * Members beside padding and parts of unions, whose granules are never plain: each invalid access
 * is found at its place, in a loop and outside. How valid ones are accepted is tested in
 * `pointers.test.ts`.
 */
import { expect, test } from 'vitest';
import { checkC, expectedPlaces, places } from './check-c.js';

const program = `
  #include <stdlib.h>
  struct value { int kind; union { long whole; int part; char letter; } as; };
  struct packet { char tag; int length; short port; };
  struct outer { struct { int id; } inner; void *next; };
  #define SEPARATE __attribute__((noinline)) static
  SEPARATE int kind(const struct value *v) { return v->kind; }      // => use-after-free
  SEPARATE void set(struct value *v, int k) { v->kind = k; }        // => write-to-constant
  static long sum(const struct value *all, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++)
      sum += all[i].kind;                                           // => heap-buffer-overflow
    return sum;
  }
  SEPARATE int part(const struct value *v) { return v->as.part; }   // => heap-buffer-overflow
  SEPARATE int port(const struct packet *p) {
    if (p->port) return 1;                                          // => uninitialized-read
    return 0;
  }
  SEPARATE int length(const struct packet *p) { return p->length; } // => misaligned-access
  SEPARATE int id(const struct outer *o) {
    if (o->inner.id) return 1;                                      // => uninitialized-read
    return 0;
  }
  int main(int argc, char **argv) {
    static const struct value fixed = {3, {.part = 4}};
    struct value *all = malloc(100 * sizeof *all), *one = malloc(sizeof *one);
    struct packet *p = malloc(sizeof *p);
    struct outer *o = malloc(sizeof *o);
    for (int i = 0; i < 100; i++) all[i].kind = i % 7, all[i].as.part = i;
    p->tag = 'x', p->length = 5;
    set(&all[3], 9), set(one, 2);
    long total = sum(all, 100) + kind(&fixed) + kind(one) + part(&all[65]) + length(p) + all[66].as.letter;
    switch (argv[1][0]) {
    case '1': free(one); return kind(one);
    case '2': set((struct value *)&fixed, 1); break;
    case '3': total += sum(all, 101); break;
    case '4': total += part((struct value *)((char *)all + (1l << 30))); break;
    case '5': total += port(p); break;
    case '6': total += length((struct packet *)((char *)p + 1)); break;
    case '7': total += id(o); break;
    }
    free(all), free(one), free(p), free(o);
    return total == 0;
  }`;

test.each(['quick', 'optimised'] as const)('a %s build has no findings in the correct run', async speed => {
  const report = await checkC(program, { arguments: ['0'], speed });
  expect(report).toMatchObject({ verdict: 'clean', program: { exit: 0 } });
});

test.each(expectedPlaces(program).map((place, i) => [i + 1, place]))(
  'case %i is found at its line',
  async (which, place) => {
    for (const speed of ['quick', 'optimised'] as const)
      expect(places(await checkC(program, { arguments: [String(which)], speed }))).toEqual([place]);
  },
);

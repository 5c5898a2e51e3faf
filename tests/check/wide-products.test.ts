/**
 * Checked products of 64 bits, whose factors are tested before their overflow is computed. The
 * program compares with `__builtin_mul_overflow`, which has no such test.
 */
import { expect, test } from 'vitest';
import { checkC, expectClean, expectedPlaces, places } from './check-c.js';

const program = `
  #include <limits.h>
  #include <stdlib.h>
  static long near[] = {0, 1, -1, 3, -7, INT_MAX, INT_MIN, INT_MAX + 1L, INT_MIN - 1L, UINT_MAX,
    1L << 32, -(1L << 32), 3037000499, 3037000500, 1L << 62, LONG_MAX, LONG_MIN};
  enum { N = sizeof near / sizeof *near };
  __attribute__((noinline)) static long product(long a, long b) {
    return a * b;                         // => signed-overflow
  }
  __attribute__((noinline)) static long thrice(long a) {
    return 3 * a;                         // => signed-overflow
  }
  __attribute__((noinline)) static long square(int a, long *most) {
    long wide = (long)a * a, sum = 0;
    for (int i = 0; i < 9; i++) sum += *most * i; // => signed-overflow
    return wide + sum;
  }
  int main(int argc, char **argv) {
    int which = atoi(argv[1]);
    long wanted, wrong = 0;
    for (int i = 0; i < N; i++) {
      for (int k = 0; k < N; k++)
        if (!__builtin_mul_overflow(near[i], near[k], &wanted)) wrong += product(near[i], near[k]) != wanted;
      if (!__builtin_mul_overflow(near[i], 3L, &wanted)) wrong += thrice(near[i]) != wanted;
    }
    wanted = INT_MAX;
    wrong += square(INT_MIN, &wanted) != (1L << 62) + 36L * INT_MAX;
    if (which == 1) wrong += product(3037000500, 3037000500);
    if (which == 2) wrong += thrice(LONG_MIN / 3 - 1);
    wanted = LONG_MAX / 8 + 1;
    if (which == 3) wrong += square(1, &wanted);
    return wrong != 0;
  }`;

test('products that fit have no findings', () => expectClean(program));

test.each(expectedPlaces(program).map((place, i) => [i + 1, place] as const))(
  'case %i is found at its line',
  async (which, place) => {
    for (const speed of ['quick', 'optimised'] as const)
      expect(places(await checkC(program, { arguments: [String(which)], speed }))).toEqual([place]);
  },
);

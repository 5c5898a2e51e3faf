/**
 * In a large function checks beyond its budget are calls, those of loops last: their findings are
 * the same.
 */
import { expect, test } from 'vitest';
import { checkC, expectedPlaces, places } from './check-c.js';

const program = (isFixed: boolean): string => `
  #include <stdlib.h>
  #define BUGGY(bug, fix) ${isFixed ? 'fix' : 'bug'}
  struct node { struct node *next; int value; unsigned low : 4, high : 4; };
  int main(int argc, char **argv) {
    unsigned *many = calloc(301, sizeof *many), x = 1;
    ${Array.from({ length: 300 }, (_, i) => `many[${i}] = many[${i + 1}] * 3 + argc;`).join(' ')}
    static const int fixed[2] = {1, 2};
    struct node one = {0}, *list = malloc(2 * sizeof *list), *none = argc > BUGGY(5, 0) ? &one : NULL;
    long sum = 0, *sums = malloc(4 * sizeof *sums);
    list[0].low = 1, list[1].value = 2;
    BUGGY(, (list[0].high = 1, sums[2] = 1));
    if (list[0].low == 1) x++;
    if (list[0].high == 1) x++;                 // => uninitialized-read
    long copy = sums[2];
    if (argc > 3) sum += copy;
    if (sums[2] > 3) x++;                       // => uninitialized-read
    list[BUGGY(2, 1)].value = 1;                // => heap-buffer-overflow
    none->value = 1;                            // => null-dereference
    *(int *)&BUGGY(fixed[1], one.value) = 3;    // => write-to-constant
    for (int i = 0; i < BUGGY(5, 4); i++)
      sums[i] = i;                              // => heap-buffer-overflow
    free(sums);
    BUGGY(sum += sums[1], );                    // => use-after-free
    free(list), free(many);
    return sum & 0;
  }`;

test('findings', async () => {
  const text = program(false);
  expect(places(await checkC(text, { keepGoing: true }))).toEqual(expectedPlaces(text));
});

test('the same program without errors is silent', async () => {
  expect(await checkC(program(true))).toMatchObject({ verdict: 'clean', program: { exit: 0 } });
});

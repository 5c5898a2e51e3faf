/** `--init-globals`: values that were never written, followed through global variables. */
import { expect, test } from 'vitest';
import { checkC, places } from './check-c.js';

const program = (isFixed: boolean): string => `
#include <stdlib.h>
struct pair { int a, b; };
static int number;
static struct pair both;
static int table[8];
int main(void) {
  int *p = malloc(8), count = 0;
  struct pair *q = malloc(sizeof *q);
  q->a = 1;
  both = *q;
  number = p[0];
  table[3] = p[1];
  if (both.a) count++;
  ${isFixed ? 'both.b = number = table[3] = 2;' : ''}
  if (both.b) count++; // 16
  if (number) count++;
  for (int i = 3; i < 4; i++) if (table[i]) count++;
  free(p);
  free(q);
  return count == 0;
}`;

test('a value that was never written is reported where it is used', async () => {
  const options = { keepGoing: true, initGlobals: true };
  expect(places(await checkC(program(false), options))).toEqual([
    'uninitialized-read:16',
    'uninitialized-read:17',
    'uninitialized-read:18',
  ]);
  expect(places(await checkC(program(true), options))).toEqual([]);
});

test('without the option it counts as written', async () => {
  const report = await checkC(program(false), { keepGoing: true });
  expect(places(report).filter(place => !place.endsWith(':18'))).toEqual([]);
});

/**
 * Uninitialized values are named by the object in which they were born, not by a copy: after
 * arithmetic, after stores, and through structs with one member that are passed and returned.
 */
import { expect, test } from 'vitest';
import { checkC } from './check-c.js';

const program = `
#include <stdlib.h>
struct one { int v; };
static int sink;
__attribute__((noinline)) static void argument(struct one s) { if (s.v) sink++; }
__attribute__((noinline)) static void deeper(struct one t) { argument(t); }
__attribute__((noinline)) static struct one sum(struct one a, struct one b) { struct one r = {a.v + 2 * b.v}; return r; }
__attribute__((noinline)) static struct one made(struct one in) { struct one mine; if (in.v > 77) mine.v = 1; return mine; }
int main(int argc, char **argv) {
  char byte;
  struct one passed, added, three = {3};
  int *block = malloc(8), first, second;
  deeper(passed);
  struct one result = sum(added, three), other = made(three);
  if (result.v) sink++;
  if (other.v) sink++;
  int wide[2] = {argc, argc}, *at = &wide[argc & 1];
  *at = byte + 1;
  if (wide[1] > 3) sink++;
  *at = block[1] * 5;
  wide[0] = *at - 1;
  if (wide[0]) sink++;
  if (first + argc > second * second) sink++;
  *at = 1;
  if (wide[1] > 3) sink++;
  free(block);
  return 0;
}`;

test('the origin of an uninitialized value', async () => {
  const { findings } = await checkC(program, { keepGoing: true, checks: ['init'] });
  const block = 'use of 4 bytes at offset 4 of a block of 8 bytes that were never written';
  expect(findings.map(({ location, message }) => `${location.line}: ${message}`)).toEqual([
    '5: use of `passed`, which was never written',
    '15: use of `added`, which was never written',
    '16: use of `other`, which was never written',
    '19: use of `byte`, which was never written',
    `22: ${block}`,
    '23: use of `first`, which was never written',
    '23: use of `second`, which was never written',
  ]);
});

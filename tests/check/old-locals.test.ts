/** Locals that were declared long ago are described as well as new ones. */
import { expect, test } from 'vitest';
import { check } from '../../src/index.js';

/** The monitor's ring of locals has 65,536 entries. */
const program = (name: string, text: string) => ({
  inputs: [
    {
      name,
      text: `#include <stdlib.h>
        __attribute__((noinline)) static int touch(volatile char *p) { return p[0] = 1; }
        __attribute__((noinline)) static int leaf(void) { char local[8]; return touch(local); }
        ${text}`,
    },
  ],
});

test('a local of main, after a hundred thousand others', async () => {
  const { findings } = await check(
    program(
      'after.c',
      `int main(void) {
        char mine[16];
        int sum = touch(mine);
        for (int i = 0; i < 100000; i++) sum += leaf();
        mine[sum - 99985] = 1;
        return 0;
      }`,
    ),
  );
  expect(findings.map(({ message }) => message)).toEqual([
    'write of 1 byte just after the end of `mine` of 16 bytes',
  ]);
});

test('a local below a recursion whose frames all have one', async () => {
  const { findings } = await check(
    program(
      'below.c',
      `static int descend(int depth, char *first) {
        char local[8];
        int sum = touch(local);
        if (depth == 0) return first[sum + 15] = 1;
        return descend(depth - 1, first) + local[0];
      }
      static int again(char *first) { return descend(60000, first); }
      int main(void) {
        char ours[32], mine[16];
        int sum = touch(ours) + touch(mine);
        for (int i = 0; i < 3; i++) sum += again(ours);
        return again(mine) == sum;
      }`,
    ),
  );
  expect(findings.map(({ message }) => message)).toEqual([
    'write of 1 byte just after the end of `mine` of 16 bytes',
  ]);
});

test('a local that a loop contract exempts', async () => {
  const { findings } = await check({
    acsl: 'on',
    ...program(
      'loop.c',
      `int main(void) {
        int seen[2] = {0};
        /*@ loop assigns i, seen[0 .. 1]; */
        for (int i = 0; i < 100000; i++) seen[i & 1] += leaf();
        //@ assert \\block_length(&seen[0]) == 8;
        return seen[1] != 50000;
      }`,
    ),
  });
  expect(findings).toEqual([]);
});

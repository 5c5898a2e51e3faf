/**
 * A program that was compiled with clang's checks of arithmetic, and then without them again, is
 * the program that clang makes without.
 */
import { expect, test } from 'vitest';
import { makeChecksFatal } from '../../src/api/fatal-checks.js';
import { sharedToolchain } from '../../src/api/shared-toolchain.js';
import { arithmeticFlags } from '../../src/findings/undefined-arithmetic.js';
import { readIr } from '../../src/front/link-program.js';
import { valueOrThrow } from '../../src/front/step-outcome.js';
import type { Module } from '../../src/ir/model.js';
import { verifyModule } from '../../src/ir/verify.js';
import { makeArithmeticPlain } from '../../src/passes/plain-arithmetic.js';

const text = `
  int sums(int a, int b, short s) {
    int r = a + b * 3 - (a > b ? a - b : -b);
    for (int i = 0; i < a; i++) r += s++ ? i * r : ++s;
    return __builtin_sadd_overflow(a, b, &r) ? 1 : r;
  }
  long quotients(long a, long b, unsigned u, double d) {
    return a / b + a % b + u / 7u + u % 3 + (int)d + (unsigned long)(d * 2) + (b ? a / (b + 1) : a / 0);
  }
  long shifts(int a, int b, unsigned u) {
    return (u << b) + (u >> b) + (a >> b) + (a << b) + (a << 3);
  }`;

async function compile(flags: readonly string[], program = text): Promise<Module> {
  const source = { path: 'plain.c', content: new TextEncoder().encode(program) };
  const toolchain = await sharedToolchain();
  return valueOrThrow(readIr(valueOrThrow(await toolchain.compileToIr(source, { flags })), 'plain.c'));
}

/** What each block does, in order. */
const shapeOf = ({ functions }: Module): string[][] =>
  functions.flatMap(({ blocks }) =>
    blocks.map(({ instructions }) =>
      instructions.map(each => `${each.op}${'flags' in each ? ` ${each.flags}` : ''}`),
    ),
  );

test('the result of abs, which clang marks like its check, stays', async () => {
  const checked = await compile(
    arithmeticFlags(['-w']),
    'int sum(int a, int b) { return __builtin_abs(a) + b / __builtin_abs(b); }',
  );
  makeChecksFatal([checked]);
  makeArithmeticPlain(checked);
  expect(verifyModule(checked)).toEqual([]);
});

test('only the checks that only clang can make remain', async () => {
  const checked = await compile(arithmeticFlags(['-w']));
  const plain = await compile(['-w', '-fsanitize=shift-base']);
  expect(shapeOf(checked)).not.toEqual(shapeOf(plain));
  makeChecksFatal([checked]);
  makeArithmeticPlain(checked);
  expect(verifyModule(checked)).toEqual([]);
  expect(shapeOf(checked)).toEqual(shapeOf(plain));
});

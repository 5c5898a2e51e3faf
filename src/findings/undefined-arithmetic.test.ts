import { expect, test } from 'vitest';
import { arithmeticFacts, arithmeticFlags, type DataReader } from './undefined-arithmetic.js';
import { describeArithmetic } from './words/arithmetic-words.js';

/**
 * A description at 0 whose types are given as clang writes them; values of more than 64 bits lie in
 * `wide`, by address.
 */
function memoryWith(types: readonly string[], kindAndInfo: number, wide: readonly bigint[] = []): DataReader {
  return {
    word: () => kindAndInfo,
    target: Number,
    cString: address => types[Math.floor(address / 1000) - 1]!,
    bytes: (address, length) => {
      const value = address < 16 ? wide[address]! : BigInt(1000 * (1 + (address - 16) / 8));
      return Uint8Array.from({ length }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn));
    },
  };
}

const integer = (log2Bits: number): number => ((2 * log2Bits + 1) << 16) | 0;
const explain = (name: string, args: readonly bigint[], memory: DataReader): string =>
  describeArithmetic(arithmeticFacts(`__ubsan_handle_${name}_abort`, 0, args, memory)).message;

test('types have the names that the program uses', () => {
  const asLong = memoryWith(["'int64_t' (aka 'long')"], integer(6));
  expect(explain('mul_overflow', [2n ** 62n, 5n], asLong)).toBe(
    '4611686018427387904 * 5 does not fit in `int64_t`',
  );
  expect(explain('negate_overflow', [2n ** 63n], memoryWith(["'long'"], integer(6)))).toBe(
    '-(-9223372036854775808) does not fit in `long`',
  );
});

test('a `_BitInt` has the width that its name states', () => {
  const bitInt = (info: number) => (info << 16) | 2;
  const wide = memoryWith(["'_BitInt(100)'", "'_BitInt(100)'"], bitInt(15), [3n, 2n ** 100n - 5n]);
  expect(explain('shift_out_of_bounds', [0n, 1n], wide)).toBe('a shift by -5, which is negative');
  expect(explain('mul_overflow', [0n, 1n], wide)).toBe('3 * -5 does not fit in `_BitInt(100)`');
  const unsigned = memoryWith(
    ["'flags' (aka 'unsigned _BitInt(7)')", "'flags' (aka 'unsigned _BitInt(7)')"],
    6 << 16,
  );
  expect(explain('shift_out_of_bounds', [1n, 9n], unsigned)).toBe('a shift of a 7-bit value by 9');
});

test('a division of wide integers distinguishes zero from minus one', () => {
  const wide = memoryWith(["'__int128'"], integer(7), [7n, 0n, 2n ** 127n, 2n ** 128n - 1n]);
  expect(explain('divrem_overflow', [0n, 1n], wide)).toBe('7 is divided by zero');
  expect(explain('divrem_overflow', [2n, 3n], wide)).toBe(
    '-170141183460469231731687303715884105728 / -1 does not fit in `__int128`',
  );
});

test('with -fwrapv, sums that wrap are not reported', () => {
  expect(arithmeticFlags().join()).toContain('signed-integer-overflow');
  const [given, checks] = arithmeticFlags(['-fwrapv']);
  expect(given).toBe('-fwrapv');
  expect(checks).not.toContain('signed-integer-overflow');
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { doubleBits, singleBits } from '../constants.js';
import type { FloatKind } from '../types.js';
import { floatBitsFromText, floatTextFromBits } from './float-text.js';

const widths: readonly (readonly [FloatKind, number])[] = [
  ['half', 16],
  ['bfloat', 16],
  ['float', 32],
  ['double', 64],
  ['x86_fp80', 80],
  ['fp128', 128],
  ['ppc_fp128', 128],
];

test.each(widths)('any bits of %s are unchanged after writing and reading', (format, width) => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: (1n << BigInt(width)) - 1n }), bits => {
      expect(floatBitsFromText(floatTextFromBits(bits, format), format)).toBe(bits);
    }),
    { numRuns: 300, seed: 5 },
  );
});

/** JavaScript leaves out the sign of zero. */
function decimal(value: number): string {
  return (Object.is(value, -0) ? '-' : '') + value.toExponential();
}

test('a decimal is exact or rejected', () => {
  fc.assert(
    fc.property(fc.double(), fc.float(), (double, single) => {
      if (Number.isFinite(double))
        expect(floatBitsFromText(decimal(double), 'double')).toBe(doubleBits(double));
      if (!Number.isFinite(single)) return;
      expect(floatBitsFromText(decimal(single), 'float')).toBe(singleBits(single));
      const held = Object.is(Math.fround(double), double);
      if (Number.isFinite(double))
        expect(floatBitsFromText(decimal(double), 'float') !== undefined).toBe(held);
    }),
    { numRuns: 300, seed: 5 },
  );
});

test.each([
  ['1.500000e+00', 'half', 0x3e00n],
  ['-2.0', 'half', 0xc000n],
  ['65504.0', 'half', 0x7bffn],
  ['65520.0', 'half', undefined],
  ['5.9604644775390625e-08', 'half', 1n],
  ['2.98023223876953125e-08', 'half', undefined],
  ['1.0', 'bfloat', 0x3f80n],
  ['0.1', 'bfloat', undefined],
  ['1.0', 'fp128', undefined],
  ['0xH3C00', 'float', undefined],
  ['0x7FF0000000000001', 'double', 0x7ff0000000000001n],
] as const)('%s as %s', (text, format, bits) => {
  expect(floatBitsFromText(text, format)).toBe(bits);
});

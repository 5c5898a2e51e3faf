/** Generated lines for `programs/printf-driver.c`. */
import { Random } from '../../src/support/random.js';

const hex = (value: bigint) => BigInt.asUintN(64, value).toString(16);

function pick<T>(random: Random, items: readonly T[]): T {
  return items[random.below(items.length)]!;
}

function flags(random: Random, alphabet: string): string {
  let text = '';
  for (const flag of alphabet) if (random.below(4) === 0) text += flag;
  return text;
}

function widthAndPrecision(random: Random, most: number): string {
  const width = random.below(3) === 0 ? String(1 + random.below(40)) : '';
  const precision = random.below(2) === 0 ? `.${random.below(10) === 0 ? '' : random.below(most)}` : '';
  return width + precision;
}

function integerBits(random: Random): bigint {
  const bits = (BigInt(random.uint32()) << 32n) | BigInt(random.uint32());
  const shifted = bits >> BigInt(random.below(64));
  return pick(random, [shifted, shifted, -shifted, 0n, 1n, -1n, 1n << 63n, (1n << 63n) - 1n]);
}

/**
 * Doubles of all sizes: any bits, everyday decimals, powers of two, halves that must round to even.
 */
export function doubleBits(random: Random): bigint {
  const view = new DataView(new ArrayBuffer(8));
  const number = pick(random, [
    () => {
      view.setUint32(0, random.uint32());
      view.setUint32(4, random.uint32());
      return view.getFloat64(0);
    },
    () => random.below(1_000_000) / 10 ** random.below(8),
    () => (random.below(2) ? 1 : -1) * 2 ** (random.below(2100) - 1074),
    () => random.below(1000) + 0.5,
    () => (random.below(4000) + 0.5) / 2 ** random.below(12),
    () => random.uint32() * 10 ** (random.below(40) - 20),
    () => pick(random, [0, -0, 1, 10, 9.5, 99.5, 0.5, 1.5, 2.5, 1e23, 5e-324, 1.7976931348623157e308]),
    () =>
      pick(random, [
        Infinity,
        -Infinity,
        2.2250738585072014e-308,
        2.225073858507201e-308,
        1e15,
        1e16,
        123456,
      ]),
  ])();
  view.setFloat64(0, number);
  return view.getBigUint64(0);
}

export function printfCases(seed: number, count: number): string[] {
  const random = new Random(seed);
  const lines: string[] = [];
  const integers = ['d', 'i', 'u', 'o', 'x', 'X'];
  const floats = ['f', 'e', 'g', 'F', 'E', 'G', 'a', 'A', 'g', 'f', 'e'];
  while (lines.length < count) {
    const kind = random.below(20);
    if (kind < 4) {
      const length = pick(random, ['', 'hh', 'h']);
      const format = `<%${flags(random, '-+ #0')}${widthAndPrecision(random, 30)}${length}${pick(random, integers)}>`;
      lines.push(`i\t${format}\t${hex(BigInt.asUintN(32, integerBits(random)))}`);
    } else if (kind < 7) {
      const length = pick(random, ['l', 'll', 'j', 'z', 't']);
      const format = `%${flags(random, '-+ #0')}${widthAndPrecision(random, 90)}${length}${pick(random, integers)}|`;
      lines.push(`l\t${format}\t${hex(integerBits(random))}`);
    } else if (kind < 15) {
      const most = pick(random, [6, 20, 20, 60, 400]);
      const format = `<%${flags(random, '-+ #0')}${widthAndPrecision(random, most)}${pick(random, floats)}>`;
      lines.push(`f\t${format}\t${hex(doubleBits(random))}`);
    } else if (kind < 16) {
      const text = 'the quick brown fox'.slice(0, random.below(20));
      lines.push(`s\t<%${flags(random, '-')}${widthAndPrecision(random, 30)}s>\t${text}`);
    } else if (kind < 17) {
      lines.push(
        `n\t${pick(random, ['%ld', 'abcdef%ldxyz', '%20ld', '%-20ldq', '1234567%ld'])}\t${hex(integerBits(random))}`,
      );
    } else if (kind < 19) {
      const conversion = pick(random, floats);
      const format = pick(random, [
        `%*${conversion}`,
        `%.*${conversion}`,
        `%-*${conversion}|`,
        `%0*${conversion}`,
      ]);
      lines.push(`2\t${format}\t${hex(doubleBits(random))}`);
    } else {
      const format = pick(random, [
        '%2$ld %1$d',
        '%4$s:%2$lx %3$.*1$f',
        '%3$*1$g|%2$lx',
        '%4$-*1$s|%4$s %2$ld %2$ld%3$.0f',
        '%1$d%%%2$+ld%3$a%4$.2s',
      ]);
      lines.push(`p\t${format}\t${hex(integerBits(random))}`);
    }
  }
  return lines;
}

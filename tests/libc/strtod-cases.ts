/**
 * Generated numbers as text for `programs/strtod-driver.c`: everyday, extreme, exactly between two
 * doubles, broken.
 */
import { Random } from '../../src/support/random.js';
import { doubleBits } from './printf-cases.js';

function pick<T>(random: Random, items: readonly T[]): T {
  return items[random.below(items.length)]!;
}

function digits(random: Random, count: number): string {
  let text = '';
  for (let i = 0; i < count; i++) text += random.below(10);
  return text;
}

const view = new DataView(new ArrayBuffer(8));

/** A positive finite double as significand * 2^exponent. */
function takeApart(bits: bigint): [bigint, number] {
  const field = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & ((1n << 52n) - 1n);
  return field === 0 ? [fraction, -1074] : [fraction | (1n << 52n), field - 1075];
}

/**
 * The exact decimal expansion of the point between this double and the next, perhaps moved by a
 * hair.
 */
function halfway(random: Random): string {
  let bits = doubleBits(random) & ((1n << 63n) - 1n);
  if (bits >> 52n === 0x7ffn) bits = 1n << 52n;
  const [significand, exponent] = takeApart(bits);
  const middle = 2n * significand + 1n;
  const power = exponent - 1;
  let text =
    power >= 0
      ? `${(middle << BigInt(power)).toString()}.0`
      : (() => {
          const scaled = (middle * 5n ** BigInt(-power)).toString().padStart(-power + 1, '0');
          return `${scaled.slice(0, power)}.${scaled.slice(power)}`;
        })();
  if (random.below(3) === 0) text += pick(random, ['1', '00000000001', '0000']);
  if (random.below(4) === 0) text = text.replace(/[1-9](?=[^1-9]*$)/, last => String(Number(last) - 1));
  return text;
}

export function strtodCases(seed: number, count: number): string[] {
  const random = new Random(seed);
  const kinds: (() => string)[] = [
    () => {
      view.setBigUint64(0, doubleBits(random));
      return String(view.getFloat64(0));
    },
    () => `${digits(random, 1 + random.below(18))}.${digits(random, random.below(18))}`,
    () => `${digits(random, 1 + random.below(25))}e${random.below(700) - 360}`,
    () => `.${digits(random, 1 + random.below(40))}E${pick(random, ['', '+', '-'])}${random.below(320)}`,
    () => `${digits(random, 1 + random.below(900))}e-${random.below(1200)}`,
    () => `0.${'0'.repeat(random.below(400))}${digits(random, 1 + random.below(30))}`,
    () => halfway(random),
    () => halfway(random),
    () =>
      `${pick(random, ['0x', '0X'])}${random.uint32().toString(16)}.${random.uint32().toString(16)}${random.uint32().toString(16)}p${random.below(2300) - 1150}`,
    () =>
      `0x${pick(random, ['', '0', '1', '.8', '0.00000000001', 'ffffffffffffffffff.8'])}p${random.below(20) - 1080}`,
    () =>
      `0x1.${pick(random, ['ffffff', '000001', 'fffffffffffff8', 'fffffffffffff7ff'])}p-${1020 + random.below(60)}`,
    () =>
      pick(random, [
        'inf',
        'INFINITY',
        'infinit',
        'nan',
        'NaN(12_a)',
        'nan(',
        'nan(x!)',
        '-nan',
        '-inf',
        'i',
        'na',
      ]),
    () =>
      pick(random, [
        '',
        '.',
        '+',
        '-.',
        'e5',
        '0x',
        '0x.',
        '0xg',
        '1e',
        '1e+',
        '1e+x',
        '1.2.3',
        '0x1p',
        '--1',
        ' \t 7',
      ]),
    () =>
      `${pick(random, ['1', '0', '0.0', '123'])}e${pick(random, ['99999999999999999999', '-99999999999999999999', '400', '-400'])}`,
    () =>
      pick(random, [
        '1.7976931348623158e308',
        '1.7976931348623159e308',
        '2.4703282292062327e-324',
        '2.4703282292062328e-324',
        '3.4028235677973366e38',
        '1.1754943508222875e-38',
        '7.006492321624085e-46',
        '9007199254740993',
        '1e23',
      ]),
  ];
  return Array.from({ length: count }, () => {
    const text = pick(random, kinds)();
    return `${pick(random, ['', '', '-', '+', '  '])}${text}${pick(random, ['', '', 'x', ' 1'])}`;
  });
}

/**
 * The driver's lines without what may differ: glibc forgets bits beyond the 53rd of hexadecimal
 * numbers below the normal range, so errno is not compared for those (and a number such as
 * 0x1.00000000000008p-1075, which it rounds to 0, is not generated).
 */
export function comparable(cases: readonly string[], lines: readonly string[]): string[] {
  return cases.map((text, i) => {
    const [bits, end, number, smallBits, smallEnd, smallNumber] = (lines[i] ?? '').split(' ');
    return (
      /0x/i.test(text)
        ? [bits, end, smallBits, smallEnd]
        : [bits, end, number, smallBits, smallEnd, smallNumber]
    ).join(' ');
  });
}

/**
 * The 128-bit floating-point format in exact arithmetic: what printf and strtold must agree with.
 */
import type { Random } from '../../src/support/random.js';

/** The value is significand * 2^exponent, with a sign. */
export interface Quad {
  negative: boolean;
  significand: bigint;
  exponent: number;
}

const fractionBits = 112;
const lowestExponent = 1 - 16383 - fractionBits;
const highestExponent = 0x7ffe - 16383 - fractionBits;

/** A finite quad; `wild` ones have any exponent, the others are of everyday size. */
export function randomQuad(random: Random, wild: boolean): Quad {
  let significand = 0n;
  for (let i = 0; i < 4; i++) significand = (significand << 32n) | BigInt(random.uint32());
  significand = (significand >> 15n) | (1n << 112n);
  significand &= (1n << 113n) - 1n;
  if (random.below(3) === 0) significand = (significand >> 80n) << 80n;
  const exponent = wild
    ? lowestExponent + random.below(highestExponent - lowestExponent)
    : random.below(260) - 112 - 130;
  return { negative: random.below(2) === 1, significand, exponent };
}

/** The 32 hexadecimal digits of its representation, the sign first. */
export function quadHex({ negative, significand, exponent }: Quad): string {
  const isNormal = significand >> 112n !== 0n;
  const field = isNormal ? BigInt(exponent + fractionBits + 16383) : 0n;
  const bits = (negative ? 1n << 127n : 0n) | (field << 112n) | (significand & ((1n << 112n) - 1n));
  return bits.toString(16).padStart(32, '0');
}

/** round(numerator / denominator), ties to even. */
function divideRounding(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const isUp = twice > denominator || (twice === denominator && (quotient & 1n) === 1n);
  return isUp ? quotient + 1n : quotient;
}

function ratio({ significand, exponent }: Quad): [bigint, bigint] {
  return exponent >= 0 ? [significand << BigInt(exponent), 1n] : [significand, 1n << BigInt(-exponent)];
}

/** As `%.{precision}Lf` and `%.{precision}Le` print it. */
export function decimalOf(quad: Quad, style: 'f' | 'e', precision: number): string {
  const sign = quad.negative ? '-' : '';
  const [numerator, denominator] = ratio(quad);
  if (style === 'f') {
    const scaled = divideRounding(numerator * 10n ** BigInt(precision), denominator);
    return sign + withPoint(scaled.toString(), precision);
  }
  if (numerator === 0n) return `${sign}${withPoint('0'.repeat(precision + 1), precision)}e+00`;
  let power = decimalExponent(numerator, denominator);
  let digits = significant(numerator, denominator, power, precision);
  if (digits.length > precision + 1) {
    power++;
    digits = digits.slice(0, -1);
  }
  const exponent = `${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
  return `${sign}${withPoint(digits, precision)}e${exponent}`;
}

function withPoint(digits: string, precision: number): string {
  const padded = digits.padStart(precision + 1, '0');
  if (precision === 0) return padded;
  return `${padded.slice(0, -precision)}.${padded.slice(-precision)}`;
}

function significant(numerator: bigint, denominator: bigint, power: number, precision: number): string {
  const shift = precision - power;
  const scaled =
    shift >= 0
      ? divideRounding(numerator * 10n ** BigInt(shift), denominator)
      : divideRounding(numerator, denominator * 10n ** BigInt(-shift));
  return scaled.toString();
}

/** The power p with 10^p <= numerator / denominator < 10^(p + 1). */
function decimalExponent(numerator: bigint, denominator: bigint): number {
  const least = (power: number) =>
    power >= 0
      ? numerator >= denominator * 10n ** BigInt(power)
      : numerator * 10n ** BigInt(-power) >= denominator;
  let power = numerator.toString().length - denominator.toString().length;
  while (!least(power)) power--;
  while (least(power + 1)) power++;
  return power;
}

/** The quad nearest to digits * 10^power, ties to even; undefined if it overflows. */
export function nearestQuad(digits: bigint, power: number): Quad | undefined {
  const negative = false;
  if (digits === 0n) return { negative, significand: 0n, exponent: lowestExponent };
  const numerator = power >= 0 ? digits * 10n ** BigInt(power) : digits;
  const denominator = power >= 0 ? 1n : 10n ** BigInt(-power);
  const length = (n: bigint) => n.toString(2).length;
  let exponent = Math.max(lowestExponent, length(numerator) - length(denominator) - 113);
  for (;;) {
    const significand =
      exponent >= 0
        ? divideRounding(numerator, denominator << BigInt(exponent))
        : divideRounding(numerator << BigInt(-exponent), denominator);
    if (significand < 1n << 113n) {
      return exponent > highestExponent ? undefined : { negative, significand, exponent };
    }
    exponent++;
  }
}

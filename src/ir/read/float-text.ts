/**
 * LLVM's notations for floating-point constants, to bits and back.
 *
 * ```
 *   1.5, 1.0e+00   decimal, for any format up to double
 *   0x<16 digits>  the bits of a double, also for `float`, whose value it must hold exactly
 *   0xH<4>  half   0xR<4>  bfloat   0xK<20>  x86_fp80
 *   0xL<32> fp128, 0xM<32> ppc_fp128: the low 64 bits come first
 * ```
 * NaNs are converted bit by bit: a round trip through a JavaScript number may change their payload.
 */
import { unreachable } from '../../support/assert.js';
import { doubleBits, doubleFromBits, singleBits, singleFromBits } from '../constants.js';
import type { FloatKind } from '../types.js';

const singleNaNShift = 29n;

/** The bits of a constant of this format, or undefined if the text is none. */
export function floatBitsFromText(text: string, format: FloatKind): bigint | undefined {
  if (!text.startsWith('0x')) return fromDouble(doubleBits(Number(text)), format);
  const letter = /^0x([HRKLM]?)([0-9a-fA-F]+)$/.exec(text);
  if (letter === null) return undefined;
  const digits = letter[2]!;
  switch (letter[1]) {
    case '':
      return digits.length <= 16 ? fromDouble(BigInt(`0x${digits}`), format) : undefined;
    case 'H':
      return format === 'half' && digits.length <= 4 ? BigInt(`0x${digits}`) : undefined;
    case 'R':
      return format === 'bfloat' && digits.length <= 4 ? BigInt(`0x${digits}`) : undefined;
    case 'K':
      return format === 'x86_fp80' && digits.length <= 20 ? BigInt(`0x${digits}`) : undefined;
    default: {
      const wanted = letter[1] === 'L' ? 'fp128' : 'ppc_fp128';
      if (format !== wanted || digits.length > 32) return undefined;
      const padded = digits.padStart(32, '0');
      return (BigInt(`0x${padded.slice(16)}`) << 64n) | BigInt(`0x${padded.slice(0, 16)}`);
    }
  }
}

function fromDouble(bits: bigint, format: FloatKind): bigint | undefined {
  switch (format) {
    case 'double':
      return bits;
    case 'float':
      return singleFromDouble(bits);
    case 'half':
      return narrow(bits, 5, 10);
    case 'bfloat':
      return narrow(bits, 8, 7);
    case 'x86_fp80':
    case 'fp128':
    case 'ppc_fp128':
      return undefined;
    default:
      return unreachable(format);
  }
}

/** LLVM refuses a constant that `float` cannot hold, and so do we. */
function singleFromDouble(bits: bigint): bigint | undefined {
  const sign = (bits >> 63n) << 31n;
  if (isNaNBits(bits)) return sign | 0x7f80_0000n | ((bits >> singleNaNShift) & 0x7f_ffffn);
  const value = doubleFromBits(bits);
  return Object.is(Math.fround(value), value) ? singleBits(value) : undefined;
}

function doubleFromSingle(bits: bigint): bigint {
  const mantissa = bits & 0x7f_ffffn;
  if ((bits & 0x7f80_0000n) !== 0x7f80_0000n || mantissa === 0n) return doubleBits(singleFromBits(bits));
  return ((bits >> 31n) << 63n) | 0x7ff0_0000_0000_0000n | (mantissa << singleNaNShift);
}

function isNaNBits(bits: bigint): boolean {
  return (bits & 0x7ff0_0000_0000_0000n) === 0x7ff0_0000_0000_0000n && (bits & 0xf_ffff_ffff_ffffn) !== 0n;
}

/** A double's bits in a smaller format, if that holds the value exactly. */
function narrow(bits: bigint, exponentBits: number, mantissaBits: number): bigint | undefined {
  const bias = 2 ** (exponentBits - 1) - 1;
  const sign = (bits >> 63n) << BigInt(exponentBits + mantissaBits);
  const drop = BigInt(52 - mantissaBits);
  const mantissa = bits & 0xf_ffff_ffff_ffffn;
  const exponent = Number((bits >> 52n) & 0x7ffn);
  if (exponent === 0x7ff) {
    const top = ((1n << BigInt(exponentBits)) - 1n) << BigInt(mantissaBits);
    return sign | top | (mantissa >> drop);
  }
  if (exponent === 0 && mantissa === 0n) return sign;
  const target = exponent - 1023 + bias;
  if (target >= 2 ** exponentBits - 1) return undefined;
  const significand = mantissa | (exponent === 0 ? 0n : 1n << 52n);
  const shift = drop + (target > 0 ? 0n : BigInt(1 - target));
  const rounded = significand >> shift;
  if (rounded << shift !== significand) return undefined;
  const field = target > 0 ? BigInt(target) << BigInt(mantissaBits) : 0n;
  return sign | (field + (target > 0 ? rounded - (1n << BigInt(mantissaBits)) : rounded));
}

/** The notation that LLVM itself would choose. */
export function floatTextFromBits(bits: bigint, format: FloatKind): string {
  switch (format) {
    case 'double':
      return doubleText(bits);
    case 'float':
      return doubleText(doubleFromSingle(bits));
    case 'half':
      return `0xH${hexadecimal(bits, 4)}`;
    case 'bfloat':
      return `0xR${hexadecimal(bits, 4)}`;
    case 'x86_fp80':
      return `0xK${hexadecimal(bits, 20)}`;
    case 'fp128':
    case 'ppc_fp128': {
      const low = hexadecimal(bits & 0xffff_ffff_ffff_ffffn, 16);
      return `0x${format === 'fp128' ? 'L' : 'M'}${low}${hexadecimal(bits >> 64n, 16)}`;
    }
  }
}

function doubleText(bits: bigint): string {
  const value = doubleFromBits(bits);
  if (Number.isFinite(value)) {
    const short = value.toExponential(6);
    if (Object.is(Number(short), value) || value === 0) {
      const sign = Object.is(value, -0) ? '-' : '';
      return sign + short.replace(/e([-+])([0-9])$/, 'e$10$2');
    }
  }
  return `0x${hexadecimal(bits, 16)}`;
}

function hexadecimal(bits: bigint, digits: number): string {
  return bits.toString(16).toUpperCase().padStart(digits, '0');
}

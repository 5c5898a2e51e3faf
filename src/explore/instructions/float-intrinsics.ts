/**
 * Mathematical intrinsics on float and double: concrete arguments are computed by JavaScript,
 * symbolic ones become terms.
 */

import { floatSquareRoot } from '../../expr/float-arithmetic.js';
import { floatToWhole, type WholeRounding } from '../../expr/float-rounding.js';
import { floatAbsolute, floatCopySign, floatExtreme, isOfFloatClass } from '../../expr/float-terms.js';
import * as V from '../../expr/value.js';
import { undefinedResult } from '../access/undefined-use.js';
import type { Native } from '../state/decoded.js';
import type { Decisions } from '../state/running.js';
import {
  QUAD_SIGN,
  quadCompare,
  quadOperation,
  quadRound,
  quadSquareRoot,
  type Rounding,
} from '../values/quad.js';
import { isSymbolic, known, type Scalar } from '../values/register-value.js';
import { type FloatOperation, floatTerm, formatOf, knownFloat } from '../values/symbolic-floats.js';
import { type Floats, floatArithmetic } from './float.js';

type Compute = (a: number, b: number, c: number) => number;

function roundToEven(x: number): number {
  const down = Math.floor(x);
  const rest = x - down;
  if (rest !== 0.5) return rest < 0.5 ? withSign(down, x) : withSign(down + 1, x);
  return withSign(down % 2 === 0 ? down : down + 1, x);
}

/** A rounded value keeps the sign of its argument, also if it is zero. */
function withSign(rounded: number, of: number): number {
  return rounded === 0 && (of < 0 || Object.is(of, -0)) ? -0 : rounded;
}

function copySign(magnitude: number, sign: number): number {
  const isNegative = sign < 0 || Object.is(sign, -0);
  return isNegative ? -Math.abs(magnitude) : Math.abs(magnitude);
}

const computations: Record<string, Compute> = {
  fabs: Math.abs,
  sqrt: Math.sqrt,
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
  rint: roundToEven,
  nearbyint: roundToEven,
  roundeven: roundToEven,
  round: x => (Math.abs(x) < 2 ** 52 ? copySign(Math.floor(Math.abs(x) + 0.5), x) : x),
  copysign: copySign,
  minnum: (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b)),
  maxnum: (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b)),
  minimum: Math.min,
  maximum: Math.max,
  canonicalize: x => x,
};

const wholes = (rounding: WholeRounding): FloatOperation => {
  return (terms, format, x) => floatToWhole(terms, format, rounding, x!);
};

/** Operations that are exact, or round only to a whole number. */
const smallTerms: Record<string, FloatOperation> = {
  fabs: (terms, _format, x) => floatAbsolute(terms, x!),
  copysign: (terms, _format, x, sign) => floatCopySign(terms, x!, sign!),
  canonicalize: (_terms, _format, x) => x!,
  minnum: (terms, format, a, b) => floatExtreme(terms, format, 'least', 'other', a!, b!),
  maxnum: (terms, format, a, b) => floatExtreme(terms, format, 'greatest', 'other', a!, b!),
  minimum: (terms, format, a, b) => floatExtreme(terms, format, 'least', 'itself', a!, b!),
  maximum: (terms, format, a, b) => floatExtreme(terms, format, 'greatest', 'itself', a!, b!),
  floor: wholes('floor'),
  ceil: wholes('ceil'),
  trunc: wholes('trunc'),
  rint: wholes('even'),
  nearbyint: wholes('even'),
  roundeven: wholes('even'),
  round: wholes('away'),
};

/** The result for a symbolic argument; undefined if it is not computed as a term. */
function symbolicResult(
  { terms, floats }: Floats,
  name: string,
  width: number,
  args: readonly Scalar[],
): Scalar | undefined {
  if (name === 'sqrt') return floats.result((t, format, x) => floatSquareRoot(t, format, x!), width, args);
  const build = smallTerms[name];
  const operands = args.map(arg => floatTerm(terms, width, arg));
  return build && knownFloat(build(terms, formatOf(width), ...operands));
}

/** The bits of `llvm.is.fpclass`'s mask. */
function classOf(x: number, width: number): number {
  if (Number.isNaN(x)) return 1 << 1;
  const isNegative = x < 0 || Object.is(x, -0);
  if (Math.abs(x) === Number.POSITIVE_INFINITY) return isNegative ? 1 << 2 : 1 << 9;
  if (x === 0) return isNegative ? 1 << 5 : 1 << 6;
  const isSubnormal = Math.abs(x) < (width === 32 ? 2 ** -126 : 2 ** -1022);
  if (isSubnormal) return isNegative ? 1 << 4 : 1 << 7;
  return isNegative ? 1 << 3 : 1 << 8;
}

/** The same for the bits of a long double. */
function quadClassOf(bits: bigint): number {
  const isNegative = (bits & QUAD_SIGN) !== 0n;
  const exponent = (bits >> 112n) & 0x7fffn;
  const isWhole = (bits & ((1n << 112n) - 1n)) === 0n;
  if (exponent === 0x7fffn) return isWhole ? (isNegative ? 1 << 2 : 1 << 9) : 1 << 1;
  if (exponent > 0n) return isNegative ? 1 << 3 : 1 << 8;
  if (isWhole) return isNegative ? 1 << 5 : 1 << 6;
  return isNegative ? 1 << 4 : 1 << 7;
}

/** The bits of the half-precision float nearest to a number; ties round to even. */
function toHalf(x: number): number {
  const sign = x < 0 || Object.is(x, -0) ? 0x8000 : 0;
  const size = Math.abs(x);
  if (Number.isNaN(x)) return 0x7e00;
  if (size >= 65520) return sign | 0x7c00;
  if (size < 2 ** -14) return sign | roundToEven(size * 2 ** 24);
  let exponent = Math.floor(Math.log2(size));
  if (2 ** exponent > size) exponent--;
  // A significand that is rounded up to 2048 carries into the exponent.
  return sign | (((exponent + 15) << 10) + roundToEven(size * 2 ** (10 - exponent)) - 1024);
}

function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

/** `name` is without `llvm.` but with the type: `fabs.f64`. */
export function floatIntrinsics(name: string, width: number): Native | undefined {
  const [plain = '', type = ''] = name.split('.');
  if (name === 'is.fpclass.f128')
    return (machine, [x, mask]) =>
      quadClassOf(BigInt(machine.fewValues(x, 'a symbolic float'))) & Number(mask) ? 1 : 0;
  if (name.startsWith('is.fpclass.f'))
    return (machine, [x, mask]) =>
      isSymbolic(x) && (width === 32 || width === 64)
        ? known(isOfFloatClass(machine.terms, formatOf(width), x, Number(mask)))
        : classOf(machine.float(width, x), width) & Number(mask)
          ? 1
          : 0;
  if (name.startsWith('convert.to.fp16.f')) {
    const from = Number(name.slice('convert.to.fp16.f'.length));
    return (machine, [x]) => toHalf(machine.float(from, x));
  }
  if (name.startsWith('convert.from.fp16.f'))
    return (machine, [x]) => fromHalf(Number(machine.fewValues(x, 'a symbolic float')));
  if (type === 'f128') return quadIntrinsic(plain);
  if (!/^f(32|64)$/.test(type) && !/^i(32|64)$/.test(type)) return undefined;
  if (/^ll?(rint|round)$/.test(plain)) {
    const round = plain.endsWith('rint') ? roundToEven : computations.round!;
    const bits = Number(type.slice(1));
    return (machine, [x]) => V.toValue(bits, BigInt(round(machine.float(width, x), 0, 0)));
  }
  if (plain === 'powi') return wholePower(width === 32 ? Math.fround : x => x, width);
  if (plain === 'fmuladd') return multiplyAdd(width === 32 ? 32 : 64);
  const compute = computations[plain];
  if (compute === undefined || !type.startsWith('f')) return undefined;
  const fix = width === 32 ? Math.fround : (x: number) => x;
  return (machine, args) => {
    if (args.some(isSymbolic)) {
      const result =
        undefinedResult(machine, plain, args, width) ?? symbolicResult(machine, plain, width, args);
      if (result !== undefined) return result;
    }
    const [a = 0, b = 0, c = 0] = args.map(arg => machine.float(width, arg));
    return fix(compute(a, b, c));
  };
}

/** Exponentiation by squaring, as in `runtime/libc/rt/power-integer.c`. */
function wholePower(fix: (x: number) => number, width: number): Native {
  return (machine, [x, power]) => {
    const n = Number(V.toSigned(32, machine.fewValues(power, 'a symbolic float')));
    let result = 1;
    let square = machine.float(width, x);
    for (let rest = Math.abs(n); rest > 0; rest = Math.floor(rest / 2)) {
      if (rest % 2 === 1) result = fix(result * square);
      square = fix(square * square);
    }
    return n < 0 ? fix(1 / result) : result;
  };
}

/** a * b + c, rounded twice, as on machines without a fused instruction. */
function multiplyAdd(bits: 32 | 64): Native {
  const [multiply, add] = [floatArithmetic('fmul', bits), floatArithmetic('fadd', bits)];
  return (machine, [a, b, c]) => add(machine, multiply(machine, a, b), c);
}

const roundings: Record<string, Rounding> = {
  floor: 'floor',
  ceil: 'ceil',
  trunc: 'trunc',
  round: 'round',
  rint: 'even',
  nearbyint: 'even',
  roundeven: 'even',
};

/** The long double intrinsics that clang emits; the other functions are library calls. */
function quadIntrinsic(name: string): Native | undefined {
  const bits = (machine: Decisions, value: Scalar): bigint =>
    BigInt(machine.fewValues(value, 'a symbolic float'));
  const rounding = roundings[name];
  if (rounding !== undefined) return (machine, [x]) => V.toValue(128, quadRound(bits(machine, x), rounding));
  switch (name) {
    case 'sqrt':
      return (machine, [x]) => V.toValue(128, quadSquareRoot(bits(machine, x)));
    case 'minnum':
    case 'maxnum':
      return (machine, args) => {
        const [x, y] = args.map(arg => bits(machine, arg));
        const order = quadCompare(x!, y!);
        // A NaN gives way to a number.
        if (Number.isNaN(order)) return V.toValue(128, Number.isNaN(quadCompare(x!, x!)) ? y! : x!);
        return V.toValue(128, (name === 'minnum') === order <= 0 ? x! : y!);
      };
    case 'fabs':
      return (machine, [x]) => V.toValue(128, bits(machine, x) & ~QUAD_SIGN);
    case 'copysign':
      return (machine, [x, sign]) =>
        V.toValue(128, (bits(machine, x) & ~QUAD_SIGN) | (bits(machine, sign) & QUAD_SIGN));
    case 'fmuladd':
      return (machine, [x, y, z]) => {
        const product = quadOperation('fmul', bits(machine, x), bits(machine, y));
        return V.toValue(128, quadOperation('fadd', product, bits(machine, z)));
      };
    default:
      return undefined;
  }
}

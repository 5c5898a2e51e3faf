/** Conversions between types. */

import { floatFromFloat, floatFromInteger, integerFromFloat } from '../../expr/float-rounding.js';
import { floatComparison } from '../../expr/float-terms.js';
import type { Term } from '../../expr/term.js';
import type { Terms } from '../../expr/terms.js';
import * as V from '../../expr/value.js';
import type { CastInstruction, CastOp } from '../../ir/model.js';
import { type FloatType, scalarType, type Type } from '../../ir/types.js';
import { unreachable } from '../../support/assert.js';
import { undefinedResult } from '../access/undefined-use.js';
import type { Decoder } from '../program/decoder.js';
import { type Handler, Step } from '../state/decoded.js';
import type { Decisions, Path } from '../state/running.js';
import { packBits, unpackBits } from '../values/bits.js';
import { quadFromInteger, quadFromNumber, quadToInteger, quadToNumber } from '../values/quad.js';
import {
  bitsOfFloat,
  floatFromBits,
  type Known,
  known,
  type RegisterValue,
  type Scalar,
  type Vector,
} from '../values/register-value.js';
import { floatTerm, formatOf, knownFloat } from '../values/symbolic-floats.js';
import { failFloatCast } from './arithmetic-errors.js';
import { unsupported } from './unsupported.js';

type Convert = (machine: Decisions, value: Scalar) => Scalar;

export function decodeCast(decoder: Decoder, instruction: CastInstruction): Step {
  const from = instruction.operand.type;
  const to = instruction.type;
  const isReshaping = from.kind === 'vector' || to.kind === 'vector';
  const into = decoder.register(instruction);
  const a = decoder.register(instruction.operand);
  if (instruction.op === 'bitcast' && isReshaping) {
    const recast = (machine: Path, value: RegisterValue): RegisterValue =>
      unpackBits(machine.terms, decoder.layout, to, packBits(machine.terms, decoder.layout, from, value));
    return Step.of({ run: runWhole, ir: instruction, into, a, detail: recast });
  }
  const convert = converter(decoder, instruction.op, scalarType(from), scalarType(to));
  if (convert === undefined) return unsupported(decoder, instruction, 'a conversion of half');
  return to.kind === 'vector'
    ? Step.of({ run: runEach, ir: instruction, into, a, detail: convert })
    : Step.of({ run, ir: instruction, into, a, detail: convert });
}

const run: Handler<Convert> = (machine, step, regs) => {
  regs[step.into] = step.detail(machine, regs[step.a]!);
  return undefined;
};

const runEach: Handler<Convert, Vector> = (machine, step, regs) => {
  regs[step.into] = regs[step.a]!.map(element => step.detail(machine, element));
  return undefined;
};

const runWhole: Handler<(machine: Path, value: RegisterValue) => RegisterValue, RegisterValue> = (
  machine,
  step,
  regs,
) => {
  regs[step.into] = step.detail(machine, regs[step.a]!);
  return undefined;
};

function isPlainFloat(type: Type): type is FloatType {
  return type.kind === 'float' && (type.bits === 32 || type.bits === 64);
}

function converter(decoder: Decoder, op: CastOp, from: Type, to: Type): Convert | undefined {
  const width = decoder.layout.bits(from);
  const wanted = decoder.layout.bits(to);
  switch (op) {
    case 'trunc':
    case 'ptrtoint':
    case 'ptrtoaddr':
    case 'inttoptr':
      return (machine, value) => resize(machine, value, width, wanted);
    case 'zext':
      return (machine, value) =>
        typeof value === 'object' ? known(machine.terms.zext(value, wanted)) : value;
    case 'sext':
      return (machine, value) =>
        typeof value === 'object' ? known(machine.terms.sext(value, wanted)) : V.sext(width, wanted, value);
    case 'addrspacecast':
      return (_, value) => value;
    case 'bitcast':
      if (isPlainFloat(from) && !isPlainFloat(to))
        return (_, value) => (typeof value === 'object' ? value : bitsOfFloat(width, value as number));
      if (isPlainFloat(to) && !isPlainFloat(from))
        return (_, value) => (typeof value === 'object' ? value : floatFromBits(wanted, value));
      return (_, value) => value;
    case 'fptrunc':
    case 'fpext':
    case 'fptoui':
    case 'fptosi':
    case 'uitofp':
    case 'sitofp':
      return ofDefined(op, wanted, numberConverter(op, from, to, width, wanted));
    default:
      return unreachable(op);
  }
}

/** Casts from or to a float. */
type FloatCastOp = 'fptrunc' | 'fpext' | 'fptoui' | 'fptosi' | 'uitofp' | 'sitofp';

function numberConverter(
  op: FloatCastOp,
  from: Type,
  to: Type,
  width: number,
  wanted: number,
): Convert | undefined {
  if (isQuad(from) || isQuad(to)) return quadConverter(op, from, to, width, wanted);
  return isPlainFloat(from) || isPlainFloat(to) ? floatConverter(op, from, to, width, wanted) : undefined;
}

/** An uninitialized value is not converted; the result is undefined as well. */
function ofDefined(op: CastOp, wanted: number, convert: Convert | undefined): Convert | undefined {
  return (
    convert &&
    ((machine, value) =>
      (typeof value === 'object' ? undefinedResult(machine, op, [value], wanted) : undefined) ??
      convert(machine, value))
  );
}

function resize(machine: Path, value: Scalar, from: number, to: number): Scalar {
  if (to === from) return value;
  if (typeof value !== 'object') return to > from ? value : V.toValue(to, value);
  return known(to > from ? machine.terms.zext(value, to) : machine.terms.extract(value, 0, to));
}

/** An integer that is converted to a float; concretized if it has many values. */
function integerOf(machine: Decisions, value: Scalar): Known {
  return machine.fewValues(value, 'a symbolic integer that becomes a float');
}

function floatConverter(
  op: FloatCastOp,
  from: Type,
  to: Type,
  width: number,
  wanted: number,
): Convert | undefined {
  const round = wanted === 32 ? Math.fround : (value: number) => value;
  switch (op) {
    case 'fptrunc':
    case 'fpext':
      if (!isPlainFloat(from) || !isPlainFloat(to)) return undefined;
      return (machine, value) =>
        typeof value === 'object'
          ? knownFloat(floatFromFloat(machine.terms, formatOf(wanted), formatOf(width), value))
          : round(value as number);
    case 'uitofp':
    case 'sitofp': {
      const isSigned = op === 'sitofp';
      const ofInteger = wanted === 32 ? V.toSingle : Number;
      return (machine, value) =>
        typeof value === 'object'
          ? knownFloat(floatFromInteger(machine.terms, formatOf(wanted), value, isSigned))
          : ofInteger(isSigned ? V.toSigned(width, value) : value);
    }
    case 'fptoui':
      return isPlainFloat(from) ? (machine, value) => toInteger(machine, value, width, wanted, 0) : undefined;
    case 'fptosi':
      return isPlainFloat(from)
        ? (machine, value) => toInteger(machine, value, width, wanted, -(2 ** (wanted - 1)))
        : undefined;
  }
}

function isQuad(type: Type): boolean {
  return type.kind === 'float' && type.bits === 128;
}

/** Conversions from and to long double, which is represented by its bits. */
function quadConverter(
  op: FloatCastOp,
  from: Type,
  to: Type,
  width: number,
  wanted: number,
): Convert | undefined {
  const isOther = (type: Type): boolean => type.kind === 'float' && !isQuad(type) && !isPlainFloat(type);
  if (isOther(from) || isOther(to)) return undefined;
  const bitsOf = (machine: Decisions, value: Scalar): Known => machine.fewValues(value, 'a symbolic float');
  switch (op) {
    case 'fpext':
      return (machine, value) => V.toValue(128, quadFromNumber(machine.float(width, value)));
    case 'fptrunc':
      return (machine, value) => quadToNumber(BigInt(bitsOf(machine, value)), wanted === 32 ? 32 : 64);
    case 'uitofp':
      return (machine, value) => V.toValue(128, quadFromInteger(BigInt(integerOf(machine, value))));
    case 'sitofp':
      return (machine, value) =>
        V.toValue(128, quadFromInteger(BigInt(V.toSigned(width, integerOf(machine, value)))));
    case 'fptoui':
    case 'fptosi':
      return (machine, value) => {
        const whole = quadToInteger(BigInt(bitsOf(machine, value)));
        const least = op === 'fptoui' ? 0n : -(1n << BigInt(wanted - 1));
        const limit = 1n << BigInt(op === 'fptoui' ? wanted : wanted - 1);
        if (whole !== undefined && whole >= least && whole < limit) return V.toValue(wanted, whole);
        if (!machine.isUnchecked('float-cast-overflow')) return failFloatCast(machine, 'the value', wanted);
        return V.toValue(wanted, whole === undefined ? 0n : whole < least ? least : limit - 1n);
      };
  }
}

/**
 * The whole part of a float, which must be at least `least` and fit into the given bits; forks if a
 * symbolic one may not.
 */
function toInteger(machine: Decisions, value: Scalar, bits: number, wanted: number, least: number): Scalar {
  const limit = least === 0 ? 2 ** wanted : 2 ** (wanted - 1);
  if (typeof value === 'object') {
    const { terms } = machine;
    if (machine.decide(hasWholePart(terms, value, least, limit)))
      return known(integerFromFloat(terms, formatOf(bits), value, wanted));
    if (machine.isUnchecked('float-cast-overflow'))
      return nearestInteger(machine, value, wanted, least, limit);
  }
  const number =
    typeof value === 'object' ? floatFromBits(bits, machine.concretizeQuietly(value)) : (value as number);
  const whole = Math.trunc(number);
  if (whole >= least && whole < limit) return V.toValue(wanted, BigInt(whole));
  if (!machine.isUnchecked('float-cast-overflow')) return failFloatCast(machine, String(number), wanted);
  if (Number.isNaN(number)) return 0;
  return V.toValue(wanted, whole < least ? BigInt(least) : BigInt(limit) - 1n);
}

/**
 * WebAssembly's saturating conversion of a symbolic float: the nearest integer that fits, and 0 for
 * NaN.
 */
function nearestInteger(
  machine: Decisions,
  value: Term,
  wanted: number,
  least: number,
  limit: number,
): Scalar {
  const { terms } = machine;
  const format = formatOf(value.width);
  if (machine.decide(floatComparison(terms, 'uno', format, value, value))) return 0;
  const isLarge = machine.decide(
    floatComparison(terms, 'ogt', format, value, floatTerm(terms, value.width, 0)),
  );
  return V.toValue(wanted, isLarge ? BigInt(limit) - 1n : BigInt(least));
}

/** Whether the whole part of the float is in [least, limit). */
function hasWholePart(terms: Terms, value: Term, least: number, limit: number): Term {
  const format = formatOf(value.width);
  const bound = (number: number): Term => floatTerm(terms, value.width, number);
  // Every float above least - 1 is truncated to at least `least`. If least - 1 is not a float, the
  // next float above it is `least` itself.
  const below = least - 1;
  const isFloat = below < least && floatFromBits(value.width, bitsOfFloat(value.width, below)) === below;
  const isEnough = isFloat
    ? floatComparison(terms, 'ogt', format, value, bound(below))
    : floatComparison(terms, 'oge', format, value, bound(least));
  return terms.and(isEnough, floatComparison(terms, 'olt', format, value, bound(limit)));
}

/**
 * Comparisons of symbolic floats, as questions about their bits: these need no arithmetic, so a path that only compares a float keeps
 * all its values.
 *
 *     s | exponent | fraction      without the sign, larger bits are larger numbers; past infinity they are no numbers
 */
import type { Term } from '../expr/term.js';
import type { Terms } from '../expr/terms.js';
import type { FloatPredicate } from '../ir/model.js';

/** `llvm.is.fpclass`: is the float of one of the classes that the mask names? */
export function isOfFloatClass(terms: Terms, bits: 32 | 64, x: Term, mask: number): Term {
  const fractionBits = bits === 32 ? 23 : 52;
  const magnitude = terms.and(x, terms.constant(bits, (1n << BigInt(bits - 1)) - 1n));
  const infinity = terms.constant(bits, bits === 32 ? 0x7f800000n : 0x7ff0000000000000n);
  const leastNormal = terms.constant(bits, 1n << BigInt(fractionBits));
  const zero = terms.constant(bits, 0);
  const isNegative = terms.extract(x, bits - 1, 1);
  const isQuiet = terms.extract(x, fractionBits - 1, 1);
  const either = (isFirst: Term, first: number, second: number): Term =>
    terms.ite(
      isFirst,
      mask & (1 << first) ? terms.true : terms.false,
      mask & (1 << second) ? terms.true : terms.false,
    );
  return terms.ite(
    terms.ugt(magnitude, infinity),
    either(isQuiet, 1, 0),
    terms.ite(
      terms.eq(magnitude, infinity),
      either(isNegative, 2, 9),
      terms.ite(
        terms.uge(magnitude, leastNormal),
        either(isNegative, 3, 8),
        terms.ite(terms.eq(magnitude, zero), either(isNegative, 5, 6), either(isNegative, 4, 7)),
      ),
    ),
  );
}

export function floatComparison(
  terms: Terms,
  predicate: FloatPredicate,
  bits: 32 | 64,
  a: Term,
  b: Term,
): Term {
  const magnitude = terms.constant(bits, (1n << BigInt(bits - 1)) - 1n);
  const infinity = terms.constant(bits, bits === 32 ? 0x7f800000n : 0x7ff0000000000000n);
  const isNoNumber = (x: Term): Term => terms.ugt(terms.and(x, magnitude), infinity);
  const isNegative = (x: Term): Term => terms.extract(x, bits - 1, 1);
  const areZero = terms.eq(terms.and(terms.or(a, b), magnitude), terms.constant(bits, 0));
  const isLess = (x: Term, y: Term): Term =>
    terms.and(
      terms.not(areZero),
      terms.ite(
        isNegative(x),
        terms.ite(isNegative(y), terms.ugt(x, y), terms.true),
        terms.ite(isNegative(y), terms.false, terms.ult(x, y)),
      ),
    );
  const isEqual = terms.or(areZero, terms.eq(a, b));
  const isUnordered = terms.or(isNoNumber(a), isNoNumber(b));
  const ordered = (holds: Term): Term => terms.and(terms.not(isUnordered), holds);
  const unordered = (holds: Term): Term => terms.or(isUnordered, holds);
  switch (predicate) {
    case 'false':
      return terms.false;
    case 'true':
      return terms.true;
    case 'ord':
      return terms.not(isUnordered);
    case 'uno':
      return isUnordered;
    case 'oeq':
      return ordered(isEqual);
    case 'one':
      return ordered(terms.not(isEqual));
    case 'olt':
      return ordered(isLess(a, b));
    case 'ogt':
      return ordered(isLess(b, a));
    case 'ole':
      return ordered(terms.not(isLess(b, a)));
    case 'oge':
      return ordered(terms.not(isLess(a, b)));
    case 'ueq':
      return unordered(isEqual);
    case 'une':
      return unordered(terms.not(isEqual));
    case 'ult':
      return unordered(isLess(a, b));
    case 'ugt':
      return unordered(isLess(b, a));
    case 'ule':
      return unordered(terms.not(isLess(b, a)));
    case 'uge':
      return unordered(terms.not(isLess(a, b)));
  }
}

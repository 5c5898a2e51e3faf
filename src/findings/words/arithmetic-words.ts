/** Messages for arithmetic without a defined result, and for code that must not be reached. */
import type { ArithmeticFacts } from '../facts.js';
import type { Description } from './description.js';

const wider = 'compute in a wider type, or check the operands before';

export function describeArithmetic(facts: ArithmeticFacts): Description {
  switch (facts.kind) {
    case 'overflow':
      return {
        code: 'signed-overflow',
        message: `${facts.left} ${facts.operator} ${facts.right} does not fit in ${facts.type}`,
        help: wider,
      };
    case 'negation':
      return {
        code: 'signed-overflow',
        message: `-(${facts.value}) does not fit in ${facts.type}`,
        help: wider,
      };
    case 'quotient':
      return { code: 'signed-overflow', message: 'the quotient does not fit in its type', help: wider };
    case 'zero-divisor':
      return {
        code: 'division-by-zero',
        message: `${facts.dividend} is divided by zero`,
        help: 'compare the divisor with 0 before the division',
      };
    case 'shift':
      return describeShift(facts);
    case 'float-cast':
      return {
        code: 'float-cast-overflow',
        message: `${facts.value} does not fit in ${facts.type}`,
        help: 'compare the value with the limits of the type before the conversion',
      };
    case 'array-length':
      return {
        code: 'stack-buffer-overflow',
        message: `a variable-length array has ${facts.elements} elements`,
        help: 'check that the length is positive before the declaration',
      };
    case 'no-value-of-type':
      return {
        code: 'unreachable-reached',
        message: `${facts.value} is read as ${facts.type}, which has no such value`,
        help: 'compare the byte with 0 instead of reading it as another type',
      };
    case 'zero-argument':
      return {
        code: 'unreachable-reached',
        message: `${facts.builtin} of 0 has no result`,
        help: 'compare the argument with 0 before the call',
      };
    case 'null-argument':
      return {
        code: 'null-dereference',
        message: `argument ${facts.position} is null, and its parameter is declared \`nonnull\``,
        help: 'compare the pointer with NULL before the call',
      };
    case 'null-result':
      return {
        code: 'null-dereference',
        message: 'null is returned from a function that is declared `returns_nonnull`',
        help: 'remove the attribute, or end the program where there is nothing to return',
      };
    case 'missing-return':
      return {
        code: 'unreachable-reached',
        message: 'the end of a function that returns a value is reached without a return',
        help: 'return a value on every path through the function',
      };
    case 'unreachable':
      return {
        code: 'unreachable-reached',
        message: 'code that is marked as unreachable is reached',
        help: 'handle the values that lead here, or remove the mark',
      };
  }
}

function describeShift({
  value,
  amount,
  bits,
  type,
}: Extract<ArithmeticFacts, { kind: 'shift' }>): Description {
  const code = 'shift-out-of-bounds';
  const help = `check before the shift that the amount is at least 0 and less than ${bits}`;
  if (amount < 0n) return { code, message: `a shift by ${amount}, which is negative`, help };
  if (amount >= BigInt(bits)) return { code, message: `a shift of a ${bits}-bit value by ${amount}`, help };
  const isNegative = value.startsWith('-');
  return {
    code,
    message: isNegative
      ? `${value}, which is negative, is shifted left by ${amount}`
      : `${value} shifted left by ${amount} does not fit in ${type}`,
    help: 'shift an unsigned value',
  };
}

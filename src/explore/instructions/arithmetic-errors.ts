/**
 * Findings for arithmetic without a defined result. Operands are shown with their values on the
 * path's test; types have their names from the source, which clang's own checks provide
 * (`passes/plain-arithmetic.ts`), or are shown by their width.
 */
import { type ValueType, valueType } from '../../findings/undefined-arithmetic.js';
import { type ArithmeticCheck, hadCheck, operandTypes } from '../../passes/plain-arithmetic.js';
import type { Failures } from '../state/running.js';
import type { Scalar } from '../values/register-value.js';

export function failOverflow(
  machine: Failures,
  op: 'add' | 'sub' | 'mul' | 'div',
  width: number,
  a: Scalar,
  b: Scalar,
): never {
  const { at } = machine.trace();
  if (op === 'sub' && hadCheck(at, 'negate')) {
    const { name } = typesAt(machine, 'negate', width, [true])[0]!;
    return machine.fail({ kind: 'negation', value: shown(machine, b, width, true), type: name });
  }
  const [type] = typesAt(machine, op === 'div' ? 'divrem' : op, width, [true]);
  const [left, right] = [shown(machine, a, width, true), shown(machine, b, width, true)];
  return machine.fail({ kind: 'overflow', operator: operators[op], left, right, type: type!.name });
}

const operators = { add: '+', sub: '-', mul: '*', div: '/' } as const;

export function failZeroDivisor(machine: Failures, width: number, dividend: Scalar): never {
  const { op } = machine.trace().at;
  const [type] = typesAt(machine, 'divrem', width, [op === 'sdiv' || op === 'srem']);
  return machine.fail({ kind: 'zero-divisor', dividend: shown(machine, dividend, width, type!.isSigned) });
}

/** The amount was zero-extended to the width of the value. */
export function failShift(machine: Failures, width: number, value: Scalar, amount: Scalar): never {
  const isSigned = machine.trace().at.op !== 'lshr';
  const [left, right] = typesAt(machine, 'shift', width, [isSigned, true]);
  const bits = right!.bits < width ? right!.bits : width;
  return machine.fail({
    kind: 'shift',
    value: shown(machine, value, width, left!.isSigned),
    amount: integer(machine, amount, bits, right!.isSigned),
    bits: left!.bits,
    type: left!.name,
  });
}

export function failFloatCast(machine: Failures, value: string, bits: number): never {
  const [, to] = operandTypes(machine.trace().at, 'float_cast');
  const type = to === undefined ? widthInWords(bits) : valueType(to.kind, to.info, to.name).name;
  return machine.fail({ kind: 'float-cast', value, type });
}

/**
 * The types of the operands, one per entry; the entry gives the signedness unless the source says
 * otherwise.
 */
function typesAt(
  machine: Failures,
  kind: ArithmeticCheck,
  width: number,
  signs: readonly boolean[],
): ValueType[] {
  const known = operandTypes(machine.trace().at, kind).map(type =>
    valueType(type.kind, type.info, type.name),
  );
  return signs.map(
    (isSigned, i) => known[i] ?? { kind: 'integer', bits: width, isSigned, name: widthInWords(width) },
  );
}

const widthInWords = (bits: number): string => `${bits} bits`;

function shown(machine: Failures, value: Scalar, width: number, isSigned: boolean): string {
  return String(integer(machine, value, width, isSigned));
}

function integer(machine: Failures, value: Scalar, width: number, isSigned: boolean): bigint {
  const bits = BigInt(machine.onTest(value));
  return isSigned ? BigInt.asIntN(width, bits) : BigInt.asUintN(width, bits);
}

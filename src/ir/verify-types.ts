/** Checks that the operands of an instruction have the required types. */
import { unreachable } from '../support/assert.js';
import {
  type BinaryInstruction,
  type CallCommon,
  type CastInstruction,
  Flag,
  type Instruction,
  type IrFunction,
  type Value,
} from './model.js';
import { comparisonType, elementType, i1, sameType, scalarType, type Type } from './types.js';

/** The type error of an instruction, or undefined. */
export function instructionProblem(i: Instruction, target: IrFunction): string | undefined {
  switch (i.op) {
    case 'add':
    case 'sub':
    case 'mul':
    case 'udiv':
    case 'sdiv':
    case 'urem':
    case 'srem':
    case 'shl':
    case 'lshr':
    case 'ashr':
    case 'and':
    case 'or':
    case 'xor':
    case 'fadd':
    case 'fsub':
    case 'fmul':
    case 'fdiv':
    case 'frem':
      return binaryProblem(i);
    case 'icmp':
    case 'fcmp': {
      if (i.left.type !== i.right.type) return 'compares two types';
      if (i.type !== comparisonType(i.left.type)) return 'a comparison gives an i1 for each element';
      const scalar = scalarType(i.left.type).kind;
      const fits = i.op === 'fcmp' ? scalar === 'float' : scalar === 'integer' || scalar === 'pointer';
      return fits ? undefined : `cannot compare ${scalar}s`;
    }
    case 'fneg':
    case 'freeze':
      return i.operand.type === i.type ? undefined : 'the result has another type than the operand';
    case 'select': {
      if (i.ifTrue.type !== i.type || i.ifFalse.type !== i.type) return 'the choices have another type';
      const wanted = i.condition.type.kind === 'vector' ? comparisonType(i.type) : i1;
      return i.condition.type === wanted ? undefined : 'the condition is not an i1';
    }
    case 'phi':
      return i.values.every(value => value.type === i.type) ? undefined : 'an entry has another type';
    case 'alloca':
      if (i.count !== undefined && i.count.type.kind !== 'integer') return 'the count is not an integer';
      return i.type.kind === 'pointer' ? undefined : 'the result is not a pointer';
    case 'load':
    case 'store':
      return pointerProblem(i.pointer);
    case 'getelementptr':
      return gepProblem(i.type, i.base, i.indices) ?? pathProblem(i.sourceType, i.indices);
    case 'cmpxchg':
      if (i.expected.type !== i.replacement.type) return 'the values have two types';
      return pointerProblem(i.pointer);
    case 'atomicrmw':
      if (i.value.type !== i.type) return 'the result has another type than the value';
      return pointerProblem(i.pointer);
    case 'call':
    case 'callbr':
      return callProblem(i);
    case 'ret': {
      const wanted = target.functionType.returns;
      const found = i.value?.type;
      const fits = found === undefined ? wanted.kind === 'void' : sameType(found, wanted);
      return fits ? undefined : 'returns another type than the function';
    }
    case 'condbr':
      return i.condition.type === i1 ? undefined : 'the condition is not an i1';
    case 'switch':
      if (new Set(i.caseValues).size !== i.caseValues.length) return 'has a case twice';
      return i.caseValues.every(value => value.type === i.condition.type)
        ? undefined
        : 'a case has another type than the condition';
    case 'indirectbr':
      return pointerProblem(i.address);
    case 'extractelement':
    case 'insertelement':
      if (i.vector.type.kind !== 'vector') return 'works on vectors';
      return i.index.type.kind === 'integer' ? undefined : 'the index is not an integer';
    case 'shufflevector':
      return i.left.type === i.right.type ? undefined : 'the vectors have two types';
    case 'va_arg':
      return pointerProblem(i.list);
    case 'extractvalue':
    case 'insertvalue': {
      const element = elementType(i.aggregate.type, i.path);
      if (element === undefined) return 'there is no such element';
      const found = i.op === 'extractvalue' ? i.type : i.element.type;
      return sameType(element, found) ? undefined : 'the element has another type';
    }
    case 'br':
    case 'fence':
    case 'unreachable':
    case 'debug-record':
      return undefined;
    case 'trunc':
    case 'zext':
    case 'sext':
    case 'fptrunc':
    case 'fpext':
    case 'fptoui':
    case 'fptosi':
    case 'uitofp':
    case 'sitofp':
    case 'ptrtoint':
    case 'ptrtoaddr':
    case 'inttoptr':
    case 'bitcast':
    case 'addrspacecast':
      return castProblem(i);
    default:
      return unreachable(i);
  }
}

const integerFlags = Flag.nuw | Flag.nsw | Flag.exact | Flag.disjoint;

function binaryProblem(i: BinaryInstruction): string | undefined {
  if (i.left.type !== i.type || i.right.type !== i.type)
    return 'the operands have another type than the result';
  const isFloat = i.op.startsWith('f');
  if (scalarType(i.type).kind !== (isFloat ? 'float' : 'integer')) return `cannot ${i.op} this type`;
  const allowed = isFloat ? Flag.fast : integerFlags;
  return (i.flags & ~allowed) === 0 ? undefined : 'has a flag that it cannot have';
}

function pointerProblem(value: Value): string | undefined {
  return value.type.kind === 'pointer' ? undefined : 'needs a pointer';
}

function gepProblem(type: Type, base: Value, indices: readonly Value[]): string | undefined {
  if (scalarType(base.type).kind !== 'pointer') return 'the base is not a pointer';
  if (scalarType(type).kind !== 'pointer') return 'the result is not a pointer';
  const integers = indices.every(index => scalarType(index.type).kind === 'integer');
  return integers ? undefined : 'an index is not an integer';
}

/** Checks that the indices of a getelementptr select existing elements. */
export function pathProblem(sourceType: Type, indices: readonly Value[]): string | undefined {
  let type = sourceType;
  for (const index of indices.slice(1)) {
    if (type.kind === 'struct') {
      if (index.kind !== 'integer') return 'an index into a struct is not a constant';
      const element = type.elements?.[Number(index.value)];
      if (element === undefined)
        return `there is no element ${index.value} in a struct of ${type.elements?.length ?? 'unknown'}`;
      type = element;
    } else if (type.kind === 'array' || type.kind === 'vector') type = type.element;
    else return 'an index steps into something without elements';
  }
  return undefined;
}

function callProblem(call: CallCommon): string | undefined {
  const { parameters, variadic, returns } = call.functionType;
  if (call.callee.type.kind !== 'pointer') return 'the callee is not a function';
  if (call.type !== returns) return 'the result has another type than the function returns';
  const count = call.args.length;
  if (count < parameters.length || (count > parameters.length && !variadic)) {
    return 'has another number of arguments than its type';
  }
  if (call.argAttributes.length !== count) return 'has no attributes for an argument';
  const fits = parameters.every((parameter, index) => sameType(parameter, call.args[index]!.type));
  return fits ? undefined : 'an argument has another type';
}

type ScalarKind = 'integer' | 'float' | 'pointer';

const castKinds: Record<Exclude<CastInstruction['op'], 'bitcast'>, readonly [ScalarKind, ScalarKind]> = {
  trunc: ['integer', 'integer'],
  zext: ['integer', 'integer'],
  sext: ['integer', 'integer'],
  fptrunc: ['float', 'float'],
  fpext: ['float', 'float'],
  fptoui: ['float', 'integer'],
  fptosi: ['float', 'integer'],
  uitofp: ['integer', 'float'],
  sitofp: ['integer', 'float'],
  ptrtoint: ['pointer', 'integer'],
  ptrtoaddr: ['pointer', 'integer'],
  inttoptr: ['integer', 'pointer'],
  addrspacecast: ['pointer', 'pointer'],
};

function castProblem(i: CastInstruction): string | undefined {
  const from = scalarType(i.operand.type);
  const to = scalarType(i.type);
  if (i.op === 'bitcast') {
    const both = widthOf(i.operand.type) === widthOf(i.type);
    return both ? undefined : 'changes the number of bits';
  }
  const [wantedFrom, wantedTo] = castKinds[i.op];
  if (from.kind !== wantedFrom || to.kind !== wantedTo) return `casts from ${wantedFrom} to ${wantedTo}`;
  const lengthFrom = i.operand.type.kind === 'vector' ? i.operand.type.length : 0;
  const lengthTo = i.type.kind === 'vector' ? i.type.length : 0;
  if (lengthFrom !== lengthTo) return 'changes the number of elements';
  if (!('bits' in from) || !('bits' in to)) return undefined;
  if ((i.op === 'trunc' || i.op === 'fptrunc') && from.bits <= to.bits) return 'does not make it narrower';
  const widens = i.op === 'zext' || i.op === 'sext' || i.op === 'fpext';
  return widens && from.bits >= to.bits ? 'does not make it wider' : undefined;
}

/** In bits; a pointer has a width that no number has, because only a layout knows it. */
function widthOf(type: Type): number {
  if (type.kind === 'vector') return type.length * widthOf(type.element);
  return type.kind === 'integer' || type.kind === 'float' ? type.bits : -1;
}

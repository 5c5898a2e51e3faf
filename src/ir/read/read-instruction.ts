/**
 * Reading instructions: everything behind `%x =`, except calls (`read-call.ts`) and what is attached. The
 * fields that all share are spelled out at each one: see `builder.ts` for why.
 */
import {
  type AtomicOp,
  type BinaryOp,
  type Block,
  type CastOp,
  Flag,
  type FloatPredicate,
  type Instruction,
  type IntegerConstant,
  type IntegerPredicate,
  type Ordering,
  type Value,
} from '../model.js';
import {
  comparisonType,
  elementType,
  i1,
  pointerType,
  ptr,
  scalarType,
  structType,
  voidType,
} from '../types.js';
import { Token } from './lexer.js';
import {
  closeBracket,
  closeParenthesis,
  comma,
  exclamation,
  openBracket,
  openParenthesis,
  type Parser,
} from './parser.js';
import { parseCall, parseCallBranch } from './read-call.js';
import {
  gepType,
  parseConstant,
  parseGepFlags,
  parseTypedConstant,
  parseTypedValue,
  parseValue,
  vectorOperationType,
} from './read-constant.js';
import { parseAddressSpace, parseFirstClassType, parseStorableType, parseType } from './read-type.js';

const flagBits: ReadonlyMap<string, number> = new Map(Object.entries(Flag));

export function parseFlags(p: Parser): number {
  let flags = 0;
  while (p.lexer.kind === Token.word) {
    const bit = flagBits.get(p.lexer.word);
    if (bit === undefined) break;
    flags |= bit;
    p.lexer.next();
  }
  return flags;
}

/** A comma with another operand behind it: one before `!dbg` ends the operands. */
export function acceptOperandComma(p: Parser): boolean {
  if (!p.is(comma) || p.lexer.isFollowedBy(exclamation)) return false;
  p.lexer.next();
  return true;
}

/** On the word of the operation. */
export function parseInstruction(p: Parser): Instruction {
  const offset = p.lexer.offset;
  const op = p.takeWord('an instruction');
  switch (op) {
    case 'load':
      return parseLoad(p);
    case 'store':
      return parseStore(p);
    case 'call':
    case 'tail':
    case 'musttail':
    case 'notail':
      return parseCall(p, op);
    case 'getelementptr':
      return parseGetElementPtr(p);
    case 'br':
      return parseBranch(p);
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
      return parseBinary(p, op);
    case 'icmp':
    case 'fcmp':
      return parseComparison(p, op);
    case 'alloca':
      return parseAlloca(p);
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
      return parseCast(p, op);
    case 'phi':
      return parsePhi(p);
    case 'select':
      return parseSelect(p);
    case 'fneg':
    case 'freeze': {
      const flags = parseFlags(p);
      const operand = parseTypedValue(p);
      return {
        kind: 'instruction',
        type: operand.type,
        name: undefined,
        debugLocation: undefined,
        metadata: undefined,
        op,
        flags,
        operand,
      };
    }
    case 'ret':
      return parseReturn(p);
    case 'switch':
      return parseSwitch(p);
    case 'unreachable':
      return {
        kind: 'instruction',
        type: voidType,
        name: undefined,
        debugLocation: undefined,
        metadata: undefined,
        op,
      };
    case 'extractvalue':
    case 'insertvalue':
      return parseAggregateAccess(p, op);
    case 'extractelement':
    case 'insertelement':
    case 'shufflevector':
      return parseVectorOperation(p, op);
    case 'va_arg': {
      const list = parseTypedValue(p);
      p.expect(comma);
      return {
        kind: 'instruction',
        type: parseFirstClassType(p),
        name: undefined,
        debugLocation: undefined,
        metadata: undefined,
        op,
        list,
      };
    }
    case 'fence': {
      const syncScope = parseSyncScope(p);
      return {
        kind: 'instruction',
        type: voidType,
        name: undefined,
        debugLocation: undefined,
        metadata: undefined,
        op,
        ordering: takeOrdering(p),
        syncScope,
      };
    }
    case 'cmpxchg':
      return parseCompareExchange(p);
    case 'atomicrmw':
      return parseAtomicRmw(p);
    case 'indirectbr':
      return parseIndirectBranch(p);
    case 'callbr':
      return parseCallBranch(p);
    case 'invoke':
    case 'resume':
    case 'landingpad':
    case 'catchswitch':
    case 'catchpad':
    case 'cleanuppad':
    case 'catchret':
    case 'cleanupret':
      return p.lexer.fail(`'${op}' is not supported: C has no exceptions`, offset);
    default:
      return p.lexer.fail(`expected an instruction, found '${op}'`, offset);
  }
}

// ---------------------------------------------------------------------------------------- arithmetic

function parseBinary(p: Parser, op: BinaryOp): Instruction {
  const flags = parseFlags(p);
  const offset = p.lexer.offset;
  const type = parseFirstClassType(p);
  const wanted = op.startsWith('f') ? 'float' : 'integer';
  if (scalarType(type).kind !== wanted) p.lexer.fail(`'${op}' works on ${wanted}s`, offset);
  const left = parseValue(p, type);
  p.expect(comma);
  return {
    kind: 'instruction',
    type: type,
    name: undefined,
    debugLocation: undefined,
    metadata: undefined,
    op,
    flags,
    left,
    right: parseValue(p, type),
  };
}

const integerPredicates: ReadonlySet<IntegerPredicate> = new Set([
  'eq',
  'ne',
  'ugt',
  'uge',
  'ult',
  'ule',
  'sgt',
  'sge',
  'slt',
  'sle',
]);

const floatPredicates: ReadonlySet<FloatPredicate> = new Set([
  'false',
  'oeq',
  'ogt',
  'oge',
  'olt',
  'ole',
  'one',
  'ord',
  'ueq',
  'ugt',
  'uge',
  'ult',
  'ule',
  'une',
  'uno',
  'true',
]);

function parseComparison(p: Parser, op: 'icmp' | 'fcmp'): Instruction {
  const flags = parseFlags(p);
  if (op === 'icmp') {
    const predicate = p.takeOneOf(integerPredicates, 'a comparison');
    const { left, right } = parseTwo(p);
    const scalar = scalarType(left.type).kind;
    if (scalar !== 'integer' && scalar !== 'pointer') p.lexer.fail(`'icmp' compares integers or pointers`);
    return {
      kind: 'instruction',
      type: comparisonType(left.type),
      name: undefined,
      debugLocation: undefined,
      metadata: undefined,
      op,
      predicate,
      flags,
      left,
      right,
    };
  }
  const predicate = p.takeOneOf(floatPredicates, 'a comparison');
  const { left, right } = parseTwo(p);
  if (scalarType(left.type).kind !== 'float') p.lexer.fail(`'fcmp' compares floats`);
  return {
    kind: 'instruction',
    type: comparisonType(left.type),
    name: undefined,
    debugLocation: undefined,
    metadata: undefined,
    op,
    predicate,
    flags,
    left,
    right,
  };
}

/** `T a, b`. */
function parseTwo(p: Parser): { left: Value; right: Value } {
  const type = parseFirstClassType(p);
  const left = parseValue(p, type);
  p.expect(comma);
  return { left, right: parseValue(p, type) };
}

function parseCast(p: Parser, op: CastOp): Instruction {
  const flags = parseFlags(p);
  const operand = parseTypedValue(p);
  p.expectWord('to');
  return {
    kind: 'instruction',
    type: parseFirstClassType(p),
    name: undefined,
    debugLocation: undefined,
    metadata: undefined,
    op,
    flags,
    operand,
  };
}

function parseSelect(p: Parser): Instruction {
  const flags = parseFlags(p);
  const condition = parseTypedValue(p);
  p.expect(comma);
  const ifTrue = parseTypedValue(p);
  p.expect(comma);
  const offset = p.lexer.offset;
  const ifFalse = parseTypedValue(p);
  if (ifTrue.type !== ifFalse.type) p.lexer.fail(`both choices of 'select' have one type`, offset);
  return {
    kind: 'instruction',
    type: ifTrue.type,
    name: undefined,
    debugLocation: undefined,
    metadata: undefined,
    op: 'select',
    flags,
    condition,
    ifTrue,
    ifFalse,
  };
}

function parsePhi(p: Parser): Instruction {
  const flags = parseFlags(p);
  const type = parseFirstClassType(p);
  const values: Value[] = [];
  const blocks: Block[] = [];
  do {
    p.expect(openBracket);
    values.push(parseValue(p, type));
    p.expect(comma);
    blocks.push(takeBlockName(p));
    p.expect(closeBracket);
  } while (acceptOperandComma(p));
  return {
    kind: 'instruction',
    type: type,
    name: undefined,
    debugLocation: undefined,
    metadata: undefined,
    op: 'phi',
    flags,
    values,
    blocks,
  };
}

function parseAggregateAccess(p: Parser, op: 'extractvalue' | 'insertvalue'): Instruction {
  const aggregate = parseTypedValue(p);
  let element: Value | undefined;
  if (op === 'insertvalue') {
    p.expect(comma);
    element = parseTypedValue(p);
  }
  const path: number[] = [];
  const offset = p.lexer.offset;
  while (acceptOperandComma(p)) path.push(p.takeNumber('an index'));
  const type = elementType(aggregate.type, path);
  if (type === undefined) p.lexer.fail('there is no such element', offset);
  if (element === undefined)
    return {
      kind: 'instruction',
      type: type,
      name: undefined,
      debugLocation: undefined,
      metadata: undefined,
      op: 'extractvalue',
      aggregate,
      path,
    };
  if (element.type !== type) p.lexer.fail('the element has another type', offset);
  return {
    kind: 'instruction',
    type: aggregate.type,
    name: undefined,
    debugLocation: undefined,
    metadata: undefined,
    op: 'insertvalue',
    aggregate,
    element,
    path,
  };
}

type VectorOp = 'extractelement' | 'insertelement' | 'shufflevector';

function parseVectorOperation(p: Parser, op: VectorOp): Instruction {
  const offset = p.lexer.offset;
  const first = parseTypedValue(p);
  p.expect(comma);
  const second = parseTypedValue(p);
  if (op === 'extractelement') {
    const type = vectorOperationType(op, [first, second]);
    if (type === undefined) p.lexer.fail(`these are not the operands of '${op}'`, offset);
    return {
      kind: 'instruction',
      type: type,
      name: undefined,
      debugLocation: undefined,
      metadata: undefined,
      op,
      vector: first,
      index: second,
    };
  }
  p.expect(comma);
  const third = op === 'shufflevector' ? parseTypedConstant(p) : parseTypedValue(p);
  const type = vectorOperationType(op, [first, second, third]);
  if (type === undefined) p.lexer.fail(`these are not the operands of '${op}'`, offset);
  if (op === 'insertelement') {
    return {
      kind: 'instruction',
      type: type,
      name: undefined,
      debugLocation: undefined,
      metadata: undefined,
      op,
      vector: first,
      element: second,
      index: third,
    };
  }
  if (third.kind === 'argument' || third.kind === 'instruction')
    p.lexer.fail('the mask is a constant', offset);
  if (third.kind === 'assembly' || third.kind === 'metadata') p.lexer.fail('the mask is a constant', offset);
  return {
    kind: 'instruction',
    type: type,
    name: undefined,
    debugLocation: undefined,
    metadata: undefined,
    op,
    left: first,
    right: second,
    mask: third,
  };
}

// -------------------------------------------------------------------------------------------- memory

const orderings: ReadonlySet<Ordering> = new Set([
  'unordered',
  'monotonic',
  'acquire',
  'release',
  'acq_rel',
  'seq_cst',
]);

function takeOrdering(p: Parser): Ordering {
  return p.takeOneOf(orderings, 'a memory ordering');
}

function parseSyncScope(p: Parser): string | undefined {
  if (!p.acceptWord('syncscope')) return undefined;
  p.expect(openParenthesis);
  const scope = p.takeString();
  p.expect(closeParenthesis);
  return scope;
}

/** `, align 8` if it is there. */
function parseAlign(p: Parser): number {
  return acceptOperandComma(p) ? takeAlign(p) : 0;
}

/** `align 8`: a power of two. */
export function takeAlign(p: Parser): number {
  p.expectWord('align');
  const offset = p.lexer.offset;
  const align = p.takeNumber('an alignment');
  if (align < 1 || align > 2 ** 32 || !Number.isInteger(Math.log2(align))) {
    p.lexer.fail('an alignment is a power of two', offset);
  }
  return align;
}

/** A pointer operand, with its type. */
function parsePointer(p: Parser): Value {
  const offset = p.lexer.offset;
  const pointer = parseTypedValue(p);
  if (pointer.type.kind !== 'pointer') p.lexer.fail('expected a pointer', offset);
  return pointer;
}

function parseAlloca(p: Parser): Instruction {
  const inalloca = p.acceptWord('inalloca');
  const swiftError = p.acceptWord('swifterror');
  const allocatedType = parseStorableType(p);
  let count: Value | undefined;
  let align = 0;
  let addressSpace = 0;
  while (acceptOperandComma(p)) {
    if (p.isWord('align')) align = takeAlign(p);
    else if (p.isWord('addrspace')) addressSpace = parseAddressSpace(p);
    else if (count === undefined) count = parseTypedValue(p);
    else p.failExpected(`'align'`);
  }
  if (count !== undefined && count.type.kind !== 'integer') p.lexer.fail('the count is not an integer');
  const type = addressSpace === 0 ? ptr : pointerType(addressSpace);
  return {
    kind: 'instruction',
    type: type,
    name: undefined,
    debugLocation: undefined,
    metadata: undefined,
    op: 'alloca',
    allocatedType,
    count,
    align,
    inalloca,
    swiftError,
  };
}

function parseLoad(p: Parser): Instruction {
  const atomic = p.acceptWord('atomic');
  const volatile = p.acceptWord('volatile');
  const type = parseStorableType(p);
  p.expect(comma);
  const pointer = parsePointer(p);
  const syncScope = atomic ? parseSyncScope(p) : undefined;
  const ordering = atomic ? takeOrdering(p) : undefined;
  const align = parseAlign(p);
  return {
    kind: 'instruction',
    type: type,
    name: undefined,
    debugLocation: undefined,
    metadata: undefined,
    op: 'load',
    pointer,
    align,
    volatile,
    ordering,
    syncScope,
  };
}

function parseStore(p: Parser): Instruction {
  const atomic = p.acceptWord('atomic');
  const volatile = p.acceptWord('volatile');
  const value = parseValue(p, parseStorableType(p));
  p.expect(comma);
  const pointer = parsePointer(p);
  const syncScope = atomic ? parseSyncScope(p) : undefined;
  const ordering = atomic ? takeOrdering(p) : undefined;
  const align = parseAlign(p);
  return {
    kind: 'instruction',
    type: voidType,
    name: undefined,
    debugLocation: undefined,
    metadata: undefined,
    op: 'store',
    value,
    pointer,
    align,
    volatile,
    ordering,
    syncScope,
  };
}

function parseGetElementPtr(p: Parser): Instruction {
  const flags = parseGepFlags(p);
  const sourceType = parseStorableType(p);
  p.expect(comma);
  const offset = p.lexer.offset;
  const base = parseTypedValue(p);
  const indices: Value[] = [];
  while (acceptOperandComma(p)) indices.push(parseTypedValue(p));
  const type = gepType(base, indices);
  if (type === undefined) p.lexer.fail(`these are not the operands of 'getelementptr'`, offset);
  return {
    kind: 'instruction',
    type: type,
    name: undefined,
    debugLocation: undefined,
    metadata: undefined,
    op: 'getelementptr',
    flags,
    sourceType,
    base,
    indices,
  };
}

function parseCompareExchange(p: Parser): Instruction {
  const weak = p.acceptWord('weak');
  const volatile = p.acceptWord('volatile');
  const pointer = parsePointer(p);
  p.expect(comma);
  const expected = parseTypedValue(p);
  p.expect(comma);
  const offset = p.lexer.offset;
  const replacement = parseTypedValue(p);
  if (replacement.type !== expected.type) p.lexer.fail('both values have one type', offset);
  const syncScope = parseSyncScope(p);
  const successOrdering = takeOrdering(p);
  const failureOrdering = takeOrdering(p);
  return {
    kind: 'instruction',
    type: structType([expected.type, i1]),
    name: undefined,
    debugLocation: undefined,
    metadata: undefined,
    op: 'cmpxchg',
    pointer,
    expected,
    replacement,
    weak,
    volatile,
    successOrdering,
    failureOrdering,
    syncScope,
    align: parseAlign(p),
  };
}

const atomicOps: ReadonlySet<AtomicOp> = new Set([
  'xchg',
  'add',
  'sub',
  'and',
  'nand',
  'or',
  'xor',
  'max',
  'min',
  'umax',
  'umin',
  'fadd',
  'fsub',
  'fmax',
  'fmin',
  'fmaximum',
  'fminimum',
  'uinc_wrap',
  'udec_wrap',
  'usub_cond',
  'usub_sat',
]);

function parseAtomicRmw(p: Parser): Instruction {
  const volatile = p.acceptWord('volatile');
  const operation = p.takeOneOf(atomicOps, 'an atomic operation');
  const pointer = parsePointer(p);
  p.expect(comma);
  const value = parseTypedValue(p);
  const syncScope = parseSyncScope(p);
  const ordering = takeOrdering(p);
  return {
    kind: 'instruction',
    type: value.type,
    name: undefined,
    debugLocation: undefined,
    metadata: undefined,
    op: 'atomicrmw',
    operation,
    pointer,
    value,
    volatile,
    ordering,
    syncScope,
    align: parseAlign(p),
  };
}

// --------------------------------------------------------------------------------------- terminators

/** `%name` of a block. */
function takeBlockName(p: Parser): Block {
  const scope = p.scope;
  if (!p.is(Token.local) || scope === undefined) p.failExpected('the name of a block');
  const block = scope.block(scope.nameHere(), p.lexer.offset);
  p.lexer.next();
  return block;
}

/** `label %name`. */
export function takeLabel(p: Parser): Block {
  p.expectWord('label');
  return takeBlockName(p);
}

function parseReturn(p: Parser): Instruction {
  const type = parseType(p);
  const value = type.kind === 'void' ? undefined : parseValue(p, type);
  return {
    kind: 'instruction',
    type: voidType,
    name: undefined,
    debugLocation: undefined,
    metadata: undefined,
    op: 'ret',
    value,
  };
}

function parseBranch(p: Parser): Instruction {
  if (p.isWord('label'))
    return {
      kind: 'instruction',
      type: voidType,
      name: undefined,
      debugLocation: undefined,
      metadata: undefined,
      op: 'br',
      target: takeLabel(p),
    };
  const offset = p.lexer.offset;
  const condition = parseTypedValue(p);
  if (condition.type !== i1) p.lexer.fail('the condition of a branch is an i1', offset);
  p.expect(comma);
  const ifTrue = takeLabel(p);
  p.expect(comma);
  return {
    kind: 'instruction',
    type: voidType,
    name: undefined,
    debugLocation: undefined,
    metadata: undefined,
    op: 'condbr',
    condition,
    ifTrue,
    ifFalse: takeLabel(p),
  };
}

function parseSwitch(p: Parser): Instruction {
  const offset = p.lexer.offset;
  const condition = parseTypedValue(p);
  if (condition.type.kind !== 'integer') p.lexer.fail('a switch is over an integer', offset);
  p.expect(comma);
  const defaultTarget = takeLabel(p);
  const caseValues: IntegerConstant[] = [];
  const caseTargets: Block[] = [];
  p.expect(openBracket);
  while (!p.accept(closeBracket)) {
    const place = p.lexer.offset;
    const value = parseConstant(p, parseFirstClassType(p));
    if (value.kind !== 'integer' || value.type !== condition.type) {
      p.lexer.fail('a case is an integer of the type of the switch', place);
    }
    caseValues.push(value);
    p.expect(comma);
    caseTargets.push(takeLabel(p));
  }
  return {
    kind: 'instruction',
    type: voidType,
    name: undefined,
    debugLocation: undefined,
    metadata: undefined,
    op: 'switch',
    condition,
    defaultTarget,
    caseValues,
    caseTargets,
  };
}

function parseIndirectBranch(p: Parser): Instruction {
  const address = parsePointer(p);
  p.expect(comma);
  return {
    kind: 'instruction',
    type: voidType,
    name: undefined,
    debugLocation: undefined,
    metadata: undefined,
    op: 'indirectbr',
    address,
    targets: takeLabels(p),
  };
}

/** `[label %a, label %b]`. */
export function takeLabels(p: Parser): Block[] {
  p.expect(openBracket);
  const targets: Block[] = [];
  if (!p.is(closeBracket)) {
    do targets.push(takeLabel(p));
    while (p.accept(comma));
  }
  p.expect(closeBracket);
  return targets;
}

/**
 * Reading instructions: everything after `%x =`, except calls, memory and terminators, which have
 * files of their own. The fields that all share are spelled out at each one: see `builder.ts` for
 * why.
 */

import { unreachable } from '../../support/assert.js';
import type {
  BinaryOp,
  Block,
  CastOp,
  FloatPredicate,
  Instruction,
  IntegerPredicate,
  Value,
} from '../model.js';
import { isOpcodeWord } from '../opcodes.js';
import { comparisonType, elementType, scalarType, voidType } from '../types.js';
import { closeBracket, comma, openBracket, type Parser } from './parser.js';
import { parseCall, parseCallBranch } from './read-call.js';
import { parseTypedConstant, parseTypedValue, parseValue, vectorOperationType } from './read-constant.js';
import { parseFlags } from './read-flags.js';
import {
  parseAlloca,
  parseAtomicRmw,
  parseCompareExchange,
  parseGetElementPtr,
  parseLoad,
  parseStore,
  parseSyncScope,
  takeOrdering,
} from './read-memory.js';
import {
  parseBranch,
  parseIndirectBranch,
  parseReturn,
  parseSwitch,
  takeBlockName,
} from './read-terminator.js';
import { parseFirstClassType } from './read-type.js';

/** Requires the lexer at the word of the operation. */
export function parseInstruction(p: Parser): Instruction {
  const offset = p.lexer.offset;
  const op = p.takeWord('an instruction');
  if (!isOpcodeWord(op)) return parseOther(p, op, offset);
  switch (op) {
    case 'load':
      return parseLoad(p);
    case 'store':
      return parseStore(p);
    case 'call':
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
    default:
      return unreachable(op);
  }
}

/** A call may begin with another word; anything else is not supported. */
function parseOther(p: Parser, word: string, offset: number): Instruction {
  switch (word) {
    case 'tail':
    case 'musttail':
    case 'notail':
      return parseCall(p, word);
    case 'invoke':
    case 'resume':
    case 'landingpad':
    case 'catchswitch':
    case 'catchpad':
    case 'cleanuppad':
    case 'catchret':
    case 'cleanupret':
      return p.lexer.fail(`'${word}' is not supported: C has no exceptions`, offset);
    default:
      return p.lexer.fail(`expected an instruction, found '${word}'`, offset);
  }
}

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
  } while (p.acceptOperandComma());
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
  while (p.acceptOperandComma()) path.push(p.takeNumber('an index'));
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

/** Reading constants and other operands. */

import { makeBlock } from '../builder.js';
import {
  falseConstant,
  integerConstant,
  nullConstantOf,
  poisonConstant,
  trueConstant,
  undefConstant,
  zeroConstant,
} from '../constants.js';
import type { BlockAddress, Constant, ConstantOp, GlobalValue, InlineAssembly, Value } from '../model.js';
import { Flag } from '../model.js';
import { arrayType, type IntegerType, i8, ptr, type Type, vectorType } from '../types.js';
import { floatBitsFromText } from './float-text.js';
import { type Lexer, Token } from './lexer.js';
import {
  closeBrace,
  closeBracket,
  closeParenthesis,
  comma,
  greater,
  integerFromText,
  less,
  openBrace,
  openBracket,
  openParenthesis,
  type Parser,
} from './parser.js';
import { parseGepFlags } from './read-flags.js';
import { parseFirstClassType, parseStorableType } from './read-type.js';

/** The largest number of elements of a splat, so that ten characters cannot request gigabytes. */
const maximumSplat = 1 << 16;

/** A type and an operand of that type. */
export function parseTypedValue(p: Parser): Value {
  return parseValue(p, parseFirstClassType(p));
}

/** An operand of a type that is known. */
export function parseValue(p: Parser, type: Type): Value {
  if (p.lexer.kind === Token.local && p.scope !== undefined) {
    const value = p.scope.use(type);
    p.lexer.next();
    return value;
  }
  if (type.kind === 'metadata') return p.metadata.operand(p);
  return parseConstant(p, type);
}

export function parseTypedConstant(p: Parser): Constant {
  return parseConstant(p, parseFirstClassType(p));
}

export function parseConstant(p: Parser, type: Type): Constant {
  const lexer: Lexer = p.lexer;
  switch (lexer.kind) {
    case Token.integer:
      return parseIntegerConstant(p, type);
    case Token.global:
      return parseGlobalReference(p, type);
    case Token.word:
      return parseWordConstant(p, type);
    case Token.float:
      return parseFloatConstant(p, type);
    case Token.bytes: {
      const data = lexer.unescaped;
      if (type !== arrayType(i8, data.length)) lexer.fail(`this string does not have the length of its type`);
      lexer.next();
      return { kind: 'bytes', type: arrayType(i8, data.length), data };
    }
    case openBracket:
      return parseAggregate(p, type, 'array', closeBracket);
    case openBrace:
      return parseAggregate(p, type, 'struct', closeBrace);
    case less:
      return parseVectorOrPackedStruct(p, type);
    default:
      return p.failExpected('a value');
  }
}

function parseIntegerConstant(p: Parser, type: Type): Constant {
  const lexer: Lexer = p.lexer;
  if (type.kind !== 'integer') lexer.fail(`a whole number stands where its type does not allow one`);
  const small = smallInteger(lexer.text, lexer.start, lexer.end);
  if (small >= 0 && type.bits >= 31) {
    lexer.next();
    return integerConstant(type, small);
  }
  const value = integerFromText(lexer.word);
  if (value === undefined) lexer.fail(`${lexer.describe()} is not a whole number`);
  if (!fits(value, type)) lexer.fail(`${lexer.describe()} does not fit into ${type.bits} bits`);
  lexer.next();
  return integerConstant(type, value);
}

/** The value of up to nine digits without a sign, else -1. */
function smallInteger(text: string, start: number, end: number): number {
  if (end - start > 9) return -1;
  let value = 0;
  for (let i = start; i < end; i++) {
    const digit = text.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** As a signed or as an unsigned number. */
function fits(value: bigint, type: IntegerType): boolean {
  const bits = type.bits;
  return BigInt.asUintN(bits, value) === value || BigInt.asIntN(bits, value) === value;
}

function parseFloatConstant(p: Parser, type: Type): Constant {
  const lexer: Lexer = p.lexer;
  if (type.kind !== 'float') lexer.fail(`a floating-point number stands where its type does not allow one`);
  const bits = floatBitsFromText(lexer.word, type.format);
  if (bits === undefined) lexer.fail(`${lexer.describe()} is not a constant of type ${type.format}`);
  lexer.next();
  return { kind: 'float', type, bits };
}

/** `@name` of a pointer type. */
function parseGlobalReference(p: Parser, type: Type): GlobalValue {
  const offset = p.lexer.offset;
  const global = takeGlobal(p);
  if (global.type !== type) p.lexer.fail('a global stands where its type does not allow one', offset);
  return global;
}

export function takeGlobal(p: Parser): GlobalValue {
  const lexer: Lexer = p.lexer;
  if (lexer.kind !== Token.global) p.failExpected('the name of a global');
  const global = p.globals.get(lexer.value >= 0 ? lexer.value : lexer.unescaped);
  if (global === undefined) lexer.fail(`there is no global ${lexer.describe()}`);
  lexer.next();
  return global;
}

function parseWordConstant(p: Parser, type: Type): Constant {
  const lexer: Lexer = p.lexer;
  const offset = lexer.offset;
  const word = lexer.word;
  lexer.next();
  switch (word) {
    case 'true':
    case 'false':
      if (type.kind !== 'integer' || type.bits !== 1) lexer.fail(`'${word}' has the type i1`, offset);
      return word === 'true' ? trueConstant : falseConstant;
    case 'null':
      if (type.kind !== 'pointer') lexer.fail(`'null' is a pointer`, offset);
      return nullConstantOf(type);
    case 'undef':
      return undefConstant(type);
    case 'poison':
      return poisonConstant(type);
    case 'zeroinitializer':
      return zeroConstant(type);
    case 'none':
      if (type.kind !== 'token') lexer.fail(`'none' is a token`, offset);
      return { kind: 'none', type };
    case 'blockaddress':
      return parseBlockAddress(p);
    case 'dso_local_equivalent':
    case 'no_cfi':
      return { kind: word, type: ptr, target: takeGlobal(p) };
    case 'splat':
      return parseSplat(p, type);
    default: {
      if (!constantOps.has(word as ConstantOp)) lexer.fail(`expected a value, found '${word}'`, offset);
      p.enter();
      const expression = parseExpression(p, word as ConstantOp);
      p.leave();
      if (expression.type !== type) {
        lexer.fail('this expression has another type than is expected here', offset);
      }
      return expression;
    }
  }
}

function parseSplat(p: Parser, type: Type): Constant {
  p.expect(openParenthesis);
  const offset = p.lexer.offset;
  p.enter();
  const element = parseTypedConstant(p);
  p.leave();
  p.expect(closeParenthesis);
  if (type.kind !== 'vector' || type.element !== element.type) {
    p.lexer.fail('a splat fills a vector with an element of its type', offset);
  }
  if (type.length > maximumSplat) p.lexer.fail('this vector is too long', offset);
  return { kind: 'aggregate', type, elements: new Array<Constant>(type.length).fill(element) };
}

function parseBlockAddress(p: Parser): BlockAddress {
  p.expect(openParenthesis);
  const offset = p.lexer.offset;
  const target = takeGlobal(p);
  if (target.kind !== 'function') p.lexer.fail('only functions have blocks', offset);
  p.expect(comma);
  if (!p.is(Token.local)) p.failExpected('the name of a block');
  const label = p.lexer.value >= 0 ? p.lexer.value : p.lexer.unescaped;
  const address: BlockAddress = { kind: 'blockaddress', type: ptr, function: target, block: makeBlock() };
  p.pendingBlockAddresses.push({ address, label, offset: p.lexer.offset });
  p.lexer.next();
  p.expect(closeParenthesis);
  return address;
}

function parseElements(p: Parser, closing: number): Constant[] {
  const elements: Constant[] = [];
  p.enter();
  if (!p.is(closing)) {
    do elements.push(parseTypedConstant(p));
    while (p.accept(comma));
  }
  p.leave();
  p.expect(closing);
  return elements;
}

/**
 * The elements of an array or struct; requires the lexer at its opening bracket. Each must have the
 * type declared for it.
 */
function parseAggregate(p: Parser, type: Type, kind: 'array' | 'struct', closing: number): Constant {
  const offset = p.lexer.offset;
  p.lexer.next();
  const elements = parseElements(p, closing);
  if (type.kind !== kind || !elementsFit(type, elements)) {
    p.lexer.fail(`these elements are not those of the type`, offset);
  }
  return { kind: 'aggregate', type, elements };
}

function elementsFit(type: Type, elements: readonly Constant[]): boolean {
  switch (type.kind) {
    case 'array':
    case 'vector':
      return elements.length === type.length && elements.every(element => element.type === type.element);
    case 'struct':
      return (
        type.elements?.length === elements.length &&
        type.elements.every((element, index) => element === elements[index]!.type)
      );
    default:
      // Other types have no elements.
      return false;
  }
}

function parseVectorOrPackedStruct(p: Parser, type: Type): Constant {
  const offset = p.lexer.offset;
  p.expect(less);
  if (p.is(openBrace)) {
    const constant = parseAggregate(p, type, 'struct', closeBrace);
    p.expect(greater);
    if (type.kind === 'struct' && !type.packed) p.lexer.fail('this struct is not packed', offset);
    return constant;
  }
  const elements = parseElements(p, greater);
  if (type.kind !== 'vector' || !elementsFit(type, elements)) {
    p.lexer.fail(`these elements are not those of the type`, offset);
  }
  return { kind: 'aggregate', type, elements };
}

const constantOps: ReadonlySet<ConstantOp> = new Set([
  'getelementptr',
  'add',
  'sub',
  'xor',
  'trunc',
  'ptrtoint',
  'ptrtoaddr',
  'inttoptr',
  'bitcast',
  'addrspacecast',
  'extractelement',
  'insertelement',
  'shufflevector',
]);

function parseExpression(p: Parser, op: ConstantOp): Constant {
  switch (op) {
    case 'getelementptr':
      return parseGetElementPtr(p);
    case 'add':
    case 'sub':
    case 'xor': {
      let flags = 0;
      while (p.isWord('nuw') || p.isWord('nsw'))
        flags |= p.takeWord('a flag') === 'nuw' ? Flag.nuw : Flag.nsw;
      const operands = parseOperands(p);
      const [left, right] = operands;
      if (operands.length !== 2 || left!.type !== right!.type) {
        p.lexer.fail(`'${op}' has two operands of one type`);
      }
      return makeExpression(op, left!.type, operands, flags);
    }
    case 'extractelement':
    case 'insertelement':
    case 'shufflevector': {
      const offset = p.lexer.offset;
      const operands = parseOperands(p);
      const type = vectorOperationType(op, operands);
      if (type === undefined) p.lexer.fail(`these are not the operands of '${op}'`, offset);
      return makeExpression(op, type, operands, 0);
    }
    case 'trunc':
    case 'ptrtoint':
    case 'ptrtoaddr':
    case 'inttoptr':
    case 'bitcast':
    case 'addrspacecast': {
      p.expect(openParenthesis);
      const operand = parseTypedConstant(p);
      p.expectWord('to');
      const type = parseFirstClassType(p);
      p.expect(closeParenthesis);
      return makeExpression(op, type, [operand], 0);
    }
  }
}

function makeExpression(op: ConstantOp, type: Type, operands: Constant[], flags: number): Constant {
  return { kind: 'expression', op, type, operands, flags, sourceType: undefined, inRange: undefined };
}

/** The type that an operation on vectors gives, or undefined if the operands do not fit. */
export function vectorOperationType(op: string, operands: readonly Value[]): Type | undefined {
  const [first, second, third] = operands;
  if (first === undefined || second === undefined || first.type.kind !== 'vector') return undefined;
  if (op === 'extractelement') {
    return operands.length === 2 && second.type.kind === 'integer' ? first.type.element : undefined;
  }
  if (third === undefined || operands.length !== 3) return undefined;
  if (op === 'insertelement') {
    return second.type === first.type.element && third.type.kind === 'integer' ? first.type : undefined;
  }
  const mask = third.type;
  if (second.type !== first.type || mask.kind !== 'vector') return undefined;
  return mask.element.kind === 'integer' && mask.element.bits === 32
    ? vectorType(first.type.element, mask.length)
    : undefined;
}

function parseOperands(p: Parser): Constant[] {
  p.expect(openParenthesis);
  const operands: Constant[] = [];
  do operands.push(parseTypedConstant(p));
  while (p.accept(comma));
  p.expect(closeParenthesis);
  return operands;
}

function parseGetElementPtr(p: Parser): Constant {
  let flags = parseGepFlags(p);
  let inRange: { low: bigint; high: bigint } | undefined;
  if (p.acceptWord('inrange')) {
    p.expect(openParenthesis);
    const low = p.takeBigInt();
    p.expect(comma);
    inRange = { low, high: p.takeBigInt() };
    p.expect(closeParenthesis);
    flags |= parseGepFlags(p);
  }
  p.expect(openParenthesis);
  const sourceType = parseStorableType(p);
  const operands: Constant[] = [];
  const offset = p.lexer.offset;
  while (p.accept(comma)) operands.push(parseTypedConstant(p));
  p.expect(closeParenthesis);
  const type = gepType(operands[0], operands.slice(1));
  if (type === undefined) p.lexer.fail(`these are not the operands of 'getelementptr'`, offset);
  return { kind: 'expression', op: 'getelementptr', type, operands, flags, sourceType, inRange };
}

/**
 * A pointer, or a vector of pointers if the base or any index is a vector; undefined if an operand
 * does not fit.
 */
export function gepType(base: Value | undefined, indices: readonly Value[]): Type | undefined {
  if (base === undefined) return undefined;
  const pointer = base.type.kind === 'vector' ? base.type.element : base.type;
  if (pointer.kind !== 'pointer') return undefined;
  let type: Type = base.type;
  for (const index of indices) {
    const scalar = index.type.kind === 'vector' ? index.type.element : index.type;
    if (scalar.kind !== 'integer') return undefined;
    if (index.type.kind === 'vector' && type.kind !== 'vector') type = vectorType(pointer, index.type.length);
  }
  return type;
}

/** After `asm`. */
export function parseInlineAssembly(p: Parser): InlineAssembly {
  const sideEffect = p.acceptWord('sideeffect');
  const alignStack = p.acceptWord('alignstack');
  const intelDialect = p.acceptWord('inteldialect');
  const mayUnwind = p.acceptWord('unwind');
  const text = p.takeString();
  p.expect(comma);
  const constraints = p.takeString();
  return { kind: 'assembly', type: ptr, text, constraints, sideEffect, alignStack, intelDialect, mayUnwind };
}

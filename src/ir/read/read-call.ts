/** Reading `call` and `callbr`. */
import type { AttributeSet } from '../attributes.js';
import type {
  CallBranchInstruction,
  CallCommon,
  CallInstruction,
  InstructionCommon,
  OperandBundle,
  Value,
} from '../model.js';
import { type FunctionType, functionType, pointerType, ptr, type Type } from '../types.js';
import { Token } from './lexer.js';
import {
  closeBracket,
  closeParenthesis,
  comma,
  openBracket,
  openParenthesis,
  type Parser,
} from './parser.js';
import { parseFunctionAttributes, parseValueAttributes } from './read-attributes.js';
import { parseInlineAssembly, parseTypedValue, parseValue } from './read-constant.js';
import { parseFlags } from './read-flags.js';
import { takeLabel, takeLabels } from './read-terminator.js';
import { parseAddressSpace, parseFirstClassType, parseType } from './read-type.js';

/** After `call`, `tail`, `musttail` or `notail`. */
export function parseCall(p: Parser, word: 'call' | 'tail' | 'musttail' | 'notail'): CallInstruction {
  if (word !== 'call') p.expectWord('call');
  const flags = parseFlags(p);
  const parts = parseCallParts(p);
  return {
    kind: 'instruction',
    type: parts.functionType.returns,
    name: undefined,
    debugLocation: undefined,
    metadata: undefined,
    op: 'call',
    functionType: parts.functionType,
    callee: parts.callee,
    args: parts.args,
    argAttributes: parts.argAttributes,
    returnAttributes: parts.returnAttributes,
    attributes: parts.attributes,
    callingConvention: parts.callingConvention,
    bundles: parts.bundles,
    tail: word === 'call' ? '' : word,
    flags,
  };
}

/** After `callbr`. */
export function parseCallBranch(p: Parser): CallBranchInstruction {
  const parts = parseCallParts(p);
  p.expectWord('to');
  const fallthrough = takeLabel(p);
  return {
    kind: 'instruction',
    type: parts.functionType.returns,
    name: undefined,
    debugLocation: undefined,
    metadata: undefined,
    op: 'callbr',
    ...parts,
    fallthrough,
    targets: takeLabels(p),
  };
}

/** What both have in common, without the fields of every instruction. */
type CallParts = Omit<CallCommon, keyof InstructionCommon>;

const conventionsByOtherNames: ReadonlySet<string> = new Set([
  'spir_func',
  'spir_kernel',
  'aarch64_vector_pcs',
  'aarch64_sve_vector_pcs',
]);

/**
 * `fastcc`, `cc 10`, or nothing: the names of nearly all conventions, and of nothing else, contain
 * `cc`.
 */
export function parseCallingConvention(p: Parser): string {
  if (!p.is(Token.word)) return '';
  const word = p.lexer.word;
  if (!word.includes('cc') && !conventionsByOtherNames.has(word)) return '';
  p.lexer.next();
  if (word === 'cc') return `cc ${p.takeNumber('the number of a calling convention')}`;
  return word === 'ccc' ? '' : word;
}

function parseCallParts(p: Parser): CallParts {
  const callingConvention = parseCallingConvention(p);
  const returnAttributes = parseValueAttributes(p);
  const pointer = p.isWord('addrspace') ? pointerType(parseAddressSpace(p)) : ptr;
  const typeOffset = p.lexer.offset;
  const written = parseType(p);
  const callee = p.acceptWord('asm') ? parseInlineAssembly(p) : parseValue(p, pointer);
  const args: Value[] = [];
  const argAttributes: AttributeSet[] = [];
  p.expect(openParenthesis);
  if (!p.is(closeParenthesis)) {
    do {
      const type = parseFirstClassType(p);
      argAttributes.push(parseValueAttributes(p));
      args.push(parseValue(p, type));
    } while (p.accept(comma));
  }
  p.expect(closeParenthesis);
  const type = written.kind === 'function' ? written : typeFromArguments(written, callee, args);
  if (!argumentsFit(type, args)) p.lexer.fail('the arguments do not fit the type of the call', typeOffset);
  const attributes = parseFunctionAttributes(p);
  const bundles = parseBundles(p);
  return {
    functionType: type,
    callee,
    args,
    argAttributes,
    returnAttributes,
    attributes,
    callingConvention,
    bundles,
  };
}

/** Usually the callee's own type, which spares us from looking it up. */
function typeFromArguments(returns: Type, callee: Value, args: readonly Value[]): FunctionType {
  if (callee.kind === 'function') {
    const type = callee.functionType;
    const fits = type.returns === returns && !type.variadic && type.parameters.length === args.length;
    if (fits && type.parameters.every((parameter, index) => parameter === args[index]!.type)) return type;
  }
  return functionType(
    returns,
    args.map(argument => argument.type),
  );
}

function argumentsFit(type: FunctionType, args: readonly Value[]): boolean {
  const { parameters } = type;
  if (args.length < parameters.length || (args.length > parameters.length && !type.variadic)) return false;
  return parameters.every((parameter, index) => parameter === args[index]!.type);
}

/** `[ "tag"(i32 %x), ... ]`. */
function parseBundles(p: Parser): OperandBundle[] | undefined {
  if (!p.accept(openBracket)) return undefined;
  const bundles: OperandBundle[] = [];
  do {
    const tag = p.takeString();
    bundles.push({ tag, operands: p.list(openParenthesis, closeParenthesis, parseTypedValue) });
  } while (p.accept(comma));
  p.expect(closeBracket);
  return bundles;
}

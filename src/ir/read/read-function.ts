/**
 * Reading the body of a function: blocks, instructions with what is attached to them, debug
 * records.
 */
import type { MetadataNode } from '../metadata.js';
import type {
  AssignRecord,
  Block,
  DebugRecord,
  Instruction,
  IrFunction,
  MetadataAttachment,
  Value,
} from '../model.js';
import { isTerminator } from '../operands.js';
import { voidType } from '../types.js';
import { FunctionScope, type LocalName } from './function-scope.js';
import { Token } from './lexer.js';
import {
  closeBrace,
  closeParenthesis,
  comma,
  equals,
  exclamation,
  hash,
  openBrace,
  openParenthesis,
  type Parser,
} from './parser.js';
import { parseTypedValue } from './read-constant.js';
import { parseInstruction } from './read-instruction.js';

/** The names of the arguments as written: needed when the body is read. */
export type ParameterNames = readonly { readonly name: LocalName | undefined; readonly offset: number }[];

/** From the opening brace to the closing one. */
export function parseBody(p: Parser, target: IrFunction, names: ParameterNames): void {
  const scope = new FunctionScope(p.lexer);
  p.scope = scope;
  for (let i = 0; i < names.length; i++) scope.define(names[i]!.name, target.arguments[i]!, names[i]!.offset);
  p.expect(openBrace);
  while (!p.is(closeBrace)) target.blocks.push(parseBlock(p, scope));
  if (target.blocks.length === 0) p.failExpected('a block');
  scope.finish();
  p.scope = undefined;
  p.lexer.next();
}

function parseBlock(p: Parser, scope: FunctionScope): Block {
  const lexer = p.lexer;
  let name: LocalName | undefined;
  const offset = lexer.offset;
  if (lexer.kind === Token.label) {
    name = labelName(p);
    lexer.next();
  }
  const block = scope.beginBlock(name, offset);
  for (;;) {
    const instruction = p.is(hash) ? parseDebugRecord(p) : parseNamedInstruction(p, scope);
    scope.finishInstruction(instruction);
    block.instructions.push(instruction);
    if (isTerminator(instruction)) return block;
  }
}

/** `7:` is a number unless it is in quotes. */
function labelName(p: Parser): LocalName {
  const text = p.lexer.unescaped;
  return !p.lexer.quoted && /^[0-9]+$/.test(text) ? Number(text) : text;
}

function parseNamedInstruction(p: Parser, scope: FunctionScope): Instruction {
  const lexer = p.lexer;
  const offset = lexer.offset;
  let name: LocalName | undefined;
  const isNamed = lexer.kind === Token.local;
  if (isNamed) {
    name = scope.nameHere();
    lexer.next();
    p.expect(equals);
  }
  const instruction = parseInstruction(p);
  parseAttachments(p, instruction);
  if (instruction.type !== voidType) {
    if (typeof name === 'string') instruction.name = name;
    scope.define(name, instruction, offset);
  } else if (isNamed) {
    lexer.fail('this instruction has no result to name', offset);
  }
  return instruction;
}

/** `, !dbg !7, !tbaa !9`. */
function parseAttachments(p: Parser, instruction: Instruction): void {
  while (p.accept(comma)) {
    const attachment = parseAttachment(p);
    if (attachment.name === 'dbg') {
      instruction.debugLocation = attachment.node;
    } else if (instruction.metadata === undefined) {
      instruction.metadata = [attachment];
    } else {
      instruction.metadata.push(attachment);
    }
  }
}

/** `!name !7`. */
export function parseAttachment(p: Parser): MetadataAttachment {
  if (!p.is(Token.metadataName)) p.failExpected('the name of an attachment');
  const name = p.lexer.word;
  p.lexer.next();
  return { name, node: p.metadata.node(p) };
}

const recordKinds: ReadonlyMap<string, DebugRecord['record']> = new Map([
  ['dbg_declare', 'declare'],
  ['dbg_value', 'value'],
  ['dbg_assign', 'assign'],
  ['dbg_label', 'label'],
  ['dbg_declare_value', 'declare_value'],
]);

function parseDebugRecord(p: Parser): DebugRecord {
  p.expect(hash);
  const offset = p.lexer.offset;
  const record = recordKinds.get(p.takeWord('a debug record'));
  if (record === undefined) p.lexer.fail('there is no such debug record', offset);
  p.expect(openParenthesis);
  let values: Value[] = [];
  let isList = false;
  if (record !== 'label') {
    const located = parseLocated(p);
    values = located.values;
    isList = located.isList;
    p.expect(comma);
  }
  const variable = p.metadata.node(p);
  let expression: MetadataNode | undefined;
  if (record !== 'label') {
    p.expect(comma);
    expression = p.metadata.node(p);
  }
  const assign = record === 'assign' ? parseAssignRecord(p) : undefined;
  p.expect(comma);
  const debugLocation = p.metadata.node(p);
  p.expect(closeParenthesis);
  const result: DebugRecord = {
    kind: 'instruction',
    type: voidType,
    name: undefined,
    debugLocation: undefined,
    metadata: undefined,
    op: 'debug-record',
    record,
    values,
    isList,
    variable,
    expression,
    assign,
  };
  result.debugLocation = debugLocation;
  return result;
}

/**
 * What a variable is: `i32 %x`, `!DIArgList(i32 %x, i32 %y)`, or a node such as `!{}` when that is
 * lost.
 */
function parseLocated(p: Parser): { values: Value[]; isList: boolean } {
  if (p.is(Token.metadataName) && p.lexer.word === 'DIArgList') {
    p.lexer.next();
    return { values: p.list(openParenthesis, closeParenthesis, parseTypedValue), isList: true };
  }
  if (p.is(exclamation) || p.is(Token.metadataNumber) || p.is(Token.metadataName)) {
    p.metadata.node(p);
    return { values: [], isList: false };
  }
  return { values: [parseTypedValue(p)], isList: false };
}

function parseAssignRecord(p: Parser): AssignRecord {
  p.expect(comma);
  const id = p.metadata.node(p);
  p.expect(comma);
  const [address] = parseLocated(p).values;
  p.expect(comma);
  return { id, address, addressExpression: p.metadata.node(p) };
}

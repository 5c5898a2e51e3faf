/**
 * Reads textual LLVM IR, as clang 22 writes it for C, into the model.
 *
 * The parser is written by hand and never backtracks; see `read/parser.ts` for its two passes. For
 * any text, the result is a module or an error with file, line and column: no exception, and time
 * linear in the text, because every loop of the parser takes a token or ends.
 *
 * The reader checks types as far as it needs them (an operand has the type written before it,
 * elements fit their aggregate); the verifier checks the rest, such as dominance.
 */
import { makeModule } from './builder.js';
import type { Block, IrFunction, Module } from './model.js';
import { Lexer, ReadFailure, Token } from './read/lexer.js';
import { equals, Parser } from './read/parser.js';
import { parseComdatDefinition, parseFunction, parseGlobalDefinition } from './read/read-global.js';
import { MetadataReader } from './read/read-metadata.js';
import { parseStructDefinition } from './read/read-type.js';
import { survey } from './read/survey.js';
import { spellLocals } from './write/spelling.js';

export interface IrSyntaxError {
  readonly file: string;
  /** 1-based, as are columns. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export type ReadResult =
  | { readonly kind: 'module'; readonly module: Module }
  | { readonly kind: 'error'; readonly error: IrSyntaxError };

/**
 * `file` is used in messages only. Bytes beyond ASCII are expected as one character each, or as
 * Unicode.
 */
export function readModule(text: string, file: string): ReadResult {
  try {
    return { kind: 'module', module: parseModule(text, file) };
  } catch (failure) {
    if (!(failure instanceof ReadFailure)) throw failure;
    const { line, column } = positionOf(text, failure.offset);
    return { kind: 'error', error: { file, line, column, message: failure.message } };
  }
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (;;) {
    const newline = text.indexOf('\n', lineStart);
    if (newline < 0 || newline >= offset) return { line, column: offset - lineStart + 1 };
    line++;
    lineStart = newline + 1;
  }
}

function parseModule(text: string, file: string): Module {
  const p = new Parser(new Lexer(text), makeModule(file), new MetadataReader(text));
  survey(p);
  p.lexer.jump(0);
  while (!p.is(Token.end)) parseTopLevel(p);
  p.metadata.finish(p);
  resolveBlockAddresses(p);
  return p.module;
}

function parseTopLevel(p: Parser): void {
  switch (p.lexer.kind) {
    case Token.metadataNumber:
      p.metadata.definition(p);
      return;
    case Token.metadataName:
      p.metadata.namedDefinition(p);
      return;
    case Token.global:
      parseGlobalDefinition(p);
      return;
    case Token.local:
      parseStructDefinition(p);
      return;
    case Token.comdat:
      parseComdatDefinition(p);
      return;
    case Token.word:
      parseTopLevelWord(p);
      return;
    default:
      p.failExpected('a definition');
  }
}

function parseTopLevelWord(p: Parser): void {
  const offset = p.lexer.offset;
  switch (p.lexer.word) {
    case 'define':
    case 'declare':
      parseFunction(p);
      return;
    case 'attributes':
      p.lexer.next();
      p.lexer.next();
      p.expect(equals);
      p.lexer.skipBalanced();
      return;
    case 'source_filename':
      p.lexer.next();
      p.expect(equals);
      p.module.sourceFilename = p.takeString();
      return;
    case 'target':
      parseTarget(p);
      return;
    case 'module':
      p.lexer.next();
      p.expectWord('asm');
      p.module.assembly.push(p.takeString());
      return;
    case 'uselistorder':
    case 'uselistorder_bb':
      p.lexer.fail('use-list orders are not supported', offset);
      return;
    default:
      p.failExpected('a definition');
  }
}

function parseTarget(p: Parser): void {
  p.lexer.next();
  const what = p.takeWord(`'triple' or 'datalayout'`);
  p.expect(equals);
  if (what === 'triple') p.module.triple = p.takeString();
  else if (what === 'datalayout') p.module.dataLayout = p.takeString();
  else p.failExpected(`'triple' or 'datalayout'`);
}

function resolveBlockAddresses(p: Parser): void {
  for (const { address, label, offset } of p.pendingBlockAddresses) {
    const block = findBlock(address.function, label);
    if (block === undefined) p.lexer.fail('there is no such block', offset);
    address.block = block;
  }
}

function findBlock(target: IrFunction, label: string | number): Block | undefined {
  if (typeof label === 'string') return target.blocks.find(block => block.name === label);
  const spelled = spellLocals(target);
  return target.blocks.find(block => block.name === undefined && spelled.get(block) === String(label));
}

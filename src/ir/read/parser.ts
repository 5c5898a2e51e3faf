/**
 * The shared parts of the reader: the lexer, the names of the module, and elementary parsing
 * functions.
 *
 * Reading has two passes. The survey (`survey.ts`) notes every global, struct and attribute group
 * with one quick look at the top level; then everything is parsed in order. So a body may mention
 * `@f` before it is defined and gets the final object at once, and nothing global is ever patched
 * afterwards. Inside a function, what is used before its definition is a `ForwardReference` until
 * the function ends.
 */
import type { AttributeSet } from '../attributes.js';
import type { BlockAddress, Comdat, GlobalValue, IrFunction, Module } from '../model.js';
import type { StructType } from '../types.js';
import type { FunctionScope } from './function-scope.js';
import { type Lexer, Token } from './lexer.js';
import type { MetadataReader } from './read-metadata.js';

/**
 * Types, constants and metadata nested deeper than this are rejected, before they exhaust our
 * stack.
 */
export const maximumDepth = 500;

export const comma = 0x2c;
export const equals = 0x3d;
export const openParenthesis = 0x28;
export const closeParenthesis = 0x29;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
export const less = 0x3c;
export const greater = 0x3e;
export const star = 0x2a;
export const bar = 0x7c;
export const exclamation = 0x21;
export const hash = 0x23;

/** `blockaddress(@f, %b)`, to be resolved when all functions have their blocks. */
export interface PendingBlockAddress {
  readonly address: BlockAddress;
  /** The name or number of the block. */
  readonly label: string | number;
  readonly offset: number;
}

export class Parser {
  readonly lexer: Lexer;
  readonly module: Module;
  /** By name, or by number for the unnamed. */
  readonly structs: Map<string | number, StructType> = new Map();
  readonly globals: Map<string | number, GlobalValue> = new Map();
  /** By the place of the word `define` or `declare`. */
  readonly functionsByOffset: Map<number, IrFunction> = new Map();
  readonly comdats: Map<string, Comdat> = new Map();
  readonly groups: Map<number, AttributeSet> = new Map();
  readonly pendingBlockAddresses: PendingBlockAddress[] = [];
  readonly metadata: MetadataReader;
  /** The function being read. */
  scope: FunctionScope | undefined = undefined;
  #depth = 0;

  constructor(lexer: Lexer, module: Module, metadata: MetadataReader) {
    this.lexer = lexer;
    this.module = module;
    this.metadata = metadata;
  }

  /** One level deeper, for anything that nests; `leave` goes back. */
  enter(): void {
    if (++this.#depth > maximumDepth) this.lexer.fail('nested too deeply');
  }

  leave(): void {
    this.#depth--;
  }

  is(kind: number): boolean {
    return this.lexer.kind === kind;
  }

  accept(kind: number): boolean {
    if (this.lexer.kind !== kind) return false;
    this.lexer.next();
    return true;
  }

  /** A comma with another operand after it: one before `!dbg` ends the operands. */
  acceptOperandComma(): boolean {
    if (this.lexer.kind !== comma || this.lexer.isFollowedBy(exclamation)) return false;
    this.lexer.next();
    return true;
  }

  expect(kind: number): void {
    if (this.lexer.kind !== kind) this.failExpected(`'${String.fromCharCode(kind)}'`);
    this.lexer.next();
  }

  /** What `one` reads, separated by commas, between two marks. */
  list<Item>(opening: number, closing: number, one: (p: Parser) => Item): Item[] {
    this.expect(opening);
    const items: Item[] = [];
    if (!this.is(closing)) {
      do items.push(one(this));
      while (this.accept(comma));
    }
    this.expect(closing);
    return items;
  }

  isWord(word: string): boolean {
    return this.lexer.kind === Token.word && this.lexer.word === word;
  }

  acceptWord(word: string): boolean {
    if (this.lexer.kind !== Token.word || this.lexer.word !== word) return false;
    this.lexer.next();
    return true;
  }

  expectWord(word: string): void {
    if (!this.acceptWord(word)) this.failExpected(`'${word}'`);
  }

  /** Takes any word; `what` names the expected one in messages. */
  takeWord(what: string): string {
    if (this.lexer.kind !== Token.word) this.failExpected(what);
    const word = this.lexer.word;
    this.lexer.next();
    return word;
  }

  /** One word of a set. */
  takeOneOf<T extends string>(words: ReadonlySet<T>, what: string): T {
    const word = this.lexer.kind === Token.word ? this.lexer.word : '';
    if (!(words as ReadonlySet<string>).has(word)) this.failExpected(what);
    this.lexer.next();
    return word as T;
  }

  takeString(): string {
    if (this.lexer.kind !== Token.string) this.failExpected('a string');
    const text = this.lexer.unescaped;
    this.lexer.next();
    return text;
  }

  /** A whole number of at most 2^53, without sign. */
  takeNumber(what = 'a number'): number {
    if (this.lexer.kind !== Token.integer) this.failExpected(what);
    const value = Number(this.lexer.word);
    if (!Number.isSafeInteger(value) || value < 0)
      this.lexer.fail(`${this.lexer.describe()} is out of range`);
    this.lexer.next();
    return value;
  }

  takeBigInt(): bigint {
    if (this.lexer.kind !== Token.integer) this.failExpected('a whole number');
    const value = integerFromText(this.lexer.word);
    if (value === undefined) this.lexer.fail(`${this.lexer.describe()} is not a whole number`);
    this.lexer.next();
    return value;
  }

  failExpected(what: string): never {
    this.lexer.fail(`expected ${what}, found ${this.lexer.describe()}`);
  }
}

/**
 * `-12`, `u0xFF`, `s0xFF` (a two's complement number of as many bits as it has digits times four).
 */
export function integerFromText(text: string): bigint | undefined {
  const hexadecimal = /^([us])0x([0-9a-fA-F]+)$/.exec(text);
  if (hexadecimal !== null) {
    const digits = hexadecimal[2]!;
    const value = BigInt(`0x${digits}`);
    return hexadecimal[1] === 's' ? BigInt.asIntN(digits.length * 4, value) : value;
  }
  if (!/^[-+]?[0-9]+$/.test(text)) return undefined;
  return text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text.replace('+', ''));
}

/** Reading types. */
import {
  arrayType,
  bfloatType,
  doubleType,
  floatType,
  fp128Type,
  functionType,
  halfType,
  integerType,
  isFirstClass,
  labelType,
  maximumIntegerBits,
  metadataType,
  pointerType,
  ppcFp128Type,
  ptr,
  type StructType,
  structType,
  type Type,
  targetType,
  tokenType,
  vectorType,
  voidType,
  x86Fp80Type,
} from '../types.js';
import { type Lexer, Token } from './lexer.js';
import {
  closeBrace,
  closeBracket,
  closeParenthesis,
  comma,
  equals,
  greater,
  less,
  maximumDepth,
  openBrace,
  openBracket,
  openParenthesis,
  type Parser,
  star,
} from './parser.js';

/** Types that are one word; those of the form iN are added as they are met. */
const simpleTypes = new Map<string, Type>([
  ['void', voidType],
  ['ptr', ptr],
  ['half', halfType],
  ['bfloat', bfloatType],
  ['float', floatType],
  ['double', doubleType],
  ['x86_fp80', x86Fp80Type],
  ['fp128', fp128Type],
  ['ppc_fp128', ppcFp128Type],
  ['label', labelType],
  ['metadata', metadataType],
  ['token', tokenType],
]);

export function parseType(p: Parser): Type {
  p.enter();
  let type = parseTypeWithoutSuffix(p);
  while (p.is(openParenthesis)) type = parseFunctionSuffix(p, type);
  p.leave();
  if (p.is(star)) p.lexer.fail(`typed pointers are not supported: write 'ptr'`);
  return type;
}

/** A type that a value may have: anything but `void` and functions. */
export function parseFirstClassType(p: Parser): Type {
  const offset = p.lexer.offset;
  const type = parseType(p);
  if (!isFirstClass(type)) p.lexer.fail(`a value cannot have this type`, offset);
  return type;
}

/** A type that memory can hold: loads, stores, globals, elements. */
export function parseStorableType(p: Parser): Type {
  const offset = p.lexer.offset;
  const type = parseFirstClassType(p);
  if (type.kind === 'label' || type.kind === 'metadata' || type.kind === 'token') {
    p.lexer.fail(`memory cannot hold this type`, offset);
  }
  return type;
}

function parseTypeWithoutSuffix(p: Parser): Type {
  const lexer: Lexer = p.lexer;
  switch (lexer.kind) {
    case Token.word: {
      const simple = simpleTypes.get(lexer.word);
      if (simple === undefined) return parseUncommonType(p);
      lexer.next();
      return simple === ptr && p.isWord('addrspace') ? pointerType(parseAddressSpace(p)) : simple;
    }
    case Token.local: {
      const type = p.structs.get(lexer.value >= 0 ? lexer.value : lexer.unescaped);
      if (type === undefined) lexer.fail(`there is no type ${lexer.describe()}`);
      lexer.next();
      return type;
    }
    case openBrace:
      return parseStruct(p, false);
    case openBracket:
      return parseArray(p);
    case less:
      return parseVectorOrPackedStruct(p);
    default:
      return p.failExpected('a type');
  }
}

function parseUncommonType(p: Parser): Type {
  const lexer: Lexer = p.lexer;
  const word = lexer.word;
  if (/^i[0-9]+$/.test(word)) {
    const bits = Number(word.slice(1));
    if (bits < 1 || bits > maximumIntegerBits) {
      lexer.fail(`an integer has between 1 and ${maximumIntegerBits} bits`);
    }
    const type = integerType(bits);
    simpleTypes.set(word, type);
    lexer.next();
    return type;
  }
  if (word === 'target') return parseTargetType(p);
  if (word === 'opaque') lexer.fail(`'opaque' stands only in the definition of a type`);
  return p.failExpected('a type');
}

export function parseAddressSpace(p: Parser): number {
  p.expectWord('addrspace');
  p.expect(openParenthesis);
  const offset = p.lexer.offset;
  const space = p.takeNumber('the number of an address space');
  if (space >= 1 << 24) p.lexer.fail('an address space has at most 24 bits', offset);
  p.expect(closeParenthesis);
  return space;
}

function parseStruct(p: Parser, packed: boolean): Type {
  return structType(parseStructBody(p), packed);
}

/** `{ i32, ptr }`, from the opening brace on. */
function parseStructBody(p: Parser): Type[] {
  return p.list(openBrace, closeBrace, parseStorableType);
}

/**
 * `%x = type { ... }`; requires the lexer at the name. Gives the struct, which the survey has made,
 * its body.
 */
export function parseStructDefinition(p: Parser): void {
  const struct = p.structs.get(p.lexer.value >= 0 ? p.lexer.value : p.lexer.unescaped);
  if (struct === undefined) p.failExpected('a struct');
  p.lexer.next();
  p.expect(equals);
  p.expectWord('type');
  if (p.acceptWord('opaque')) return;
  struct.packed = p.accept(less);
  if (!p.is(openBrace)) p.failExpected(`the body of a struct`);
  struct.elements = parseStructBody(p);
  if (struct.packed) p.expect(greater);
}

/**
 * No struct may contain itself, nor others to such a depth that a recursive walk through it would
 * exhaust the stack; this one therefore keeps a stack of its own. `offsets[i]` is where
 * `p.module.structs[i]` is defined.
 */
export function checkStructNesting(p: Parser, offsets: readonly number[]): void {
  const finished = new Set<StructType>();
  p.module.structs.forEach((root, index) => {
    const open = new Set<StructType>();
    const stack = [{ struct: root, inner: innerStructs(root), next: 0 }];
    while (stack.length > 0 && !finished.has(root)) {
      const top = stack[stack.length - 1]!;
      open.add(top.struct);
      const inner = top.inner[top.next++];
      if (inner === undefined) {
        finished.add(top.struct);
        open.delete(top.struct);
        stack.pop();
      } else if (open.has(inner)) {
        p.lexer.fail('this struct contains itself', offsets[index]!);
      } else if (!finished.has(inner)) {
        stack.push({ struct: inner, inner: innerStructs(inner), next: 0 });
        if (stack.length > maximumDepth) p.lexer.fail('nested too deeply', offsets[index]!);
      }
    }
  });
}

/** The identified structs that are part of this one, found through arrays and literal structs. */
function innerStructs(struct: StructType): StructType[] {
  const found: StructType[] = [];
  const visit = (type: Type): void => {
    if (type.kind === 'array') visit(type.element);
    else if (type.kind === 'struct' && type.name !== undefined) found.push(type);
    else if (type.kind === 'struct') type.elements?.forEach(visit);
  };
  struct.elements?.forEach(visit);
  return found;
}

function parseArray(p: Parser): Type {
  p.expect(openBracket);
  const length = p.takeNumber('the length of an array');
  p.expectWord('x');
  const element = parseStorableType(p);
  p.expect(closeBracket);
  return arrayType(element, length);
}

function parseVectorOrPackedStruct(p: Parser): Type {
  p.expect(less);
  if (p.is(openBrace)) {
    const type = parseStruct(p, true);
    p.expect(greater);
    return type;
  }
  if (p.isWord('vscale')) p.lexer.fail('scalable vectors are not supported');
  const offset = p.lexer.offset;
  const length = p.takeNumber('the length of a vector');
  if (length < 1 || length > 0xffff_ffff) p.lexer.fail('a vector has at least one element', offset);
  p.expectWord('x');
  const elementOffset = p.lexer.offset;
  const element = parseType(p);
  if (element.kind !== 'integer' && element.kind !== 'float' && element.kind !== 'pointer') {
    p.lexer.fail('the elements of a vector are integers, floats or pointers', elementOffset);
  }
  p.expect(greater);
  return vectorType(element, length);
}

function parseTargetType(p: Parser): Type {
  p.expectWord('target');
  p.expect(openParenthesis);
  const name = p.takeString();
  const types: Type[] = [];
  const integers: number[] = [];
  while (p.accept(comma)) {
    if (p.is(Token.integer)) integers.push(p.takeNumber());
    else if (integers.length === 0) types.push(parseType(p));
    else p.failExpected('a number');
  }
  p.expect(closeParenthesis);
  return targetType(name, types, integers);
}

/** `(i32, ptr, ...)` after the type that is returned. */
function parseFunctionSuffix(p: Parser, returns: Type): Type {
  if (returns.kind === 'function' || returns.kind === 'label' || returns.kind === 'metadata') {
    p.lexer.fail('a function cannot return this type');
  }
  p.expect(openParenthesis);
  const parameters: Type[] = [];
  let variadic = false;
  if (!p.is(closeParenthesis)) {
    do {
      if (p.accept(Token.ellipsis)) {
        variadic = true;
        break;
      }
      parameters.push(parseFirstClassType(p));
    } while (p.accept(comma));
  }
  p.expect(closeParenthesis);
  return functionType(returns, parameters, variadic);
}

/**
 * The first pass over a module: creates every global, struct, comdat and attribute group, without
 * parsing them.
 *
 * Only the top level is looked at token by token; whatever is in brackets (bodies, parameters,
 * initializers, metadata) is jumped over. Then the bodies of the structs are read, and with that
 * every name that the rest of the text may mention is known.
 */
import { makeFunction, makeVariable } from '../builder.js';
import { nullConstant } from '../constants.js';
import type { GlobalAlias, GlobalIfunc, GlobalValue } from '../model.js';
import { functionType, i8, identifiedStruct, pointerType, type StructType, voidType } from '../types.js';
import { Token } from './lexer.js';
import { equals, openBrace, openBracket, openParenthesis, type Parser } from './parser.js';
import { parseAttributeGroup } from './read-attributes.js';
import { checkStructNesting, parseAddressSpace, parseStructDefinition } from './read-type.js';

/** Read before its header, a function has this type. */
const unknownFunctionType = functionType(voidType, []);

export function survey(p: Parser): void {
  const structOffsets = surveyTopLevel(p);
  for (const offset of structOffsets) {
    p.lexer.jump(offset);
    parseStructDefinition(p);
  }
  checkStructNesting(p, structOffsets);
}

/** Returns where the definitions of structs are. */
function surveyTopLevel(p: Parser): number[] {
  const lexer = p.lexer;
  const structOffsets: number[] = [];
  lexer.jump(0);
  while (lexer.kind !== Token.end) {
    switch (lexer.kind) {
      case openBrace:
      case openParenthesis:
      case openBracket:
        lexer.skipBalanced();
        break;
      case Token.global:
        if (lexer.isFollowedBy(equals)) surveyGlobal(p);
        else lexer.next();
        break;
      case Token.local:
        if (lexer.isFollowedBy(equals)) {
          structOffsets.push(lexer.offset);
          surveyStruct(p);
        }
        lexer.next();
        break;
      case Token.comdat:
        if (lexer.isFollowedBy(equals)) surveyComdat(p);
        lexer.next();
        break;
      case Token.word:
        surveyWord(p);
        break;
      default:
        lexer.next();
    }
  }
  return structOffsets;
}

function surveyWord(p: Parser): void {
  const word = p.lexer.word;
  if (word === 'define' || word === 'declare') {
    surveyFunction(p);
    return;
  }
  p.lexer.next();
  if (word === 'attributes' && p.is(Token.attributeGroup) && p.lexer.isFollowedBy(equals)) {
    const number = p.lexer.value;
    if (p.groups.has(number)) p.lexer.fail(`attribute group #${number} is defined twice`);
    p.lexer.next();
    p.lexer.next();
    p.groups.set(number, parseAttributeGroup(p));
  }
}

/** Registers a global under the name, or the number, that the lexer stands on. */
function register(p: Parser, make: (name: string) => GlobalValue): GlobalValue {
  const key = p.lexer.value >= 0 ? p.lexer.value : p.lexer.unescaped;
  if (p.globals.has(key)) p.lexer.fail(`${p.lexer.describe()} is defined twice`);
  const global = make(typeof key === 'string' ? key : '');
  p.globals.set(key, global);
  return global;
}

function surveyFunction(p: Parser): void {
  const offset = p.lexer.offset;
  do p.lexer.next();
  while (!p.is(Token.global) && !p.is(openParenthesis) && !p.is(openBrace) && !p.is(Token.end));
  while (p.is(openParenthesis) || p.is(openBrace)) {
    p.lexer.skipBalanced();
    while (!p.is(Token.global) && !p.is(openParenthesis) && !p.is(openBrace) && !p.is(Token.end)) {
      p.lexer.next();
    }
  }
  if (!p.is(Token.global)) p.failExpected('the name of a function');
  register(p, name => {
    const made = makeFunction(name, unknownFunctionType);
    p.module.functions.push(made);
    p.functionsByOffset.set(offset, made);
    return made;
  });
  p.lexer.next();
}

/**
 * `@x = ... global`, `constant`, `alias` or `ifunc`: the words between say only how it is linked.
 */
function surveyGlobal(p: Parser): void {
  const start = p.lexer.offset;
  let addressSpace = 0;
  p.lexer.next();
  p.lexer.next();
  while (p.is(Token.word) || p.is(openParenthesis)) {
    if (p.is(openParenthesis)) {
      p.lexer.skipBalanced();
      continue;
    }
    const word = p.lexer.word;
    if (word === 'global' || word === 'constant' || word === 'alias' || word === 'ifunc') {
      const next = p.lexer.position;
      p.lexer.jump(start);
      registerGlobal(p, word, addressSpace);
      p.lexer.jump(next);
      return;
    }
    if (word === 'addrspace') addressSpace = parseAddressSpace(p);
    else p.lexer.next();
  }
  p.failExpected(`'global', 'constant', 'alias' or 'ifunc'`);
}

function registerGlobal(
  p: Parser,
  word: 'global' | 'constant' | 'alias' | 'ifunc',
  addressSpace: number,
): void {
  register(p, name => {
    const variable = makeVariable(name, i8, undefined, addressSpace);
    if (word === 'global' || word === 'constant') {
      p.module.variables.push(variable);
      return variable;
    }
    const common = {
      name,
      type: pointerType(addressSpace),
      linkage: variable.linkage,
      visibility: variable.visibility,
      dllStorage: undefined,
      dsoLocal: false,
      unnamedAddress: undefined,
      section: undefined,
      partition: undefined,
      comdat: undefined,
      metadata: undefined,
      valueType: i8,
    };
    if (word === 'alias') {
      const made: GlobalAlias = { kind: 'alias', ...common, threadLocal: undefined, aliasee: nullConstant };
      p.module.aliases.push(made);
      return made;
    }
    const made: GlobalIfunc = { kind: 'ifunc', ...common, resolver: nullConstant };
    p.module.ifuncs.push(made);
    return made;
  });
}

function surveyStruct(p: Parser): void {
  const key = p.lexer.value >= 0 ? p.lexer.value : p.lexer.unescaped;
  if (p.structs.has(key)) p.lexer.fail(`${p.lexer.describe()} is defined twice`);
  const struct: StructType = identifiedStruct(String(key));
  p.structs.set(key, struct);
  p.module.structs.push(struct);
}

function surveyComdat(p: Parser): void {
  const name = p.lexer.unescaped;
  if (p.comdats.has(name)) p.lexer.fail(`${p.lexer.describe()} is defined twice`);
  const comdat = { name, selection: 'any' as const };
  p.comdats.set(name, comdat);
  p.module.comdats.push(comdat);
}

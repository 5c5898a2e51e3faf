/**
 * Reading globals: variables, aliases, ifuncs, and the headers of functions. The survey has made
 * the objects.
 */
import { unreachable } from '../../support/assert.js';
import { AttributeSet } from '../attributes.js';
import { makeArgument } from '../builder.js';
import type {
  Argument,
  Comdat,
  ComdatSelection,
  Constant,
  GlobalCommon,
  GlobalValue,
  IrFunction,
  Linkage,
  MetadataAttachment,
  ThreadLocalMode,
} from '../model.js';
import { functionType, pointerType, ptr, type Type } from '../types.js';
import type { LocalName } from './function-scope.js';
import { Token } from './lexer.js';
import { closeParenthesis, comma, equals, openParenthesis, type Parser } from './parser.js';
import { parseFunctionAttributes, parseValueAttributes } from './read-attributes.js';
import { parseCallingConvention } from './read-call.js';
import { parseConstant, parseTypedConstant, takeGlobal } from './read-constant.js';
import { type ParameterNames, parseAttachment, parseBody } from './read-function.js';
import { takeAlign } from './read-memory.js';
import { parseAddressSpace, parseFirstClassType, parseStorableType, parseType } from './read-type.js';

const linkages: ReadonlySet<string> = new Set<Linkage>([
  'external',
  'private',
  'internal',
  'available_externally',
  'linkonce',
  'linkonce_odr',
  'weak',
  'weak_odr',
  'common',
  'appending',
  'extern_weak',
]);

/** Linkage, visibility and similar words, in any order. Returns whether a linkage was written. */
function parseProperties(p: Parser, global: GlobalValue): boolean {
  let hasLinkage = false;
  while (p.is(Token.word)) {
    const word = p.lexer.word;
    if (linkages.has(word)) {
      global.linkage = word as Linkage;
      hasLinkage = true;
    } else if (word === 'hidden' || word === 'protected' || word === 'default') {
      global.visibility = word;
    } else if (word === 'dso_local') {
      global.dsoLocal = true;
    } else if (word === 'dllimport' || word === 'dllexport') {
      global.dllStorage = word;
    } else if (word === 'unnamed_addr' || word === 'local_unnamed_addr') {
      global.unnamedAddress = word;
    } else if (word !== 'dso_preemptable') {
      break;
    }
    p.lexer.next();
  }
  return hasLinkage;
}

const threadLocalModes: ReadonlySet<ThreadLocalMode> = new Set([
  'generaldynamic',
  'localdynamic',
  'initialexec',
  'localexec',
]);

function parseThreadLocal(p: Parser): ThreadLocalMode | undefined {
  if (!p.acceptWord('thread_local')) return undefined;
  if (!p.accept(openParenthesis)) return 'generaldynamic';
  const mode = p.takeOneOf(threadLocalModes, 'a thread-local model');
  p.expect(closeParenthesis);
  return mode;
}

/** `@x = ...`; requires the lexer at the name. */
export function parseGlobalDefinition(p: Parser): void {
  const global = takeGlobal(p);
  p.expect(equals);
  const isDeclaration = parseProperties(p, global) && /^extern/.test(global.linkage);
  const threadLocal = parseThreadLocal(p);
  parseProperties(p, global);
  if (p.isWord('addrspace')) parseAddressSpace(p);
  switch (global.kind) {
    case 'variable': {
      global.threadLocal = threadLocal;
      global.externallyInitialized = p.acceptWord('externally_initialized');
      global.isConstant = p.isWord('constant');
      if (!p.acceptWord('constant')) p.expectWord('global');
      global.valueType = parseStorableType(p);
      if (!isDeclaration) global.initializer = parseConstant(p, global.valueType);
      parseGlobalTail(p, global);
      return;
    }
    case 'alias':
      p.expectWord('alias');
      global.threadLocal = threadLocal;
      global.valueType = parseType(p);
      p.expect(comma);
      global.aliasee = parsePointerConstant(p);
      parseGlobalTail(p, global);
      return;
    case 'ifunc':
      p.expectWord('ifunc');
      global.valueType = parseType(p);
      p.expect(comma);
      global.resolver = parsePointerConstant(p);
      parseGlobalTail(p, global);
      return;
    case 'function':
      return void p.failExpected(`'define' or 'declare'`);
    default:
      unreachable(global);
  }
}

/** What an alias or ifunc may be that is not a name; LLVM writes these without their type. */
const untypedExpressions: ReadonlySet<string> = new Set([
  'getelementptr',
  'addrspacecast',
  'inttoptr',
  'bitcast',
]);

function parsePointerConstant(p: Parser): Constant {
  const offset = p.lexer.offset;
  const isUntyped = p.is(Token.word) && untypedExpressions.has(p.lexer.word);
  const constant = isUntyped ? parseConstant(p, ptr) : parseTypedConstant(p);
  if (constant.type.kind !== 'pointer') p.lexer.fail('expected a pointer', offset);
  return constant;
}

const sanitizerWords: ReadonlySet<string> = new Set([
  'no_sanitize_address',
  'no_sanitize_hwaddress',
  'sanitize_memtag',
  'sanitize_address_dyninit',
]);

/** `, section "x", align 8, !dbg !0`, and attributes of variables. */
function parseGlobalTail(p: Parser, global: GlobalValue): void {
  while (p.accept(comma)) {
    if (p.is(Token.metadataName)) {
      addAttachment(global, parseAttachment(p));
    } else if (global.kind === 'variable' && p.isWord('align')) {
      global.align = takeAlign(p);
    } else if (global.kind === 'variable' && p.acceptWord('code_model')) {
      global.codeModel = p.takeString();
    } else if (global.kind === 'variable' && p.is(Token.word) && sanitizerWords.has(p.lexer.word)) {
      global.sanitizer = [...(global.sanitizer ?? []), p.takeWord('a sanitizer')];
    } else if (!parsePlacement(p, global)) {
      p.failExpected('a property of a global');
    }
  }
  if (global.kind === 'variable') global.attributes = parseFunctionAttributes(p);
}

/** Section, partition and comdat; false if none of them is here. */
function parsePlacement(p: Parser, global: GlobalCommon): boolean {
  if (p.acceptWord('section')) global.section = p.takeString();
  else if (p.acceptWord('partition')) global.partition = p.takeString();
  else if (p.acceptWord('comdat')) global.comdat = parseComdatReference(p, global.name);
  else return false;
  return true;
}

function parseComdatReference(p: Parser, ownName: string): Comdat {
  const offset = p.lexer.offset;
  let name = ownName;
  if (p.accept(openParenthesis)) {
    if (!p.is(Token.comdat)) p.failExpected('the name of a comdat');
    name = p.lexer.unescaped;
    p.lexer.next();
    p.expect(closeParenthesis);
  }
  const comdat = p.comdats.get(name);
  if (comdat === undefined) p.lexer.fail(`there is no comdat $${name}`, offset);
  return comdat;
}

const comdatSelections: ReadonlySet<ComdatSelection> = new Set([
  'any',
  'exactmatch',
  'largest',
  'nodeduplicate',
  'samesize',
]);

/** `$x = comdat any`; requires the lexer at the name. The survey has made the comdat. */
export function parseComdatDefinition(p: Parser): void {
  const comdat = p.comdats.get(p.lexer.unescaped);
  p.lexer.next();
  p.expect(equals);
  p.expectWord('comdat');
  const selection = p.takeOneOf(comdatSelections, 'how a comdat is selected');
  if (comdat !== undefined) comdat.selection = selection;
}

function addAttachment(global: GlobalCommon, attachment: MetadataAttachment): void {
  global.metadata ??= [];
  global.metadata.push(attachment);
}

/** `define` or `declare`; requires the lexer at that word. */
export function parseFunction(p: Parser): void {
  const target = p.functionsByOffset.get(p.lexer.offset);
  if (target === undefined) p.failExpected('a definition');
  const isDefinition = p.takeWord(`'define'`) === 'define';
  while (p.is(Token.metadataName)) addAttachment(target, parseAttachment(p));
  parseProperties(p, target);
  target.callingConvention = parseCallingConvention(p);
  target.returnAttributes = parseValueAttributes(p);
  const returns = parseType(p);
  const offset = p.lexer.offset;
  if (takeGlobal(p) !== target) p.lexer.fail('expected the name of the function', offset);
  const names = parseParameters(p, target, returns);
  parseFunctionTail(p, target);
  if (isDefinition) parseBody(p, target, names);
}

/**
 * `(i32 noundef %x, ...)`: sets the function's type and arguments, and returns what the arguments
 * are called.
 */
function parseParameters(p: Parser, target: IrFunction, returns: Type): ParameterNames {
  const names: { name: LocalName | undefined; offset: number }[] = [];
  const list: Argument[] = [];
  let variadic = false;
  p.expect(openParenthesis);
  if (!p.is(closeParenthesis)) {
    do {
      if (p.accept(Token.ellipsis)) {
        variadic = true;
        break;
      }
      const argument = makeArgument(parseFirstClassType(p));
      argument.attributes = parseValueAttributes(p);
      const offset = p.lexer.offset;
      let name: LocalName | undefined;
      if (p.is(Token.local)) {
        name = p.lexer.value >= 0 ? p.lexer.value : p.lexer.unescaped;
        if (typeof name === 'string') argument.name = name;
        p.lexer.next();
      }
      names.push({ name, offset });
      list.push(argument);
    } while (p.accept(comma));
  }
  p.expect(closeParenthesis);
  target.functionType = functionType(
    returns,
    list.map(argument => argument.type),
    variadic,
  );
  target.arguments = list;
  return names;
}

/** Everything between the parameters and the body. */
function parseFunctionTail(p: Parser, target: IrFunction): void {
  let attributes = AttributeSet.empty;
  for (;;) {
    attributes = attributes.union(parseFunctionAttributes(p));
    if (p.is(Token.metadataName)) {
      addAttachment(target, parseAttachment(p));
    } else if (p.isWord('unnamed_addr') || p.isWord('local_unnamed_addr')) {
      parseProperties(p, target);
    } else if (p.isWord('addrspace')) {
      target.type = pointerType(parseAddressSpace(p));
    } else if (p.isWord('align')) {
      target.align = takeAlign(p);
    } else if (p.acceptWord('prefalign')) {
      p.expect(openParenthesis);
      target.preferredAlign = p.takeNumber('an alignment');
      p.expect(closeParenthesis);
    } else if (p.acceptWord('gc')) {
      target.garbageCollector = p.takeString();
    } else if (p.acceptWord('prefix')) {
      target.prefix = parseTypedConstant(p);
    } else if (p.acceptWord('prologue')) {
      target.prologue = parseTypedConstant(p);
    } else if (p.acceptWord('personality')) {
      target.personality = parseTypedConstant(p);
    } else if (!parsePlacement(p, target)) {
      break;
    }
  }
  target.attributes = attributes;
}

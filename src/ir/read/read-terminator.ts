/** Reading terminators and the names of blocks. */
import type { Block, Instruction, IntegerConstant } from '../model.js';
import { i1, voidType } from '../types.js';
import { Token } from './lexer.js';
import { closeBracket, comma, openBracket, type Parser } from './parser.js';
import { parseConstant, parseTypedValue, parseValue } from './read-constant.js';
import { parsePointer } from './read-memory.js';
import { parseFirstClassType, parseType } from './read-type.js';

/** `%name` of a block. */
export function takeBlockName(p: Parser): Block {
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

export function parseReturn(p: Parser): Instruction {
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

export function parseBranch(p: Parser): Instruction {
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

export function parseSwitch(p: Parser): Instruction {
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

export function parseIndirectBranch(p: Parser): Instruction {
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
  return p.list(openBracket, closeBracket, takeLabel);
}

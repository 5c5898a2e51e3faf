/** Reading what allocates and accesses memory. */
import type { AtomicOp, Instruction, Ordering, Value } from '../model.js';
import { i1, pointerType, ptr, structType, voidType } from '../types.js';
import { closeParenthesis, comma, openParenthesis, type Parser } from './parser.js';
import { gepType, parseTypedValue, parseValue } from './read-constant.js';
import { parseGepFlags } from './read-flags.js';
import { parseAddressSpace, parseStorableType } from './read-type.js';

const orderings: ReadonlySet<Ordering> = new Set([
  'unordered',
  'monotonic',
  'acquire',
  'release',
  'acq_rel',
  'seq_cst',
]);

export function takeOrdering(p: Parser): Ordering {
  return p.takeOneOf(orderings, 'a memory ordering');
}

export function parseSyncScope(p: Parser): string | undefined {
  if (!p.acceptWord('syncscope')) return undefined;
  p.expect(openParenthesis);
  const scope = p.takeString();
  p.expect(closeParenthesis);
  return scope;
}

/** `, align 8` if it is there. */
function parseAlign(p: Parser): number {
  return p.acceptOperandComma() ? takeAlign(p) : 0;
}

/** `align 8`: a power of two. */
export function takeAlign(p: Parser): number {
  p.expectWord('align');
  const offset = p.lexer.offset;
  const align = p.takeNumber('an alignment');
  if (align < 1 || align > 2 ** 32 || !Number.isInteger(Math.log2(align))) {
    p.lexer.fail('an alignment is a power of two', offset);
  }
  return align;
}

/** A pointer operand, with its type. */
export function parsePointer(p: Parser): Value {
  const offset = p.lexer.offset;
  const pointer = parseTypedValue(p);
  if (pointer.type.kind !== 'pointer') p.lexer.fail('expected a pointer', offset);
  return pointer;
}

export function parseAlloca(p: Parser): Instruction {
  const inalloca = p.acceptWord('inalloca');
  const swiftError = p.acceptWord('swifterror');
  const allocatedType = parseStorableType(p);
  let count: Value | undefined;
  let align = 0;
  let addressSpace = 0;
  while (p.acceptOperandComma()) {
    if (p.isWord('align')) align = takeAlign(p);
    else if (p.isWord('addrspace')) addressSpace = parseAddressSpace(p);
    else if (count === undefined) count = parseTypedValue(p);
    else p.failExpected(`'align'`);
  }
  if (count !== undefined && count.type.kind !== 'integer') p.lexer.fail('the count is not an integer');
  const type = addressSpace === 0 ? ptr : pointerType(addressSpace);
  return {
    kind: 'instruction',
    type: type,
    name: undefined,
    debugLocation: undefined,
    metadata: undefined,
    op: 'alloca',
    allocatedType,
    count,
    align,
    inalloca,
    swiftError,
  };
}

export function parseLoad(p: Parser): Instruction {
  const atomic = p.acceptWord('atomic');
  const volatile = p.acceptWord('volatile');
  const type = parseStorableType(p);
  p.expect(comma);
  const pointer = parsePointer(p);
  const syncScope = atomic ? parseSyncScope(p) : undefined;
  const ordering = atomic ? takeOrdering(p) : undefined;
  const align = parseAlign(p);
  return {
    kind: 'instruction',
    type: type,
    name: undefined,
    debugLocation: undefined,
    metadata: undefined,
    op: 'load',
    pointer,
    align,
    volatile,
    ordering,
    syncScope,
  };
}

export function parseStore(p: Parser): Instruction {
  const atomic = p.acceptWord('atomic');
  const volatile = p.acceptWord('volatile');
  const value = parseValue(p, parseStorableType(p));
  p.expect(comma);
  const pointer = parsePointer(p);
  const syncScope = atomic ? parseSyncScope(p) : undefined;
  const ordering = atomic ? takeOrdering(p) : undefined;
  const align = parseAlign(p);
  return {
    kind: 'instruction',
    type: voidType,
    name: undefined,
    debugLocation: undefined,
    metadata: undefined,
    op: 'store',
    value,
    pointer,
    align,
    volatile,
    ordering,
    syncScope,
  };
}

export function parseGetElementPtr(p: Parser): Instruction {
  const flags = parseGepFlags(p);
  const sourceType = parseStorableType(p);
  p.expect(comma);
  const offset = p.lexer.offset;
  const base = parseTypedValue(p);
  const indices: Value[] = [];
  while (p.acceptOperandComma()) indices.push(parseTypedValue(p));
  const type = gepType(base, indices);
  if (type === undefined) p.lexer.fail(`these are not the operands of 'getelementptr'`, offset);
  return {
    kind: 'instruction',
    type: type,
    name: undefined,
    debugLocation: undefined,
    metadata: undefined,
    op: 'getelementptr',
    flags,
    sourceType,
    base,
    indices,
  };
}

export function parseCompareExchange(p: Parser): Instruction {
  const weak = p.acceptWord('weak');
  const volatile = p.acceptWord('volatile');
  const pointer = parsePointer(p);
  p.expect(comma);
  const expected = parseTypedValue(p);
  p.expect(comma);
  const offset = p.lexer.offset;
  const replacement = parseTypedValue(p);
  if (replacement.type !== expected.type) p.lexer.fail('both values have one type', offset);
  const syncScope = parseSyncScope(p);
  const successOrdering = takeOrdering(p);
  const failureOrdering = takeOrdering(p);
  return {
    kind: 'instruction',
    type: structType([expected.type, i1]),
    name: undefined,
    debugLocation: undefined,
    metadata: undefined,
    op: 'cmpxchg',
    pointer,
    expected,
    replacement,
    weak,
    volatile,
    successOrdering,
    failureOrdering,
    syncScope,
    align: parseAlign(p),
  };
}

const atomicOps: ReadonlySet<AtomicOp> = new Set([
  'xchg',
  'add',
  'sub',
  'and',
  'nand',
  'or',
  'xor',
  'max',
  'min',
  'umax',
  'umin',
  'fadd',
  'fsub',
  'fmax',
  'fmin',
  'fmaximum',
  'fminimum',
  'uinc_wrap',
  'udec_wrap',
  'usub_cond',
  'usub_sat',
]);

export function parseAtomicRmw(p: Parser): Instruction {
  const volatile = p.acceptWord('volatile');
  const operation = p.takeOneOf(atomicOps, 'an atomic operation');
  const pointer = parsePointer(p);
  p.expect(comma);
  const value = parseTypedValue(p);
  const syncScope = parseSyncScope(p);
  const ordering = takeOrdering(p);
  return {
    kind: 'instruction',
    type: value.type,
    name: undefined,
    debugLocation: undefined,
    metadata: undefined,
    op: 'atomicrmw',
    operation,
    pointer,
    value,
    volatile,
    ordering,
    syncScope,
    align: parseAlign(p),
  };
}

/**
 * Constructing IR: modules, globals, functions, blocks, and a Builder that appends instructions.
 *
 * A Builder writes to any array of instructions: to `block.instructions` to append to a block, or
 * to a fresh array that a rewriting pass then splices in front of the instruction it guards. The
 * debug location set on the builder is given to everything it makes, so that inserted code is
 * attributed to the line it serves.
 *
 * The fields that all instructions share are spelled out at each, here and in the reader, always in
 * the same order: V8 then keeps them inside the object, and reading is twice as fast in half the
 * memory of `...common`.
 */
import { assert } from '../support/assert.js';
import { AttributeSet } from './attributes.js';
import type { MetadataNode } from './metadata.js';
import type {
  AllocaInstruction,
  Argument,
  BinaryInstruction,
  BinaryOp,
  Block,
  BranchInstruction,
  CallInstruction,
  CastInstruction,
  CastOp,
  CompareExchangeInstruction,
  ConditionalBranchInstruction,
  Constant,
  ExtractValueInstruction,
  FcmpInstruction,
  FloatPredicate,
  GetElementPtrInstruction,
  GlobalVariable,
  IcmpInstruction,
  Instruction,
  IntegerConstant,
  IntegerPredicate,
  IrFunction,
  LoadInstruction,
  Module,
  Ordering,
  PhiInstruction,
  ReturnInstruction,
  SelectInstruction,
  StoreInstruction,
  SwitchInstruction,
  UnreachableInstruction,
  Value,
} from './model.js';
import type { FunctionType, Type } from './types.js';
import {
  comparisonType,
  elementType,
  i1,
  labelType,
  pointerType,
  ptr,
  structType,
  voidType,
} from './types.js';

export function makeModule(file: string): Module {
  return {
    file,
    sourceFilename: undefined,
    dataLayout: undefined,
    triple: undefined,
    assembly: [],
    structs: [],
    comdats: [],
    variables: [],
    functions: [],
    aliases: [],
    ifuncs: [],
    namedMetadata: new Map(),
  };
}

/** A declaration until blocks are added; `addressSpace` is that of the function itself. */
export function makeFunction(name: string, type: FunctionType, addressSpace = 0): IrFunction {
  return {
    kind: 'function',
    name,
    type: pointerType(addressSpace),
    linkage: 'external',
    visibility: 'default',
    dllStorage: undefined,
    dsoLocal: false,
    unnamedAddress: undefined,
    section: undefined,
    partition: undefined,
    comdat: undefined,
    metadata: undefined,
    functionType: type,
    arguments: type.parameters.map(parameter => makeArgument(parameter)),
    blocks: [],
    returnAttributes: AttributeSet.empty,
    attributes: AttributeSet.empty,
    callingConvention: '',
    align: 0,
    preferredAlign: 0,
    garbageCollector: undefined,
    prefix: undefined,
    prologue: undefined,
    personality: undefined,
  };
}

export function makeArgument(type: Type, name?: string): Argument {
  return { kind: 'argument', type, name, attributes: AttributeSet.empty };
}

/** A definition when it has an initializer, else a declaration. */
export function makeVariable(
  name: string,
  valueType: Type,
  initializer?: Constant,
  addressSpace = 0,
): GlobalVariable {
  return {
    kind: 'variable',
    name,
    type: pointerType(addressSpace),
    linkage: 'external',
    visibility: 'default',
    dllStorage: undefined,
    dsoLocal: false,
    unnamedAddress: undefined,
    section: undefined,
    partition: undefined,
    comdat: undefined,
    metadata: undefined,
    valueType,
    isConstant: false,
    externallyInitialized: false,
    threadLocal: undefined,
    initializer,
    align: 0,
    codeModel: undefined,
    sanitizer: undefined,
    attributes: AttributeSet.empty,
  };
}

export function makeBlock(name?: string): Block {
  return { kind: 'block', type: labelType, name, instructions: [] };
}

/** The function of this name, declared now if the module has none. */
export function getOrDeclareFunction(module: Module, name: string, type: FunctionType): IrFunction {
  const known = module.functions.find(candidate => candidate.name === name);
  if (known !== undefined) return known;
  const made = makeFunction(name, type);
  module.functions.push(made);
  return made;
}

export interface AccessOptions {
  readonly align?: number;
  readonly volatile?: boolean;
  readonly ordering?: Ordering;
  readonly name?: string;
}

export class Builder {
  /** Where new instructions are appended. */
  into: Instruction[];
  /** Given to every new instruction. */
  debugLocation: MetadataNode | undefined;

  constructor(into: Instruction[], debugLocation?: MetadataNode) {
    this.into = into;
    this.debugLocation = debugLocation;
  }

  append<T extends Instruction>(instruction: T): T {
    this.into.push(instruction);
    return instruction;
  }

  binary(op: BinaryOp, left: Value, right: Value, name?: string, flags = 0): BinaryInstruction {
    return this.append({
      kind: 'instruction',
      type: left.type,
      name,
      debugLocation: this.debugLocation,
      metadata: undefined,
      op,
      flags,
      left,
      right,
    });
  }

  cast(op: CastOp, operand: Value, type: Type, name?: string, flags = 0): CastInstruction {
    return this.append({
      kind: 'instruction',
      type: type,
      name,
      debugLocation: this.debugLocation,
      metadata: undefined,
      op,
      flags,
      operand,
    });
  }

  icmp(predicate: IntegerPredicate, left: Value, right: Value, name?: string): IcmpInstruction {
    const type = comparisonType(left.type);
    return this.append({
      kind: 'instruction',
      type: type,
      name,
      debugLocation: this.debugLocation,
      metadata: undefined,
      op: 'icmp',
      predicate,
      flags: 0,
      left,
      right,
    });
  }

  fcmp(predicate: FloatPredicate, left: Value, right: Value, name?: string): FcmpInstruction {
    const type = comparisonType(left.type);
    return this.append({
      kind: 'instruction',
      type: type,
      name,
      debugLocation: this.debugLocation,
      metadata: undefined,
      op: 'fcmp',
      predicate,
      flags: 0,
      left,
      right,
    });
  }

  select(condition: Value, ifTrue: Value, ifFalse: Value, name?: string): SelectInstruction {
    return this.append({
      kind: 'instruction',
      type: ifTrue.type,
      name,
      debugLocation: this.debugLocation,
      metadata: undefined,
      op: 'select',
      flags: 0,
      condition,
      ifTrue,
      ifFalse,
    });
  }

  phi(type: Type, incoming: readonly (readonly [Value, Block])[], name?: string): PhiInstruction {
    return this.append({
      kind: 'instruction',
      type: type,
      name,
      debugLocation: this.debugLocation,
      metadata: undefined,
      op: 'phi',
      flags: 0,
      values: incoming.map(([value]) => value),
      blocks: incoming.map(([, block]) => block),
    });
  }

  alloca(allocatedType: Type, align = 0, name?: string, count?: Value): AllocaInstruction {
    return this.append({
      kind: 'instruction',
      type: ptr,
      name,
      debugLocation: this.debugLocation,
      metadata: undefined,
      op: 'alloca',
      allocatedType,
      count,
      align,
      inalloca: false,
      swiftError: false,
    });
  }

  load(type: Type, pointer: Value, options: AccessOptions = {}): LoadInstruction {
    return this.append({
      kind: 'instruction',
      type: type,
      name: options.name,
      debugLocation: this.debugLocation,
      metadata: undefined,
      op: 'load',
      pointer,
      align: options.align ?? 0,
      volatile: options.volatile ?? false,
      ordering: options.ordering,
      syncScope: undefined,
    });
  }

  store(value: Value, pointer: Value, options: AccessOptions = {}): StoreInstruction {
    return this.append({
      kind: 'instruction',
      type: voidType,
      name: undefined,
      debugLocation: this.debugLocation,
      metadata: undefined,
      op: 'store',
      value,
      pointer,
      align: options.align ?? 0,
      volatile: options.volatile ?? false,
      ordering: options.ordering,
      syncScope: undefined,
    });
  }

  gep(sourceType: Type, base: Value, indices: Value[], name?: string, flags = 0): GetElementPtrInstruction {
    return this.append({
      kind: 'instruction',
      type: base.type,
      name,
      debugLocation: this.debugLocation,
      metadata: undefined,
      op: 'getelementptr',
      flags,
      sourceType,
      base,
      indices,
    });
  }

  cmpxchg(
    pointer: Value,
    expected: Value,
    replacement: Value,
    ordering: Ordering,
  ): CompareExchangeInstruction {
    return this.append({
      kind: 'instruction',
      type: structType([expected.type, i1]),
      name: undefined,
      debugLocation: this.debugLocation,
      metadata: undefined,
      op: 'cmpxchg',
      pointer,
      expected,
      replacement,
      weak: false,
      volatile: false,
      successOrdering: ordering,
      failureOrdering: ordering === 'acq_rel' ? 'acquire' : ordering === 'release' ? 'monotonic' : ordering,
      syncScope: undefined,
      align: 0,
    });
  }

  /** A member of a struct or an element of an array that is a value. */
  extractValue(aggregate: Value, index: number): ExtractValueInstruction {
    const type = elementType(aggregate.type, [index]);
    assert(type !== undefined, 'the aggregate has such an element');
    return this.append({
      kind: 'instruction',
      type,
      name: undefined,
      debugLocation: this.debugLocation,
      metadata: undefined,
      op: 'extractvalue',
      aggregate,
      path: [index],
    });
  }

  /** Calls a function, whose type is then known. */
  call(callee: IrFunction, args: Value[], name?: string): CallInstruction {
    return this.callPointer(callee.functionType, callee, args, name);
  }

  /** Calls through a pointer (or inline assembly). */
  callPointer(type: FunctionType, callee: Value, args: Value[], name?: string): CallInstruction {
    return this.append({
      kind: 'instruction',
      type: type.returns,
      name,
      debugLocation: this.debugLocation,
      metadata: undefined,
      op: 'call',
      functionType: type,
      callee,
      args,
      argAttributes: args.map(() => AttributeSet.empty),
      returnAttributes: AttributeSet.empty,
      attributes: AttributeSet.empty,
      callingConvention: '',
      bundles: undefined,
      tail: '',
      flags: 0,
    });
  }

  ret(value?: Value): ReturnInstruction {
    return this.append({
      kind: 'instruction',
      type: voidType,
      name: undefined,
      debugLocation: this.debugLocation,
      metadata: undefined,
      op: 'ret',
      value,
    });
  }

  br(target: Block): BranchInstruction {
    return this.append({
      kind: 'instruction',
      type: voidType,
      name: undefined,
      debugLocation: this.debugLocation,
      metadata: undefined,
      op: 'br',
      target,
    });
  }

  condBr(condition: Value, ifTrue: Block, ifFalse: Block): ConditionalBranchInstruction {
    return this.append({
      kind: 'instruction',
      type: voidType,
      name: undefined,
      debugLocation: this.debugLocation,
      metadata: undefined,
      op: 'condbr',
      condition,
      ifTrue,
      ifFalse,
    });
  }

  switch(
    condition: Value,
    defaultTarget: Block,
    cases: readonly (readonly [IntegerConstant, Block])[],
  ): SwitchInstruction {
    return this.append({
      kind: 'instruction',
      type: voidType,
      name: undefined,
      debugLocation: this.debugLocation,
      metadata: undefined,
      op: 'switch',
      condition,
      defaultTarget,
      caseValues: cases.map(([value]) => value),
      caseTargets: cases.map(([, target]) => target),
    });
  }

  unreachable(): UnreachableInstruction {
    return this.append({
      kind: 'instruction',
      type: voidType,
      name: undefined,
      debugLocation: this.debugLocation,
      metadata: undefined,
      op: 'unreachable',
    });
  }
}

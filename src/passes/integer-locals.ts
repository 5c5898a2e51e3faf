/**
 * Makes a local an integer that is written as a whole and read in parts, so that `mem2reg` can
 * promote it.
 *
 * ```
 *   union { float f; unsigned u; } n;        %n = alloca %union
 *   n.f = x;                                 store float %x, ptr %n      ┐  store i32 (bitcast %x), ptr %n
 *   n.u                                      load i32, ptr %n            ┘  load i32, ptr %n
 *
 *   union { int i; char c[4]; } one = {1};
 *   one.c[0]                                 load i8, ptr %n                trunc (load i32, ptr %n)
 * ```
 *
 * Such locals are how C programs look at the bytes of a number. In memory they are blocks, which
 * are begun, checked and ended in each call.
 *
 * No error is lost. All accesses are at constant offsets inside the local, and nothing else has its
 * address. Each read follows a write of all bytes on every path, so no byte is without a value;
 * undefined bits of the value that was written go through shifts and casts one by one
 * (`monitor/instrument/undefined-values.ts`). A local that is written in part stays in memory, and
 * so do the results and arguments that clang passes as their only member, whose bytes may be
 * undefined (`whole-struct.ts`).
 */
import { Builder } from '../ir/builder.js';
import { integerConstant, poisonConstant } from '../ir/constants.js';
import type { DataLayout } from '../ir/data-layout.js';
import type {
  AllocaInstruction,
  Instruction,
  IrFunction,
  LoadInstruction,
  StoreInstruction,
  Value,
} from '../ir/model.js';
import { forEachOperand, mapDebugOperands, mapOperands } from '../ir/operands.js';
import { type IntegerType, integerType, type Type } from '../ir/types.js';
import { buildCfg } from './cfg.js';
import { alwaysAssigned } from './definite-assignment.js';
import { isLifetimeMarker, type LocalAccess } from './whole-locals.js';

/** A pointer into a local. */
interface Place {
  readonly local: AllocaInstruction;
  readonly offset: number;
}

/**
 * Returns the number of locals that became integers. With `keepsMembers` a local stays in memory if
 * a member of a structure in it is accessed, because hooks see such accesses.
 */
export function makeLocalsIntegers(target: IrFunction, layout: DataLayout, keepsMembers = false): number {
  const found = new Places(target, layout, keepsMembers);
  if (found.locals.size === 0) return 0;
  const locals = alwaysAssigned(buildCfg(target), found.locals, instruction => found.accessOf(instruction));
  if (locals.size > 0) rewrite(target, locals, found, layout);
  return locals.size;
}

/** The candidates, and the pointers into them. */
class Places {
  readonly locals = new Set<AllocaInstruction>();
  readonly #places = new Map<Value, Place>();
  /** The locals with an access of another type than theirs. */
  readonly #divided = new Set<AllocaInstruction>();
  readonly #layout: DataLayout;
  readonly #keepsMembers: boolean;

  constructor(target: IrFunction, layout: DataLayout, keepsMembers: boolean) {
    this.#layout = layout;
    this.#keepsMembers = keepsMembers;
    for (const instruction of target.blocks[0]?.instructions ?? [])
      if (instruction.op === 'alloca' && isCandidate(instruction, layout)) {
        this.locals.add(instruction);
        this.#places.set(instruction, { local: instruction, offset: 0 });
      }
    if (this.locals.size === 0) return;
    // An address may be used in a block that comes before its own in the text.
    this.#followAddresses(target);
    for (const { instructions } of target.blocks)
      for (const instruction of instructions) this.#look(instruction);
    // The others are whole already.
    for (const local of this.locals) if (!this.#divided.has(local)) this.locals.delete(local);
  }

  of(pointer: Value): Place | undefined {
    const place = this.#places.get(pointer);
    return place !== undefined && this.locals.has(place.local) ? place : undefined;
  }

  accessOf(instruction: Instruction): LocalAccess | undefined {
    if (instruction.op === 'load' || instruction.op === 'store') {
      const place = this.of(instruction.pointer);
      return place && { kind: instruction.op === 'load' ? 'read' : 'write', local: place.local };
    }
    if (!isLifetimeMarker(instruction) || instruction.op !== 'call') return undefined;
    const place = this.of(instruction.args.at(-1)!);
    return place && { kind: 'forget', local: place.local };
  }

  #followAddresses(target: IrFunction): void {
    for (let grown = true; grown; ) {
      grown = false;
      for (const { instructions } of target.blocks)
        for (const instruction of instructions) {
          if (instruction.op !== 'getelementptr' || this.#places.has(instruction)) continue;
          const base = this.#places.get(instruction.base);
          if (base === undefined) continue;
          const { constantBytes, scaled } = this.#layout.gepSteps(
            instruction.sourceType,
            instruction.indices,
          );
          const isMember = this.#keepsMembers && isStructure(instruction.sourceType);
          if (isMember || scaled.length > 0 || instruction.name?.startsWith('coerce.dive'))
            this.locals.delete(base.local);
          this.#places.set(instruction, { local: base.local, offset: base.offset + Number(constantBytes) });
          grown = true;
        }
    }
  }

  /** Drops the locals that the instruction uses in another way. */
  #look(instruction: Instruction): void {
    forEachOperand(instruction, operand => {
      const used =
        operand.kind === 'metadata' && operand.metadata.kind === 'value' ? operand.metadata.value : operand;
      const place = this.#places.get(used);
      if (place === undefined) return;
      if (!this.#isUnderstood(instruction, used, place)) this.locals.delete(place.local);
      else if (isOfAnotherType(instruction, place.local)) this.#divided.add(place.local);
    });
  }

  #isUnderstood(user: Instruction, pointer: Value, { local, offset }: Place): boolean {
    const whole = this.#layout.allocBytes(local.allocatedType);
    switch (user.op) {
      case 'getelementptr':
        return user.base === pointer;
      case 'load': {
        if (!isPlain(user) || !isNumber(user.type)) return false;
        return offset >= 0 && offset + this.#layout.storeBytes(user.type) <= whole;
      }
      case 'store':
        if (user.value === pointer || !isPlain(user) || !isNumber(user.value.type)) return false;
        return offset === 0 && this.#layout.storeBytes(user.value.type) === whole;
      default:
        // Any other use may let the address escape.
        return isLifetimeMarker(user) && pointer === local;
    }
  }
}

function isCandidate(local: AllocaInstruction, layout: DataLayout): boolean {
  if (local.count !== undefined || local.inalloca || local.swiftError || local.name === 'retval')
    return false;
  return [1, 2, 4, 8].includes(layout.allocBytes(local.allocatedType));
}

/** clang gives a union the type of its largest member, in a structure with this name. */
function isStructure(type: Type): boolean {
  return type.kind === 'struct' && type.name?.startsWith('union.') !== true;
}

function isOfAnotherType(access: Instruction, { allocatedType }: AllocaInstruction): boolean {
  if (access.op === 'store') return access.value.type !== allocatedType;
  return access.op === 'load' && access.type !== allocatedType;
}

function isPlain({ volatile, ordering }: LoadInstruction | StoreInstruction): boolean {
  return !volatile && ordering === undefined;
}

/** Types whose values are all bits of their bytes. */
function isNumber(type: Type): boolean {
  if (type.kind === 'integer') return [8, 16, 32, 64].includes(type.bits);
  return type.kind === 'pointer' || (type.kind === 'float' && (type.bits === 32 || type.bits === 64));
}

function rewrite(
  target: IrFunction,
  locals: ReadonlySet<AllocaInstruction>,
  places: Places,
  layout: DataLayout,
): void {
  const placeOf = (pointer: Value): Place | undefined => {
    const place = places.of(pointer);
    return place && locals.has(place.local) ? place : undefined;
  };
  const types = typesOf(target, placeOf, layout);
  const replaced = new Map<Value, Value>();
  for (const block of target.blocks) {
    const made: Instruction[] = [];
    for (const instruction of block.instructions) {
      if (instruction.op === 'getelementptr' && placeOf(instruction) !== undefined) {
        replaced.set(instruction, poisonConstant(instruction.type));
        continue;
      }
      const isAccess = instruction.op === 'load' || instruction.op === 'store';
      const place = isAccess ? placeOf(instruction.pointer) : undefined;
      if (!isAccess || place === undefined) {
        made.push(instruction);
        continue;
      }
      const type = types.get(place.local)!;
      const builder = new Builder(made, instruction.debugLocation);
      if (instruction.op === 'store') {
        builder.store(converted(builder, instruction.value, type), place.local, { align: 1 });
        continue;
      }
      const whole = builder.load(type, place.local, { align: 1 });
      replaced.set(instruction, partOf(builder, whole, place.offset, instruction.type));
    }
    block.instructions = made;
  }
  for (const [local, type] of types) local.allocatedType = type;
  const replacement = (operand: Value): Value => replaced.get(operand) ?? operand;
  for (const { instructions } of target.blocks)
    for (const instruction of instructions) {
      mapOperands(instruction, replacement);
      mapDebugOperands(instruction, replacement);
    }
}

/** The type of all accesses of a local if it is the same one; otherwise an integer. */
function typesOf(
  target: IrFunction,
  placeOf: (pointer: Value) => Place | undefined,
  layout: DataLayout,
): Map<AllocaInstruction, Type> {
  const types = new Map<AllocaInstruction, Type>();
  for (const { instructions } of target.blocks)
    for (const instruction of instructions) {
      if (instruction.op !== 'load' && instruction.op !== 'store') continue;
      const local = placeOf(instruction.pointer)?.local;
      if (local === undefined) continue;
      const type = instruction.op === 'load' ? instruction.type : instruction.value.type;
      const isSame = types.get(local) === undefined || types.get(local) === type;
      types.set(local, isSame ? type : integerType(8 * layout.allocBytes(local.allocatedType)));
    }
  for (const [local, type] of types)
    if (layout.storeBytes(type) !== layout.allocBytes(local.allocatedType))
      types.set(local, integerType(8 * layout.allocBytes(local.allocatedType)));
  return types;
}

/** The value of another type with the same bits. */
function converted(builder: Builder, value: Value, type: Type): Value {
  if (value.type === type) return value;
  if (value.type.kind === 'pointer') return builder.cast('ptrtoint', value, type);
  return builder.cast(type.kind === 'pointer' ? 'inttoptr' : 'bitcast', value, type);
}

/** The bytes of the whole from this offset on, least significant first. */
function partOf(builder: Builder, whole: Value, offset: number, type: Type): Value {
  if (whole.type === type) return whole;
  const from = whole.type as IntegerType;
  const bits = type.kind === 'pointer' ? 64 : (type as IntegerType).bits;
  const shifted = offset === 0 ? whole : builder.binary('lshr', whole, integerConstant(from, 8 * offset));
  const narrow = integerType(bits);
  const part = narrow === from ? shifted : builder.cast('trunc', shifted, narrow);
  return converted(builder, part, type);
}

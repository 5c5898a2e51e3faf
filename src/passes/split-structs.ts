/**
 * Divides local structures into their members, which `mem2reg.ts` then makes values.
 *
 * ```
 *   %p = alloca { double, double }               %p.0 = alloca double,  %p.1 = alloca double
 *   store double %x, ptr (%p + 8)                store double %x, ptr %p.1
 *   memcpy(%q, %p, 16)                           each member of %q = load from %p.0, %p.1
 * ```
 *
 * A structure is divided if all its uses are accesses to whole members at constant offsets, and no
 * path reads a member before it is written. So no access to it can be wrong, and nothing that a
 * check would find is lost. All others stay blocks, whole, because a report names the structure.
 *
 * A copy from or to other memory is divided after a check of the whole range (`readName`,
 * `writeName`), so that it is reported as one access. Padding is a member like any other, which
 * only copies read and write. A load or store of an integer that covers several members is how
 * clang and `small-copies.ts` copy small structures; it becomes shifts of their bits.
 *
 * Members of one granule are one integer if nothing accesses only some of them (`granules.ts`). So
 * a structure through which two others are exchanged becomes one value for each granule.
 *
 * A structure that is passed or returned as its only member (`whole-struct.ts`) stays in memory,
 * since it is recognised by the address of that member.
 */
import { Builder, getOrDeclareFunction } from '../ir/builder.js';
import { copyMark, passedMark } from '../ir/check-marks.js';
import { integerConstant, zeroConstant } from '../ir/constants.js';
import type { DataLayout } from '../ir/data-layout.js';
import type {
  AllocaInstruction,
  CallInstruction,
  Instruction,
  IrFunction,
  LoadInstruction,
  Module,
  StoreInstruction,
  Value,
} from '../ir/model.js';
import { forEachOperand, mapDebugOperands, mapOperands } from '../ir/operands.js';
import {
  functionType,
  type IntegerType,
  i8,
  i64,
  integerType,
  ptr,
  type Type,
  voidType,
} from '../ir/types.js';
import { buildCfg } from './cfg.js';
import { type Access, alwaysWritten } from './definite-assignment.js';
import { GranuleMembers } from './granules.js';
import { readName, writeName } from './inlined-functions.js';
import { isLifetimeMarker } from './whole-locals.js';
import { isMemberOfWhole } from './whole-struct.js';

const mostMembers = 16;
/** The same before members of one granule are merged. */
const mostParts = 64;

/** A member that is a number or a pointer. */
export interface Member {
  readonly type: Type;
  readonly offset: number;
  readonly bytes: number;
  /** Its own local, once the structure is divided. */
  local: AllocaInstruction | undefined;
}

export interface Structure {
  readonly local: AllocaInstruction;
  /** With padding, in the order of offsets. */
  members: readonly Member[];
}

/** A place in a structure. */
interface Place {
  readonly structure: Structure;
  readonly offset: number;
}

/** What an instruction does with members, in this order: reads, then writes. */
export interface Use {
  readonly reads: readonly Member[];
  readonly writes: readonly Member[];
  readonly forgets: readonly Member[];
}

export function splitStructs(module: Module, target: IrFunction, layout: DataLayout): void {
  const places = new Map<Value, Place>();
  for (const each of target.blocks[0]?.instructions ?? []) {
    const members =
      each.op === 'alloca' && each.count === undefined
        ? membersOf(each.allocatedType, layout, mostParts)
        : [];
    if (each.op !== 'alloca' || members.length === 0 || each.name === 'retval') continue;
    const all = withPadding(members, layout.allocBytes(each.allocatedType));
    places.set(each, { structure: { local: each, members: all }, offset: 0 });
  }
  if (places.size === 0) return;
  new Division(module, target, layout, places).run();
}

/** None if some part is neither a number nor a pointer, or there are too many. */
export function membersOf(type: Type, layout: DataLayout, most: number = mostMembers): Member[] {
  if (type.kind !== 'struct' && type.kind !== 'array') return [];
  const members: Member[] = [];
  const add = (each: Type, offset: number): boolean => {
    if (members.length > most) return false;
    if (each.kind === 'struct') {
      if (each.elements === undefined) return false;
      const { offsets } = layout.structLayout(each);
      return each.elements.every((element, i) => add(element, offset + offsets[i]!));
    }
    if (each.kind === 'array') {
      const stride = layout.allocBytes(each.element);
      const count = Number(each.length);
      if (count > most) return false;
      return Array.from({ length: count }, (_, i) => add(each.element, offset + i * stride)).every(Boolean);
    }
    if (!isScalar(each)) return false;
    members.push({ type: each, offset, bytes: layout.storeBytes(each), local: undefined });
    return true;
  };
  return add(type, 0) && members.length <= most ? members : [];
}

/** Padding becomes integers of 1, 2, 4 or 8 bytes. */
function withPadding(members: readonly Member[], bytes: number): Member[] {
  const all: Member[] = [];
  let end = 0;
  const padTo = (offset: number): void => {
    while (end < offset) {
      const size = [8, 4, 2, 1].find(each => end % each === 0 && end + each <= offset)!;
      all.push({ type: integerType(8 * size), offset: end, bytes: size, local: undefined });
      end += size;
    }
  };
  for (const member of members) {
    padTo(member.offset);
    all.push(member);
    end = member.offset + member.bytes;
  }
  padTo(bytes);
  return all;
}

function isScalar(type: Type): boolean {
  if (type.kind === 'integer') return type.bits <= 64 && type.bits % 8 === 0;
  return type.kind === 'pointer' || (type.kind === 'float' && type.bits >= 32 && type.bits <= 64);
}

class Division {
  /** By instruction, what it does with members; only for structures that may still be divided. */
  readonly #uses = new Map<Instruction, Use>();
  readonly #divided = new Set<Structure>();
  /** The members that some instruction reads. */
  readonly #read = new Set<Member>();

  constructor(
    private readonly module: Module,
    private readonly target: IrFunction,
    private readonly layout: DataLayout,
    private readonly places: Map<Value, Place>,
  ) {
    for (const { structure } of places.values()) this.#divided.add(structure);
  }

  run(): void {
    this.#findPlaces();
    this.#readUses();
    if (this.#divided.size === 0) return;
    new GranuleMembers(this.#divided, this.#uses.values()).merge();
    for (const structure of this.#divided)
      if (structure.members.length > mostMembers) this.#divided.delete(structure);
    this.#uses.clear();
    this.#readUses();
    for (const { reads } of this.#uses.values()) for (const member of reads) this.#read.add(member);
    this.#keepUnwritten();
    if (this.#divided.size === 0) return;
    const made: AllocaInstruction[] = [];
    for (const { local, members } of this.#divided)
      for (const [i, member] of members.entries()) {
        const align = Math.min(member.bytes, this.layout.align(member.type));
        member.local = new Builder([]).alloca(member.type, align, `${local.name ?? 'local'}.${i}`);
        made.push(member.local);
      }
    for (const block of this.target.blocks)
      block.instructions = block.instructions.flatMap(each => this.#rewritten(each));
    this.target.blocks[0]!.instructions.unshift(...made);
  }

  /** Addresses of members, which are computed before they are used. */
  #findPlaces(): void {
    for (let isNew = true; isNew; ) {
      isNew = false;
      for (const { instructions } of this.target.blocks)
        for (const each of instructions) {
          if (each.op !== 'getelementptr' || this.places.has(each)) continue;
          const base = this.places.get(each.base);
          if (base === undefined || isMemberOfWhole(each)) continue;
          const { constantBytes, scaled } = this.layout.gepSteps(each.sourceType, each.indices);
          if (scaled.length > 0) continue;
          this.places.set(each, { ...base, offset: base.offset + Number(constantBytes) });
          isNew = true;
        }
    }
  }

  #readUses(): void {
    for (const { instructions } of this.target.blocks)
      for (const each of instructions) {
        if (each.op === 'debug-record' || this.places.has(each)) continue;
        const use = this.#useOf(each);
        if (use !== undefined) this.#uses.set(each, use);
        else forEachOperand(each, operand => this.#keep(operand));
      }
    // A step to an unknown element is a use like any other.
    for (const { instructions } of this.target.blocks)
      for (const each of instructions)
        if (each.op === 'getelementptr' && !this.places.has(each))
          forEachOperand(each, operand => this.#keep(operand));
  }

  #keep(operand: Value): void {
    const place = this.places.get(operand);
    if (place !== undefined) this.#divided.delete(place.structure);
  }

  /** Undefined if the instruction is no use of whole members alone. */
  #useOf(each: Instruction): Use | undefined {
    const none: readonly Member[] = [];
    if (each.op === 'load' || each.op === 'store') {
      if (each.op === 'store' && this.places.has(each.value)) return undefined;
      const type = each.op === 'load' ? each.type : each.value.type;
      if (each.volatile || each.ordering !== undefined || !isScalar(type)) return undefined;
      const members = this.#covered(each.pointer, this.layout.storeBytes(type));
      if (members === undefined || !this.#isWhole(members, type)) return undefined;
      return each.op === 'load'
        ? { reads: members, writes: none, forgets: none }
        : { reads: none, writes: members, forgets: none };
    }
    if (each.op !== 'call') return undefined;
    if (isLifetimeMarker(each)) {
      const place = this.places.get(each.args.at(-1)!);
      if (place === undefined || place.structure.local !== each.args.at(-1)) return undefined;
      return { reads: none, writes: none, forgets: place.structure.members };
    }
    return this.#rangeUse(each);
  }

  #rangeUse(call: CallInstruction): Use | undefined {
    const range = rangeOf(call);
    if (range === undefined) return undefined;
    const { to, from, bytes } = range;
    const writes = this.#covered(to, bytes);
    if (from === undefined) return writes && { reads: [], writes, forgets: [] };
    const reads = this.#covered(from, bytes);
    const [toPlace, fromPlace] = [this.places.get(to), this.places.get(from)];
    if (toPlace !== undefined && toPlace.structure === fromPlace?.structure) return undefined;
    if (toPlace !== undefined && (writes === undefined || !isDense(writes, bytes))) return undefined;
    if (fromPlace !== undefined && (reads === undefined || !isDense(reads, bytes))) return undefined;
    if (toPlace !== undefined && fromPlace !== undefined && !areAlike(writes!, reads!)) return undefined;
    if (toPlace === undefined && fromPlace === undefined) return undefined;
    return { reads: reads ?? [], writes: writes ?? [], forgets: [] };
  }

  /** The members that these bytes consist of, with padding; undefined if one is cut. */
  #covered(pointer: Value, bytes: number): readonly Member[] | undefined {
    const place = this.places.get(pointer);
    if (place === undefined) return undefined;
    const { offset, structure } = place;
    if (offset < 0 || offset + bytes > this.layout.allocBytes(structure.local.allocatedType))
      return undefined;
    const touched = structure.members.filter(
      member => member.offset < offset + bytes && offset < member.offset + member.bytes,
    );
    const isCut = touched.some(
      member => member.offset < offset || member.offset + member.bytes > offset + bytes,
    );
    return isCut || touched.length === 0 ? undefined : touched;
  }

  /** One member of this type, or integers that make up one of this type. */
  #isWhole(members: readonly Member[], type: Type): boolean {
    if (members.length === 1 && members[0]!.type === type) return true;
    if (type.kind !== 'integer' || !isDense(members, this.layout.storeBytes(type))) return false;
    return members.every(member => member.type.kind !== 'pointer' || member.bytes === 8);
  }

  /** Keeps structures that may be read before they are written. */
  #keepUnwritten(): void {
    if (this.#divided.size === 0) return;
    const members = new Set<Member>();
    for (const structure of this.#divided) for (const member of structure.members) members.add(member);
    const accessesOf = (instruction: Instruction): Access<Member>[] => {
      const use = this.#uses.get(instruction);
      if (use === undefined) return [];
      const all = [
        ...use.reads.map(local => ({ kind: 'read', local }) as const),
        ...use.writes.map(local => ({ kind: 'write', local }) as const),
        ...use.forgets.map(local => ({ kind: 'forget', local }) as const),
      ];
      return all.filter(({ local }) => members.has(local));
    };
    const written = alwaysWritten(buildCfg(this.target), members, accessesOf);
    for (const structure of [...this.#divided])
      if (!structure.members.every(member => written.has(member))) this.#divided.delete(structure);
  }

  #isDivided(pointer: Value): boolean {
    const place = this.places.get(pointer);
    return place !== undefined && this.#divided.has(place.structure);
  }

  #rewritten(each: Instruction): Instruction[] {
    if (each.op === 'debug-record') return each.values.some(value => this.#isDivided(value)) ? [] : [each];
    if (this.#isDivided(each)) return [];
    if (each.op === 'load' && this.#isDivided(each.pointer)) return this.#load(each);
    if (each.op === 'store' && this.#isDivided(each.pointer)) return this.#store(each);
    if (each.op !== 'call') return [each];
    if (isLifetimeMarker(each) && this.#isDivided(each.args.at(-1)!))
      return this.#uses.get(each)!.forgets.map(({ local }) => {
        const args = [...each.args.slice(0, -1), local!];
        return { ...each, args, argAttributes: [...each.argAttributes] };
      });
    const range = this.#uses.has(each) ? rangeOf(each) : undefined;
    if (range === undefined) return [each];
    const isOfDivided =
      this.#isDivided(range.to) || (range.from !== undefined && this.#isDivided(range.from));
    return isOfDivided ? this.#range(each, range) : [each];
  }

  #load(load: LoadInstruction): Instruction[] {
    const members = this.#uses.get(load)!.reads;
    const [first] = members;
    if (members.length === 1 && first!.type === load.type) {
      load.pointer = first!.local!;
      return [load];
    }
    const type = load.type as IntegerType;
    const start = this.places.get(load.pointer)!.offset;
    const builder = new Builder([], load.debugLocation);
    let value: Value = integerConstant(type, 0);
    for (const member of members) {
      const part = asInteger(builder, builder.load(member.type, member.local!, alignOf(member)), member);
      const wide = part.type === type ? part : builder.cast('zext', part, type);
      const moved = builder.binary('shl', wide, integerConstant(type, 8 * (member.offset - start)));
      value = builder.binary('or', value, moved);
    }
    this.#replace(load, value);
    return builder.into;
  }

  #replace(load: LoadInstruction, value: Value): void {
    const replacement = (operand: Value): Value => (operand === load ? value : operand);
    for (const { instructions } of this.target.blocks)
      for (const instruction of instructions) {
        mapOperands(instruction, replacement);
        mapDebugOperands(instruction, replacement);
      }
  }

  #store(store: StoreInstruction): Instruction[] {
    const members = this.#uses.get(store)!.writes;
    const [first] = members;
    const { value } = store;
    if (members.length === 1 && first!.type === value.type) {
      store.pointer = first!.local!;
      return [store];
    }
    const start = this.places.get(store.pointer)!.offset;
    const builder = new Builder([], store.debugLocation);
    for (const member of members) {
      const type = value.type as IntegerType;
      const moved = builder.binary('lshr', value, integerConstant(type, 8 * (member.offset - start)));
      const part = integerType(8 * member.bytes);
      const cut = part === type ? moved : builder.cast('trunc', moved, part);
      builder.store(fromInteger(builder, cut, member), member.local!, alignOf(member));
    }
    return builder.into;
  }

  /** A copy or a filling of whole members. */
  #range(call: CallInstruction, { to, from, bytes }: Range): Instruction[] {
    const { reads, writes } = this.#uses.get(call)!;
    const builder = new Builder([], call.debugLocation);
    const check = (name: string, pointer: Value): void => {
      const marker = getOrDeclareFunction(this.module, name, functionType(voidType, [ptr, i64]));
      builder.call(marker, [pointer, integerConstant(i64, bytes)]);
    };
    // The caller has checked what it passes by value.
    const isPassed = from?.kind === 'argument' && from.attributes.has('byval');
    if (from !== undefined && !this.places.has(from) && !isPassed) check(readName, from);
    if (!this.places.has(to)) check(writeName, to);
    const isOfDivided = this.#isDivided(to);
    const members = writes.length > 0 ? writes : reads;
    const start = members[0]!.offset;
    for (const [i, member] of members.entries()) {
      if (isOfDivided && !this.#read.has(member)) continue;
      const { type, offset } = member;
      const at = (pointer: Value, members: readonly Member[]): Value => {
        if (this.#isDivided(pointer)) return members[i]!.local!;
        return builder.gep(i8, pointer, [integerConstant(i64, offset - start)]);
      };
      let value: Value = zeroConstant(type);
      if (from !== undefined) {
        const load = builder.load(type, at(from, reads), { align: 1 });
        load.metadata = [...copyMark!, ...passedMark!];
        value = load;
      }
      const store = builder.store(value, at(to, writes), { align: 1 });
      if (!isOfDivided) store.metadata = passedMark;
    }
    return builder.into;
  }
}

interface Range {
  readonly to: Value;
  /** Undefined if the bytes become zero. */
  readonly from: Value | undefined;
  readonly bytes: number;
}

function rangeOf(call: CallInstruction): Range | undefined {
  if (call.callee.kind !== 'function') return undefined;
  const kind = /^llvm\.mem(cpy|move|set)\./.exec(call.callee.name)?.[1];
  const [to, second, bytes, isVolatile] = call.args;
  if (kind === undefined || to === undefined || second === undefined || bytes?.kind !== 'integer')
    return undefined;
  if (isVolatile?.kind !== 'integer' || isVolatile.value !== 0n) return undefined;
  if (kind !== 'set') return { to, from: second, bytes: Number(bytes.value) };
  const isZero = second.kind === 'integer' && second.value === 0n;
  return isZero ? { to, from: undefined, bytes: Number(bytes.value) } : undefined;
}

/** Whether the members have no padding before, between or after them. */
function isDense(members: readonly Member[], bytes: number): boolean {
  return members.reduce((sum, member) => sum + member.bytes, 0) === bytes;
}

/** Whether members can be copied one by one. */
function areAlike(a: readonly Member[], b: readonly Member[]): boolean {
  return a.length === b.length && a.every(({ type }, i) => type === b[i]!.type);
}

function alignOf({ bytes }: Member): { align: number } {
  return { align: bytes };
}

function asInteger(builder: Builder, value: Value, { type, bytes }: Member): Value {
  if (type.kind === 'integer') return value;
  return builder.cast(type.kind === 'pointer' ? 'ptrtoint' : 'bitcast', value, integerType(8 * bytes));
}

function fromInteger(builder: Builder, value: Value, { type }: Member): Value {
  if (type.kind === 'integer') return value;
  return builder.cast(type.kind === 'pointer' ? 'inttoptr' : 'bitcast', value, type);
}

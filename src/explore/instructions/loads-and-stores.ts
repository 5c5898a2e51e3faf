/** Loads, stores, addresses and locals. */

import type { Term } from '../../expr/term.js';
import type { Terms } from '../../expr/terms.js';
import * as V from '../../expr/value.js';
import type { DataLayout } from '../../ir/data-layout.js';
import type {
  AllocaInstruction,
  FenceInstruction,
  GetElementPtrInstruction,
  LoadInstruction,
  StoreInstruction,
} from '../../ir/model.js';
import type { Type } from '../../ir/types.js';
import { isNatural } from '../../passes/natural-alignment.js';
import { load, resolve, store } from '../access/access.js';
import { allocateLocal, type LocalKind } from '../access/activation-locals.js';
import { labelledByAddress } from '../access/labelled-values.js';
import { noteAccess } from '../access/shared-access.js';
import { isStray } from '../access/strays.js';
import type { Decoder } from '../program/decoder.js';
import { rootOf } from '../program/root.js';
import { type Handler, Step } from '../state/decoded.js';
import type { Accesses, Path } from '../state/running.js';
import { packBits, unpackBits } from '../values/bits.js';
import {
  asTerm,
  floatFromBits,
  type Known,
  known,
  partsOf,
  type RegisterValue,
  type Scalar,
  scalarIn,
} from '../values/register-value.js';
import { runNothing } from './unsupported.js';

export function decodeMemory(
  decoder: Decoder,
  instruction:
    | AllocaInstruction
    | LoadInstruction
    | StoreInstruction
    | GetElementPtrInstruction
    | FenceInstruction,
): Step {
  switch (instruction.op) {
    case 'alloca':
      return decodeAlloca(decoder, instruction);
    case 'load':
      return decodeLoad(decoder, instruction);
    case 'store':
      return decodeStore(decoder, instruction);
    case 'getelementptr':
      return decodeGep(decoder, instruction);
    case 'fence':
      return Step.of({ run: runNothing, ir: instruction });
  }
}

// ---------------------------------------------------------------------------------- load and store

/** Moves one value between memory and a register, by its type. */
type Unpack = (machine: Path, word: Scalar) => RegisterValue;

const isPlain = (type: Type): boolean => type.kind === 'integer' || type.kind === 'pointer';

function decodeLoad(decoder: Decoder, instruction: LoadInstruction): Step {
  const { type } = instruction;
  const { layout } = decoder;
  const into = decoder.register(instruction);
  const a = decoder.register(instruction.pointer);
  const c = decoder.register(rootOf(instruction.pointer));
  const bytes = layout.storeBytes(type);
  if (type.kind === 'struct' || type.kind === 'array')
    return Step.of({ run: runLoadAggregate, ir: instruction, into, a, c, width: bytes, detail: type });
  if (isPlain(type) && layout.bits(type) === 8 * bytes)
    return Step.of({ run: runLoad, ir: instruction, into, a, c, width: bytes });
  const bits = layout.bits(type);
  const unpack: Unpack =
    type.kind === 'float' && (bits === 32 || bits === 64)
      ? (_machine, word) => (typeof word === 'object' ? word : floatFromBits(bits, word))
      : type.kind === 'integer'
        ? (machine, word) => narrow(machine.terms, word, bits)
        : (machine, word) => unpackBits(machine.terms, layout, type, word);
  return Step.of({ run: runLoadOther, ir: instruction, into, a, c, width: bytes, detail: unpack });
}

function narrow(terms: Terms, word: Scalar, bits: number): Scalar {
  return typeof word === 'object' ? known(terms.extract(word, 0, bits)) : V.toValue(bits, word);
}

const runLoad: Handler<undefined> = (machine, step, regs) => {
  const value = loadFor(machine, step, regs[step.a]!, regs[step.c]!);
  if (machine.state.threads !== undefined) noteAccess(machine, regs[step.a]!, step.width, 'read');
  regs[step.into] = value;
  return undefined;
};

/** Loads of undefined values are recorded, because a finding shows the load of a value. */
function loadFor(
  machine: Accesses,
  { width, ir }: Pick<Step, 'width' | 'ir'>,
  address: Scalar,
  root: Scalar,
): Scalar {
  const value = load(machine, address, width, root, isNatural(ir));
  if (typeof value === 'object' && typeof address !== 'object' && machine.unwritten.isIn(value))
    machine.unwritten.noteLoad(ir, value, Number(address), width);
  return typeof address === 'object' ? labelledByAddress(machine, value, 8 * width, address) : value;
}

const runLoadOther: Handler<Unpack, RegisterValue> = (machine, step, regs) => {
  const word = loadFor(machine, step, scalarIn(regs, step.a), scalarIn(regs, step.c));
  if (machine.state.threads !== undefined) noteAccess(machine, scalarIn(regs, step.a), step.width, 'read');
  regs[step.into] = step.detail(machine, word);
  return undefined;
};

const runLoadAggregate: Handler<Type, RegisterValue> = (machine, step, regs) => {
  const address = scalarIn(regs, step.a);
  const { object, offset } = resolve(machine, address, step.width, 'read', scalarIn(regs, step.c));
  noteAccess(machine, address, step.width, 'read');
  const start = Number(machine.fewValues(offset, 'a symbolic offset of a struct'));
  const { layout } = machine.program;
  const read = (type: Type, at: number): RegisterValue => {
    if (type.kind === 'struct') {
      const { offsets } = layout.structLayout(type);
      return type.elements!.map((element, i) => read(element, at + offsets[i]!));
    }
    if (type.kind === 'array') {
      const stride = layout.allocBytes(type.element);
      return Array.from({ length: type.length }, (_, i) => read(type.element, at + i * stride));
    }
    const word = object.read(machine, at, layout.storeBytes(type));
    return unpackBits(machine.terms, layout, type, word);
  };
  regs[step.into] = read(step.detail, start);
  return undefined;
};

function decodeStore(decoder: Decoder, instruction: StoreInstruction): Step {
  const { type } = instruction.value;
  const { layout } = decoder;
  const a = decoder.register(instruction.pointer);
  const b = decoder.register(instruction.value);
  const c = decoder.register(rootOf(instruction.pointer));
  const bytes = layout.storeBytes(type);
  if (type.kind === 'struct' || type.kind === 'array')
    return Step.of({ run: runStoreAggregate, ir: instruction, a, b, c, width: bytes, detail: type });
  if (isPlain(type) && layout.bits(type) === 8 * bytes)
    return Step.of({ run: runStore, ir: instruction, a, b, c, width: bytes });
  return Step.of({ run: runStoreOther, ir: instruction, a, b, c, width: bytes, detail: type });
}

const runStore: Handler<undefined> = (machine, step, regs) => {
  store(machine, regs[step.a]!, step.width, regs[step.b]!, regs[step.c]!, isNatural(step.ir));
  if (machine.state.threads !== undefined) noteAccess(machine, regs[step.a]!, step.width, 'write');
  return undefined;
};

const runStoreOther: Handler<Type, RegisterValue> = (machine, step, regs) => {
  const { terms, program } = machine;
  const word = packBits(terms, program.layout, step.detail, regs[step.b]!);
  const whole = typeof word === 'object' ? known(terms.zext(word, 8 * step.width)) : word;
  store(machine, scalarIn(regs, step.a), step.width, whole, scalarIn(regs, step.c), isNatural(step.ir));
  if (machine.state.threads !== undefined) noteAccess(machine, scalarIn(regs, step.a), step.width, 'write');
  return undefined;
};

const runStoreAggregate: Handler<Type, RegisterValue> = (machine, step, regs) => {
  const address = scalarIn(regs, step.a);
  const { object, offset } = resolve(machine, address, step.width, 'write', scalarIn(regs, step.c));
  noteAccess(machine, address, step.width, 'write');
  const start = Number(machine.fewValues(offset, 'a symbolic offset of a struct'));
  const target = machine.state.memory.writable(object);
  const { layout } = machine.program;
  const write = (type: Type, at: number, value: RegisterValue): void => {
    if (type.kind === 'struct') {
      const { offsets } = layout.structLayout(type);
      type.elements!.forEach((element, i) => {
        write(element, at + offsets[i]!, partsOf(value)[i]!);
      });
    } else if (type.kind === 'array') {
      const stride = layout.allocBytes(type.element);
      partsOf(value).forEach((element, i) => {
        write(type.element, at + i * stride, element);
      });
    } else {
      const bytes = layout.storeBytes(type);
      const word = packBits(machine.terms, layout, type, value);
      const whole = typeof word === 'object' ? known(machine.terms.zext(word, 8 * bytes)) : word;
      target.write(machine, at, bytes, whole);
    }
  };
  write(step.detail, start, regs[step.b]!);
  return undefined;
};

// --------------------------------------------------------------------------------------- addresses

interface GepDetail {
  /** Whether the pointer may be used for something other than an access in this function. */
  readonly escapes: boolean;
  readonly constant: Known;
  readonly scaled: readonly { readonly index: number; readonly bits: number; readonly stride: number }[];
}

function decodeGep(decoder: Decoder, instruction: GetElementPtrInstruction): Step {
  const { layout } = decoder;
  const steps = layout.gepSteps(instruction.sourceType, instruction.indices);
  const detail: GepDetail = {
    escapes: decoder.strays.has(instruction),
    constant: V.toValue(64, steps.constantBytes),
    scaled: steps.scaled.map(({ index, strideBytes }) => ({
      index: decoder.register(index),
      bits: layout.bits(index.type),
      stride: strideBytes,
    })),
  };
  const into = decoder.register(instruction);
  return Step.of({
    run: runGep,
    ir: instruction,
    into,
    a: decoder.register(instruction.base),
    width: 64,
    detail,
  });
}

const runGep: Handler<GepDetail> = (machine, step, regs) => {
  const { constant, scaled, escapes } = step.detail;
  const base = regs[step.a]!;
  let address = add(machine.terms, base, constant);
  for (const { index, bits, stride } of scaled)
    address = add(machine.terms, address, scale(machine.terms, regs[index]!, bits, stride));
  if (escapes && typeof address !== 'object' && typeof base !== 'object' && isStray(machine, base, address))
    address = machine.strays.make(machine, base, address);
  regs[step.into] = address;
  return undefined;
};

function add(terms: Terms, a: Scalar, b: Scalar): Scalar {
  if (typeof a !== 'object' && typeof b !== 'object') return V.add(64, a, b);
  return known(terms.add(asTerm(terms, 64, a), asTerm(terms, 64, b)));
}

function scale(terms: Terms, index: Scalar, bits: number, stride: number): Scalar {
  if (typeof index === 'object') {
    const wide: Term = bits === 64 ? index : terms.sext(index, 64);
    return known(terms.mul(wide, terms.constant(64, stride)));
  }
  const signed = V.toSigned(bits, index);
  const product = typeof signed === 'number' ? signed * stride : Number.NaN;
  if (Number.isSafeInteger(product)) return V.toValue(64, product);
  return V.toValue(64, BigInt(signed) * BigInt(stride));
}

// ------------------------------------------------------------------------------------------ locals

interface AllocaDetail {
  readonly what: LocalKind;
  readonly align: number;
  readonly bytesEach: number;
}

export function alignOf(layout: DataLayout, { align, allocatedType }: AllocaInstruction): number {
  return align > 0 ? align : layout.align(allocatedType);
}

function decodeAlloca(decoder: Decoder, instruction: AllocaInstruction): Step {
  const { allocatedType, count } = instruction;
  const detail: AllocaDetail = {
    what: decoder.locals.get(instruction),
    align: alignOf(decoder.layout, instruction),
    bytesEach: decoder.layout.allocBytes(allocatedType),
  };
  const a = count === undefined ? -1 : decoder.register(count);
  return Step.of({
    run: runAlloca,
    ir: instruction,
    into: decoder.register(instruction),
    a,
    width: 64,
    detail,
  });
}

const runAlloca: Handler<AllocaDetail> = (machine, step, regs) => {
  const { what, align, bytesEach } = step.detail;
  const count = step.a < 0 ? 1 : machine.fewValues(regs[step.a]!, 'the symbolic length of an array');
  regs[step.into] = allocateLocal(machine, Number(count) * bytesEach, align, what);
  return undefined;
};

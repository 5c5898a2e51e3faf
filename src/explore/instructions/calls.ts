/**
 * Calls of functions of the program, of functions that the engine implements (`natives/`), and of
 * LLVM's intrinsics.
 *
 * Variable arguments are stored one after the other in an object that the caller makes, each at the
 * alignment of its type, as the target's `va_arg` expects. A `byval` argument is copied into an
 * object of the callee.
 */

import type { DataLayout } from '../../ir/data-layout.js';
import { isMissing } from '../../ir/global-references.js';
import type {
  AllocaInstruction,
  CallBranchInstruction,
  CallInstruction,
  Instruction,
  VaArgInstruction,
} from '../../ir/model.js';
import { fits, hasPrototype, signatureOfCall } from '../../ir/signatures.js';
import type { Type } from '../../ir/types.js';
import { slotBytes } from '../../ir/variadic-slots.js';
import { load, resolve, store } from '../access/access.js';
import { enterScope, type Locals, newLocal } from '../access/activation-locals.js';
import { copyBytes } from '../access/copy.js';
import { requireDefined } from '../access/undefined-use.js';
import { natives } from '../natives/natives.js';
import type { Decoder } from '../program/decoder.js';
import {
  argumentsOf,
  type DecodedFunction,
  type Handler,
  type Native,
  NOTHING_GIVEN,
  Step,
  type StepParts,
  SWITCHED,
} from '../state/decoded.js';
import type { Accesses, Decisions, Frames } from '../state/running.js';
import { packBits, unpackBits } from '../values/bits.js';
import { mixedList, type RegisterValue, type Scalar, scalarIn, valuesIn } from '../values/register-value.js';
import { chosenArguments } from './chosen-arguments.js';
import { intrinsicOf } from './intrinsics.js';
import { alignOf } from './loads-and-stores.js';
import { runNothing, unsupported } from './unsupported.js';

/** What is needed to pass arguments in memory. */
type Calling = Accesses & Frames & Locals;

interface ByValue {
  readonly index: number;
  readonly bytes: number;
  readonly align: number;
}

/** The arguments that a call passes in memory. */
export interface Passing {
  readonly types: readonly Type[];
  /** The number of fixed arguments; those after them are variable. */
  readonly fixed: number;
  readonly byValue: readonly ByValue[];
}

interface CallDetail extends Passing {
  /** Registers, as a mixed list. */
  readonly args: readonly RegisterValue[];
  /** Known for a direct call. */
  readonly target: DecodedFunction | undefined;
  /** `ir/signatures.ts`. */
  readonly signature: string;
}

interface NativeDetail {
  readonly args: readonly RegisterValue[];
  readonly native: Native;
  /** An intrinsic that is an operation: its operands may be undefined. */
  readonly isIntrinsic: boolean;
}

export function decodeCall(
  decoder: Decoder,
  instruction: CallInstruction | CallBranchInstruction | VaArgInstruction,
): Step {
  if (instruction.op === 'va_arg') return decodeVaArg(decoder, instruction);
  const { callee } = instruction;
  if (callee.kind === 'assembly' || instruction.op === 'callbr')
    return isEmptyAssembly(instruction)
      ? Step.of({ run: runNothing, ir: instruction })
      : unsupported(decoder, instruction, 'inline assembly');
  const into = instruction.type.kind === 'void' ? 0 : decoder.register(instruction);
  const args = mixedList(instruction.args.map(arg => (arg.kind === 'metadata' ? 0 : decoder.register(arg))));
  if (callee.kind === 'function') {
    if (callee.name.startsWith('llvm.lifetime.start')) return decodeScope(decoder, instruction);
    const native = callee.name.startsWith('llvm.')
      ? intrinsicOf(decoder.layout, instruction, callee.name)
      : natives.get(callee.name);
    const isIntrinsic = callee.name.startsWith('llvm.');
    if (native !== undefined)
      return Step.of({ run: runNative, ir: instruction, into, detail: { native, args, isIntrinsic } });
    if (isIntrinsic) return unsupported(decoder, instruction, `the intrinsic ${callee.name}`);
  }
  const detail: CallDetail = {
    ...passingOf(decoder.layout, instruction),
    args,
    signature: signatureOfCall(instruction, decoder.layout),
    target:
      callee.kind === 'function' && !isMissing(callee)
        ? decoder.program.functionNamed(callee.name)
        : undefined,
  };
  const a = detail.target === undefined ? decoder.register(callee) : 0;
  return Step.of({ run: runCall, ir: instruction, into, a, detail });
}

/** The scope of an `alloca` begins, which may change the address in its register. */
function decodeScope(decoder: Decoder, instruction: CallInstruction): Step {
  const local = scopedLocal(instruction);
  if (local === undefined) return Step.of({ run: runNothing, ir: instruction });
  const register = decoder.register(local);
  return Step.of({
    run: runScope,
    ir: instruction,
    into: register,
    a: register,
    detail: alignOf(decoder.layout, local),
  });
}

export function scopedLocal({ args }: CallInstruction): AllocaInstruction | undefined {
  // Older IR has the size first.
  const local = args.at(-1);
  return local?.kind === 'instruction' && local.op === 'alloca' ? local : undefined;
}

const runScope: Handler<number> = (machine, step, regs) => {
  const { frame } = machine.state;
  const locals = [...frame.locals];
  regs[step.into] = enterScope(machine, Number(regs[step.a]), step.detail, locals);
  frame.locals = locals;
  return undefined;
};

/** `asm("" ::: "memory")` only constrains the compiler. */
export function isEmptyAssembly({ callee, type }: CallInstruction | CallBranchInstruction): boolean {
  return callee.kind === 'assembly' && callee.text.trim() === '' && type.kind === 'void';
}

export function passingOf(layout: DataLayout, instruction: CallInstruction | CallBranchInstruction): Passing {
  const { args, functionType } = instruction;
  return {
    types: args.map(({ type }) => type),
    fixed: functionType.variadic ? functionType.parameters.length : args.length,
    byValue: byValueArguments(layout, instruction),
  };
}

function byValueArguments(
  layout: DataLayout,
  { argAttributes }: CallInstruction | CallBranchInstruction,
): ByValue[] {
  return argAttributes.flatMap((attributes, index) => {
    const type = attributes.get('byval')?.type;
    if (type === undefined) return [];
    const align = Number(attributes.get('align')?.value ?? layout.align(type));
    return [{ index, bytes: layout.allocBytes(type), align }];
  });
}

const runNative: Handler<NativeDetail, RegisterValue> = (machine, step, regs) => {
  const { args, native, isIntrinsic } = step.detail;
  const values = valuesIn(regs, args);
  if (!isIntrinsic) requireAllDefined(machine, step.ir, values);
  const result = native(machine, argumentsOf(values));
  if (result === SWITCHED) return true;
  if (result !== undefined) regs[step.into] = result;
  return undefined;
};

const runCall: Handler<CallDetail, RegisterValue> = (machine, step, regs) => {
  const { detail } = step;
  const target = detail.target ?? indirectTarget(machine, scalarIn(regs, step.a));
  const args = valuesIn(regs, detail.args);
  requireAllDefined(machine, step.ir, args);
  if (!isCalledAsItIs(machine, target, detail.signature))
    return machine.fail({ kind: 'call', target: 'mismatch' });
  if (detail.target === undefined) {
    if (target.native !== undefined) {
      const result = target.native(machine, argumentsOf(args));
      if (result === SWITCHED) return true;
      if (result !== undefined && step.ir.type.kind !== 'void') regs[step.into] = result;
      return undefined;
    }
  }
  if (target.ir.blocks.length === 0) {
    const { external } = machine;
    if (external === undefined || step.ir.op !== 'call')
      return machine.fail({ kind: 'external', name: target.name, outcome: { kind: 'missing' } });
    const result = external.call(machine, target.name, step.ir, argumentsOf(args));
    if (result !== undefined) regs[step.into] = result;
    return undefined;
  }
  chosenArguments.get(target.name)?.(machine, detail.types, args);
  machine.checkDepth();
  const isGiving = target.ir.functionType.variadic || detail.byValue.length > 0;
  const given = isGiving ? giveMemory(machine, target, detail, args) : NOTHING_GIVEN;
  const done = machine.runner.call(target, args, given);
  if (done === 'spilled') return true;
  if (done !== undefined) {
    if (done.value !== undefined && step.ir.type.kind !== 'void') regs[step.into] = done.value;
    return undefined;
  }
  machine.push(target, args, given);
  return true;
};

/** The parameters of a function that is only declared, and without a prototype, are unknown. */
function isCalledAsItIs({ program }: Frames, { ir }: DecodedFunction, signature: string): boolean {
  if (ir.blocks.length === 0 && !hasPrototype(ir)) return true;
  return fits(signature, program.signatureOf(ir));
}

/**
 * Makes the memory arguments of a function: copies of arguments, whose addresses replace them, and
 * the list of variable arguments.
 */
export function giveMemory(
  machine: Calling,
  target: DecodedFunction,
  passing: Passing,
  args: RegisterValue[],
): StepParts {
  const { ir, locals: described } = target;
  // Operations that may fork come first.
  for (const { index, bytes } of passing.byValue)
    if (bytes > 0 && typeof args[index] === 'object') resolve(machine, scalarIn(args, index), bytes, 'read');
  const locals: number[] = [];
  for (const { index, bytes, align } of passing.byValue) {
    const argument = ir.arguments[index];
    const copy = newLocal(machine, bytes, align, argument && described.get(argument));
    locals.push(copy);
    copyBytes(machine, copy, scalarIn(args, index), bytes);
    args[index] = copy;
  }
  return { locals, variadics: ir.functionType.variadic ? storeVariadics(machine, passing, args, locals) : 0 };
}

/**
 * The arguments that the program computed; clang marks them as `noundef`, but not the members of a
 * struct.
 */
function requireAllDefined(machine: Decisions, call: Instruction, args: readonly RegisterValue[]): void {
  args.forEach((arg, i) => {
    if (typeof arg !== 'object' || !('argAttributes' in call)) return;
    if (call.argAttributes[i]?.has('noundef')) requireDefined(machine, arg);
  });
}

function indirectTarget(machine: Decisions & Frames, address: Scalar): DecodedFunction {
  const exact = machine.eachValue(address);
  const at = Number(exact);
  const target = machine.program.functionAt(at);
  if (target !== undefined) return target;
  return machine.fail({ kind: 'call', target: at < 4096 ? 0n : BigInt(exact) });
}

function storeVariadics(
  machine: Calling,
  { types, fixed }: Passing,
  args: readonly RegisterValue[],
  locals: number[],
): number {
  const { layout } = machine.program;
  const passed = types.slice(fixed);
  const { places, bytes } = layout.variadicPlaces(passed);
  const base = newLocal(machine, Math.max(bytes, 1), 16, 'variadic');
  locals.push(base);
  passed.forEach((type, i) => {
    const word = packBits(machine.terms, layout, type, args[fixed + i]!);
    store(machine, base + places[i]!, layout.storeBytes(type), word);
  });
  return base;
}

function decodeVaArg(decoder: Decoder, instruction: VaArgInstruction): Step {
  const into = decoder.register(instruction);
  return Step.of({
    run: runVaArg,
    ir: instruction,
    into,
    a: decoder.register(instruction.list),
    detail: instruction.type,
  });
}

const runVaArg: Handler<Type, RegisterValue> = (machine, step, regs) => {
  const { layout } = machine.program;
  const list = scalarIn(regs, step.a);
  const align = Math.max(layout.align(step.detail), slotBytes);
  const current = Number(machine.concretize(load(machine, list, 8), 'a symbolic va_list'));
  const at = Math.ceil(current / align) * align;
  const word = load(machine, at, layout.storeBytes(step.detail));
  store(machine, list, 8, at + layout.allocBytes(step.detail));
  regs[step.into] = unpackBits(machine.terms, layout, step.detail, word);
  return undefined;
};

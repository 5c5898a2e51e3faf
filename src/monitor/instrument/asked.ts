/**
 * The queries of instrumented code about memory, which the pre-analysis (`passes/observation.ts`)
 * traces back to locals. Code outside the module is instrumented too, and may query everything.
 */
import { calledName } from '../../ir/called-functions.js';
import type { DataLayout } from '../../ir/data-layout.js';
import type { CallInstruction, Instruction, Module, Value } from '../../ir/model.js';
import { observedPurposes, purpose } from '../../passes/observation.js';
import { isLifetimeMarker } from '../../passes/whole-locals.js';

import { accessOf } from './memory-access.js';
import type { InstrumentOptions } from './options.js';
import { isInBounds, pointerOrigin } from './pointer-origin.js';

const everything = purpose.validity | purpose.initialisation;

/** Whether any check or annotation queries the memory to which the value points. */
export function askedAbout(
  module: Module,
  layout: DataLayout,
  options: InstrumentOptions,
): (value: Value) => boolean {
  if (options.annotationsOnly) return askedByAnnotations(module);
  if (!options.preAnalysis || options.watchesStack) return () => true;
  const scoped = localsWithMarkers(module);
  const asks = (instruction: Instruction, note: (pointer: Value, purposes: number) => void): void => {
    if (instruction.op === 'call' && isIntrinsic(instruction) && !isLifetimeMarker(instruction))
      for (const argument of instruction.args) note(argument, everything);
    // The caller checks the range, even if the function does not read it.
    if (instruction.op === 'call')
      for (const [i, argument] of instruction.args.entries())
        if (instruction.argAttributes[i]?.has('byval')) note(argument, purpose.validity);
    const access = accessOf(instruction);
    if (access === undefined) return;
    const origin = pointerOrigin(access.pointer, layout);
    // A local whose scope ends before its function may be used after its scope.
    const isSafe =
      origin?.object.kind === 'instruction' &&
      !scoped.has(origin.object) &&
      isInBounds(origin, layout.storeBytes(access.type), layout.allocBytes(origin.object.allocatedType));
    if (!isSafe) note(access.pointer, purpose.validity);
    if (options.init && (!access.isStore || instruction.op !== 'store'))
      note(access.pointer, purpose.initialisation);
  };
  const purposesOf = observedPurposes(module, { asks, outside: everything });
  return value => purposesOf(value) !== 0;
}

/** `memcpy`, `va_start` and similar intrinsics query the memory of their arguments. */
function isIntrinsic(call: CallInstruction): boolean {
  return calledName(call).startsWith('llvm.');
}

function localsWithMarkers(module: Module): Set<Value> {
  const marked = new Set<Value>();
  for (const { blocks } of module.functions)
    for (const { instructions } of blocks)
      for (const instruction of instructions)
        if (instruction.op === 'call' && isLifetimeMarker(instruction)) marked.add(instruction.args.at(-1)!);
  return marked;
}

/** The functions through which woven annotations query memory: `runtime/acsl/acsl.h`. */
const annotationQuestion = /^__rz_(acsl|raw_read)_/;

/**
 * With annotations alone, only they query memory; accesses of the program and the library do not.
 */
function askedByAnnotations(module: Module): (value: Value) => boolean {
  const asks = (instruction: Instruction, note: (pointer: Value, purposes: number) => void): void => {
    if (instruction.op !== 'call' || !annotationQuestion.test(calledName(instruction))) return;
    for (const argument of instruction.args) note(argument, everything);
  };
  const purposesOf = observedPurposes(module, { asks, outside: 0 });
  return value => purposesOf(value) !== 0;
}

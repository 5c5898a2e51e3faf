/**
 * Finds the functions of a module that may free memory or end the locals of others: all that reach,
 * through known calls, a call that is not known to be harmless. The handlers of clang's checks only
 * report. A fixpoint that removes functions from the set "does not free".
 */
import type { AttributeSet } from '../../ir/attributes.js';
import { calledName } from '../../ir/called-functions.js';
import type { CallInstruction, IrFunction, Module } from '../../ir/model.js';
import { isBulkIntrinsic, isHandlerCall } from './call-kinds.js';
import { strictLoads, UndefinedValues } from './undefined-values.js';

/** Intrinsics that end a block's lifetime, directly or as part of a stack frame. */
const endingIntrinsics = /^llvm\.(lifetime\.|stackrestore)/;

export function mayFreeIn(module: Module): (call: CallInstruction) => boolean {
  const harmless = new Set(module.functions.filter(candidate => candidate.blocks.length > 0));
  const mayFree = (call: CallInstruction): boolean => {
    const { callee } = call;
    if (callee.kind !== 'function') return true;
    if (isHandlerCall(call)) return false;
    if (callee.name.startsWith('llvm.')) return endingIntrinsics.test(callee.name);
    return (
      !harmless.has(callee) && !saysItFreesNothing(callee.attributes) && !saysItFreesNothing(call.attributes)
    );
  };
  removeCallers(harmless, mayFree);
  return mayFree;
}

/**
 * Finds the calls that may free memory or store undefined bytes: calls of functions that do so
 * themselves or call one that does. Range copies may copy undefined bytes.
 */
export function mayUnsettleIn(
  module: Module,
  mayFree: (call: CallInstruction) => boolean,
): (call: CallInstruction) => boolean {
  const settled = new Set(module.functions.filter(each => each.blocks.length > 0 && !storesUndefined(each)));
  const mayUnsettle = (call: CallInstruction): boolean => {
    const { callee } = call;
    if (callee.kind !== 'function' || mayFree(call)) return true;
    if (callee.name.startsWith('llvm.')) return isBulkIntrinsic(callee.name);
    return callee.blocks.length > 0 && !settled.has(callee);
  };
  removeCallers(settled, mayUnsettle);
  return mayUnsettle;
}

/** Removes functions with a call of that kind, which depends on the set, until none is left. */
function removeCallers(functions: Set<IrFunction>, isSuch: (call: CallInstruction) => boolean): void {
  for (let changed = true; changed; ) {
    changed = false;
    for (const candidate of functions) {
      if (!hasCall(candidate, isSuch)) continue;
      functions.delete(candidate);
      changed = true;
    }
  }
}

function storesUndefined(target: IrFunction): boolean {
  const strict = strictLoads(target);
  const values = new UndefinedValues(target, load => strict.has(load));
  return target.blocks.some(({ instructions }) =>
    instructions.some(
      each => (each.op === 'store' && values.isCarrier(each.value)) || isBulkIntrinsic(calledName(each)),
    ),
  );
}

/**
 * A lifetime marker in a function only ends the function's own locals, which no caller has checked.
 */
function hasCall(target: IrFunction, mayFree: (call: CallInstruction) => boolean): boolean {
  return target.blocks.some(({ instructions }) =>
    instructions.some(
      instruction =>
        instruction.op === 'callbr' ||
        (instruction.op === 'call' && !calledName(instruction).startsWith('llvm.') && mayFree(instruction)),
    ),
  );
}

function saysItFreesNothing(attributes: AttributeSet): boolean {
  return attributes.has('nofree') || attributes.has('memory');
}

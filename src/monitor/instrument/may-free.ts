/**
 * Which functions of a module may free memory or end the locals of others: all that reach, through calls that are known,
 * a call that is not known to be harmless. Found by removing from "may not free" until nothing changes.
 */
import type { AttributeSet } from '../../ir/attributes.js';
import type { CallInstruction, IrFunction, Module } from '../../ir/model.js';

/** Intrinsics that end a block's life, directly or as part of a stack frame. */
const endingIntrinsics = /^llvm\.(lifetime\.|stackrestore)/;

export function mayFreeIn(module: Module): (call: CallInstruction) => boolean {
  const harmless = new Set(module.functions.filter(candidate => candidate.blocks.length > 0));
  const mayFree = (call: CallInstruction): boolean => {
    const { callee } = call;
    if (callee.kind !== 'function') return true;
    if (callee.name.startsWith('llvm.')) return endingIntrinsics.test(callee.name);
    return (
      !harmless.has(callee) && !saysItFreesNothing(callee.attributes) && !saysItFreesNothing(call.attributes)
    );
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (const candidate of harmless) {
      if (!hasCall(candidate, mayFree)) continue;
      harmless.delete(candidate);
      changed = true;
    }
  }
  return mayFree;
}

/** A lifetime marker inside of a function ends its own locals only, which no caller has checked. */
function hasCall(target: IrFunction, mayFree: (call: CallInstruction) => boolean): boolean {
  return target.blocks.some(({ instructions }) =>
    instructions.some(
      instruction =>
        instruction.op === 'callbr' ||
        (instruction.op === 'call' &&
          !(instruction.callee.kind === 'function' && instruction.callee.name.startsWith('llvm.')) &&
          mayFree(instruction)),
    ),
  );
}

function saysItFreesNothing(attributes: AttributeSet): boolean {
  return attributes.has('nofree') || attributes.has('memory');
}

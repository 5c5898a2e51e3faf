/**
 * A common view of loads, stores and atomic operations: a pointer, and the type that is read or
 * written.
 */
import type { Instruction, Value } from '../../ir/model.js';
import type { WithoutAccess } from '../../ir/opcodes.js';
import { ptr, type Type } from '../../ir/types.js';

/** The common view of an instruction that accesses memory through a pointer. */
export interface MemoryAccess {
  readonly pointer: Value;
  readonly type: Type;
  readonly align: number;
  readonly isStore: boolean;
}

/** The access of `va_start` and `va_copy` to a `va_list`. */
export function wholePointer(pointer: Value, isStore: boolean): MemoryAccess {
  return { pointer, type: ptr, align: 8, isStore };
}

export function accessOf(instruction: Instruction): MemoryAccess | undefined {
  switch (instruction.op) {
    case 'load':
      return {
        pointer: instruction.pointer,
        type: instruction.type,
        align: instruction.align,
        isStore: false,
      };
    case 'store':
      return {
        pointer: instruction.pointer,
        type: instruction.value.type,
        align: instruction.align,
        isStore: true,
      };
    case 'atomicrmw':
      return {
        pointer: instruction.pointer,
        type: instruction.value.type,
        align: instruction.align,
        isStore: true,
      };
    case 'cmpxchg':
      return {
        pointer: instruction.pointer,
        type: instruction.expected.type,
        align: instruction.align,
        isStore: true,
      };
    default:
      instruction satisfies WithoutAccess;
      return undefined;
  }
}
